import { valuesCommanded } from '../across/beside/top-values.ts';
import { copyMenuCommanded } from '../across/handover/copy-menu.ts';
import { exportMenuCommanded } from '../across/handover/export-menu.ts';
import { markListCommanded } from '../across/handover/mark-list.ts';
import { viewListCommanded } from '../across/handover/view-list.ts';
import { formCommanded } from '../across/input/form.ts';
import { openPicker, pickerCommanded } from '../across/input/pickers.ts';
import { helpOpened } from '../across/input/prompts.ts';
import { brushCommanded } from '../across/timeline/brush.ts';
import type { CommandId } from '../keys/bindings.ts';
import { listHeight, requestsHeight } from '../state/list/screen-layout.ts';
import { moved, placed } from '../state/list.ts';
import type { Acted } from '../state/messages.ts';
import type { Overlay, State } from '../state/model.ts';
import { howLines, howOpened } from './figures.ts';

/** The overlays that commands open here; others are opened by their own subjects. */
export const OVERLAYS: Partial<Record<CommandId, (state: State, command: CommandId) => State | null>> = {
  help: (state) => helpOpened(state, ''),
  how: howOpened,
  plainText: (state) => ({ ...state, overlay: { kind: 'plain', text: null } }),
  requests: (state) => {
    const last = Math.max(0, state.requests.length - 1);
    const at = placed({ cursor: last, top: last }, last, state.requests.length, requestsHeight(state));
    return { ...state, overlay: { kind: 'requests', ...at } };
  },
  chooseGroups: openPicker,
  chooseColumns: openPicker,
};

/** What a command does in an overlay; null = the overlay does not handle it. */
export function overlayCommanded(state: State, overlay: Overlay, command: CommandId): Acted {
  if (overlay.kind === 'timeline') return brushCommanded(state, overlay, command);
  if (overlay.kind === 'topValues') return valuesCommanded(state, overlay, command);
  if (command === 'leave' || command === 'back') return { ...state, overlay: null };
  switch (overlay.kind) {
    case 'palette':
    case 'plain':
    case 'help':
    case 'finding':
      return null;
    case 'requests': {
      const at = moved(overlay, command, state.requests.length, requestsHeight(state));
      return at && { ...state, overlay: { ...overlay, ...at } };
    }
    case 'how': {
      const at = moved(overlay, command, howLines(state).length, listHeight(state));
      return at && { ...state, overlay: { ...overlay, ...at } };
    }
    case 'copyMenu':
      return copyMenuCommanded(state, overlay, command);
    case 'exportMenu':
      return exportMenuCommanded(state, overlay, command);
    case 'marks':
      return markListCommanded(state, overlay, command);
    case 'viewList':
      return viewListCommanded(state, overlay, command);
    case 'queryForm':
      return formCommanded(state, overlay, command);
    default:
      return pickerCommanded(state, overlay, command);
  }
}

export function helpMoved(state: State, cursor: number): State {
  const { overlay } = state;
  return overlay?.kind === 'help' ? { ...state, overlay: { ...overlay, cursor } } : state;
}
