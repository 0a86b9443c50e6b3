import { TIMED, WITH_TIMELINE } from '../../keys/places.ts';
import { fitWords, wrapText } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { memoised } from '../memoised.ts';
import { type LogView, type Notice, type State, shownRemark, type TimelineSize } from '../model.ts';
import type { ShieldListView } from '../shield-model.ts';
import { queryOfView, topOf, topView, viewsOf } from '../view-stack.ts';

/** Below this size nothing useful fits, and the screen says so. */
export const SMALLEST = { columns: 40, rows: 8 };

/** Screen rows of the parts, from the top. `body` holds the list, its first row being the column titles. */
type Layout = {
  columns: number;
  rows: number;
  /** Rows above the body: the title; in log views the query, the rates and the timeline. */
  head: number;
  /** The rows of the timeline, the last of the head. */
  timeline: number;
  body: { y: number; height: number };
  /** The status line under a log; under any list also what the last row has no room for. */
  foot: number;
  /** The last row: hints, a notice or the prompt. */
  bottom: number;
};

/** Arithmetic alone, shared by the reducer (the size of a page) and the painter (where it goes). */
export const layoutOf = memoised((state: State): Layout => {
  const { columns, rows } = state.size;
  if (state.overlay?.kind === 'plain') {
    return { columns, rows, head: 0, timeline: 0, body: { y: 0, height: rows }, foot: 0, bottom: rows - 1 };
  }
  const view = topView(state);
  const isLog = queryOfView(view) !== null;
  // The answer's sentence stands over its tables, on as many lines as it takes.
  const hasFigures = isLog && view.kind !== 'answer';
  const short = rows < 16;
  const timeline = timelineRows(state);
  const head = 1 + (isLog || !short ? 1 : 0) + (hasFigures && !short ? 1 : 0) + timeline;
  const said = saidOf(state)?.lines.length ?? 0;
  // The edited line keeps the last row; the mark over its mistake takes one.
  const told = state.prompt === null ? said - 1 : said + (state.prompt.error === null ? 0 : 1);
  const truth = isLog && rows >= 10 ? 1 : 0;
  // The status line stays beside what is said of something else, where the screen has the rows.
  const foot = state.prompt === null && !short ? truth + Math.max(0, told) : Math.max(truth, told);
  const body = { y: head, height: Math.max(1, rows - head - foot - 1) };
  return { columns, rows, head, timeline, body, foot, bottom: rows - 1 };
});

/** List rows that fit under the column titles. */
export function listHeight(state: State): number {
  return Math.max(1, layoutOf(state).body.height - rowsBelow(state) - 1);
}

/** Columns of the list; a panel beside it takes the rest, behind a line. */
export function listColumns(state: State): number {
  const panel = panelColumns(state);
  return state.size.columns - (panel === 0 ? 0 : panel + 1);
}

/** Rows of the request log; its totals stand over the column titles. */
export function requestsHeight(state: State): number {
  return Math.max(1, listHeight(state) - 1);
}

/** Lines under groups and Shield lists that describe the line under the cursor. */
export const DETAIL_LINES = 2;

/** List rows above those lines, which only a tall enough screen has. */
export function detailedHeight(state: State): number {
  const height = listHeight(state);
  return height >= 10 ? height - DETAIL_LINES : height;
}

export function isTooSmall(state: State): boolean {
  return state.size.columns < SMALLEST.columns || state.size.rows < SMALLEST.rows;
}

/** What the foot of the screen shows in full: a mistake in the edited line, the answer to a key, or a remark. */
type Said = { tone: Notice['tone']; lines: string[] };

/** Characters shown of a sentence: a mistake quotes what was pasted, and a failure what a server wrote. */
const MOST_SIGNS = 400;

/** Screen rows left for other things: the title, a list of two, and the edited line. */
const OTHER_ROWS = 5;

/** What the foot says, broken between words into screen lines; null = nothing. */
export function saidOf(state: State): Said | null {
  const { columns, rows } = state.size;
  const mistake = state.prompt?.error;
  const said: Notice | null = mistake
    ? { tone: 'error', text: `${mistake.message}; ${mistake.hint}` }
    : (state.notice ?? remarkOf(state));
  if (said === null) return null;
  const lines = wrapText(` ${sanitise(said.text, 'text', MOST_SIGNS)}`, columns);
  const most = Math.max(1, rows - OTHER_ROWS);
  const last = lines[most - 1];
  if (lines.length > most && last !== undefined)
    lines.splice(most - 1, Infinity, fitWords(`${last} ...`, columns, '...'));
  return { tone: said.tone, lines };
}

function remarkOf(state: State): Notice | null {
  const shown = shownRemark(state);
  if (shown === null) return null;
  const waiting = state.remarks.length - 1;
  return { tone: shown.tone, text: `${waiting > 0 ? `(1 of ${count(waiting + 1)}) ` : ''}${shown.remark}` };
}

