import type { AnswerRow } from './answer-table.ts';

/** Cells of a line of text in an answer: what the narrowest screen that shows answers whole has. */
const LINE = 78;

/** Sentences as rows of one column, broken at spaces; a longer word, such as a URL, is broken where the line ends. */
export function textRows(texts: readonly string[], tone: AnswerRow['tone'] = 'plain'): AnswerRow[] {
  return texts.flatMap((text) => broken(text).map((line) => ({ cells: [line], tone })));
}

function broken(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > LINE) {
    const space = rest.lastIndexOf(' ', LINE);
    const end = space > LINE / 2 ? space : LINE;
    lines.push(rest.slice(0, end));
    rest = `  ${rest.slice(end).trimStart()}`;
  }
  return [...lines, rest];
}
