import { growTo } from '../../../kernel/web-assembly.ts';
import { cacheStatusRow } from '../../log.ts';
import { type LogColumns, MATCHES } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK, type CodedColumn } from '../columns/value-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';
import { putInto, putRows, startTallyKernel, type TallyKernel } from './tally-kernel.ts';
import { addRow, countedBytes, isServerError, type Traffic } from './traffic.ts';

/** From this many rows on, copying them into the kernel pays. */
const LONG_RUN = 32;

/** The numbers by which the kernel knows the sides; 0 = not known yet. */
const SIDES = [undefined, null, 'edge', 'origin'] as const;
const ERROR = 2;

/** Sums that the kernel leaves of a run, in the order in which they are read below. */
const TRAFFIC_SUMS = 7;

/** Shared by all books: never in use across a wait. */
let kernel: TallyKernel | null = null;
/** The meter whose tables the kernel holds. */
let owner: TrafficMeter | null = null;

/** Adds up rows of the columns. */
export class TrafficMeter {
  readonly #columns: LogColumns;
  readonly #sides: Memo;
  readonly #errors: Memo;
  /** The version of the dictionaries that the kernel's tables are from, and the place of the second table. */
  #version = -1;
  #errorTable = 0;

  constructor(columns: LogColumns) {
    this.#columns = columns;
    const { cacheStatus, statusCode } = columns.coded;
    this.#sides = new Memo((code) =>
      SIDES.indexOf(code === 0 ? null : cacheStatusRow(cacheStatus.dictionary.value(code)).served),
    );
    this.#errors = new Memo((code) => (isServerError(statusCode.dictionary.value(code)) ? ERROR : 1));
    cacheStatus.dictionary.watch(this.#sides);
    statusCode.dictionary.watch(this.#errors);
  }

  /** Adds the row to the sum, or subtracts it with `sign` -1. */
  count(sum: Traffic, slot: number, sign: 1 | -1): void {
    const { bytesSent, coded } = this.#columns;
    const served = SIDES[this.#sides.of(coded.cacheStatus.code(slot))] ?? null;
    const isError = this.#errors.of(coded.statusCode.code(slot)) === ERROR;
    addRow(sum, served, isError, countedBytes(bytesSent.value(slot)), sign);
  }

  /**
   * Adds the matching rows of consecutive slots in one chunk: the same as `count` for each, but fast enough for a million rows in a
   * frame.
   */
  addRun(sum: Traffic, slot: number, count: number): void {
    if (count < LONG_RUN) {
      for (let each = slot; each < slot + count; each++)
        if ((this.#columns.state(each) & MATCHES) !== 0) this.count(sum, each, 1);
      return;
    }
    const run = this.#kernel();
    const [cacheWidth, statusWidth, isFloat] = putRows(
      run,
      this.#columns,
      slot >>> CHUNK_BITS,
      slot & CHUNK_MASK,
      count,
    );
    run.sum(count, MATCHES, run.TABLES.value, cacheWidth, this.#errorTable, statusWidth, isFloat);
    const sums = new Float64Array(run.memory.buffer, run.TRAFFIC.value, TRAFFIC_SUMS);
    sum.requests += sums[0] as number;
    sum.bytes += sums[1] as number;
    sum.edgeRequests += sums[2] as number;
    sum.edgeBytes += sums[3] as number;
    sum.originRequests += sums[4] as number;
    sum.originBytes += sums[5] as number;
    sum.errors += sums[6] as number;
  }

  /** By code of a cache status, who served it; by code of a status, whether it is 5xx; as the kernel's numbers. */
  tables(): { sides: Uint8Array; errors: Uint8Array } {
    const { cacheStatus, statusCode } = this.#columns.coded;
    return { sides: byCode(cacheStatus, this.#sides), errors: byCode(statusCode, this.#errors) };
  }

  /** The kernel with the tables as they are now. */
  #kernel(): TallyKernel {
    kernel ??= startTallyKernel();
    const { cacheStatus, statusCode } = this.#columns.coded;
    // How many codes were ever given to a value, live and freed.
    const [a, b] = [cacheStatus.dictionary, statusCode.dictionary];
    const version = a.size + a.freed + b.size + b.freed;
    if (owner === this && version === this.#version) return kernel;
    owner = this;
    this.#version = version;
    const { sides, errors } = this.tables();
    this.#errorTable = kernel.TABLES.value + sides.length;
    growTo(kernel, this.#errorTable + errors.length);
    putInto(kernel, kernel.TABLES.value, sides);
    putInto(kernel, this.#errorTable, errors);
    return kernel;
  }
}

function byCode<V extends string | number>({ dictionary }: CodedColumn<V>, memo: Memo): Uint8Array {
  return Uint8Array.from({ length: dictionary.limit }, (_, code) =>
    dictionary.uses(code) > 0 ? memo.of(code) : 0,
  );
}
