import type { Action, Step } from '../messages.ts';
import type { Prompt, State } from '../model.ts';
import { begun, isBurst } from '../pace.ts';
import { copied } from './copy-menu.ts';
import { exportAdvanced, exportEnded } from './export-menu.ts';
import { findingAdded, findingFailed } from './finding.ts';
import { notebookRead } from './notebook-reader.ts';
import { viewsRead } from './view-list.ts';

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

/** Enter on a line that writes to a file: not where it came too fast to be typed. */
export function written(
  submitted: (state: State, prompt: Prompt) => State | Step,
): (state: State, prompt: Prompt) => State | Step {
  return (state, prompt) => (isBurst(state.pace) ? writeAsked(state, prompt) : submitted(state, prompt));
}

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
