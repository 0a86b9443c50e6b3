import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { test } from 'node:test';
import type { OpenIntent } from '../../src/domain/storage/storage-change.ts';
import { VERDICTS } from '../../src/domain/storage/storage-verdict.ts';
import { openJournal } from '../../src/effects/journal.ts';
import { settleIntent } from '../../src/effects/storage-write.ts';
import type { Fault } from '../support/simulator/faults.ts';
import { clockWith } from '../support/virtual-clock.ts';
import { changing, failingFs, HOST, MASTERS, notingFs, wordOf } from './support/change.ts';

const REWRITE = { Rewrite404To200: true };
const ONLY_POSTS = { method: 'POST' };

test('a confirmed change is sent once, read back, and closed in the audit file', async (t) => {
  const bench = await changing(t);
  const steps: string[] = [];
  const end = await bench.change(REWRITE, { onStep: (step) => steps.push(step) });
  assert.equal(wordOf(end), 'APPLIED');
  assert.deepEqual(steps, ['checking', 'posting', 'verifying']);
  assert.equal(bench.posts(), 1);
  assert.equal(bench.simulator.storageZone(MASTERS)?.read.Rewrite404To200, true);
  const lines = (await bench.audit()).map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((line) => [line.kind, line.verdict]),
    [
      ['intent', undefined],
      ['verdict', 'APPLIED'],
    ],
  );
  assert.equal(lines[0].id, lines[1].id);
  assert.deepEqual(await bench.journal.openIntents(bench.clock.now()), []);
});

test('undo and audit are on the disk before the request leaves, for their owner alone, without a secret', async (t) => {
  const bench = await changing(t);
  let atPost: string[] = [];
  const client = {
    storageZone: bench.client.storageZone,
    updateStorageZone: async (...args: Parameters<typeof bench.client.updateStorageZone>) => {
      atPost = [...(await bench.undoFiles()), ...(await bench.audit())];
      return bench.client.updateStorageZone(...args);
    },
  };
  const patch = { ...REWRITE, OriginUrl: 'https://o.example/?token=canary-origin' };
  await bench.change(patch, { client });
  assert.equal(atPost.length, 2);
  assert.match(atPost[1] ?? '', /"kind":"intent"/);
  const [name = ''] = await bench.undoFiles();
  const undo = join(bench.directory, 'undo', name);
  const audit = join(bench.directory, 'audit.ndjson');
  for (const path of [undo, audit]) assert.equal(statSync(path).mode & 0o777, 0o600);
  const written = (await readFile(undo, 'utf8')) + (await readFile(audit, 'utf8'));
  assert.doesNotMatch(written, /canary/);
  for (const secret of bench.simulator.secrets) assert.ok(!written.includes(secret));
  assert.match(written, /^[\n -~]*$/);
  assert.deepEqual(JSON.parse(await readFile(undo, 'utf8')).inverse.patch, { Rewrite404To200: false });
});

test('every file that is written is fsynced, and then its directory, before the request leaves', async (t) => {
  const bench = await changing(t);
  const { fs, notes } = notingFs();
  let atPost: string[] = [];
  const client = {
    storageZone: bench.client.storageZone,
    updateStorageZone: async (...args: Parameters<typeof bench.client.updateStorageZone>) => {
      atPost = [...notes];
      return bench.client.updateStorageZone(...args);
    },
  };
  const journal = openJournal({ host: HOST, directory: bench.directory, fs });
  await bench.change(REWRITE, { client, journal });
  const written = new Set(atPost.filter((note) => note.startsWith('write ')).map((note) => note.slice(6)));
  assert.deepEqual(
    [...written].map((path) => extname(path)),
    ['.json', '.ndjson'],
  );
  for (const path of written) {
    const last = atPost.lastIndexOf(`write ${path}`);
    const synced = atPost.indexOf(`sync ${path}`, last);
    assert.ok(synced > last, `${path} is on the disk`);
    assert.ok(atPost.indexOf(`sync ${dirname(path)}`, synced) > synced, `the name of ${path} is on the disk`);
  }
  // The directories that were made on the way are names in their parents.
  assert.ok(atPost.includes(`sync ${dirname(bench.directory)}`));
});

