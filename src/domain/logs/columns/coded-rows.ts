import { MASK } from '../../../text/mask.ts';
import { type LogRecord, TEXT_NAMES, type TextName } from '../../log.ts';

/** Numbers a row takes in `spans`: where each text begins and ends. */
export const SPAN_WIDTH = TEXT_NAMES.length * 2;

/** Where a span begins that stands for null. */
export const NO_SPAN = -1;

/**
 * Log rows that still stand in the bytes they were read from: for each text the place of its bytes, which are
 * printable ASCII, so that a store can take them without a string being made of each. Good until the bytes change.
 */
export type PackedRows = {
  readonly capacity: number;
  count: number;
  readonly bytes: Buffer;
  /** The same bytes. */
  readonly view: DataView;
  /** Start and end of each text of each row, in the order of TEXT_NAMES; a start of NO_SPAN is null. */
  readonly spans: Int32Array;
  /** Event times, Unix ms. */
  readonly times: Float64Array;
  readonly statuses: Uint16Array;
  readonly sent: Float64Array;
  /** NaN = null. */
  readonly bodies: Float64Array;
  /** 1 where there was an authorization header, which is masked. */
  readonly authorized: Uint8Array;
  /** 1 where the url is scheme://host + path. */
  readonly derived: Uint8Array;
};

/** The texts of one column of a batch: each of them once, and for each row which it is. */
export type CodedTexts = {
  /** For each row the number of its text; 0 = null. */
  codes: Uint16Array;
  /** Where the text of number n stands: from `spans[2n - 2]` up to `spans[2n - 1]`. */
  spans: Int32Array;
  /** Rows that have the text of number n are `uses[n]`. */
  uses: Uint32Array;
};

/**
 * Log rows of which each text stands once in their bytes, so that a store looks at a text once for all of its rows.
 * Flat arrays: what one thread coded another takes without a copy.
 */
export type CodedRows = Pick<PackedRows, 'times' | 'statuses' | 'sent'> & {
  /** The texts, and nothing else. */
  bytes: Uint8Array;
  count: number;
  /** As with packed rows; null = there is none in all of the rows. */
  bodies: Float64Array | null;
  authorized: Uint8Array | null;
  /** Request ids of 32 lower-case hex digits, 16 bytes a row. */
  ids: Uint8Array;
  /** 1 where the row has such an id. Other ids are texts. */
  hasId: Uint8Array;
  /** In the order of TEXT_NAMES; null = null in all rows. A url of scheme://host + path counts as null. */
  texts: (CodedTexts | null)[];
};

/** Reads the rows of a batch one by one; makes each text once. */
export function createCodedReader(rows: CodedRows): (row: number) => LogRecord {
  const bytes = Buffer.from(rows.bytes.buffer, rows.bytes.byteOffset, rows.bytes.byteLength);
  const ids = Buffer.from(rows.ids.buffer, rows.ids.byteOffset, rows.ids.byteLength);
  const made: string[][] = rows.texts.map(() => []);
  const textOf = (row: number, column: number): string | null => {
    const coded = rows.texts[column];
    const code = coded?.codes[row] ?? 0;
    if (!coded || code === 0) return null;
    const known = made[column] as string[];
    known[code] ??= bytes.toString('latin1', coded.spans[code * 2 - 2], coded.spans[code * 2 - 1]);
    return known[code];
  };
  return (row) => {
    const body = rows.bodies?.[row] ?? Number.NaN;
    const hasId = rows.hasId[row] !== 0;
    const idOf = () => ids.toString('hex', row * 16, row * 16 + 16);
    const text = (name: TextName) => (hasId && name === 'requestId' ? idOf() : textOf(row, PLACES[name]));
    return recordOfColumns(text, {
      timestamp: rows.times[row] as number,
      statusCode: rows.statuses[row] as number,
      bytesSent: rows.sent[row] as number,
      bodyBytesSent: Number.isNaN(body) ? null : body,
      authorizationHeader: rows.authorized?.[row] ? MASK : null,
      raw: null,
    });
  };
}

/**
 * A row whose texts stand in columns, in which the url may be null where it is scheme://host + path. Field by field: a loop
 * over the names takes twice as long.
 */
export function recordOfColumns(
  textOf: (name: TextName) => string | null,
  others: Omit<LogRecord, TextName>,
): LogRecord {
  const scheme = textOf('scheme') ?? '';
  const host = textOf('host') ?? '';
  const path = textOf('path') ?? '';
  return {
    timestamp: others.timestamp,
    pullZoneId: textOf('pullZoneId') ?? '',
    requestId: textOf('requestId'),
    cacheStatus: textOf('cacheStatus') ?? '',
    statusCode: others.statusCode,
    bytesSent: others.bytesSent,
    edgeLocation: textOf('edgeLocation') ?? '',
    scheme,
    host,
    path,
    url: textOf('url') ?? `${scheme}://${host}${path}`,
    remoteIp: textOf('remoteIp'),
    countryCode: textOf('countryCode'),
    userAgent: textOf('userAgent'),
    referer: textOf('referer'),
    ja4Fingerprint: textOf('ja4Fingerprint'),
    asn: textOf('asn'),
    asnOrganization: textOf('asnOrganization'),
    bodyBytesSent: others.bodyBytesSent,
    contentRange: textOf('contentRange'),
    authorizationHeader: others.authorizationHeader,
    raw: others.raw,
  };
}

/** The same rows in a buffer of their own, from a place on. There must be room for them. */
export function movedInto(buffer: ArrayBuffer, from: number, rows: CodedRows): MovedRows {
  let at = from;
  const placed = <A extends NumberList>(list: A): A => {
    at = Math.ceil(at / list.BYTES_PER_ELEMENT) * list.BYTES_PER_ELEMENT;
    const Own = list.constructor as new (buffer: ArrayBuffer, at: number, length: number) => A;
    const own = new Own(buffer, at, list.length);
    own.set(list);
    at += list.byteLength;
    return own;
  };
  const moved = {
    count: rows.count,
    times: placed(rows.times),
    sent: placed(rows.sent),
    bodies: rows.bodies && placed(rows.bodies),
    texts: rows.texts.map(
      (coded) =>
        coded && { spans: placed(coded.spans), uses: placed(coded.uses), codes: placed(coded.codes) },
    ),
    statuses: placed(rows.statuses),
    ids: placed(rows.ids),
    hasId: placed(rows.hasId),
    authorized: rows.authorized && placed(rows.authorized),
    bytes: placed(rows.bytes),
  };
  return { rows: moved, end: at };
}

/** Bytes that these rows may take in one buffer. */
export function roomFor(rows: CodedRows): number {
  const { count, bodies, authorized, texts } = rows;
  let room = count * (8 + 8 + 2 + 16 + 1) + SLACK + rows.bytes.length;
  if (bodies !== null) room += count * 8;
  if (authorized !== null) room += count;
  for (const coded of texts)
    if (coded !== null) room += (coded.spans.length + coded.uses.length) * 4 + count * 2 + SLACK;
  return room;
}

/** `end`: the first place behind them. */
type MovedRows = { rows: CodedRows; end: number };

type NumberList = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** What aligning a list or two may cost, bytes. */
const SLACK = 16;

const PLACES = Object.fromEntries(TEXT_NAMES.map((name, place) => [name, place])) as Record<TextName, number>;
