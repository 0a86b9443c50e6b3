import { LOG_SERIES, type LogSeriesId, partOfCache, partOfStatus, SERIES } from '../../timeline/series.ts';
import { IN_VIEW, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK, type Codes } from '../columns/value-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';

/** Counts rows in view by the parts of one series at a time. */
export class RowMix {
  series: LogSeriesId = LOG_SERIES[0];
  readonly #columns: LogColumns;
  /** By code, the part and one: 0 = not known yet. */
  readonly #parts: Record<LogSeriesId, Memo>;

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
  none(): Uint32Array {
    return new Uint32Array(SERIES[this.series].length);
  }

  /** Adds the rows in view among consecutive slots of one chunk. */
  addRun(counts: Uint32Array, slot: number, count: number): void {
    const { coded, states } = this.#columns;
    const column = this.series === 'status' ? coded.statusCode : coded.cacheStatus;
    const memo = this.#parts[this.series];
    const chunk = slot >>> CHUNK_BITS;
    const codes = column.chunks[chunk] as Codes;
    const own = states[chunk] as Uint8Array;
    const { mask, bits } = IN_VIEW;
    let [last, part] = [-1, 0];
    for (let row = slot & CHUNK_MASK, end = row + count; row < end; row++) {
      if (((own[row] as number) & mask) !== bits) continue;
      const code = codes[row] as number;
      if (code !== last) {
        last = code;
        part = memo.of(code) - 1;
      }
      counts[part] = (counts[part] as number) + 1;
    }
  }
}
