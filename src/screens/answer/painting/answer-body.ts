import { explain } from '../../../domain/failure.ts';
import {
  type AnswerColumn,
  type AnswerLine,
  type AnswerRow,
  type AnswerSection,
  type AnswerTone,
  toneOf,
} from '../../../domain/inquiry/answer-table.ts';
import { inSteps } from '../../../domain/logs/groups/group-shape.ts';
import { sharedDirectory } from '../../../domain/query/directory.ts';
import { EMPTY_QUERY } from '../../../domain/query/query.ts';
import { printQuery } from '../../../domain/query/query-text.ts';
import type { Painting } from '../../../paint/painting.ts';
import { directoryWords, pathCell } from '../../../paint/path-cells.ts';
import {
  type Area,
  cell,
  cut,
  headerLine,
  listLine,
  listLines,
  paragraphs,
  type Strip,
  spanText,
  spinner,
  textLine,
} from '../../../paint/row.ts';
import type { ThemeSlot, Words } from '../../../paint/theme.ts';
import { type AnswerView, askedWords, leftOf, progressOf, waysOf } from '../../../state/answer-model.ts';
import { listHeight } from '../../../state/list/screen-layout.ts';
import { memoised } from '../../../state/memoised.ts';
import type { State } from '../../../state/model.ts';
import { fit, fitWords, width } from '../../../text/fit.ts';
import { inAscii, sanitise } from '../../../text/sanitise.ts';
import { count, counted, percent } from '../../../text/units.ts';
import { headlineOf, shownLines } from '../answer-cursor.ts';

/** The narrowest a name may get; below it, fixed columns behind it go. */
const NAME_LEAST = 12;
/** The narrowest name column: figures of sections with short names then stand under each other. */
const NAME_USUAL = 24;
/** The widest name column: figures stand no further away. */
const NAME_MOST = 96;
/** Letters of a value that are measured. */
const LOOKED_AT = 400;

/** A column with its cells, and the directory its values leave out. */
type Placed = { column: AnswerColumn; index: number; width: number; directory: string };

/** The titles of a section's columns in a window of so many. */
export function answerHead(section: AnswerSection, { columns, look }: Strip): string {
  return placedColumns(section, { columns })
    .map(({ column, width: room, directory }) => {
      const text = column.title + directoryWords(directory, room - column.title.length, look);
      return fit(text, room, column.align ?? 'left', look.glyph.cut);
    })
    .join(' ');
}

/** A row of a section under those titles. */
export function answerCells(section: AnswerSection, row: AnswerRow, { columns, look }: Strip): string {
  return placedColumns(section, { columns })
    .map(({ column, index, width: room, directory }) => {
      const value = row.cells[index] ?? '';
      if (directory !== '') return pathCell(value, directory, room, [], look);
      return cell(value, room, look, 'strict', column.align ?? 'left');
    })
    .join(' ');
}

/**
 * The columns that fit. At most one takes the rest of the width; where others stand behind it, it takes what its
 * longest value needs, in steps, so that figures stand beside the names and arriving rows move them little.
 */
const placedColumns = memoised((section: AnswerSection, { columns }: { columns: number }): Placed[] => {
  const room = columns - 1;
  const shown = section.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => (column.from ?? 0) <= columns);
  const fixed = () =>
    shown.reduce((sum, { column }) => sum + 1 + (column.cells === 'rest' ? NAME_LEAST : column.cells), -1);
  while (shown.length > 1 && fixed() > room) shown.pop();
  const rest = Math.max(1, room - fixed() + NAME_LEAST);
  return shown.map(({ column, index }) => {
    if (column.cells !== 'rest') return { column, index, width: column.cells, directory: '' };
    const texts = section.rows.map(({ cells }) => cells[index] ?? '');
    const needed = neededCells([column.title, ...texts]);
    const isLast = shown.at(-1)?.column === column;
    const given = isLast ? rest : Math.min(rest, NAME_MOST, Math.max(NAME_USUAL, inSteps(needed)));
    return { column, index, width: given, directory: needed > given ? directoryOf(texts) : '' };
  });
});

