import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ANSWER_FORMATS, type AnswerFormat, answerText } from '../../src/domain/handover/answer-formats.ts';
import { answerSheet, findingLine } from '../../src/domain/handover/sheet.ts';
import {
  type AnswerSection,
  type AnswerTable,
  type Facts,
  figures,
  rest,
  sectionOf,
  shares,
  textSection,
  times,
} from '../../src/domain/inquiry/answer-table.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { cellsOf } from '../print/support.ts';

const HOSTILE = JSON.parse(
  readFileSync(new URL('../data/hostile-strings.json', import.meta.url), 'utf8'),
) as unknown;

type Page = { page: string | null; requests: number | null; hits: number | null; last: number };

const PAGE: Page = { page: '/login', requests: 1204, hits: 0.9814814814, last: 1_000 };

function pagesOf(
  pages: readonly Page[],
  o: Partial<Parameters<typeof sectionOf<Page>>[3]> = {},
): AnswerSection {
  return sectionOf('pages', 'pages that miss', pages, {
    sentence: ({ page, requests }) => `${page ?? 'others'} missed in ${requests} requests`,
    columns: [
      rest('page', 'PAGE', ({ page }) => page, { shown: ({ page }) => page ?? '(others)' }),
      figures('requests', 'REQUESTS NOW', 9, ({ requests }) => requests),
      shares('hitRatio', 'HIT', 6, ({ hits }) => hits),
      times('last', 'LAST', 14, ({ last }) => last, { shown: () => '00:00:01' }),
    ],
    ...o,
  });
}

function tableOf(sections: readonly AnswerSection[], o: Partial<AnswerTable> = {}): AnswerTable {
  return { headline: 'two pages', verdict: 'wrong', sections, coverage: 'all of it', isWhole: true, ...o };
}

/** Every text of an answer that quotes what others wrote. */
function answerWith(text: string): AnswerTable {
  const section = { ...pagesOf([{ ...PAGE, page: text }], { note: `of ${text}` }), title: `page ${text}` };
  const prose = textSection('evidence', text, 'EVIDENCE', [text, `${text} `.repeat(20)]);
  return tableOf([section, prose], { headline: `most of it: ${text}`, coverage: `read of ${text}` });
}

function printedAs(format: AnswerFormat, table: AnswerTable, limit: number | null = null) {
  return answerText(format, {
    ...{ question: 'misses', zone: 'shop', range: { from: 0, to: 1000 }, table, limit },
    command: 'edgescope ask misses shop',
    commandOf: ({ query: { window } }) => JSON.stringify(window),
  });
}

const printed = (format: AnswerFormat, table: AnswerTable) => printedAs(format, table).lines;

function objectsOf(table: AnswerTable, limit: number | null = null): [head: Facts, ...findings: Facts[]] {
  const [head = {}, ...findings] = printedAs('ndjson', table, limit).lines.map((line) => JSON.parse(line));
  return [head, ...findings];
}

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

