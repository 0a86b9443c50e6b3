import { CHUNK_ROWS, type Codes } from './column-codes.ts';
import type { LogColumns } from './log-columns.ts';
import { countedBytes, type TrafficMeter } from './log-traffic.ts';

/** Where the sums of a group stand in its run of WIDTH numbers: one run a group is one cache line. */
export const COUNT = 0;
export const BYTES = 1;
export const FIRST = 2;
export const LAST = 3;
export const HITS = 4;
export const ERRORS = 5;
export const WIDTH = 8;

/** Sums of groups by their number. */
export class Tally {
  sums = new Float64Array(0);
  readonly #columns: LogColumns;
  readonly #edgeByCode: Uint8Array;
  readonly #errorByCode: Uint8Array;

  constructor(columns: LogColumns, meter: TrafficMeter) {
    this.#columns = columns;
    this.#edgeByCode = meter.edgeByCode();
    this.#errorByCode = meter.errorByCode();
  }

  /** Adds the rows of a chunk whose byte in `wanted` is not 0 to the group that `groups` names. */
  add(chunk: number, wanted: Uint8Array, groups: Uint32Array, limit: number): void {
    this.#reserve(limit * WIDTH);
    const sums = this.sums;
    const times = this.#columns.times[chunk] as Float64Array;
    const sent = this.#columns.bytesSent.chunks[chunk] as Uint32Array | Float64Array;
    const caches = this.#columns.coded.cacheStatus.chunks[chunk] as Codes;
    const statuses = this.#columns.coded.statusCode.chunks[chunk] as Codes;
    const hits = this.#edgeByCode;
    const errors = this.#errorByCode;
    for (let row = 0; row < CHUNK_ROWS; row++) {
      if (wanted[row] === 0) continue;
      const at = (groups[row] as number) * WIDTH;
      const time = times[row] as number;
      if ((sums[at] as number) === 0) {
        sums[at + FIRST] = time;
        sums[at + LAST] = time;
      } else if (time > (sums[at + LAST] as number)) {
        sums[at + LAST] = time;
      } else if (time < (sums[at + FIRST] as number)) {
        sums[at + FIRST] = time;
      }
      sums[at] = (sums[at] as number) + 1;
      sums[at + BYTES] = (sums[at + BYTES] as number) + countedBytes(sent[row] as number);
      sums[at + HITS] = (sums[at + HITS] as number) + (hits[caches[row] as number] as number);
      sums[at + ERRORS] = (sums[at + ERRORS] as number) + (errors[statuses[row] as number] as number);
    }
  }

  /** Adds group `from` to group `to` and empties it. */
  merge(to: number, from: number): void {
    const [a, b, sums] = [to * WIDTH, from * WIDTH, this.sums];
    sums[a + FIRST] = Math.min(sums[a + FIRST] as number, sums[b + FIRST] as number);
    sums[a + LAST] = Math.max(sums[a + LAST] as number, sums[b + LAST] as number);
    for (const sum of [COUNT, BYTES, HITS, ERRORS]) {
      sums[a + sum] = (sums[a + sum] as number) + (sums[b + sum] as number);
    }
    sums[b + COUNT] = 0;
  }

  #reserve(length: number): void {
    if (length <= this.sums.length) return;
    const grown = new Float64Array(Math.max(length, this.sums.length * 2));
    grown.set(this.sums);
    this.sums = grown;
  }
}
