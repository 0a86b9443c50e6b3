import { MASK } from '../../../text/mask.ts';
import type { LogRecord } from '../../log.ts';
import { PACKED_COLUMNS, type PackedColumn } from './packed-rows.ts';

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
export type CodedRows = {
  /** The texts, and nothing else. */
  bytes: Uint8Array;
  count: number;
  /** Event times, Unix ms. */
  times: Float64Array;
  statuses: Uint16Array;
  sent: Float64Array;
  /** NaN = null; null = there is none in all of the rows, as with the next. */
  bodies: Float64Array | null;
  /** 1 where there was an authorization header, which is masked. */
  authorized: Uint8Array | null;
  /** Request ids of 32 lower-case hex digits, 16 bytes a row. */
  ids: Uint8Array;
  /** 1 where the row has such an id. Other ids are texts. */
  hasId: Uint8Array;
  /** In the order of PACKED_COLUMNS; null = null in all rows. A url of scheme://host + path counts as null. */
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
    const text = (column: PackedColumn): string | null => {
      if (column === 'requestId' && rows.hasId[row] !== 0)
        return ids.toString('hex', row * 16, row * 16 + 16);
      const own = textOf(row, PLACES[column]);
      if (column !== 'url' || own !== null) return own;
      return `${text('scheme') ?? ''}://${text('host') ?? ''}${text('path') ?? ''}`;
    };
    return recordOfColumns(text, {
      timestamp: rows.times[row] as number,
      statusCode: rows.statuses[row] as number,
      bytesSent: rows.sent[row] as number,
      body: rows.bodies?.[row] ?? Number.NaN,
      isAuthorized: (rows.authorized?.[row] ?? 0) !== 0,
    });
  };
}

/** A row of which texts and numbers stand in columns; a `body` of NaN bytes is null. */
function recordOfColumns(
  text: (column: PackedColumn) => string | null,
  numbers: { timestamp: number; statusCode: number; bytesSent: number; body: number; isAuthorized: boolean },
): LogRecord {
  const { timestamp, statusCode, bytesSent, body, isAuthorized } = numbers;
  return {
    timestamp,
    pullZoneId: text('pullZoneId') ?? '',
    requestId: text('requestId'),
    cacheStatus: text('cacheStatus') ?? '',
    statusCode,
    bytesSent,
    edgeLocation: text('edgeLocation') ?? '',
    scheme: text('scheme') ?? '',
    host: text('host') ?? '',
    path: text('path') ?? '',
    url: text('url') ?? '',
    remoteIp: text('remoteIp'),
    countryCode: text('countryCode'),
    userAgent: text('userAgent'),
    referer: text('referer'),
    ja4Fingerprint: text('ja4Fingerprint'),
    asn: text('asn'),
    asnOrganization: text('asnOrganization'),
    bodyBytesSent: Number.isNaN(body) ? null : body,
    contentRange: text('contentRange'),
    authorizationHeader: isAuthorized ? MASK : null,
    raw: null,
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

const PLACES = Object.fromEntries(PACKED_COLUMNS.map((column, place) => [column, place])) as Record<
  PackedColumn,
  number
>;
