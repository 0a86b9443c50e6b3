import { detailPanel, valuesPanel } from '../across/beside/painting/beside-lines.ts';
import { valuesHeight, valuesTitle } from '../across/beside/top-values.ts';
import {
  copyMenuBody,
  exportMenuBody,
  findingBody,
  markListBody,
  viewListBody,
} from '../across/handover/painting/handover-bodies.ts';
import { formBody } from '../across/input/painting/form-body.ts';
import { type Area, filled, padLines } from '../paint/row.ts';
import type { Look } from '../paint/theme.ts';
import { paintingOf, plainOnTop } from '../screens/screens.ts';
import {
  hasDetailBeside,
  hasValuesBeside,
  isTooSmall,
  layoutOf,
  listColumns,
  panelColumns,
  rowsBelow,
  SMALLEST,
} from '../state/list/screen-layout.ts';
import type { State } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';
import { fit } from '../text/fit.ts';
import { helpBody, howBody, paletteBody, pickerBody, plainBody, requestsBody } from './overlays-body.ts';

/**
 * The list part of the screen as styled lines, each within the terminal's width. They go past React to the cell
 * writer, because a key that moves one row must not pay for a layout of the whole tree. Null: Ink draws the body.
 */
export function bodyLines(state: State, look: Look): string[] | null {
  const { columns, rows } = state.size;
  const { height } = layoutOf(state).body;
  if (isTooSmall(state)) {
    const text = `edgescope needs ${SMALLEST.columns}x${SMALLEST.rows}; this is ${columns}x${rows}`;
    return [fit(text, columns)];
  }
  return linesIn(state, { columns, height, look })?.slice(0, height) ?? null;
}

function linesIn(state: State, area: Area): string[] | null {
  const { overlay } = state;
  const view = topView(state);
  switch (overlay?.kind) {
    case 'help':
      return helpBody(state, overlay, area);
    case 'palette':
      return paletteBody(state, area);
    case 'groupPick':
    case 'columnPick':
      return pickerBody(state, overlay, area);
    case 'queryForm':
      return formBody(state, overlay, area);
    case 'copyMenu':
      return copyMenuBody(state, overlay, area);
    case 'exportMenu':
      return exportMenuBody(state, overlay, area);
    case 'marks':
      return markListBody(state, overlay, area);
    case 'viewList':
      return viewListBody(state, overlay, area);
    case 'finding':
      return findingBody(state, overlay, area);
    case 'how':
      return howBody(state, overlay, area);
    case 'requests':
      return requestsBody(state, overlay, area);
    case 'plain':
      return plainBody(state, plainOnTop(state), area);
    case 'topValues':
      if (!hasValuesBeside(state)) return valuesPanel(state, area);
      break;
    default:
  }
  const below = rowsBelow(state);
  const height = area.height - below;
  const { body } = paintingOf(view);
  if (typeof body !== 'function') return null;
  const list = body(state, view, { ...area, columns: listColumns(state), height });
  if (below > 0) return [...padLines(list, height), ...detailPanel(state, { ...area, height: below })];
  return panelColumns(state) === 0 ? list : withPanel(state, list, area);
}

/** A list with its panel. */
function withPanel(state: State, list: readonly string[], { height, look }: Area): string[] {
  const columns = panelColumns(state);
  const detail = hasDetailBeside(state) ? valuesHeight(state) + valuesTitle(state) : height;
  const values = hasValuesBeside(state) ? detail : 0;
  const panel = [
    ...(values > 0 ? valuesPanel(state, { columns, height: values, look }) : []),
    ...(height > values ? detailPanel(state, { columns, height: height - values, look }) : []),
  ];
  return padLines(list, height).map(
    (line, at) => filled(line, listColumns(state)) + look.paint('dim', look.glyph.beside) + (panel[at] ?? ''),
  );
}
