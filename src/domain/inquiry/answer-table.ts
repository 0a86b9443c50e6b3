import { count, dayClock, isoOf, joined, percent } from '../../text/units.ts';
import { type Query, type QuerySubject, withTerms } from '../query/query.ts';
import { termForValue } from '../query/terms.ts';
import type { TimeRange } from '../tail/coverage.ts';

/** Meanings of a row or a headline; what they look like is the theme's. */
export type AnswerTone = 'plain' | 'good' | 'bad' | 'notable' | 'faint';

/**
 * What a question found out. `wrong`: what it looks for; `calm`: it looked at everything that it says, and found nothing;
 * `unknown`: too little was read to say either, or it looks for nothing that is wrong.
 */
export type AnswerVerdict = 'wrong' | 'calm' | 'unknown';

export type AnswerColumn = {
  title: string;
  /** Cells; `rest` takes what the others leave. */
  cells: number | 'rest';
  align?: 'left' | 'right';
  /** Left out on screens narrower than this. */
  from?: number;
  /** Its texts are sentences, which go on over further lines where one has no room for them. */
  isProse?: true;
};

export type AnswerRow = {
  /** One text per column; untrusted text as it came, made safe where it is shown. */
  cells: readonly string[];
  /** Which of the findings of its section it is a line of. */
  of: number;
  tone?: AnswerTone;
  /** What the question was asked about: the cursor goes there. */
  isSubject?: boolean;
  /** What Enter opens. */
  leads?: Leads;
  /** The value of the row, for further questions about it. */
  value?: { field: string; value: string };
};

export type AnswerSection = {
  title: string;
  columns: readonly AnswerColumn[];
  /** What a screen lists. */
  rows: readonly AnswerRow[];
  /** A sentence under the rows: a formula, a bound, what stands for nothing. */
  note?: string;
  /** What it found, as data; rows need not stand for one each. */
  findings: Findings;
};

/** An answer as it is shown, copied and exported. */
export type AnswerTable = {
  /** The answer in one sentence. */
  headline: string;
  verdict: AnswerVerdict;
  /** Set where the headline looks otherwise than its verdict does. */
  tone?: AnswerTone;
  sections: readonly AnswerSection[];
  /** What was read of what there is, and what was decided here. */
  coverage: string;
  /** All of it was read: no part is a sample, cut, or not told. Whether rows can still come is not decided here. */
  isWhole: boolean;
  /** What scripts are told in the place of the findings of the sections; all there is. */
  findings?: readonly AnswerFinding[];
};

const TONES = { wrong: 'bad', calm: 'good', unknown: 'plain' } as const satisfies Record<
  AnswerVerdict,
  AnswerTone
>;

export function toneOf({ verdict, tone }: Pick<AnswerTable, 'verdict' | 'tone'>): AnswerTone {
  return tone ?? TONES[verdict];
}

/** One line of an answer as it is listed. */
export type AnswerLine =
  | { kind: 'headline'; text: string }
  | { kind: 'title'; text: string }
  | { kind: 'head'; section: AnswerSection }
  | { kind: 'row'; section: AnswerSection; row: AnswerRow }
  | { kind: 'note'; text: string }
  | { kind: 'blank' };

/** The lines of an answer where each has room for so many cells. */
export function answerLines(table: AnswerTable, room: number): AnswerLine[] {
  return table.sections.flatMap((section, index): AnswerLine[] => [
    ...(index > 0 ? [{ kind: 'blank' as const }] : []),
    { kind: 'title', text: section.title },
    ...(section.rows.length > 0 ? [{ kind: 'head' as const, section }] : []),
    ...rowLines(section, room).map((row) => ({ kind: 'row' as const, section, row })),
    ...(section.note === undefined ? [] : [{ kind: 'note' as const, text: section.note }]),
  ]);
}

/** The rows of a section, those of sentences on as many lines as they take. */
export function rowLines({ columns, rows }: AnswerSection, room: number): readonly AnswerRow[] {
  const prose = columns.findIndex(({ isProse }) => isProse);
  if (prose < 0) return rows;
  return rows.flatMap((row) =>
    broken(row.cells[prose] ?? '', room).map((text) => ({ ...row, cells: row.cells.with(prose, text) })),
  );
}

/** A sentence broken at spaces; a longer word, such as a URL, is broken where the line ends. */
function broken(text: string, room: number): string[] {
  const lines: string[] = [];
  let left = text;
  while (left.length > room) {
    const space = left.lastIndexOf(' ', room);
    const end = space > room / 2 ? space : room;
    lines.push(left.slice(0, end));
    left = `  ${left.slice(end).trimStart()}`;
  }
  return [...lines, left];
}

