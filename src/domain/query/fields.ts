import { CACHE_STATUSES, type LogRecord, pageOf } from '../log.ts';
import { networkOfAddress } from './address.ts';
import {
  actionValue,
  addressValue,
  amountValue,
  anyText,
  asnValue,
  cacheValue,
  clientNetworkValue,
  countryValue,
  digitsValue,
  requestIdValue,
  schemeValue,
  statusValue,
  type ValueReader,
} from './field-values.ts';
import { nearestNames } from './nearest.ts';
import type { QuerySubject, TermOp } from './query.ts';

/**
 * How a value is compared. `text` ignores case; `exact` does not; `capitals` ignores case unless the asked value has
 * a capital letter; `url` is text after the scheme, and only the path for a value that begins with `/`.
 */
export type ValueComparison = 'text' | 'exact' | 'capitals' | 'url' | 'asn' | 'status' | 'amount' | 'address';

export type KnownValue = { value: string; help: string };

export type Field = {
  title: string;
  /** Other names that mean the same, the API's own among them. Case does not count in any of them. */
  aliases: readonly string[];
  help: string;
  /** A whole term, shown in help and hints. */
  example: string;
  ops: readonly TermOp[];
  compare: ValueComparison;
  /** Puts a value of an `eq` term into its canonical form, or refuses it. */
  read: ValueReader;
  groups: boolean;
  known: readonly KnownValue[];
  /**
   * Of a field whose value is a part of another one's, which its column or dimension holds: all that compares, groups or
   * lists values asks it for that part. Pure; null = there is none.
   */
  derive?: (value: string) => string | null;
  /** The field in which a value of this one finds the same rows; the way into a group goes by that. */
  same?: string;
};

/** Parameters of CDN logs v2 that a term can be handed to. */
type ServerParam =
  | 'status'
  | 'cacheStatus'
  | 'edgeLocation'
  | 'remoteIp'
  | 'urlContains'
  | 'userAgentContains'
  | 'refererContains'
  | 'requestId';

/** `list`: the parameter takes several values, any of which may match. */
type PushDown = { op: TermOp; param: ServerParam; list: boolean };

export type LogField = Field & {
  column: keyof LogRecord;
  get: (record: LogRecord) => string | number | null;
  /** What the server can decide exactly as the local matcher does; null = nothing. */
  server: PushDown | null;
};

/** Values of one event or of a group, by the API's names. */
type ShieldValues = Readonly<Record<string, string | null | undefined>>;

/** A dimension among the columns of single events. */
type EventColumn = {
  /** The order of reading: what happened, to whom, where. */
  place: number;
  title: string;
  /** Its cells on screen, and the width of terminal at which it shows. */
  width: number;
  from: number;
  /** The least cells in a printed table: pages come one after another, so none may decide. */
  printed: number;
  /** Among the columns of a copied table. */
  isBrief: boolean;
};

/** `dimension` is the API's name in filters, in `groupBy` and in a row's `fields`. */
export type ShieldField = Field & {
  dimension: string;
  /** The free text of the API looks into it. */
  isInFreeText?: true;
  get: (fields: ShieldValues) => string | null;
  /**
   * Of a derived field: a pattern of the dimension that finds all rows of a value, and maybe others. Shield is asked for
   * it, and what it finds too much is left out here.
   */
  wider?: (value: string) => string;
} & ({ column: EventColumn } | { derive: NonNullable<Field['derive']> });

const ALL_TEXT = ['eq', 'contains', 'wildcard'] as const;
const ADDRESS = ['eq', 'contains', 'wildcard', 'cidr'] as const;

const ACTIONS: readonly KnownValue[] = [
  { value: 'blocked', help: 'stopped at the edge' },
  { value: 'challenged', help: 'had to pass a check' },
  { value: 'logged', help: 'let through and noted' },
];

