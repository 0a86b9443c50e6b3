import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTERS } from '../effects/support/change.ts';
import { openPlatform, type Platform } from './platform.ts';

test('platforms with the same options have the rows of each other, made once, and no change of each other', () => {
  const [one, two] = [openPlatform({ seed: 3, rate: 2 }), openPlatform({ seed: 3, rate: 2 })];
  const rowsOf = ({ zones, truth, clock }: Platform) =>
    truth(zones[0]?.id ?? 0, clock.now() - 60_000, clock.now()).map(({ entry }) => entry.requestId);
  const told = rowsOf(one);
  const { draws } = two.work();
  assert.deepEqual(rowsOf(two), told);
  assert.equal(two.work().draws, draws);
  assert.notDeepEqual(rowsOf(openPlatform({ seed: 4, rate: 2 })), told);
  const replicas = two.storageZone(MASTERS)?.read.ReplicationRegions.length;
  one.changeStorageZone(MASTERS, { ReplicationZones: ['LA'] });
  assert.equal(two.storageZone(MASTERS)?.read.ReplicationRegions.length, replicas);
  assert.notEqual(one.storageZone(MASTERS)?.read.ReplicationRegions.length, replicas);
});
