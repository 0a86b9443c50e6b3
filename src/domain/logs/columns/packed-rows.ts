import type { LogRecord } from '../../log.ts';

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

/** What packed rows consist of: a row each, and SPAN_WIDTH numbers of `spans`. */
type PackedArrays = {
  /** Start and end of each text of each row; a start of NO_SPAN is null. */
  spans: Int32Array;
  /** Event times, Unix ms. */
  times: Float64Array;
  statuses: Uint16Array;
  sent: Float64Array;
  /** NaN = null. */
  bodies: Float64Array;
  /** 1 where there was an authorization header, which is masked. */
  authorized: Uint8Array;
  /** 1 where the url is scheme://host + path. */
  derived: Uint8Array;
};

/**
 * Log rows that still stand in the bytes they were read from: for each text the place of its bytes, which are
 * printable ASCII, so that a store can take them without a string being made of each. Good until the bytes change.
 */
export class PackedRows implements PackedArrays {
  readonly capacity: number;
  bytes: Buffer = Buffer.alloc(0);
  /** The same bytes. */
  view: DataView = new DataView(new ArrayBuffer(0));
  count = 0;
  readonly spans: Int32Array;
  readonly times: Float64Array;
  readonly statuses: Uint16Array;
  readonly sent: Float64Array;
  readonly bodies: Float64Array;
  readonly authorized: Uint8Array;
  readonly derived: Uint8Array;

  constructor(capacity: number, arrays: PackedArrays) {
    this.capacity = capacity;
    this.spans = arrays.spans;
    this.times = arrays.times;
    this.statuses = arrays.statuses;
    this.sent = arrays.sent;
    this.bodies = arrays.bodies;
    this.authorized = arrays.authorized;
    this.derived = arrays.derived;
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
}
