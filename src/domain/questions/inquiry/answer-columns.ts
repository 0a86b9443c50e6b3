import type { AnswerColumn } from './answer-table.ts';

/** A column of texts, so many cells wide. `from`: left out on screens narrower than this. */
export function words(title: string, cells: number, from?: number): AnswerColumn {
  return { title, cells, ...(from === undefined ? {} : { from }) };
}

/** A column of figures. */
export function figures(title: string, cells: number, from?: number): AnswerColumn {
  return { title, cells, align: 'right', ...(from === undefined ? {} : { from }) };
}

/** The column that takes what the others leave. */
export function rest(title: string): AnswerColumn {
  return { title, cells: 'rest' };
}
