import type { Client, LogSlice } from '../../src/api/client.ts';
import type { ChangePage } from '../../src/domain/evidence/change.ts';
import type { OriginErrorDay, StatHour } from '../../src/domain/evidence/origin-error.ts';
import type { FailureKind, Result } from '../../src/domain/failure.ts';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import type { PartStore, StoredListing } from '../../src/domain/storage/log-parts.ts';
import type { Strays } from '../../src/domain/strays.ts';
import type { EndpointId } from '../../src/simulator/http/router.ts';
import {
  always,
  type Field,
  type Fields,
  lines,
  list,
  map,
  nullable,
  object,
  optional,
  orNull,
  type Path,
  SAMPLE_ROWS,
  type Shape,
  type Source,
  scalar,
} from './contract-shapes.ts';

/** Ids of the account that is asked about. */
export type Ids = {
  pullZone: string;
  /** One whose origin fails on the day, and one with few requests. */
  failing: string;
  quiet: string;
  withoutShield: string;
  withoutLogs: string;
  suspended: string;
  shieldZone: string;
  storageZone: string;
  /** A pull zone that keeps its log in storage, where that is, and the names of a month's folder and of a part in it. */
  archived: string;
  logStorage: string;
  store: PartStore;
  month: readonly string[];
  part: string;
  /** `YYYY-MM-DD`, `MM-dd-yyyy` and `MM-dd-yy` of a day that is kept. */
  day: string;
  shieldDay: string;
  logDay: string;
  from: number;
  to: number;
};

export type Asked = { path: string; method?: 'POST'; body?: unknown; key?: 'none' };

/** One status that an endpoint answers with. */
export type StatusRow = {
  status: number;
  source: Source;
  /** Null: no body, or one that nobody describes. */
  body: Shape | null;
  /** What the client makes of it; null = a value, which may be that there is none. */
  means: FailureKind | null;
  /** What brings a server to it; null = nothing that can be asked. */
  asked: ((ids: Ids) => Asked) | null;
};

/** What the client made of an answer: its rows, and how many it says it could not read. */
/** `strays`: entries that say of themselves that they are of something else. */
export type Told = { rows: readonly unknown[]; unread: number; strays?: number };

export type AnswerRow = {
  endpoint: EndpointId;
  /** How the program asks; null where only other clients do. */
  ask: ((client: Client, ids: Ids) => Promise<Result<unknown>>) | null;
  told: (value: never) => Told;
  /** Where the list of rows stands in the answer; null: the answer is one row. */
  rowsAt: Path | null;
  /** Rows that cannot be read are left out without a word. */
  isDecoration?: true;
  statuses: readonly StatusRow[];
};

const id = scalar('id');
const amount = scalar('amount');
const flag = scalar('flag');
const text = scalar('text');
const ms = scalar('ms');
const anEnum = scalar('enum');
const words = (example: string) => scalar('text', example);

function ok(body: Shape | null, asked: (ids: Ids) => Asked, more: Partial<StatusRow> = {}): StatusRow {
  return { status: 200, source: 'D', body, means: null, asked, ...more };
}

function refused(
  status: number,
  means: FailureKind,
  body: Shape | null,
  asked: StatusRow['asked'],
  source: Source = 'D',
): StatusRow {
  return { status, source, body, means, asked };
}

// Bodies of errors.

const mainError = object({ ErrorKey: nullable(text), Field: nullable(text), Message: nullable(text) });
const mainRefusal = object({ Message: nullable(text, '?') });
const problem = object({
  type: nullable(text, 'S'),
  title: nullable(text, 'S'),
  status: nullable(scalar('code', 400), 'S'),
  detail: nullable(text, 'S'),
  instance: nullable(text, 'S'),
});
const loggingError = (code: string) =>
  object({
    error: always(
      object({ code: always(words(code)), message: always(words('said')), details: nullable(list(text)) }),
    ),
  });
const shieldError = (key: string): Fields => ({
  statusCode: optional(scalar('code', 202)),
  success: optional(scalar('flag', false)),
  message: nullable(words('said')),
  errorKey: nullable(words(key)),
});
const ABSENT = 'not_found_or_unauthorised_access.shieldzone';
const noError: Field = nullable(
  object({
    statusCode: optional(scalar('code')),
    success: optional(flag),
    message: nullable(scalar('text', null)),
    errorKey: nullable(scalar('text', null)),
  }),
);
const empty = (): Shape => scalar('json', null);

