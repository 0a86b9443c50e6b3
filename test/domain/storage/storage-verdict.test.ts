import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FailureKind, failureOf } from '../../../src/domain/failure.ts';
import type { StorageZone, StorageZonePatch } from '../../../src/domain/storage/storage.ts';
import { driftBetween, storageVerdict, VERDICTS } from '../../../src/domain/storage/storage-verdict.ts';
import { storageZoneOf } from '../../support/storage.ts';

const before = storageZoneOf({ replicationRegions: ['NY'] });
const later = (before.modifiedAt ?? 0) + 60_000;

/** The verdict's words after a patch, a POST that failed so (null = success), and a zone that was read back so. */
function word(
  patch: StorageZonePatch,
  failure: FailureKind | null,
  after: Partial<StorageZone> | null,
): string {
  const verdict = storageVerdict({
    before,
    patch,
    failure: failure === null ? null : failureOf(failure),
    after: after === null ? null : { ...before, ...after },
  });
  return VERDICTS[verdict.kind];
}

const REWRITE = { Rewrite404To200: true };
const ORIGIN = { OriginUrl: 'https://o.example' };

test('a change that happened in part is not applied, and says which part is', () => {
  const verdict = storageVerdict({
    before,
    patch: { ...REWRITE, Custom404FilePath: '/x' },
    failure: null,
    after: { ...before, rewrite404To200: true },
  });
  assert.equal(verdict.kind, 'notApplied');
  assert.match(verdict.reasons.join(), /in part: Rewrite404To200/);
});

test('an origin cannot be read back: only a success and a moved date of change speak for it', () => {
  assert.equal(word(ORIGIN, null, { modifiedAt: later }), 'APPLIED');
  assert.equal(word(ORIGIN, null, {}), 'UNKNOWN');
  assert.equal(word(ORIGIN, 'timeout', { modifiedAt: later }), 'UNKNOWN');
  assert.equal(word(ORIGIN, 'invalidRequest', { modifiedAt: later }), 'NOT APPLIED');
  assert.equal(word({ ...ORIGIN, ...REWRITE }, 'timeout', { rewrite404To200: true }), 'APPLIED');
  assert.equal(word({ ...ORIGIN, ...REWRITE }, null, {}), 'NOT APPLIED');
});

test('drift is any setting that moved, and the date of change, which alone tells of another origin', () => {
  assert.deepEqual(driftBetween(before, { ...before, storageUsed: 9, filesStored: 1 }), []);
  assert.deepEqual(
    driftBetween(before, { ...before, replicationRegions: ['NY', 'LA'], modifiedAt: later }).map(
      (each) => each.name,
    ),
    ['ReplicationRegions'],
  );
  assert.deepEqual(
    driftBetween(before, { ...before, modifiedAt: later }).map((each) => each.name),
    ['DateModified'],
  );
});
