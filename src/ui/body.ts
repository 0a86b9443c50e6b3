import { isTooSmall, layoutOf, SMALLEST } from '../state/list/layout.ts';
import { type State, topView } from '../state/model.ts';
import { fit } from '../text/fit.ts';
import { padLines } from './row.ts';
import { copyMenuBody, exportMenuBody, findingBody, markListBody, viewListBody } from './screens/handover.ts';
import { helpBody, paletteBody, pickerBody } from './screens/overlays.ts';
import { plainBody } from './screens/plain.ts';
import { shieldFormBody } from './screens/shield-form-body.ts';
import { looksOf } from './screens.ts';
import type { Look } from './theme.ts';

/**
 * The list part of the screen as styled lines, each exactly as wide as the terminal. They go past React to the cell
 * writer, because a key that moves one row must not pay for a layout of the whole tree. Null: Ink draws the body.
 */
export function bodyLines(state: State, look: Look): string[] | null {
  const { height } = layoutOf(state).body;
  const { columns } = state.size;
  if (isTooSmall(state)) {
    const text = `edgescope needs ${SMALLEST.columns}x${SMALLEST.rows}; this is ${columns}x${state.size.rows}`;
    return padLines([fit(text, columns)], columns, height);
  }
  const { overlay } = state;
  const view = topView(state);
  switch (overlay?.kind) {
    case 'help':
      return helpBody(state, overlay, look, height);
    case 'palette':
      return paletteBody(state, look, height);
    case 'groupPick':
    case 'columnPick':
    case 'shieldPick':
    case 'shieldColumns':
      return pickerBody(state, overlay, look, height);
    case 'shieldForm':
      return shieldFormBody(state, overlay, look, height);
    case 'copyMenu':
      return copyMenuBody(state, overlay, look, height);
    case 'exportMenu':
      return exportMenuBody(state, overlay, look, height);
    case 'marks':
      return markListBody(state, overlay, look, height);
    case 'viewList':
      return viewListBody(state, overlay, look, height);
    case 'finding':
      return findingBody(state, overlay, look, height);
    case 'requests':
      return null;
    case 'plain':
      return plainBody(state, looksOf(view).plain(state, view, look), look, height);
    default:
  }
  return looksOf(view).body?.(state, view, look, height) ?? null;
}