// Main API.

const pageOf = (item: Shape) =>
  object({
    Items: always(list(item), 'S'),
    CurrentPage: optional(scalar('amount', 1), 'S'),
    TotalItems: optional(scalar('amount', 3), 'S'),
    HasMoreItems: optional(scalar('flag', false), 'S'),
  });

const apiKey = object({
  Id: always(id, 'S'),
  Key: nullable(words('0123-abcd'), 'S'),
  Roles: nullable(list(text), 'S'),
});

const storageZone = object({
  Id: always(id),
  UserId: nullable(text),
  Name: nullable(text),
  Password: nullable(text),
  ReadOnlyPassword: nullable(text),
  DateModified: optional(scalar('iso')),
  Deleted: optional(flag),
  StorageUsed: optional(amount),
  FilesStored: optional(amount),
  Region: nullable(text),
  ReplicationRegions: nullable(list(text)),
  PullZones: nullable(list(object({ Id: always(id), Name: nullable(text) }))),
  Rewrite404To200: optional(flag),
  Custom404FilePath: nullable(text),
  StorageHostname: nullable(text),
  S3Hostname: nullable(text),
  ZoneTier: optional(anEnum),
  ReplicationChangeInProgress: optional(flag),
  PriceOverride: optional(amount),
  Discount: optional(amount),
  StorageZoneType: optional(anEnum),
});

const pullZone = object({
  Id: always(id),
  Name: nullable(text),
  Enabled: optional(flag),
  Suspended: optional(flag),
  EnableLogging: optional(flag),
  LoggingIPAnonymizationEnabled: optional(flag),
  LogAnonymizationType: optional(scalar('enum', 0)),
  LogFormat: optional(scalar('enum', 0)),
  LogForwardingEnabled: optional(flag),
  LogForwardingFormat: optional(scalar('enum', 0)),
  LogForwardingProtocol: optional(scalar('enum', 0)),
  LogForwardingHostname: nullable(text),
  LogForwardingPort: optional(amount),
  LogForwardingToken: nullable(text),
  LoggingSaveToStorage: optional(flag),
  LoggingStorageZoneId: optional(id),
  Hostnames: nullable(
    list(object({ Id: optional(id), Value: always(text), IsSystemHostname: optional(flag) })),
  ),
  OriginUrl: nullable(text),
  OriginType: optional(scalar('enum', 0)),
  StorageZoneId: optional(id),
  Type: optional(scalar('enum', 0)),
  MonthlyBandwidthUsed: optional(amount),
  ZoneSecurityKey: nullable(text),
  AWSSigningKey: nullable(text),
  AWSSigningSecret: nullable(text),
});

const logArchive = object({
  Name: always(words('shop'), '?'),
  LoggingSaveToStorage: optional(scalar('flag', true)),
  LoggingStorageZoneId: optional(id),
});
/** What the description does not require, and nothing can be read without. */
const partStore = object({
  Name: always(words('logs'), '?'),
  StorageHostname: nullable(words('se.storage.example')),
  ReadOnlyPassword: always(words('read-only'), '?'),
});
const storedFile = object({
  ObjectName: always(words('07_100-0-a1b2c3d4.gzip')),
  Path: nullable(words('/logs/pullzone-logs/shop/2026/08/')),
  Length: optional(amount),
  LastChanged: optional(scalar('iso')),
  DateCreated: optional(scalar('iso')),
  IsDirectory: optional(scalar('flag', false)),
  StorageZoneName: nullable(words('logs')),
  StorageZoneId: optional(id),
  ServerId: optional(amount),
  Guid: nullable(text),
  UserId: nullable(text),
});
const storageRefusal = object({ HttpCode: optional(scalar('code', 401)), Message: nullable(text) });

// Shield.

const shieldZoneFields: Fields = {
  shieldZoneId: always(id),
  pullZoneId: optional(id),
  planType: optional(anEnum),
  learningMode: optional(flag),
  wafEnabled: optional(flag),
  wafExecutionMode: optional(anEnum),
};
const withoutShield = object({
  data: nullable(empty(), 'F'),
  error: nullable(object(shieldError(ABSENT)), 'F'),
});

const region = object({
  Id: optional(amount),
  Name: nullable(text),
  PricePerGigabyte: optional(amount),
  RegionCode: nullable(text),
  ContinentCode: nullable(text),
  CountryCode: nullable(text),
  AllowLatencyRouting: optional(flag),
});

