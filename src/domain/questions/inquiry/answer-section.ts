import { count, percent } from '../../../text/units.ts';
import { type Query, type QuerySubject, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { AnswerColumn, AnswerRow, AnswerSection } from './answer-table.ts';

/** A column, and what stands in it of each item that a row is about. */
export type ColumnOf<T> = AnswerColumn & { cell: (item: T, at: number) => string };

/** A column of texts, so many cells wide. `from`: left out on screens narrower than this. */
export function words<T>(
  title: string,
  cells: number,
  cell: (item: T, at: number) => string,
  from?: number,
): ColumnOf<T> {
  return { title, cells, cell, ...(from === undefined ? {} : { from }) };
}

/** A column of figures: counts, or other figures as texts. */
export function figures<T>(
  title: string,
  cells: number,
  figure: (item: T, at: number) => number | string,
  from?: number,
): ColumnOf<T> {
  const cell = (item: T, at: number) => {
    const value = figure(item, at);
    return typeof value === 'number' ? count(value) : value;
  };
  return { ...words(title, cells, cell, from), align: 'right' };
}

/** A column of shares, 0…1; null = not known. */
export function shares<T>(
  title: string,
  cells: number,
  share: (item: T) => number | null,
  from?: number,
): ColumnOf<T> {
  return figures(title, cells, (item) => percent(share(item)), from);
}

/** The column that takes what the others leave. */
export function rest<T>(title: string, cell: (item: T, at: number) => string): ColumnOf<T> {
  return { title, cells: 'rest', cell };
}

/** A section with a row for each item. `row`: what else a row has than its cells. */
export function sectionOf<T>(
  title: string,
  items: readonly T[],
  o: {
    columns: readonly ColumnOf<T>[];
    row?: (item: T, at: number) => Omit<AnswerRow, 'cells'>;
    note?: string | undefined;
  },
): AnswerSection {
  return {
    title,
    columns: o.columns.map(({ cell: _, ...column }) => column),
    rows: items.map((item, at) => ({
      cells: o.columns.map(({ cell }) => cell(item, at)),
      ...o.row?.(item, at),
    })),
    ...(o.note ? { note: o.note } : {}),
  };
}

/** Cells of a line of text in an answer: what the narrowest screen that shows answers whole has. */
const LINE = 78;

/** Sentences as rows of one column, broken at spaces; a longer word, such as a URL, is broken where the line ends. */
export function textSection(
  title: string,
  heading: string,
  texts: readonly string[],
  o: { row?: Omit<AnswerRow, 'cells'>; note?: string } = {},
): AnswerSection {
  const columns = [rest(heading, (line: string) => line)];
  return sectionOf(title, texts.flatMap(broken), { columns, row: () => o.row ?? {}, note: o.note });
}

function broken(text: string): string[] {
  const lines: string[] = [];
  let left = text;
  while (left.length > LINE) {
    const space = left.lastIndexOf(' ', LINE);
    const end = space > LINE / 2 ? space : LINE;
    lines.push(left.slice(0, end));
    left = `  ${left.slice(end).trimStart()}`;
  }
  return [...lines, left];
}

/** The query over the very times that were asked about. */
export function within(query: Query, { from, to }: TimeRange): Query {
  return { ...query, groupBy: [], window: { kind: 'absolute', from, to } };
}

/** Where a value leads: to what the query finds of it. And the value itself, for further questions. */
export function ledBy(
  subject: QuerySubject,
  query: Query,
  field: string,
  value: string | null,
): Pick<AnswerRow, 'leads' | 'value'> {
  const term = termForValue(subject, field, value, false);
  return {
    ...(term ? { leads: { subject, query: withTerms(query, term) } } : {}),
    ...(value === null ? {} : { value: { field, value } }),
  };
}
