import type { Client } from '../api/client.ts';
import { type Met, type Need, SLICE_ROWS } from '../domain/questions/inquiry/inquiry.ts';
import type { Action, Subscription } from '../state/messages.ts';

type InquiryWant = Extract<Subscription, { kind: 'inquiry' }>;

/** Requests of one inquiry under way at once: more would only wait for the quota, where a key's own request waits too. */
const AT_ONCE = 3;

/** Asks what an inquiry needs, each once; stopping it hangs up. */
export function startInquiry(
  client: Pick<Client, 'logs' | 'shieldSearch'>,
  want: InquiryWant,
  dispatch: (action: Action) => void,
): { stop: () => void } {
  const stopper = new AbortController();
  const call = { signal: stopper.signal, priority: 'user' } as const;
  const waiting = [...want.needs];

  async function lane(): Promise<void> {
    // Keys that came in one read have all acted by then: a question that was left at once costs nothing.
    await null;
    for (let need = waiting.shift(); need && !stopper.signal.aborted; need = waiting.shift()) {
      const met = await meet(need);
      if (!stopper.signal.aborted) dispatch({ type: 'needMet', inquiry: want.inquiry, need, met });
    }
  }

  async function meet(need: Need): Promise<Met> {
    if (need.kind === 'shield') {
      const answer = await client.shieldSearch(need.shieldZoneId, need.ask, call);
      return answer.ok
        ? { kind: 'shield', answer: answer.value }
        : { kind: 'failed', failure: answer.failure };
    }
    const { zoneId: pullZoneId, range, filter, rows: limit = SLICE_ROWS } = need;
    const answer = await client.logs({ pullZoneId, ...range, order: 'asc', limit, filter }, call);
    if (!answer.ok) return { kind: 'failed', failure: answer.failure };
    const { records, hasMore, gone } = answer.value;
    return { kind: 'logs', records, hasMore, ...(gone ? { gone } : {}) };
  }

  for (let lanes = 0; lanes < AT_ONCE; lanes++) void lane();
  return { stop: () => stopper.abort() };
}