test('the first line is the answer, and each further one a finding: figures as numbers, shares unrounded, times ISO', () => {
  const query = { ...EMPTY_QUERY, window: { kind: 'absolute', from: 200, to: 300 } } as const;
  const none = { page: null, requests: null, hits: null, last: Number.NaN };
  const section = pagesOf([PAGE, none], {
    first: () => ({ field: 'page' }),
    also: ({ page }) => ({ isNew: page === null }),
    row: ({ page }) => (page === null ? {} : { leads: { subject: 'logs', query } }),
    note: 'of all',
  });
  assert.deepEqual(objectsOf(tableOf([section])), [
    {
      ...{ question: 'misses', verdict: 'wrong', zone: 'shop', headline: 'two pages', coverage: 'all of it' },
      ...{ from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:01.000Z' },
      ...{ command: 'edgescope ask misses shop', left: 0, notes: { pages: 'of all' } },
    },
    {
      ...{ sentence: '/login missed in 1204 requests' },
      ...{ finding: 'pages', field: 'page', page: '/login', requests: 1204, hitRatio: 0.9814814814 },
      ...{ last: '1970-01-01T00:00:01.000Z', isNew: false, command: JSON.stringify(query.window) },
    },
    {
      ...{ sentence: 'others missed in null requests' },
      ...{ finding: 'pages', field: 'page', page: null, requests: null, hitRatio: null, last: null },
      ...{ isNew: true, command: null },
    },
  ]);
  // What people read of it is as it was: a name, a count with its commas, a share rounded.
  assert.match(printed('table', tableOf([section])).join('\n'), /^\/login +1,204 +98\.1% +00:00:01$/m);
});

test('a sentence is whole as data and in a ticket, and goes on over lines for people', () => {
  const sentence = `changed: ${'https://origin.example/'.repeat(3)} became ${'b'.repeat(90)} at noon`;
  const table = tableOf([textSection('evidence', 'why', 'EVIDENCE', [sentence])]);
  assert.equal(objectsOf(table)[1]?.['sentence'], sentence);
  assert.ok(printed('markdown', table).includes(`| \`${sentence}\` |`));
  const lines = printed('table', table);
  assert.ok(lines.every((line) => line.length <= 80));
  assert.equal(
    lines
      .slice(lines.indexOf('EVIDENCE') + 1)
      .join('')
      .replaceAll(/\s/g, ''),
    sentence.replaceAll(' ', ''),
  );
});

test('of more findings than a limit allows the first are printed, and how many are left is said', () => {
  const many = Array.from({ length: 1_500 }, (_, n) => ({ ...PAGE, page: `/${n}` }));
  const table = tableOf([pagesOf(many, { most: 3 }), pagesOf(many.slice(0, 2))]);
  const told = (limit: number | null) => {
    const [head, ...findings] = objectsOf(table, limit);
    return [findings.map(({ page }) => page).slice(-3), findings.length, head['left']];
  };
  // What a screen lists; then no more of it than asked; then more of the first, as far as one list is told.
  assert.deepEqual(told(null), [['/2', '/0', '/1'], 5, 1_497]);
  assert.deepEqual(told(4), [['/1', '/2', '/0'], 4, 1_498]);
  assert.deepEqual(told(10), [['/7', '/0', '/1'], 10, 1_492]);
  assert.deepEqual(told(0), [[], 0, 1_502]);
  assert.deepEqual(told(9_999)[1], 1_002);
  assert.deepEqual(
    [3, 5].map((limit) => printedAs('ndjson', table, limit).isCut),
    [true, false],
  );
  const all = tableOf([pagesOf(many, { note: 'of all', aside: 'and 3 more' })]);
  assert.deepEqual(objectsOf(all).length, 101);
  for (const format of ['table', 'markdown'] as const) {
    const lines = printedAs(format, table, 2).lines.join('\n');
    assert.match(lines, /1,500 findings left out/);
    assert.doesNotMatch(lines, /none|\/2\b/);
    const cut = printedAs(format, all, 2).lines.join('\n');
    assert.ok(
      /1,498 findings left out/.test(cut) && cut.includes('of all') && !cut.includes('and 3 more'),
      cut,
    );
  }
});

test('the lines that an answer has of its own stand in the place of those of its sections', () => {
  const query = { ...EMPTY_QUERY, window: null };
  const findings = [
    { facts: { cause: 1, share: 0.25 }, leads: { subject: 'logs' as const, query } },
    { facts: { cause: 2, share: 0.1 } },
  ];
  const [head, ...lines] = objectsOf(tableOf([pagesOf([PAGE])], { findings }));
  assert.equal(head['left'], 0);
  assert.deepEqual(lines, [
    { cause: 1, share: 0.25, command: 'null' },
    { cause: 2, share: 0.1, command: null },
  ]);
  assert.equal(objectsOf(tableOf([], { findings }), 1)[0]['left'], 1);
});

test('a sheet has a line for each, with its facts as JSON in one column', () => {
  const page = '/a"b\\c=\u202e';
  const [names = '', head = '', row = '', ...more] = printed('csv', tableOf([pagesOf([{ ...PAGE, page }])]));
  assert.deepEqual(cellsOf(names), [
    ...['question', 'verdict', 'zone', 'headline', 'coverage', 'from', 'to', 'command', 'left'],
    ...['finding', 'facts'],
  ]);
  assert.deepEqual(cellsOf(head).slice(0, 4), ['misses', 'wrong', 'shop', 'two pages']);
  assert.equal(cellsOf(row).length, 11);
  assert.deepEqual(
    [cellsOf(row)[9], JSON.parse(cellsOf(row)[10] ?? '')['requests'], more],
    ['pages', 1204, []],
  );
});

test('what sections of one name say of their own rows is no note of all of them', () => {
  const of = (note: string) => pagesOf([PAGE], { note });
  assert.deepEqual(objectsOf(tableOf([of('and 3 more'), of('and 4 more')]))[0]['notes'], {});
  assert.deepEqual(objectsOf(tableOf([of('of all'), of('of all')]))[0]['notes'], { pages: 'of all' });
});

test('what is copied and exported of an answer is the same data', () => {
  const others = { page: null, requests: 7, hits: 0.5, last: 0 };
  const parts = pagesOf([PAGE, others], { also: () => ({ parts: [1, 2] }) });
  const sheet = answerSheet(tableOf([parts, pagesOf([])]), ['a request failed']);
  assert.deepEqual([sheet.rows, sheet.missing], [2, ['a request failed']]);
  assert.deepEqual(sheet.columns, ['finding', 'sentence', 'page', 'requests', 'hitRatio', 'last', 'parts']);
  const lines = [...sheet.lines()].map((line) => (line.kind === 'row' ? line : null));
  const facts = {
    finding: 'pages',
    sentence: '/login missed in 1204 requests',
    page: '/login',
    requests: 1204,
    hitRatio: PAGE.hits,
    last: '1970-01-01T00:00:01.000Z',
  };
  assert.deepEqual(lines[0]?.shape(), { ...facts, parts: [1, 2] });
  assert.deepEqual(lines[0]?.row(), { ...facts, parts: '[1,2]' });
  const [, second] = parts.rows;
  const copied = second && findingLine(parts, second);
  assert.deepEqual(copied?.kind === 'row' && copied.shape(), lines[1]?.shape());
});
