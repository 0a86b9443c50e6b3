import { explain } from '../../../domain/failure.ts';
import { EMPTY_QUERY } from '../../../domain/query/query.ts';
import { printQuery } from '../../../domain/query/query-text.ts';
import { type AnswerLine, type AnswerTone, toneOf } from '../../../domain/questions/inquiry/answer-table.ts';
import { type Painting, PLAIN_PAINTING } from '../../../paint/painting.ts';
import {
  type Area,
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
import { listHeight } from '../../../state/list/layout.ts';
import type { State } from '../../../state/model.ts';
import { fit, fitWords, width } from '../../../text/fit.ts';
import { inAscii, sanitise } from '../../../text/sanitise.ts';
import { count, counted, percent } from '../../../text/units.ts';
import { headlineOf, shownLines } from '../answer-cursor.ts';
import { answerCells, answerHead } from './answer-cells.ts';

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
  ...PLAIN_PAINTING,
  body: answerBody,
  crumb: (_: State, view: AnswerView) => sanitise(askedWords(view), 'strict', 40),
  badge: answerBadge,
  head: answerQueryLine,
  query: answerQueryLine,
  foot: answerFootLine,
} as const satisfies Painting<AnswerView>;

/** An answer as sections of rows; what a section means stands in its title and under it. */
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
  // Names of zones are others' words.
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

/** How an answer stands: its price, how far it is, or that it is only a part. */
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

/** `7 of 14 requests`; of a question whose answers name what else it asks for `7 of <=25 requests`. */
function progressWords(view: AnswerView): string {
  const { met, all } = progressOf(view);
  return `${count(met)} of ${view.inquiry.follow ? '<=' : ''}${requests(all)}`;
}

/** The first line of the answer in one sentence, or why there is none, in the slot of what it says. */
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
  // Its other lines scroll with the list: what stands below then is not how it goes on.
  return { slot, first: more.length > 0 && view.top > 0 ? `${first} ${look.glyph.cut}` : first };
}

/** What the question is about: of when, and the terms of its query; before it has either, the way to ask under the cursor. */
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
