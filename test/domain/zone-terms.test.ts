import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matcher } from '../../src/domain/query/match.ts';
import { parseQuery, printQuery } from '../../src/domain/query/query-text.ts';
import { withZoneIds } from '../../src/domain/query/zone-terms.ts';
import { recordWith } from '../support/rows.ts';
import { zoneOf } from '../support/state.ts';
import { NOW } from './query-cases.ts';

const ZONES = [
  zoneOf('4711', 'shop-eu', { hostnames: ['www.shop.example'] }),
  zoneOf('4712', 'shop-us', { hostnames: ['us.shop.example'] }),
  zoneOf('9', 'api', { hostnames: ['api.example'] }),
];

function termsOf(text: string) {
  const read = parseQuery(text, 'logs', NOW);
  assert.ok(read.ok, text);
  return read.query.terms;
}

const inIds = (text: string) =>
  printQuery({ terms: withZoneIds(termsOf(text), ZONES), window: null, groupBy: [] });

test('a word that names none of the zones stays as it is and matches nothing', () => {
  assert.equal(inIds('zone:blog'), 'zone:blog');
  assert.equal(inIds('zone:blog*,api'), 'zone:blog*,9');
  const matches = matcher(withZoneIds(termsOf('zone:blog'), ZONES));
  for (const { id } of ZONES) assert.equal(matches(recordWith({ pullZoneId: id })), false);
});

test('any zone is any zone, known or not, and a quoted star is no pattern', () => {
  assert.equal(inIds('zone:*'), 'zone:*');
  assert.equal(inIds('zone:"shop-\\*"'), 'zone:"shop-\\*"');
});
