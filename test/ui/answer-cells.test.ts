import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnswerSection,
  figures,
  rest,
  sectionOf,
} from '../../src/domain/questions/inquiry/answer-table.ts';
import { createLook } from '../../src/paint/theme.ts';
import { answerCells, answerHead } from '../../src/screens/answer/painting/answer-body.ts';
import { width } from '../../src/text/fit.ts';

const look = createLook('mono', false, true);
const NAME = rest('page', 'PAGE', (name: string) => name);
const ROWS = figures('rows', 'ROWS', 7, () => 12);

function pages(names: readonly string[], columns = [NAME, ROWS]): AnswerSection {
  return sectionOf('pages', 'pages', names, { sentence: (name) => name, columns });
}

function lines(section: AnswerSection, columns: number): string[] {
  const all = [
    answerHead(section, { columns, look }),
    ...section.rows.map((row) => answerCells(section, row, { columns, look })),
  ];
  for (const line of all) assert.ok(width(line) < columns);
  return all;
}

test('figures stand beside the names, at the same place on screens that are wide enough', () => {
  for (const columns of [80, 120, 200]) {
    const [head, row] = lines(pages(['/v1/events', '/v1/me']), columns);
    assert.equal(head, `PAGE${' '.repeat(24)}ROWS`);
    assert.equal(row, `/v1/events${' '.repeat(20)}12`);
  }
});

test('the longest name is whole where there is room, up to a bound', () => {
  const named = (letters: number, columns: number) =>
    lines(pages(['/a', `/${'x'.repeat(letters - 1)}`]), columns)[2] ?? '';
  assert.match(named(41, 120), /^\/x{40} {7} {6}12$/);
  assert.match(named(41, 40), /^\/x{29}… {6}12$/);
  assert.match(named(60_000, 200), /^\/x{94}… {6}12$/);
});

test('one letter more moves no figure unless it needs a step more', () => {
  const placeOf = (letters: number) => lines(pages(['x'.repeat(letters)]), 120)[0]?.indexOf('ROWS');
  assert.equal(placeOf(25), placeOf(32));
  assert.notEqual(placeOf(32), placeOf(33));
});