function neededCells(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, width(sanitise(text.slice(0, LOOKED_AT), 'strict'))), 0);
}

/** The directory that the paths among the values share; words of the answer itself have none. */
function directoryOf(texts: readonly string[]): string {
  return sharedDirectory(texts.filter((text) => text.includes('/')));
}

const SLOTS = {
  plain: 'text',
  good: 'success',
  bad: 'error',
  notable: 'warning',
  faint: 'dim',
} as const satisfies Record<AnswerTone, ThemeSlot>;

/** Cells of the ways to ask, as wide as they need, and of what they cost. */
const WAY = { least: 18, most: 30 } as const;
const COST = 16;

/** What an answer looks like. */
export const ANSWER_PAINTING = {
  body: answerBody,
  crumb: (_: State, view: AnswerView) => sanitise(askedWords(view), 'strict', 40),
  badge: answerBadge,
  head: answerQueryLine,
  query: answerQueryLine,
  foot: answerFootLine,
} as const satisfies Painting<AnswerView>;

/** An answer as sections of rows; a section's title and notes say what it means. */
function answerBody(state: State, view: AnswerView, area: Area): string[] {
  const { columns, look } = area;
  if (view.stage.kind === 'priced') return costLines(view, area);
  const lines = shownLines(view.table, columns);
  const place = lines.length > 0 ? `${count(view.cursor + 1)}/${count(lines.length)}` : '';
  const { slot, first } = headlineWords(state, view, area);
  const head =
    look.paint(slot, fit(` ${first}`, columns - width(place) - 1)) + look.paint('header', `${place} `);
  const line = (each: AnswerLine, isCursor: boolean) => lineOf(each, isCursor, slot, area);
  return [head, ...listLines(lines, view, listHeight(state), line)];
}

/** The ways to ask with what they cost; nothing is asked before Enter. */
function costLines(view: AnswerView, strip: Strip): string[] {
  // Names of zones are untrusted.
  const titles = view.choices.map(({ title }) => sanitise(title, 'strict'));
  const way = Math.min(WAY.most, Math.max(WAY.least, ...titles.map((title) => width(title))));
  const choices = view.choices.map(({ inquiry, why, price: asked }, index) => {
    const cost =
      inquiry === null ? 'cannot be asked' : `${inquiry.follow ? '<=' : ''}${count(asked)} requests`;
    const text = `${fit(titles[index] ?? '', way)} ${fit(cost, COST)} ${why}`;
    return listLine(text, index === view.cursor, strip, inquiry === null ? 'dim' : 'text');
  });
  return [
    ...headlineOf(view.table, strip.columns).map((text) => strip.look.paint('title', ` ${text}`)),
    headerLine(`${fit('WAY TO ASK', way)} COST`, strip),
    ...choices,
    '',
    ...paragraphs(['Enter asks, Esc goes back without asking.'], strip, 'dim'),
  ];
}

function lineOf(line: AnswerLine, isCursor: boolean, headline: ThemeSlot, strip: Strip): string {
  switch (line.kind) {
    case 'headline':
      return listLine(line.text, isCursor, strip, headline);
    case 'blank':
      return listLine('', isCursor, strip);
    case 'title':
      return listLine(sanitise(line.text, 'strict', strip.columns), isCursor, strip, 'title');
    case 'note':
      return listLine(` ${line.text}`, isCursor, strip, 'dim');
    case 'head':
      return listLine(answerHead(line.section, strip), isCursor, strip, 'header');
    case 'row': {
      const slot = SLOTS[line.row.tone ?? 'plain'];
      return listLine(answerCells(line.section, line.row, strip), isCursor, strip, slot);
    }
  }
}

