import { growTo } from '../../../kernel/web-assembly.ts';
import { cacheStatusRow } from '../../log.ts';
import { type LogColumns, MATCHES } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK, type CodedColumn, type Codes } from '../columns/value-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';
import { putInto, startTallyKernel, type TallyKernel, widthOf } from './tally-kernel.ts';
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

/** By the code of a cache status who served it, by that of a status whether it is an error. */
type TrafficTables = { sides: Uint8Array; errors: Uint8Array };

/** What the kernel leaves, in the order in which it is taken below. */
const TRAFFIC_SUMS = 7;

/** One for all books: nothing waits while it is used. */
let kernel: TallyKernel | null = null;
/** Whose tables it has. */
let owner: RunSums | null = null;

/** Sums over rows in slots of one chunk that follow each other. */
class RunSums {
  readonly #columns: LogColumns;
  readonly #tables: () => TrafficTables;
  /** Of the dictionaries of which the tables are. */
  #version = -1;
  #errors = 0;

  constructor(columns: LogColumns, tables: () => TrafficTables) {
    this.#columns = columns;
    this.#tables = tables;
  }

  /** Adds those of `count` rows from this slot on of which the state has this bit. */
  add(sum: Traffic, bit: number, slot: number, count: number): void {
    const at = slot >>> CHUNK_BITS;
    const from = slot & CHUNK_MASK;
    const { coded, bytesSent, states } = this.#columns;
    const sizes = bytesSent.chunks[at] as Uint32Array | Float64Array;
    const caches = coded.cacheStatus.chunks[at] as Codes;
    const statuses = coded.statusCode.chunks[at] as Codes;
    const run = this.#kernel();
    const { STATES, SIZES, CACHES, STATUSES, TABLES, TRAFFIC } = run;
    putInto(run, STATES.value, states[at] as Uint8Array, from, count);
    putInto(run, SIZES.value, sizes, from, count);
    putInto(run, CACHES.value, caches, from, count);
    putInto(run, STATUSES.value, statuses, from, count);
    run.sum(
      ...([count, bit, TABLES.value, widthOf(caches), this.#errors, widthOf(statuses)] as const),
      sizes instanceof Float64Array,
    );
    const sums = new Float64Array(run.memory.buffer, TRAFFIC.value, TRAFFIC_SUMS);
    sum.requests += sums[0] as number;
    sum.bytes += sums[1] as number;
    sum.edgeRequests += sums[2] as number;
    sum.edgeBytes += sums[3] as number;
    sum.originRequests += sums[4] as number;
    sum.originBytes += sums[5] as number;
    sum.errors += sums[6] as number;
  }

  /** The kernel with the tables as they are now. */
  #kernel(): TallyKernel {
    kernel ??= startTallyKernel();
    const { cacheStatus, statusCode } = this.#columns.coded;
    // How often a code was given to a value: those that are held and those that were freed.
    const [a, b] = [cacheStatus.dictionary, statusCode.dictionary];
    const version = a.size + a.freed + b.size + b.freed;
    if (owner === this && version === this.#version) return kernel;
    owner = this;
    this.#version = version;
    const { sides, errors } = this.#tables();
    this.#errors = kernel.TABLES.value + sides.length;
    growTo(kernel, this.#errors + errors.length);
    putInto(kernel, kernel.TABLES.value, sides);
    putInto(kernel, this.#errors, errors);
    return kernel;
  }
}