const ruleset = object({
  name: nullable(text),
  ruleset: nullable(text),
  ruleGroups: nullable(
    list(
      object({
        name: nullable(text),
        code: nullable(text),
        rules: nullable(list(object({ ruleId: always(text), description: nullable(text) }))),
      }),
    ),
  ),
});

const shieldRow = object({
  logId: nullable(text, 'S'),
  timestamp: always(ms, 'S'),
  log: nullable(scalar('json'), 'S'),
  fields: nullable(map(text), 'S'),
});
const groupFields: Fields = {
  key: always(map(text), 'S'),
  count: always(amount, 'S'),
  firstSeen: optional(ms, 'S'),
  lastSeen: optional(ms, 'S'),
  context: nullable(
    object({
      country: nullable(text, '?'),
      asn: nullable(text, '?'),
      blocked: optional(amount, '?'),
      challenged: optional(amount, '?'),
      logged: optional(amount, '?'),
      features: nullable(text, '?'),
      ruleIds: nullable(text, '?'),
    }),
    'S',
  ),
};
const shieldGroup = object(groupFields);
/** What `buckets` brings: the specification has neither, and older servers refuse what they do not know. */
const steppedGroup = object({ ...groupFields, sparkline: nullable(list(amount)) });
const searchOf = (part: Fields) =>
  object({
    ...part,
    total: optional(scalar('amount', 3), 'S'),
    totalPages: optional(scalar('amount', 1), 'S'),
    page: optional(scalar('amount', 0), 'S'),
    errorResponse: noError,
  });
const searchRefusal = object({
  rows: nullable(empty(), 'S'),
  groups: nullable(empty(), 'S'),
  errorResponse: always(object(shieldError(ABSENT)), 'F'),
});

const label = nullable(text);
const dayRow = object({
  logId: nullable(text, 'S'),
  timestamp: always(ms, 'S'),
  log: nullable(scalar('jsonText'), 'S'),
  labels: nullable(
    object({
      asn: label,
      country: label,
      ruleId: label,
      severity: label,
      method: label,
      ruleGroup: label,
      status: label,
      serverZone: label,
    }),
    'S',
  ),
});
const dayOf = (error: Field, example = false) =>
  object({
    logs: nullable(list(dayRow)),
    hasMoreData: optional(scalar('flag', example), 'S'),
    continuationToken: nullable(scalar('text', null), 'S'),
    startToken: nullable(text, 'S'),
    errorResponse: error,
  });
const dayRefusal = (key: string) =>
  object({ logs: nullable(empty(), 'F'), errorResponse: always(object(shieldError(key)), 'F') });

const searchPath = (ids: Ids) => `/shield/event-logs/${ids.shieldZone}/search`;
const search = (ids: Ids, groupBy: readonly 'ip'[]) => ({
  from: ids.from,
  to: ids.to,
  query: null,
  filters: [],
  groupBy,
  page: 0,
  pageSize: 50,
});
/** As many as a list of the table has. */
const stepped = (ids: Ids) => ({ ...search(ids, ['ip']), buckets: SAMPLE_ROWS });
const searchStatuses: readonly StatusRow[] = [
  refused(
    202,
    'notFound',
    searchRefusal,
    (ids) => ({ path: '/shield/event-logs/1/search', method: 'POST', body: search(ids, []) }),
    'F',
  ),
  refused(
    400,
    'invalidRequest',
    problem,
    (ids) => ({ path: searchPath(ids), method: 'POST', body: {} }),
    'S',
  ),
  refused(
    401,
    'refusedKey',
    problem,
    (ids) => ({ path: searchPath(ids), method: 'POST', body: search(ids, []), key: 'none' }),
    'S',
  ),
  refused(500, 'serverError', null, null, 'S'),
];

// Logs.

/** The zone that was asked about. */
const ownZone = scalar('id', '1');

const logEntry = object({
  timestamp: always(scalar('iso')),
  pullZoneId: always(ownZone),
  requestId: nullable(words('0123456789abcdef0123456789abcdef')),
  cacheStatus: nullable(words('HIT')),
  statusCode: always(scalar('code')),
  bytesSent: always(amount),
  edgeLocation: always(words('DE')),
  scheme: always(words('https')),
  host: nullable(words('a.example')),
  path: nullable(words('/a')),
  url: always(words('https://a.example/a')),
  remoteIp: nullable(text),
  countryCode: nullable(text),
  userAgent: nullable(text),
  referer: nullable(text),
  ja4Fingerprint: nullable(text),
  asn: nullable(scalar('id', 64_500)),
  asnOrganization: nullable(text),
  bodyBytesSent: nullable(amount),
  contentRange: nullable(text),
  authorizationHeader: nullable(text),
});

