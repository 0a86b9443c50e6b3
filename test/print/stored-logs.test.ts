import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { PlatformOptions } from '../support/platform.ts';
import { bench, idsOf, MINUTE, objectsOf } from './support.ts';

const HOUR = 60 * MINUTE;
/** Five days before: a UTC midnight. */
const OLD_DAY = Date.UTC(2026, 10, 14);
const spool = mkdtempSync(join(tmpdir(), 'parts-'));
after(() => rmSync(spool, { recursive: true }));

const iso = (time: number) => new Date(time).toISOString();

function scene(o: PlatformOptions = {}, name = 'staging-shop') {
  const { sim, printed } = bench({ rate: 40, ...o });
  const zone = sim.zones.find((each) => each.name === name);
  assert.ok(zone);
  const logs = async (from: number, to: number, ...more: string[]) => {
    const result = await printed(['logs', name, '--from', iso(from), '--to', iso(to), ...more], {}, spool);
    // Passwords and keys of the simulator begin so.
    assert.ok(!JSON.stringify(result).includes('canary-'));
    return result;
  };
  return { sim, zone, printed, logs, ids: (from: number, to: number) => idsOf(sim, zone.id, from, to) };
}

const rowsOf = (out: string) => objectsOf(out).filter((row) => row['_gap'] === undefined);
const gapsOf = (out: string) =>
  objectsOf(out).flatMap(({ _gap }) => (_gap === undefined ? [] : [_gap as Record<string, unknown>]));

test('a window that the logging API keeps no more comes from the stored files: each row once, in order of time', async () => {
  const { logs, ids } = scene({}, 'checkout');
  const [from, to] = [OLD_DAY + 11 * HOUR, OLD_DAY + 14.5 * HOUR];
  const { code, out, err } = await logs(from, to);
  assert.equal(code, 0, err);
  const rows = rowsOf(out);
  const times = rows.map((row) => Date.parse(String(row['timestamp'])));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  const got = rows.map((row) => String(row['requestId']));
  assert.ok(got.length > 1_000);
  assert.deepEqual(got.toSorted(), ids(from, to).toSorted());
  assert.match(
    err,
    /STORED FILES: 7 parts of checkout, [\d.]+[KM]; completeness is not promised by the platform/,
  );
  assert.match(err, /rows? of stored files came twice and (is|are) there once/);
  assert.deepEqual(gapsOf(out), []);
  assert.deepEqual(readdirSync(spool), []);
});

test('where the logging API goes on, its rows follow: each moment is of one of them', async () => {
  const { sim, logs, ids } = scene();
  const now = Math.floor(sim.clock.now());
  const [from, to] = [now - 75 * HOUR, now - 70 * HOUR];
  const { code, out, err } = await logs(from, to);
  assert.equal(code, 0, err);
  const rows = rowsOf(out).map((row) => String(row['requestId']));
  assert.deepEqual(rows.toSorted(), ids(from, to).toSorted());
  assert.match(err, /STORED FILES: \d+ parts of staging-shop/);
});

test('a window of seconds that is older than what is kept comes from stored files, too', async () => {
  const { logs, ids } = scene({}, 'checkout');
  const [from, to] = [OLD_DAY + 12 * HOUR, OLD_DAY + 12 * HOUR + MINUTE / 2];
  const { code, out } = await logs(from, to);
  assert.equal(code, 0);
  const rows = rowsOf(out).map((row) => String(row['requestId']));
  assert.ok(rows.length > 0);
  assert.deepEqual(rows.toSorted(), ids(from, to).toSorted());
});

test('a window of just what is kept asks for no stored file', async () => {
  const { printed } = scene();
  const { err, requests } = await printed(['logs', 'staging-shop', 'last:3d'], {}, spool);
  assert.ok(!err.includes('STORED FILES'));
  assert.ok(requests.every(({ host }) => !host.startsWith('storage')));
});

