import type { Failure } from '../../domain/failure.ts';
import { withinKept } from '../../domain/kept.ts';
import { shieldMatcher } from '../../domain/query/match.ts';
import type { Term } from '../../domain/query/query.ts';
import {
  LARGEST_SHIELD_PAGE,
  type ShieldAnswer,
  type ShieldSearchRequest,
} from '../../domain/shield/shield.ts';
import { dimensionOf } from '../../domain/shield/shield-question.ts';
import type { ShieldRow } from '../../domain/shield/shield-rows.ts';
import { equalParts } from '../../domain/tail/coverage.ts';
import type { State } from '../model.ts';
import {
  type ActionCounts,
  isShieldList,
  type ShieldHistogram,
  type ShieldListView,
} from './shield-model.ts';

/** Parts of the window, and therefore searches that counting it costs. */
export const HISTOGRAM_BUCKETS = 12;

const NOTHING: ActionCounts = { blocked: 0, challenged: 0, logged: 0, other: 0 };

/** Starts to count the window of the view on top, part by part. */
export function histogramAsked(state: State, view: ShieldListView): State {
  if (!state.shield) return state;
  const request = state.shield.request + 1;
  const { from, to } = withinKept(view.reading.range, state.now, 'shield');
  const buckets = equalParts(
    { from, to: Math.max(from + HISTOGRAM_BUCKETS, Math.min(to, state.now)) },
    HISTOGRAM_BUCKETS,
  );
  const histogram: ShieldHistogram = {
    request,
    loading: { kind: 'asking', since: state.now },
    buckets,
    counts: buckets.map(() => null),
    isPartial: false,
  };
  const views = [...state.views.slice(0, -1), { ...view, histogram }];
  return { ...state, views, shield: { ...state.shield, request } };
}

/** The search for the oldest part that is not counted yet. */
export function histogramSearch(view: ShieldListView): ShieldSearchRequest | null {
  const { histogram, reading } = view;
  const next = histogram?.buckets[histogram.counts.indexOf(null)];
  if (!next) return null;
  const { query, filters, local } = reading.plan;
  const excluded = local.flatMap((term) => (term.kind === 'field' ? (dimensionOf(term.field) ?? []) : []));
  return {
    ...next,
    query,
    filters,
    groupBy: [...new Set(['action' as const, ...excluded])],
    page: 0,
    pageSize: LARGEST_SHIELD_PAGE,
  };
}

/** One part more; null when no histogram waits for this request. */
export function histogramCounted(state: State, request: number, answer: ShieldAnswer): State | null {
  return onHistogram(state, request, (histogram, next, local) => {
    const at = histogram.counts.indexOf(null);
    const counts = histogram.counts.with(at, countsOf(answer, local));
    const isDone = !counts.includes(null);
    const isPartial = histogram.isPartial || answer.totalPages > 1;
    const bucket = histogram.buckets[at];
    const buckets =
      answer.gone && bucket
        ? histogram.buckets.with(at, { from: answer.gone.to, to: bucket.to })
        : histogram.buckets;
    return {
      ...histogram,
      buckets,
      counts,
      isPartial,
      ...(isDone ? { loading: { kind: 'read' } } : { request: next }),
    };
  });
}

export function histogramFailed(state: State, request: number, failure: Failure): State | null {
  return onHistogram(state, request, (histogram) => ({ ...histogram, loading: { kind: 'failed', failure } }));
}

/** The same drawn from rows that are all at hand: it costs nothing. */
export function histogramOfRows(
  rows: readonly ShieldRow[],
  buckets: readonly { from: number; to: number }[],
): ActionCounts[] {
  const first = buckets[0]?.from ?? 0;
  const span = (buckets.at(-1)?.to ?? 0) - first;
  const counts = buckets.map(() => ({ ...NOTHING }));
  for (const { at, fields } of rows) {
    const bucket = counts[Math.floor(((at - first) / span) * buckets.length)];
    if (!bucket) continue;
    bucket[slotOf(fields['action'] ?? null)] += 1;
  }
  return counts;
}

function countsOf(answer: ShieldAnswer, local: readonly Term[]): ActionCounts {
  const counts = { ...NOTHING };
  const matches = shieldMatcher(local.filter((term) => term.kind === 'field'));
  for (const group of answer.groups.filter((each) => matches(each.key)))
    counts[slotOf(group.key['action'] ?? null)] += group.count;
  return counts;
}

function slotOf(action: string | null): keyof ActionCounts {
  const word = action?.toLowerCase();
  return word === 'blocked' || word === 'challenged' || word === 'logged' ? word : 'other';
}

function onHistogram(
  state: State,
  request: number,
  change: (histogram: ShieldHistogram, next: number, local: readonly Term[]) => ShieldHistogram,
): State | null {
  const { shield } = state;
  const at = state.views.findLastIndex((view) => isShieldList(view) && view.histogram?.request === request);
  const view = state.views[at];
  if (!shield || !view || !isShieldList(view) || !view.histogram) return null;
  const next = shield.request + 1;
  const histogram = change(view.histogram, next, view.reading.plan.local);
  return {
    ...state,
    views: state.views.with(at, { ...view, histogram }),
    shield: { ...shield, request: histogram.request === next ? next : shield.request },
  };
}