/** A value of JSON. */
export type FactValue =
  | string
  | number
  | boolean
  | null
  | readonly FactValue[]
  | { readonly [name: string]: FactValue };

/** What is told of one thing, by names that scripts rely on: figures are numbers, shares 0…1, times ISO 8601 in UTC, texts whole. */
export type Facts = Readonly<Record<string, FactValue>>;

/** The lines of a log behind something, of these of the zones by their ids; without them of all that the answer is about. */
export type Leads = { subject: QuerySubject; query: Query; zones?: readonly string[] };

/** One thing that an answer found, as data. */
export type AnswerFinding = { facts: Facts; leads?: Leads };

/** Findings of one list that are told as data; of more nobody reads them one by one. */
const MOST = 1_000;

/** What a section found, as data. A finding is made when it is asked for: a screen has no use for it. */
export class Findings {
  readonly #make: (at: number) => AnswerFinding;
  /** What each of them is called by scripts. */
  readonly name: string;
  /** How their figures are made, and what they lack. */
  readonly note: string;
  /** How many there are; those that can be told, the first of them; and those of these that a screen lists. */
  readonly all: number;
  readonly told: number;
  readonly listed: number;

  constructor(of: Pick<Findings, 'name' | 'note' | 'all' | 'listed'>, make: (at: number) => AnswerFinding) {
    const { name, note, all, listed } = of;
    this.#make = make;
    this.name = name;
    this.note = note;
    this.all = all;
    this.told = Math.min(all, MOST);
    this.listed = Math.min(listed, this.told);
  }

  at(place: number): AnswerFinding {
    const { facts, ...leading } = this.#make(place);
    return { facts: { finding: this.name, ...facts }, ...leading };
  }
}

/** Of so many items that more cannot be told the others are let go. */
export function findingsOf<T>(
  { name, note, listed }: Pick<Findings, 'name' | 'note' | 'listed'>,
  items: readonly T[],
  make: (item: T, at: number) => AnswerFinding,
): Findings {
  const told = items.slice(0, MOST);
  return new Findings({ name, note, all: items.length, listed }, (at) => make(told[at] as T, at));
}

export function firstFindings(of: Pick<Findings, 'told' | 'at'>, most: number): AnswerFinding[] {
  return Array.from({ length: Math.min(most, of.told) }, (_, place) => of.at(place));
}

/** A column, what stands in it of each item that a row is about, and what it tells of it as data. */
export type ColumnOf<T> = AnswerColumn & {
  cell: (item: T, at: number) => string;
  tells: (item: T) => Facts;
};

/** `shown`: the cell where that is another text than the value. */
type Look<T> = Pick<AnswerColumn, 'from' | 'align'> & { shown?: (item: T, at: number) => string };

/** The name of its value as data, its title, how many cells it is wide, and the value. */
type Column<T, V> = [
  name: string,
  title: string,
  cells: AnswerColumn['cells'],
  value: (item: T) => V,
  look?: Look<T>,
];

/** A column of texts. */
export function words<T>(...[name, title, cells, value, look = {}]: Column<T, FactValue>): ColumnOf<T> {
  const { shown = (item: T) => String(value(item) ?? ''), ...looks } = look;
  return { title, cells, ...looks, cell: shown, tells: (item) => ({ [name]: value(item) }) };
}

/** A column of figures: counts, unless it is shown otherwise; null = not known. */
export function figures<T>(...[name, title, cells, value, look]: Column<T, number | null>): ColumnOf<T> {
  const shown = (item: T) => {
    const figure = value(item);
    return figure === null ? '' : count(figure);
  };
  return words(name, title, cells, value, { align: 'right', shown, ...look });
}

/** A column of shares, 0…1; null = not known. */
export function shares<T>(...[name, title, cells, share, look]: Column<T, number | null>): ColumnOf<T> {
  return figures(name, title, cells, share, { shown: (item) => percent(share(item)), ...look });
}

/** A column of times, Unix ms, with their days unless it is shown otherwise. */
export function times<T>(
  name: string,
  title: string,
  cells: number,
  time: (item: T) => number | null,
  { shown = (at) => dayClock(at, 'utc'), ...look }: { shown?: (time: number) => string; from?: number } = {},
): ColumnOf<T> {
  const cell = (item: T) => {
    const at = time(item);
    return at === null ? '' : shown(at);
  };
  return words(name, title, cells, (item) => isoOf(time(item)), { shown: cell, ...look });
}

/** The column that takes what the others leave. */
export function rest<T>(
  name: string,
  title: string,
  value: (item: T) => FactValue,
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
    findings: findingsOf({ name, note, listed: listed.length }, items, (item, at) => {
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
