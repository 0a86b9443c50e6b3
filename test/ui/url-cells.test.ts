import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { urlCell, urlStyle } from '../../src/paint/url-cells.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { anyUrl, fc, unicodeText } from '../support/properties.ts';
import { answered, answerOf, eventsOf, groupOf, opened } from '../support/shield.ts';
import { played } from '../support/state.ts';

const look = createLook('mono', false, true);
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

const body = (state: State) => (bodyLines(state, look) ?? []).map((line) => stripped(line).trimEnd());
const urlOf = (n: number, host = 'a.example') => `https://${host}/login/${n}`;
const byUrl = played(
  opened,
  'editQuery',
  { type: 'edited', edit: 'killLeft' },
  { type: 'typed', text: 'by:url' },
  { type: 'submitted' },
).state;

test('groups by URL drop the host that all on screen share, and the title says it; the whole key stands below', () => {
  const groups = Array.from({ length: 3 }, (_, n) => groupOf({ url: urlOf(n) }, 9 - n));
  const lines = body(answered(byUrl, answerOf({ groups, total: 3 })));
  assert.match(lines[0] ?? '', /^ URL 1\/3 on a\.example +EVENTS/);
  assert.match(lines[1] ?? '', /^▌\/login\/0 +9 /);
  assert.ok(
    lines.some((line) => line.endsWith(`> ${urlOf(0)}`) || line.endsWith(`› ${urlOf(0)}`)),
    lines.join('\n'),
  );
  const mixed = body(
    answered(byUrl, answerOf({ groups: [...groups, groupOf({ url: urlOf(3, 'b.example') }, 1)], total: 4 })),
  );
  assert.match(mixed[0] ?? '', /^ URL 1\/4 +EVENTS/);
  assert.match(mixed[1] ?? '', /^▌a\.example\/login\/0 +9 /);
});

test('rows drop it too, and show it again where a row of another host comes on screen', () => {
  const rows = played(opened, 'editQuery', { type: 'edited', edit: 'killLeft' }, { type: 'submitted' }).state;
  const events = eventsOf(0, 30).map((event, n) => ({
    ...event,
    fields: { ...event.fields, url: urlOf(n, n === 25 ? 'b.example' : undefined) },
  }));
  const list = answered(rows, answerOf({ kind: 'rows', events, total: 30 }));
  assert.match(body(list)[0] ?? '', / URL on a\.example +1\/30$/);
  assert.match(body(list)[1] ?? '', / \/login\/0$/);
  const last = body(played(list, 'last').state);
  assert.doesNotMatch(last[0] ?? '', / on /);
  assert.ok(
    last.some((line) => / b\.example\/login\/25$/.test(line)) &&
      last.some((line) => / a\.example\/login\/29$/.test(line)),
  );
});
