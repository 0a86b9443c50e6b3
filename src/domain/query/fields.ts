import { CACHE_STATUSES, type LogRecord, pageOf } from '../log.ts';
import { CAUSES, type CauseOf } from '../origin-cause.ts';
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
  requestIdValue,
  schemeValue,
  statusValue,
  type ValueReader,
} from './field-values.ts';
import { nearestNames } from './nearest.ts';
import { patternOfShape, shapeOf } from './path-shape.ts';
import type { QuerySubject, TermOp } from './query.ts';

/**
 * How a value is compared. `text` ignores case; `exact` does not; `capitals` ignores case unless the asked value has
 * a capital letter; `url` is the text after the scheme, and only the path for a value that begins with `/`.
 */
export type ValueComparison = 'text' | 'exact' | 'capitals' | 'url' | 'asn' | 'status' | 'amount' | 'address';

export type KnownValue = { value: string; help: string };

export type Field = {
  title: string;
  /** Other names, with the API's own. Case does not matter. */
  aliases: readonly string[];
  help: string;
  /** A complete term for help and hints. */
  example: string;
  ops: readonly TermOp[];
  compare: ValueComparison;
  /** Brings a value of an `eq` term into its canonical form, or refuses it. */
  read: ValueReader;
  groups: boolean;
  known: readonly KnownValue[];
  /**
   * For a field derived from another's column or dimension: makes its value from that one's. Matching, grouping and
   * listing all use it. Pure; null = no value.
   */
  derive?: (value: string) => string | null;
  /** The field in which a value of this one finds the same rows; opening a group uses it. */
  same?: string;
};

/** Parameters of CDN logs v2 that a term can use. */
export type ServerParam =
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
  /** Null: no row has it, and origin errors give it. */
  column: keyof LogRecord | null;
  get: (record: LogRecord, causeOf: CauseOf) => string | number | null;
  /** What the server decides exactly as the local matcher does; null = nothing. */
  server: PushDown | null;
  /**
   * For a field of which the server finds texts: a pattern, `*` any run, in host and path, user agent or referer of each row
   * with this value. The server is asked for a piece of it, and the rest is decided here.
   */
  wider?: (value: string) => string;
};

/** Values of one event or of a group, by the API's names. */
export type ShieldValues = Readonly<Record<string, string | null | undefined>>;

/** A dimension among the columns of single events. */
type EventColumn = {
  /** The order in which an event reads: what happened, to whom, where. */
  place: number;
  title: string;
  /** Its width on screen, and the terminal width from which it shows. */
  width: number;
  from: number;
  /** Its least width in a printed table: rows come page by page, so no page can decide it. */
  printed: number;
  /** Among the columns of a copied table. */
  isBrief: boolean;
};

/** `dimension` is the API's name in filters, in `groupBy` and in a row's `fields`. */
export type ShieldField = Field & {
  dimension: string;
  /** The API's free text searches it. */
  isInFreeText?: true;
  get: (fields: ShieldValues) => string | null;
  /**
   * For a derived field: a pattern of the dimension that finds all rows of a value, and perhaps more. Shield gets the
   * pattern, and the rest is filtered out here.
   */
  wider?: (value: string) => string;
  /** The same for a text searched in values; without it Shield searches the dimension for that text. */
  widerText?: (text: string) => string;
} & ({ column: EventColumn } | { derive: NonNullable<Field['derive']> });

const ALL_TEXT = ['eq', 'contains', 'wildcard', 'regex'] as const;
const AS_TEXT = { ops: ALL_TEXT, compare: 'text', read: anyText, groups: true, known: [] } as const;
const ADDRESS = [...ALL_TEXT, 'cidr'] as const;

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

const CACHE_WORDS = Object.entries(CACHE_STATUSES).map(([value, { meaning: help }]) => ({ value, help }));
const CAUSE_CODES = Object.entries(CAUSES).map(([value, { words: help }]) => ({ value, help }));

const SHAPE = {
  title: 'path shape',
  aliases: ['pattern'],
  help: 'page with what varies in it as <n>, <uuid>, <hash>, <date>, <id> (letters and digits mixed), <mail> or <slug> (four words or more); v2, en-us and file extensions stay',
  example: 'shape:/reports/<n>/export',
} as const;

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

