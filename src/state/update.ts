import { accountTold } from './account/account.ts';
import { keysSettled } from './account/keys.ts';
import { pasteRefused } from './account/storage-change.ts';
import { withDetail } from './beside/detail.ts';
import { storeValued } from './beside/stored-values.ts';
import { withoutStaleWork } from './beside/top-values.ts';
import { withTold } from './evidence/told.ts';
import { commanded } from './global-commands.ts';
import { handoverTold, isHandoverAction } from './handover/handover.ts';
import { repaused } from './handover/session-place.ts';
import { healthRead, isHealthRead, withReadings } from './health/health.ts';
import { lineKept, ordered } from './input/ordered.ts';
import { paced } from './input/paced.ts';
import {
  offerTaken,
  openPrompt,
  promptCancelled,
  promptCompleted,
  promptEdited,
  promptMoved,
  promptSubmitted,
  reoffered,
} from './input/prompts.ts';
import { isPicker } from './list/pickers.ts';
import { resized, withCursorsShown } from './list/resized.ts';
import { withGroupsRecounted } from './logs/filters.ts';
import { storeCounted } from './logs/groups.ts';
import { withinBytes } from './logs/log-bytes.ts';
import { isReadingOver, savedRead } from './logs/saved.ts';
import { tailRead } from './logs/session.ts';
import { filesSeen } from './logs/stored-files.ts';
import { worked } from './logs/work.ts';
import type { Action, Step, Uncounted } from './messages.ts';
import { afterKey, noticed, remarked, type State } from './model.ts';
import { helpScrolled } from './overlays.ts';
import { needMet } from './questions/answer.ts';
import { requestSeen } from './request-log.ts';
import {
  shieldAnswered,
  shieldDayRead,
  shieldFailed,
  shieldRulesArrived,
  shieldZoneFound,
} from './shield/shield-answers.ts';
import { shieldRefreshed } from './shield/shield-refresh.ts';
import { withBrushOnScreen } from './timeline/brush.ts';
import { storeStepped } from './timeline/stored-steps.ts';
import { watchTold } from './watching.ts';
import { shieldAfterRows, shieldMapped, zonesArrived, zonesFailed } from './zones.ts';

/**
 * The whole program as a function: the state and what happened give the next state and the orders to the outside.
 * `now` is Unix ms. Pure but for the session's book, which is the program's row store and changed in place.
 */
export function update(before: State, action: Action, now: number): Step {
  const state: State = before.now === now ? before : { ...before, now };
  const [shown, effects] = withCursorsShown(state, paced(state, action, told));
  const next = withBrushOnScreen(shown);
  // What is read for the picker alone ends with it.
  return [withoutStaleWork(isHealthRead(next) ? next : withReadings(next)), effects];
}

