import type { Failure } from '../../domain/failure.ts';
import { withinKept } from '../../domain/log-retention.ts';
import { shieldMatcher } from '../../domain/query/match.ts';
import type { Term } from '../../domain/query/query.ts';
import {
  LARGEST_SHIELD_PAGE,
  type ShieldAnswer,
  type ShieldSearchRequest,
} from '../../domain/shield/shield.ts';
import { bucketSteps, stepsSince } from '../../domain/shield/shield-buckets.ts';
import { dimensionOf } from '../../domain/shield/shield-question.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { partOfAction, SERIES } from '../../domain/timeline/series.ts';
import { type Steps, stepAt } from '../../domain/timeline/steps.ts';
import { timelineCells } from '../../state/list/screen-layout.ts';
import type { State } from '../../state/model.ts';
import {
  type CountedBy,
  isShieldList,
  type ShieldHistogram,
  type ShieldListView,
} from '../../state/shield-model.ts';
import { withTop, withView } from '../../state/view-stack.ts';
import { listOf } from './shield-lists.ts';

/** Parts of the window, where each takes a search. */
export const HISTOGRAM_PARTS = 12;

/** Whether the events of a view are neither counted nor at hand, or a count of them did not end. */
export function isCountable(view: ShieldListView): boolean {
  const { histogram } = view;
  if (listOf(view).isAtHand(view)) return false;
  return histogram === null || histogram.loading.kind === 'failed' || histogram.loading.kind === 'cancelled';
}

/** Starts to count the window of the top view. */
export function histogramAsked(state: State, view: ShieldListView): State {
  if (!state.shield) return state;
  const request = state.shield.request + 1;
  const { from, to } = withinKept(view.reading.range, state.now, 'shield');
  const range = { from, to: Math.max(from + HISTOGRAM_PARTS, Math.min(to, state.now)) };
  const begun =
    state.knowsBuckets === false
      ? uncounted('each', partsOf(range))
      : uncounted('one', bucketSteps(range, timelineCells(state)));
  const histogram: ShieldHistogram = { ...begun, request, loading: { kind: 'asking', since: state.now } };
  return { ...withTop(state, { ...view, histogram }), shield: { ...state.shield, request } };
}

/** An interrupted count begins anew, in the way that the server is known to understand by now. */
export function histogramResumed(state: State, histogram: ShieldHistogram): ShieldHistogram {
  const resumed =
    histogram.by === 'one' && state.knowsBuckets === false
      ? inParts(histogram, histogram.request).histogram
      : histogram;
  return { ...resumed, loading: { kind: 'asking', since: state.now } };
}

/** The search for all steps, or for the oldest uncounted part. */
export function histogramSearch(view: ShieldListView): ShieldSearchRequest | null {
  const { histogram, reading } = view;
  const at = histogram?.counts.indexOf(null) ?? -1;
  if (!histogram || at < 0) return null;
  const { by, steps } = histogram;
  const { from, to } = by === 'one' ? rangeOf(steps) : stepAt(steps, at);
  const { query, filters, local } = reading.plan;
  const excluded = local.flatMap((term) => (term.kind === 'field' ? (dimensionOf(term.field) ?? []) : []));
  return {
    from: Math.round(from),
    to: Math.round(to),
    query,
    filters,
    groupBy: [...new Set(['action' as const, ...excluded])],
    page: 0,
    pageSize: LARGEST_SHIELD_PAGE,
    ...(by === 'one' ? { buckets: steps.count } : {}),
  };
}

/** All steps or one part more; null when no histogram waits for this request. */
export function histogramCounted(state: State, request: number, answer: ShieldAnswer): State | null {
  return onHistogram(state, request, (histogram, next, local) => {
    const counted =
      histogram.by === 'one' ? allCounted(histogram, answer, local) : partCounted(histogram, answer, local);
    if (counted === null) return inParts(histogram, next);
    const all: ShieldHistogram = {
      ...histogram,
      ...counted,
      isPartial: histogram.isPartial || answer.totalPages > 1 || answer.bad > 0,
    };
    // An answer without a group says nothing about the server.
    const told = histogram.by === 'one' && answer.groups.length > 0 ? { knowsBuckets: true } : {};
    const isDone = !all.counts.includes(null);
    return { ...told, histogram: isDone ? { ...all, loading: { kind: 'read' } } : { ...all, request: next } };
  });
}

