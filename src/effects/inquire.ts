import type { Client } from '../api/client.ts';
import type { Result } from '../domain/failure.ts';
import { type Met, type Need, SLICE_ROWS } from '../domain/inquiry/inquiry.ts';
import { recordsOf } from '../domain/logs/log-rows.ts';
import type { Action, Subscription } from '../state/messages.ts';
import { type Running, untilStopped } from './supervise.ts';

type InquiryWant = Extract<Subscription, { kind: 'inquiry' }>;

/**
 * Requests of one inquiry under way at once. Of one zone, more would only wait for its quota, where a key's own
 * request waits, too; over all zones they leave connections for what else is asked.
 */
const AT_ONCE = { zone: 3, all: 6 } as const;

export type Asker = Pick<
  Client,
  'logs' | 'count' | 'shieldSearch' | 'originErrors' | 'changes' | 'statistics'
>;

/** Sends the requests of an inquiry on screen. */
export function startInquiry(
  client: Asker,
  { inquiry, needs }: InquiryWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, (signal, tell) =>
    askNeeds(client, needs, signal, (need, met) => tell({ type: 'needMet', inquiry, need, met })),
  );
}

/**
 * Asks each need once, in order but for zones with as many under way as they may have. Resolves once all are
 * answered, or at once when the signal fires, which ends the requests.
 */
export function askNeeds(
  client: Asker,
  needs: readonly Need[],
  signal: AbortSignal,
  told: (need: Need, met: Met) => void,
): Promise<void> {
  const over = Promise.withResolvers<void>();
  const call = { signal, priority: 'user' } as const;
  // A host may lack what is beside the logs: it is tried once more, and delays nothing else that the host is asked.
  const beside = { ...call, retries: 1 } as const;
  const waiting = [...needs];
  let left = waiting.length;
  const underWay = new Map<string, number>();
  const zones = new Set(waiting.map(zoneOf)).size;
  // Slow zones delay others only when all connections are theirs.
  const ofZone = Math.max(1, Math.min(AT_ONCE.zone, Math.floor(AT_ONCE.all / Math.max(1, zones))));

  /** The first need that may be asked now. */
  function next(): Need | undefined {
    const at = waiting.findIndex((need) => (underWay.get(zoneOf(need)) ?? 0) < ofZone);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  }

  function begin(): void {
    const all = [...underWay.values()].reduce((sum, n) => sum + n, 0);
    for (let free = AT_ONCE.all - all; free > 0 && !signal.aborted; free--) {
      const need = next();
      if (need === undefined) return;
      underWay.set(zoneOf(need), (underWay.get(zoneOf(need)) ?? 0) + 1);
      void ask(need);
    }
  }

  async function ask(need: Need): Promise<void> {
    const met = await meet(need);
    if (signal.aborted) return;
    underWay.set(zoneOf(need), (underWay.get(zoneOf(need)) ?? 1) - 1);
    begin();
    told(need, met);
    left -= 1;
    if (left === 0) over.resolve();
  }

  async function meet(need: Need): Promise<Met> {
    const { kind } = need;
    switch (kind) {
      case 'shield': {
        const found = await client.shieldSearch(need.shieldZoneId, need.ask, call);
        return metBy(found, (answer) => ({ kind, answer }));
      }
      case 'originErrors':
        return metBy(await client.originErrors(need.zoneId, need.day, beside), (value) => ({ kind, value }));
      case 'changes':
        return metBy(await client.changes(need.day, null, beside), (value) => ({ kind, value }));
      case 'statistics': {
        const { zoneId: pullZoneId, range } = need;
        const hours = await client.statistics({ pullZoneId, ...range }, beside);
        return metBy(hours, (value) => ({ kind, value }));
      }
      case 'logs': {
        const { zoneId: pullZoneId, range, filter, rows: limit = SLICE_ROWS, counts } = need;
        if (counts !== undefined && client.count !== undefined) {
          const counted = await client.count({ pullZoneId, ...range, counts }, call);
          return metBy(counted, (value) =>
            'refusal' in value ? { kind: 'uncounted', why: value.refusal } : { kind: 'counts', ...value },
          );
        }
        const slice = await client.logs({ pullZoneId, ...range, order: 'asc', limit, filter }, call);
        return metBy(slice, ({ rows, ...told }) => ({ kind, ...told, records: recordsOf(rows) }));
      }
    }
  }

  // The keys of one read have all acted by then: a question left at once costs nothing.
  queueMicrotask(begin);
  if (signal.aborted) over.resolve();
  const hungUp = () => over.resolve();
  signal.addEventListener('abort', hungUp, { once: true });
  return over.promise.finally(() => signal.removeEventListener('abort', hungUp));
}

function metBy<T>(answer: Result<T>, as: (value: T) => Met): Met {
  return answer.ok ? as(answer.value) : { kind: 'failed', failure: answer.failure };
}

/** The zone whose quota a request counts to. */
function zoneOf(need: Need): string {
  if (need.kind === 'shield') return `shield ${need.shieldZoneId}`;
  return need.kind === 'logs' ? need.zoneId : need.kind;
}
