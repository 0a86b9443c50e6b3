import type { Query, QuerySubject } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';

/** Meanings of a row or a headline; what they look like is the theme's. */
export type AnswerTone = 'plain' | 'good' | 'bad' | 'notable' | 'faint';

export type AnswerColumn = {
  title: string;
  /** Cells; `rest` takes what the others leave. */
  cells: number | 'rest';
  align?: 'left' | 'right';
  /** Left out on screens narrower than this. */
  from?: number;
};

export type AnswerRow = {
  /** One text per column; untrusted text as it came, made safe where it is shown. */
  cells: readonly string[];
  tone?: AnswerTone;
  /** What the question was asked about: the cursor goes there. */
  isSubject?: boolean;
  /** What Enter opens, of these of the zones by their ids; without them of all that the answer is about. */
  leads?: { subject: QuerySubject; query: Query; zones?: readonly string[] };
  /** The times that it is about, where these may be older than any row. */
  times?: TimeRange;
  /** The value of the row, for further questions about it. */
  value?: { field: string; value: string };
};

export type AnswerSection = {
  title: string;
  columns: readonly AnswerColumn[];
  rows: readonly AnswerRow[];
  /** A sentence under the rows: a formula, a bound, what stands for nothing. */
  note?: string;
};

/** An answer as it is shown, copied and exported. */
export type AnswerTable = {
  /** The answer in one sentence. */
  headline: string;
  tone: AnswerTone;
  sections: readonly AnswerSection[];
  /** What was read of what there is, and what was decided here. */
  coverage: string;
};

/** One line of an answer as it is listed. */
export type AnswerLine =
  | { kind: 'title'; text: string }
  | { kind: 'head'; section: AnswerSection }
  | { kind: 'row'; section: AnswerSection; row: AnswerRow }
  | { kind: 'note'; text: string }
  | { kind: 'blank' };

export function answerLines(table: AnswerTable): AnswerLine[] {
  return table.sections.flatMap((section, index): AnswerLine[] => [
    ...(index > 0 ? [{ kind: 'blank' as const }] : []),
    { kind: 'title', text: section.title },
    ...(section.rows.length > 0 ? [{ kind: 'head' as const, section }] : []),
    ...section.rows.map((row) => ({ kind: 'row' as const, section, row })),
    ...(section.note === undefined ? [] : [{ kind: 'note' as const, text: section.note }]),
  ]);
}
