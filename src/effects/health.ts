import type { Client } from '../api/client.ts';
import { failureOf } from '../domain/failure.ts';
import type { HealthAnswer, HealthReading } from '../domain/health/health-plan.ts';
import { LARGEST_SHIELD_PAGE } from '../domain/shield/shield.ts';
import type { PullZone } from '../domain/zone.ts';
import type { Action, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { serverClock } from './server-clock.ts';
import type { Running } from './supervise.ts';

/** What took longer has had its turn, ms: slow zones must not hold up the others. */
const LONGEST = 6_000;

/** One request about a zone's health for the screen; stopping it hangs up. */
export function startHealth(
  { client, clock }: { client: Pick<Client, 'logs' | 'shieldSearch' | 'serverTime'>; clock: Clock },
  { zone, reading, turn }: Extract<Subscription, { kind: 'health' }>,
  dispatch: (action: Action) => void,
): Running {
  const stopper = new AbortController();
  const late = new AbortController();
  const cancel = clock.after(LONGEST, () => late.abort());
  const signal = AbortSignal.any([stopper.signal, late.signal]);
  void readHealth({ client, now: serverClock({ client, clock }, 'logging') }, zone, reading, signal).then(
    (read) => {
      cancel();
      if (stopper.signal.aborted) return;
      const answer = late.signal.aborted ? failedLate() : read;
      dispatch({ type: 'healthRead', turn, answer });
    },
  );
  return {
    stop() {
      cancel();
      stopper.abort();
    },
  };
}

function failedLate(): HealthAnswer {
  return { kind: 'failed', failure: failureOf('timeout', { host: 'the log' }) };
}

/**
 * Carries out one request about a zone's health, behind everything that somebody waits for. `now`: the present of the
 * logging server, Unix ms.
 */
export async function readHealth(
  { client, now }: { client: Pick<Client, 'logs' | 'shieldSearch'>; now: () => number },
  zone: PullZone,
  reading: HealthReading,
  signal: AbortSignal,
): Promise<HealthAnswer> {
  // The next round asks again, and says until then what was refused.
  const call = { priority: 'background', signal, retries: 0 } as const;
  if (reading.kind === 'rows') {
    const { range, limit } = reading;
    const answer = await client.logs(
      { pullZoneId: zone.id, ...range, order: 'desc', limit, filter: {} },
      call,
    );
    if (!answer.ok) return { kind: 'failed', failure: answer.failure };
    const { records, hasMore } = answer.value;
    return { kind: 'rows', records, hasMore, serverNow: now() };
  }
  const ask = {
    ...reading.range,
    query: null,
    filters: [],
    groupBy: ['action'],
    page: 0,
    pageSize: LARGEST_SHIELD_PAGE,
  } as const;
  const answer = await client.shieldSearch(zone.shieldZoneId ?? '', ask, call);
  if (!answer.ok) return { kind: 'failed', failure: answer.failure };
  const blocked = answer.value.groups.filter(({ key }) => key['action']?.toLowerCase() === 'blocked');
  return { kind: 'blocked', blocked: blocked.reduce((sum, { count }) => sum + count, 0) };
}
