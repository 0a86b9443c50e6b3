import { MASK } from '../../../text/mask.ts';
import { type LogRecord, TEXT_NAMES, type TextName } from '../../log.ts';

/** Numbers per row in `spans`: the start and end of each text. */
export const SPAN_WIDTH = TEXT_NAMES.length * 2;

/** Bytes of a packed request id. */
export const ID_BYTES = 16;

/** The start of a span that stands for null. */
export const NO_SPAN = -1;

/**
 * Log rows as spans of the bytes they were read from, all printable ASCII, so that a store takes them without making strings. Valid
 * until the bytes change.
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

/** The texts of one column of a batch, each once, and the number of each row's text. */
export type CodedTexts = {
  /** For each row the number of its text; 0 = null. */
  codes: Uint16Array;
  /** Text number n is at `spans[2n - 2]` up to `spans[2n - 1]`. */
  spans: Int32Array;
  /** `uses[n]` rows have text number n. */
  uses: Uint32Array;
};

/**
 * Log rows in which each text occurs once, so that a store looks it up once for all of its rows. Flat arrays, which pass from one
 * thread to another without a copy.
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

/** The same bytes, as Node reads texts of them. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Reads the rows of a batch as records, making each text once. */
export function createCodedReader(rows: CodedRows): (row: number) => LogRecord {
  const [bytes, ids] = [bufferOf(rows.bytes), bufferOf(rows.ids)];
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
    const idOf = () => ids.toString('hex', row * ID_BYTES, (row + 1) * ID_BYTES);
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

/** These of the rows, in this order. Their texts stay where they are; one that none of them has is used 0 times. */
export function pickedRows(rows: CodedRows, picks: readonly number[]): CodedRows {
  const count = picks.length;
  const picked = <A extends NumberList>(list: A, of: A): A => {
    for (let at = 0; at < count; at++) of[at] = list[picks[at] as number] as number;
    return of;
  };
  const ids = new Uint8Array(count * ID_BYTES);
  for (let at = 0; at < count; at++)
    for (let i = 0, from = (picks[at] as number) * ID_BYTES; i < ID_BYTES; i++)
      ids[at * ID_BYTES + i] = rows.ids[from + i] as number;
  return {
    bytes: rows.bytes,
    count,
    times: picked(rows.times, new Float64Array(count)),
    statuses: picked(rows.statuses, new Uint16Array(count)),
    sent: picked(rows.sent, new Float64Array(count)),
    bodies: rows.bodies && picked(rows.bodies, new Float64Array(count)),
    authorized: rows.authorized && picked(rows.authorized, new Uint8Array(count)),
    ids,
    hasId: picked(rows.hasId, new Uint8Array(count)),
    texts: rows.texts.map((coded) => {
      if (coded === null) return null;
      const codes = picked(coded.codes, new Uint16Array(count));
      const uses = new Uint32Array(coded.uses.length);
      for (const code of codes) uses[code] = (uses[code] as number) + 1;
      return { codes, uses, spans: coded.spans };
    }),
  };
}

type NumberList = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

const PLACES = Object.fromEntries(TEXT_NAMES.map((name, place) => [name, place])) as Record<TextName, number>;