const logLine = lines({
  cacheStatus: always(words('HIT')),
  statusCode: always(scalar('code')),
  timestamp: always(ms),
  bytesSent: always(amount),
  pullZoneId: always(ownZone),
  remoteIp: nullable(text),
  referer: nullable(text),
  url: nullable(words('https://a.example/a')),
  edgeLocation: nullable(words('DE')),
  userAgent: nullable(text),
  requestId: nullable(words('0123456789abcdef0123456789abcdef')),
  countryCode: nullable(text),
  bodyBytesSent: nullable(amount),
  range: nullable(text),
  authorization: nullable(text),
});

const loggingStatuses = (
  path: (ids: Ids, zone: string) => string,
  bad: (ids: Ids) => string,
): StatusRow[] => [
  refused(400, 'invalidRequest', loggingError('invalid_request'), (ids) => ({ path: bad(ids) }), 'S'),
  refused(
    401,
    'refusedKey',
    loggingError('unauthorized'),
    (ids) => ({ path: path(ids, ids.pullZone), key: 'none' }),
    'S',
  ),
  refused(403, 'forbidden', loggingError('forbidden'), (ids) => ({ path: path(ids, ids.suspended) }), 'S'),
  refused(
    404,
    'loggingDisabled',
    loggingError('logging_disabled'),
    (ids) => ({ path: path(ids, ids.withoutLogs) }),
    'S',
  ),
  refused(429, 'rateLimited', loggingError('rate_limited'), null, 'S'),
  refused(500, 'serverError', loggingError('internal_error'), null, 'S'),
];

// More evidence.

const originError = object({
  logId: nullable(text),
  timestamp: always(ms),
  log: nullable(scalar('jsonText')),
  labels: nullable(
    object({ ErrorCode: nullable(text), StatusCode: nullable(words('502')), ServerZone: nullable(text) }),
  ),
});

const change = object({
  Timestamp: always(scalar('iso')),
  Product: nullable(text),
  ResourceType: nullable(text),
  ResourceId: nullable(text),
  ResourceOwner: nullable(text),
  Action: nullable(text),
  ActorId: nullable(text),
  ActorType: nullable(text),
  Diff: nullable(text),
});

const chart = nullable(scalar('json', { '2026-08-19T00:00:00Z': 12 }));
const statistics = object({
  TotalRequestsServed: optional(amount),
  RequestsServedChart: chart,
  Error3xxChart: chart,
  Error4xxChart: chart,
  Error5xxChart: chart,
});

// Endpoints.

const unknown = '99';
const withoutKey = (path: string) => (): Asked => ({ path, key: 'none' });
const mainRefused = (path: (ids: Ids) => string): StatusRow =>
  refused(401, 'refusedKey', mainRefusal, (ids) => ({ path: path(ids), key: 'none' }));
const failed = refused(500, 'serverError', null, null);

const pageTold = ({ items, unread }: { items: unknown[]; unread?: number }): Told => ({
  rows: items,
  unread: unread ?? 0,
});
const oneTold = (value: unknown): Told => ({ rows: value === null ? [] : [value], unread: 0 });
const allTold = (rows: unknown[]): Told => ({ rows, unread: 0 });
type Kept = { raw: string | null };
const slicesTold = (value: { records?: Kept[]; events?: Kept[]; groups?: Kept[] }): Told => {
  const rows = value.records ?? [...(value.events ?? []), ...(value.groups ?? [])];
  return { rows, unread: rows.filter(({ raw }) => raw !== null).length };
};
const originErrorsTold = ({ errors, unread }: OriginErrorDay): Told => ({
  rows: errors.map(({ logId, timestamp, url, message, raw: _raw, ...labels }) => ({
    logId,
    timestamp,
    log: { url, message },
    labels,
  })),
  unread,
});
const chartsTold = (hours: readonly StatHour[]): Told => {
  const chartOf = (name: keyof StatHour) => hours.map((hour) => [hour.at, hour[name]]);
  return oneTold({ requests: chartOf('requests'), serverErrors: chartOf('serverErrors') });
};
const LOGGED = { order: 'asc', limit: 1000, filter: {} } as const;

