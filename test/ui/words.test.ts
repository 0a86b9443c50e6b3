import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { pressed } from '../support/pressed.ts';
import { SCENES } from '../support/scenes.ts';

const LOOK = createLook('mono', false, true);
const SIZE = { columns: 80, rows: 24 };

/** Words that an on-call engineer does not have, and what a screen says instead. */
const BANNED: readonly [RegExp, string][] = [
  [/\bG2\b/, 'what stands out, by how much it is above usual'],
  [/(?<!AT )\bLEAST\b/, 'AT LEAST'],
  [/\bexplains\b/, 'above usual'],
  [/\+ past\b|\bf stops\b/, 'newest rows each 10s · 101 requests/min'],
  [/\bBLK\b/, 'BLOCKED, with /min at the figure'],
  [/\/ROWS\b|\/SAMPLE\b/, 'OF ROWS, with the number at the figure'],
  [/\b[\d.]+k?\/\d+[smhd]\b/, '20 in 5s'],
  [/\bother ways\b/, 'asks again'],
  [/\btold\b/, 'read, reported, known'],
  [/\bprices?\b/i, 'cost'],
  [/\bflipped\b/, 'most missed'],
  [/\bEXTRA\b|\bextra\b/, 'above usual'],
  [/\bone kind\b/, 'alike'],
  [/\bWilson\b|\btoo much to be chance\b/, 'what :how says'],
  [/\bunique\b|\bseen [\d,]+ ·|\bgaps \d/, '2,289 requests · 1 gap'],
  [/\bcomplete to\b|\bread to \d/, 'complete until, read until'],
];

/** All that stands on a screen. Of a line that Ink draws, and of tables, there is nothing in it. */
function textOf(scene: (typeof SCENES)[keyof typeof SCENES], told = '値', look = LOOK): string {
  const state = scene((n) => `${told}-${n}`, SIZE);
  const { head, foot } = chromeLines(state, look);
  return [...head.lines, ...(bodyLines(state, look) ?? []), ...foot.lines].map(stripped).join('\n');
}

test('no screen has a word of our own', () => {
  const found = Object.entries(SCENES).flatMap(([name, scene]) => {
    const text = textOf(scene);
    assert.notEqual(text.trim(), '', name);
    return BANNED.flatMap(([word, better]) => {
      const line = text.split('\n').find((each) => word.test(each));
      return line === undefined ? [] : [`${name}: ${line.trim()} (say: ${better})`];
    });
  });
  assert.deepEqual(found, []);
});

test('no screen has a sign beyond ASCII where the terminal has no more', () => {
  const ascii = createLook('mono', true, true);
  for (const [name, scene] of Object.entries(SCENES))
    assert.match(textOf(scene, 'text', ascii), /^[\n -~]*$/, name);
});

test('the first two lines of a screen are cut behind a word, if at all', () => {
  const cut = Object.entries(SCENES).flatMap(([name, scene]) => {
    const { head } = chromeLines(
      scene((n) => `値-${n}`, SIZE),
      LOOK,
    );
    const lines = head.lines.slice(0, 2).map(stripped);
    return lines.filter((line) => /[^\s>]…/.test(line)).map((line) => `${name}: ${line.trim()}`);
  });
  assert.deepEqual(cut, []);
});

test('a screen says in its first two lines of when it is, and how much of that was read', () => {
  const looks = [
    'log',
    'log paused',
    'groups',
    'saved logs',
    'shield groups',
    'shield events',
    'comparison',
    'incidents',
  ];
  for (const name of looks as (keyof typeof SCENES)[]) {
    const { head } = chromeLines(
      SCENES[name]((n) => `値-${n}`, SIZE),
      LOOK,
    );
    const [title = '', when = ''] = head.lines.map(stripped);
    assert.match(title, / (?:LIVE|PAUSED .*|COMPLETE|READ|READING .*|ASKING .*) *$/, name);
    assert.match(when, /newest rows|last:\w+|\d ┄ \d|all rows/, name);
  }
});

test('no line stands empty under the title of a question that is not asked yet', () => {
  const state = pressed(
    SCENES.zones((n) => `text${n}`, SIZE),
    '<:incidents>',
  );
  assert.match(stripped(chromeLines(state, LOOK).head.lines[1] ?? ''), /^ all zones, 3 hours/);
});