/** What goes wrong with the POST, what the verdict must be, and whether the zone really changed. */
const AMBIGUOUS: [name: string, fault: Fault, verdict: string, changed: boolean][] = [
  ['a timeout before the server acted', { kind: 'hang' }, 'UNKNOWN', false],
  ['a timeout after the server acted', { kind: 'hangAfter' }, 'APPLIED', true],
  ['a reset before', { kind: 'reset' }, 'UNKNOWN', false],
  ['a reset after', { kind: 'resetAfter' }, 'APPLIED', true],
  ['a 500 after', { kind: 'errorAfter' }, 'APPLIED', true],
  ['a 500 instead', { kind: 'serverError' }, 'NOT APPLIED', false],
  ['a 502 page of a gateway', { kind: 'html' }, 'UNKNOWN', false],
  ['a 204 without effect', { kind: 'noContent' }, 'NOT APPLIED', false],
  ['a 200 with an error inside', { kind: 'okError' }, 'NOT APPLIED', false],
  ['a redirect', { kind: 'redirect' }, 'NOT APPLIED', false],
  ['a 401', { kind: 'unauthorized' }, 'NOT APPLIED', false],
  ['a 429', { kind: 'rateLimited', text: '1' }, 'NOT APPLIED', false],
  ['half an answer', { kind: 'truncatedLength' }, 'APPLIED', true],
  [
    'a side effect',
    { kind: 'sideEffects', text: '{"Custom404FilePath":"/x"}' },
    'APPLIED + side effects',
    true,
  ],
];

for (const [name, fault, verdict, changed] of AMBIGUOUS) {
  test(`after ${name} the verdict is ${verdict}, and the request was sent once`, async (t) => {
    const bench = await changing(t);
    await bench.simulator.setFaults([{ match: ONLY_POSTS, fault }]);
    const end = await bench.change(REWRITE);
    assert.equal(wordOf(end), verdict);
    assert.equal(bench.posts(), 1);
    assert.equal(bench.simulator.storageZone(MASTERS)?.read.Rewrite404To200, changed);
    // What may still be carried out has no verdict yet.
    assert.equal((await bench.audit()).length, verdict === 'UNKNOWN' ? 1 : 2);
  });
}

test('a change that shows a moment later is seen', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  const after = { ...seen, rewrite404To200: true };
  const answers = [seen, seen, seen, after];
  const client = {
    storageZone: async () => ({ ok: true as const, value: answers.shift() ?? after }),
    updateStorageZone: bench.client.updateStorageZone,
  };
  assert.equal(wordOf(await bench.change(REWRITE, { seen, client })), 'APPLIED');
  assert.equal(bench.posts(), 1);
});

test('where the zone cannot be read back nothing is claimed', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  // The fresh read is the first of these; the readings back are all others.
  await bench.simulator.setFaults([{ match: { method: 'GET', from: 2 }, fault: { kind: 'html' } }]);
  const end = await bench.change(REWRITE, { seen });
  assert.equal(wordOf(end), 'UNKNOWN');
  assert.equal(bench.posts(), 1);
});

test("the API's own field error comes with the verdict", async (t) => {
  const bench = await changing(t);
  const end = await bench.change({ ReplicationZones: ['NY', 'SG', 'ZZ'] });
  assert.equal(wordOf(end), 'NOT APPLIED');
  const failure = end.kind === 'verdict' ? end.verdict.failure : null;
  assert.equal(failure?.field, 'ReplicationZones');
  assert.equal(failure?.errorKey, 'storagezone.invalid_region');
  assert.match(failure?.detail ?? '', /"ZZ" is not available/);
});

test('a zone that moved since it was looked at is not touched', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  bench.simulator.changeStorageZone(MASTERS, { ReplicationZones: ['LA'] });
  const end = await bench.change(REWRITE, { seen });
  assert.equal(end.kind, 'drift');
  assert.deepEqual(end.kind === 'drift' ? end.differences[0] : null, {
    name: 'ReplicationRegions',
    before: 'NY SG',
    after: 'LA NY SG',
  });
  assert.equal(bench.posts(), 0);
  assert.deepEqual(await bench.audit(), []);
});

test('a zone that cannot be read afresh is not touched', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  await bench.simulator.setFaults([{ match: { method: 'GET' }, fault: { kind: 'html' } }]);
  assert.equal((await bench.change(REWRITE, { seen })).kind, 'unread');
  assert.equal(bench.posts(), 0);
});

