import { growTo } from '../../../kernel/web-assembly.ts';
import type { LogColumns, RowChoice } from '../columns/log-columns.ts';
import { CHUNK_ROWS, type Codes } from '../columns/value-columns.ts';
import { putInto, startTallyKernel, type TallyKernel, widthOf } from './tally-kernel.ts';
import type { TrafficMeter } from './traffic-meter.ts';

/** Where the sums of a group stand in its run of WIDTH numbers. */
const COUNT = 0;
export const BYTES = 1;
export const FIRST = 2;
export const LAST = 3;
export const HITS = 4;
export const ERRORS = 5;
export const MISSES = 6;
export const WIDTH = 8;

const GROUP_BYTES = WIDTH * Float64Array.BYTES_PER_ELEMENT;
/** Groups there is room for at first. */
const FEW_GROUPS = 1 << 12;
/** A kernel whose memory became larger is not kept, bytes. */
const MOST_KEPT = 1 << 24;

/** Idle between two groupings, none of which waits for anything: memories of their own would pile up. */
let kept: TallyKernel | null = null;

/** Sums of groups by their number. To be closed before another is opened. */
export class Tally {
  readonly #columns: LogColumns;
  readonly #kernel: TallyKernel;
  readonly #sides: number;
  readonly #errors: number;
  readonly #sums: number;
  /** Groups whose sums began with 0. */
  #room = 0;

  constructor(columns: LogColumns, meter: TrafficMeter) {
    this.#columns = columns;
    this.#kernel = kept ?? startTallyKernel();
    kept = null;
    const [sides, errors] = [meter.sideByCode(), meter.errorByCode()];
    this.#sides = this.#kernel.TABLES.value;
    this.#errors = this.#sides + sides.length;
    this.#sums = Math.ceil((this.#errors + errors.length) / GROUP_BYTES) * GROUP_BYTES;
    this.#reserve(FEW_GROUPS);
    this.#put(this.#sides, sides);
    this.#put(this.#errors, errors);
  }

  /** WIDTH numbers a group. Good until rows are added. */
  get sums(): Float64Array {
    return new Float64Array(this.#kernel.memory.buffer, this.#sums, this.#room * WIDTH);
  }

  /** For the group of each row of the chunk that is added next. Good until then. */
  get groups(): Uint32Array {
    return new Uint32Array(this.#kernel.memory.buffer, this.#kernel.GROUPS.value, CHUNK_ROWS);
  }

  /** Adds the chosen rows of a chunk to the groups that `groups` names, all of them below `limit`. */
  add(chunk: number, { mask, bits }: RowChoice, limit: number): void {
    this.#reserve(limit);
    const { STATES, TIMES, SIZES, CACHES, STATUSES } = this.#kernel;
    const { times, states, bytesSent, coded } = this.#columns;
    const sizes = bytesSent.chunks[chunk] as Uint32Array | Float64Array;
    const caches = coded.cacheStatus.chunks[chunk] as Codes;
    const statuses = coded.statusCode.chunks[chunk] as Codes;
    this.#put(STATES.value, states[chunk] as Uint8Array);
    this.#put(TIMES.value, times[chunk] as Float64Array);
    this.#put(SIZES.value, sizes);
    this.#put(CACHES.value, caches);
    this.#put(STATUSES.value, statuses);
    this.#kernel.add(
      ...([mask, bits, this.#sides, widthOf(caches), this.#errors, widthOf(statuses)] as const),
      sizes instanceof Float64Array,
      this.#sums,
    );
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

  #put(place: number, list: Codes | Float64Array): void {
    putInto(this.#kernel, place, list);
  }

  #reserve(groups: number): void {
    if (groups <= this.#room) return;
    const room = Math.max(groups, this.#room * 2);
    growTo(this.#kernel, this.#sums + room * GROUP_BYTES);
    new Float64Array(this.#kernel.memory.buffer, this.#sums, room * WIDTH).fill(0, this.#room * WIDTH);
    this.#room = room;
  }
}
