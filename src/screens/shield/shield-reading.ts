import { type Failure, failureOf } from '../../domain/failure.ts';
import type { ShieldAnswer, ShieldDayPage, WafRule } from '../../domain/shield/shield.ts';
import {
  featuresLearned,
  MOST_SHIELD_ROWS,
  rowsOfEvents,
  withDayFields,
  withRows,
} from '../../domain/shield/shield-rows.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { sumOfStrays } from '../../domain/strays.ts';
import type { Subscription } from '../../state/messages.ts';
import { noticed, reported, type State } from '../../state/model.ts';
import {
  isShieldList,
  isShieldView,
  noShieldWords,
  type ShieldListView,
  type ShieldLoading,
  type ShieldReading,
  type ShieldRowsView,
} from '../../state/shield-model.ts';
import { withView } from '../../state/view-stack.ts';
import { askedOn, searchOf, sparksOf, topShieldList } from './shield-ask.ts';
import { histogramCounted, histogramFailed, histogramSearch } from './shield-histogram.ts';
import { listOf } from './shield-lists.ts';

/** A server that leads back to a page already read withholds the rest of the day. */
const LOST_THREAD = failureOf('wrongShape', { detail: 'the same continuation token came again' });

/** A page of the answer. A page that no view waits for any more is dropped. */
export function shieldAnswered(state: State, request: number, answer: ShieldAnswer): State {
  const counted = histogramCounted(state, request, answer);
  if (counted) return counted;
  const read = onView(state, request, (before, next) => {
    const { from, to } = before.reading.range;
    // What was too old when the request left is not in the answer.
    const view = withReading(before, { range: { from: answer.gone?.to ?? from, to } });
    return listOf(view).answered(state, view, answer, next);
  });
  if (read === state || !read.shield) return state;
  const told = answer.groups.some(({ sparkline }) => sparkline) ? { knowsBuckets: true } : {};
  const features = featuresLearned(read.shield.features, answer);
  return { ...read, ...told, shield: { ...read.shield, features } };
}

function withReading<V extends ShieldListView>(view: V, part: Partial<ShieldReading>): V {
  return { ...view, reading: { ...view.reading, ...part } };
}

export function shieldFailed(state: State, request: number, failure: Failure): State {
  const failed = histogramFailed(state, request, failure);
  if (failed) return failed;
  const isRefused = failure.kind === 'invalidRequest' && failure.status === 400;
  const sparks = waitingFor(state, request)?.reading.sparks;
  if (typeof sparks === 'number' && isRefused) {
    const asked = onView(state, request, (view, next) =>
      withReading(view, { request: next, sparks: 'refused' }),
    );
    return { ...asked, knowsBuckets: false };
  }
  // A server that refuses the groups without their steps, too, objects to something else.
  const before = sparks === 'refused' && isRefused ? { ...state, knowsBuckets: null } : state;
  return onView(before, request, (view) => withReading(view, { loading: { kind: 'failed', failure } }));
}

/** A page of a day; the next is asked for until the day ends, a token repeats, or the bound is reached. */
export function shieldDayRead(state: State, request: number, page: ShieldDayPage): State {
  const features = state.shield?.features ?? new Map();
  return onView(state, request, (view, next) => {
    if (!view.day) return view;
    const { day, reading } = view;
    const events = page.events.map((event) => withDayFields(event, features));
    const rows = withRows(view.rows, rowsOfEvents(events), reading.plan.local);
    const isRepeated = page.next !== null && day.tokens.includes(page.next);
    const isWhole = page.next === null;
    const goesOn = !isWhole && !isRepeated && rows.rows.length < MOST_SHIELD_ROWS;
    const ended: ShieldLoading = isRepeated ? { kind: 'failed', failure: LOST_THREAD } : { kind: 'read' };
    return {
      ...view,
      rows,
      day: {
        ...day,
        // After a repeated token Ctrl-r tries the same page again.
        token: isRepeated ? day.token : page.next,
        tokens: page.next === null || isRepeated ? day.tokens : [...day.tokens, page.next],
        pages: day.pages + 1,
      },
      reading: {
        ...reading,
        request: goesOn ? next : reading.request,
        loading: goesOn ? reading.loading : ended,
        total: isWhole ? rows.rows.length : null,
        isWhole,
        strays: sumOfStrays(reading.strays, page.strays ?? null),
        readAt: reading.readAt ?? state.now,
      },
    };
  });
}