test('the transport itself refuses a write in a session that may only read', async (t) => {
  const bench = await changing(t, { allowWrites: false });
  const end = await bench.change(REWRITE);
  assert.equal(wordOf(end), 'NOT APPLIED');
  assert.equal(end.kind === 'verdict' ? end.verdict.failure?.kind : '', 'readOnly');
  assert.equal(bench.posts(), 0);
});

test('whichever call to the file system fails before the request, nothing is sent', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  // A journal whose n-th call fails: the first n that lets the request out is behind all that must be durable.
  let refused = 0;
  for (let nth = 1; ; nth++) {
    const { fs } = failingFs(nth, 'ENOSPC');
    const fresh = join(bench.directory, `full-${nth}`);
    const sent = bench.posts();
    const end = await bench.change(REWRITE, {
      seen,
      journal: openJournal({ host: HOST, directory: fresh, fs }),
    });
    if (end.kind !== 'unrecorded') {
      assert.equal(bench.posts(), sent + 1);
      break;
    }
    refused += 1;
    assert.match(end.problem, /the disk is full; make room or take another directory \(ENOSPC\)/);
    assert.equal(bench.posts(), 0, `call ${nth}`);
  }
  assert.ok(refused >= 20, `${refused} calls were made to fail`);
});

test('a verdict that cannot be written is shown all the same, and its intent stays open', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  // Both journals find the same folder above them, so that both make as many calls.
  mkdirSync(bench.directory, { recursive: true });
  const counting = failingFs(0, '');
  const first = openJournal({ host: HOST, directory: join(bench.directory, 'a'), fs: counting.fs });
  const entry = {
    id: 'x',
    at: bench.clock.now(),
    zone: { id: seen.id, name: seen.name },
    before: seen,
    patch: REWRITE,
    inverse: { patch: {}, impossible: [] },
  };
  await first.intend(entry);
  const { fs } = failingFs(counting.calls() + 4, 'ENOSPC');
  const journal = openJournal({
    host: HOST,
    directory: join(bench.directory, 'b'),
    fs,
    isAlive: () => false,
  });
  const end = await bench.change(REWRITE, { seen, journal });
  assert.equal(wordOf(end), 'APPLIED');
  assert.match(end.kind === 'verdict' ? (end.unrecorded ?? '') : '', /ENOSPC/);
  assert.equal((await journal.openIntents(bench.clock.now())).length, 1);
});

test('a directory that cannot be made refuses the change', async (t) => {
  const bench = await changing(t);
  const end = await bench.change(REWRITE, {
    journal: openJournal({ host: HOST, directory: '/dev/null/edgescope' }),
  });
  assert.equal(end.kind, 'unrecorded');
  assert.equal(bench.posts(), 0);
});

test('a change that is cancelled while it is checked is never sent, and leaves no open intent', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  const stop = new AbortController();
  const journal = openJournal({ host: HOST, directory: bench.directory, isAlive: () => false });
  const cancelling: typeof journal = {
    ...journal,
    intend: async (entry) => {
      const done = await journal.intend(entry);
      stop.abort();
      return done;
    },
  };
  const end = await bench.change(REWRITE, { seen, journal: cancelling, signal: stop.signal });
  assert.equal(end.kind, 'cancelled');
  assert.equal(bench.posts(), 0);
  assert.deepEqual(await journal.openIntents(bench.clock.now()), []);
});