test('terms, groups and limits are decided over the rows of stored files as over all others', async () => {
  const { logs, sim, zone } = scene();
  const [from, to] = [OLD_DAY + 20 * HOUR, OLD_DAY + 26 * HOUR];
  const truth = sim.truth(zone.id, from, to).filter(({ entry }) => Number(entry.statusCode) >= 300);
  const some = await logs(from, to, '-status:2xx');
  assert.equal(rowsOf(some.out).length, truth.length);
  const groups = await logs(from, to, 'by:status');
  const counts = objectsOf(groups.out).reduce((sum, row) => sum + Number(row['count'] ?? 0), 0);
  assert.equal(counts, sim.truth(zone.id, from, to).length);
  const few = await logs(from, to, '--limit', '3');
  assert.equal(rowsOf(few.out).length, 3);
  assert.match(few.err, /stopped after 3 rows/);
  assert.deepEqual(readdirSync(spool), []);
});

test('several zones are one log, and one that keeps none says what to do and is a gap', async () => {
  const { sim, printed } = scene();
  const [from, to] = [OLD_DAY + 3 * HOUR, OLD_DAY + 3.2 * HOUR];
  const idOf = (name: string) => String(sim.zones.find((each) => each.name === name)?.id);
  const args = ['--from', iso(from), '--to', iso(to)];
  const { code, out, err } = await printed(['logs', 'staging-shop,checkout,docs-site', ...args], {}, spool);
  assert.equal(code, 0);
  const wanted = ['staging-shop', 'checkout'].flatMap((name) => idsOf(sim, idOf(name), from, to));
  assert.deepEqual(
    rowsOf(out)
      .map((row) => String(row['requestId']))
      .toSorted(),
    wanted.toSorted(),
  );
  assert.match(err, /STORED FILES: \d+ parts of checkout/);
  assert.match(
    err,
    /docs-site keeps no log in storage\.\s+Switch on Permanent Log Storage .* edgescope keep/,
  );
  assert.deepEqual(
    gapsOf(out).map(({ zone, reason }) => [String(zone), reason]),
    [[idOf('docs-site'), 'retention']],
  );
});

test('a zone that keeps none is told what to do, and its window is as ever', async () => {
  const { logs } = scene({}, 'docs-site');
  const { code, err } = await logs(OLD_DAY, OLD_DAY + HOUR);
  assert.equal(code, 1);
  assert.match(err, /docs-site keeps no log in storage\.\s+Switch on Permanent Log Storage/);
  assert.match(err, /does not answer for this time window/);
});

/** Lines of the parts that are named, of 24 hours in which each is whole. */
async function faulty(plan: PlatformOptions['faults'], ...more: string[]) {
  const { logs, ids } = scene({ faults: plan ?? [] });
  const [from, to] = [OLD_DAY + 2.5 * HOUR, OLD_DAY + 7.5 * HOUR];
  const result = await logs(from, to, ...more);
  const rows = rowsOf(result.out);
  const all = new Set(ids(from, to));
  const got = new Set(rows.map((row) => String(row['requestId'])));
  assert.ok([...got].every((id) => all.has(id)) && rows.every((row) => row['_raw'] === undefined));
  const missing = [...all].filter((id) => !got.has(id));
  return { ...result, gaps: gapsOf(result.out), missing, all, from, to };
}

/** Whether each row that is missing lies in a gap. */
function areCovered(gaps: readonly Record<string, unknown>[], times: readonly number[]): boolean {
  const spans = gaps.map(({ from, to }) => [Date.parse(String(from)), Date.parse(String(to))] as const);
  return times.every((time) => spans.some(([from, to]) => time >= from && time < to));
}

const PART = /_104-2-[0-9a-f]{8}\.gzip$/;

