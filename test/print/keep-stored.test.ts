import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Printer } from '../../src/print/printer.ts';
import { notedGaps } from '../../src/store/coverage.ts';
import type { PlatformOptions } from '../support/platform.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, idsOf, MINUTE } from './support.ts';

const HOUR = 60 * MINUTE;
const OLD_DAY = Date.UTC(2026, 10, 14);
const spool = mkdtempSync(join(tmpdir(), 'parts-'));
after(() => rmSync(spool, { recursive: true }));

function scene(name: string, o: PlatformOptions = {}) {
  const { sim, printed } = bench({ rate: 40, ...o });
  const zone = sim.zones.find((each) => each.name === name);
  assert.ok(zone);
  const store = new MemoryStore();
  const keep = async (from: number, to: number, more: Partial<Printer> = {}) => {
    const args = ['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()];
    const history = async () => ({ ok: true, value: store.open }) as const;
    const result = await printed(['keep', '--stored', name, ...args], { history, ...more }, spool);
    assert.ok(!JSON.stringify(result).includes('canary-'));
    assert.deepEqual(readdirSync(spool), []);
    return result;
  };
  const stored = () => [...store.rows.values()].map(({ requestId }) => String(requestId)).toSorted();
  return {
    sim,
    id: String(zone.id),
    store,
    keep,
    stored,
    truth: (from: number, to: number) => idsOf(sim, zone.id, from, to).toSorted(),
  };
}

test('what the platform stores is loaded into a store: each row of the time once, however often it is asked for', async () => {
  const { id, store, keep, stored, truth } = scene('staging-shop');
  const [from, to] = [OLD_DAY + 5 * HOUR, OLD_DAY + 31 * HOUR];
  const { code, err } = await keep(from, to);
  assert.equal(code, 0);
  assert.match(err, /STORED FILES: \d+ parts of staging-shop, \S+; completeness is not promised/);
  assert.deepEqual(stored(), truth(from, to));
  const rows = truth(from, to).length.toLocaleString('en-US');
  assert.ok(err.includes(`the store main has ${rows} of their zones and time, each once`), err);
  const again = await keep(from, to);
  assert.deepEqual(stored(), truth(from, to));
  // The files at the edges of the time, of which other rows may be wanted another time.
  assert.match(again.err, /\d+ stored files are in the store and not read again/);
  assert.equal(again.requests.filter(({ path }) => path.endsWith('.gzip')).length, 8);
  const gaps = notedGaps(store.notes, id, { from, to });
  assert.deepEqual(
    [...new Set(gaps.map(({ reason }) => reason))],
    ['imported'],
    'the platform promises nothing',
  );
  assert.equal(gaps[0]?.from, from);
});

test('an import that is interrupted goes on with the files that are not in the store yet, and nothing is lost', async () => {
  const { store, keep, stored, truth } = scene('checkout');
  const [from, to] = [OLD_DAY + HOUR, OLD_DAY + 9 * HOUR];
  const ends: ((code: number) => void)[] = [];
  const { put } = await store.open();
  const open = store.open;
  let puts = 0;
  const interrupted = await keep(from, to, {
    onEnd: (callback) => void ends.push(callback),
    history: async () => ({
      ok: true,
      value: async () => ({
        ...(await open()),
        async put(rows) {
          await put(rows);
          puts += 1;
          if (puts === 6) for (const end of ends) end(130);
        },
      }),
    }),
  });
  assert.equal(interrupted.code, 130);
  assert.match(
    interrupted.err,
    /interrupted: the store main confirmed [\d,]+ rows.*the same command goes on/s,
  );
  assert.ok(stored().length < truth(from, to).length);
  const rest = await keep(from, to);
  assert.match(rest.err, /\d stored files? (is|are) in the store and not read again/);
  assert.deepEqual(stored(), truth(from, to));
});

test('a file that was dropped from the store since is loaded again', async () => {
  const { store, keep } = scene('staging-shop');
  const [from, to] = [OLD_DAY, OLD_DAY + 12 * HOUR];
  await keep(from, to);
  const loaded = store.notes.filter(({ zone }) => zone.startsWith('file ')).length;
  const { mark } = store.notes[0] as { mark: number };
  store.notes.push({ zone: '', from: 0, to: OLD_DAY + 5 * HOUR, state: 'retention', missing: null, mark });
  const { err } = await keep(from, to);
  const left = Number(/(\d+) stored files are in the store/.exec(err)?.[1]);
  assert.ok(left > 0 && left < loaded, err);
  // One that is longer than it was is another.
  for (const note of store.notes) if (note.missing !== null) note.missing -= 1;
  assert.ok(!(await keep(from, to)).err.includes('not read again'));
});

test('a part that cannot be read is told, with the code of a failure, and the others are loaded', async () => {
  const { id, store, keep, stored, truth } = scene('staging-shop', {
    faults: [{ match: { host: 'storage', path: /_104-2-/ }, fault: { kind: 'fileGone' } }],
  });
  const [from, to] = [OLD_DAY, OLD_DAY + 9 * HOUR];
  const { code, err } = await keep(from, to);
  assert.equal(code, 1);
  assert.match(err, /GAP stored file 14_104-2-\S+/);
  const reasons = notedGaps(store.notes, id, { from, to }).map(({ reason }) => reason);
  assert.deepEqual(
    [...new Set(reasons)].sort(),
    ['imported', 'notRead'],
    'what the lost part may hold is not here',
  );
  assert.ok(stored().length > 100 && stored().length < truth(from, to).length);
});

test('of a part that is cut off no half line is loaded, and it is read again the next time', async () => {
  const { keep, stored, truth } = scene('staging-shop', {
    faults: [
      { match: { host: 'storage', path: /\/$/ }, fault: { kind: 'cutLengths', share: 0.1 } },
      { match: { host: 'storage', path: /gzip$/ }, fault: { kind: 'cutFile', share: 0.1 } },
    ],
  });
  const [from, to] = [OLD_DAY, OLD_DAY + 9 * HOUR];
  const { code, err } = await keep(from, to);
  assert.equal(code, 1);
  assert.match(err, /GAP stored file \S+ and \d+ others: is cut off/);
  const all = new Set(truth(from, to));
  assert.ok(stored().length > 20 && stored().every((id) => all.has(id)));
  assert.ok(!(await keep(from, to)).err.includes('not read again'));
});

test('a zone that keeps none, and no store, are told', async () => {
  const { keep } = scene('docs-site');
  const { code, err } = await keep(OLD_DAY, OLD_DAY + HOUR);
  assert.equal(code, 1);
  assert.match(err, /docs-site keeps no log in storage\.\s+Switch on Permanent Log Storage/);
  const without = await keep(OLD_DAY, OLD_DAY + HOUR, { history: async () => null });
  assert.equal(without.code, 2);
});
