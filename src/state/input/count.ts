import type { CommandId } from '../../keys/bindings.ts';
import { keptLog, restoredLog, sessions } from '../logs/session.ts';
import type { Action, PlainAction, Step } from '../messages.ts';
import { afterKey, type Left, noticed, type State, type View } from '../model.ts';
import { withEach } from '../view-stack.ts';
import { begun, pressed } from './pace.ts';

/** No list has more rows than six digits count. */
const MOST = 999_999;

/** How long a 0 behind the key of a screen brings back what was there, ms: as long as vi waits for the rest of a key. */
export const TAKEN_BACK_FOR = 1000;

const SCREEN_DIGITS: Partial<Record<CommandId, number>> = {
  zonesScreen: 1,
  logsScreen: 2,
  shieldScreen: 3,
  storageScreen: 4,
  keysScreen: 5,
};

/** A digit that is no screen: it begins a count, or goes on with one. */
function withCount(state: State, digit: number): State {
  const { left, now } = state;
  if (left && digit === 0 && now - left.since < TAKEN_BACK_FOR) return takenBack(state, left);
  const count = (state.count ?? 0) * 10 + digit;
  return count > MOST
    ? noticed(state, 'info', 'a count has six digits at most; Esc drops it')
    : { ...state, count, left: null };
}

/** What a key makes of the state: a count is for the next key alone, and Esc does nothing but drop it. */
function withoutCount(state: State, action: PlainAction, told: () => Step): Step {
  const command = action.type === 'commanded' ? action.command : null;
  if (command === 'leave' && state.count !== null) return [{ ...afterKey(state), count: null }, []];
  const [next, effects] = told();
  return [{ ...next, count: null, left: command && leftBy(state, command) }, effects];
}

/** What is told of what was left goes there, while it can still be brought back. */
function toldLeft(
  state: State,
  action: PlainAction,
  told: (state: State, action: PlainAction) => Step,
): Step {
  const [next, effects] = told(state, action);
  const { left } = next;
  if (!left) return [next, effects];
  if (action.type === 'ticked' && state.now - left.since >= TAKEN_BACK_FOR)
    return [{ ...next, left: null }, effects];
  const isTaken =
    next.session !== state.session || next.views !== state.views || next.parked !== state.parked;
  if (isTaken) return [{ ...next, left: renewed(left, state, next) }, effects];
  if (action.type !== 'tailRead' && action.type !== 'needMet') return [next, effects];
  const [there, more] = told({ ...next, ...stackOf(left) }, action);
  return [{ ...there, ...stackOf(next), left: { ...left, ...stackOf(there) } }, [...effects, ...more]];
}

/** A view that was left and still is on show, or parked, is one: it is brought back as it is now. */
function renewed(left: Left, before: State, after: State): Left {
  const now = new Map<View, View | undefined>([
    ...before.views.map((view, at) => [view, after.views[at]] as const),
    ...before.parked.map((view, at) => [view, after.parked[at]] as const),
  ]);
  const asNow = (view: View) => now.get(view) ?? view;
  return { ...left, views: left.views.map(asNow), parked: left.parked.map(asNow) };
}

function leftBy(state: State, command: CommandId): Left | null {
  const digit = SCREEN_DIGITS[command];
  // A log that lay beneath another has its own filter again: what was left is no longer as it was.
  const isUncovered = command === 'logsScreen' && sessions(state).length > 1;
  return digit === undefined || isUncovered ? null : { ...stackOf(state), digit, since: state.now };
}

function takenBack(state: State, left: Left): State {
  const { digit, session, shield } = left;
  const newest = new Map(sessions(state).map((each) => [each.generation, each]));
  const uncovered = (views: readonly View[]) =>
    withEach(views, 'log', (log) =>
      log.beneath ? { ...log, beneath: newest.get(log.beneath.generation) ?? log.beneath } : log,
    );
  const shown = keptLog(state);
  const next: State = {
    ...state,
    views: uncovered(left.views),
    parked: uncovered(left.parked),
    session: session && (newest.get(session.generation) ?? session),
    // No two requests may have one number.
    shield: shield && { ...shield, request: Math.max(shield.request, state.shield?.request ?? 0) },
    count: digit * 10,
    left: null,
  };
  const isFiltered = shown === null || shown === keptLog({ ...state, ...left });
  return isFiltered || state.session?.book !== next.session?.book ? next : restoredLog(next, shown.paused);
}

function stackOf({ views, parked, session, shield }: Pick<State, 'views' | 'parked' | 'session' | 'shield'>) {
  return { views, parked, session, shield };
}

/** What a key, or text that came like keys, may be. */
const PRESSES: ReadonlySet<Action['type']> = new Set([
  'commanded',
  'ordered',
  'offerChosen',
  'offerTaken',
  'refused',
  'typed',
  'pasted',
  'edited',
  'submitted',
  'cancelled',
  'completed',
  'promptMoved',
  'helpScrolled',
]);

/** Counts the keys of a line, and how fast they came, before they are acted on; of digits before a key it keeps the count. */
export function paced(state: State, action: Action, told: (state: State, action: PlainAction) => Step): Step {
  const asked = { ...state, pace: pressed(state.pace, state.now) };
  if (action.type === 'counted') return [withCount(afterKey(asked), action.digit), []];
  if (!PRESSES.has(action.type)) return toldLeft(state, action, told);
  const [next, effects] = withoutCount(asked, action, () => told(asked, action));
  // What was pressed before a line was opened says nothing of what comes in it.
  const isOpened = state.prompt === null && next.prompt !== null;
  return [isOpened ? { ...next, pace: begun(state.now) } : next, effects];
}
