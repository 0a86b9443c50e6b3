import { type Failure, failureOf } from '../../domain/failure.ts';
import type { ShieldAnswer, ShieldDayPage, WafRule } from '../../domain/shield/shield.ts';
import {
  featuresLearned,
  MOST_SHIELD_ROWS,
  rowsOfEvents,
  withDayFields,
  withRows,
} from '../../domain/shield/shield-rows.ts';
import { sumOfStrays } from '../../domain/strays.ts';
import { reported, type State } from '../../state/model.ts';
import {
  isShieldList,
  isShieldView,
  noShieldWords,
  type ShieldListView,
  type ShieldLoading,
  type ShieldReading,
} from '../../state/shield-model.ts';
import { withView } from '../../state/view-stack.ts';
import { histogramCounted, histogramFailed } from './shield-histogram.ts';
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
