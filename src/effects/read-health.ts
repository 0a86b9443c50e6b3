import type { Client } from '../api/client.ts';
import { failureOf } from '../domain/failure.ts';
import type { HealthAnswer, HealthReading } from '../domain/health/health-plan.ts';
import { recordsOf } from '../domain/logs/log-rows.ts';
import { LARGEST_SHIELD_PAGE } from '../domain/shield/shield.ts';
import type { PullZone } from '../domain/zone.ts';
import type { Action, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { serverClock } from './server-clock.ts';
import { type Running, untilStopped } from './supervise.ts';

type Asker = { client: Pick<Client, 'logs' | 'shieldSearch' | 'serverTime'>; clock: Clock };

/** A longer request has had its turn, ms: slow zones must not delay the others. */
const LONGEST = 6_000;

/** One request about a zone's health for the screen; stopping it cancels it. */
export function startHealth(
  asker: Asker,
  { zone, reading, turn }: Extract<Subscription, { kind: 'health' }>,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, async (signal, tell) => {
    tell({ type: 'healthRead', turn, answer: await readHealth(asker, zone, reading, signal) });
  });
}

/**
 * Sends one request about a zone's health, behind all that somebody waits for. One that takes longer than `longest`,
 * ms, with its wait for the quota, has failed.
 */
export async function readHealth(
  { client, clock }: Asker,
  zone: PullZone,
  reading: HealthReading,
  signal: AbortSignal,
  longest = LONGEST,
): Promise<HealthAnswer> {
  const late = new AbortController();
  const cancel = clock.after(longest, () => late.abort());
  const answer = await asked({ client, clock }, zone, reading, AbortSignal.any([signal, late.signal]));
  cancel();
  return late.signal.aborted && answer.kind === 'failed'
    ? { kind: 'failed', failure: failureOf('timeout', { host: 'the log' }) }
    : answer;
}

async function asked(
  { client, clock }: Asker,
  zone: PullZone,
  reading: HealthReading,
  signal: AbortSignal,
): Promise<HealthAnswer> {
  // The next round asks again and shows until then what was refused.
  const call = { priority: 'background', signal, retries: 0 } as const;
  if (reading.kind === 'rows') {
    const { range, limit } = reading;
    const answer = await client.logs(
      { pullZoneId: zone.id, ...range, order: 'desc', limit, filter: {} },
      call,
    );
    if (!answer.ok) return { kind: 'failed', failure: answer.failure };
    const { rows, hasMore, strays } = answer.value;
    return {
      kind: 'rows',
      records: recordsOf(rows),
      hasMore,
      serverNow: serverClock({ client, clock }, 'logging')(),
      ...(strays ? { strays } : {}),
    };
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
  const { strays } = answer.value;
  return {
    kind: 'blocked',
    blocked: blocked.reduce((sum, { count }) => sum + count, 0),
    ...(strays ? { strays } : {}),
  };
}