const STATUSES: readonly KnownValue[] = [
  { value: '2xx', help: 'success' },
  { value: '3xx', help: 'redirects, not modified' },
  { value: '4xx', help: 'client errors' },
  { value: '5xx', help: 'server errors' },
  { value: '403', help: 'forbidden' },
  { value: '404', help: 'not found' },
  { value: '429', help: 'too many requests' },
  { value: '502', help: 'bad gateway' },
  { value: '503', help: 'unavailable' },
  { value: '504', help: 'gateway timeout' },
];

const CACHE_WORDS: readonly KnownValue[] = Object.entries(CACHE_STATUSES).map(([value, { meaning }]) => ({
  value,
  help: meaning,
}));

const NETWORK = {
  title: 'client network',
  aliases: ['network', 'subnet'],
  help: 'network of the client: /24 of an IPv4 address, /48 of an IPv6 address; ip: takes networks of any length',
  example: 'net:192.0.2.0/24',
  ops: ['eq'],
  compare: 'text',
  read: clientNetworkValue,
  same: 'ip',
} as const;

/** What CDN logs can be asked for. The grammar, the help, the completion and the push-down read this table. */
export const LOG_FIELDS = {
  status: {
    title: 'status',
    aliases: ['statusCode', 'code', 'st'],
    help: 'HTTP status: three digits, or a class such as 5xx',
    example: 'status:404,5xx',
    ops: ['eq'],
    compare: 'status',
    read: statusValue,
    groups: true,
    known: STATUSES,
    column: 'statusCode',
    get: (r) => r.statusCode,
    server: { op: 'eq', param: 'status', list: true },
  },
  cache: {
    title: 'cache status',
    aliases: ['cacheStatus'],
    help: 'cache status; the documented words in any case, any other word as it is written',
    example: 'cache:MISS',
    ops: ['eq'],
    compare: 'exact',
    read: cacheValue,
    groups: true,
    known: CACHE_WORDS,
    column: 'cacheStatus',
    get: (r) => r.cacheStatus,
    server: { op: 'eq', param: 'cacheStatus', list: true },
  },
  ip: {
    title: 'client address',
    aliases: ['remoteIp', 'client', 'addr'],
    help: 'client address; /n is a network, * any run; an anonymised address matches when it may be the one asked for',
    example: 'ip:10.0.0.0/8,192.0.2.7',
    ops: ADDRESS,
    compare: 'address',
    read: addressValue,
    groups: true,
    known: [],
    column: 'remoteIp',
    get: (r) => r.remoteIp,
    server: { op: 'eq', param: 'remoteIp', list: false },
  },
  net: {
    ...NETWORK,
    ...derived('remoteIp', networkOfAddress),
  },
  country: {
    title: 'country',
    aliases: ['countryCode', 'cc'],
    help: 'country of the client, two letters in any case',
    example: 'country:CN,RU',
    ops: ['eq'],
    compare: 'text',
    read: countryValue,
    groups: true,
    known: [],
    column: 'countryCode',
    get: (r) => r.countryCode,
    server: null,
  },
  edge: {
    title: 'edge location',
    aliases: ['edgeLocation', 'pop'],
    help: 'edge location; DE is exact and asked of the server, de matches in any case and is looked for here',
    example: 'edge:DE',
    ops: ALL_TEXT,
    compare: 'capitals',
    read: anyText,
    groups: true,
    known: [],
    column: 'edgeLocation',
    get: (r) => r.edgeLocation,
    server: { op: 'eq', param: 'edgeLocation', list: false },
  },
  host: {
    title: 'host',
    aliases: ['hostname', 'domain'],
    help: 'host asked for, in any case',
    example: 'host:www.example.com',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: true,
    known: [],
    column: 'host',
    get: (r) => r.host,
    server: null,
  },
  path: {
    title: 'path',
    aliases: ['uri'],
    help: 'path with its query string, in any case; /login* also finds /login?next=1',
    example: 'path:/login*',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: true,
    known: [],
    column: 'path',
    get: (r) => r.path,
    server: null,
  },
  page: {
    title: 'page',
    aliases: ['pathname'],
    help: 'path without its query string, in any case; what query strings scatter over many paths is one page',
    example: 'page:/category/sale',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    ...derived('path', pageOf),
  },
  url: {
    title: 'URL',
    aliases: [],
    help: 'host and path, in any case; a value that begins with / is compared with the path alone',
    example: 'url~/wp-login',
    ops: ALL_TEXT,
    compare: 'url',
    read: anyText,
    groups: true,
    known: [],
    column: 'url',
    get: (r) => r.url,
    server: { op: 'contains', param: 'urlContains', list: false },
  },
  ua: {
    title: 'user agent',
    aliases: ['userAgent', 'agent'],
    help: 'user agent, in any case; ua:"" finds requests without one',
    example: 'ua~curl',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: true,
    known: [],
    column: 'userAgent',
    get: (r) => r.userAgent,
    server: { op: 'contains', param: 'userAgentContains', list: false },
  },
  referer: {
    title: 'referer',
    aliases: ['referrer', 'ref'],
    help: 'referring page, in any case',
    example: 'referer~google',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: true,
    known: [],
    column: 'referer',
    get: (r) => r.referer,
    server: { op: 'contains', param: 'refererContains', list: false },
  },
  ja4: {
    title: 'JA4',
    aliases: ['ja4Fingerprint', 'fingerprint'],
    help: 'TLS client fingerprint, in any case',
    example: 'ja4:t13d1516h2_*',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: true,
    known: [],
    column: 'ja4Fingerprint',
    get: (r) => r.ja4Fingerprint,
    server: null,
  },
  asn: {
    title: 'AS number',
    aliases: ['as'],
    help: 'autonomous system of the client: digits, with or without AS before them',
    example: 'asn:13335',
    ops: ['eq'],
    compare: 'asn',
    read: asnValue,
    groups: true,
    known: [],
    column: 'asn',
    get: (r) => r.asn,
    server: null,
  },
  org: {
    title: 'AS organisation',
    aliases: ['asnOrganization', 'isp'],
    help: 'name of the autonomous system, in any case',
    example: 'org~hosting',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: true,
    known: [],
    column: 'asnOrganization',
    get: (r) => r.asnOrganization,
    server: null,
  },
  scheme: {
    title: 'scheme',
    aliases: ['protocol'],
    help: 'http or https',
    example: 'scheme:http',
    ops: ['eq'],
    compare: 'text',
    read: schemeValue,
    groups: true,
    known: [
      { value: 'https', help: 'encrypted' },
      { value: 'http', help: 'in the clear' },
    ],
    column: 'scheme',
    get: (r) => r.scheme,
    server: null,
  },
  bytes: {
    title: 'bytes',
    aliases: ['bytesSent', 'size'],
    help: 'bytes sent: a number, a comparison or a range, with k, M and G',
    example: 'bytes:>1M',
    ops: ['eq'],
    compare: 'amount',
    read: amountValue,
    groups: false,
    known: [
      { value: '0', help: 'nothing was sent' },
      { value: '>1M', help: 'large answers' },
      { value: '>100M', help: 'very large answers' },
    ],
    column: 'bytesSent',
    get: (r) => r.bytesSent,
    server: null,
  },
  range: {
    title: 'content range',
    aliases: ['contentRange'],
    help: 'byte range that was answered, in any case; range:* finds partial answers',
    example: 'range:*',
    ops: ALL_TEXT,
    compare: 'text',
    read: anyText,
    groups: false,
    known: [],
    column: 'contentRange',
    get: (r) => r.contentRange,
    server: null,
  },
  id: {
    title: 'request id',
    aliases: ['requestId', 'request', 'rid'],
    help: 'request id: 32 hex digits, hyphens do not count; id:1a2b* for its beginning',
    example: 'id:1a2b3c4d*',
    ops: ALL_TEXT,
    compare: 'text',
    read: requestIdValue,
    groups: false,
    known: [],
    column: 'requestId',
    get: (r) => r.requestId,
    server: { op: 'eq', param: 'requestId', list: false },
  },
  zone: {
    title: 'pull zone id',
    aliases: ['pullZoneId', 'pullZone'],
    help: 'pull zone id, for saved logs that hold several zones',
    example: 'zone:4711',
    ops: ['eq'],
    compare: 'text',
    read: digitsValue,
    groups: true,
    known: [],
    column: 'pullZoneId',
    get: (r) => r.pullZoneId,
    server: null,
  },
} as const satisfies Record<string, LogField>;

