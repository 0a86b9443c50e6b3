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
import { partOfAction, SERIES } from '../../domain/timeline/series.ts';
import { stepAt } from '../../domain/timeline/steps.ts';
import type { State } from '../model.ts';
import { isShieldList, type ShieldHistogram, type ShieldListView } from './shield-model.ts';

/** Parts of the window, and therefore searches that counting it costs. */
export const HISTOGRAM_PARTS = 12;

/** Whether the events of a view are neither counted nor at hand, or counting them did not end. */
export function isCountable(view: ShieldListView): boolean {
  const { histogram, reading } = view;
  if (view.kind === 'shieldRows' && reading.isWhole && view.rows.rows.length > 0) return false;
  return histogram === null || histogram.loading.kind === 'failed' || histogram.loading.kind === 'cancelled';
}

/** Starts to count the window of the view on top, part by part. */
export function histogramAsked(state: State, view: ShieldListView): State {
  if (!state.shield) return state;
  const request = state.shield.request + 1;
  const { from, to } = withinKept(view.reading.range, state.now, 'shield');
  const end = Math.max(from + HISTOGRAM_PARTS, Math.min(to, state.now));
  const histogram: ShieldHistogram = {
    request,
    loading: { kind: 'asking', since: state.now },
    steps: { from, step: (end - from) / HISTOGRAM_PARTS, count: HISTOGRAM_PARTS },
    from,
    counts: Array.from({ length: HISTOGRAM_PARTS }, () => null),
    isPartial: false,
  };
  const views = [...state.views.slice(0, -1), { ...view, histogram }];
  return { ...state, views, shield: { ...state.shield, request } };
}

/** The search for the oldest part that is not counted yet. */
export function histogramSearch(view: ShieldListView): ShieldSearchRequest | null {
  const { histogram, reading } = view;
  const at = histogram?.counts.indexOf(null) ?? -1;
  if (!histogram || at < 0) return null;
  const { from, to } = stepAt(histogram.steps, at);
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
  };
}

/** One part more; null when no histogram waits for this request. */
export function histogramCounted(state: State, request: number, answer: ShieldAnswer): State | null {
  return onHistogram(state, request, (histogram, next, local) => {
    const at = histogram.counts.indexOf(null);
    const counts = histogram.counts.with(at, countsOf(answer, local));
    const isDone = !counts.includes(null);
    const isPartial = histogram.isPartial || answer.totalPages > 1;
    return {
      ...histogram,
      from: Math.max(histogram.from, answer.gone?.to ?? histogram.from),
      counts,
      isPartial,
      ...(isDone ? { loading: { kind: 'read' } } : { request: next }),
    };
  });
}

export function histogramFailed(state: State, request: number, failure: Failure): State | null {
  return onHistogram(state, request, (histogram) => ({ ...histogram, loading: { kind: 'failed', failure } }));
}

function countsOf(answer: ShieldAnswer, local: readonly Term[]): number[] {
  const counts = SERIES.action.map(() => 0);
  const matches = shieldMatcher(local.filter((term) => term.kind === 'field'));
  for (const group of answer.groups.filter((each) => matches(each.key))) {
    const part = partOfAction(group.key['action'] ?? null);
    counts[part] = (counts[part] as number) + group.count;
  }
  return counts;
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
