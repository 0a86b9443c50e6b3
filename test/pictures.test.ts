import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CACHE_STATUSES } from '../src/domain/log.ts';
import { LOG_COLUMNS } from '../src/domain/logs/pane-columns.ts';
import { DOCUMENTS, linksOf } from './support/documents.ts';
import type { Cell } from './support/emulator.ts';
import { type Frame, movingPictureOf, pictureOf, wordsOf, wordsOfFrames } from './support/picture.ts';
import { FAILING, PICTURES, SCENES } from './support/pictures.ts';
import { OPENED, openPlatform } from './support/platform.ts';

const LARGEST = 25_000;
const LARGEST_MOVING = 60_000;
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

test('each picture is there, small, well-formed, and in a document', () => {
  const shown = DOCUMENTS.flatMap(linksOf).filter((link) => link.endsWith('.svg'));
  for (const name of Object.keys(SCENES)) {
    const picture = pictureNamed(name);
    const largest = 'way' in (SCENES[name] ?? {}) ? LARGEST_MOVING : LARGEST;
    assert.ok(picture.length < largest, `${name}: ${picture.length} bytes`);
    assert.ok(isWellFormed(picture), name);
    assert.ok(
      shown.some((link) => link.endsWith(`pictures/${name}.svg`)),
      name,
    );
  }
});

test('the picture of the log has the names that it has now (npm run pictures renews it)', () => {
  const text = wordsOf(pictureNamed('log')).replace(/\s+/g, ' ');
  const columns = ['time', 'cache', 'status', 'bytes', 'ip', 'path'] as const;
  const titles = columns.map((id) => LOG_COLUMNS[id].title);
  for (const word of [...titles, 'req/s', 'requests', 'until', 'no gaps', CACHE_STATUSES.HIT.word])
    assert.ok(text.includes(word), word);
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

test('the moving picture goes from the alert to the cause that was planted, in two keys (npm run pictures renews it)', async () => {
  const frames = wordsOfFrames(pictureNamed('cause')).map((words) => words.replace(/ +/g, ' ').split('\n '));
  const captions = frames.map((lines) => lines.at(-1)?.trim() ?? '');
  const planted = openPlatform(FAILING)
    .incidents()
    .find(({ kind, from, to }) => kind === 'originFailure' && from < OPENED && to > OPENED);
  assert.deepEqual(
    captions.map((caption) => /^(?:Enter|!)(?= )/.exec(caption)?.[0] ?? ''),
    ['', 'Enter', 'Enter', '!'],
  );
  const [alert = '', ...way] = frames.map((lines) => lines.join('\n'));
  assert.match(alert, /WORST FIRST.*\n▌ shop-frontend .*16\.5%/);
  for (const log of way.slice(0, 2)) assert.match(log, /^ edgescope > zones > shop-frontend LIVE/);
  const cause = way.at(-1) ?? '';
  assert.match(cause, /> wrong READ *\n/);
  assert.match(
    cause,
    /shop-frontend: \d\d\.\d% of requests answered .*, the origin is slow or down(?: +\d+\/\d+)?\s+since\s+11:58 \(dns_lookup\); OriginUrl was changed at/,
  );
  const told = Date.parse(
    `${new Date(OPENED).toISOString().slice(0, 10)}T${/\bsince\s+(\d\d:\d\d)/.exec(cause)?.[1]}Z`,
  );
  assert.ok(Math.abs(told - (planted?.from ?? 0)) <= 60_000, cause);
  for (const word of [LOG_COLUMNS.path.title, LOG_COLUMNS.ip.title]) assert.ok(way[0]?.includes(word), word);
});

test('a moving picture has each line once, shows it while its frames last, and stands still at the last', () => {
  const frame = (lines: readonly string[], ms: number, caption: string, key?: string): Frame => ({
    cells: lines.map((line) => cells(line)),
    ms,
    caption,
    ...(key !== undefined && { key }),
  });
  const frames = [
    frame(['title', 'first'], 1_000, 'an alert'),
    frame(['title', 'other'], 1_000, 'a look', 'a'),
    frame(['title', 'first'], 1_000, '', '<'),
    frame(['title', 'first'], 1_000, '', '<'),
  ];
  const picture = movingPictureOf(frames, 'a & b');
  assert.ok(isWellFormed(picture));
  assert.equal(movingPictureOf(frames, 'a & b'), picture);
  assert.deepEqual(
    wordsOfFrames(picture).map((words) => words.trim().split(/\s+/)),
    [
      ['title', 'first', 'an', 'alert'],
      ['title', 'other', 'a', 'a', 'look'],
      ['title', 'first', '<'],
      ['title', 'first', '<'],
    ],
  );
  for (const word of ['title', 'first', 'other']) assert.equal(picture.split(`>${word}<`).length, 2, word);
  const steps = (name: string) => new RegExp(`@keyframes in-${name}{(.*)}$`, 'm').exec(picture)?.[1];
  assert.equal(steps('0-1-2-3'), undefined, 'what always stands does not move');
  assert.equal(steps('0-2-3'), '0%{visibility:visible}25%{visibility:hidden}50%{visibility:visible}');
  assert.equal(steps('1'), '0%{visibility:hidden}25%{visibility:visible}50%{visibility:hidden}');
  assert.match(picture, /\.in-1{animation:in-1 4000ms step-end infinite}/);
  // Without styles only the lines of the last frame are seen; with less motion asked for, no style applies.
  const hidden = [...picture.matchAll(/<g class="in-([\d-]+)" visibility="hidden">/g)].map(
    ([, name]) => name,
  );
  assert.deepEqual(hidden, ['0', '1']);
  assert.match(picture, /<style>@media \(prefers-reduced-motion: no-preference\) {\n(?:\..*\n)+}<\/style>/);
  assert.doesNotMatch(picture, /<script|href|url\(/);
});