export function shieldRulesArrived(state: State, shieldZoneId: string, rules: readonly WafRule[]): State {
  const { shield } = state;
  if (shield?.shieldZoneId !== shieldZoneId) return state;
  return { ...state, shield: { ...shield, rules: new Map(rules.map((rule) => [rule.ruleId, rule])) } };
}

/** The Shield zone of the pull zone was found; without one the explorer closes and says so. */
export function shieldZoneFound(state: State, pullZoneId: string, shieldZoneId: string | null): State {
  const { shield } = state;
  if (!shield || shield.zone.id !== pullZoneId || shield.shieldZoneId !== null) return state;
  if (shieldZoneId !== null) return { ...state, shield: { ...shield, shieldZoneId } };
  const closed = {
    ...state,
    shield: null,
    views: [...state.views.filter((view) => !isShieldView(view)), ...state.parked],
    parked: [],
  };
  return reported(closed, 'warning', noShieldWords(shield.zone.name));
}

function waitingFor({ views }: State, request: number): ShieldListView | undefined {
  return views
    .filter(isShieldList)
    .findLast(({ reading }) => reading.request === request && reading.loading.kind === 'asking');
}

/** Changes the view that waits for this request; `next` numbers the request that it may send after it. */
function onView(
  state: State,
  request: number,
  change: (view: ShieldListView, next: number) => ShieldListView,
): State {
  const { shield } = state;
  const view = waitingFor(state, request);
  if (!shield || !view) return state;
  const next = shield.request + 1;
  const changed = change(view, next);
  const newest = changed.reading.request === next ? next : shield.request;
  return { ...withView(state, view, changed), shield: { ...shield, request: newest } };
}

/** Time between two automatic refreshes, ms. */
export const REFRESH_EVERY = 10_000;

/** A refresh of more searches than this needs an order. */
const MOST_BY_ITSELF = 5;

/** The price of a refresh in words. */
function priceWords(view: ShieldListView): string {
  const { price, oneSearch } = listOf(view);
  return price(view) === 1 ? oneSearch : `${price(view)} searches, one for each page read`;
}

/** True when a view refreshes by itself: a relative window, at a price that may be paid again and again. */
export function isAutoRefreshed(state: State, view: ShieldListView): boolean {
  const isRelative = view.query.window?.kind === 'last';
  return (state.shield?.isAuto ?? false) && isRelative && listOf(view).price(view) <= MOST_BY_ITSELF;
}

/** Ctrl-r: the same again. A day goes on where it stopped. */
export function refreshed(state: State, view: ShieldListView): State {
  if (view.reading.loading.kind === 'asking') return noticed(state, 'info', 'already asking');
  if (view.day) return dayResumed(state, view);
  const next = shieldAskedAgain(state, view);
  return listOf(view).price(view) === 1 ? next : noticed(next, 'info', `asking again: ${priceWords(view)}`);
}

/** Asks the same again, a relative window up to now. What is shown stays until the answer. */
function shieldAskedAgain(state: State, view: ShieldListView): State {
  if (!state.shield || view.day) return state;
  return askedOn(
    state,
    { ...view, fresh: [] },
    {
      page: 0,
      range: rangeOf(view.query.window, state.now),
      isRefresh: view.reading.readAt !== null,
      sparks: sparksOf(state, view.reading.plan),
    },
  );
}

/** The timer of the refresh rang: the list on top asks again, unless it is still asking. */
export function shieldRefreshed(state: State): State {
  const view = topShieldList(state);
  return !view || view.reading.loading.kind === 'asking' ? state : shieldAskedAgain(state, view);
}

