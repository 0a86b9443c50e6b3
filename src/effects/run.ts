import type { Client } from '../api/client.ts';
import type { Journal } from '../domain/storage/journal.ts';
import type { Action, Effect, Subscription } from '../state/messages.ts';
import { isAccountWant, startAccount } from './account.ts';
import type { Clock } from './clock.ts';
import { type HandoverPlaces, handOver, isHandoverEffect, startExport } from './handover.ts';
import { startInquiry } from './inquire.ts';
import type { OpenedLogs } from './saved/saved-ahead.ts';
import { readSavedLogs } from './saved/saved-logs.ts';
import { isShieldWant, startShield } from './shield.ts';
import { createSupervisor, type Running } from './supervise.ts';
import { startTail } from './tail/tail.ts';
import { startWatch } from './watch.ts';

/** What only the composition root can do to the terminal. */
export type TerminalOrders = { ring: () => void; redraw: () => void; suspend: () => void; quit: () => void };

type Job = Running & {
  generation: number | null;
  backfill: (range: { from: number; to: number }) => void;
  refresh: () => void;
  stopBackfill?: () => void;
  /** Of a change of a storage zone: ends its reading back. */
  stopLooking?: () => void;
  request?: number;
};

/** Zones asked for at once: large pages, because the picker searches all of them. */
const ZONES_PER_PAGE = 500;

/** Carries out effects and keeps subscriptions running; what comes back goes in as actions. */
export function createRunner(o: {
  client: Client;
  clock: Clock;
  journal: Journal;
  terminal: TerminalOrders;
  /** The saved logs that were opened; none when a zone is followed. */
  saved?: OpenedLogs;
  places: HandoverPlaces;
  dispatch: (action: Action) => void;
}) {
  const { client, clock, journal, terminal, places, dispatch } = o;
  const supervisor = createSupervisor<Subscription, Job>((want) => startJob(want));

  function startJob(want: Subscription): Job {
    const stopper = new AbortController();
    const stop = () => stopper.abort();
    if (want.kind === 'clock') {
      const timer = setInterval(() => dispatch({ type: 'ticked', now: clock.now() }), want.every);
      return { stop: () => clearInterval(timer), generation: null, backfill() {}, refresh() {} };
    }
    if (isShieldWant(want)) {
      return { ...startShield(client, want, dispatch), generation: null, backfill() {}, refresh() {} };
    }
    if (want.kind === 'export') {
      return { ...startExport(want.job, places, dispatch), generation: null, backfill() {}, refresh() {} };
    }
    if (isAccountWant(want)) {
      const request = want.kind === 'storageChange' ? { request: want.request } : {};
      return { ...startAccount(o, want), ...request, generation: null, backfill() {}, refresh() {} };
    }
    if (want.kind === 'watch') {
      return { ...startWatch(o, want, dispatch), generation: null, backfill() {}, refresh() {} };
    }
    if (want.kind === 'inquiry') {
      return { ...startInquiry(client, want, dispatch), generation: null, backfill() {}, refresh() {} };
    }
    const { generation } = want;
    if (want.kind === 'saved') {
      void readSavedLogs({
        inputs: o.saved?.inputs ?? [],
        ahead: o.saved?.ahead ?? null,
        follow: want.follow,
        clock,
        emit: (event) => dispatch({ type: 'savedRead', generation, event }),
        signal: stopper.signal,
      });
      return { stop, generation: null, backfill() {}, refresh() {} };
    }
    const tail = startTail({
      question: { zone: want.zone, filter: want.filter, from: want.from, to: want.to },
      fetch: (request, call) => client.logs(request, call),
      clock,
      emit(event) {
        if (!stopper.signal.aborted) dispatch({ type: 'tailRead', generation, event });
      },
      signal: stopper.signal,
    });
    const { backfill, stopBackfill, refresh } = tail;
    return { stop, generation, backfill, stopBackfill, refresh };
  }

  function tailOf(generation: number): Job | undefined {
    return supervisor.jobs().find((job) => job.generation === generation);
  }

  async function loadZones(request: number, page: number): Promise<void> {
    const answer = await client.pullZones({ page, perPage: ZONES_PER_PAGE }, { priority: 'user' });
    dispatch(
      answer.ok
        ? { type: 'zonesArrived', request, page: answer.value }
        : { type: 'zonesFailed', request, failure: answer.failure },
    );
  }

  /** The join is a decoration of the picker: without it the picker says that it does not know. */
  async function loadShieldMapping(): Promise<void> {
    const answer = await client.shieldMapping({ priority: 'background' });
    if (answer.ok) dispatch({ type: 'shieldMapped', pairs: answer.value });
  }

  return {
    run(effect: Effect): void {
      if (isHandoverEffect(effect)) {
        void handOver(effect, places, dispatch);
        return;
      }
      switch (effect.type) {
        case 'loadZones':
          void loadZones(effect.request, effect.page);
          return;
        case 'loadShieldMapping':
          void loadShieldMapping();
          return;
        case 'backfill':
          tailOf(effect.generation)?.backfill(effect.range);
          return;
        case 'stopBackfill':
          tailOf(effect.generation)?.stopBackfill?.();
          return;
        case 'refreshTail':
          tailOf(effect.generation)?.refresh();
          return;
        case 'findIntents':
          void journal
            .openIntents(clock.now())
            .then((intents) => dispatch({ type: 'intentsFound', intents }));
          return;
        case 'stopLooking':
          supervisor
            .jobs()
            .find((job) => job.request === effect.request)
            ?.stopLooking?.();
          return;
        case 'ring':
          terminal.ring();
          return;
        case 'redraw':
          terminal.redraw();
          return;
        case 'suspend':
          terminal.suspend();
          return;
        case 'quit':
          terminal.quit();
          return;
      }
    },
    match(subscriptions: readonly Subscription[]): void {
      supervisor.match(subscriptions);
    },
  };
}
