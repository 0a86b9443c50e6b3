import { MASK } from '../../text/mask.ts';
import type { LogRecord } from '../log.ts';

/** The columns of text that a packed row points to, in the order of its spans. */
export const PACKED_COLUMNS = [
  'pullZoneId',
  'cacheStatus',
  'edgeLocation',
  'scheme',
  'host',
  'path',
  'url',
  'remoteIp',
  'countryCode',
  'userAgent',
  'referer',
  'ja4Fingerprint',
  'asn',
  'asnOrganization',
  'contentRange',
  'requestId',
] as const satisfies readonly (keyof LogRecord)[];

export type PackedColumn = (typeof PACKED_COLUMNS)[number];

/** Numbers a row takes in `spans`: where each text begins and ends. */
export const SPAN_WIDTH = PACKED_COLUMNS.length * 2;

/** Where a span begins that stands for null. */
export const NO_SPAN = -1;

/**
 * Log rows that still stand in the bytes they were read from: for each text the place of its bytes, which are
 * printable ASCII, so that a store can take them without a string being made of each. Good until the bytes change.
 */
export class PackedRows {
  readonly capacity: number;
  bytes: Buffer = Buffer.alloc(0);
  /** The same bytes. */
  view: DataView = new DataView(new ArrayBuffer(0));
  count = 0;
  /** Start and end of each text of each row; a start of NO_SPAN is null. */
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

  constructor(capacity: number) {
    this.capacity = capacity;
    this.spans = new Int32Array(capacity * SPAN_WIDTH);
    this.times = new Float64Array(capacity);
    this.statuses = new Uint16Array(capacity);
    this.sent = new Float64Array(capacity);
    this.bodies = new Float64Array(capacity);
    this.authorized = new Uint8Array(capacity);
    this.derived = new Uint8Array(capacity);
  }

  get isFull(): boolean {
    return this.count === this.capacity;
  }

  /** The rows that follow stand in these bytes; those before are forgotten. */
  reset(bytes: Buffer): void {
    if (bytes !== this.bytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.bytes = bytes;
    this.count = 0;
  }

  text(row: number, column: PackedColumn): string | null {
    const at = row * SPAN_WIDTH + PACKED_COLUMNS.indexOf(column) * 2;
    const start = this.spans[at] as number;
    return start === NO_SPAN ? null : this.bytes.toString('latin1', start, this.spans[at + 1]);
  }

  record(row: number): LogRecord {
    return recordOfColumns((column) => this.text(row, column), {
      timestamp: this.times[row] as number,
      statusCode: this.statuses[row] as number,
      bytesSent: this.sent[row] as number,
      body: this.bodies[row] as number,
      isAuthorized: this.authorized[row] !== 0,
    });
  }
}

/** A row of which texts and numbers stand in columns; a `body` of NaN bytes is null. */
export function recordOfColumns(
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