/** The fields of CDN logs. Grammar, help, completion and push-down read this table. */
export const LOG_FIELDS = {
  status: {
    ...ofColumn('statusCode'),
    title: 'status',
    aliases: ['statusCode', 'code', 'st'],
    help: 'HTTP status: three digits, or a class such as 5xx',
    example: 'status:404,5xx',
    ops: ['eq'],
    compare: 'status',
    read: statusValue,
    known: STATUSES,
    server: { op: 'eq', param: 'status', list: true },
  },
  cache: {
    ...ofColumn('cacheStatus'),
    title: 'cache status',
    aliases: ['cacheStatus'],
    help: 'cache status; the documented words in any case, any other word as it is written',
    example: 'cache:MISS',
    ops: ['eq'],
    compare: 'exact',
    read: cacheValue,
    known: CACHE_WORDS,
    server: { op: 'eq', param: 'cacheStatus', list: true },
  },
  ip: {
    ...ofColumn('remoteIp'),
    title: 'client address',
    aliases: ['remoteIp', 'client', 'addr'],
    help: 'client address; /n is a network, * any run; an anonymised address matches when it may be the one asked for',
    example: 'ip:10.0.0.0/8,192.0.2.7',
    ops: ADDRESS,
    compare: 'address',
    read: addressValue,
    server: { op: 'eq', param: 'remoteIp', list: false },
  },
  net: {
    ...derived('remoteIp', networkOfAddress),
    ...NETWORK,
  },
  country: {
    ...ofColumn('countryCode'),
    title: 'country',
    aliases: ['countryCode', 'cc'],
    help: 'country of the client, two letters in any case',
    example: 'country:CN,RU',
    ops: ['eq'],
    read: countryValue,
  },
  edge: {
    ...ofColumn('edgeLocation'),
    title: 'edge location',
    aliases: ['edgeLocation', 'pop'],
    help: 'edge location; DE is exact and asked of the server, de matches in any case and is looked for here',
    example: 'edge:DE',
    compare: 'capitals',
    server: { op: 'eq', param: 'edgeLocation', list: false },
  },
  host: {
    ...ofColumn('host'),
    title: 'host',
    aliases: ['hostname', 'domain'],
    help: 'host asked for, in any case',
    example: 'host:www.example.com',
    wider: asItIs,
  },
  path: {
    ...ofColumn('path'),
    title: 'path',
    aliases: ['uri'],
    help: 'path with its query string, in any case; /login* also finds /login?next=1',
    example: 'path:/login*',
    wider: asItIs,
  },
  page: {
    ...derived('path', pageOf),
    title: 'page',
    aliases: ['pathname'],
    help: 'path without its query string, in any case; what query strings scatter over many paths is one page',
    example: 'page:/category/sale',
    wider: asItIs,
  },
  shape: {
    ...derived('path', shapeOf),
    ...SHAPE,
    wider: patternOfShape,
  },
  url: {
    ...ofColumn('url'),
    title: 'URL',
    aliases: [],
    help: 'host and path, in any case; a value that begins with / is compared with the path alone',
    example: 'url~/wp-login',
    compare: 'url',
    server: { op: 'contains', param: 'urlContains', list: false },
    wider: afterScheme,
  },
  ua: {
    ...ofColumn('userAgent'),
    title: 'user agent',
    aliases: ['userAgent', 'agent'],
    help: 'user agent, in any case; ua:"" finds requests without one',
    example: 'ua~curl',
    server: { op: 'contains', param: 'userAgentContains', list: false },
    wider: asItIs,
  },
  referer: {
    ...ofColumn('referer'),
    title: 'referer',
    aliases: ['referrer', 'ref'],
    help: 'referring page, in any case',
    example: 'referer~google',
    server: { op: 'contains', param: 'refererContains', list: false },
    wider: asItIs,
  },
  ja4: {
    ...ofColumn('ja4Fingerprint'),
    title: 'JA4',
    aliases: ['ja4Fingerprint', 'fingerprint'],
    help: 'TLS client fingerprint, in any case',
    example: 'ja4:t13d1516h2_*',
  },
  asn: {
    ...ofColumn('asn'),
    title: 'AS number',
    aliases: ['as'],
    help: 'autonomous system of the client: digits, with or without AS before them',
    example: 'asn:13335',
    ops: ['eq'],
    compare: 'asn',
    read: asnValue,
  },
  org: {
    ...ofColumn('asnOrganization'),
    title: 'AS organisation',
    aliases: ['asnOrganization', 'isp'],
    help: 'name of the autonomous system, in any case',
    example: 'org~hosting',
  },
  scheme: {
    ...ofColumn('scheme'),
    title: 'scheme',
    aliases: ['protocol'],
    help: 'http or https',
    example: 'scheme:http',
    ops: ['eq'],
    read: schemeValue,
    known: [
      { value: 'https', help: 'encrypted' },
      { value: 'http', help: 'in the clear' },
    ],
  },
  bytes: {
    ...ofColumn('bytesSent'),
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
  },
  range: {
    ...ofColumn('contentRange'),
    title: 'content range',
    aliases: ['contentRange'],
    help: 'byte range that was answered, in any case; range:* finds partial answers',
    example: 'range:*',
    groups: false,
  },
  id: {
    ...ofColumn('requestId'),
    title: 'request id',
    aliases: ['requestId', 'request', 'rid'],
    help: 'request id: 32 hex digits, hyphens do not count; id:1a2b* for its beginning',
    example: 'id:1a2b3c4d*',
    read: requestIdValue,
    groups: false,
    server: { op: 'eq', param: 'requestId', list: false },
  },
  zone: {
    ...ofColumn('pullZoneId'),
    title: 'pull zone',
    aliases: ['pullZoneId', 'pullZone'],
    help: 'pull zone, where a log holds several: name, host or id, * any run; in saved logs the id alone is known',
    example: 'zone:4711',
    ops: ['eq', 'wildcard'],
  },
  cause: {
    ...AS_TEXT,
    column: null,
    get: (record: LogRecord, causeOf: CauseOf) => causeOf(record.statusCode, () => record),
    server: null,
    title: 'origin error',
    aliases: ['originError', 'errorCode'],
    help: 'why the origin failed a 5xx: the code of the origin error nearest by time and path, a request a day and zone',
    example: 'cause:dns_lookup',
    known: CAUSE_CODES,
  },
} as const satisfies Record<string, LogField>;

