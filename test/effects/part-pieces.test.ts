import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PartReader } from '../../src/effects/saved/part-pieces.ts';
import { systemClock } from '../../src/time/clock.ts';

const FROM = Date.UTC(2026, 10, 14);
const COUNT = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'pieces-'));
after(() => rmSync(folder, { recursive: true }));

/** A line each second; each hundredth is five minutes late, and each thousandth has no known shape. */
const timeOf = (n: number) => FROM + n * 1_000 - (n % 100 === 99 ? 300_000 : 0);
const lines = Array.from({ length: COUNT }, (_, n) =>
  n % 1000 === 500
    ? 'what is this'
    : `HIT|200|${timeOf(n)}|${100 + n}|1284438|192.0.2.1|-|https://a.example/${'p'.repeat(100)}/${n}|DE|agent|${n.toString(16).padStart(32, '0')}|DE`,
);

for (const threads of [0, Number.POSITIVE_INFINITY])
  test(`the rows of any time of a part are found in its pieces, ${threads === 0 ? 'by threads' : 'here'}`, async () => {
    const path = join(folder, `part-${threads}`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    const handle = await open(path, 'r');
    const { size } = await handle.stat();
    const reader = new PartReader(systemClock, threads);
    const { signal } = new AbortController();
    const part = await reader.index({ handle, size, trouble: null }, signal);
    assert.ok(part.pieces.length > 3);
    assert.equal(
      part.pieces.reduce((sum, { rows }) => sum + rows, 0),
      COUNT,
    );
    assert.equal(part.timeless, 0);
    const range = { from: FROM + 7_000_000, to: FROM + 9_000_000 };
    const near = part.pieces.filter(({ min, max }) => min < range.to && max >= range.from);
    assert.ok(near.length < part.pieces.length);
    const records = await reader.rowsOf(part, near, range, signal);
    const wanted = lines.flatMap((line, n) => {
      // A line without a time has that of the row before it.
      const time = line.startsWith('HIT') ? timeOf(n) : timeOf(n - 1);
      return time >= range.from && time < range.to ? [time] : [];
    });
    assert.deepEqual(
      records.map(({ timestamp }) => timestamp),
      wanted,
    );
    await reader.close();
    await handle.close();
  });
