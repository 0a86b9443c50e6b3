import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { isLacking } from '../../src/domain/tail/coverage.ts';
import type { Printer } from '../../src/print/printer.ts';
import { notedGaps } from '../../src/store/noted-coverage.ts';
import type { PlatformOptions } from '../support/platform.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, idsOf, MINUTE } from './support.ts';

const HOUR = 60 * MINUTE;
const OLD_DAY = Date.UTC(2026, 10, 14);
const spool = mkdtempSync(join(tmpdir(), 'parts-'));
after(() => rmSync(spool, { recursive: true }));

function scene(name: string, o: PlatformOptions = {}) {
  const { sim, printed } = bench(o);
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
  const stored = () => [...store.rows.values()].map(({ id }) => id).toSorted();
  return {
    sim,
    printed,
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
  const gaps = notedGaps(store.notes, [id], { from, to });
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
  const reasons = notedGaps(store.notes, [id], { from, to }).map(({ reason }) => reason);
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

const PART = /_104-2-[0-9a-f]{8}\.gzip$/;
const LIST = { host: 'storage', path: /\/$/ } as const;
const OF_PART = { host: 'storage', path: PART } as const;

/** Nine hours of a zone, some of whose parts are not as they should be; `covered`: whether each row that is missing lies in a gap. */
async function faulty(faults: NonNullable<PlatformOptions['faults']>) {
  const { sim, id, store, keep, stored, truth } = scene('staging-shop', { faults });
  const [from, to] = [OLD_DAY, OLD_DAY + 9 * HOUR];
  const result = await keep(from, to);
  const [all, got] = [new Set(truth(from, to)), new Set(stored())];
  assert.ok([...got].every((each) => all.has(each)));
  const gaps = notedGaps(store.notes, [id], { from, to }).filter(isLacking);
  const lost = sim.truth(id, from, to).filter(({ entry }) => !got.has(entry.requestId));
  const covered = lost.every(({ entry }) => {
    const time = Date.parse(entry.timestamp);
    return gaps.some((gap) => gap.from <= time && time < gap.to);
  });
  return { ...result, missing: lost.length, all: all.size, covered };
}

test('fewer bytes than the list has are fetched again, and are never taken for the file', async () => {
  const whole = await faulty([{ match: { ...OF_PART, nth: 1 }, fault: { kind: 'cutFile' } }]);
  assert.deepEqual([whole.code, whole.missing], [0, 0]);
  const never = await faulty([{ match: OF_PART, fault: { kind: 'cutFile' } }]);
  assert.equal(never.code, 1);
  assert.match(never.err, /GAP stored file 14_104-2-\S+: The connection to \S+ broke in the middle/);
  assert.ok(never.missing > 10 && never.missing < never.all && never.covered);
});

test('a connection that breaks in a part is made again', async () => {
  const { code, missing } = await faulty([
    { match: { ...OF_PART, nth: [1, 2] }, fault: { kind: 'truncatedLength' } },
  ]);
  assert.deepEqual([code, missing], [0, 0]);
});

test('a password that is refused is told once, whether at the list or in the middle', async () => {
  const atList = await faulty([{ match: { host: 'storage' }, fault: { kind: 'wrongPassword' } }]);
  assert.equal(atList.code, 3);
  assert.match(atList.err, /STORED FILES of staging-shop were not read: \S+ refused the password/);
  assert.equal(atList.missing, atList.all);
  const inside = await faulty([
    { match: { host: 'storage', path: /gzip$/, from: 4 }, fault: { kind: 'wrongPassword' } },
  ]);
  assert.equal(inside.code, 3);
  assert.match(inside.err, /\d stored files? (was|were) not read: \S+ refused the password/);
  assert.ok(inside.missing > 0 && inside.missing < inside.all);
});

test('a folder that is not there has no part, as one without any', async () => {
  const missing = await faulty([{ match: { host: 'storage' }, fault: { kind: 'noFolder' } }]);
  const { keep } = scene('staging-shop');
  const long = Date.UTC(2026, 8, 3);
  for (const { code, err } of [missing, await keep(long, long + HOUR)]) {
    assert.equal(code, 0);
    assert.match(err, /STORED FILES: 0 parts of staging-shop, 0/);
  }
});

test('a file that is empty, one of plain lines and one of none, and a name that is no part', async () => {
  const empty = await faulty([
    { match: LIST, fault: { kind: 'cutLengths', share: 0 } },
    { match: OF_PART, fault: { kind: 'cutFile', share: 0 } },
  ]);
  assert.equal(empty.code, 1);
  assert.match(empty.err, /GAP stored file 14_104-2-\S+: is empty/);
  assert.ok(empty.covered);
  const plain = await faulty([{ match: OF_PART, fault: { kind: 'plainFile' } }]);
  assert.deepEqual([plain.code, plain.missing], [0, 0]);
  const strange = await faulty([{ match: OF_PART, fault: { kind: 'strangeFile' } }]);
  assert.equal(strange.code, 1);
  assert.match(strange.err, /GAP stored file 14_104-2-\S+: [\d,]+ lines of it are of no known shape/);
  assert.ok(strange.missing > 10 && strange.covered);
  const odd = await faulty([{ match: LIST, fault: { kind: 'oddNames' } }]);
  assert.deepEqual([odd.code, odd.missing], [0, 0]);
  assert.ok(!odd.err.includes('\u001b'));
});

test('a list that is no list is told, and no file is asked for', async () => {
  const { code, err, missing, all, requests } = await faulty([{ match: LIST, fault: { kind: 'noList' } }]);
  assert.equal(code, 1);
  assert.match(err, /STORED FILES of staging-shop were not read: The answer of \S+ is not what/);
  assert.equal(missing, all);
  assert.ok(requests.every(({ path }) => !path.endsWith('.gzip')));
});

test('a disk that takes no part is told in words', async () => {
  const taken = join(spool, 'file');
  writeFileSync(taken, '');
  const { store, printed } = scene('staging-shop');
  const args = ['--from', '2026-11-14', '--to', '2026-11-15'];
  const history = async () => ({ ok: true, value: store.open }) as const;
  const { code, err } = await printed(['keep', '--stored', 'staging-shop', ...args], { history }, taken);
  rmSync(taken);
  assert.equal(code, 1);
  assert.match(err, /a part cannot be put down in \S+: /);
});

test('a zone that keeps none, and no store, are told', async () => {
  const { keep } = scene('docs-site');
  const { code, err } = await keep(OLD_DAY, OLD_DAY + HOUR);
  assert.equal(code, 1);
  assert.match(err, /docs-site keeps no log in storage\.\s+Switch on Permanent Log Storage/);
  const without = await keep(OLD_DAY, OLD_DAY + HOUR, { history: async () => null });
  assert.equal(without.code, 2);
});

test('the stored files of more zones than can be read as one log are loaded', async () => {
  const { printed, store } = scene('staging-shop', { zones: 130 });
  const [from, to] = [OLD_DAY + 5 * HOUR, OLD_DAY + 6 * HOUR].map((time) => new Date(time).toISOString());
  const history = async () => ({ ok: true, value: store.open }) as const;
  const { err } = await printed(
    ['keep', '--stored', '*', '--from', from ?? '', '--to', to ?? ''],
    { history },
    spool,
  );
  assert.match(err, /STORED FILES: \d+ parts? of staging-shop/);
  assert.ok(store.rows.size > 0, err);
});
