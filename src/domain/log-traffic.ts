import type { CodedColumn } from './column-codes.ts';
import { Memo } from './dictionary.ts';
import { cacheStatusRow } from './log.ts';
import type { LogColumns } from './log-columns.ts';

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

const NEITHER = 1;
const EDGE = 2;
const ORIGIN = 3;
const SIDES = { edge: EDGE, origin: ORIGIN } as const;

const FINE = 1;
const ERROR = 2;

/** No answer is larger; a row that says so counts as 0 bytes, and sums of a block stay exact. */
const MOST_BYTES = 2 ** 43;

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

  /** 1 for each cache status code of which the edge is the server, 0 for the others. */
  edgeByCode(): Uint8Array {
    return byCode(this.#columns.coded.cacheStatus, this.#sides, EDGE);
  }

  /** 1 for each status code's code that stands for 5xx, 0 for the others. */
  errorByCode(): Uint8Array {
    return byCode(this.#columns.coded.statusCode, this.#errors, ERROR);
  }
}

function byCode<V extends string | number>(column: CodedColumn<V>, memo: Memo, answer: number): Uint8Array {
  const { dictionary } = column;
  return Uint8Array.from({ length: dictionary.limit }, (_, code) =>
    dictionary.uses(code) > 0 && memo.of(code) === answer ? 1 : 0,
  );
}

function isServerError(status: number | undefined): boolean {
  return status !== undefined && status >= 500 && status <= 599;
}
