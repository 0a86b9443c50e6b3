import type { State } from '../model.ts';
import { topOf } from '../view-stack.ts';

/** Screens from which on a panel stands beside the list, and the line under the cursor has its place there, or below the list. */
const PANEL_FROM = 140;
const DETAIL_FROM = { columns: 160, rows: 45 };

/** The columns of the panel: a share of the screen. */
const PANEL = { share: 0.28, least: 38, most: 60 };

/** Rows of the detail below a list. */
const BELOW = 11;

/** Whether this view is of the rows of a log, whose top values are told. */
export function tellsValues(state: State): boolean {
  return state.session !== null && topOf(state, 'log', 'groups') !== null;
}

/** Whether the top values of the rows stand beside this list. */
export function hasValuesBeside(state: State): boolean {
  return state.size.columns >= PANEL_FROM && tellsValues(state) && !state.beside.isHidden;
}

/** Whether the line under the cursor has more to tell, beside the list or below it. */
export function hasDetail(state: State): boolean {
  const { columns, rows } = state.size;
  const isRoom = columns >= DETAIL_FROM.columns || rows >= DETAIL_FROM.rows;
  return isRoom && topOf(state, 'log', 'shieldRows') !== null;
}

export function hasDetailBeside(state: State): boolean {
  return state.size.columns >= PANEL_FROM && hasDetail(state);
}

/** Columns of what stands beside the list; 0 = nothing does. */
export function panelColumns(state: State): number {
  if (!hasValuesBeside(state) && !hasDetailBeside(state)) return 0;
  return Math.max(PANEL.least, Math.min(PANEL.most, Math.floor(state.size.columns * PANEL.share)));
}

/** Rows of what stands below the list; 0 = nothing does. */
export function rowsBelow(state: State): number {
  return hasDetail(state) && !hasDetailBeside(state) ? BELOW : 0;
}

/** Whether top values are on screen: beside the list, or in a view of their own. */
export function areValuesShown(state: State): boolean {
  if (!tellsValues(state)) return false;
  return state.overlay?.kind === 'topValues' || (state.overlay === null && hasValuesBeside(state));
}
