import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differing } from '../../../src/domain/differing.ts';
import type { Inquiry } from '../../../src/domain/inquiry/inquiry.ts';
import { sayingImported } from '../../../src/domain/inquiry/saved-inquiry.ts';
import { weighed } from '../../../src/domain/questions/comparison/ask-comparison.ts';
import { HOUR, MINUTE, NOON, sceneOf } from '../scene.ts';
import { answeredAll, comparing, figuresOf, metBy, storedMetBy } from './ask-scene.ts';

const scene = sceneOf('shop-frontend', 1);
const now = { from: NOON - HOUR, to: NOON };
const before = { from: NOON - 2 * HOUR, to: NOON - HOUR };

function comparison(storedUntil?: number): Inquiry {
  return comparing('compare', {
    zones: [scene.zone],
    now,
    before: [before],
    against: 'the window before',
    storedUntil,
  });
}

test('a comparison of what a store counted says what one of all rows says, for one request a window', () => {
  const rows = comparison();
  answeredAll(rows, (need) => metBy(scene, need));
  for (const until of [now.to, now.from, NOON - 20 * MINUTE]) {
    const inquiry = comparison(until);
    const asked = answeredAll(inquiry, storedMetBy(scene));
    assert.deepEqual(figuresOf(inquiry.table()), figuresOf(rows.table()), `until ${until}`);
    if (until === now.to) assert.equal(asked, 2);
    assert.match(
      inquiry.table().coverage,
      /^all of this window read, .*; [\d,]+ rows, [\d,]+ of them counted by the store/,
    );
    assert.deepEqual(inquiry.rest(), []);
  }
});

test('what a store lacks of a window is not compared, is said, and is not asked for again', () => {
  const inquiry = comparison(now.to);
  answeredAll(inquiry, storedMetBy(scene, [{ from: NOON - 15 * MINUTE, to: NOON }]));
  const { headline, coverage } = inquiry.table();
  assert.match(headline, /^of the 87\.5% read: /);
  assert.match(
    coverage,
    /^75\.0% of this window read, all of the .* counted by the store, which lacks 15m of it/,
  );
  assert.deepEqual(inquiry.rest(), []);
});

test('a field that a store has no column for is not compared, and the answer says so', () => {
  const [inquiry, whole] = [comparison(now.to), comparison(now.to)];
  answeredAll(whole, storedMetBy(scene));
  answeredAll(inquiry, (need) => {
    const met = storedMetBy(scene)(need);
    if (met.kind !== 'counts' || met.counts.kind !== 'values') return met;
    const fields = new Map([...met.counts.fields].filter(([id]) => id !== 'host'));
    return { ...met, counts: { ...met.counts, fields } };
  });
  const sectionsOf = (of: Inquiry) => of.table().sections.filter(({ title }) => title.startsWith('host'));
  assert.ok((sectionsOf(whole)[0]?.rows.length ?? 0) > 0);
  assert.deepEqual(sectionsOf(inquiry), []);
  assert.match(inquiry.table().coverage, /not compared by host, which the store has no column for/);
});

test('where a store cannot count the rows they are read, and the answer says why', () => {
  const rows = comparison();
  answeredAll(rows, (need) => metBy(scene, need));
  const inquiry = comparison(now.to);
  const asked = answeredAll(inquiry, (need) =>
    need.kind === 'logs' && need.counts
      ? { kind: 'uncounted', why: 'page was derived in another way' }
      : metBy(scene, need),
  );
  assert.deepEqual(figuresOf(inquiry.table()), figuresOf(rows.table()));
  assert.equal(asked, 2 + rows.needs.length);
  assert.match(
    inquiry.table().coverage,
    /cannot count these rows \(page was derived in another way\): they are read/,
  );
});

test('of a list that is cut the rest counts in the total, and a value that is not in it is known by a bound alone', () => {
  const ofSide = (hosts: Record<string, number>, total: number, distinct: number) => {
    const values = Object.entries(hosts).map(([value, count]) => ({ value, count, sums: null }));
    return { length: HOUR, ...weighed([{ field: { distinct, blank: 0, values }, total, weight: 1 }]) };
  };
  const [ofNow, ofBefore] = [ofSide({ a: 500, b: 400 }, 1_000, 30), ofSide({ a: 500, c: 60 }, 900, 40)];
  assert.deepEqual([ofNow.total, ofNow.distinct, ofNow.isByCount], [1_000, 30, true]);
  const b = differing(ofNow, ofBefore).values.find(({ value }) => value === 'b');
  assert.deepEqual([b?.countNow, b?.countUsual, b?.isAtMostUsual, b?.isNew], [400, 60, true, false]);
  assert.equal(b?.shareNow, 0.4);
});

test('of time that came from files an answer says so, and calls nothing good, however it was read', () => {
  const files = { from: NOON - 90 * MINUTE, to: NOON - 15 * MINUTE };
  const gap = { ...files, id: 'f', reason: 'imported', rows: null } as const;
  for (const isCounted of [true, false]) {
    const inquiry = sayingImported(comparison(now.to));
    answeredAll(inquiry, (need) => {
      if (need.kind !== 'logs') return metBy(scene, need);
      if (!isCounted && need.counts) return { kind: 'uncounted', why: 'no reason' };
      const met = storedMetBy(scene)(need);
      if (met.kind === 'counts') return { ...met, imported: [files] };
      assert.ok(met.kind === 'logs');
      return { ...met, stored: { next: null, here: [], hidden: 0, gaps: [gap], read: null } };
    });
    const { coverage, verdict } = inquiry.table();
    assert.match(coverage, /all of this window read, all of the window before read/);
    assert.match(coverage, /; 1h15m of it came from files, which may not have all rows$/);
    assert.notEqual(verdict, 'calm');
  }
});