export function toggledAuto(state: State, view: ShieldListView): State {
  if (!state.shield) return state;
  if (view.query.window?.kind !== 'last') {
    const text = 'a fixed window does not change; t chooses a relative one, such as last:15m';
    return noticed(state, 'info', text);
  }
  const isAuto = !state.shield.isAuto;
  if (isAuto && listOf(view).price(view) > MOST_BY_ITSELF) {
    return noticed(state, 'info', `not by itself: it would cost ${priceWords(view)}; Ctrl-r asks once`);
  }
  const text = isAuto ? `refreshing every 10 s: ${priceWords(view)}` : 'automatic refresh is off';
  return noticed({ ...state, shield: { ...state.shield, isAuto } }, 'info', text);
}

function dayResumed(state: State, view: ShieldRowsView): State {
  if (view.reading.isWhole)
    return noticed(state, 'info', 'the day is read whole; :day reads it anew or another one');
  if (view.reading.loading.kind === 'read') return noticed(state, 'info', 'the row limit is reached');
  return askedOn(state, view);
}

/**
 * What the explorer waits for, as a function of the stack: leaving a view, cancelling it or asking it something else
 * ends its request because nothing names that any more.
 */
export function shieldSubscriptions(state: State): Subscription[] {
  const { shield } = state;
  const views = state.views.filter(isShieldList);
  if (!shield || views.length === 0) return [];
  const id = shield.shieldZoneId;
  if (id === null) {
    const { request, zone } = shield;
    const key = `shield of ${zone.id} ${request}`;
    return [{ kind: 'shieldZone', key, pullZoneId: zone.id, request }];
  }
  const running = views.flatMap((view): Subscription[] => [...reading(view, id), ...counting(view, id)]);
  running.push({ kind: 'shieldRules', key: `rules ${id}`, shieldZoneId: id });
  if (views.some(isAsking)) running.push({ kind: 'clock', key: 'spinner', every: 200 });
  const top = views.at(-1);
  if (top && isCounting(state, top)) running.push({ kind: 'clock', key: 'age', every: 1000 });
  const isDue = top !== undefined && isAutoRefreshed(state, top) && top.reading.loading.kind !== 'asking';
  if (isDue && state.views.at(-1) === top) {
    running.push({ kind: 'shieldDue', key: `due ${shield.request}`, after: REFRESH_EVERY });
  }
  return running;
}

/** True while something with a spinner is under way. */
function isAsking({ reading, histogram }: ShieldListView): boolean {
  return reading.loading.kind === 'asking' || histogram?.loading.kind === 'asking';
}

/** True while the age of an old answer, or a server's retry time, is shown in seconds. */
function isCounting(state: State, { reading }: ShieldListView): boolean {
  const { loading } = reading;
  if (loading.kind !== 'failed' && loading.kind !== 'cancelled') return false;
  const isWaiting = loading.kind === 'failed' && (loading.failure.retryAt ?? 0) > state.now;
  return isWaiting || (reading.isRefresh && reading.readAt !== null);
}

function reading(view: ShieldListView, shieldZoneId: string): Subscription[] {
  const { request, loading } = view.reading;
  if (loading.kind !== 'asking') return [];
  const key = `shield ${request}`;
  if (view.day) {
    return [{ kind: 'shieldDay', key, request, shieldZoneId, day: view.day.day, token: view.day.token }];
  }
  return [{ kind: 'shieldSearch', key, request, shieldZoneId, ask: searchOf(view) }];
}

function counting(view: ShieldListView, shieldZoneId: string): Subscription[] {
  if (view.histogram?.loading.kind !== 'asking') return [];
  const ask = histogramSearch(view);
  const { request } = view.histogram;
  return ask ? [{ kind: 'shieldSearch', key: `shield ${request}`, request, shieldZoneId, ask }] : [];
}
