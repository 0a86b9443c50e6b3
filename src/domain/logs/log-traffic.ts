import { cacheStatusRow } from '../log.ts';
import { CHUNK_BITS, CHUNK_MASK, type CodedColumn, type Codes, runEnd } from './column-codes.ts';
import { Memo } from './dictionary.ts';
import { type LogColumns, MATCHES } from './log-columns.ts';

/** Sums over rows. A cache status that counts on neither side of the hit ratio is in `requests` and `bytes` alone. */
export type Traffic = {
  requests: number;
  bytes: number;
  edgeRequests: number;
  edgeBytes: number;
  originRequests: number;
  originBytes: number;
  /** Requests answered with 5xx. */
  errors: number;
};

/** As the kernel of groups knows them too. */
const NEITHER = 1;
const EDGE = 2;
const ORIGIN = 3;
const SIDES = { edge: EDGE, origin: ORIGIN } as const;

const FINE = 1;
const ERROR = 2;

/** No answer is larger; a row that says so counts as 0 bytes, and sums of a block stay exact. */
export const MOST_BYTES = 2 ** 43;

export function noTraffic(): Traffic {
  return {
    requests: 0,
    bytes: 0,
    edgeRequests: 0,
    edgeBytes: 0,
    originRequests: 0,
    originBytes: 0,
    errors: 0,
  };
}

export function addTraffic(sum: Traffic, more: Traffic): void {
  sum.requests += more.requests;
  sum.bytes += more.bytes;
  sum.edgeRequests += more.edgeRequests;
  sum.edgeBytes += more.edgeBytes;
  sum.originRequests += more.originRequests;
  sum.originBytes += more.originBytes;
  sum.errors += more.errors;
}

export function countedBytes(bytes: number | null): number {
  return bytes !== null && bytes > 0 && bytes <= MOST_BYTES ? Math.trunc(bytes) : 0;
}

/** Reads from the columns what a row adds to the sums. */
export class TrafficMeter {
  readonly #columns: LogColumns;
  readonly #sides: Memo;
  readonly #errors: Memo;

  constructor(columns: LogColumns) {
    this.#columns = columns;
    const { cacheStatus, statusCode } = columns.coded;
    this.#sides = new Memo((code) => {
      const served = code === 0 ? null : cacheStatusRow(cacheStatus.dictionary.value(code)).served;
      return served === null ? NEITHER : SIDES[served];
    });
    this.#errors = new Memo((code) => (isServerError(statusCode.dictionary.value(code)) ? ERROR : FINE));
    cacheStatus.dictionary.watch(this.#sides);
    statusCode.dictionary.watch(this.#errors);
  }

  /** Adds the row to the sum, or takes it away with `sign` -1. */
  count(sum: Traffic, slot: number, sign: 1 | -1): void {
    const bytes = sign * countedBytes(this.#columns.bytesSent.value(slot));
    sum.requests += sign;
    sum.bytes += bytes;
    const side = this.#sides.of(this.#columns.coded.cacheStatus.code(slot));
    if (side === EDGE) {
      sum.edgeRequests += sign;
      sum.edgeBytes += bytes;
    } else if (side === ORIGIN) {
      sum.originRequests += sign;
      sum.originBytes += bytes;
    }
    if (this.#errors.of(this.#columns.coded.statusCode.code(slot)) === ERROR) sum.errors += sign;
  }

  /** Adds those of these rows that match the filter; the same as `count` for each, for a million rows in a frame. */
  addMatching(sum: Traffic, slots: Uint32Array, from: number, to: number): void {
    for (let i = from, end = i; i < to; i = end) {
      end = runEnd(slots, i, to);
      this.#addRun(sum, slots[i] as number, end - i);
    }
  }

  /** The same for rows in slots of one chunk that follow each other. */
  #addRun(sum: Traffic, slot: number, count: number): void {
    const at = slot >>> CHUNK_BITS;
    const first = slot & CHUNK_MASK;
    const { coded, bytesSent } = this.#columns;
    const states = this.#columns.states[at] as Uint8Array;
    const sent = bytesSent.chunks[at] as Uint32Array | Float64Array;
    const caches = coded.cacheStatus.chunks[at] as Codes;
    const statuses = coded.statusCode.chunks[at] as Codes;
    const sides = this.#sides.data;
    const failures = this.#errors.data;
    let [requests, bytes, errors] = [0, 0, 0];
    let [edgeRequests, edgeBytes, originRequests, originBytes] = [0, 0, 0, 0];
    for (let row = first; row < first + count; row++) {
      if (((states[row] as number) & MATCHES) === 0) continue;
      const size = countedBytes(sent[row] as number);
      const cache = caches[row] as number;
      const status = statuses[row] as number;
      // 0 is an answer not known yet.
      const side = sides[cache] || this.#sides.of(cache);
      requests++;
      bytes += size;
      if (side === EDGE) {
        edgeRequests++;
        edgeBytes += size;
      } else if (side === ORIGIN) {
        originRequests++;
        originBytes += size;
      }
      if ((failures[status] || this.#errors.of(status)) === ERROR) errors++;
    }
    sum.requests += requests;
    sum.bytes += bytes;
    sum.edgeRequests += edgeRequests;
    sum.edgeBytes += edgeBytes;
    sum.originRequests += originRequests;
    sum.originBytes += originBytes;
    sum.errors += errors;
  }

  /** For the code of each cache status EDGE, ORIGIN, or another number. */
  sideByCode(): Uint8Array {
    return byCode(this.#columns.coded.cacheStatus, this.#sides);
  }

  /** For the code of each status ERROR where it is one of 5xx, else another number. */
  errorByCode(): Uint8Array {
    return byCode(this.#columns.coded.statusCode, this.#errors);
  }
}

function byCode<V extends string | number>(column: CodedColumn<V>, memo: Memo): Uint8Array {
  const { dictionary } = column;
  return Uint8Array.from({ length: dictionary.limit }, (_, code) =>
    dictionary.uses(code) > 0 ? memo.of(code) : 0,
  );
}

function isServerError(status: number | undefined): boolean {
  return status !== undefined && status >= 500 && status <= 599;
}
