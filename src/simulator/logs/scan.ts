import { setImmediate as breathe } from 'node:timers/promises';
import type { SimZone } from '../account/account-zones.ts';
import type { SimRow } from '../traffic/rows.ts';
import type { TrafficModel } from '../traffic/traffic-source.ts';

type Window = { from: number; to: number; order: 'asc' | 'desc' };

/** How long work may hold the process, ms: the demo's screen shares it. */
const SLICE = 6;

/**
 * Visits the rows of a zone within `[from, to)` that reads show by `now`, in the asked order, making only the blocks
 * it reaches. `visit` returns false to stop.
 */
export async function scan(
  traffic: TrafficModel,
  zone: SimZone,
  { from, to, order }: Window,
  now: number,
  visit: (row: SimRow) => boolean,
): Promise<void> {
  const block = traffic.blockSeconds(zone) * 1000;
  const first = Math.floor(from / block);
  const last = Math.floor((Math.min(to, now + 1) - 1) / block);
  const turn = turns();
  for (let n = 0; n <= last - first; n++) {
    const rows = traffic.block(zone, order === 'asc' ? first + n : last - n);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[order === 'asc' ? i : rows.length - 1 - i] as SimRow;
      const isShown = row.t >= from && row.t < to && row.t + row.late <= now;
      if (isShown && !visit(row)) return;
    }
    await turn();
  }
}

/** Awaited between pieces of long work: lets others run where the process was held for long. */
export function turns(): () => Promise<void> {
  let resumed = performance.now();
  return async () => {
    if (performance.now() - resumed <= SLICE) return;
    await breathe();
    resumed = performance.now();
  };
}
