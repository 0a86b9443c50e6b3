import type { CommandId } from '../commands.ts';
import type { Action, Step } from '../messages.ts';
import type { Prompt, State } from '../model.ts';
import { begun, isBurst } from '../pace.ts';
import { copied, copyMenuCommanded, copyMenuOpened } from './copy-menu.ts';
import {
  exportAdvanced,
  exportCancelled,
  exportEnded,
  exportMenuCommanded,
  exportMenuOpened,
  exportSubmitted,
} from './export-menu.ts';
import { findingAdded, findingFailed, findingOpened, noteSubmitted } from './finding.ts';
import { isHandoverOverlay } from './handover-model.ts';
import { markListCommanded, markListOpened, markToggled } from './marks.ts';
import { notebookOpened, notebookRead, notebookSubmitted } from './notebook-reader.ts';
import { viewListCommanded, viewListOpened, viewNameSubmitted, viewsRead } from './view-list.ts';

const TOLD = [
  'copied',
  'exportAdvanced',
  'exportEnded',
  'viewsRead',
  'findingAdded',
  'findingFailed',
  'notebookRead',
] as const;

type HandoverAction = Extract<Action, { type: (typeof TOLD)[number] }>;

export function isHandoverAction(action: Action): action is HandoverAction {
  return (TOLD as readonly string[]).includes(action.type);
}

/** What hands a view over to others comes before the view: its menus, and Esc while a file is being written. */
export function handoverCommanded(state: State, command: CommandId): Step | null {
  const { overlay } = state;
  if (overlay && isHandoverOverlay(overlay)) {
    if (command === 'leave' || command === 'back') return [{ ...state, overlay: null }, []];
    switch (overlay.kind) {
      case 'copyMenu':
        return copyMenuCommanded(state, overlay, command);
      case 'exportMenu':
        return exportMenuCommanded(state, overlay, command);
      case 'marks':
        return markListCommanded(state, overlay, command);
      case 'viewList':
        return viewListCommanded(state, overlay, command);
      case 'finding':
        return null;
    }
  }
  if (overlay) return null;
  switch (command) {
    case 'leave':
      return state.handover.exporting ? [exportCancelled(state), []] : null;
    case 'copy':
      return [copyMenuOpened(state), []];
    case 'export':
      return [exportMenuOpened(state, 'view'), []];
    case 'mark':
      return [markToggled(state), []];
    case 'marks':
      return [markListOpened(state), []];
    case 'savedViews':
      return viewListOpened(state);
    case 'note':
      return [findingOpened(state), []];
    case 'notebook':
      return notebookOpened(state);
    default:
      return null;
  }
}

/** Enter on a line of the handover; null = the line is none of its own. */
export function handoverSubmitted(state: State, prompt: Prompt): Step | null {
  if (isBurst(state.pace) && WRITES.has(prompt.kind)) return [writeAsked(state, prompt), []];
  switch (prompt.kind) {
    case 'exportPath':
      return [exportSubmitted(state, prompt), []];
    case 'viewName':
      return viewNameSubmitted(state, prompt);
    case 'note':
      return noteSubmitted(state, prompt);
    default:
      return notebookSubmitted(state, prompt);
  }
}

/** Lines whose Enter writes to a file. */
const WRITES: ReadonlySet<Prompt['kind']> = new Set(['exportPath', 'viewName', 'note', 'entryNote']);

/** Text that was meant for something else, and holds an `o` and line breaks, writes nothing. */
function writeAsked(state: State, prompt: Prompt): State {
  const message = 'too fast to be typed: not written';
  const error = {
    column: 0,
    length: Math.max(1, prompt.field.text.length),
    message,
    hint: 'Enter writes it',
  };
  return { ...state, pace: begun(state.now), prompt: { ...prompt, error } };
}

/** What came of an order of the handover. */
export function handoverTold(state: State, action: HandoverAction): State {
  switch (action.type) {
    case 'copied':
      return copied(state, action.length, action.isSent);
    case 'exportAdvanced':
      return exportAdvanced(state, action.id, action.written);
    case 'exportEnded':
      return exportEnded(state, action.id, action.outcome);
    case 'viewsRead':
      return viewsRead(state, action);
    case 'findingAdded':
      return findingAdded(state, action.path);
    case 'findingFailed':
      return findingFailed(state, action.path, action.why);
    case 'notebookRead':
      return notebookRead(state, action);
  }
}
