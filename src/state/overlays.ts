import type { CommandId } from './commands.ts';
import type { HandoverOverlay } from './handover/handover-model.ts';
import { requestsHeight } from './layout.ts';
import { moved, placed } from './list.ts';
import type { Overlay, State } from './model.ts';
import { isPicker, openPicker, pickerCommanded } from './pickers.ts';
import type { ShieldForm } from './shield/shield-model.ts';

export function openOverlay(state: State, command: CommandId): State | null {
  switch (command) {
    case 'help':
      return { ...state, overlay: { kind: 'help', top: 0, find: '' } };
    case 'plainText':
      return { ...state, overlay: { kind: 'plain', text: null } };
    case 'requests': {
      const last = Math.max(0, state.requests.length - 1);
      const at = placed({ cursor: last, top: last }, last, state.requests.length, requestsHeight(state));
      return { ...state, overlay: { kind: 'requests', ...at } };
    }
    default:
      return openPicker(state, command);
  }
}

/** What a command does while an overlay lies over the view; null = the view may have it. */
export function overlayCommanded(
  state: State,
  overlay: Exclude<Overlay, ShieldForm | HandoverOverlay>,
  command: CommandId,
): State | null {
  if (command === 'leave' || command === 'back') return { ...state, overlay: null };
  if (overlay.kind === 'palette' || overlay.kind === 'plain' || overlay.kind === 'help') return null;
  if (isPicker(overlay)) return pickerCommanded(state, overlay, command);
  const at = moved(overlay, command, state.requests.length, requestsHeight(state), state.count);
  return at && { ...state, overlay: { ...overlay, ...at } };
}

export function helpScrolled(state: State, top: number): State {
  const { overlay } = state;
  return overlay?.kind === 'help' ? { ...state, overlay: { ...overlay, top } } : state;
}
