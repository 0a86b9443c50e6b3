import type { Client } from '../api/client.ts';
import type { Result } from '../domain/failure.ts';
import type { Journal, OpenIntent } from '../domain/storage/storage-change.ts';
import { ITEMS_PER_PAGE } from '../domain/zone.ts';
import type { Action, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { carryOut, settleIntent } from './storage-write.ts';

type AccountWant = Extract<
  Subscription,
  {
    kind:
      | 'storageList'
      | 'storageZone'
      | 'storageUndo'
      | 'storageChange'
      | 'storageIntent'
      | 'keyList'
      | 'keyReveal'
      | 'keyHide';
  }
>;

/** `stopLooking` ends the reading back of a change that was sent. */
type AccountJob = { stop: () => void; stopLooking: () => void };

/** Runs one read, change, record or timer of the screens of storage zones and keys. */
export function startAccount(
  o: { client: Client; journal: Journal; clock: Clock; dispatch: (action: Action) => void },
  want: AccountWant,
): AccountJob {
  const { client, journal, clock } = o;
  const stopper = new AbortController();
  const looker = new AbortController();
  const { signal } = stopper;
  const user = { signal, priority: 'user' } as const;
  const job = { stop: () => stopper.abort(), stopLooking: () => looker.abort() };

  function dispatch(action: Action): void {
    if (!signal.aborted) o.dispatch(action);
  }

  async function told<T>(
    ask: Promise<Result<T>>,
    yes: (value: T) => Action,
    no: 'storageFailed' | 'storageZoneFailed' | 'keysFailed',
    request: number,
  ) {
    const answer = await ask;
    dispatch(answer.ok ? yes(answer.value) : { type: no, request, failure: answer.failure });
  }

  /** Looks at the zone, and where the request may still be carried out once more when it may not. */
  async function settled(intent: OpenIntent): Promise<void> {
    for (;;) {
      const settlement = await settleIntent({ client, journal, clock }, intent, signal);
      dispatch({ type: 'intentSettled', intent, settlement });
      if (settlement === null || settlement.until === null || signal.aborted) return;
      await clock.sleep(settlement.until - clock.now(), signal);
      if (signal.aborted) return;
    }
  }

  switch (want.kind) {
    case 'storageList': {
      const { request, page } = want;
      const ask = client.storageZones({ page, perPage: ITEMS_PER_PAGE }, user);
      void told(ask, (found) => ({ type: 'storageArrived', request, page: found }), 'storageFailed', request);
      break;
    }
    case 'storageZone': {
      const { request, id } = want;
      const ask = client.storageZone(id, user);
      void told(ask, (zone) => ({ type: 'storageZoneRead', request, zone }), 'storageZoneFailed', request);
      break;
    }
    case 'keyList': {
      const { request, page } = want;
      const ask = client.apiKeys({ page, perPage: ITEMS_PER_PAGE }, user);
      void told(ask, (found) => ({ type: 'keysArrived', request, page: found }), 'keysFailed', request);
      break;
    }
    case 'storageUndo': {
      const { request, id } = want;
      void journal.newestUndo(id).then((found) => dispatch({ type: 'undoFound', request, found }));
      break;
    }
    case 'storageChange': {
      const { request, change } = want;
      void carryOut({
        client,
        journal,
        clock,
        change,
        signal,
        enough: looker.signal,
        onStep: (step) => dispatch({ type: 'changeStepped', request, step }),
      }).then((end) => dispatch({ type: 'changeEnded', request, end }));
      break;
    }
    case 'storageIntent': {
      const { intent } = want;
      void settled(intent);
      break;
    }
    case 'keyReveal': {
      const { request, id, fingerprint } = want;
      void journal
        .revealed(Math.floor(clock.now()), { id, fingerprint })
        .then((recorded) => dispatch({ type: 'revealRecorded', request, recorded }));
      break;
    }
    case 'keyHide':
      return { ...job, stop: clock.after(want.after, () => dispatch({ type: 'ticked', now: clock.now() })) };
  }
  return job;
}
