import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { Secret } from '../../src/text/secret.ts';
import { MASTERS } from '../effects/support/change.ts';
import { openPlatform, type Platform } from './platform.ts';
import type { Fault } from './simulator/faults.ts';

/** A client whose requests the platform answers in this process, by the same clock. */
function clientOf({ accessKey, baseUrl, loggingUrl, clock, over }: Platform) {
  const credentials = { accessKey: new Secret(accessKey), token: null };
  const quota = createQuota({ clock });
  return createClient({ baseUrl, loggingUrl, credentials, allowWrites: false, quota, clock, over });
}

/** How a read of the zones ends, and after how many ms of the clock. */
async function readUnder(fault: Fault): Promise<[end: string, after: number]> {
  const platform = openPlatform({ faults: [{ fault }] });
  const client = clientOf(platform);
  const read = await platform.ended(client.pullZones({ page: 1, perPage: 10 }, { retries: 0 }));
  return [read.ok ? 'ok' : read.failure.kind, platform.clock.monotonic()];
}

test('a client asks the simulator in this process, and its faults take their time on the clock', async () => {
  const ends = {
    'after a second': await readUnder({ kind: 'slow', ms: 1_000 }),
    'no head': await readUnder({ kind: 'hang' }),
    'half a body': await readUnder({ kind: 'hangBody' }),
    'a byte a second': await readUnder({ kind: 'bodyDrip', ms: 1_000 }),
    refused: await readUnder({ kind: 'refuse' }),
    reset: await readUnder({ kind: 'reset' }),
    'reset in the body': await readUnder({ kind: 'resetBody' }),
    'cut short': await readUnder({ kind: 'truncatedLength' }),
    'an error': await readUnder({ kind: 'errorAfter' }),
  };
  assert.deepEqual(ends, {
    'after a second': ['ok', 1_000],
    'no head': ['timeout', 10_000],
    'half a body': ['timeout', 20_000],
    'a byte a second': ['timeout', 20_000],
    refused: ['refusedConnection', 0],
    reset: ['connectionLost', 0],
    'reset in the body': ['connectionLost', 0],
    'cut short': ['connectionLost', 0],
    'an error': ['serverError', 0],
  });
});

test('a request that is called off is not answered any more, and leaves no timer', async () => {
  const platform = openPlatform({ faults: [{ fault: { kind: 'slow', ms: 5_000 } }] });
  const stopper = new AbortController();
  const reading = clientOf(platform).pullZones({ page: 1, perPage: 10 }, { signal: stopper.signal });
  await platform.clock.advance(1_000);
  stopper.abort();
  const read = await reading;
  assert.equal(read.ok ? 'ok' : read.failure.kind, 'cancelled');
  await platform.rest();
  assert.equal(platform.clock.pending, 0);
  assert.deepEqual(platform.stats().byStatus, {});
});

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
