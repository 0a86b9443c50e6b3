import { hasDetailBeside, hasValuesBeside, panelColumns, rowsBelow } from '../state/beside/beside-size.ts';
import { valuesHeight, valuesTitle } from '../state/beside/top-values.ts';
import { isTooSmall, layoutOf, SMALLEST } from '../state/list/layout.ts';
import { type State, topView } from '../state/model.ts';
import { fit } from '../text/fit.ts';
import { detailPanel, valuesPanel } from './beside-lines.ts';
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
    case 'topValues':
      if (!hasValuesBeside(state)) return valuesPanel(state, look, columns, height);
      break;
    default:
  }
  const below = rowsBelow(state);
  const list = looksOf(view).body?.(state, view, look, height - below) ?? null;
  if (list === null) return null;
  if (below > 0) return [...list, ...detailPanel(state, look, columns, below)];
  return withPanel(state, list, look, height);
}

/** A list with what stands beside it. */
function withPanel(state: State, list: string[], look: Look, height: number): string[] {
  const columns = panelColumns(state);
  if (columns === 0) return list;
  const values = hasValuesBeside(state)
    ? hasDetailBeside(state)
      ? valuesHeight(state) + valuesTitle(state)
      : height
    : 0;
  const panel = [
    ...(values > 0 ? valuesPanel(state, look, columns, values) : []),
    ...(height > values ? detailPanel(state, look, columns, height - values) : []),
  ];
  return list.map((line, at) => line + look.paint('dim', look.glyph.beside) + (panel[at] ?? ''));
}
