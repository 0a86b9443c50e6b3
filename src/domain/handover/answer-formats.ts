import { sanitise } from '../../text/sanitise.ts';
import type { AnswerRow, AnswerSection, AnswerTable } from '../questions/inquiry/answer-table.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { codeSpan, csvLine, fenced, ndjsonLine, tableHead, tableLine, tableLines } from './line-formats.ts';

/** An answer as it is printed. */
type PrintedAnswer = {
  question: string;
  /** The window that it is about, Unix ms. */
  range: TimeRange;
  table: AnswerTable;
  /** The command that asks it again; null where none can. */
  command: string | null;
  /** The command that opens the lines behind a row. */
  commandOf: (leads: NonNullable<AnswerRow['leads']>) => string | null;
};

export const ANSWER_FORMATS = ['ndjson', 'csv', 'table', 'markdown'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/**
 * A line of an answer. `finding`: `answer` for the answer in one sentence, else the title of its section. `figures`: the cells
 * by the titles of their columns, counts as numbers and shares as numbers from 0 to 1. `from`, `to`: ISO 8601, UTC. Scripts rely
 * on these names and their order.
 */
type AnswerFinding = {
  question: string;
  finding: string;
  value: string | null;
  figures: Readonly<Record<string, string | number>>;
  coverage: string;
  from: string;
  to: string;
  formula: string | null;
  command: string | null;
};

/** The widest cell of an answer printed for people: a sentence of a rule is a cell. */
const WIDEST = 80;

/** Rows of a section in a ticket: what a reader takes in; the command brings the rest. */
const TICKET_ROWS = 10;

/** The lines of an answer in a format, without line ends. */
export function answerText(format: AnswerFormat, answer: PrintedAnswer): string[] {
  switch (format) {
    case 'ndjson':
      return findingsOf(answer).map(ndjsonLine);
    case 'csv': {
      const rows = findingsOf(answer).map((each) => ({ ...each, figures: ndjsonLine(each.figures) }));
      return [csvLine(Object.keys(rows[0] ?? {})), ...rows.map((row) => csvLine(Object.values(row)))];
    }
    case 'table':
      return tableText(answer);
    case 'markdown':
      return ticketText(answer);
  }
}

/** The answer itself, and then each row of its sections. */
export function findingsOf({ question, range, table, command, commandOf }: PrintedAnswer): AnswerFinding[] {
  const { coverage, headline, sections } = table;
  const times = ({ from, to }: TimeRange) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  });
  const first: AnswerFinding = {
    question,
    finding: 'answer',
    value: headline,
    figures: {},
    coverage,
    ...times(range),
    formula: null,
    command,
  };
  const rows = sections.flatMap((section) =>
    section.rows.map((row): AnswerFinding => {
      const window = row.leads?.query.window;
      const isOwn = window?.kind === 'absolute' && window.to !== null;
      return {
        question,
        finding: section.title,
        value: ownValue(section, row),
        figures: figuresOf(section, row),
        coverage,
        ...times(isOwn ? { from: window.from, to: window.to ?? range.to } : range),
        formula: section.note ?? null,
        command: row.leads ? commandOf(row.leads) : null,
      };
    }),
  );
  return [first, ...rows];
}

/** The value that a row is about; where it is about none, its text. */
function ownValue({ columns }: AnswerSection, { value, cells }: AnswerRow): string | null {
  if (value) return value.value;
  const at = columns.findIndex(({ cells: room }) => room === 'rest');
  return cells[Math.max(0, at)] ?? null;
}

function figuresOf({ columns }: AnswerSection, { cells }: AnswerRow): AnswerFinding['figures'] {
  return Object.fromEntries(
    columns.map(({ title, align }, at) => {
      const text = cells[at] ?? '';
      return [title || 'NOTE', align === 'right' ? numberOf(text) : text];
    }),
  );
}

/** A count or a share as a number; what is bounded or rounded to a word stays the text that says so. */
function numberOf(text: string): string | number {
  if (/^\d{1,3}(,\d{3})*$/.test(text)) return Number(text.replaceAll(',', ''));
  const [, share] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  return share === undefined ? text : Number((Number(share) / 100).toFixed(4));
}

function tableText({ table, command }: PrintedAnswer): string[] {
  const { headline, sections, coverage } = table;
  return [
    safe(headline),
    safe(`read: ${coverage}`),
    ...(command === null ? [] : [command]),
    ...sections.flatMap((section) => ['', safe(section.title), ...rowsText(section), ...noteText(section)]),
  ];
}

/** Sentences quote values of logs. */
function safe(text: string): string {
  return sanitise(text, 'strict');
}

function rowsText({ columns, rows }: AnswerSection): string[] {
  if (rows.length === 0) return [];
  const names = columns.map(({ title }) => title);
  return tableLines(
    rows.map(({ cells }) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))),
    WIDEST,
    names,
  );
}

function noteText({ rows, note }: AnswerSection): string[] {
  return note !== undefined ? [safe(`  ${note}`)] : rows.length === 0 ? ['  none'] : [];
}

function ticketText({ question, table, command }: PrintedAnswer): string[] {
  return [
    `# edgescope: ${codeSpan(question)}`,
    '',
    ...answerTables(table, TICKET_ROWS).lines,
    '',
    `- ${codeSpan(table.coverage)}`,
    '',
    ...(command === null ? [] : fenced(command, 'sh')),
  ];
}

/** An answer in Markdown: its sentence, and each of its sections as a table with what its note says. `most`: rows of each. */
export function answerTables(
  { headline, sections }: AnswerTable,
  most: number,
): { lines: string[]; shown: number; all: number } {
  const tables = sections.flatMap(({ title, columns, rows, note }) => {
    const some = rows.slice(0, most);
    const more = rows.length > some.length ? `, the first ${some.length} of ${rows.length}` : '';
    return [
      `**${codeSpan(title)}**${more}`,
      '',
      ...(some.length === 0 ? [] : tableHead(columns.map((column) => column.title))),
      ...some.map(({ cells }) => tableLine(columns.map((_, at) => codeSpan(cells[at] ?? null)))),
      ...(some.length === 0 ? [] : ['']),
      ...(note === undefined ? [] : [codeSpan(note), '']),
    ];
  });
  const sum = (count: (rows: number) => number) =>
    sections.reduce((total, { rows }) => total + count(rows.length), 0);
  return {
    lines: [...(headline === '' ? [] : [codeSpan(headline), '']), ...tables.slice(0, -1)],
    shown: sum((rows) => Math.min(rows, most)),
    all: sum((rows) => rows),
  };
}