/**
 * The dimensions of Shield event logs in the API's order, and what is derived from them. Which case the server minds is
 * not documented; here none does.
 */
export const SHIELD_FIELDS = {
  feature: {
    ...dimension('feature', 'feature', ['features'], 'part of Shield that acted', 'feature:waf'),
    column: { place: 6, title: 'FEATURE', width: 10, from: 110, printed: 9, isBrief: false },
  },
  rule: {
    ...dimension('ruleId', 'rule', ['ruleId', 'ruleIds'], 'rule id, not always a number', 'rule:AGD-U455'),
    column: { place: 2, title: 'RULE', width: 9, from: 0, printed: 8, isBrief: true },
    isInFreeText: true,
  },
  ip: {
    ...dimension(
      'ip',
      'client address',
      ['remoteIp', 'client', 'addr'],
      'client address; /n is a network, * any run',
      'ip:10.0.0.0/8',
    ),
    column: { place: 3, title: 'IP', width: 15, from: 0, printed: 15, isBrief: true },
    isInFreeText: true,
    ops: ADDRESS,
    compare: 'address',
    read: addressValue,
  },
  net: {
    ...NETWORK,
    ...derivedDimension('ip', networkOfAddress),
  },
  ja4: {
    ...dimension('ja4', 'JA4', ['ja4Fingerprint', 'fingerprint'], 'TLS client fingerprint', 'ja4:t13d*'),
    column: { place: 9, title: 'JA4', width: 36, from: 180, printed: 36, isBrief: false },
  },
  ua: {
    ...dimension('ua', 'user agent', ['userAgent', 'agent'], 'user agent', 'ua~curl'),
    column: { place: 8, title: 'USER AGENT', width: 30, from: 130, printed: 30, isBrief: true },
    isInFreeText: true,
  },
  url: {
    ...dimension('url', 'URL', [], 'URL as Shield logged it', 'url:*/login*'),
    column: { place: 7, title: 'URL', width: 4, from: 0, printed: 40, isBrief: true },
    isInFreeText: true,
  },
  page: {
    title: 'page',
    aliases: ['pathname'],
    help: 'URL without its query string, in any case; a value that begins with / is compared with the path alone',
    example: 'page:/login',
    ops: ALL_TEXT,
    compare: 'url',
    read: anyText,
    ...derivedDimension('url', pageOf),
    wider: (value) => (value.includes('://') ? `${value}*` : `*${value}*`),
  },
  asn: {
    ...dimension('asn', 'AS number', ['as'], LOG_FIELDS.asn.help, 'asn:13335'),
    column: { place: 5, title: 'ASN', width: 6, from: 90, printed: 6, isBrief: true },
    compare: 'asn',
    read: asnValue,
  },
  country: {
    ...dimension('country', 'country', ['countryCode', 'cc'], LOG_FIELDS.country.help, 'country:CN,RU'),
    column: { place: 4, title: 'CC', width: 2, from: 60, printed: 7, isBrief: true },
    read: countryValue,
  },
  action: {
    ...dimension(
      'action',
      'action',
      ['actions', 'verdict'],
      'what Shield did: blocked, challenged or logged',
      'action:blocked',
    ),
    column: { place: 1, title: 'ACTION', width: 10, from: 0, printed: 10, isBrief: true },
    read: actionValue,
    known: ACTIONS,
  },
} as const satisfies Record<string, ShieldField>;

