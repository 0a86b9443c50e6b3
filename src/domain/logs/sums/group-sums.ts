import { growTo } from '../../../kernel/web-assembly.ts';
import type { LogColumns, RowChoice } from '../columns/log-columns.ts';
import { CHUNK_ROWS } from '../columns/value-columns.ts';
import { putInto, putRows, startTallyKernel, type TallyKernel } from './tally-kernel.ts';
import type { TrafficMeter } from './traffic-meter.ts';

/** The places of the sums of a group in its run of WIDTH numbers. */
const COUNT = 0;
export const BYTES = 1;
export const FIRST = 2;
export const LAST = 3;
export const HITS = 4;
export const ERRORS = 5;
export const MISSES = 6;
export const WIDTH = 8;

const GROUP_BYTES = WIDTH * Float64Array.BYTES_PER_ELEMENT;
/** Initial room for groups. */
const FEW_GROUPS = 1 << 12;
/** A kernel with more memory than this is not kept, bytes. */
const MOST_KEPT = 1 << 24;

/** Idle between groupings: a new kernel for each would pile up memory. */
let kept: TallyKernel | null = null;

/** Sums of groups by number. Close it before opening another. */
export class Tally {
  readonly #columns: LogColumns;
  readonly #kernel: TallyKernel;
  readonly #sides: number;
  readonly #errors: number;
  readonly #sums: number;
  /** Groups whose sums are initialised. */
  #room = 0;

  constructor(columns: LogColumns, meter: TrafficMeter) {
    this.#columns = columns;
    this.#kernel = kept ?? startTallyKernel();
    kept = null;
    const { sides, errors } = meter.tables();
    this.#sides = this.#kernel.TABLES.value;
    this.#errors = this.#sides + sides.length;
    this.#sums = Math.ceil((this.#errors + errors.length) / GROUP_BYTES) * GROUP_BYTES;
    this.#reserve(FEW_GROUPS);
    putInto(this.#kernel, this.#sides, sides);
    putInto(this.#kernel, this.#errors, errors);
  }

  /** WIDTH numbers per group. Valid until rows are added. */
  get sums(): Float64Array {
    return new Float64Array(this.#kernel.memory.buffer, this.#sums, this.#room * WIDTH);
  }

  /** To be filled with the group of each row in the next chunk added. Valid until then. */
  get groups(): Uint32Array {
    return new Uint32Array(this.#kernel.memory.buffer, this.#kernel.GROUPS.value, CHUNK_ROWS);
  }

  /** Adds the chosen rows of a chunk to their `groups`, all below `limit`. */
  add(chunk: number, { mask, bits }: RowChoice, limit: number): void {
    this.#reserve(limit);
    const [cacheWidth, statusWidth, isFloat] = putRows(this.#kernel, this.#columns, chunk, 0, CHUNK_ROWS);
    putInto(this.#kernel, this.#kernel.TIMES.value, this.#columns.times[chunk] as Float64Array);
    const tables = [this.#sides, cacheWidth, this.#errors, statusWidth] as const;
    this.#kernel.add(mask, bits, ...tables, isFloat, this.#sums);
  }

  /** Adds group `from` to group `to` and empties it. */
  merge(to: number, from: number): void {
    const [a, b, sums] = [to * WIDTH, from * WIDTH, this.sums];
    sums[a + FIRST] = Math.min(sums[a + FIRST] as number, sums[b + FIRST] as number);
    sums[a + LAST] = Math.max(sums[a + LAST] as number, sums[b + LAST] as number);
    for (const sum of [COUNT, BYTES, HITS, ERRORS, MISSES]) {
      sums[a + sum] = (sums[a + sum] as number) + (sums[b + sum] as number);
    }
    sums[b + COUNT] = 0;
  }

  close(): void {
    if (this.#kernel.memory.buffer.byteLength <= MOST_KEPT) kept = this.#kernel;
  }

  #reserve(groups: number): void {
    if (groups <= this.#room) return;
    const room = Math.max(groups, this.#room * 2);
    growTo(this.#kernel, this.#sums + room * GROUP_BYTES);
    new Float64Array(this.#kernel.memory.buffer, this.#sums, room * WIDTH).fill(0, this.#room * WIDTH);
    this.#room = room;
  }
}
