import type { Client } from '../api/client.ts';
import type { Result } from '../domain/failure.ts';
import type { Action, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';

type ShieldWant = Extract<
  Subscription,
  { kind: 'shieldZone' | 'shieldSearch' | 'shieldDay' | 'shieldRules' | 'shieldDue' }
>;

/** Runs one request or timer of the Shield explorer; stopping it hangs up. */
export function startShield(
  o: { client: Client; clock: Clock; dispatch: (action: Action) => void },
  want: ShieldWant,
): { stop: () => void } {
  const { client, clock, dispatch } = o;
  const stopper = new AbortController();
  const { signal } = stopper;
  const user = { signal, priority: 'user' } as const;

  /** Keys that came in one read have all acted by then: only the last question of them is asked. */
  async function told<T>(ask: () => Promise<Result<T>>, request: number, said: (value: T) => Action) {
    await null;
    if (signal.aborted) return;
    const answer = await ask();
    if (signal.aborted) return;
    dispatch(answer.ok ? said(answer.value) : { type: 'shieldFailed', request, failure: answer.failure });
  }

  switch (want.kind) {
    case 'shieldDue':
      return { stop: clock.after(want.after, () => dispatch({ type: 'shieldDue' })) };
    case 'shieldSearch': {
      const { request } = want;
      void told(
        () => client.shieldSearch(want.shieldZoneId, want.ask, user),
        request,
        (answer) => ({
          type: 'shieldAnswered',
          request,
          answer,
        }),
      );
      break;
    }
    case 'shieldDay': {
      const { request } = want;
      void told(
        () => client.shieldDay(want.shieldZoneId, want.day, want.token, user),
        request,
        (page) => ({
          type: 'shieldDayRead',
          request,
          page,
        }),
      );
      break;
    }
    case 'shieldZone':
      void zoneFound(want);
      break;
    case 'shieldRules':
      void rulesRead(want.shieldZoneId);
      break;
  }
  return { stop: () => stopper.abort() };

  /** A failure is told where the events would stand. */
  async function zoneFound({ pullZoneId, request }: Extract<ShieldWant, { kind: 'shieldZone' }>) {
    const answer = await client.shieldZoneOfPullZone(pullZoneId, user);
    if (signal.aborted) return;
    dispatch(
      answer.ok
        ? { type: 'shieldZoneFound', pullZoneId, shieldZoneId: answer.value?.id ?? null }
        : { type: 'shieldFailed', request, failure: answer.failure },
    );
  }

  /** Rule texts are a decoration: without them the ids stand alone. */
  async function rulesRead(shieldZoneId: string) {
    const answer = await client.wafRules(shieldZoneId, { signal, priority: 'background' });
    if (answer.ok && !signal.aborted) {
      dispatch({ type: 'shieldRulesArrived', shieldZoneId, rules: answer.value });
    }
  }
}
