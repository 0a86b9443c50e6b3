import { MASK } from '../../../text/mask.ts';
import { type LogRecord, TEXT_NAMES, type TextName } from '../../log.ts';

/** Numbers per row in `spans`: the start and end of each text. */
export const SPAN_WIDTH = TEXT_NAMES.length * 2;

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

/** Copies the rows into a buffer from this place on; `end`: the first place behind them. There must be room. */
export function movedInto(
  buffer: SharedArrayBuffer,
  from: number,
  rows: CodedRows,
): { rows: CodedRows; end: number } {
  let at = from;
  const placed = <A extends NumberList>(list: A): A => {
    at = Math.ceil(at / list.BYTES_PER_ELEMENT) * list.BYTES_PER_ELEMENT;
    const Own = list.constructor as new (buffer: SharedArrayBuffer, at: number, length: number) => A;
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

/** The most bytes that these rows take in one buffer. */
export function roomFor({ texts, ...rows }: CodedRows): number {
  const lists = [rows, ...texts].flatMap((of) =>
    Object.values(of ?? {}).filter((each) => ArrayBuffer.isView(each)),
  );
  return lists.reduce((room, { byteLength }) => room + byteLength + SLACK, 0);
}

type NumberList = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** Bytes that alignment may cost a list. */
const SLACK = Float64Array.BYTES_PER_ELEMENT;

const PLACES = Object.fromEntries(TEXT_NAMES.map((name, place) => [name, place])) as Record<TextName, number>;
