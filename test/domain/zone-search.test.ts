import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findZones, narrowZones } from '../../src/domain/query/zone-search.ts';
import type { PullZone } from '../../src/domain/zone.ts';
import { zoneOf } from '../support/state.ts';

const zone = (id: string, name: string, ...hostnames: string[]) => zoneOf(id, name, { hostnames });

const ZONES: readonly PullZone[] = [
  zone('4711', 'shop-images', 'img.shop.example', 'shop-images.b-cdn.net'),
  zone('4712', 'shop', 'www.shop.example', 'shop.b-cdn.net'),
  zone('4713', 'Blog', 'blog.example.com'),
  zone('4714', 'twins', 'a.example'),
  zone('4715', 'twins', 'b.example'),
  zone('4716', '4713', 'numbered.example'),
  zone('4717', 'press', 'blog.example.org', 'shared.example'),
  zone('4718', 'media', 'shared.example'),
];

function found(words: string) {
  const result = findZones(ZONES, words);
  return result.kind === 'found' ? result.zones.map(({ id }) => id) : [result.kind, result.word];
}

test('the zone that is called so comes first', () => {
  assert.deepEqual(
    narrowZones(ZONES, 'shop').map(({ name }) => name),
    ['shop', 'shop-images'],
  );
});

test('an id goes before a name that looks like one', () => {
  assert.deepEqual(found('4713,4716'), ['4713', '4716']);
});

test('a pasted URL stands for its host', () => {
  assert.deepEqual(found('https://www.shop.example/cart?x=1'), ['4712']);
});

test('a star is any run: of names, where none fits of host names, then of ids', () => {
  assert.deepEqual(found('shop*'), ['4711', '4712']);
  assert.deepEqual(found('*-IMAGES'), ['4711']);
  assert.deepEqual(found('blog.*'), ['4713', '4717']);
  assert.deepEqual(found('471*'), ['4716']);
  assert.deepEqual(found('4*8'), ['4718']);
  assert.equal(found('*').length, ZONES.length);
  assert.deepEqual(found('twins*,shop'), ['4714', '4715', '4712'], 'a pattern names all that it fits');
});
