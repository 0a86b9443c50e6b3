import { sanitise } from '../../text/sanitise.ts';
import { counted } from '../../text/units.ts';
import {
  type AnswerFinding,
  type AnswerSection,
  type AnswerTable,
  type AnswerVerdict,
  type Facts,
  type FactValue,
  type Findings,
  firstFindings,
  isoTimes,
  type Leads,
  rowLines,
} from '../inquiry/answer-table.ts';
import type { TimeRange } from '../tail/coverage.ts';
import {
  codeSpan,
  csvLine,
  csvObject,
  fenced,
  ndjsonLine,
  tableHead,
  tableLine,
  tableLines,
} from './line-formats.ts';

/** An answer to print. */
type PrintedAnswer = {
  question: string;
  /** The names of its zones; null: saved logs. */
  zone: string | null;
  /** The window that it is about, Unix ms. */
  range: TimeRange;
  table: AnswerTable;
  /** Findings printed at most; null: as many as a screen lists, within `USUAL_MOST`. */
  limit: number | null;
  /** The command that asks it again; null where none can. */
  command: string | null;
  /** The command that opens the lines behind a finding. */
  commandOf: (leads: Leads) => string | null;
};

export const ANSWER_FORMATS = ['ndjson', 'csv', 'table', 'markdown'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/**
 * The first line of an answer. `from`, `to`: the window, ISO 8601, UTC. `left`: findings that are not printed.
 * `notes`: how figures are computed and what they lack, by the name of their findings. Scripts rely on these names
 * and their order.
 */
type AnswerHead = {
  question: string;
  verdict: AnswerVerdict;
  zone: string | null;
  headline: string;
  coverage: string;
  from: string | null;
  to: string | null;
  command: string | null;
  left: number;
  notes: Readonly<Record<string, string>>;
};

/** Findings printed by default. */
export const USUAL_MOST = 100;

/** The widest cell of an answer for people, and the width at which its sentences wrap. */
const WIDEST = 80;
const PROSE = 78;

/** Rows of a section in a ticket: as many as a reader takes in; its command brings the rest. */
const TICKET_ROWS = 10;

/** The lines of an answer in a format, without line ends; `isCut`: the limit left out what a screen lists. */
export function answerText(format: AnswerFormat, answer: PrintedAnswer): { lines: string[]; isCut: boolean } {
  const { head, findings, isCut } = told(answer);
  switch (format) {
    case 'ndjson':
      return { lines: [head, ...findings].map(ndjsonLine), isCut };
    case 'csv': {
      const { notes, ...first } = head;
      const names = [...Object.keys(first), 'finding'];
      const row = (cells: Record<string, FactValue>, facts: object) =>
        `${csvLine(names.map((name) => plainCell(cells[name])))},${csvObject(facts)}`;
      const rows = findings.map(({ finding, command, ...facts }) =>
        row({ question: head.question, finding: finding ?? null, command: command ?? null }, facts),
      );
      return { lines: [csvLine([...names, 'facts']), row(first, { notes }), ...rows], isCut };
    }
    case 'table':
    case 'markdown': {
      const rows = limited(answer);
      const print = format === 'table' ? tableText : ticketText;
      return { lines: print(answer, rows.table, leftWords(rows.left)), isCut };
    }
  }
}

function plainCell(value: FactValue | undefined): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The answer itself, then a line a finding. */
function told(answer: PrintedAnswer): {
  head: AnswerHead;
  findings: Facts[];
  isCut: boolean;
} {
  const { question, zone, range, table, limit, command, commandOf } = answer;
  const { verdict, headline, coverage, sections } = table;
  const lists = table.findings ? [listOf(table.findings)] : sections.map(({ findings }) => findings);
  const given = allotted(lists, limit);
  const findings = lists.flatMap((list, at) => firstFindings(list, given[at] ?? 0));
  const all = lists.reduce((sum, list) => sum + list.all, 0);
  return {
    head: {
      ...{ question, verdict, zone, headline, coverage, ...isoTimes(range), command },
      left: all - findings.length,
      notes: notesOf(sections),
    },
    findings: findings.map(({ facts, leads }) => ({ ...facts, command: leads ? commandOf(leads) : null })),
    isCut: lists.some(({ listed }, at) => (given[at] ?? 0) < listed),
  };
}

/** The notes that all sections of a name share; where they differ each is about its own rows. */
function notesOf(sections: readonly AnswerSection[]): Record<string, string> {
  const byName = Map.groupBy(sections, ({ findings }) => findings.name);
  return Object.fromEntries(
    [...byName].flatMap(([name, own]) => {
      const [note = '', ...others] = new Set(own.map(({ findings }) => findings.note));
      return note === '' || others.length > 0 ? [] : [[name, note]];
    }),
  );
}

type List = Pick<Findings, 'all' | 'listed' | 'told' | 'at'>;

function listOf(findings: readonly AnswerFinding[]): List {
  const { length } = findings;
  return { all: length, listed: length, told: length, at: (place) => findings[place] as AnswerFinding };
}

/** How many of each list are printed: what a screen lists of each, and more of the first where the limit has room. */
function allotted(lists: readonly List[], limit: number | null): number[] {
  let room = limit ?? USUAL_MOST;
  const take = (wanted: number) => {
    const taken = Math.min(room, wanted);
    room -= taken;
    return taken;
  };
  const listed = lists.map((list) => take(list.listed));
  return limit === null
    ? listed
    : lists.map(({ told }, at) => (listed[at] ?? 0) + take(told - (listed[at] ?? 0)));
}

/** The rows for people, within the limit, and how many findings they leave out. */
function limited({ table, limit }: PrintedAnswer): { table: AnswerTable; left: number } {
  let room = limit ?? USUAL_MOST;
  let left = 0;
  const sections = table.sections.map((section): AnswerSection => {
    const { findings, rows } = section;
    const shown = Math.min(room, findings.listed);
    room -= shown;
    left += findings.all - shown;
    if (shown === findings.listed) return section;
    // The note under all rows counts those that follow them.
    const { note: _, ...cut } = section;
    const note = findings.note === '' ? {} : { note: findings.note };
    return { ...cut, ...note, rows: rows.filter(({ of }) => of < shown) };
  });
  return { table: { ...table, sections }, left };
}

function leftWords(left: number): string[] {
  return left === 0 ? [] : [`${counted(left, 'finding')} left out: --limit and --format ndjson print more`];
}

function tableText({ command }: PrintedAnswer, table: AnswerTable, left: readonly string[]): string[] {
  const { headline, sections, coverage } = table;
  return [
    safe(headline),
    safe(`read: ${coverage}`),
    ...left,
    ...(command === null ? [] : [command]),
    ...sections.flatMap((section) => ['', safe(section.title), ...rowsText(section), ...noteText(section)]),
  ];
}

/** Sentences quote values of logs. */
function safe(text: string): string {
  return sanitise(text, 'strict');
}

function rowsText(section: AnswerSection): string[] {
  const { columns, rows } = section;
  if (rows.length === 0) return [];
  const names = columns.map(({ title }) => title);
  return tableLines(
    rowLines(section, PROSE).map(({ cells }) =>
      Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])),
    ),
    WIDEST,
    names,
  );
}

function noteText({ findings, note }: AnswerSection): string[] {
  return note !== undefined ? [safe(`  ${note}`)] : findings.all === 0 ? ['  none'] : [];
}

function ticketText(
  { question, command }: PrintedAnswer,
  table: AnswerTable,
  left: readonly string[],
): string[] {
  return [
    `# edgescope: ${codeSpan(question)}`,
    '',
    ...answerTables(table, TICKET_ROWS).lines,
    '',
    ...[table.coverage, ...left].map((words) => `- ${codeSpan(words)}`),
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
