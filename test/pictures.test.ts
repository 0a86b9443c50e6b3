import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CACHE_STATUSES } from '../src/domain/log.ts';
import { LOG_COLUMNS } from '../src/domain/logs/pane-columns.ts';
import { LOG_FIELDS } from '../src/domain/query/fields.ts';
import { BINDINGS } from '../src/keys/bindings.ts';
import type { Cell } from './support/emulator.ts';
import { pictureOf, wordsOf } from './support/picture.ts';
import { PICTURES, SCENES } from './support/pictures.ts';
import { README } from './support/readme.ts';

const LARGEST = 25_000;
const PLAIN: Cell = {
  char: ' ',
  width: 1,
  fg: null,
  bg: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strikethrough: false,
};

function pictureNamed(name: string): string {
  return readFileSync(join(PICTURES, `${name}.svg`), 'utf8');
}

function cells(text: string, style: Partial<Cell> = {}): Cell[] {
  return [...text].map((char) => ({ ...PLAIN, ...style, char }));
}

/** Every tag that is opened is closed, in order. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, end, name, closed] of svg.matchAll(/<(\/?)([a-z]+)(?:\s+[\w:-]+="[^"<>]*")*\s*(\/?)>/g)) {
    if (end === '/' && open.pop() !== name) return false;
    if (end === '' && closed === '') open.push(name ?? '');
  }
  const text = svg.replace(/<[^<>]*>/g, '');
  return open.length === 0 && !/[<>]|&(?!(?:amp|lt|gt);)/.test(text);
}

test('each picture is there, small, well-formed, and in the README', () => {
  const readme = readFileSync(README, 'utf8');
  for (const name of Object.keys(SCENES)) {
    const picture = pictureNamed(name);
    assert.ok(picture.length < LARGEST, `${name}: ${picture.length} bytes`);
    assert.ok(isWellFormed(picture), name);
    assert.ok(readme.includes(`](test/pictures/${name}.svg)`), name);
  }
});

test('the pictures show the screens as they are named now (npm run pictures renews them)', () => {
  const has = (name: string, ...words: readonly string[]) => {
    const text = wordsOf(pictureNamed(name)).replace(/\s+/g, ' ');
    for (const word of words) assert.ok(text.includes(word), `${name}: ${word}`);
  };
  has('zones', 'WORST FIRST', 'REQ/S', '5XX', 'shop-frontend');
  has(
    'log',
    ...['time', 'cache', 'status', 'bytes', 'ip', 'path'].map(
      (id) => LOG_COLUMNS[id as keyof typeof LOG_COLUMNS].title,
    ),
  );
  has('log', 'req/s', 'seen', 'unique', 'gaps', CACHE_STATUSES.HIT.word);
  has('groups', LOG_FIELDS.page.title.toUpperCase(), 'ROWS', 'SHARE', '5XX');
  has('shield', 'RULE', 'EVENTS', 'BLOCK', 'CHALL', 'COMPLETE');
  has('help', BINDINGS.down.does, BINDINGS.last.does, BINDINGS.open.does);
});

test('a picture keeps colours, inversion and signs of XML, and its words can be read again', () => {
  const row = [
    ...cells('a<b&c '),
    ...cells('red', { fg: 1, bold: true }),
    ...cells(' x '),
    ...cells('on', { inverse: true }),
  ];
  const picture = pictureOf([row, cells('   ')], 'a & b');
  assert.ok(isWellFormed(picture));
  assert.match(picture, /<title>a &amp; b<\/title>/);
  assert.match(picture, /<tspan x="12">a&lt;b&amp;c<\/tspan>/);
  assert.match(picture, /<tspan x="62\.4" fill="#[0-9a-f]{6}" font-weight="bold">red<\/tspan>/);
  // Inverted cells are a rectangle in the colour of the text behind text in the colour of the ground.
  assert.match(picture, /<rect x="112\.8" y="12" width="16\.8" height="18" fill="#d4d7dd"\/>/);
  assert.deepEqual(wordsOf(picture).trim().split(/\s+/), ['a<b&c', 'red', 'x', 'on']);
  assert.equal(pictureOf([cells('a', { fg: 196 })], '').includes('#ff0000'), true);
});
