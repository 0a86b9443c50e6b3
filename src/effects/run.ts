import type { Client } from '../api/client.ts';
import { failureOf } from '../domain/failure.ts';
import { oldestAsked } from '../domain/log-retention.ts';
import type { LogHistory } from '../domain/logs/log-history.ts';
import type { TailEvent } from '../domain/logs/log-rows.ts';
import { pageEnd, reportWithPage, withoutPage } from '../domain/logs/paged-log.ts';
import { withZoneIds } from '../domain/query/zone-terms.ts';
import type { Journal } from '../domain/storage/storage-change.ts';
import { tuningOf } from '../domain/tail/tail-pace.ts';
import type { Action, Effect, Subscription } from '../state/messages.ts';
import type { Clock } from '../time/clock.ts';
import { type HandoverPlaces, handOver, startExport } from './handover.ts';
import { startInquiry } from './inquire.ts';
import { startHealth } from './read-health.ts';
import { startRequest } from './requests.ts';
import type { OpenedLogs } from './saved/saved-ahead.ts';
import { serverClock } from './server-clock.ts';
import { createSupervisor, type Running, startWork, untilStopped } from './supervise.ts';
import { startTail, type Tail } from './tail/tail.ts';
import { countingPlan, logMinutes, type MinuteReader, shieldMinutes, watchMinutes } from './watch-minutes.ts';

/** What only the composition root can do with the terminal. */
type TerminalOrders = Record<'redraw' | 'suspend' | 'quit', () => void> & {
  notify: (of: { text: string; line: string }) => void;
};

type Want<K extends Subscription['kind']> = Extract<Subscription, { kind: K }>;

/** How orders find a running job: a tail by generation and zone, a change of a storage zone by request. */
type Job = Running & {
  tail?: { generation: number; zone: string; orders: Pick<Tail, 'backfill' | 'stopBackfill' | 'refresh'> };
  change?: { request: number; stopLooking: () => void };
};

/** Carries out effects and keeps subscriptions running; results go in as actions. */
export function createRunner(o: {
  client: Client;
  /** The store of logs that the platform no longer keeps. */
  history?: LogHistory | null;
  clock: Clock;
  journal: Journal;
  terminal: TerminalOrders;
  /** The opened saved logs; none when a zone is followed. */
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

  /** The turns of each log's tails, by generation. */
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
      // Loaded only here: following a zone needs none of it.
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

  /** The tails of a question, or the one of a zone. */
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

type CountWant = Extract<Subscription, { kind: 'count' | 'values' | 'steps' }>;

/** Has a store count groups, values or timeline steps; stopping it ends the question. */
function startCount(
  { history = null }: { history?: LogHistory | null },
  want: CountWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, async (signal, tell) => {
    // Of the keys in one read only the last question is asked.
    await null;
    if (!signal.aborted) tell(await counted(history, want, signal));
  });
}

async function counted(history: LogHistory | null, want: CountWant, signal: AbortSignal): Promise<Action> {
  const { key, rows } = want;
  const none = { ok: true, value: null } as const;
  switch (want.kind) {
    case 'count': {
      const answer = await history?.groups(rows, want.by, want.most, signal);
      return { type: 'storeCounted', key, answer: answer ?? none };
    }
    case 'values': {
      const answer = await history?.values(rows, want.fields, want.most, signal);
      return { type: 'storeValued', key, answer: answer ?? none };
    }
    case 'steps': {
      const answer = await history?.steps(rows, want.steps, want.series, signal);
      return { type: 'storeStepped', key, answer: answer ?? none };
    }
  }
}

type PageWant = Extract<Subscription, { kind: 'page' }>;

/** Reads one page of a window behind those read, the newest row first; stopping it ends the question. */
export function startPage(
  o: { client: Pick<Client, 'logs' | 'serverTime'>; clock: Clock },
  want: PageWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, async (signal, tell) => {
    // Of the keys in one read only the last question is asked.
    await null;
    if (signal.aborted) return;
    const { zone, filter, terms, window, before, rows: limit, generation } = want;
    const { to, after, span } = pageEnd(window, before ?? {});
    const isStored = to <= oldestAsked(serverClock(o, 'logging')(), 'logs');
    const from = isStored ? window.from : Math.max(window.from, to - span);
    const answer = await o.client.logs(
      {
        pullZoneId: zone.id,
        from,
        to,
        order: 'desc',
        limit,
        filter,
        history: { terms, anonymisation: zone.anonymisation, after },
      },
      { signal, priority: 'user' },
    );
    const now = serverClock(o, 'logging')();
    const event = answer.ok
      ? reportWithPage(before, window, { part: { from, to }, ...answer.value }, { now, limit })
      : { rows: [], report: withoutPage(before, window, answer.failure, now) };
    tell({ type: 'tailRead', generation, zone: zone.id, event });
  });
}

