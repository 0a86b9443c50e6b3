import { explain } from '../domain/failure.ts';
import { printWatch, type WatchVerdict } from '../domain/watch/watch.ts';
import type { Zones } from '../domain/zone.ts';
import { count, percent } from '../text/units.ts';
import type { Done, Message, Subscription } from './messages.ts';
import type { State, Watching } from './model.ts';

/** Past minutes cost a request each, a price nobody on screen was shown, ms. */
const PAST_MOST = 3_600_000;

/** The zones of the command line are found: the watch begins now, or with its window. */
export function watchBegun(state: State, zones: Zones): State {
  const { watching } = state;
  if (watching === null || watching.zones !== null) return state;
  const { window } = watching.query;
  const start = window?.kind === 'last' ? state.now - window.duration : (window?.from ?? state.now);
  const since = Math.max(start, state.now - PAST_MOST);
  return { ...state, watching: { ...watching, zones, since } };
}

/** The judgement of a minute. */
export function watchTold(state: State, action: Message<'watchJudged' | 'watchFailed'>): Done {
  const { watching } = state;
  if (watching === null) return state;
  if (action.type === 'watchJudged') return judged(state, watching, action.verdict);
  return { ...state, watching: { ...watching, failure: action.failure } };
}

/** Esc removes the line that says why it rang; null = there is none. */
export function watchDismissed(state: State): State | null {
  const { watching } = state;
  return watching?.told ? { ...state, watching: { ...watching, told: null } } : null;
}

export function watchSubscriptions({ watching }: State): Subscription[] {
  if (!watching?.zones) return [];
  const { watch, query, zones, since } = watching;
  return [{ kind: 'watch', key: 'watch', watch, query, zones, since }];
}

/** `until hit<60%: 71 %` */
export function watchWords({ watch, verdict, failure }: Watching): string {
  const start = `until ${printWatch(watch)}:`;
  if (failure !== null) return `${start} ${explain(failure).what}`;
  if (verdict === null || verdict.kind === 'waiting') return `${start} no minute yet`;
  const { measured } = verdict;
  const told = watch.unit === '%' ? percent(measured / 100) : `${rounded(measured)}${watch.unit}`;
  return `${start} ${told}`;
}

/** The bell rings when the condition becomes true, and not again until it was false. */
function judged(state: State, watching: Watching, verdict: WatchVerdict): Done {
  const failure = verdict.kind === 'waiting' ? watching.failure : null;
  const isNew = verdict.kind === 'met' && watching.verdict?.kind !== 'met';
  // A minute that could not be judged leaves what was reported before.
  const kept = verdict.kind === 'waiting' && watching.verdict?.kind === 'met' ? watching.verdict : verdict;
  const isTold = verdict.kind === 'met' && (isNew || watching.told !== null);
  // Not every terminal has the dash between two times.
  const told = isTold ? verdict.reason.replaceAll('–', '-') : watching.told;
  const next: State = { ...state, watching: { ...watching, verdict: kept, failure, told } };
  return isNew ? [next, [{ type: 'ring' }]] : next;
}

function rounded(measured: number): string {
  return measured < 10 ? String(Math.round(measured * 10) / 10) : count(Math.round(measured));
}
