import { growTo } from '../../../kernel/web-assembly.ts';
import { CHUNK_BITS, CHUNK_MASK, type Codes } from '../columns/coded-column.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import { putInto, startTallyKernel, type TallyKernel, widthOf } from './tally-kernel.ts';
import type { Traffic } from './traffic.ts';

/** By the code of a cache status who served it, by that of a status whether it is an error. */
export type TrafficTables = { sides: Uint8Array; errors: Uint8Array };

/** What the kernel leaves, in the order in which it is taken below. */
const TRAFFIC_SUMS = 7;

/** One for all books: nothing waits while it is used. */
let kernel: TallyKernel | null = null;
/** Whose tables it has. */
let owner: RunSums | null = null;

/** Sums over rows in slots of one chunk that follow each other. */
export class RunSums {
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
