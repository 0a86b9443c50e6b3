import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { createQuota, hostLane } from '../../src/api/quota/quota.ts';
import type { ChangeEnd, Journal } from '../../src/domain/storage/storage-change.ts';
import { openJournal } from '../../src/effects/journal.ts';
import { carryOut } from '../../src/effects/storage-write.ts';
import { Secret } from '../../src/text/secret.ts';
import { ownFolder } from '../support/own-folder.ts';
import { openPlatform } from '../support/platform.ts';
import { HOST, MASTERS, wordOf } from './support/change.ts';

const ID = String(MASTERS);
const PATCH = { Rewrite404To200: true };
/** What is left to users of the main host in ten seconds, less the read with which a test begins. */
const LEFT = 18;

/** A change in virtual time, with the time of each request to its zone. */
async function changing(t: TestContext) {
  const directory = ownFolder(t);
  const asked: { method: string; at: number }[] = [];
  const platform = openPlatform({
    seed: 7,
    incidents: false,
    onRequest: ({ method, path }) => {
      if (path.endsWith(`/storagezone/${ID}`)) asked.push({ method, at: platform.clock.real });
    },
  });
  const { clock, baseUrl } = platform;
  const quota = createQuota({ clock });
  const client = createClient({
    baseUrl,
    loggingUrl: platform.loggingUrl,
    credentials: { accessKey: new Secret(platform.accessKey), token: null },
    allowWrites: true,
    quota,
    clock,
    over: platform.over,
  });
  const journal = openJournal({ host: HOST, directory });
  const seen = await platform.ended(client.storageZone(ID));
  assert.ok(seen.ok);
  asked.length = 0;
  return {
    platform,
    clock,
    journal,
    asked,
    /** So many requests of other views leave now; their slots are free ten seconds later. */
    async spend(count: number): Promise<void> {
      for (let n = 0; n < count; n++) (await quota.acquire(hostLane(baseUrl), 'user')).release('answered');
    },
    change: (journal: Journal, signal = new AbortController().signal): Promise<ChangeEnd> =>
      platform.ended(
        carryOut({ client, journal, clock, change: { zone: seen.value, patch: PATCH }, signal }),
      ),
  };
}

test('where the quota is spent, what somebody else changes while it is waited for is seen, and nothing is sent', async (t) => {
  const { platform, clock, journal, asked, spend, change } = await changing(t);
  // Enough is left for the guarded read alone.
  await spend(LEFT - 1);
  clock.after(5_000, () => platform.changeStorageZone(MASTERS, { ReplicationZones: ['LA'] }));
  const end = await change(journal);
  assert.equal(end.kind, 'drift');
  assert.deepEqual(
    asked.map(({ method }) => method),
    ['GET'],
  );
  assert.deepEqual(await journal.openIntents(clock.now()), []);
});

test('the read and the request leave one right after the other, however full the lane is', async (t) => {
  for (const spent of [0, LEFT - 2, LEFT - 1, LEFT]) {
    const { journal, asked, spend, change } = await changing(t);
    await spend(spent);
    assert.equal(wordOf(await change(journal)), 'APPLIED', `${spent} slots spent`);
    const [read, post] = asked;
    assert.deepEqual([read?.method, post?.method], ['GET', 'POST']);
    assert.ok((post?.at ?? 0) - (read?.at ?? 0) <= 2_000, `${spent} slots spent`);
  }
});

test('where the disk takes its time over the undo file, the zone is read once more before the request', async (t) => {
  const { platform, clock, journal, asked, change } = await changing(t);
  const slow: Journal = {
    ...journal,
    async intend(entry) {
      await clock.sleep(3_000);
      return journal.intend(entry);
    },
  };
  assert.equal(wordOf(await change(slow)), 'APPLIED');
  assert.deepEqual(
    asked.slice(0, 3).map(({ method }) => method),
    ['GET', 'GET', 'POST'],
  );
  clock.after(1_000, () => platform.changeStorageZone(MASTERS, { ReplicationZones: ['LA'] }));
  asked.length = 0;
  assert.equal((await change(slow)).kind, 'drift');
  assert.ok(asked.every(({ method }) => method === 'GET'));
  assert.deepEqual(await journal.openIntents(clock.now() + 600_000), []);
});
