import type { Client } from '../api/client.ts';
import type { Failure, Result } from '../domain/failure.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type { Journal, OpenIntent } from '../domain/storage/storage-change.ts';
import { ITEMS_PER_PAGE, type Page } from '../domain/zone.ts';
import type { ListItem, ListName } from '../lists/account-lists.ts';
import type { Action, Message, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { carryOut, settleIntent } from './storage-write.ts';

type RequestWant = Extract<
  Subscription,
  {
    kind: `shield${'Zone' | 'Search' | 'Day' | 'Rules'}` | `storage${string}` | 'list' | 'keyReveal';
  }
>;

/** The actions that report a failure to these screens. */
type Failed = 'shieldFailed' | 'storageZoneFailed';

/** Runs one read, change or record for zones, Shield, storage zones or keys; stopping it cancels it. */
export function startRequest(
  o: { client: Client; journal: Journal; clock: Clock; dispatch: (action: Action) => void },
  want: RequestWant,
): { stop: () => void; stopLooking: () => void } {
  const { client, journal, clock } = o;
  const stopper = new AbortController();
  /** Ends the read-back of a change that was sent. */
  const looker = new AbortController();
  const { signal } = stopper;
  const user = { signal, priority: 'user' } as const;

  function dispatch(action: Action): void {
    if (!signal.aborted) o.dispatch(action);
  }

  const request = 'request' in want ? want.request : 0;
  const failed = (type: Failed) => (failure: Failure) => ({ type, request, failure }) as const;

  /** Waits until all keys of one read have acted: only their last question is asked. */
  async function told<T>(
    ask: () => Promise<Result<T>>,
    yes: (value: T) => Action,
    no: (failure: Failure) => Action,
  ): Promise<void> {
    await null;
    if (signal.aborted) return;
    const answer = await ask();
    dispatch(answer.ok ? yes(answer.value) : no(answer.failure));
  }

  /** Reads the zone, and once more when the request can no longer be carried out. */
  async function settled(intent: OpenIntent): Promise<void> {
    for (;;) {
      const settlement = await settleIntent({ client, journal, clock }, intent, signal);
      dispatch({ type: 'intentSettled', intent, settlement });
      if (settlement === null || settlement.until === null || signal.aborted) return;
      await clock.sleep(settlement.until - clock.now(), signal);
      if (signal.aborted) return;
    }
  }

  function start(): Promise<void> {
    switch (want.kind) {
      case 'shieldZone': {
        const { pullZoneId } = want;
        const ask = () => client.shieldZoneOfPullZone(pullZoneId, user);
        const found = (shieldZoneId: string | null) =>
          ({ type: 'shieldZoneFound', pullZoneId, shieldZoneId }) as const;
        return told(ask, found, failed('shieldFailed'));
      }
      case 'shieldSearch': {
        const ask = () => client.shieldSearch(want.shieldZoneId, want.ask, user);
        return told(ask, (answer) => ({ type: 'shieldAnswered', request, answer }), failed('shieldFailed'));
      }
      case 'shieldDay': {
        const ask = () => client.shieldDay(want.shieldZoneId, want.day, want.token, user);
        return told(ask, (page) => ({ type: 'shieldDayRead', request, page }), failed('shieldFailed'));
      }
      case 'shieldRules': {
        const { shieldZoneId } = want;
        // Rule texts are optional: without them the ids stand alone.
        return client.wafRules(shieldZoneId, { signal, priority: 'background' }).then((answer) => {
          if (answer.ok) dispatch({ type: 'shieldRulesArrived', shieldZoneId, rules: answer.value });
        });
      }
      case 'list': {
        const { list, page } = want;
        const ask = () => client.list(list, { page, perPage: ITEMS_PER_PAGE }, user);
        const found = (of: Page<ListItem<ListName>>) =>
          ({ type: 'listArrived', list, request, page: of }) as Message<'listArrived'>;
        return told(ask, found, (failure) => ({ type: 'listFailed', list, request, failure }));
      }
      case 'storageZone': {
        const ask = () => client.storageZone(want.id, user);
        const found = (zone: StorageZone) => ({ type: 'storageZoneRead', request, zone }) as const;
        return told(ask, found, failed('storageZoneFailed'));
      }
      case 'storageUndo': {
        const { id } = want;
        return journal.newestUndo(id).then((found) => dispatch({ type: 'undoFound', request, found }));
      }
      case 'storageChange': {
        const { change } = want;
        return carryOut({
          client,
          journal,
          clock,
          change,
          signal,
          enough: looker.signal,
          onStep: (step) => dispatch({ type: 'changeStepped', request, step }),
        }).then((end) => dispatch({ type: 'changeEnded', request, end }));
      }
      case 'storageIntent':
        return settled(want.intent);
      case 'keyReveal': {
        const { id, fingerprint } = want;
        return journal
          .revealed(Math.floor(clock.now()), { id, fingerprint })
          .then((recorded) => dispatch({ type: 'revealRecorded', request, recorded }));
      }
    }
  }

  void start();
  return { stop: () => stopper.abort(), stopLooking: () => looker.abort() };
}
