import { LOG_SERIES, type LogSeriesId, partOfCache, partOfStatus, SERIES } from '../../timeline/series.ts';
import { IN_VIEW, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK, type Codes } from '../columns/value-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';

/** As many codes as a log has statuses in earnest. */
const FEW = 256;

/** Counts rows in view by the parts of one series at a time. */
export class RowMix {
  series: LogSeriesId = LOG_SERIES[0];
  readonly #columns: LogColumns;
  /** By code, the part and one: 0 = not known yet. */
  readonly #parts: Record<LogSeriesId, Memo>;
  /** Rows by code, all 0 between two runs: that costs a fifth of asking for the part of each row. */
  readonly #uses = new Uint32Array(2 * FEW);

  constructor(columns: LogColumns) {
    this.#columns = columns;
    const { cacheStatus, statusCode } = columns.coded;
    this.#parts = {
      status: new Memo((code) => 1 + partOfStatus(code === 0 ? 0 : statusCode.dictionary.value(code))),
      cache: new Memo((code) => 1 + partOfCache(code === 0 ? '-' : cacheStatus.dictionary.value(code))),
    };
    statusCode.dictionary.watch(this.#parts.status);
    cacheStatus.dictionary.watch(this.#parts.cache);
  }

  /** A count of nothing. */
  none(): number[] {
    return SERIES[this.series].map(() => 0);
  }

  /** Adds the rows in view among consecutive slots of one chunk. `isAll`: every one of them is. */
  addRun(counts: number[], slot: number, count: number, isAll: boolean): void {
    const { coded, states } = this.#columns;
    const { chunks, dictionary } = this.series === 'status' ? coded.statusCode : coded.cacheStatus;
    const chunk = slot >>> CHUNK_BITS;
    const first = slot & CHUNK_MASK;
    const codes = chunks[chunk] as Codes;
    const memo = this.#parts[this.series];
    const { limit } = dictionary;
    if (isAll && limit <= FEW) {
      tally(this.#uses, codes, first, first + count);
      for (let code = 0; code < limit; code++) {
        const sum = (this.#uses[code] as number) + (this.#uses[code + FEW] as number);
        if (sum > 0) add(counts, memo.of(code) - 1, sum);
      }
      this.#uses.fill(0, 0, limit);
      this.#uses.fill(0, FEW, FEW + limit);
      return;
    }
    const own = states[chunk] as Uint8Array;
    for (let row = first; row < first + count; row++) {
      const isShown = isAll || ((own[row] as number) & IN_VIEW.mask) === IN_VIEW.bits;
      if (isShown) add(counts, memo.of(codes[row] as number) - 1, 1);
    }
  }
}

/** Rows by code. Every other row has a table of its own: adding to the same number again has to wait for the sum before. */
function tally(uses: Uint32Array, codes: Codes, from: number, to: number): void {
  let row = from;
  for (; row + 1 < to; row += 2) {
    const [one, other] = [codes[row] as number, FEW + (codes[row + 1] as number)];
    uses[one] = (uses[one] as number) + 1;
    uses[other] = (uses[other] as number) + 1;
  }
  if (row < to) uses[codes[row] as number] = (uses[codes[row] as number] as number) + 1;
}

function add(sums: number[], at: number, by: number): void {
  sums[at] = (sums[at] as number) + by;
}