export type LogFieldId = keyof typeof LOG_FIELDS;
export type ShieldFieldId = keyof typeof SHIELD_FIELDS;

/** Words with a meaning of their own in a query; no field may be called so. */
export const DIRECTIVES = {
  last: { help: 'time window up to now', example: 'last:15m' },
  from: {
    help: 'start of the window, UTC: HH:MM, a day (yesterday, 11-21), "11-21 03:00" or -2h',
    example: 'from:02:10',
  },
  to: { help: 'end of the window, exclusive', example: 'to:02:25' },
  by: { help: 'group by these fields, in this order', example: 'by:ip,asn' },
} as const;

export type Directive = keyof typeof DIRECTIVES;

const TABLES: Record<QuerySubject, Readonly<Record<string, Field>>> = {
  logs: LOG_FIELDS,
  shield: SHIELD_FIELDS,
};

const NAMES = { logs: namesOf(LOG_FIELDS), shield: namesOf(SHIELD_FIELDS) };

export function fieldIds(subject: QuerySubject): string[] {
  return Object.keys(TABLES[subject]);
}

/** The row of a field id; null when the subject has no such field. */
export function fieldRow(subject: QuerySubject, id: string): Field | null {
  return Object.hasOwn(TABLES[subject], id) ? (TABLES[subject][id] ?? null) : null;
}

