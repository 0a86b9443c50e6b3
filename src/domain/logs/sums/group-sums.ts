import type { LogColumns, RowChoice } from '../columns/log-columns.ts';
import { CHUNK_ROWS, type Codes } from '../columns/value-columns.ts';
import { countedBytes } from './traffic.ts';
import { EDGE, ERROR, ORIGIN, type TrafficMeter, type TrafficTables } from './traffic-meter.ts';

/** The places of the sums of a group in its run of WIDTH numbers: one run is one cache line. */
const COUNT = 0;
export const BYTES = 1;
export const FIRST = 2;
export const LAST = 3;
export const HITS = 4;
export const ERRORS = 5;
export const MISSES = 6;
export const WIDTH = 8;

/** Initial room for groups. */
const FEW_GROUPS = 1 << 12;

/** Sums of groups by number. */
export class Tally {
  /** To be filled with the group of each row in the next chunk added. */
  readonly groups = new Uint32Array(CHUNK_ROWS);
  readonly #columns: LogColumns;
  readonly #tables: TrafficTables;
  #sums = new Float64Array(FEW_GROUPS * WIDTH);

  constructor(columns: LogColumns, meter: TrafficMeter) {
    this.#columns = columns;
    this.#tables = meter.tables();
  }

  /** WIDTH numbers per group. Valid until rows are added. */
  get sums(): Float64Array {
    return this.#sums;
  }

  /** Adds the chosen rows of a chunk to their `groups`, all below `limit`. */
  add(chunk: number, { mask, bits }: RowChoice, limit: number): void {
    this.#reserve(limit);
    const [sums, groups, { sides, errors }] = [this.#sums, this.groups, this.#tables];
    const { bytesSent, coded } = this.#columns;
    const states = this.#columns.states[chunk] as Uint8Array;
    const times = this.#columns.times[chunk] as Float64Array;
    const sizes = bytesSent.chunks[chunk] as Uint32Array | Float64Array;
    const caches = coded.cacheStatus.chunks[chunk] as Codes;
    const statuses = coded.statusCode.chunks[chunk] as Codes;
    for (let row = 0; row < CHUNK_ROWS; row++) {
      if (((states[row] as number) & mask) !== bits) continue;
      const at = (groups[row] as number) * WIDTH;
      const time = times[row] as number;
      const count = sums[at + COUNT] as number;
      sums[at + COUNT] = count + 1;
      sums[at + BYTES] = (sums[at + BYTES] as number) + countedBytes(sizes[row] as number);
      if (count === 0 || time < (sums[at + FIRST] as number)) sums[at + FIRST] = time;
      if (count === 0 || time > (sums[at + LAST] as number)) sums[at + LAST] = time;
      const side = sides[caches[row] as number];
      if (side === EDGE) sums[at + HITS] = (sums[at + HITS] as number) + 1;
      else if (side === ORIGIN) sums[at + MISSES] = (sums[at + MISSES] as number) + 1;
      if (errors[statuses[row] as number] === ERROR) sums[at + ERRORS] = (sums[at + ERRORS] as number) + 1;
    }
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

  #reserve(groups: number): void {
    if (groups * WIDTH <= this.#sums.length) return;
    const room = new Float64Array(Math.max(groups * WIDTH, this.#sums.length * 2));
    room.set(this.#sums);
    this.#sums = room;
  }
}
