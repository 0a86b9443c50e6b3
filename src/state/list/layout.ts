import type { State } from '../model.ts';
import { topView } from '../view-stack.ts';
import { panelColumns, rowsBelow } from './beside-size.ts';
import { saidOf } from './said-lines.ts';
import { timelineRows } from './timeline-size.ts';

/** Below this nothing useful fits: the screen says so instead. */
export const SMALLEST = { columns: 40, rows: 8 };

/** Screen rows of the parts, from the top. `body` holds the list, its first row being the column titles. */
type Layout = {
  columns: number;
  rows: number;
  /** Rows above the body: title, in log views the query and the rates, and the timeline. */
  head: number;
  /** Those of the timeline, the last ones of the head. */
  timeline: number;
  body: { y: number; height: number };
  /** The status line under a log; under any list what is to be said and does not fit the last row. */
  foot: number;
  /** The last row: hints, a notice or the prompt. */
  bottom: number;
};

/** Pure arithmetic, shared by the reducer (how far is a page) and the painter (where does it go). */
export function layoutOf(state: State): Layout {
  const { columns, rows } = state.size;
  if (state.overlay?.kind === 'plain') {
    return { columns, rows, head: 0, timeline: 0, body: { y: 0, height: rows }, foot: 0, bottom: rows - 1 };
  }
  const view = topView(state);
  const isLog = 'query' in view;
  // The answer in one sentence stands over its tables, on as many lines as it takes.
  const hasFigures = isLog && view.kind !== 'answer';
  const short = rows < 16;
  const timeline = timelineRows(state);
  const head = 1 + (isLog || !short ? 1 : 0) + (hasFigures && !short ? 1 : 0) + timeline;
  const said = saidOf(state)?.lines.length ?? 0;
  // A line that is edited keeps the last row, and the mark over its mistake has one.
  const told = state.prompt === null ? said - 1 : said + (state.prompt.error === null ? 0 : 1);
  const truth = isLog && rows >= 10 ? 1 : 0;
  // What is complete stays in sight beside what is said of something else, where the screen has the rows.
  const foot = state.prompt === null && !short ? truth + Math.max(0, told) : Math.max(truth, told);
  const body = { y: head, height: Math.max(1, rows - head - foot - 1) };
  return { columns, rows, head, timeline, body, foot, bottom: rows - 1 };
}

/** List rows that fit under the column titles. */
export function listHeight(state: State): number {
  return Math.max(1, layoutOf(state).body.height - rowsBelow(state) - 1);
}

/** Columns of the list: a panel beside it takes the others, with a line between them. */
export function listColumns(state: State): number {
  const panel = panelColumns(state);
  return state.size.columns - (panel === 0 ? 0 : panel + 1);
}

/** Rows of the request log: its totals stand over the column titles. */
export function requestsHeight(state: State): number {
  return Math.max(1, listHeight(state) - 1);
}

/** Lines under groups and Shield lists that tell about the line under the cursor. */
export const DETAIL_LINES = 2;

/** List rows that fit over such lines, which a tall enough screen has. */
export function detailedHeight(state: State): number {
  const height = listHeight(state);
  return height >= 10 ? height - DETAIL_LINES : height;
}

export function isTooSmall(state: State): boolean {
  return state.size.columns < SMALLEST.columns || state.size.rows < SMALLEST.rows;
}
