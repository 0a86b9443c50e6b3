import type { Client } from '../api/client.ts';
import { failureOf } from '../domain/failure.ts';
import { withZoneIds } from '../domain/query/zone-terms.ts';
import type { Action, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { serverClock } from './server-clock.ts';
import { type Running, untilStopped } from './supervise.ts';
import { countingPlan, logMinutes, type MinuteReader, shieldMinutes, watchMinutes } from './watch-minutes.ts';

type WatchWant = Extract<Subscription, { kind: 'watch' }>;

/** Judges a watch minute by minute, beside whatever is on screen; each minute is read once for it. */
export function startWatch(
  { client, clock }: { client: Client; clock: Clock },
  want: WatchWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, (signal, tell) =>
    watchMinutes({
      watch: want.watch,
      since: want.since,
      clock,
      now: serverClock({ client, clock }, want.watch.subject === 'logs' ? 'logging' : 'main'),
      signal,
      read: readerOf(client, want),
      judged: (verdict) => tell({ type: 'watchJudged', verdict }),
      failed: (failure) => tell({ type: 'watchFailed', failure }),
    }),
  );
}

/** One minute of all of them together: without one of them it is not read. */
function inTurn(readers: readonly MinuteReader[]): MinuteReader {
  return async (minute, into, signal) => {
    for (const read of readers) {
      const failure = await read(minute, into, signal);
      if (failure !== null) return failure;
    }
    return null;
  };
}

function readerOf(client: Client, { watch, query, zones }: WatchWant): MinuteReader {
  if (watch.subject === 'logs') {
    const asked = { ...query, terms: withZoneIds(query.terms, zones) };
    return inTurn(zones.map((zone) => logMinutes(client, zone, asked)));
  }
  const [zone] = zones;
  const plan = countingPlan(query);
  let reader: MinuteReader | null = null;
  return async (minute, into, signal) => {
    if (reader === null) {
      const id = zone.shieldZoneId ?? null;
      const found = id === null ? await client.shieldZoneOfPullZone(zone.id, { signal }) : null;
      if (found?.ok === false) return found.failure;
      const known = id ?? found?.value ?? null;
      if (known === null) return failureOf('noShield');
      reader = shieldMinutes(client, known, plan);
    }
    return reader(minute, into, signal);
  };
}