type WatchWant = Extract<Subscription, { kind: 'watch' }>;

/** Judges a watch minute by minute, whatever is on screen; each minute is read once. */
export function startWatch(
  { client, clock }: { client: Client; clock: Clock },
  want: WatchWant,
  dispatch: (action: Action) => void,
): Running {
  return untilStopped(dispatch, (signal, tell) =>
    watchMinutes({
      watch: want.watch,
      since: want.since,
      clock,
      now: serverClock({ client, clock }, want.watch.subject === 'logs' ? 'logging' : 'main'),
      signal,
      read: readerOf(client, want),
      judged: (verdict) => tell({ type: 'watchJudged', verdict }),
      failed: (failure) => tell({ type: 'watchFailed', failure }),
    }),
  );
}

/** One minute of all zones: if one fails, the minute is unread. */
function inTurn(readers: readonly MinuteReader[]): MinuteReader {
  return async (minute, into, signal) => {
    for (const read of readers) {
      const failure = await read(minute, into, signal);
      if (failure !== null) return failure;
    }
    return null;
  };
}

function readerOf(client: Client, { watch, query, zones }: WatchWant): MinuteReader {
  if (watch.subject === 'logs') {
    const asked = { ...query, terms: withZoneIds(query.terms, zones) };
    return inTurn(zones.map((zone) => logMinutes(client, zone, asked)));
  }
  const [zone] = zones;
  const plan = countingPlan(query);
  let reader: MinuteReader | null = null;
  return async (minute, into, signal) => {
    if (reader === null) {
      const id = zone.shieldZoneId ?? null;
      const found = id === null ? await client.shieldZoneOfPullZone(zone.id, { signal }) : null;
      if (found?.ok === false) return found.failure;
      const known = id ?? found?.value ?? null;
      if (known === null) return failureOf('noShield');
      reader = shieldMinutes(client, known, plan);
    }
    return reader(minute, into, signal);
  };
}

/** Time between two turns of a log, ms: about one tail's pause between two requests. */
const TURN = 1100;

/** The place of one tail among those of its log. */
type Place = { add: (event: TailEvent) => void; leave: () => void };

/**
 * Passes the reports of a log's tails on about as often as one tail would report: each costs a frame, and answers
 * about twelve zones come all the time. A report while no other has just gone on, and a tail's first answer, pass at
 * once; others wait for the next turn. Each tail's own order stays.
 */
export function createTurns(clock: Clock) {
  const places = new Set<Place>();
  let waiting: { place: Place; pass: () => void }[] = [];
  let last: { at: number; place: Place | null } = { at: Number.NEGATIVE_INFINITY, place: null };
  let cancel: (() => void) | null = null;

  function turn(): void {
    cancel = null;
    const all = waiting;
    waiting = [];
    // A report that is passed on may end other tails.
    for (const { place, pass } of all) if (places.has(place)) pass();
  }

  return {
    join(tell: (event: TailEvent) => void): Place {
      let isFirst = true;
      const place: Place = {
        add(event) {
          const pass = () => {
            last = { at: clock.monotonic(), place };
            tell(event);
          };
          const since = clock.monotonic() - last.at;
          const isAlone = isFirst || place === last.place || since >= TURN;
          isFirst = false;
          if (isAlone && waiting.length === 0) return pass();
          waiting.push({ place, pass });
          cancel ??= clock.after(Math.max(0, TURN - since), turn);
        },
        leave() {
          places.delete(place);
          waiting = waiting.filter((each) => each.place !== place);
          if (waiting.length > 0) return;
          cancel?.();
          cancel = null;
        },
      };
      places.add(place);
      return place;
    },
    get isEmpty(): boolean {
      return places.size === 0;
    },
  };
}
