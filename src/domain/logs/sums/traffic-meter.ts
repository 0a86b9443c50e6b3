import { cacheStatusRow } from '../../log.ts';
import type { CodedColumn } from '../columns/coded-column.ts';
import { type LogColumns, MATCHES } from '../columns/log-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';
import { RunSums } from './log-run-sums.ts';
import { countedBytes, type Traffic } from './traffic.ts';

/** Rows from which on it pays to copy them to where they are added up. */
const LONG_RUN = 32;

/** As the kernel of groups knows them too. */
const NEITHER = 1;
const EDGE = 2;
const ORIGIN = 3;
const SIDES = { edge: EDGE, origin: ORIGIN } as const;

const FINE = 1;
const ERROR = 2;

/** Reads from the columns what a row adds to the sums. */
export class TrafficMeter {
  readonly #columns: LogColumns;
  readonly #sides: Memo;
  readonly #errors: Memo;
  readonly #runs: RunSums;

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
    this.#runs = new RunSums(columns, () => ({ sides: this.sideByCode(), errors: this.errorByCode() }));
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

  /**
   * Adds those rows in slots of one chunk, which follow each other, that match the filter: the same as `count` for each, for
   * a million rows in a frame.
   */
  addRun(sum: Traffic, slot: number, count: number): void {
    if (count >= LONG_RUN) {
      this.#runs.add(sum, MATCHES, slot, count);
      return;
    }
    for (let each = slot; each < slot + count; each++) {
      if ((this.#columns.state(each) & MATCHES) !== 0) this.count(sum, each, 1);
    }
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
