import { setImmediate as breathe } from 'node:timers/promises';
import type { Conditions } from './call.ts';
import type { SimRow } from './rows.ts';
import type { TrafficModel } from './traffic.ts';
import type { SimZone } from './zones.ts';

export type Window = { from: number; to: number; order: 'asc' | 'desc' };

/** How long a search may hold the process before it lets others run, ms: the demo's screen shares the process. */
const SLICE = 6;

/**
 * Visits the rows of a zone within `[from, to)` that reads show by `now`, in the asked order, making only the
 * blocks it gets to. `visit` returns false to stop.
 */
export async function scan(
  traffic: TrafficModel,
  zone: SimZone,
  { from, to, order }: Window,
  now: number,
  conditions: Conditions,
  visit: (row: SimRow) => boolean,
): Promise<void> {
  const step = conditions.coarse;
  const [start, end] = step > 1 ? [up(from, step), up(to, step)] : [from, to];
  const block = traffic.blockSeconds(zone) * 1000;
  const first = Math.floor(start / block);
  const last = Math.floor((Math.min(end, now + 1) - 1) / block);
  const isShown = (row: SimRow) =>
    row.t >= start && row.t < end && row.t + row.late <= now && !conditions.hides.some((hides) => hides(row));
  let resumed = performance.now();
  for (let n = 0; n <= last - first; n++) {
    const rows = traffic.block(zone, order === 'asc' ? first + n : last - n);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[order === 'asc' ? i : rows.length - 1 - i] as SimRow;
      if (!isShown(row)) continue;
      if (!visit(step > 1 ? { ...row, t: row.t - (row.t % step) } : row)) return;
    }
    if (performance.now() - resumed > SLICE) {
      await breathe();
      resumed = performance.now();
    }
  }
}

function up(t: number, step: number): number {
  return Math.ceil(t / step) * step;
}
