import type { Client } from '../api/client.ts';
import type { LogHistory } from '../domain/logs/log-history.ts';
import type { Journal } from '../domain/storage/storage-change.ts';
import { tuningOf } from '../domain/tail/tail-pace.ts';
import type { Action, Effect, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { startCount } from './count.ts';
import { type HandoverPlaces, handOver, startExport } from './handover.ts';
import { startHealth } from './health.ts';
import { startInquiry } from './inquire.ts';
import { startPage } from './page.ts';
import { startRequest } from './requests.ts';
import type { OpenedLogs } from './saved/saved-ahead.ts';
import { createSupervisor, type Running, startWork, untilStopped } from './supervise.ts';
import { startTail, type Tail } from './tail/tail.ts';
import { createTurns } from './tail-turns.ts';
import { startWatch } from './watch.ts';

/** What only the composition root can do with the terminal. */
type TerminalOrders = { ring: () => void; redraw: () => void; suspend: () => void; quit: () => void };

type Want<K extends Subscription['kind']> = Extract<Subscription, { kind: K }>;

/** How orders find a running job: by the generation and the zone of a tail, by the request of a change of a storage zone. */
type Job = Running & {
  tail?: { generation: number; zone: string; orders: Pick<Tail, 'backfill' | 'stopBackfill' | 'refresh'> };
  change?: { request: number; stopLooking: () => void };
};

/** Carries out effects and keeps subscriptions running; what comes back goes in as actions. */
export function createRunner(o: {
  client: Client;
  /** The store of logs that the platform keeps no more. */
  history?: LogHistory | null;
  clock: Clock;
  journal: Journal;
  terminal: TerminalOrders;
  /** The saved logs that were opened; none when a zone is followed. */
  saved?: OpenedLogs;
  places: HandoverPlaces;
  dispatch: (action: Action) => void;
}) {
  const { client, clock, journal, terminal, dispatch } = o;
  const supervisor = createSupervisor<Subscription, Job>((want) => startJob(want));

  function startJob(want: Subscription): Job {
    switch (want.kind) {
      case 'clock':
        return { stop: clock.every(want.every, () => dispatch({ type: 'ticked', now: clock.now() })) };
      case 'work':
        return startWork(clock, () => dispatch({ type: 'worked' }));
      case 'healthDue':
        return { stop: clock.every(want.every, () => dispatch({ type: 'healthDue' })) };
      case 'health':
        return startHealth(o, want, dispatch);
      case 'tail':
        return followTail(want);
      case 'count':
      case 'values':
      case 'steps':
        return startCount(o, want, dispatch);
      case 'page':
        return startPage(o, want, dispatch);
      case 'saved':
        return readSaved(want);
      case 'watch':
        return startWatch(o, want, dispatch);
      case 'inquiry':
        return startInquiry(client, want, dispatch);
      case 'export':
        return startExport(want.job, o, dispatch);
      case 'shieldDue':
        return { stop: clock.after(want.after, () => dispatch({ type: 'shieldDue' })) };
      case 'keyHide':
        return { stop: clock.after(want.after, () => dispatch({ type: 'ticked', now: clock.now() })) };
      case 'storageChange': {
        const { stop, stopLooking } = startRequest(o, want);
        return { stop, change: { request: want.request, stopLooking } };
      }
      default:
        return startRequest(o, want);
    }
  }

  /** The turns of the tails of each log, by their generation. */
  const turnsOf = new Map<number, ReturnType<typeof createTurns>>();

  function followTail({ generation, zone, among, filter, from, to, isRelative }: Want<'tail'>): Job {
    const stopper = new AbortController();
    const { signal } = stopper;
    const turns = turnsOf.get(generation) ?? createTurns(clock);
    turnsOf.set(generation, turns);
    const place = turns.join((event) => dispatch({ type: 'tailRead', generation, zone: zone.id, event }));
    const tail = startTail({
      question: { zone, filter, from, to, isRelative },
      fetch: (request, call) => client.logs(request, call),
      clock,
      tuning: tuningOf(among),
      emit(event) {
        if (!signal.aborted) place.add(event);
      },
      signal,
    });
    const stop = () => {
      stopper.abort();
      place.leave();
      if (turns.isEmpty) turnsOf.delete(generation);
    };
    return { stop, tail: { generation, zone: zone.id, orders: tail } };
  }

  function readSaved({ generation, follow }: Want<'saved'>): Job {
    return untilStopped(dispatch, async (signal, tell) => {
      // Loaded here alone: following a zone needs none of it.
      const { readSavedLogs } = await import('./saved/saved-logs.ts');
      await readSavedLogs({
        inputs: o.saved?.inputs ?? [],
        ahead: o.saved?.ahead ?? null,
        follow,
        clock,
        emit: (event) => tell({ type: 'savedRead', generation, event }),
        signal,
      });
    });
  }

  /** The tails of a question, or that of one of its zones. */
  function tailsOf({ generation, zone }: { generation: number; zone?: string }) {
    const tails = supervisor.jobs().flatMap(({ tail }) => (tail?.generation === generation ? tail : []));
    return tails.filter((tail) => zone === undefined || tail.zone === zone).map(({ orders }) => orders);
  }

  async function loadShieldMapping(): Promise<void> {
    const answer = await client.shieldMapping({ priority: 'background' });
    if (answer.ok) dispatch({ type: 'shieldMapped', pairs: answer.value });
  }

  const handed = (effect: Parameters<typeof handOver>[0]) => void handOver(effect, o, dispatch);
  /** How each order is carried out. */
  const orders: { [T in Effect['type']]: (effect: Extract<Effect, { type: T }>) => void } = {
    copy: handed,
    readViews: handed,
    saveView: handed,
    deleteView: handed,
    addFinding: handed,
    loadShieldMapping: () => void loadShieldMapping(),
    backfill: (of) => {
      for (const tail of tailsOf(of)) tail.backfill(of.range);
    },
    stopBackfill: (of) => {
      for (const tail of tailsOf(of)) tail.stopBackfill();
    },
    refreshTails: (of) => {
      for (const tail of tailsOf(of)) tail.refresh();
    },
    findIntents: () =>
      void journal.openIntents(clock.now()).then((intents) => dispatch({ type: 'intentsFound', intents })),
    stopLooking: ({ request }) => {
      const job = supervisor.jobs().find(({ change }) => change?.request === request);
      job?.change?.stopLooking();
    },
    ...terminal,
  };

  return {
    run(effect: Effect): void {
      (orders[effect.type] as (effect: Effect) => void)(effect);
    },
    match: supervisor.match,
  };
}
