import { withDetail } from '../across/beside/detail.ts';
import { withoutStaleWork } from '../across/beside/top-values.ts';
import { copied } from '../across/handover/copy-menu.ts';
import { exportAdvanced, exportEnded } from '../across/handover/export-menu.ts';
import { findingFailed } from '../across/handover/note-entry.ts';
import { repaused } from '../across/handover/session-place.ts';
import { viewsRead } from '../across/handover/view-list.ts';
import { lineKept, ordered } from '../across/input/ordered.ts';
import { isPicker } from '../across/input/pickers.ts';
import {
  offerTaken,
  openPrompt,
  overlayUnder,
  promptCancelled,
  promptCompleted,
  promptEdited,
  promptMoved,
  promptSubmitted,
  reoffered,
} from '../across/input/prompts.ts';
import { stepPointed, withBrushOnScreen } from '../across/timeline/brush.ts';
import { needMet } from '../screens/answer/answer-commands.ts';
import { keysSettled, revealRecorded } from '../screens/keys/keys-screen.ts';
import { storeCounted } from '../screens/log/group-commands.ts';
import { withGroupsRecounted } from '../screens/log/log-commands.ts';
import { isReadingOver, savedRead } from '../screens/log/saved.ts';
import { listTaken, resized, withCursorsShown } from '../screens/screens.ts';
import {
  shieldAnswered,
  shieldDayRead,
  shieldFailed,
  shieldRefreshed,
  shieldRulesArrived,
  shieldZoneFound,
} from '../screens/shield/shield-reading.ts';
import {
  changeEnded,
  changeStepped,
  editFailed,
  editOpened,
  pasteRefused,
} from '../screens/storage/edit-commands.ts';
import {
  intentSettled,
  intentsFound,
  settingsFailed,
  settingsRead,
  undoFound,
} from '../screens/storage/storage-commands.ts';
import { healthRead, isHealthRead, withReadings } from '../screens/zones/health-reading.ts';
import { shieldAfterRows, shieldMapped } from '../screens/zones/zones-screen.ts';
import { withTold } from '../state/evidence/platform-evidence.ts';
import { type Action, asStep, type Done, type Message, type Step } from '../state/messages.ts';
import { afterKey, noticed, remarked, reported, type State } from '../state/model.ts';
import { begun, pressed } from '../state/prompt-kind.ts';
import { requestSeen } from '../state/request-log.ts';
import { tailRead, withinBytes } from '../state/sessions/session.ts';
import { storeValued } from '../state/sessions/stored-values.ts';
import { storeStepped } from '../state/timeline/stored-steps.ts';
import { watchTold } from '../state/watching.ts';
import { commanded } from './global-commands.ts';
import { helpMoved } from './overlays.ts';
import { worked } from './work.ts';

/**
 * The whole program as a function: state and action give the next state and the effects. `now` is Unix ms. Pure but
 * for the session's book, the program's row store, which changes in place.
 */
export function update(before: State, action: Action, now: number): Step {
  const state: State = before.now === now ? before : { ...before, now };
  const reduce = REDUCERS[action.type] as (state: State, action: Action) => Done;
  const isPress = PRESSES.has(action.type);
  const [told, effects] = asStep(reduce(isPress ? withPress(state) : state, action));
  // Keys before a line was opened, even in the command line, say nothing about the keys in it.
  const isOpened = isPress && told.prompt !== null && told.prompt.kind !== state.prompt?.kind;
  const paced = isOpened ? { ...told, pace: begun(now) } : told;
  const next = withBrushOnScreen(withCursorsShown(state, paced));
  // What is read for the picker alone ends with it.
  return [withoutStaleWork(isHealthRead(next) ? next : withReadings(next)), effects];
}

/** Actions of a key, or of text that came like keys. */
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
  'helpMoved',
  'stepPointed',
]);

/** A key ends what was said before it, and counts to the pace of its line. */
function withPress(state: State): State {
  return { ...afterKey(state), pace: pressed(state.pace, state.now) };
}

/** What each message makes of the state; where it orders nothing, the state alone. */
type Reducers = {
  [T in Action['type']]: (state: State, action: Message<T>) => Done;
};

