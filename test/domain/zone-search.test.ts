import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findZone, findZones, narrowZones } from '../../src/domain/query/zone-search.ts';
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

const names = (zones: readonly PullZone[]) => zones.map((each) => each.name);

describe('narrowing the zones', () => {
  test('finds by name, host name and id, letters left out, in any case', () => {
    assert.deepEqual(names(narrowZones(ZONES, 'BLOG')), ['Blog', 'press']);
    assert.deepEqual(names(narrowZones(ZONES, 'img.shop')), ['shop-images']);
    assert.deepEqual(names(narrowZones(ZONES, '4718')), ['media']);
    assert.deepEqual(names(narrowZones(ZONES, 'shpimg')), ['shop-images']);
    assert.deepEqual(narrowZones(ZONES, 'qqq'), []);
  });

  test('the zone that is called so comes first', () => {
    assert.deepEqual(names(narrowZones(ZONES, 'shop')), ['shop', 'shop-images']);
  });
});

describe('finding one zone', () => {
  const found = (word: string) => {
    const result = findZone(ZONES, word);
    return result.kind === 'found' ? result.zone.id : result.kind;
  };

  test('an id goes before a name that looks like one', () => {
    assert.equal(found('4713'), '4713');
    assert.equal(found('4716'), '4716');
  });

  test('a pasted URL stands for its host', () => {
    assert.equal(found('https://www.shop.example/cart?x=1'), '4712');
    assert.equal(found('www.shop.example.'), '4712');
  });

  test('two zones of one name, or of one host, are both offered', () => {
    for (const [word, ids] of [
      ['twins', ['4714', '4715']],
      ['shared.example', ['4717', '4718']],
    ] as const) {
      const result = findZone(ZONES, word);
      assert.equal(result.kind, 'ambiguous');
      assert.deepEqual(result.kind === 'ambiguous' && result.candidates.map(({ id }) => id), ids);
    }
  });

  test('an unknown word gives the nearest zones, and a part of a name is never taken for the name', () => {
    const result = findZone(ZONES, 'shpo');
    assert.equal(result.kind, 'unknown');
    assert.equal(result.kind === 'unknown' && result.nearest[0]?.name, 'shop');
    assert.equal(found('sho'), 'unknown');
    assert.deepEqual(findZone(ZONES, ''), { kind: 'unknown', nearest: [] });
    assert.deepEqual(findZone([], 'x'), { kind: 'unknown', nearest: [] });
  });
});

describe('finding several zones', () => {
  const found = (words: string) => {
    const result = findZones(ZONES, words);
    return result.kind === 'found' ? result.zones.map(({ id }) => id) : [result.kind, result.word];
  };

  test('a star is any run: of names, where none fits of host names, then of ids', () => {
    assert.deepEqual(found('shop*'), ['4711', '4712']);
    assert.deepEqual(found('*-IMAGES'), ['4711']);
    assert.deepEqual(found('blog.*'), ['4713', '4717']);
    assert.deepEqual(found('471*'), ['4716']);
    assert.deepEqual(found('4*8'), ['4718']);
    assert.equal(found('*').length, ZONES.length);
    assert.deepEqual(found('twins*,shop'), ['4714', '4715', '4712'], 'a pattern names all that it fits');
  });

  test('every word must name a zone, and the one that does not is told', () => {
    assert.deepEqual(found('shop,shpo'), ['unknown', 'shpo']);
    assert.deepEqual(found('shop,twins'), ['ambiguous', 'twins']);
    assert.deepEqual(found('none-*'), ['unknown', 'none-*']);
    assert.deepEqual(found('shop,'), ['unknown', ''], 'perhaps an unset variable');
    const result = findZones(ZONES, 'blog,shpo');
    assert.equal(result.kind === 'unknown' && result.nearest[0]?.name, 'shop');
  });

  test('one word is found as one zone is', () => {
    for (const word of [
      '4712',
      'shop',
      'blog.example.com',
      'https://www.shop.example/cart',
      'twins',
      'sho',
      '',
    ]) {
      const [one, several] = [findZone(ZONES, word), findZones(ZONES, word)];
      if (one.kind === 'found') assert.deepEqual(several, { kind: 'found', zones: [one.zone] }, word);
      else assert.deepEqual(several, { ...one, word }, word);
    }
  });
});
