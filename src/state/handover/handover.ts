import type { Action, Step } from '../messages.ts';
import type { Prompt, State } from '../model.ts';
import { begun, isBurst } from '../pace.ts';
import { copied } from './copy-menu.ts';
import { exportAdvanced, exportEnded, exportSubmitted } from './export-menu.ts';
import { findingAdded, findingFailed, noteSubmitted } from './finding.ts';
import { notebookRead, notebookSubmitted } from './notebook-reader.ts';
import { viewNameSubmitted, viewsRead } from './view-list.ts';

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
