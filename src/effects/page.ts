import type { Client } from '../api/client.ts';
import { oldestAsked } from '../domain/kept.ts';
import { pageEnd, reportWithPage, withoutPage } from '../domain/logs/paged-log.ts';
import type { Action, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { serverClock } from './server-clock.ts';
import { type Running, untilStopped } from './supervise.ts';

type PageWant = Extract<Subscription, { kind: 'page' }>;

/** Reads one page of a window behind those that were read, the newest row first; stopping it ends the question. */
export function startPage(
  o: { client: Pick<Client, 'logs' | 'serverTime'>; clock: Clock },
  want: PageWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, async (signal, tell) => {
    // Of keys that came in one read the last question alone is asked.
    await null;
    if (signal.aborted) return;
    const { zone, filter, terms, window, before, rows: limit, generation } = want;
    const { to, after, span } = pageEnd(window, before ?? {});
    const isStored = to <= oldestAsked(serverClock(o, 'logging')(), 'logs');
    const from = isStored ? window.from : Math.max(window.from, to - span);
    const answer = await o.client.logs(
      {
        pullZoneId: zone.id,
        from,
        to,
        order: 'desc',
        limit,
        filter,
        history: { terms, anonymisation: zone.anonymisation, after },
      },
      { signal, priority: 'user' },
    );
    const now = serverClock(o, 'logging')();
    const event = answer.ok
      ? reportWithPage(before, window, { part: { from, to }, ...answer.value }, { now, limit })
      : { rows: [], report: withoutPage(before, window, answer.failure, now) };
    tell({ type: 'tailRead', generation, zone: zone.id, event });
  });
}
