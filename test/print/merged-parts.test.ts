import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { WindowPart } from '../../src/effects/read-window.ts';
import { mergedParts, type PrintedPart } from '../../src/print/logs/merged-parts.ts';
import { recordOf } from '../effects/support/model-rows.ts';
import { fc, runs } from '../support/properties.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const START = Date.UTC(2026, 0, 10);

/** Rows at these times, ms from the start; the path of each says whose it is. */
function part(zone: string, from: number, to: number, times: readonly number[]): WindowPart {
  const records = times.map((at) => ({ ...recordOf(START + at, null, `/${zone}`), pullZoneId: zone }));
  return { range: { from: START + from, to: START + to }, records, gap: null, failure: null };
}

function lost(from: number, to: number, reason: 'failed' | 'overflow'): WindowPart {
  const range = { from: START + from, to: START + to };
  const gap = { ...range, id: 'g', reason, rows: null };
  return { range, records: [], gap, failure: reason === 'failed' ? failureOf('serverError') : null };
}

async function* after(clock: VirtualClock, parts: readonly (readonly [number, WindowPart])[]) {
  for (const [ms, each] of parts) {
    await clock.sleep(ms);
    yield each;
  }
}

const zoneOf = (id: string) => ({ id, name: `zone-${id}` });
const told = (parts: readonly PrintedPart[]) =>
  parts.flatMap(({ records }) => records.map(({ timestamp, path }) => `${timestamp - START}${path}`));

/** What is handed on, and when, ms from the start. */
async function merged(
  zones: Record<string, readonly (readonly [number, WindowPart])[]>,
  patience: number | null = null,
) {
  const clock = new VirtualClock({ real: START });
  const parts: (PrintedPart & { at: number })[] = [];
  const streams = Object.entries(zones).map(([id, each]) => ({
    zone: zoneOf(id),
    parts: after(clock, each),
  }));
  const running = (async () => {
    for await (const each of mergedParts(streams, patience === null ? null : { clock, ms: patience }))
      parts.push({ ...each, at: clock.real - START });
  })();
  await clock.run(START + 100_000);
  await running;
  assert.equal(clock.pending, 0, 'a timer is left');
  return parts;
}

test('rows of several zones come in one order of time, however their parts are cut', async () => {
  const cutsArb = fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 5 });
  const zoneArb = fc.record({
    cuts: cutsArb,
    times: fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 20 }),
    delays: fc.array(fc.nat(3_000), { minLength: 6, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(zoneArb, { minLength: 1, maxLength: 4 }), async (zones) => {
      const streams = zones.map(({ cuts, times, delays }, zone) => {
        const edges = [0, ...new Set(cuts.toSorted((a, b) => a - b)), 100];
        return edges.slice(1).map((to, at): [number, WindowPart] => {
          const from = edges[at] ?? 0;
          const inside = times.filter((time) => time >= from && time < to).toSorted((a, b) => a - b);
          return [delays[at] ?? 0, part(String(zone), from, to, inside)];
        });
      });
      const parts = await merged(Object.fromEntries(streams.entries()));
      const records = parts.flatMap((each) => each.records);
      const times = records.map(({ timestamp }) => timestamp);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      for (const [zone, { times: own }] of zones.entries()) {
        const shown = records.filter(({ pullZoneId }) => pullZoneId === String(zone));
        assert.deepEqual(
          shown.map(({ timestamp }) => timestamp - START),
          own.toSorted((a, b) => a - b),
        );
      }
      for (const { range, records: rows } of parts)
        assert.ok(
          rows.every(({ timestamp }) => timestamp < range.to),
          'a row behind the end of its part',
        );
      assert.equal(parts.at(-1)?.range.to, START + 100);
    }),
    { numRuns: runs(150) },
  );
});

test('a zone that fails is told in its place in time with its gap, and the others go on', async () => {
  const parts = await merged({
    a: [
      [0, part('a', 0, 50, [10, 40])],
      [0, part('a', 50, 100, [60])],
    ],
    b: [
      [0, part('b', 0, 20, [5])],
      [0, lost(20, 100, 'failed')],
    ],
  });
  assert.deepEqual(told(parts), ['5/b', '10/a', '40/a', '60/a']);
  const failing = parts.filter(({ failures }) => failures.length > 0);
  assert.deepEqual(
    failing.map(({ range, gaps, failures }) => [range.to - START, gaps[0]?.zone, failures[0]?.zone]),
    [[20, 'b', 'zone-b']],
  );
});

test('a gap that is read over stands behind the rows of its time', async () => {
  const parts = await merged({
    a: [
      [0, lost(0, 30, 'overflow')],
      [0, part('a', 30, 100, [90])],
    ],
    b: [[0, part('b', 0, 100, [10, 35])]],
  });
  const at = parts.findIndex(({ gaps }) => gaps.length > 0);
  assert.deepEqual(told(parts.slice(0, at + 1)), ['10/b']);
  assert.equal(parts[at]?.gaps[0]?.zone, 'a');
});

test('without patience a slow zone is waited for; with it the others go on, and what it brings follows', async () => {
  const zones = {
    a: [
      [0, part('a', 0, 50, [10])],
      [0, part('a', 50, 100, [60])],
    ],
    b: [
      [30_000, part('b', 0, 70, [5, 65])],
      [0, part('b', 70, 100, [80])],
    ],
  } as const;
  const inOrder = await merged(zones);
  assert.deepEqual(told(inOrder), ['5/b', '10/a', '60/a', '65/b', '80/b']);
  assert.equal(inOrder[0]?.at, 30_000);
  const parts = await merged(zones, 1_000);
  assert.deepEqual(told(parts), ['10/a', '60/a', '5/b', '65/b', '80/b']);
  assert.deepEqual([...new Set(parts.map(({ at }) => at))], [1_000, 30_000]);
});

test('a zone that has caught up is waited for again', async () => {
  const parts = await merged(
    {
      a: [
        [0, part('a', 0, 40, [10])],
        [2_500, part('a', 40, 80, [50])],
        [0, part('a', 80, 100, [90])],
      ],
      b: [
        [3_000, part('b', 0, 60, [5, 55])],
        [500, part('b', 60, 100, [85])],
      ],
    },
    1_000,
  );
  assert.deepEqual(told(parts), ['10/a', '5/b', '50/a', '55/b', '85/b', '90/a']);
});

test('a zone that never answers holds nobody up longer than the patience, not even once for each part', async () => {
  const times = Array.from({ length: 50 }, (_, at) => at * 2);
  const parts = await merged(
    {
      a: times.map((at) => [0, part('a', at, at + 2, [at])]),
      b: [[90_000, lost(0, 100, 'failed')]],
    },
    1_000,
  );
  const rows = parts.filter(({ records }) => records.length > 0);
  assert.equal(rows.length, 50);
  assert.ok(rows.every(({ at }) => at === 1_000));
});
