import type { Client } from '../api/client.ts';
import type { HealthAnswer, HealthReading } from '../domain/health/health-plan.ts';
import { LARGEST_SHIELD_PAGE } from '../domain/shield/shield.ts';
import type { PullZone } from '../domain/zone.ts';

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
