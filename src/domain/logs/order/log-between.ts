import type { LogRecord } from '../../log.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { LogColumns } from '../columns/log-columns.ts';
import type { LogOrder } from './log-order.ts';

/** Rows in the order of time, and the time, excluded, up to which none is left out. */
export type HeldRows = { records: LogRecord[]; to: number };

/** About `most` rows from the beginning of a range on, whether they match or not; all of a millisecond or none. */
export function rowsBetween(columns: LogColumns, order: LogOrder, range: TimeRange, most: number): HeldRows {
  const records: LogRecord[] = [];
  const start = order.locate(range.from);
  let last = Number.NEGATIVE_INFINITY;
  for (let at = start.block; at < order.blocks.length; at++) {
    const block = order.blocks[at];
    if (!block) break;
    for (let i = at === start.block ? start.position : block.head; i < block.tail; i++) {
      const slot = block.slots[i] ?? 0;
      const time = columns.time(slot);
      if (time >= range.to) return { records, to: range.to };
      if (records.length >= most && time > last) return { records, to: time };
      records.push(columns.record(slot));
      last = time;
    }
  }
  return { records, to: range.to };
}