test('the open intent of a program that died is found, and gets its verdict from the zone as it is', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  const stop = new AbortController();
  const dying = {
    storageZone: bench.client.storageZone,
    updateStorageZone: async (...args: Parameters<typeof bench.client.updateStorageZone>) => {
      const sent = await bench.client.updateStorageZone(...args);
      stop.abort();
      return sent;
    },
  };
  await bench.change(REWRITE, { seen, client: dying, signal: stop.signal });
  const journal = openJournal({ host: HOST, directory: bench.directory, isAlive: () => false });
  const [intent, ...more] = await journal.openIntents(bench.clock.now());
  assert.ok(intent);
  assert.deepEqual(more, []);
  assert.equal(intent.zone.name, 'video-masters');
  const alive = openJournal({ host: HOST, directory: bench.directory, isAlive: () => true });
  assert.deepEqual(await alive.openIntents(bench.clock.now()), [], 'a program still at work is no dead one');
  assert.equal((await alive.openIntents(bench.clock.now() + 600_000)).length, 1);
  const elsewhere = openJournal({
    host: 'other.example.com',
    directory: bench.directory,
    isAlive: () => false,
  });
  assert.deepEqual(
    await elsewhere.openIntents(bench.clock.now()),
    [],
    'another platform is another business',
  );
  assert.deepEqual(await elsewhere.newestUndo(seen.id), { ok: true, value: null });
  const settlement = await bench.simulator.ended(
    settleIntent({ ...bench, journal }, intent, new AbortController().signal),
  );
  assert.deepEqual([settlement?.verdict.kind, settlement?.until], ['applied', null]);
  assert.deepEqual(await journal.openIntents(bench.clock.now()), []);
  assert.equal(bench.posts(), 1);
});

test('a change that was cut short is UNKNOWN and stays open while its request may still be carried out', async (t) => {
  const bench = await changing(t);
  const seen = await bench.zone();
  const { journal } = bench;
  const at = Date.now();
  const inverse = { patch: {}, impossible: [] };
  const zone = { id: seen.id, name: seen.name };
  for (const id of ['aa', 'bb'])
    await journal.intend({ id, at, zone, before: seen, patch: REWRITE, inverse });
  const dead = openJournal({ host: HOST, directory: bench.directory, isAlive: () => false });
  const settled = async (id: string, now: number) => {
    const intent = (await dead.openIntents(now)).find((each) => each.id === id);
    assert.ok(intent, `${id} is open`);
    const clock = clockWith(bench.clock, { now: () => now });
    const settlement = await settleIntent({ ...bench, journal, clock }, intent, new AbortController().signal);
    return VERDICTS[settlement?.verdict.kind ?? 'unknown'];
  };
  assert.equal(await settled('aa', at + 60_000), 'UNKNOWN');
  assert.equal(await settled('aa', at - 60_000), 'UNKNOWN', 'on a clock that was set back');
  assert.equal((await bench.audit()).length, 2, 'no verdict is written');
  bench.simulator.changeStorageZone(MASTERS, REWRITE);
  assert.equal(await settled('aa', at + 60_000), 'APPLIED');
  bench.simulator.changeStorageZone(MASTERS, { Rewrite404To200: false });
  assert.equal(await settled('bb', at + 120_000), 'NOT APPLIED');
  assert.deepEqual(await dead.openIntents(at + 120_000), []);
});

test('a change that nobody answered has its verdict once its request cannot be under way any more', async (t) => {
  const bench = await changing(t);
  await bench.simulator.setFaults([{ match: ONLY_POSTS, fault: { kind: 'reset' } }]);
  const end = await bench.change(REWRITE);
  assert.ok(end.kind === 'verdict' && end.open !== null);
  const [asItWas, until] = end.verdict.reasons;
  assert.equal(asItWas, 'the zone was read back and is as it was');
  assert.match(until ?? '', /^the request may still be carried out until 20/);
  const { journal } = bench;
  const settled = async (after: number) => {
    const clock = clockWith(bench.clock, { now: () => (end.open?.at ?? 0) + after });
    const intent = end.open as OpenIntent;
    const settling = settleIntent({ ...bench, journal, clock }, intent, new AbortController().signal);
    return (await bench.simulator.ended(settling))?.verdict;
  };
  assert.equal((await settled(80_000))?.kind, 'unknown');
  const verdict = await settled(90_000);
  assert.deepEqual(
    [verdict?.kind, verdict?.reasons],
    ['notApplied', ['the zone was read back and is as it was']],
  );
  assert.equal((await bench.audit()).length, 2);
});

test('a line torn by a full disk harms neither the lines before it nor those after it', async (t) => {
  const bench = await changing(t);
  await bench.change(REWRITE);
  const { appendFile } = await import('node:fs/promises');
  await appendFile(join(bench.directory, 'audit.ndjson'), '{"kind":"intent","id":"to');
  await bench.change({ Rewrite404To200: false });
  const journal = openJournal({ host: HOST, directory: bench.directory, isAlive: () => false });
  assert.deepEqual(await journal.openIntents(bench.clock.now()), []);
  assert.equal((await bench.audit()).length, 5);
});