test('a part that is cut off is read as far as it goes, and the rest of its time is a gap with its reason', async () => {
  const { sim } = scene();
  const { code, err, gaps, missing, from, to } = await faulty([
    { match: { host: 'storage', path: /\/$/ }, fault: { kind: 'cutLengths', share: 0.1 } },
    { match: { host: 'storage', path: PART }, fault: { kind: 'cutFile', share: 0.1 } },
  ]);
  assert.equal(code, 1);
  assert.match(err, /GAP stored file 14_104-2-[0-9a-f]{8}\.gzip: is cut off/);
  assert.ok(missing.length > 10);
  assert.deepEqual([...new Set(gaps.map(({ reason }) => reason))], ['failed']);
  const zone = sim.zones.find(({ name }) => name === 'staging-shop');
  const times = sim
    .truth(zone?.id ?? 0, from, to)
    .filter(({ entry }) => missing.includes(entry.requestId))
    .map(({ entry }) => Date.parse(entry.timestamp));
  assert.equal(times.length, missing.length);
  assert.ok(areCovered(gaps, times));
  // What comes after the part is there.
  assert.ok(Math.max(...times) < OLD_DAY + 6.1 * HOUR);
});

test('fewer bytes than the list has are fetched again, and are never taken for the file', async () => {
  const whole = await faulty([
    { match: { host: 'storage', path: PART, nth: 1 }, fault: { kind: 'cutFile' } },
  ]);
  assert.deepEqual([whole.code, whole.gaps, whole.missing], [0, [], []]);
  const never = await faulty([{ match: { host: 'storage', path: PART }, fault: { kind: 'cutFile' } }]);
  assert.equal(never.code, 1);
  assert.match(never.err, /GAP stored file 14_104-2-\S+: The connection to \S+ broke in the middle/);
  assert.ok(never.missing.length > 10 && never.gaps.length === 1);
});

test('a connection that breaks in a part is made again', async () => {
  const { code, gaps, missing } = await faulty([
    { match: { host: 'storage', path: PART, nth: [1, 2] }, fault: { kind: 'truncatedLength' } },
  ]);
  assert.deepEqual([code, gaps, missing], [0, [], []]);
});

test('a part that has gone since the list costs its own rows', async () => {
  const { code, err, gaps, missing } = await faulty([
    { match: { host: 'storage', path: PART }, fault: { kind: 'fileGone' } },
  ]);
  assert.equal(code, 1);
  assert.match(err, /GAP stored file 14_104-2-\S+: \S+ does not know this \(HTTP 404\)/);
  assert.ok(missing.length > 10);
  assert.deepEqual(
    gaps.map(({ reason }) => reason),
    ['refused'],
  );
});

test('a password that is refused is told once, whether at the list or in the middle, and all else is a gap', async () => {
  const atList = await faulty([{ match: { host: 'storage' }, fault: { kind: 'wrongPassword' } }]);
  assert.equal(atList.code, 3);
  assert.match(atList.err, /STORED FILES of staging-shop were not read: \S+ refused the password/);
  assert.deepEqual(atList.gaps.length, 1);
  assert.equal(atList.missing.length, atList.all.size);
  const inside = await faulty([
    { match: { host: 'storage', path: /gzip$/, from: 4 }, fault: { kind: 'wrongPassword' } },
  ]);
  assert.equal(inside.code, 3);
  assert.match(inside.err, /edgescope: \S+ refused the password of the storage zone \(HTTP 401\)/);
  assert.ok(inside.missing.length > 0 && inside.missing.length < inside.all.size);
});

test('a folder that is not there, as a 404 or as an empty list, leaves its days as a gap', async () => {
  const { logs } = scene({ faults: [{ match: { host: 'storage' }, fault: { kind: 'noFolder' } }] });
  const missing = await logs(OLD_DAY, OLD_DAY + HOUR);
  const long = Date.UTC(2026, 8, 3);
  const { logs: sound } = scene();
  const empty = await sound(long, long + HOUR);
  for (const { code, err, out } of [missing, empty]) {
    assert.equal(code, 0);
    assert.match(err, /STORED FILES: 0 parts of staging-shop, 0/);
    assert.deepEqual(
      gapsOf(out).map(({ reason }) => reason),
      ['notRead'],
    );
  }
});

