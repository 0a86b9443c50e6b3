import { EMPTY_QUERY } from '../domain/query/query.ts';
import type { PullZone, Zones } from '../domain/zone.ts';
import { stoppedToChoose } from '../screens/log/log-commands.ts';
import { onTop } from '../screens/screens.ts';
import { begunAnew, remembered, topShield } from '../screens/shield/shield-ask.ts';
import { FIRST_QUESTION, openShield } from '../screens/shield/shield-open.ts';
import { openZones } from '../screens/zones/zones-screen.ts';
import { CHOOSE_ONE_ZONE, zonesOfLog } from '../state/log-zones.ts';
import { noticed, type State, type View } from '../state/model.ts';
import { unwound } from '../state/sessions/session.ts';
import { isShieldView } from '../state/shield-model.ts';
import { backTo, viewsOf } from '../state/view-stack.ts';

/**
 * To the first log pane where one is on screen; from the explorer to the log pane of the same zone, as it was left.
 * Both screens live side by side: one is parked with all that it read, so that going to and fro asks nothing. The log
 * goes on being followed; of the explorer only what was under way is asked again.
 */
export function toLogs(state: State): State {
  const { shield } = state;
  const first = backTo(state, 'log');
  if (first) return unwound(state, first.views.length);
  if (state.parked.length > 0) return swapped(state);
  if (!shield) return noZoneOpen(state);
  if (shield.zone.id === '') {
    const text = `${shield.zone.name} is known by its Shield id only; open its pull zone by name for the logs`;
    return noticed(state, 'info', text);
  }
  const window = topShield(state)?.query.window ?? null;
  // Of the newest events one goes to the newest rows, which are followed; of a time to that time.
  const query = { ...EMPTY_QUERY, window: window?.kind === 'absolute' ? window : null };
  return beside(state, openZones(state, [shield.zone], query));
}

/**
 * To the top of the explorer where it is on screen; from the log pane to the explorer as it was left, or a new one.
 * The explorer is of one zone: from a log of several, of the zone of the row under the cursor.
 */
export function toShield(state: State): State {
  const at = state.views.findIndex(isShieldView);
  if (at >= 0) return at === state.views.length - 1 ? state : unwound(remembered(state), at + 1);
  const [zone, ...others] = zonesOfLog(state.session);
  if (zone && others.length > 0) return shieldUnder(state, [zone, ...others]);
  if (state.parked.length > 0) return swapped(state);
  return zone ? shieldBeside(state, zone) : noZoneOpen(state);
}

function shieldUnder(state: State, zones: Zones): State {
  const stopped = stoppedToChoose(state, 'j and k choose a row of the zone, then 3 again');
  if (stopped) return stopped;
  const id = onTop(state, 'under')?.zone;
  const zone = zones.find((each) => each.id === id);
  if (!zone) return noticed(state, 'info', `${CHOOSE_ONE_ZONE}: 3 on one of its rows opens its explorer`);
  const isParked = state.parked.some(isShieldView) && state.shield?.zone.id === zone.id;
  return isParked ? swapped(state) : shieldBeside(state, zone);
}

function shieldBeside(state: State, zone: PullZone): State {
  const { session } = state;
  const query = { ...FIRST_QUESTION, window: session?.asked.window ?? FIRST_QUESTION.window };
  return beside(state, { ...openShield(state, zone, query), session });
}

function noZoneOpen(state: State): State {
  return noticed(state, 'info', 'no zone is open; 1 lists them');
}

/** The screen shown changes places with the parked one. */
function swapped(state: State): State {
  const { root, rest } = parts(state.views);
  const views = [
    ...root,
    ...state.parked.map((view) => (isShieldView(view) ? begunAnew(state, view) : view)),
  ];
  return { ...state, views, parked: rest };
}

/** A screen opened beside the one shown, which is parked unless the other could not be opened. */
function beside(before: State, opened: State): State {
  return opened.views === before.views ? opened : { ...opened, parked: parts(before.views).rest };
}

function parts(views: readonly View[]): { root: readonly View[]; rest: readonly View[] } {
  const root = viewsOf(views, 'zones');
  return { root, rest: views.slice(root.length) };
}
