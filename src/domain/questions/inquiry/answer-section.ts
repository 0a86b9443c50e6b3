import { joined } from '../../../text/joined.ts';
import { count, isoOf, percent } from '../../../text/units.ts';
import { type Query, type QuerySubject, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { AnswerColumn, AnswerRow, AnswerSection } from './answer-table.ts';
import { type Facts, type FactValue, Findings } from './findings.ts';

/** A column, what stands in it of each item that a row is about, and what it tells of it as data. */
export type ColumnOf<T> = AnswerColumn & {
  cell: (item: T, at: number) => string;
  tells: (item: T) => Facts;
};

/** `shown`: the cell where that is another text than the value; `from`: left out on screens narrower than this. */
type Look<T> = { shown?: (item: T, at: number) => string; from?: number };

type ValueOf<T, V extends FactValue> = (item: T) => V;

/** A column of texts, so many cells wide, and the name of its value as data. */
export function words<T>(
  name: string,
  title: string,
  cells: AnswerColumn['cells'],
  value: ValueOf<T, FactValue>,
  { shown = (item) => String(value(item) ?? ''), from }: Look<T> = {},
): ColumnOf<T> {
  return {
    title,
    cells,
    ...(from === undefined ? {} : { from }),
    cell: shown,
    tells: (item) => ({ [name]: value(item) }),
  };
}

/** A column of figures: counts, unless it is shown otherwise; null = not known. */
export function figures<T>(
  name: string,
  title: string,
  cells: number,
  value: ValueOf<T, number | null>,
  look: Look<T> = {},
): ColumnOf<T> {
  const shown = (item: T) => {
    const figure = value(item);
    return figure === null ? '' : count(figure);
  };
  return { ...words(name, title, cells, value, { shown, ...look }), align: 'right' };
}

/** A column of shares, 0…1; null = not known. */
export function shares<T>(
  name: string,
  title: string,
  cells: number,
  share: ValueOf<T, number | null>,
  look: Look<T> = {},
): ColumnOf<T> {
  return figures(name, title, cells, share, { shown: (item) => percent(share(item)), ...look });
}

/** A column of times, Unix ms. */
export function times<T>(
  name: string,
  title: string,
  cells: number,
  time: ValueOf<T, number | null>,
  shown: (time: number) => string,
  from?: number,
): ColumnOf<T> {
  const cell = (item: T) => {
    const at = time(item);
    return at === null ? '' : shown(at);
  };
  const column = words(name, title, cells, (item: T) => isoOf(time(item)), { shown: cell });
  return from === undefined ? column : { ...column, from };
}

/** The column that takes what the others leave. */
export function rest<T>(
  name: string,
  title: string,
  value: ValueOf<T, FactValue>,
  look: Look<T> = {},
): ColumnOf<T> {
  return words(name, title, 'rest', value, look);
}

/** A column for a screen alone: what it shows is told as data by other names. */
export function onScreen<T>(
  title: string,
  cells: AnswerColumn['cells'],
  cell: (item: T, at: number) => string,
  look: Pick<AnswerColumn, 'align' | 'from'> = {},
): ColumnOf<T> {
  return { title, cells, ...look, cell, tells: () => ({}) };
}

/** A range of time as scripts read it. */
export function isoTimes({ from, to }: TimeRange): { from: string | null; to: string | null } {
  return { from: isoOf(from), to: isoOf(to) };
}

type SectionOf<T> = {
  /** What is found, as a whole sentence: a finding is read without the rows and titles around it. */
  sentence: (item: T) => string;
  columns: readonly ColumnOf<T>[];
  /** What else a row has than its cells. */
  row?: (item: T, at: number) => Omit<AnswerRow, 'cells' | 'of'>;
  note?: string | undefined;
  /** What a screen alone says besides: of items that it does not list, or of the titles of its columns. */
  aside?: string | undefined;
  /** Items that a screen lists, the first of them; unless told all. */
  most?: number;
  /** What is told of an item as data besides its columns: in front of these, and behind them. */
  first?: (item: T) => Facts;
  also?: (item: T) => Facts;
};

/** A section with a row for each item. `name`: what a finding of it is called by scripts. */
export function sectionOf<T>(
  name: string,
  title: string,
  items: readonly T[],
  { sentence, columns, row, note = '', aside = '', most = items.length, first, also }: SectionOf<T>,
): AnswerSection {
  const listed = items.slice(0, most);
  const said = joined([note, aside]);
  return {
    title,
    columns: columns.map(({ cell: _, tells: __, ...column }) => column),
    rows: listed.map((item, at) => ({
      cells: columns.map(({ cell }) => cell(item, at)),
      of: at,
      ...row?.(item, at),
    })),
    ...(said === '' ? {} : { note: said }),
    findings: Findings.of({ name, note }, items, listed.length, (item, at) => {
      const facts = Object.assign(
        { sentence: sentence(item) },
        first?.(item),
        ...columns.map(({ tells }) => tells(item)),
        also?.(item),
      );
      const leads = row?.(item, at).leads;
      return { facts, ...(leads ? { leads } : {}) };
    }),
  };
}

/** Sentences as rows of one column. */
export function textSection(
  name: string,
  title: string,
  heading: string,
  texts: readonly string[],
  {
    sentence = (text) => text,
    row,
    note,
  }: { sentence?: (text: string) => string; row?: Omit<AnswerRow, 'cells' | 'of'>; note?: string } = {},
): AnswerSection {
  const columns = [{ ...onScreen<string>(heading, 'rest', (text) => text), isProse: true as const }];
  return sectionOf(name, title, texts, { sentence, columns, row: () => row ?? {}, note });
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
