import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  issuesOf,
  patchOf,
  readAssignments,
  type StorageDraft,
} from '../../../src/domain/storage/storage-edit.ts';
import { storageZoneOf } from '../../support/storage.ts';

const zone = storageZoneOf({
  region: 'DE',
  replicationRegions: ['NY', 'SG'],
  custom404FilePath: '/404.html',
});
const errors = (draft: StorageDraft) =>
  issuesOf(zone, draft)
    .filter((issue) => issue.severity === 'error')
    .map((issue) => issue.field);

test('only what differs from the zone as it was read is sent, and never null', () => {
  assert.deepEqual(patchOf(zone, {}), {});
  const same = { ReplicationZones: ['NY'], Custom404FilePath: '/404.html', Rewrite404To200: false };
  assert.deepEqual(patchOf(zone, same), {});
  assert.deepEqual(patchOf(zone, { Rewrite404To200: true }), { Rewrite404To200: true });
  assert.deepEqual(patchOf(zone, { ReplicationZones: ['LA', 'NY', 'LA'] }), {
    ReplicationZones: ['NY', 'SG', 'LA'],
  });
});

test('values are judged before anything is sent', () => {
  assert.deepEqual(errors({ ReplicationZones: ['DE'] }), ['ReplicationZones']);
  assert.deepEqual(errors({ ReplicationZones: ['new york'] }), ['ReplicationZones']);
  for (const url of ['', 'ftp://x', 'https://', 'x.example', 'https://a b', 'https://user:pw@x.example']) {
    assert.deepEqual(errors({ OriginUrl: url }), ['OriginUrl'], url);
  }
  for (const path of ['', '404.html', '/a b', '/a?b', '/a/../b', '//a', '/a/', '/ä']) {
    assert.deepEqual(errors({ Custom404FilePath: path }), ['Custom404FilePath'], path);
  }
  assert.deepEqual(errors({ OriginUrl: 'https://o.example:8443/x', Custom404FilePath: '/e/404.html' }), []);
});

test('Field=value words become a draft, and a word that is none is named', () => {
  const words = ['replicationzones=la, syd', 'OriginUrl=https://o.example/?a=b', 'Rewrite404To200=TRUE'];
  assert.deepEqual(readAssignments(words), {
    ok: true,
    draft: {
      ReplicationZones: ['LA', 'SYD'],
      OriginUrl: 'https://o.example/?a=b',
      Rewrite404To200: true,
    },
  });
  const wrong = ['Rewrite404to20=true', 'Rewrite404To200=yes', 'OriginUrl', 'Password=x'];
  for (const word of wrong) assert.equal(readAssignments([word]).ok, false, word);
  const typo = readAssignments(['OriginURI=x']);
  assert.match(typo.ok ? '' : typo.message, /nearest: OriginUrl/);
  assert.equal(readAssignments(['OriginUrl=a', 'OriginUrl=b']).ok, false);
});
