import { clientName } from '../../../domain/logs/client-name.ts';
import { recordFields } from '../../../domain/logs/record-fields.ts';
import { fieldTitle } from '../../../domain/query/fields.ts';
import { eventFields } from '../../../domain/shield/shield-rows.ts';
import { type Area, cell, cursorSign, cut, headerLine, padLines, type Strip } from '../../../paint/row.ts';
import { valuesWords } from '../../../screens/log/painting/reading-words.ts';
import { rowCauseWords, toldCause } from '../../../state/evidence/row-cause.ts';
import { shownValue } from '../../../state/log-zones.ts';
import type { State } from '../../../state/model.ts';
import { topOf } from '../../../state/view-stack.ts';
import { fit, wrapText } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, percent } from '../../../text/units.ts';
import { type ValueLine, valueLines, valuesHeight } from '../top-values.ts';

/** Cells of a share. */
const SHARE = 6;

/** Cells of the name of a field in a detail, and lines of one value. */
const NAME = 13;
const VALUE_LINES = 4;

/** The width from which two fields stand side by side. */
const SIDE_BY_SIDE = 100;

/** Fields of a row that its host and path imply. Enter shows them. */
const TOLD_BY_PARTS: readonly string[] = ['scheme', 'url'];

/** The most frequent values of each field, with their shares of the rows that were counted. */
export function valuesPanel(state: State, area: Area): string[] {
  const { columns, height, look } = area;
  const { overlay } = state;
  const at = overlay?.kind === 'topValues' ? overlay.at : null;
  const lines = valueLines(state, valuesHeight(state));
  const rows = lines[0]?.of.rows;
  const title = rows === undefined ? 'TOP VALUES' : `TOP VALUES of ${count(rows)} rows`;
  const words = valuesWords(state);
  const note = words === null ? [] : [look.paint('dim', fit(` ${words}`, columns))];
  const room = height - 1 - note.length;
  const cursor = lines.findIndex((line) => line.kind === 'value' && line.at === at);
  // The name of the first field stays above its values.
  const top = Math.max(0, Math.min(lines.length - room, cursor - room + 1));
  const painted = lines.slice(top, top + room).map((line) => valueLine(state, line, at, area));
  if (lines.length === 0 && note.length === 0) painted.push(fit(' counting', columns));
  return padLines([headerLine(title, area), ...note, ...painted], height);
}

function valueLine(state: State, line: ValueLine, at: number | null, { columns, look }: Strip): string {
  const { of } = line;
  if (line.kind === 'field') {
    const more = of.distinct > of.values.length ? `${count(of.distinct)} values` : '';
    const name = fit(` ${fieldTitle('logs', of.field)}`, columns - more.length - 1);
    return look.paint('dim', `${name}${more} `);
  }
  const isCursor = line.at === at;
  const share = fit(percent(line.count / Math.max(1, of.rows)), SHARE, 'right');
  const shown = shownValue(state, of.field, line.value);
  const text = shown === null || shown === '' ? '(none)' : of.field === 'ua' ? clientName(shown) : shown;
  const value = cell(text, columns - SHARE - 4, look);
  return `${cursorSign(isCursor, look)} ${look.paint(isCursor ? 'title' : 'text', value)} ${look.paint('dim', share)} `;
}

/**
 * The fields of the line under a resting cursor, as they came, side by side where there is room; none while it moves.
 */
export function detailPanel(state: State, area: Area): string[] {
  const { columns, height, look } = area;
  const fields = detailFields(state);
  const title = headerLine('THIS ROW', area);
  if (fields.length === 0) {
    const words = topOf(state, 'log') ? ' j k choose a row' : '';
    return [title, look.paint('dim', fit(words, columns))];
  }
  const beside = columns >= SIDE_BY_SIDE ? 2 : 1;
  const each = Math.floor(columns / beside);
  const lines = fields.flatMap((field) => fieldLines(field, { columns: each, look }));
  const shown = Array.from({ length: height - 1 }, (_, row) => {
    const parts = Array.from(
      { length: beside },
      (_, part) => lines[part * (height - 1) + row] ?? ' '.repeat(each),
    );
    return parts.join('');
  });
  return [title, ...shown];
}

/** A field of a row: its name, and its value on up to some lines. */
function fieldLines({ name, value }: { name: string; value: string }, { columns, look }: Strip): string[] {
  const room = columns - NAME - 2;
  const [first = '', ...more] = wrapText(sanitise(value, 'strict', columns * VALUE_LINES), room);
  const label = cut(` ${sanitise(name, 'strict', NAME)}`, NAME, look);
  return [
    look.paint('dim', label) + fit(` ${first}`, columns - NAME),
    ...more.slice(0, VALUE_LINES - 1).map((each) => fit(`${' '.repeat(NAME + 1)}${each}`, columns)),
  ];
}

function detailFields(state: State): { name: string; value: string }[] {
  const { detail } = state.beside;
  if (detail === null) return [];
  const events = topOf(state, 'shieldRows')?.rows.shown;
  if (events) {
    const event = events.find(({ id }) => id === detail);
    return event ? eventFields(event, state.shield?.rules ?? null) : [];
  }
  const book = state.session?.book;
  if (!book?.has(Number(detail))) return [];
  const record = book.record(Number(detail));
  const cause = toldCause(state, record);
  return [
    ...(cause ? [{ name: 'origin error', value: rowCauseWords(cause) }] : []),
    ...recordFields(record).filter(({ name }) => !TOLD_BY_PARTS.includes(name)),
  ];
}
