import { accountCommanded, accountTold } from './account.ts';
import { needMet } from './answer.ts';
import { answerLed } from './answer-open.ts';
import type { CommandId } from './commands.ts';
import { groupsCommanded, recounted, termsOfGroup } from './groups.ts';
import { handoverCommanded, handoverTold, isHandoverAction } from './handover.ts';
import { isHandoverOverlay } from './handover-model.ts';
import { keysSettled, openKeys } from './keys.ts';
import { logCommanded, paused, termsUnderCursor } from './log.ts';
import type { Action, Effect } from './messages.ts';
import { type State, topView, withTop } from './model.ts';
import { openOverlay, overlayCommanded } from './overlays.ts';
import { openPrompt, promptCancelled, promptCompleted, promptEdited, promptSubmitted } from './prompts.ts';
import { questioned } from './questions.ts';
import { recordCommanded, termsOfRecord } from './record.ts';
import { requestSeen } from './request-log.ts';
import { toLogs, toShield } from './screens.ts';
import { queried, shownLog, tailRead, unwound } from './session.ts';
import { repaused } from './session-place.ts';
import { shieldCommanded } from './shield.ts';
import {
  shieldAnswered,
  shieldDayRead,
  shieldFailed,
  shieldRulesArrived,
  shieldZoneFound,
} from './shield-answers.ts';
import { isShieldOverlay, shieldFirst } from './shield-form.ts';
import { shieldRefreshed } from './shield-refresh.ts';
import { pasteRefused } from './storage-change.ts';
import { openStorage } from './storage-open.ts';
import type { ValueOrder } from './value-terms.ts';
import { watchDismissed, watchTold } from './watching.ts';
import {
  narrowedZones,
  reloadZones,
  settledZones,
  shieldMapped,
  zonesArrived,
  zonesCommanded,
  zonesFailed,
} from './zones.ts';

type Step = [State, Effect[]];

/**
 * The whole program as a function: the state and what happened give the next state and the orders to the outside.
 * `now` is Unix ms. Pure but for the session's book, which is the program's row store and changed in place.
 */
export function update(before: State, action: Action, now: number): Step {
  const state: State = before.now === now ? before : { ...before, now };
  if (isHandoverAction(action)) return [handoverTold(state, action), []];
  switch (action.type) {
    case 'commanded':
      return kept(commanded({ ...state, notice: null, resuming: null }, action.command));
    case 'chosen':
      return kept(commanded({ ...state, notice: null, prompt: null, overlay: null }, action.command));
    case 'refused':
      return [{ ...state, notice: { tone: 'info', text: action.why } }, []];
    case 'typed':
      return state.prompt ? promptEdited(state, state.prompt, { insert: action.text }) : [state, []];
    case 'pasted':
      return pasted(state, action.text);
    case 'edited':
      return state.prompt ? promptEdited(state, state.prompt, action.edit) : [state, []];
    case 'submitted':
      return state.prompt ? promptSubmitted({ ...state, notice: null }, state.prompt) : [state, []];
    case 'cancelled':
      return state.prompt ? promptCancelled({ ...state, notice: null }, state.prompt) : [state, []];
    case 'completed':
      return state.prompt ? promptCompleted(state, state.prompt) : [state, []];
    case 'promptMoved':
      return [promptMoved(state, action.by), []];
    case 'resized':
      return [resized(state, action.columns, action.rows), []];
    case 'ticked':
      return [keysSettled(state), []];
    case 'zonesArrived':
      return zonesArrived(state, action.request, action.page);
    case 'zonesFailed':
      return zonesFailed(state, action.request, action.failure);
    case 'shieldMapped':
      return [shieldMapped(state, action.pairs), []];
    case 'tailRead':
      return [withGroupsRecounted(repaused(tailRead(state, action.generation, action.event))), []];
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
      return [needMet(state, action.inquiry, action.need, action.met), []];
    case 'requestSeen':
      return [requestSeen(state, action.event), []];
    case 'budgetSeen':
      return [{ ...state, budget: action.budget }, []];
    case 'watchJudged':
    case 'watchFailed':
      return watchTold(state, action);
    case 'ended':
      return [{ ...state, leaving: true }, []];
    case 'noticed':
      return [{ ...state, notice: action.notice }, []];
    default:
      return [accountTold(state, action), []];
  }
}

function commanded(state: State, command: CommandId): Step {
  switch (command) {
    case 'quit':
      return [{ ...state, leaving: true }, [{ type: 'quit' }]];
    case 'redraw':
      return [state, [{ type: 'redraw' }]];
    case 'suspend':
      return [state, [{ type: 'suspend' }]];
    default:
  }
  const handed = watchDismissed(state, command) ?? handoverCommanded(state, command);
  if (handed) return handed;
  if (state.overlay && !isShieldOverlay(state.overlay) && !isHandoverOverlay(state.overlay)) {
    const next = overlayCommanded(state, state.overlay, command);
    if (next) return [next, []];
  }
  const over = shieldFirst(state, command);
  if (over) return [over, []];
  const opened = openPrompt(state, command) ?? openOverlay(state, command) ?? questioned(state, command);
  if (opened) return [opened, []];
  return viewCommanded(state, command) ?? stackCommanded(state, command) ?? [state, []];
}