const REDUCERS: Reducers = {
  commanded: (state, { command }) => kept(commanded({ ...state, resuming: null }, command)),
  ordered: (state, { command, argument, line }) => {
    const asked: State = { ...state, resuming: null };
    const closed: State = { ...asked, prompt: null, overlay: overlayUnder(state, command) };
    if (argument === null) return kept(commanded(closed, command));
    const outcome = ordered(closed, command, argument);
    return kept('step' in outcome ? outcome.step : lineKept(asked, line, outcome));
  },
  offerChosen: (state, { line }) =>
    state.prompt ? { ...state, prompt: { ...state.prompt, chosen: line } } : state,
  offerTaken: (state, { offer }) => (state.prompt ? offerTaken(state, state.prompt, offer) : state),
  refused: (state, { why }) => noticed(state, 'info', why),
  typed: (state, { text }) => typed(state, text),
  pasted: (state, { text }) => pasted(state, text),
  edited: (state, { edit }) => (state.prompt ? promptEdited(state, state.prompt, edit) : state),
  submitted: (state) => (state.prompt ? promptSubmitted(state, state.prompt) : state),
  cancelled: (state) => (state.prompt ? promptCancelled(state, state.prompt) : state),
  completed: (state) => (state.prompt ? promptCompleted(state, state.prompt) : state),
  promptMoved: (state, { by }) => promptMoved(state, by),
  helpMoved: (state, { cursor }) => helpMoved(state, cursor),
  stepPointed: (state, { cell }) => stepPointed(state, cell),
  resized: (state, { columns, rows }) => resized({ ...state, size: { columns, rows } }),
  ticked: (state) => withDetail(keysSettled(state)),
  listArrived: listTaken,
  listFailed: listTaken,
  shieldMapped: (state, { pairs }) => shieldMapped(state, pairs),
  healthRead: (state, { turn, answer }) => healthRead(state, turn, answer),
  healthDue: withReadings,
  tailRead: (state, action) => [
    withGroupsRecounted(repaused(withinBytes(tailRead(state, action)))),
    shieldAfterRows(state, action.generation),
  ],
  storeCounted,
  storeStepped,
  storeValued: (state, action) => reoffered(storeValued(state, action)),
  savedRead: (state, { generation, event }) =>
    withGroupsRecounted(withinBytes(savedRead(state, generation, event)), isReadingOver(state, event)),
  shieldZoneFound: (state, { pullZoneId, shieldZoneId }) => shieldZoneFound(state, pullZoneId, shieldZoneId),
  shieldAnswered: (state, { request, answer }) => shieldAnswered(state, request, answer),
  shieldDayRead: (state, { request, page }) => shieldDayRead(state, request, page),
  shieldFailed: (state, { request, failure }) => shieldFailed(state, request, failure),
  shieldRulesArrived: (state, { shieldZoneId, rules }) => shieldRulesArrived(state, shieldZoneId, rules),
  shieldDue: shieldRefreshed,
  // A request number belongs to one view: the settings, or the edit that begins.
  storageZoneRead: (state, { request, zone }) =>
    editOpened(settingsRead(state, request, zone), request, zone),
  storageZoneFailed: (state, { request, failure }) =>
    editFailed(settingsFailed(state, request, failure), request, failure),
  undoFound: (state, { request, found }) => undoFound(state, request, found),
  changeStepped: (state, { request, step }) => changeStepped(state, request, step),
  changeEnded: (state, { request, end }) => changeEnded(state, request, end),
  intentsFound: (state, { intents }) => intentsFound(state, intents),
  intentSettled: (state, { intent, settlement }) => intentSettled(state, intent, settlement),
  revealRecorded: (state, { request, recorded }) => revealRecorded(state, request, recorded),
  needMet: (state, { inquiry, need, met }) => needMet(withTold(state, need, met), inquiry, need, met),
  requestSeen: (state, { event }) => requestSeen(state, event),
  worked,
  budgetSeen: (state, { budget }) => ({ ...state, budget }),
  remarked: (state, { remark }) => remarked(state, remark),
  copied: (state, { length, isSent }) => copied(state, length, isSent),
  exportAdvanced: (state, { id, written }) => exportAdvanced(state, id, written),
  exportEnded: (state, { id, outcome }) => exportEnded(state, id, outcome),
  viewsRead,
  watchJudged: watchTold,
  watchFailed: watchTold,
  findingAdded: (state, { path }) => reported(state, 'info', `added to ${path}`),
  findingFailed: (state, { path, why }) => findingFailed(state, path, why),
  ended: (state) => ({ ...state, leaving: true }),
};

/** A letter for the edited line; in a list of choices the first letter opens its search. */
function typed(state: State, text: string): Done {
  const opened = state.prompt === null && isPicker(state.overlay) ? openPrompt(state, 'find') : state;
  return opened?.prompt ? promptEdited(opened, opened.prompt, { insert: text }) : state;
}

/** What only one view may show leaves the state once another is on top. */
function kept(done: Done): Done {
  const [state, effects] = asStep(done);
  return [keysSettled(state), effects];
}

/** A paste is text for an edited line; in a dialog it counts for nothing. */
function pasted(state: State, text: string): Done {
  const { prompt } = state;
  if (prompt?.kind === 'confirmZone') return pasteRefused(state, prompt);
  if (prompt) return promptEdited(state, prompt, { insert: text });
  return noticed(state, 'info', 'paste ignored here; press / or i first');
}
