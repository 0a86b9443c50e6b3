import assert from 'node:assert/strict';
import { test } from 'node:test';
import { urlCell, urlStyle } from '../../src/paint/path-cells.ts';
import { createLook } from '../../src/paint/theme.ts';
import { anyUrl, fc, unicodeText } from '../support/properties.ts';

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
