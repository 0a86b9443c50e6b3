import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matcher } from '../../src/domain/query/match.ts';
import { whereRuns } from '../../src/domain/query/push-down.ts';
import { parseQuery, printQuery } from '../../src/domain/query/query-text.ts';
import { withZoneIds, zoneNameOf } from '../../src/domain/query/zone-terms.ts';
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

test('what a term calls a zone becomes its id: a name, a host, an id, or a pattern of them', () => {
  assert.equal(inIds('zone:shop-eu status:5xx'), 'zone:4711 status:5xx');
  assert.equal(inIds('-zone:API.example,4712'), '-zone:9,4712');
  assert.equal(inIds('zone:shop-*'), 'zone:4711,4712');
  assert.equal(inIds('zone:shop-*,shop-us,api'), 'zone:4711,4712,9');
});

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

test('rows of the zone match, and those of others do not', () => {
  const count = (text: string) => {
    const matches = matcher(withZoneIds(termsOf(text), ZONES));
    return ZONES.filter(({ id }) => matches(recordWith({ pullZoneId: id }))).map(({ name }) => name);
  };
  assert.deepEqual(count('zone:shop-*'), ['shop-eu', 'shop-us']);
  assert.deepEqual(count('-zone:shop-eu'), ['shop-us', 'api']);
  assert.deepEqual(count('zone:9'), ['api']);
});

test('terms of other fields are left alone, and no server is asked for a zone', () => {
  const terms = termsOf('status:5xx shop-eu');
  assert.equal(withZoneIds(terms, ZONES), terms);
  for (const term of termsOf('zone:4711 zone:shop-*'))
    assert.equal(whereRuns(term, zoneOf('4711', 'shop')).runs, 'local');
});

test('a zone is shown by its name, and by its id where it is not known', () => {
  assert.equal(zoneNameOf(ZONES, '4712'), 'shop-us');
  assert.equal(zoneNameOf(ZONES, '5000'), '5000');
  assert.equal(zoneNameOf([], '4712'), '4712');
});
