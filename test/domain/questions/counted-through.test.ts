import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BypassField } from '../../../src/domain/clients/client-identity.ts';
import { evidenceOf, SHAPE_COUNTING, VALUES_MOST } from '../../../src/domain/clients/traffic-profile.ts';
import type { AnswerTable } from '../../../src/domain/inquiry/answer-table.ts';
import type { Inquiry } from '../../../src/domain/inquiry/inquiry.ts';
import { createRowCounter } from '../../../src/domain/logs/counted/count-rows.ts';
import type { CountedField, Counts } from '../../../src/domain/logs/counts.ts';
import { bypassInquiry, bypassQuestion } from '../../../src/domain/questions/clients/ask-bypass.ts';
import { termsInto } from '../../../src/domain/shield/shield-question.ts';
import type { IncidentKind } from '../../../src/simulator/traffic/incidents.ts';
import { recordOf } from '../../support/state.ts';
import { sceneOf } from '../scene.ts';
import { answeredAll, figuresOf, metBy, storedMetBy } from './ask-scene.ts';

const shop = sceneOf('shop-frontend', 4);
const CASES: [IncidentKind, BypassField, string][] = [
  ['layer7Attack', 'ja4', 'botnet'],
  ['scanner', 'asn', 'scanner'],
  ['credentialStuffing', 'ja4', 'stuffing'],
];

function through(
  field: BypassField,
  value: string,
  range: { from: number; to: number },
  o: { storedUntil?: number; isShield?: boolean } = {},
): Inquiry {
  const question = bypassQuestion(field, value, shop.zone);
  assert.ok(question.ok);
  const terms = termsInto([], [field], { [field]: value });
  const shield = o.isShield ? { shieldZoneId: shop.zone.shieldZoneId ?? '', terms } : null;
  const { storedUntil } = o;
  return bypassInquiry({ asked: [{ zone: shop.zone, question }], left: [], range, shield, storedUntil });
}

function read(inquiry: Inquiry): AnswerTable {
  answeredAll(inquiry, (need) => metBy(shop, need));
  return inquiry.table();
}

test('whether a client got through, and what it looks like, are counted as they are of all rows', () => {
  for (const [kind, field, tag] of CASES) {
    const { from, to, cause } = shop.incident(kind);
    const value = cause[field]?.[0] ?? '';
    const rows = read(through(field, value, { from, to }));
    const whole = through(field, value, { from, to }, { storedUntil: to });
    assert.equal(answeredAll(whole, storedMetBy(shop)), 1);
    const { coverage, headline } = whole.table();
    assert.match(headline, new RegExp(`; ${tag}$`));
    assert.deepEqual(figuresOf(whole.table()), figuresOf(rows));
    assert.match(
      coverage,
      /^all of the window read; ([\d,]+) rows, \1 of them counted by the store; Shield keeps/,
    );
    // A part of it is read: the same of both together.
    const half = through(field, value, { from, to }, { storedUntil: Math.floor((from + to) / 2) });
    answeredAll(half, storedMetBy(shop));
    assert.deepEqual(figuresOf(half.table()), figuresOf(rows));
    assert.match(half.table().coverage, /^all of the window read; .* of them counted by the store;/);
  }
});

test('what a store lacks leaves a nothing open, and where it cannot count the rows are read', () => {
  const { from, to, cause } = shop.incident('scanner');
  const value = cause['asn']?.[0] ?? '';
  const nobody = through('ip', '192.0.2.254', { from, to }, { storedUntil: to });
  answeredAll(nobody, storedMetBy(shop, [{ from, to: from + 60_000 }]));
  assert.match(nobody.table().headline, /^no request of this client in what was read so far/);
  assert.match(nobody.table().coverage, /0 rows, 0 of them counted by the store, which lacks 1m of it/);
  assert.equal(nobody.table().verdict, 'unknown');

  const refused = through('asn', value, { from, to }, { storedUntil: to });
  answeredAll(refused, (need) =>
    need.kind === 'logs' && need.counts ? { kind: 'uncounted', why: 'it cannot' } : metBy(shop, need),
  );
  assert.deepEqual(figuresOf(refused.table()), figuresOf(read(through('asn', value, { from, to }))));
  assert.match(refused.table().coverage, /the store cannot count these rows \(it cannot\): they are read/);
});

test('with events of Shield the look is of both, whoever counted the requests', () => {
  const { from, to, cause } = shop.incident('scanner');
  const value = cause['asn']?.[0] ?? '';
  const rows = through('asn', value, { from, to }, { isShield: true });
  answeredAll(rows, (need) => metBy(shop, need));
  for (const storedUntil of [to, Math.floor((from + to) / 2)]) {
    const inquiry = through('asn', value, { from, to }, { storedUntil, isShield: true });
    answeredAll(inquiry, storedMetBy(shop));
    assert.deepEqual(figuresOf(inquiry.table()), figuresOf(rows.table()));
  }
});

test('of a list that is cut it is known how many values there are, and the largest share is of those that are listed', () => {
  const here = createRowCounter({ terms: [], anonymisation: 'none', of: SHAPE_COUNTING });
  for (const n of [1, 2]) here.add(recordOf(n, { path: '/login', userAgent: 'curl' }));
  const list = (values: Record<string, number>, distinct: number, blank: number): CountedField => ({
    distinct,
    blank,
    values: Object.entries(values).map(([value, count]) => ({ value, count, sums: null })),
  });
  const counts: Counts = {
    kind: 'values',
    rows: 1_000_000,
    fields: new Map([
      ['ua', list({ curl: 98, wget: 50 }, 40_000, 100)],
      ['page', list({ '/': 98 }, 40_000, 100)],
      ['status', list({ 403: 600_000, 200: 400_000 }, 2, 0)],
    ]),
  };
  const { requests, paths, topUa, refused } = evidenceOf([], [counts, here.counts()], 'none');
  // All but the hundred rows without one, and the two that were read, of one more page; none of the unnamed is a user agent.
  assert.deepEqual([requests, paths, topUa], [1_000_002, 40_000, 100 / (999_900 + 2)]);
  assert.equal(refused, 600_000 / 1_000_002);
  assert.ok(VALUES_MOST >= 20_000);
});