/** The width from which a panel stands beside the list, and the detail stands in it or below the list. */
const PANEL_FROM = 140;
const DETAIL_FROM = { columns: 160, rows: 45 };

/** The columns of the panel: a share of the screen. */
const PANEL = { share: 0.28, least: 38, most: 60 };

/** Rows of the detail below a list. */
const BELOW = 11;

/** Whether this view shows the rows of a log, which have top values. */
export function tellsValues(state: State): boolean {
  return state.session !== null && topOf(state, 'log', 'groups') !== null;
}

/** Whether the top values of the rows stand beside this list. */
export function hasValuesBeside(state: State): boolean {
  return state.size.columns >= PANEL_FROM && tellsValues(state) && !state.beside.isHidden;
}

/** Whether the detail of the line under the cursor stands beside the list or below it. */
export function hasDetail(state: State): boolean {
  const { columns, rows } = state.size;
  const isRoom = columns >= DETAIL_FROM.columns || rows >= DETAIL_FROM.rows;
  return isRoom && topOf(state, 'log', 'shieldRows') !== null;
}

export function hasDetailBeside(state: State): boolean {
  return state.size.columns >= PANEL_FROM && hasDetail(state);
}

/** Columns of the panel beside the list; 0 = none. */
export function panelColumns(state: State): number {
  if (!hasValuesBeside(state) && !hasDetailBeside(state)) return 0;
  return Math.max(PANEL.least, Math.min(PANEL.most, Math.floor(state.size.columns * PANEL.share)));
}

/** Rows of the detail below the list; 0 = none. */
export function rowsBelow(state: State): number {
  return hasDetail(state) && !hasDetailBeside(state) ? BELOW : 0;
}

/** Whether top values are on screen: beside the list, or in a view of their own. */
export function areValuesShown(state: State): boolean {
  if (!tellsValues(state)) return false;
  return state.overlay?.kind === 'topValues' || (state.overlay === null && hasValuesBeside(state));
}

/** Columns to the left of the timeline: its scale and what it is divided by. */
export const GUTTER = 9;

/** The line of times counts among the low timeline's rows; a high one has a legend, too. */
const LOW = 2;
const HIGH = { least: 6, most: 10, of: 6 } as const;

/**
 * Screens lower than `low` have a timeline only on request; from `high` on it is high unasked, from `canBeHigh` on
 * request.
 */
const ROWS = { low: 20, high: 36, canBeHigh: 22, canBeLow: 12 } as const;

/** A view whose rows a timeline counts. */
export type TimelineView = LogView | ShieldListView;

/** The view that the timeline counts, the nearest one with rows; null = no timeline. */
export function timelineView(state: State): TimelineView | null {
  if (topOf(state, ...WITH_TIMELINE) === null) return null;
  return viewsOf(state.views, ...TIMED).at(-1) ?? null;
}

/** Whether this screen is high enough for a timeline. */
export function hasRoom({ size }: State): boolean {
  return size.rows >= ROWS.canBeLow;
}

/** The timeline's size on this screen, where a view has one. */
function sizeOnScreen({ timeline, size: { rows } }: State): Exclude<TimelineSize, 'auto'> {
  const asked = timeline.size;
  if (rows < ROWS.canBeLow || asked === 'off') return 'off';
  if (asked === 'low' || (asked === 'high' && rows < ROWS.canBeHigh)) return 'low';
  if (asked === 'high') return 'high';
  return rows >= ROWS.high ? 'high' : rows >= ROWS.low ? 'low' : 'off';
}

/** Whether this view has a timeline on this screen, covered by an overlay or not. */
export function hasTimeline(state: State): boolean {
  const view = timelineView(state);
  // A timeline that was not counted needs no room to say so.
  const isCounted = view?.kind !== 'shieldGroups' || view.histogram !== null;
  return view !== null && isCounted && sizeOnScreen(state) !== 'off';
}

/** Overlays take the rows of the timeline, but for those that leave again soon or act on the rows. */
const OVER_TIMELINE: ReadonlySet<string> = new Set(['palette', 'timeline', 'topValues']);

/** Screen rows of the timeline; 0 = none. */
export function timelineRows(state: State): number {
  if (state.overlay !== null && !OVER_TIMELINE.has(state.overlay.kind)) return 0;
  const view = timelineView(state);
  if (view === null || !hasTimeline(state)) return 0;
  if (sizeOnScreen(state) === 'low') return LOW;
  return Math.max(HIGH.least, Math.min(HIGH.most, Math.floor(state.size.rows / HIGH.of)));
}

/** Cells across which time is drawn: the last column stays free. */
export function timelineCells({ size: { columns } }: State): number {
  return Math.max(1, columns - GUTTER - 1);
}

/** The next size that this screen has room for. */
export function sizeAfter(state: State): TimelineSize {
  const next = { off: 'low', low: 'high', high: 'off' } as const;
  const wanted = next[sizeOnScreen(state)];
  return wanted === 'high' && state.size.rows < ROWS.canBeHigh ? 'off' : wanted;
}
