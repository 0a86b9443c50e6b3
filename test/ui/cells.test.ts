import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLabel, timesToTell } from '../../src/across/timeline/painting/timeline-cells.ts';
import { type AnswerSection, figures, rest, sectionOf } from '../../src/domain/inquiry/answer-table.ts';
import { urlCell, urlStyle } from '../../src/paint/path-cells.ts';
import { createLook } from '../../src/paint/theme.ts';
import { answerCells, answerHead } from '../../src/screens/answer/painting/answer-body.ts';
import { errorShare } from '../../src/screens/log/painting/rates-line.ts';
import { placedZones } from '../../src/screens/zones/painting/zones-painting.ts';
import { width } from '../../src/text/fit.ts';
import { anyUrl, fc, unicodeText } from '../support/properties.ts';
import { inTimeZone } from '../support/time-zone.ts';

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

const WHOLE = { without: 0, said: '' };
const cellOf = (url: string, columns: number) => urlCell(url, WHOLE, columns, look);

test('a URL that is too long keeps its host and the end of its path, and a query string goes first', () => {
  const url = 'https://shop.example/assets/2026/11/22/images/large/boat.jpg';
  assert.equal(cellOf(url, 80).trimEnd(), url);
  assert.equal(cellOf(url, 40), 'https://shop.example…ages/large/boat.jpg');
  assert.equal(cellOf(`${url}?v=1&token=2`, 40), 'https://shop.example…ges/large/boat.jpg…');
  assert.equal(
    cellOf('https://shop.example/login?next=/account/orders', 30),
    'https://shop.example/login?ne…',
  );
});

test('a cell of a URL is as wide as it is asked to be, whatever stands in the URL', () => {
  const urls = fc.oneof(anyUrl, unicodeText({ maxLength: 90 }));
  fc.assert(
    fc.property(urls, fc.integer({ min: 1, max: 60 }), fc.nat(12), (url, columns, without) => {
      const cell = urlCell(url, { without, said: '' }, columns, look);
      assert.match(cell, /^[ -~…]*$/);
      assert.equal(cell.length, columns);
    }),
  );
});

test('what all URLs share is left to the title where that has room to say it, and https goes unsaid', () => {
  const url = 'https://a.example/1';
  assert.deepEqual(urlStyle([url, 'https://a.example/2', null], 20, null), {
    without: 17,
    said: ' on a.example',
  });
  assert.deepEqual(urlStyle([url, 'https://b.example/2'], 20, null), { without: 8, said: '' });
  assert.deepEqual(urlStyle([url, 'http://a.example/2'], 20, null), WHOLE);
  assert.deepEqual(urlStyle(['http://a.example/', 'http://b.example/'], 20, null), WHOLE);
  assert.deepEqual(urlStyle(['http://a.example/'], 24, null).said, ' on http://a.example');
  assert.deepEqual(urlStyle([url, '/2'], 20, null), WHOLE);
  assert.deepEqual(urlStyle([url], 10, null), { without: 8, said: '' });
  assert.deepEqual(urlStyle([url], 20, 'EXAMPLE'), WHOLE);
});

function titlesOf(columns: number, needed: number, sort: 'hit' | 'worst' = 'worst'): string {
  const { columns: shown } = placedZones(columns, needed, sort);
  return shown.map(({ title }) => title).join(' ');
}

test('what the list is sorted by stays', () => {
  assert.equal(titlesOf(36, 20), 'REQ/S 4XX 5XX');
  assert.equal(titlesOf(36, 20, 'hit'), 'REQ/S HIT 4XX 5XX');
});

test('one error of three requests is told as that, and alarms nobody', () => {
  assert.deepEqual(errorShare(1, 3), { text: '1 of 3', slot: 'text' });
  assert.deepEqual(errorShare(4, 5), { text: '4 of 5', slot: 'text' });
  assert.deepEqual(errorShare(0, 3), { text: '0%', slot: 'dim' });
  assert.deepEqual(errorShare(0, 0), { text: '-', slot: 'dim' });
});

test('errors alarm by their number and by the share that they surely are', () => {
  assert.deepEqual(errorShare(6, 20), { text: '6 of 20', slot: 'error' });
  assert.deepEqual(errorShare(30, 1000), { text: '3.0%', slot: 'error' });
  // Six of five hundred may be less than one in a hundred.
  assert.deepEqual(errorShare(6, 500), { text: '1.2%', slot: 'text' });
  assert.deepEqual(errorShare(40, 20_000), { text: '0.2%', slot: 'text' });
});

const LOCAL = createLook('default', false, false);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The labels of a range in local time, of a place. */
function labels(zone: string, from: number, to: number, every: number): string[] {
  return inTimeZone(zone, () =>
    [...timesToTell({ from, to }, every, LOCAL)].map((time) => timeLabel(time, every, LOCAL)),
  );
}

test('times stand where the clock of the place is round, also where that is half an hour off', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  assert.deepEqual(labels('Asia/Kolkata', noon, noon + 2 * HOUR, HOUR), ['18:00', '19:00']);
  assert.deepEqual(labels('Europe/Berlin', noon, noon + 2 * HOUR, HOUR), ['13:00', '14:00']);
});

test('days begin at midnight before and after the clock is set', () => {
  const autumn = Date.UTC(2026, 9, 23, 12);
  assert.deepEqual(labels('Europe/Berlin', autumn, autumn + 4 * DAY, DAY), [
    '10-24',
    '10-25',
    '10-26',
    '10-27',
  ]);
  const spring = Date.UTC(2026, 2, 27, 12);
  assert.deepEqual(labels('Europe/Berlin', spring, spring + 4 * DAY, DAY), [
    '03-28',
    '03-29',
    '03-30',
    '03-31',
  ]);
  assert.deepEqual(labels('Europe/Berlin', autumn + DAY, autumn + 3 * DAY, 12 * HOUR), [
    '00:00',
    '12:00',
    '00:00',
    '12:00',
  ]);
});
