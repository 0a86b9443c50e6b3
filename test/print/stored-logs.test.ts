import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
  const logs = (from: number, to: number, ...more: string[]) =>
    printed(['logs', name, '--from', iso(from), '--to', iso(to), ...more], {}, spool);
  return { sim, zone, logs, ids: (from: number, to: number) => idsOf(sim, zone.id, from, to) };
}

const rowsOf = (out: string) => objectsOf(out).filter((row) => row['_gap'] === undefined);
const gapsOf = (out: string) =>
  objectsOf(out).flatMap(({ _gap }) => (_gap === undefined ? [] : [_gap as Record<string, unknown>]));

test('a window that the logging API keeps no more comes from the stored files: each row once, in order of time', async () => {
  const { logs, ids } = scene({}, 'checkout');
  const [from, to] = [OLD_DAY + 12.8 * HOUR, OLD_DAY + 13.5 * HOUR];
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
    /STORED FILES: [4-9] parts of checkout, [\d.]+[KM]; completeness is not promised by the platform/,
  );
  assert.match(err, /rows? of stored files came twice and (is|are) there once/);
  assert.deepEqual(gapsOf(out), []);
  assert.deepEqual(readdirSync(spool), []);
  assert.ok(!`${out}${err}`.includes('canary-'));
});