/** The state of an answer: its price, its progress, or that it is a part. */
export function answerBadge(state: State, view: AnswerView): Words {
  const { stage } = view;
  switch (stage.kind) {
    case 'priced':
      return { text: `COST ${costWords(view)}`, slot: 'paused' };
    case 'recalling':
      return {
        text: `COUNTING ${percent(Math.min(0.999, view.recall?.share ?? 0))} of memory ${spinner({ kind: 'asking', since: stage.since }, state)}`.trimEnd(),
        slot: 'quiet',
      };
    case 'asking':
      return { text: `ASKING ${progressWords(view)} ${spinner(stage, state)}`.trimEnd(), slot: 'quiet' };
    case 'cancelled':
      return { text: `CANCELLED ${progressWords(view)}, Ctrl-r goes on`, slot: 'warning' };
    case 'read': {
      if (view.failures > 0 && view.failures === view.met) return { text: 'FAILED', slot: 'down' };
      const left = leftOf(view).length;
      if (view.inquiry.lacks?.()) return { text: 'PART READ', slot: 'warning' };
      const isOfMemory = view.recall?.isEmpty === false && view.spent === 0;
      if (isOfMemory && left > 0)
        return { text: `FROM MEMORY, Ctrl-r reads the rest: ${requests(left)}`, slot: 'warning' };
      if (isOfMemory && waysOf(view) > 1) return { text: 'FROM MEMORY, Ctrl-r asks again', slot: 'success' };
      return left > 0
        ? { text: `PARTIAL, Ctrl-r reads the rest: ${requests(left)}`, slot: 'warning' }
        : { text: 'READ', slot: 'success' };
    }
  }
}

/** `7 of 14 requests`; where answers name what else is asked for, `7 of <=25 requests`. */
function progressWords(view: AnswerView): string {
  const { met, all } = progressOf(view);
  return `${count(met)} of ${view.inquiry.follow ? '<=' : ''}${requests(all)}`;
}

/** The first line of the answer's sentence, or why there is none, in the colour of its meaning. */
function headlineWords(
  state: State,
  view: AnswerView,
  { columns, look }: Strip,
): { slot: ThemeSlot; first: string } {
  const { failure, failures, table } = view;
  if (failure && failures === view.met && view.stage.kind !== 'asking') {
    const { what, next } = explain(failure, state.now);
    return {
      slot: 'down',
      first: fitWords(sanitise(`${what} ${next}`, 'text', 400), columns - 2, look.glyph.cut),
    };
  }
  const tone = toneOf(table);
  const slot: ThemeSlot = tone === 'bad' ? 'error' : tone === 'good' ? 'success' : 'title';
  const [first = '', ...more] = headlineOf(table, columns);
  // The other lines scroll with the list, so what stands below is not how it goes on.
  return { slot, first: more.length > 0 && view.top > 0 ? `${first} ${look.glyph.cut}` : first };
}

/** What the question is about: its times and terms; before it has them, the way under the cursor. */
function answerQueryLine(_: State, view: AnswerView, strip: Strip): string {
  const { terms, window } = view.query;
  const isSpan = window?.kind === 'absolute' && window.to !== null;
  const text = printQuery({ ...EMPTY_QUERY, terms, window: isSpan ? null : window });
  const times = isSpan ? `${spanText(window.from, window.to as number, strip.look)}  ` : '';
  const about = `${times}${inAscii(text, 400)}` || sanitise(view.choices[view.cursor]?.title ?? '', 'strict');
  return textLine(` ${about}`, strip, 'dim');
}

/** The status line: what was read of what there is, and what it cost. */
function answerFootLine(_: State, view: AnswerView, { columns, look }: Strip): string {
  const failed = view.failures > 0 ? `${view.failures} failed, ` : '';
  const right = `${failed}${requests(view.spent)} `;
  const room = Math.max(0, columns - width(right) - 1);
  const left = cut(` ${sanitise(view.table.coverage, 'strict', 400)}`, room, look);
  return `${left} ${look.paint(view.failures > 0 ? 'down' : 'dim', right)}`;
}

/** What the way under the cursor costs. */
function costWords({ choices, cursor }: AnswerView): string {
  const choice = choices[cursor];
  if (!choice?.inquiry) return 'none';
  return `${choice.inquiry.follow ? 'at most ' : ''}${requests(choice.price)}`;
}

function requests(n: number): string {
  return counted(n, 'request');
}