function viewCommanded(state: State, command: CommandId): Step | null {
  const view = topView(state);
  switch (view.kind) {
    case 'zones':
      return zonesCommanded(state, view, command);
    case 'log':
      return logCommanded(state, view, command);
    case 'groups':
      return groupsCommanded(state, view, command);
    case 'record':
      return recordCommanded(state, view, command);
    case 'keys':
    case 'storage':
    case 'storageZone':
    case 'storageEdit':
      return accountCommanded(state, view, command);
    case 'answer':
      return answerLed(state, view, command);
    default:
      return shieldCommanded(state, view, command);
  }
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
  const why = 'pasted text acts on nothing here; / or i take text';
  return [{ ...state, notice: { tone: 'info', text: why } }, []];
}

/** Commands that mean the same in every view: the way back, the screens, the filters. */
function stackCommanded(state: State, command: CommandId): Step | null {
  switch (command) {
    case 'leave':
      return back(state, false);
    case 'back':
      return back(state, true);
    case 'zonesScreen':
      return [{ ...state, views: state.views.slice(0, 1), parked: [] }, []];
    case 'logsScreen': {
      const at = state.views.findIndex((view) => view.kind === 'log');
      return at < 0 ? toLogs(state) : [unwound(state, at + 1), []];
    }
    case 'storageScreen':
      return openStorage(state);
    case 'keysScreen':
      return openKeys(state);
    case 'shieldScreen':
      return toShield(state);
    case 'filterIn':
      return [filtered(state, 'in'), []];
    case 'filterOut':
      return [filtered(state, 'out'), []];
    case 'filterOnly':
      return [filtered(state, 'only'), []];
    case 'dropFilter':
      return [refiltered(state, (terms) => terms.slice(0, -1)), []];
    case 'dropFilters':
      return [refiltered(state, () => []), []];
    case 'findToFilter':
      return [searchToFilter(state), []];
    case 'clock':
      return [{ ...state, utc: !state.utc }, []];
    default:
      return null;
  }
}

/** One step back. A search or a narrowing is a step of its own; `q` at the root quits, Esc never does. */
function back(state: State, mayQuit: boolean): Step {
  const view = topView(state);
  if (view.kind === 'zones' && state.zones.narrow !== '') return narrowedZones(state, '');
  if (view.kind === 'log' && view.search && !mayQuit) return [withTop(state, { ...view, search: null }), []];
  if (state.views.length > 1) {
    const next = unwound(state, state.views.length - 1);
    return next.views.length === 1 && next.zones.items.length === 0 ? reloadZones(next) : [next, []];
  }
  if (!mayQuit)
    return [{ ...state, notice: { tone: 'info', text: 'this is the first screen; q quits' } }, []];
  return [{ ...state, leaving: true }, [{ type: 'quit' }]];
}

function filtered(state: State, order: ValueOrder): State {
  const view = topView(state);
  // At the live end no value is marked: the first press shows which one the next would take.
  if (view.kind === 'log' && !view.paused) {
    const notice = { tone: 'info', text: 'paused: h and l choose the value, then the key again' } as const;
    return { ...paused(state, view), notice };
  }
  const terms =
    view.kind === 'log'
      ? termsUnderCursor(state, view, order)
      : view.kind === 'groups'
        ? termsOfGroup(view, order)
        : view.kind === 'record'
          ? termsOfRecord(state, view, order)
          : 'there is nothing to filter here';
  if (typeof terms === 'string') return { ...state, notice: { tone: 'info', text: terms } };
  return refiltered(state, () => terms);
}

/** Changed terms act on the log below; the view they were chosen in stays on screen where that makes sense. */
function refiltered(
  state: State,
  change: (terms: ReturnType<typeof termsOf>) => ReturnType<typeof termsOf>,
): State {
  const terms = change(termsOf(state));
  const at = state.views.findLastIndex((view) => view.kind === 'log');
  const log = state.views[at];
  if (log?.kind !== 'log') return state;
  const view = topView(state);
  const under = queried({ ...state, views: state.views.slice(0, at + 1) }, { ...log.query, terms });
  if (view.kind !== 'groups') return under;
  const groups = { ...view, query: { ...view.query, terms }, computedAt: 0 };
  return withGroupsRecounted({ ...under, views: [...under.views, groups] });
}

function termsOf(state: State) {
  const view = topView(state);
  return 'query' in view ? view.query.terms : [];
}

function searchToFilter(state: State): State {
  const view = topView(state);
  if (view.kind !== 'log' || !view.search) return state;
  const value = view.search.needle;
  const next = refiltered(state, (terms) => [...terms, { kind: 'text', value, negated: false }]);
  const log = shownLog(next);
  return log ? withTop(next, { ...log, search: null }) : next;
}

function withGroupsRecounted(state: State): State {
  const view = topView(state);
  return view.kind === 'groups' ? withTop(state, recounted(state, view)) : state;
}

function promptMoved(state: State, by: 1 | -1): State {
  const { prompt } = state;
  return prompt ? { ...state, prompt: { ...prompt, cursor: Math.max(0, prompt.cursor + by) } } : state;
}

function resized(state: State, columns: number, rows: number): State {
  const next = { ...state, size: { columns, rows } };
  return {
    ...next,
    views: next.views.map((view) => (view.kind === 'zones' ? settledZones(next, view) : view)),
  };
}
