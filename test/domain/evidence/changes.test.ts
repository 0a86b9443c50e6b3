import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, changedNames, isOfZone, listedChanges } from '../../../src/domain/evidence/change.ts';
import { diffOf } from '../../../src/domain/evidence/diff.ts';

const T = Date.UTC(2026, 7, 20, 2);
const MINUTE = 60_000;
const ZONE = { pullZoneId: '7', shieldZoneId: '70' };

function change(at: number, parts: Partial<Change> = {}): Change {
  return {
    timestamp: at,
    product: 'CDN',
    resourceType: 'PullZone',
    resourceId: '7',
    action: 'Update',
    actorId: 'ops@example.com',
    actorType: 'User',
    diff: diffOf(null),
    ...parts,
  };
}

test('a change is of a zone by its id, and an id of something else is another', () => {
  assert.ok(isOfZone(change(T), ZONE));
  assert.ok(isOfZone(change(T, { resourceType: null }), ZONE));
  assert.ok(isOfZone(change(T, { resourceType: 'ShieldZone', resourceId: '70' }), ZONE));
  assert.ok(isOfZone(change(T, { resourceType: 'WafRule', resourceId: '7' }), ZONE));
  assert.ok(!isOfZone(change(T, { resourceId: '8' }), ZONE));
  assert.ok(!isOfZone(change(T, { resourceId: null }), ZONE));
  assert.ok(!isOfZone(change(T, { resourceType: 'StorageZone' }), ZONE));
  assert.ok(!isOfZone(change(T, { resourceType: 'ShieldZone', resourceId: '70' }), { pullZoneId: '7' }));
});

test('changes of the zone come first, the newest of each first, and those near a start are marked by it, of the zone alone', () => {
  const start = { at: T + 20 * MINUTE, what: '5xx' };
  const diff = diffOf('OriginUrl: a -> b');
  const list = listedChanges(
    [
      change(T, { diff, resourceId: '8' }),
      change(T + 4 * MINUTE, { diff }),
      change(T + 16 * MINUTE, { diff }),
      // What cannot have brought it about is near by chance.
      change(T + 17 * MINUTE, { diff: diffOf('LogAnonymizationType: 0 -> 1') }),
      change(T + 20 * MINUTE + 30_000, { diff, resourceId: '8' }),
      change(T + 30 * MINUTE, { diff }),
    ],
    ZONE,
    [start, { at: T + 300 * MINUTE, what: 'later' }],
  );
  assert.deepEqual(
    list.map(({ change: { timestamp }, isOwn, before }) => [
      (timestamp - T) / MINUTE,
      isOwn,
      before?.by ?? null,
    ]),
    [
      [30, true, null],
      [17, true, null],
      [16, true, 4 * MINUTE],
      [4, true, null],
      [20.5, false, null],
      [0, false, null],
    ],
  );
  assert.equal(list[2]?.before?.start, start);
  assert.deepEqual(
    listedChanges([change(T)], null).map(({ isOwn }) => isOwn),
    [false],
  );
});

test('what was changed is named by its fields, a few of them, or by the action', () => {
  const diff = diffOf(
    '{"A":{"Old":1,"New":2},"B":{"Old":1,"New":2},"C":{"Old":1,"New":2},"D":{"Old":1,"New":2}}',
  );
  assert.equal(changedNames(change(T, { diff })), 'A, B, C and 1 more');
  assert.equal(changedNames(change(T)), 'Update');
  assert.equal(changedNames(change(T, { action: null })), 'something');
});