export function logField(id: string): LogField | null {
  return Object.hasOwn(LOG_FIELDS, id) ? LOG_FIELDS[id as LogFieldId] : null;
}

export function shieldFieldOf(id: string): ShieldField | null {
  return Object.hasOwn(SHIELD_FIELDS, id) ? SHIELD_FIELDS[id as ShieldFieldId] : null;
}

/** The field id that a name or an alias stands for, in any case; null when it stands for none. */
export function fieldNamed(subject: QuerySubject, name: string): string | null {
  return NAMES[subject].get(name.toLowerCase()) ?? null;
}

/** The field that a mistyped name most likely meant, or the directive when one may stand there. */
export function nearestField(subject: QuerySubject, name: string, directives: boolean): string | null {
  const names = [
    ...fieldIds(subject),
    ...NAMES[subject].keys(),
    ...(directives ? Object.keys(DIRECTIVES) : []),
  ];
  const nearest = nearestNames(name, names)[0];
  return nearest === undefined ? null : (fieldNamed(subject, nearest) ?? nearest);
}

function namesOf(table: Readonly<Record<string, Field>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([id, row]) =>
      [id, ...row.aliases].map((name) => [name.toLowerCase(), id]),
    ),
  );
}

/** What a row of a log field has that is made from another column, and that the server knows nothing of. */
function derived<C extends keyof LogRecord>(column: C, derive: (value: string) => string | null) {
  const get = (record: LogRecord) => {
    const value = record[column];
    return value === null ? null : derive(String(value));
  };
  return { groups: true, known: [], column, derive, get, server: null } as const;
}

/** What a row has that is a dimension of Shield itself: text, unless the row says otherwise. */
function dimension<D extends string>(
  name: D,
  title: string,
  aliases: readonly string[],
  help: string,
  example: string,
) {
  const get = (fields: ShieldValues) => fields[name] ?? null;
  const asText = { ops: ALL_TEXT, compare: 'text', read: anyText, groups: true, known: [] } as const;
  return { ...asText, title, dimension: name, aliases, help, example, get };
}

/** What a row has that is derived from a dimension: Shield is asked for that, and its answers are added up. */
function derivedDimension<D extends string>(name: D, derive: (value: string) => string | null) {
  const get = (fields: ShieldValues) => {
    const value = fields[name] ?? null;
    return value === null ? null : derive(value);
  };
  return { groups: true, known: [], dimension: name, derive, get } as const;
}
