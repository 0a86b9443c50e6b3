import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Bench, bench, main } from './ask.ts';

async function read(sim: Bench, id: number) {
  return JSON.parse((await main(sim, `/storagezone/${id}`)).text);
}

test('an update answers 204 and is read back, the origin excepted', async (t) => {
  const sim = await bench(t);
  const before = await read(sim, 605220);
  const patch = {
    ReplicationZones: ['LA'],
    OriginUrl: 'https://origin.example/x',
    Custom404FilePath: '/gone.html',
    Rewrite404To200: true,
  };
  const reply = await main(sim, '/storagezone/605220', { body: patch });
  assert.equal(reply.status, 204);
  assert.equal(reply.text, '');
  const after = await read(sim, 605220);
  assert.deepEqual(after, {
    ...before,
    ReplicationRegions: ['NY', 'SG', 'LA'],
    Custom404FilePath: '/gone.html',
    Rewrite404To200: true,
    ReplicationChangeInProgress: true,
    DateModified: '2026-08-20T12:00:00',
  });
  assert.equal(sim.storageZone(605220)?.originUrl, 'https://origin.example/x');
  sim.advance(31_000);
  assert.equal((await read(sim, 605220)).ReplicationChangeInProgress, false);
});

test('a replica is never removed, an empty 404 path clears nothing, null keeps', async (t) => {
  const sim = await bench(t);
  assert.equal(
    (await main(sim, '/storagezone/605233', { body: { ReplicationZones: ['WA'], Custom404FilePath: '' } }))
      .status,
    204,
  );
  const first = await read(sim, 605233);
  assert.deepEqual(first.ReplicationRegions, ['LA', 'WA']);
  assert.equal(first.Custom404FilePath, '/errors/404.html');
  const nothing = { ReplicationZones: null, OriginUrl: null, Custom404FilePath: null, Rewrite404To200: null };
  assert.equal((await main(sim, '/storagezone/605233', { body: nothing })).status, 204);
  assert.deepEqual((await read(sim, 605233)).ReplicationRegions, ['LA', 'WA']);
});

test('a refused field is named and nothing changes', async (t) => {
  const sim = await bench(t);
  const refused: [object | string, string][] = [
    [{ ReplicationZones: ['ZZ'], Rewrite404To200: true }, 'ReplicationZones'],
    [{ ReplicationZones: ['DE'] }, 'ReplicationZones'],
    [{ ReplicationZones: ['JP'] }, 'ReplicationZones'],
    [{ ReplicationZones: 'NY' }, 'ReplicationZones'],
    [{ OriginUrl: 'ftp://x' }, 'OriginUrl'],
    [{ Custom404FilePath: '404.html' }, 'Custom404FilePath'],
    [{ Rewrite404To200: 'yes' }, 'Rewrite404To200'],
    ['{', ''],
  ];
  const before = await read(sim, 605220);
  for (const [body, field] of refused) {
    const reply = await main(sim, '/storagezone/605220', { body });
    assert.equal(reply.status, 400);
    const error = JSON.parse(reply.text);
    assert.equal(error.Field, field);
    assert.deepEqual(Object.keys(error), ['ErrorKey', 'Field', 'Message']);
  }
  assert.deepEqual(await read(sim, 605220), before);
});
