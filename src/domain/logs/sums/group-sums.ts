import type { LogColumns, RowChoice } from '../columns/log-columns.ts';
import { CHUNK_ROWS, type Codes } from '../columns/value-columns.ts';
import { countedBytes } from './traffic.ts';
import { EDGE, ERROR, NEITHER, ORIGIN, type TrafficMeter, type TrafficTables } from './traffic-meter.ts';

/** The places of a group's counts: by who served a row, as the meter's tables number it, and the free one for 5xx. */
const ERRORS = 0;
const COUNTS = 4;
/** The places of its other sums. */
const BYTES = 0;
const FIRST = 1;
const LAST = 2;
const SUMS = 3;

/** Initial room for groups. */
const FEW_GROUPS = 1 << 12;

export type GroupSums = {
  count: number;
  bytes: number;
  /** Event times. */
  firstSeen: number;
  lastSeen: number;
  /** Requests served by the edge, and by the origin; a redirect or a block counts for neither. */
  hits: number;
  misses: number;
  /** Requests answered with 5xx. */
  errors: number;
};

/** Sums of groups by number. */
export class Tally {
  /** To be filled with the group of each row in the next chunk added. */
  readonly groups = new Uint32Array(CHUNK_ROWS);
  /** All groups are below it; some may have no rows. */
  size = 0;
  readonly #columns: LogColumns;
  readonly #tables: TrafficTables;
  /** Integers, at half the time that doubles take. */
  #counts = new Uint32Array(FEW_GROUPS * COUNTS);
  #sums = emptySums(FEW_GROUPS);

  constructor(columns: LogColumns, meter: TrafficMeter) {
    this.#columns = columns;
    this.#tables = meter.tables();
  }

  /** Adds the chosen rows of a chunk to their `groups`, all below `limit`. */
  add(chunk: number, { mask, bits }: RowChoice, limit: number): void {
    this.#reserve(limit);
    const [counts, sums, groups, { sides, errors }] = [this.#counts, this.#sums, this.groups, this.#tables];
    const { bytesSent, coded } = this.#columns;
    const states = this.#columns.states[chunk] as Uint8Array;
    const times = this.#columns.times[chunk] as Float64Array;
    const sizes = bytesSent.chunks[chunk] as Uint32Array | Float64Array;
    const caches = coded.cacheStatus.chunks[chunk] as Codes;
    const statuses = coded.statusCode.chunks[chunk] as Codes;
    for (let row = 0; row < CHUNK_ROWS; row++) {
      if (((states[row] as number) & mask) !== bits) continue;
      const group = groups[row] as number;
      const served = group * COUNTS + (sides[caches[row] as number] as number);
      counts[served] = (counts[served] as number) + 1;
      if (errors[statuses[row] as number] === ERROR)
        counts[group * COUNTS + ERRORS] = (counts[group * COUNTS + ERRORS] as number) + 1;
      const at = group * SUMS;
      sums[at + BYTES] = (sums[at + BYTES] as number) + countedBytes(sizes[row] as number);
      const time = times[row] as number;
      if (time < (sums[at + FIRST] as number)) sums[at + FIRST] = time;
      if (time > (sums[at + LAST] as number)) sums[at + LAST] = time;
    }
  }

  count(group: number): number {
    return this.#countOf(group, NEITHER) + this.#countOf(group, EDGE) + this.#countOf(group, ORIGIN);
  }

  of(group: number): GroupSums {
    return {
      count: this.count(group),
      bytes: this.#sums[group * SUMS + BYTES] as number,
      firstSeen: this.#sums[group * SUMS + FIRST] as number,
      lastSeen: this.#sums[group * SUMS + LAST] as number,
      hits: this.#countOf(group, EDGE),
      misses: this.#countOf(group, ORIGIN),
      errors: this.#countOf(group, ERRORS),
    };
  }

  /** Adds group `from` to group `to` and empties it. */
  merge(to: number, from: number): void {
    const [counts, sums, a, b] = [this.#counts, this.#sums, this.of(to), this.of(from)];
    for (let place = 0; place < COUNTS; place++) {
      counts[to * COUNTS + place] = this.#countOf(to, place) + this.#countOf(from, place);
      counts[from * COUNTS + place] = 0;
    }
    const [first, last] = [Math.min(a.firstSeen, b.firstSeen), Math.max(a.lastSeen, b.lastSeen)];
    sums.set([a.bytes + b.bytes, first, last], to * SUMS);
  }

  #countOf(group: number, place: number): number {
    return this.#counts[group * COUNTS + place] as number;
  }

  #reserve(groups: number): void {
    this.size = Math.max(this.size, groups);
    const room = this.#counts.length / COUNTS;
    if (groups <= room) return;
    const more = Math.max(groups, room * 2);
    const [counts, sums] = [new Uint32Array(more * COUNTS), emptySums(more)];
    counts.set(this.#counts);
    sums.set(this.#sums);
    [this.#counts, this.#sums] = [counts, sums];
  }
}

function emptySums(groups: number): Float64Array {
  const none = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return Float64Array.from({ length: groups * SUMS }, (_, place) => none[place % SUMS] as number);
}