/**
 * What each endpoint answers, once: fields, types, what may be null or missing, and statuses. The simulator's answers and
 * what the client bears are both held against it.
 */
export const CONTRACT = {
  apiKeys: {
    endpoint: 'apiKeys',
    ask: (client) => client.list('keys', { page: 1 }),
    told: pageTold,
    rowsAt: ['Items'],
    statuses: [
      ok(pageOf(apiKey), () => ({ path: '/apikey?page=1&perPage=1000' }), { source: 'S' }),
      refused(400, 'invalidRequest', mainError, () => ({ path: '/apikey?perPage=1' }), '?'),
      mainRefused(() => '/apikey'),
      failed,
    ],
  },
  storageZones: {
    endpoint: 'storageZones',
    ask: (client) => client.list('storage', { page: 1 }),
    told: pageTold,
    rowsAt: ['Items'],
    statuses: [
      ok(pageOf(storageZone), () => ({ path: '/storagezone?page=1&perPage=1000' })),
      refused(400, 'invalidRequest', mainError, () => ({ path: '/storagezone?page=1&perPage=1' }), '?'),
      mainRefused(() => '/storagezone?page=1'),
      failed,
    ],
  },
  bareStorageZones: {
    endpoint: 'storageZones',
    ask: (client) => client.list('storage', { page: 1 }),
    told: pageTold,
    rowsAt: [],
    statuses: [
      ok(list(storageZone), () => ({ path: '/storagezone' })),
      ok(list(storageZone), () => ({ path: '/storagezone?page=0' })),
    ],
  },
  storageZone: {
    endpoint: 'storageZone',
    ask: (client, ids) => client.storageZone(ids.storageZone),
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(storageZone, (ids) => ({ path: `/storagezone/${ids.storageZone}` })),
      mainRefused((ids) => `/storagezone/${ids.storageZone}`),
      refused(404, 'notFound', mainError, () => ({ path: `/storagezone/${unknown}` })),
      failed,
    ],
  },
  updateStorageZone: {
    endpoint: 'updateStorageZone',
    ask: (client, ids) => client.updateStorageZone(ids.storageZone, { Rewrite404To200: true }),
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(
        null,
        (ids) => ({
          path: `/storagezone/${ids.storageZone}`,
          method: 'POST',
          body: { Rewrite404To200: true },
        }),
        { status: 204, source: 'S' },
      ),
      refused(
        400,
        'invalidRequest',
        mainError,
        (ids) => ({ path: `/storagezone/${ids.storageZone}`, method: 'POST', body: { Rewrite404To200: 7 } }),
        'S',
      ),
      refused(401, 'refusedKey', mainRefusal, (ids) => ({
        path: `/storagezone/${ids.storageZone}`,
        method: 'POST',
        body: {},
        key: 'none',
      })),
      refused(404, 'notFound', mainError, () => ({
        path: `/storagezone/${unknown}`,
        method: 'POST',
        body: {},
      })),
      failed,
    ],
  },
  pullZones: {
    endpoint: 'pullZones',
    ask: (client) => client.list('zones', { page: 1 }),
    told: pageTold,
    rowsAt: ['Items'],
    statuses: [
      ok(pageOf(pullZone), () => ({ path: '/pullzone?page=1&perPage=1000' })),
      refused(400, 'invalidRequest', mainError, () => ({ path: '/pullzone?page=1&perPage=1' }), '?'),
      mainRefused(() => '/pullzone?page=1'),
      failed,
    ],
  },
  barePullZones: {
    endpoint: 'pullZones',
    ask: (client) => client.list('zones', { page: 1 }),
    told: pageTold,
    rowsAt: [],
    statuses: [
      ok(list(pullZone), () => ({ path: '/pullzone' })),
      ok(list(pullZone), () => ({ path: '/pullzone?page=0' })),
    ],
  },
  pullZone: {
    endpoint: 'pullZone',
    ask: null,
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(pullZone, (ids) => ({ path: `/pullzone/${ids.pullZone}` })),
      mainRefused((ids) => `/pullzone/${ids.pullZone}`),
      refused(404, 'notFound', mainError, () => ({ path: `/pullzone/${unknown}` })),
      failed,
    ],
  },
  shieldZones: {
    endpoint: 'shieldZones',
    ask: null,
    told: oneTold,
    rowsAt: ['data'],
    statuses: [
      ok(
        object({
          data: nullable(list(object(shieldZoneFields))),
          page: nullable(
            object({
              totalCount: optional(amount),
              totalPages: optional(amount),
              currentPage: optional(amount),
              nextPage: nullable(amount),
              pageSize: optional(amount),
            }),
          ),
        }),
        () => ({ path: '/shield/shield-zones?page=1&perPage=5' }),
      ),
      refused(401, 'refusedKey', problem, withoutKey('/shield/shield-zones')),
      failed,
    ],
  },
  shieldMapping: {
    endpoint: 'shieldMapping',
    ask: (client) => client.shieldMapping(),
    told: allTold,
    rowsAt: ['data'],
    isDecoration: true,
    statuses: [
      ok(
        object({ data: orNull(list(object({ shieldZoneId: always(id), pullZoneId: always(id) }))) }),
        () => ({ path: '/shield/shield-zones/pullzone-mapping' }),
      ),
      refused(401, 'refusedKey', problem, withoutKey('/shield/shield-zones/pullzone-mapping')),
      failed,
    ],
  },
  shieldByPullZone: {
    endpoint: 'shieldByPullZone',
    ask: async (client, ids) => {
      const found = await client.shieldZoneOfPullZone(ids.pullZone);
      return found.ok ? { ok: true, value: { id: found.value } } : found;
    },
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(object({ data: always(object(shieldZoneFields)) }), (ids) => ({
        path: `/shield/shield-zone/get-by-pullzone/${ids.pullZone}`,
      })),
      ok(withoutShield, (ids) => ({ path: `/shield/shield-zone/get-by-pullzone/${ids.withoutShield}` }), {
        status: 202,
        source: 'F',
      }),
      refused(401, 'refusedKey', problem, (ids) => ({
        path: `/shield/shield-zone/get-by-pullzone/${ids.pullZone}`,
        key: 'none',
      })),
      failed,
    ],
  },
  shieldZone: {
    endpoint: 'shieldZone',
    ask: null,
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(object({ data: always(object(shieldZoneFields)) }), (ids) => ({
        path: `/shield/shield-zone/${ids.shieldZone}`,
      })),
      ok(withoutShield, () => ({ path: `/shield/shield-zone/${unknown}` }), { status: 202, source: 'F' }),
      refused(401, 'refusedKey', problem, (ids) => ({
        path: `/shield/shield-zone/${ids.shieldZone}`,
        key: 'none',
      })),
      failed,
    ],
  },
  regions: {
    endpoint: 'regions',
    ask: null,
    told: oneTold,
    rowsAt: [],
    statuses: [ok(list(region), () => ({ path: '/region' })), mainRefused(() => '/region'), failed],
  },
  wafRules: {
    endpoint: 'wafRules',
    ask: (client, ids) => client.wafRules(ids.shieldZone),
    told: allTold,
    rowsAt: [],
    isDecoration: true,
    statuses: [
      ok(list(ruleset), (ids) => ({ path: `/shield/waf/rules/${ids.shieldZone}` })),
      refused(202, 'notFound', withoutShield, () => ({ path: `/shield/waf/rules/${unknown}` }), 'F'),
      refused(401, 'refusedKey', problem, withoutKey(`/shield/waf/rules/${unknown}`)),
      failed,
    ],
  },
  shieldRows: {
    endpoint: 'shieldSearch',
    ask: (client, ids) => client.shieldSearch(ids.shieldZone, search(ids, [])),
    told: slicesTold,
    rowsAt: ['rows'],
    statuses: [
      ok(
        searchOf({ rows: always(list(shieldRow), 'S'), groups: nullable(scalar('json', null), 'S') }),
        (ids) => ({ path: searchPath(ids), method: 'POST', body: search(ids, []) }),
        { source: 'S' },
      ),
      ...searchStatuses,
    ],
  },
  shieldGroups: {
    endpoint: 'shieldSearch',
    ask: (client, ids) => client.shieldSearch(ids.shieldZone, search(ids, ['ip'])),
    told: slicesTold,
    rowsAt: ['groups'],
    statuses: [
      ok(
        searchOf({ rows: nullable(scalar('json', null), 'S'), groups: always(list(shieldGroup), 'S') }),
        (ids) => ({ path: searchPath(ids), method: 'POST', body: search(ids, ['ip']) }),
        { source: 'S' },
      ),
      ...searchStatuses,
    ],
  },
  shieldSteppedGroups: {
    endpoint: 'shieldSearch',
    ask: (client, ids) => client.shieldSearch(ids.shieldZone, stepped(ids)),
    told: slicesTold,
    rowsAt: ['groups'],
    statuses: [
      ok(
        searchOf({ rows: nullable(scalar('json', null), 'S'), groups: always(list(steppedGroup), 'S') }),
        (ids) => ({ path: searchPath(ids), method: 'POST', body: stepped(ids) }),
      ),
      refused(400, 'invalidRequest', problem, (ids) => ({
        path: searchPath(ids),
        method: 'POST',
        body: { ...stepped(ids), buckets: 501 },
      })),
    ],
  },
  shieldDay: {
    endpoint: 'shieldDay',
    ask: (client, ids) => client.shieldDay(ids.shieldZone, ids.day, null),
    told: slicesTold,
    rowsAt: ['logs'],
    statuses: [
      ok(dayOf(noError), (ids) => ({ path: `/shield/event-logs/${ids.shieldZone}/${ids.shieldDay}` }), {
        source: 'S',
      }),
      refused(
        202,
        'notFound',
        dayRefusal(ABSENT),
        (ids) => ({ path: `/shield/event-logs/${unknown}/${ids.shieldDay}` }),
        'F',
      ),
      refused(
        400,
        'invalidRequest',
        problem,
        (ids) => ({ path: `/shield/event-logs/${ids.shieldZone}/${ids.shieldDay}/nonsense` }),
        'S',
      ),
      refused(
        401,
        'refusedKey',
        problem,
        (ids) => ({ path: `/shield/event-logs/${ids.shieldZone}/${ids.shieldDay}`, key: 'none' }),
        'S',
      ),
      refused(
        401,
        'windowRefused',
        dayRefusal('invalid_datetime_window.event_logs'),
        (ids) => ({ path: `/shield/event-logs/${ids.shieldZone}/01-01-2020` }),
        'F',
      ),
      refused(500, 'serverError', null, null, 'S'),
    ],
  },
  logs: {
    endpoint: 'logs',
    ask: (client, ids) =>
      client.logs({ pullZoneId: ids.pullZone, from: ids.from, to: ids.to, ...LOGGED }, { retries: 0 }),
    told: ({ rows }: LogSlice) => slicesTold({ records: [...recordsOf(rows)] }),
    rowsAt: ['data'],
    statuses: [
      ok(
        object({
          data: always(list(logEntry)),
          pagination: always(
            object({
              offset: optional(scalar('amount', 0)),
              limit: optional(scalar('amount', 1000)),
              returned: optional(scalar('amount', 3)),
              hasMore: always(scalar('flag', false)),
            }),
          ),
          query: optional(
            object({
              pullZoneId: optional(id),
              from: optional(scalar('iso')),
              to: optional(scalar('iso')),
              order: optional(words('asc')),
            }),
          ),
        }),
        (ids) => ({ path: `/v2/pullzones/${ids.pullZone}/logs?limit=1000` }),
      ),
      ...loggingStatuses(
        (_ids, zone) => `/v2/pullzones/${zone}/logs`,
        (ids) => `/v2/pullzones/${ids.pullZone}/logs?limit=0`,
      ),
    ],
  },
  logsV1: {
    endpoint: 'logsV1',
    ask: async (client, ids) => {
      const { pullZone: pullZoneId, day } = ids;
      const asked = { pullZoneId, day, order: 'asc', end: 500 } as const;
      const opened = await client.logsV1(asked, { retries: 0 });
      if (!opened.ok) return opened;
      const all: { records: unknown[]; strays?: Strays } = { records: [] };
      for await (const batch of opened.value) {
        if (!batch.ok) return batch;
        all.records.push(...batch.value.records);
        if (batch.value.strays) all.strays = batch.value.strays;
      }
      return { ok: true, value: all };
    },
    told: slicesTold,
    rowsAt: [],
    statuses: [
      ok(logLine, (ids) => ({ path: `/${ids.logDay}/${ids.pullZone}.log?end=500` })),
      ...loggingStatuses(
        (ids, zone) => `/${ids.logDay}/${zone}.log`,
        (ids) => `/13-45-26/${ids.pullZone}.log`,
      ),
    ],
  },
  originErrors: {
    endpoint: 'originErrors',
    ask: (client, ids) => client.originErrors(ids.pullZone, ids.day),
    told: originErrorsTold,
    rowsAt: ['logs'],
    statuses: [
      ok(object({ logs: orNull(list(originError)) }), (ids) => ({
        path: `/${ids.failing}/${ids.shieldDay}`,
      })),
      refused(401, 'refusedKey', mainRefusal, (ids) => ({
        path: `/${ids.pullZone}/${ids.shieldDay}`,
        key: 'none',
      })),
      refused(404, 'notFound', mainRefusal, (ids) => ({ path: `/${unknown}/${ids.shieldDay}` }), '?'),
      failed,
    ],
  },
  logArchive: {
    endpoint: 'pullZone',
    ask: (client, ids) => client.logArchive(ids.archived),
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(logArchive, (ids) => ({ path: `/pullzone/${ids.archived}` })),
      mainRefused((ids) => `/pullzone/${ids.archived}`),
      refused(404, 'notFound', mainError, () => ({ path: `/pullzone/${unknown}` })),
    ],
  },
  partStore: {
    endpoint: 'storageZone',
    ask: (client, ids) => client.partStore(ids.logStorage),
    told: oneTold,
    rowsAt: null,
    statuses: [
      ok(partStore, (ids) => ({ path: `/storagezone/${ids.logStorage}` })),
      mainRefused((ids) => `/storagezone/${ids.logStorage}`),
    ],
  },
  storedFiles: {
    endpoint: 'storedFiles',
    ask: (client, ids) => client.storedFiles(ids.store, ids.month),
    told: ({ files }: StoredListing) => allTold(files),
    rowsAt: [],
    isDecoration: true,
    statuses: [
      ok(list(storedFile), (ids) => ({ path: `/${[ids.store.name, ...ids.month].join('/')}/` })),
      refused(401, 'refusedPassword', storageRefusal, (ids) => ({
        path: `/${ids.store.name}/`,
        key: 'none',
      })),
      failed,
    ],
  },
  storedFile: {
    endpoint: 'storedFile',
    ask: async (client, ids) => {
      const opened = await client.storedFile(ids.store, [...ids.month, ids.part], { retries: 0 });
      if (!opened.ok) return opened;
      let size = 0;
      for await (const chunk of opened.value) {
        if (!chunk.ok) return chunk;
        size += chunk.value.byteLength;
      }
      return { ok: true, value: { size } };
    },
    told: oneTold,
    rowsAt: null,
    statuses: [
      // Bytes, whose lines are those of logs v1: the tests of stored files unpack them.
      { ...ok(null, () => ({ path: '' })), asked: null },
      refused(401, 'refusedPassword', storageRefusal, (ids) => ({
        path: `/${[ids.store.name, ...ids.month, ids.part].join('/')}`,
        key: 'none',
      })),
      refused(404, 'notFound', storageRefusal, (ids) => ({
        path: `/${[ids.store.name, ...ids.month, '07_100-9-00000000.gzip'].join('/')}`,
      })),
      failed,
    ],
  },
  changes: {
    endpoint: 'audit',
    ask: (client, ids) => client.changes(ids.day, null),
    told: ({ changes, unread }: ChangePage) => ({ rows: changes, unread }),
    rowsAt: ['Logs'],
    statuses: [
      ok(
        object({
          Logs: orNull(list(change)),
          HasMoreData: optional(scalar('flag', false)),
          ContinuationToken: nullable(scalar('text', null)),
          StartToken: nullable(text),
        }),
        (ids) => ({ path: `/user/audit/${ids.day}T00:00:00Z?Order=Descending&Limit=1000` }),
      ),
      refused(400, 'invalidRequest', mainError, (ids) => ({
        path: `/user/audit/${ids.day}T00:00:00Z?Limit=0`,
      })),
      mainRefused((ids) => `/user/audit/${ids.day}T00:00:00Z`),
      failed,
    ],
  },
  statistics: {
    endpoint: 'statistics',
    ask: (client, ids) => client.statistics({ pullZoneId: ids.quiet, from: ids.from, to: ids.to }),
    told: chartsTold,
    rowsAt: null,
    statuses: [
      ok(statistics, (ids) => ({
        path: `/statistics?pullZone=${ids.quiet}&dateFrom=${new Date(ids.from).toISOString()}&hourly=true&loadErrors=true&loadRequestsServed=true`,
      })),
      mainRefused((ids) => `/statistics?pullZone=${ids.quiet}`),
      refused(404, 'notFound', mainError, () => ({ path: `/statistics?pullZone=${unknown}` }), '?'),
      failed,
    ],
  },
} as const satisfies Record<string, AnswerRow>;
