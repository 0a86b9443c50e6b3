import type { AnswerFinding, Findings, Leads } from './findings.ts';

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
