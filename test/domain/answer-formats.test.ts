import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ANSWER_FORMATS, answerText, findingsOf } from '../../src/domain/handover/answer-formats.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import type { AnswerTable } from '../../src/domain/questions/inquiry/answer-table.ts';

const HOSTILE = JSON.parse(
  readFileSync(new URL('../data/hostile-strings.json', import.meta.url), 'utf8'),
) as unknown;

/** Every text of an answer that quotes what others wrote. */
function answerWith(text: string): AnswerTable {
  return {
    headline: `most of it: ${text}`,
    tone: 'bad',
    sections: [
      {
        title: `page ${text}`,
        columns: [
          { title: 'PAGE', cells: 'rest' },
          { title: 'REQUESTS', cells: 9, align: 'right' },
        ],
        rows: [{ cells: [text, '1,204'], value: { field: 'page', value: text } }],
        note: `of ${text}`,
      },
    ],
    coverage: `read of ${text}`,
  };
}

const printed = (format: (typeof ANSWER_FORMATS)[number], table: AnswerTable) =>
  answerText(format, {
    question: 'misses',
    range: { from: 0, to: 1000 },
    table,
    command: null,
    commandOf: () => null,
  });

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : [];
}

test('nothing that others wrote acts on a terminal or breaks a line, whatever the format', () => {
  const texts = textsOf(HOSTILE);
  assert.ok(texts.length > 90);
  for (const text of [...texts, 'two\nlines', '\u001b[2Jgone']) {
    for (const format of ANSWER_FORMATS) {
      for (const line of printed(format, answerWith(text))) {
        assert.doesNotMatch(
          line,
          /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
          `${format} ${JSON.stringify(text)}`,
        );
      }
    }
  }
});

test('counts and shares are numbers, what is bounded or of another unit is the text that says so', () => {
  const cells = ['1,204', '0', '12.3%', '100%', '<=7', 'new', '<0.1%', '34K', '-', 'x3.2', '2.5'];
  const columns = cells.map((_, at) => ({ title: `C${at}`, cells: 6, align: 'right' as const }));
  const sections = [{ title: 'all', columns, rows: [{ cells }] }];
  const [, row] = findingsOf({
    question: 'misses',
    range: { from: 0, to: 1000 },
    table: { headline: '', tone: 'plain', sections, coverage: '' },
    command: null,
    commandOf: () => null,
  });
  assert.deepEqual(Object.values(row?.figures ?? {}), [
    ...[1204, 0, 0.123, 1, '<=7', 'new', '<0.1%', '34K', '-', 'x3.2', '2.5'],
  ]);
});

test('a row that leads into a part of the window is of its time, and has the command that opens it', () => {
  const query = { ...EMPTY_QUERY, window: { kind: 'absolute', from: 200, to: 300 } } as const;
  const rows = [{ cells: ['/login'], leads: { subject: 'logs' as const, query } }, { cells: ['/'] }];
  const sections = [
    { title: 'pages', columns: [{ title: 'PAGE', cells: 'rest' as const }], rows, note: 'of all' },
  ];
  const findings = findingsOf({
    question: 'misses',
    range: { from: 0, to: 1000 },
    table: { headline: 'two pages', tone: 'bad', sections, coverage: 'all of it' },
    command: 'edgescope ask misses shop',
    commandOf: ({ query: { window } }) => JSON.stringify(window),
  });
  assert.deepEqual(
    findings.map(({ finding, value, from, to, formula, command }) => [
      finding,
      value,
      from.slice(17),
      to.slice(17),
      formula,
      command,
    ]),
    [
      ['answer', 'two pages', '00.000Z', '01.000Z', null, 'edgescope ask misses shop'],
      ['pages', '/login', '00.200Z', '00.300Z', 'of all', JSON.stringify(query.window)],
      ['pages', '/', '00.000Z', '01.000Z', 'of all', null],
    ],
  );
});
