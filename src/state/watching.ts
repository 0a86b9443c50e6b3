import { explain } from '../domain/failure.ts';
import { watchLine } from '../domain/handover/watch-line.ts';
import type { Query } from '../domain/query/query.ts';
import { printWatch, type Watch, type WatchVerdict } from '../domain/watch/watch.ts';
import type { Zones } from '../domain/zone.ts';
import { count, percent } from '../text/units.ts';
import { zonesName } from './log-zones.ts';
import type { Done, Message, Subscription } from './messages.ts';
import { noticed, type State, type Watching } from './model.ts';
import type { About } from './screen.ts';

/** Past minutes cost a request each, a price nobody on screen was shown, ms. */
const PAST_MOST = 3_600_000;

/** A watch of the command line: its zones are still to be found. */
export function waitingFor(watch: Watch, query: Query): Watching {
  return { watch, query, zones: null, since: 0, verdict: null, failure: null, told: null };
}

/** `:tell 5xx>5%`: from now on, of the log on screen; a watch before it ends. */
export function watchAsked(
  state: State,
  watch: Watch,
  { query, zones: [first, ...others] }: About,
): State | string {
  if (first === undefined) return 'no zone is followed here';
  const zones: Zones = [first, ...others];
  const watching = { ...waitingFor(watch, query), zones, since: state.now };
  const price =
    watch.subject === 'shield' ? 'a search' : zones.length > 1 ? 'a request for each zone' : 'a request';
  const text = `waits for ${printWatch(watch)} of ${zonesName(zones)}, ${price} a minute; :tell ends it`;
  return noticed({ ...state, watching }, 'info', text);
}

/** `:tell` alone: it waits for nothing any more. */
export function watchEnded(state: State): State {
  const { watching } = state;
  return watching === null
    ? noticed(state, 'info', ':tell 5xx>5% tells once that holds of a whole minute')
    : noticed({ ...state, watching: null }, 'info', `no longer waits for ${printWatch(watching.watch)}`);
}

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
  return [{ kind: 'watch', key: `watch ${printWatch(watch)} ${since}`, watch, query, zones, since }];
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
  const isNew = watching.verdict?.kind !== 'met';
  // A minute that could not be judged leaves what was reported before.
  const kept = verdict.kind === 'waiting' && watching.verdict?.kind === 'met' ? watching.verdict : verdict;
  const isTold = verdict.kind === 'met' && (isNew || watching.told !== null);
  // Not every terminal has the dash between two times.
  const told = isTold ? verdict.reason.replaceAll('–', '-') : watching.told;
  const next: Watching = { ...watching, verdict: kept, failure, told };
  const { watch, query, zones } = watching;
  if (verdict.kind !== 'met' || !isNew || zones === null) return { ...state, watching: next };
  const text = `${zonesName(zones)}: ${verdict.reason.replaceAll('–', '-')}`;
  const asked = { condition: printWatch(watch), zones: zones.map(({ name }) => name), query };
  const line = watchLine(asked, watch, verdict);
  // The answer to a key would stand in place of why it rang.
  return [{ ...state, notice: null, watching: next }, [{ type: 'notify', text, line }]];
}

function rounded(measured: number): string {
  return measured < 10 ? String(Math.round(measured * 10) / 10) : count(Math.round(measured));
}
