import { exportWords } from '../across/handover/export-menu.ts';
import { brushAside, brushLine } from '../across/timeline/painting/brush-words.ts';
import { timelineLines } from '../across/timeline/painting/timeline-lines.ts';
import type { RetentionSeverity } from '../domain/log-retention.ts';
import { hints } from '../keymap/resolve.ts';
import { evidenceClock } from '../loop/oldest-evidence.ts';
import { cut, cutLine, NO_ASIDE, stripped } from '../paint/row.ts';
import type { Look, ThemeSlot, Words } from '../paint/theme.ts';
import { paintingOf } from '../screens/screens.ts';
import { isTooSmall, layoutOf, saidOf } from '../state/list/screen-layout.ts';
import { memoised } from '../state/memoised.ts';
import type { Notice, State } from '../state/model.ts';
import { queryOfView, topView } from '../state/view-stack.ts';
import { watchWords } from '../state/watching.ts';
import { fit, fitWords, width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { markLine } from './components/prompt-window.ts';

/** Lines around the body, from screen row `y` on. */
type ChromePart = { y: number; lines: string[] };

/**
 * The lines above and below the body. They go past React to the cell writer as the body does: they change with
 * arriving rows, and a layout of the whole tree costs more than all of them. Ink draws an edited line.
 */
export function chromeLines(
  state: State,
  look: Look,
): { head: ChromePart; foot: ChromePart; link: Link | null } {
  const { columns, head, timeline, foot, body, bottom } = layoutOf(state);
  const strip = { columns, look };
  const isSmall = isTooSmall(state);
  const lines = head - timeline;
  const brush = brushLine(state, look);
  const figures = brush === null ? (lines > 2 ? headLine : onlyLine) : () => brush;
  const above = [titleLine, ...(lines > 2 ? [queryLineWithClock] : []), figures].slice(
    0,
    isSmall ? 0 : lines,
  );
  const isCovered = body.y + body.height > bottom;
  const end = bottom + (state.prompt === null && !isCovered ? 1 : 0);
  const rows = isCovered ? 0 : end - bottom + (isSmall ? 0 : foot);
  const below = rows === 0 ? [] : bottomLines(state, look);
  if (rows > 0 && state.prompt?.error) below.push(markLine(state.prompt, strip));
  if (below.length < rows) below.unshift(footLineWithClock(state, look));
  const upper = [...above.map((line) => line(state, look)), ...(isSmall ? [] : timelineLines(state, look))];
  const { lines: painted } = cutLines(look, { columns, whole: [...upper, ...below.slice(0, rows)] });
  return {
    head: { y: 0, lines: painted.slice(0, upper.length) },
    foot: { y: end - rows, lines: painted.slice(upper.length) },
    link: state.notice?.link === undefined ? null : linkOf(state, state.notice.link, end, rows),
  };
}

type Cut = { columns: number; whole: readonly string[]; lines: readonly string[] };

/** The lines as far as the screen has room: of one frame and the next most are the same. */
const cutLines = memoised((look: Look, { columns, whole }: Omit<Cut, 'lines'>, before: Cut | null): Cut => {
  const known = before?.columns === columns ? before : null;
  const lines = whole.map((line, at) =>
    line === known?.whole[at] ? (known.lines[at] as string) : cutLine(line, { columns, look }),
  );
  return { columns, whole, lines };
});

/** A line that says an address, where it stands in full; `end`: the row below the foot. */
type Link = { y: number; height: number; url: string };

function linkOf(state: State, url: string, end: number, rows: number): Link | null {
  const height = saidOf(state)?.lines.length ?? 0;
  return state.prompt === null && height <= rows ? { y: end - height, height, url } : null;
}

/** With room for a single line the query goes before the rates: a filter must not hide rows unseen. */
function onlyLine(state: State, look: Look): string {
  const isFiltered = (queryOfView(topView(state))?.terms.length ?? 0) > 0;
  return isFiltered ? queryLine(state, look) : headLine(state, look);
}

/** Cells of the longest badge. */
const BADGE_MOST = 60;

/** The first line: where the user is, and the state of the tail. */
export function titleLine(state: State, look: Look): string {
  const crumbs = state.views.map((view, index) => paintingOf(view).crumb(state, view, index));
  const onTop = topView(state);
  const start = ` edgescope${state.demo ? ' demo' : ''} ${look.glyph.crumb} `;
  const badge = paintingOf(onTop).badge(state, onTop);
  const text = sanitise(badge.text, 'text', BADGE_MOST);
  const room = Math.max(0, state.size.columns - width(text) - 2);
  const left = start + shortened(crumbs, room - width(start), look);
  return `${look.paint('title', cutCrumbs(left, room, look))} ${look.paint(badge.slot, text)} `;
}

/** Truncated behind a word of the last crumb where one fits; a name of one word is cut within it. */
function cutCrumbs(text: string, room: number, look: Look): string {
  const words = fitWords(text, room, look.glyph.cut);
  const last = text.lastIndexOf(` ${look.glyph.crumb} `) + 3;
  const isCutInLast = words.startsWith(text.slice(0, last)) && words[last] !== look.glyph.cut;
  return isCutInLast ? words : cut(text, room, look);
}

/** A long way loses its middle first: its beginning and end say most. */
function shortened(crumbs: readonly string[], room: number, look: Look): string {
  const joint = ` ${look.glyph.crumb} `;
  const all = crumbs.join(joint);
  for (let gone = 1; width(all) > room && gone < crumbs.length - 2; gone++) {
    const text = [...crumbs.slice(0, 1), look.glyph.cut, ...crumbs.slice(1 + gone)].join(joint);
    if (width(text) <= room) return text;
  }
  return all;
}

/** Days away it is no news, within hours it is. */
const SLOTS = {
  calm: null,
  soon: 'warning',
  urgent: 'error',
  gone: 'error',
} as const satisfies Record<RetentionSeverity, ThemeSlot | null>;

/** Blank cells on either side of it. */
const MARGIN = 2;

/** The query with the retention clock, where the screen has a line for the query. */
export function queryLineWithClock(state: State, look: Look): string {
  return withEvidenceClock(queryLine(state, look), state, look);
}

/** The status line, with the retention clock where the query's line has no room for it. */
export function footLineWithClock(state: State, look: Look): string {
  const foot = footLine(state, look);
  const severity = evidenceClock(state)?.severity ?? 'calm';
  if (SLOTS[severity] === null) return foot;
  const query = queryLine(state, look);
  const { head, timeline } = layoutOf(state);
  const isTold = head - timeline > 2 && withEvidenceClock(query, state, look) !== query;
  return isTold ? foot : withEvidenceClock(foot, state, look);
}

/**
 * A line with the retention clock in its widest blank, in the longest form that fits there. Nothing gives way to it.
 */
function withEvidenceClock(line: string, state: State, look: Look): string {
  const clock = evidenceClock(state);
  const slot = clock && SLOTS[clock.severity];
  if (!clock || !slot) return line;
  const end = ' '.repeat(Math.max(0, state.size.columns - stripped(line).length));
  const whole = line + end;
  const blank = widestBlank(whole);
  const forms = [`${clock.text}, :export keeps it`, clock.text, clock.short];
  const text = forms.find((each) => each.length + 2 * MARGIN <= blank.length);
  if (text === undefined) return line;
  // At the right end of the blank: what stands left of it changes its length more often.
  const from = blank.at + blank.length - MARGIN - text.length;
  return whole.slice(0, from) + look.paint(slot, text) + whole.slice(from + text.length);
}

function widestBlank(line: string): { at: number; length: number } {
  let widest = { at: 0, length: 0 };
  for (const match of line.matchAll(/ +/g)) {
    if (match[0].length > widest.length) widest = { at: match.index, length: match[0].length };
  }
  return widest;
}

const TONE_SLOTS = {
  info: 'accent',
  warning: 'warning',
  error: 'error',
} as const satisfies Record<Notice['tone'], ThemeSlot>;

/** The last lines: what there is to say, in full, or the hints. Above an edited line only the first. */
export function bottomLines(state: State, look: Look): string[] {
  const said = saidOf(state);
  if (said !== null)
    return said.lines.map((line) => look.paint(TONE_SLOTS[said.tone], fit(line, state.size.columns)));
  return state.prompt === null ? [statusOf(state, look)] : [];
}

/** The status, or the hints. */
function statusOf(state: State, look: Look): string {
  const { columns } = state.size;
  const status = pressingOf(state);
  if (status) return look.paint(status.slot, fitWords(` ${status.text}`, columns, look.glyph.cut));
  const view = topView(state);
  // Where the line under the title describes the timeline, this one has its keys.
  const ofBrush = brushLine(state, look) === null ? brushAside(state, look) : NO_ASIDE;
  const aside = ofBrush ?? paintingOf(view).aside(state, view);
  const watch = state.watching ? watchWords(state.watching) : '';
  const until = cut(watch, Math.min(watch.length, columns >> 1), look);
  let line = aside.text === '' ? ' ' : ` ${look.paint(aside.slot, aside.text)}  `;
  if (until !== '') line += `${look.paint('accent', until)}  `;
  let room = columns - stripped(line).length;
  let between = '';
  for (const { key, word } of hints(state)) {
    const length = between.length + key.length + 1 + word.length;
    if (room < length) break;
    line += `${between}${look.paint('key', key)} ${look.paint('dim', word)}`;
    room -= length;
    between = '  ';
  }
  return line;
}

/** What takes the whole line but for a notice, the most pressing of it; null = nothing. */
function pressingOf(state: State): Words | null {
  const { watching } = state;
  const { columns } = state.size;
  const clean = (text: string) => sanitise(text, 'text', columns * 2);
  if (watching?.told) return { slot: 'warning', text: clean(watching.told) };
  const { exporting } = state.handover;
  if (exporting) return { slot: 'accent', text: clean(exportWords(exporting)) };
  const view = topView(state);
  const trouble = paintingOf(view).trouble(state, view, columns - 1);
  return trouble === null ? null : { slot: 'warning', text: trouble };
}

/** The line above the timeline: the rates of a log, an answer's sentence, or the size of a list. */
export const headLine = lineOf('head');

/** The query of the view, term by term. */
export const queryLine = lineOf('query');

/** The status line: what was read of what there is, up to when it is complete, and its price. */
export const footLine = lineOf('foot');

function lineOf(part: 'head' | 'query' | 'foot') {
  return (state: State, look: Look): string => {
    const view = topView(state);
    return paintingOf(view)[part](state, view, { columns: state.size.columns, look });
  };
}