test('an interrupt ends it, and leaves no file behind', async () => {
  const { printed } = scene({}, 'checkout');
  const ends: ((code: number) => void)[] = [];
  let out = '';
  const args = ['logs', 'checkout', '--from', iso(OLD_DAY + 3 * HOUR), '--to', iso(OLD_DAY + 9 * HOUR)];
  const { code, err } = await printed(
    args,
    {
      onEnd: (callback) => void ends.push(callback),
      write: async (text) => {
        out += text;
        if (out.length > 200_000) for (const end of ends) end(130);
      },
    },
    spool,
  );
  assert.equal(code, 130);
  assert.match(err, /interrupted; everything before \S+ is printed/);
  assert.deepEqual(readdirSync(spool), []);
});

test('a disk that takes no part is told in words', async () => {
  const taken = join(spool, 'file');
  writeFileSync(taken, '');
  const { printed } = scene();
  const args = ['logs', 'staging-shop', '--from', iso(OLD_DAY), '--to', iso(OLD_DAY + HOUR)];
  const { code, err, out } = await printed(args, {}, taken);
  rmSync(taken);
  assert.equal(code, 1);
  assert.match(err, /a part cannot be put down in \S+: /);
  assert.equal(gapsOf(out).length, 1);
});

test('a question about an older window is asked of the stored files, and says that nobody promises them to be complete', async () => {
  const { printed } = scene();
  const args = ['--from', iso(OLD_DAY + 3 * HOUR), '--to', iso(OLD_DAY + 4 * HOUR), '--format', 'table'];
  const { code, out, err } = await printed(['ask', 'compare', 'staging-shop', ...args], {}, spool);
  assert.equal(code, 0, err);
  assert.match(err, /STORED FILES: \d+ parts of staging-shop/);
  assert.match(err, /12 requests to stored files/);
  assert.match(
    out,
    /all of this window read, .*; stored files: completeness is not promised by the platform/,
  );
});

test('a file that is empty, one of plain lines and one of none, and a name that is no part', async () => {
  const at = { host: 'storage', path: PART } as const;
  const empty = await faulty([
    { match: { host: 'storage', path: /\/$/ }, fault: { kind: 'cutLengths', share: 0 } },
    { match: at, fault: { kind: 'cutFile', share: 0 } },
  ]);
  assert.equal(empty.code, 1);
  assert.match(empty.err, /GAP stored file 14_104-2-\S+: is empty/);
  assert.equal(empty.gaps.length, 1);
  const plain = await faulty([{ match: at, fault: { kind: 'plainFile' } }]);
  assert.deepEqual([plain.code, plain.gaps, plain.missing], [0, [], []]);
  const strange = await faulty([{ match: at, fault: { kind: 'strangeFile' } }]);
  assert.equal(strange.code, 1);
  assert.match(strange.err, /GAP stored file 14_104-2-\S+: [\d,]+ lines of it are of no known shape/);
  assert.ok(strange.missing.length > 10 && strange.gaps.length === 1);
  const odd = await faulty([{ match: { host: 'storage', path: /\/$/ }, fault: { kind: 'oddNames' } }]);
  assert.deepEqual([odd.code, odd.gaps, odd.missing], [0, [], []]);
  assert.ok(!odd.err.includes('\u001b'));
});

test('a list that is no list is told, and no file is asked for', async () => {
  const { code, err, gaps, missing, all, requests } = await faulty([
    { match: { host: 'storage', path: /\/$/ }, fault: { kind: 'noList' } },
  ]);
  assert.equal(code, 1);
  assert.match(err, /STORED FILES of staging-shop were not read: The answer of \S+ is not what/);
  assert.equal(missing.length, all.size);
  assert.equal(gaps.length, 1);
  assert.ok(requests.every(({ path }) => !path.endsWith('.gzip')));
});