/** Counts part by part where only the one search for all was refused; else reports the failure. */
export function histogramFailed(state: State, request: number, failure: Failure): State | null {
  const isRefused = failure.kind === 'invalidRequest' && failure.status === 400;
  return onHistogram(state, request, (histogram, next) => {
    if (histogram.by === 'one' && isRefused) return inParts(histogram, next);
    // A server that refuses the first part, too, objects to something else.
    const isUnlearnt = histogram.by === 'eachInstead' && isRefused && histogram.counts[0] === null;
    return {
      histogram: { ...histogram, loading: { kind: 'failed', failure } },
      ...(isUnlearnt ? { knowsBuckets: null } : {}),
    };
  });
}

type Uncounted = Omit<ShieldHistogram, 'request' | 'loading'>;

function uncounted(by: CountedBy, steps: Steps): Uncounted {
  const counts = Array.from({ length: steps.count }, () => null);
  return { by, steps, from: steps.from, counts, isPartial: false };
}

/** Counts part by part, on a server that counts no steps. */
function inParts(histogram: ShieldHistogram, request: number): Changed {
  const parts = uncounted('eachInstead', partsOf(rangeOf(histogram.steps)));
  return { histogram: { ...histogram, ...parts, request }, knowsBuckets: false };
}

function partsOf({ from, to }: TimeRange): Steps {
  return { from, step: (to - from) / HISTOGRAM_PARTS, count: HISTOGRAM_PARTS };
}

function rangeOf({ from, step, count }: Steps): TimeRange {
  return { from, to: from + step * count };
}

type Counted = Pick<ShieldHistogram, 'from' | 'counts'>;

/** Null where a group lacks the steps, or its steps do not add up to it. */
function allCounted(
  { steps }: ShieldHistogram,
  { events, groups, gone }: ShieldAnswer,
  local: readonly Term[],
): Counted | null {
  const kept = stepsSince(steps, gone?.to ?? steps.from);
  const parts = groups.filter(({ raw }) => raw === null);
  const areTold = parts.every(({ count, sparkline = [] }) => {
    return sparkline.length === kept.count && sparkline.reduce((sum, each) => sum + each, 0) === count;
  });
  if (events.length > 0 || !areTold) return null;
  const counts = Array.from({ length: steps.count }, () => SERIES.action.map(() => 0));
  const matches = matcherOf(local);
  for (const { key, sparkline = [] } of parts.filter((each) => matches(each.key))) {
    const part = partOfAction(key['action'] ?? null);
    for (const [at, count] of sparkline.entries()) {
      const step = counts[steps.count - kept.count + at] as number[];
      step[part] = (step[part] as number) + count;
    }
  }
  return { from: kept.from, counts };
}

function partCounted(
  histogram: ShieldHistogram,
  { groups, gone }: ShieldAnswer,
  local: readonly Term[],
): Counted {
  const counts = SERIES.action.map(() => 0);
  const matches = matcherOf(local);
  for (const group of groups.filter((each) => matches(each.key))) {
    const part = partOfAction(group.key['action'] ?? null);
    counts[part] = (counts[part] as number) + group.count;
  }
  const at = histogram.counts.indexOf(null);
  return {
    from: Math.max(histogram.from, gone?.to ?? histogram.from),
    counts: histogram.counts.with(at, counts),
  };
}

function matcherOf(local: readonly Term[]) {
  return shieldMatcher(local.filter((term) => term.kind === 'field'));
}

/** What an answer makes of a histogram, and what it shows of the server. */
type Changed = { histogram: ShieldHistogram; knowsBuckets?: boolean | null };

/** Changes the histogram that waits for this request; `next` numbers the request that it may send after it. */
function onHistogram(
  state: State,
  request: number,
  change: (histogram: ShieldHistogram, next: number, local: readonly Term[]) => Changed,
): State | null {
  const { shield } = state;
  const view = state.views.filter(isShieldList).findLast((each) => each.histogram?.request === request);
  if (!shield || !view?.histogram) return null;
  const next = shield.request + 1;
  const { histogram, ...told } = change(view.histogram, next, view.reading.plan.local);
  return {
    ...withView(state, view, { ...view, histogram }),
    ...told,
    shield: { ...shield, request: histogram.request === next ? next : shield.request },
  };
}
