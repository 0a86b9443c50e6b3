import type { Subscription } from '../../state/messages.ts';
import type { State } from '../../state/model.ts';
import { isShieldList, type ShieldListView } from '../../state/shield-model.ts';
import { searchOf } from './shield-ask.ts';
import { histogramSearch } from './shield-histogram.ts';
import { isAutoRefreshed, REFRESH_EVERY } from './shield-refresh.ts';

/**
 * What the explorer waits for, as a function of what is on the way to the screen: leaving a view, cancelling it or
 * asking it something else ends its request because nothing names that any more.
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

/** True while something is under way that a spinner tells of. */
function isAsking({ reading, histogram }: ShieldListView): boolean {
  return reading.loading.kind === 'asking' || histogram?.loading.kind === 'asking';
}

/** True while what is shown grows older than an answer that did not come, or a server said when to ask again. */
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