function told(state: State, action: Uncounted): Step {
  if (isHandoverAction(action)) return [handoverTold(state, action), []];
  switch (action.type) {
    case 'commanded':
      return kept(commanded({ ...afterKey(state), resuming: null }, action.command));
    case 'ordered': {
      const asked: State = { ...afterKey(state), resuming: null };
      const closed: State = { ...asked, prompt: null, overlay: null };
      const { command, argument } = action;
      if (argument === null) return kept(commanded(closed, command));
      const outcome = ordered(closed, command, argument);
      return kept('step' in outcome ? outcome.step : [lineKept(asked, action.line, outcome), []]);
    }
    case 'offerChosen': {
      const asked = afterKey(state);
      return [asked.prompt ? { ...asked, prompt: { ...asked.prompt, chosen: action.line } } : asked, []];
    }
    case 'offerTaken':
      return [state.prompt ? offerTaken(afterKey(state), state.prompt, action.offer) : state, []];
    case 'refused':
      return [noticed(afterKey(state), 'info', action.why), []];
    case 'typed':
      return typed(state, action.text);
    case 'pasted':
      return pasted(afterKey(state), action.text);
    case 'edited':
      return state.prompt ? promptEdited(afterKey(state), state.prompt, action.edit) : [state, []];
    case 'submitted':
      return state.prompt ? promptSubmitted(afterKey(state), state.prompt) : [state, []];
    case 'cancelled':
      return state.prompt ? promptCancelled(afterKey(state), state.prompt) : [state, []];
    case 'completed':
      return state.prompt ? promptCompleted(afterKey(state), state.prompt) : [state, []];
    case 'promptMoved':
      return [promptMoved(afterKey(state), action.by), []];
    case 'helpScrolled':
      return [helpScrolled(afterKey(state), action.top), []];
    case 'resized':
      return [resized({ ...state, size: { columns: action.columns, rows: action.rows } }), []];
    case 'ticked':
      return [withDetail(keysSettled(state)), []];
    case 'zonesArrived':
      return zonesArrived(state, action.request, action.page);
    case 'zonesFailed':
      return zonesFailed(state, action.request, action.failure);
    case 'shieldMapped':
      return [shieldMapped(state, action.pairs), []];
    case 'healthRead':
      return [healthRead(state, action.turn, action.answer), []];
    case 'healthDue':
      return [withReadings(state), []];
    case 'tailRead':
      return [
        withGroupsRecounted(repaused(withinBytes(tailRead(state, action)))),
        shieldAfterRows(state, action.generation),
      ];
    case 'storeCounted':
      return [storeCounted(state, action), []];
    case 'storeStepped':
      return [storeStepped(state, action), []];
    case 'storeValued':
      return [reoffered(storeValued(state, action)), []];
    case 'savedRead': {
      const read = withinBytes(savedRead(state, action.generation, action.event));
      return [withGroupsRecounted(read, isReadingOver(state, action.event)), []];
    }
    case 'shieldZoneFound':
      return [shieldZoneFound(state, action.pullZoneId, action.shieldZoneId), []];
    case 'shieldAnswered':
      return [shieldAnswered(state, action.request, action.answer), []];
    case 'shieldDayRead':
      return [shieldDayRead(state, action.request, action.page), []];
    case 'shieldFailed':
      return [shieldFailed(state, action.request, action.failure), []];
    case 'shieldRulesArrived':
      return [shieldRulesArrived(state, action.shieldZoneId, action.rules), []];
    case 'shieldDue':
      return [shieldRefreshed(state), []];
    case 'needMet':
      return [needMet(withTold(state, action.need, action.met), action.inquiry, action.need, action.met), []];
    case 'worked':
      return [worked(state), []];
    case 'requestSeen':
      return [requestSeen(state, action.event), []];
    case 'budgetSeen':
      return [{ ...state, budget: action.budget }, []];
    case 'filesSeen':
      return [filesSeen(state, action.read), []];
    case 'watchJudged':
    case 'watchFailed':
      return watchTold(state, action);
    case 'ended':
      return [{ ...state, leaving: true }, []];
    case 'remarked':
      return [remarked(state, action.remark), []];
    default:
      return [accountTold(state, action), []];
  }
}

/** A letter for the line that is edited; a list of choices takes the first one as the beginning of its line. */
function typed(state: State, text: string): Step {
  const opened = state.prompt === null && isPicker(state.overlay) ? openPrompt(state, 'find') : state;
  return opened?.prompt ? promptEdited(afterKey(opened), opened.prompt, { insert: text }) : [state, []];
}

/** What may be on screen in one view only is gone from the state once another one is on top. */
function kept([state, effects]: Step): Step {
  return [keysSettled(state), effects];
}

/** A paste is text for a line that is edited; in a dialog it counts for nothing. */
function pasted(state: State, text: string): Step {
  const { prompt } = state;
  if (prompt?.kind === 'confirmZone') return [pasteRefused(state, prompt), []];
  if (prompt) return promptEdited(state, prompt, { insert: text });
  const why = 'paste ignored here; press / or i first';
  return [noticed(state, 'info', why), []];
}