/**
 * The dimensions of Shield event logs in the API's order, and the fields derived from them. Nobody documents which
 * case the server minds; here none does.
 */
export const SHIELD_FIELDS = {
  feature: {
    ...dimension('feature', 'feature', ['features'], 'part of Shield that acted', 'feature:waf'),
    column: { place: 6, title: 'FEATURE', width: 10, from: 110, printed: 9, isBrief: false },
  },
  rule: {
    ...dimension('ruleId', 'rule', ['ruleId', 'ruleIds'], 'rule id, not always a number', 'rule:AGD-U455'),
    column: { place: 2, title: 'RULE', width: 9, from: 50, printed: 8, isBrief: true },
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
    ...derivedDimension('ip', networkOfAddress),
    ...NETWORK,
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
    column: { place: 7, title: 'URL', width: 4, from: 50, printed: 40, isBrief: true },
    isInFreeText: true,
  },
  page: {
    ...derivedDimension('url', pageOf),
    title: 'page',
    aliases: ['pathname'],
    help: 'URL without its query string, in any case; a value that begins with / is compared with the path alone',
    example: 'page:/login',
    compare: 'url',
    wider: urlPattern,
  },
  shape: {
    ...derivedDimension('url', shapeOf),
    ...SHAPE,
    compare: 'url',
    wider: (value) => patternOfShape(urlPattern(value)),
    widerText: (text) => patternOfShape(`*${text}*`),
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

/** Words with a meaning of their own in a query; no field may have their names. */
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

/** A field's title over a column; its id where the subject has no such field. */
export function fieldTitle(subject: QuerySubject, id: string): string {
  return fieldRow(subject, id)?.title ?? id;
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

/** The field that a mistyped name most likely means, or a directive where one may stand. */
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

function asItIs(value: string): string {
  return value;
}

/** The part of a URL value behind its scheme. */
function afterScheme(value: string): string {
  const scheme = value.indexOf('://');
  return scheme < 0 ? value : value.slice(scheme + 3);
}

/** A pattern of the URLs of a page, named whole, from the host on, or by its path. */
function urlPattern(page: string): string {
  return page.includes('://') ? `${page}*` : `*${page}*`;
}

/** Defaults of a field that is a column: text that the server cannot filter by. */
function ofColumn<C extends keyof LogRecord>(column: C) {
  return { ...AS_TEXT, column, get: (record: LogRecord) => record[column], server: null } as const;
}

/** Defaults of a field derived from a column, which the server does not know. */
function derived<C extends keyof LogRecord>(column: C, derive: (value: string) => string | null) {
  const get = (record: LogRecord) => {
    const value = record[column];
    return value === null ? null : derive(String(value));
  };
  return { ...ofColumn(column), derive, get } as const;
}

/** Defaults of a field that is a dimension of Shield: text. */
function dimension<D extends string>(
  name: D,
  title: string,
  aliases: readonly string[],
  help: string,
  example: string,
) {
  const get = (fields: ShieldValues) => fields[name] ?? null;
  return { ...AS_TEXT, title, dimension: name, aliases, help, example, get };
}

/** Defaults of a field derived from a dimension: Shield is asked for the dimension, and its answers are added up. */
function derivedDimension<D extends string>(name: D, derive: (value: string) => string | null) {
  const get = (fields: ShieldValues) => {
    const value = fields[name] ?? null;
    return value === null ? null : derive(value);
  };
  return { ...AS_TEXT, dimension: name, derive, get } as const;
}
