import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeStore, type Noted, fakeStore as storeOf } from '../support/fake-store.ts';
import { recordOf } from '../support/state.ts';
import { bench, linesOfText, MINUTE, objectsOf, ZONE } from './support.ts';

const DAY = 24 * 60 * MINUTE;

function fakeStore(o: FakeStore) {
  const store = storeOf(o);
  const history = async () => ({ ok: true as const, value: store.open });
  return { ...store, history };
}

function scene() {
  const { sim, zone, printed } = bench();
  const now = Math.floor(sim.clock.now() / MINUTE) * MINUTE;
  const oldest = now - 3 * DAY;
  return { printed, zone: { id: String(zone.id) }, oldest };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

test('a window that begins before what is kept is one log: of the store, then of the platform, each moment of one of them', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 10 * MINUTE;
  const to = oldest + 5 * MINUTE;
  const rows = [1, 2, 3].map((n) => recordOf(n, { timestamp: from + n * MINUTE, pullZoneId: zone.id }));
  const store = fakeStore({ rows, zone: zone.id, notes: [['read', from - DAY, to + DAY]] });
  const args = ['logs', ZONE, '--from', iso(from), '--to', iso(to)];
  const { code, out, err } = await printed(args, { history: store.history });
  assert.equal(code, 0);
  const objects = objectsOf(out);
  assert.deepEqual(
    objects.slice(0, 3).map((row) => row['requestId']),
    rows.map(({ requestId }) => requestId),
  );
  const times = objects.map((row) => Date.parse(String(row['timestamp'])));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.ok(times.length > 10 && (times.at(-1) ?? 0) > oldest, 'the platform answers for the rest');
  assert.match(err, /HISTORY duckdb: \S+ to \S+ comes from the store main/);
  assert.ok(!out.includes('_gap'));
  assert.ok(store.isClosed());
});

test('time of which the store knows nothing, or that it lacks, is a gap in its place', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 30 * MINUTE;
  const rows = [1, 25].map((n) => recordOf(n, { timestamp: from + n * MINUTE, pullZoneId: zone.id }));
  const notes: Noted[] = [
    ['read', from, from + 10 * MINUTE],
    ['overload', from + 10 * MINUTE, from + 12 * MINUTE],
  ];
  const store = fakeStore({ rows, zone: zone.id, notes });
  const args = ['logs', ZONE, '--from', iso(from), '--to', iso(from + 26 * MINUTE)];
  const { code, out } = await printed(args, { history: store.history });
  assert.equal(code, 0);
  const gaps = objectsOf(out).flatMap(({ _gap }) => (_gap === undefined ? [] : [_gap]));
  assert.deepEqual(gaps, [
    { from: iso(from + 10 * MINUTE), to: iso(from + 12 * MINUTE), reason: 'overload', rows: null },
    { from: iso(from + 12 * MINUTE), to: iso(from + 26 * MINUTE), reason: 'notRead', rows: null },
  ]);
});

test('groups of the store and of the platform add up', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 10 * MINUTE;
  const args = ['logs', ZONE, 'by:status', '--from', iso(from), '--to', iso(oldest + 5 * MINUTE)];
  const sums = (count: number, bytes: number) => [count, bytes, from, from + 1_000, 0, count, 0, 2, 1_010];
  const groups = [
    ['200', ...sums(1_000, 5)],
    ['799', ...sums(10, 7)],
  ];
  const alone = await printed(args, { history: fakeStore({ zone: zone.id }).history });
  const store = fakeStore({ zone: zone.id, groups });
  const { out, err } = await printed(args, { history: store.history });
  const counts = (text: string) =>
    new Map(
      objectsOf(text)
        .filter((row) => !row['_gap'])
        .map((row) => [(row['key'] as { status: unknown }).status, row]),
    );
  const [before, after] = [counts(alone.out), counts(out)];
  const ok = (map: typeof before) => map.get(200) ?? map.get('200');
  assert.equal(Number(ok(after)?.['count']), Number(ok(before)?.['count']) + 1_000);
  assert.equal(Number(ok(after)?.['firstSeen']), from);
  assert.equal(after.size, before.size + 1);
  assert.match(err, /the store read 77 rows, 1.0K, for 1 answer/);
  assert.ok(
    store.asked.every((text) => !text.includes('ORDER BY timestamp')),
    'no row is read for what is counted there',
  );
});

test('of groups that a store alone has as many come as are printed, and the sum of the others', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 10 * MINUTE;
  const sums = (count: number) => [count, 5, from, from + 1_000, 0, count, 0, 3, 1_600];
  const groups = [
    ['200', ...sums(1_000)],
    ['404', ...sums(500)],
    ['503', ...sums(100)],
  ];
  const notes: Noted[] = [['read', 0, oldest + DAY]];
  const of = async (to: number, limit: string) => {
    const store = fakeStore({ zone: zone.id, groups, notes });
    const args = ['logs', ZONE, 'by:status', '--from', iso(from), '--to', iso(to), '--limit', limit];
    const { out, err } = await printed(args, { history: store.history });
    return { counts: objectsOf(out).map((row) => row['count']), err };
  };
  const alone = await of(from + 5 * MINUTE, '1');
  assert.deepEqual(alone.counts, [1_000]);
  assert.match(alone.err, /stopped after 1 group, as --limit asks; there are 2 more, of 600 rows\n/);
  assert.doesNotMatch(alone.err, /in no group/);
  const all = await of(from + 5 * MINUTE, '3');
  assert.deepEqual(all.counts, [1_000, 500, 100]);
  assert.doesNotMatch(all.err, /stopped after|in no group/);
  // Where the platform has rows, too, any group may be the largest.
  const both = await of(oldest + 5 * MINUTE, '1');
  assert.equal(both.counts.length, 1);
  assert.ok(Number(both.counts[0]) > 1_000);
  assert.match(both.err, /; there are \d+ more, of /);
});

test('a row is looked for by its id in one question, whatever time it may be of', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 60 * MINUTE;
  const row = recordOf(7, { timestamp: from + MINUTE, pullZoneId: zone.id });
  const store = fakeStore({ rows: [row], zone: zone.id, notes: [['read', 0, oldest + DAY]] });
  const args = ['logs', ZONE, `id:${row.requestId}`, '--from', iso(from), '--to', iso(oldest - MINUTE)];
  const { out } = await printed(args, { history: store.history });
  assert.deepEqual(
    objectsOf(out).map(({ requestId }) => requestId),
    [row.requestId],
  );
  assert.equal(store.asked.filter((text) => text.includes('FROM requests')).length, 1);
});

test('what an engine cannot decide is decided here over rows that are read, and said', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 10 * MINUTE;
  const rows = [1, 2].map((n) =>
    recordOf(n, { timestamp: from + n * MINUTE, pullZoneId: zone.id, userAgent: n === 1 ? 'ÄPFEL' : 'x' }),
  );
  const store = fakeStore({ rows, zone: zone.id });
  const args = ['logs', ZONE, 'ua:äpfel', 'by:ua', '--from', iso(from), '--to', iso(from + 5 * MINUTE)];
  const { out, err } = await printed(args, { history: store.history });
  assert.equal(objectsOf(out).filter((row) => !row['_gap']).length, 1);
  assert.match(
    err,
    /hidden here 1 row of the store, by ua:äpfel \(the engine compares letters beyond ASCII in its own way\)/,
  );
});

test('a store that does not answer leaves a gap and an exit code, and the platform is asked all the same', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 10 * MINUTE;
  const args = ['logs', ZONE, '--from', iso(from), '--to', iso(oldest + 5 * MINUTE)];
  for (const fails of ['open', 'page'] as const) {
    const store = fakeStore({ zone: zone.id, fails, notes: [['read', 0, oldest + DAY]] });
    const { code, out, err } = await printed(args, { history: store.history });
    assert.equal(code, 1, fails);
    assert.match(err, /The store main does not answer/);
    const gap = objectsOf(out).find((row) => row['_gap'])?.['_gap'] as { from: string; reason: string };
    assert.deepEqual({ from: gap.from, reason: gap.reason }, { from: iso(from), reason: 'failed' }, fails);
    assert.ok(linesOfText(out).length > 5, fails);
  }
});

test('rows of a store come page by page, none twice and none left out, and a gap stands where the pages come to it', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 60 * MINUTE;
  // Three rows an instant: pages of 10,000 end in the middle of one.
  const rows = Array.from({ length: 20_500 }, (_, n) =>
    recordOf(n, { timestamp: from + Math.floor(n / 3) * 100, pullZoneId: zone.id }),
  );
  const end = from + 20 * MINUTE;
  const notes: Noted[] = [
    ['read', from, from + 5 * MINUTE],
    ['overload', from + 5 * MINUTE, from + 6 * MINUTE],
    ['read', from + 6 * MINUTE, end],
  ];
  const store = fakeStore({ rows, zone: zone.id, notes });
  const { out } = await printed(['logs', ZONE, '--from', iso(from), '--to', iso(end)], {
    history: store.history,
  });
  const objects = objectsOf(out);
  const ids = objects.flatMap((row) => (row['_gap'] ? [] : [row['requestId']]));
  assert.deepEqual(
    ids,
    rows.map(({ requestId }) => requestId),
  );
  // Behind the rows of its own time.
  assert.equal(
    objects.findIndex((row) => row['_gap']),
    6 * 600 * 3,
  );
});

test('a long gap of a store is one line, and is told before a limit or a checkpoint may end the reading', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 5 * DAY;
  const rows = [1, 2, 3].map((n) => recordOf(n, { timestamp: from + n * DAY, pullZoneId: zone.id }));
  const args = ['logs', ZONE, '--from', iso(from), '--to', iso(from + 4 * DAY)];
  const gapsOf = (out: string) =>
    objectsOf(out).flatMap(({ _gap }) => (_gap === undefined ? [] : [_gap as { from: string; to: string }]));
  const all = await printed(args, { history: fakeStore({ rows, zone: zone.id }).history });
  assert.deepEqual(
    gapsOf(all.out).map((gap) => [gap.from, gap.to]),
    [[iso(from), iso(from + 4 * DAY)]],
  );
  assert.equal(objectsOf(all.out).length, 4);
  const some = await printed([...args, '--limit', '2'], {
    history: fakeStore({ rows, zone: zone.id }).history,
  });
  const told = gapsOf(some.out);
  assert.equal(told[0]?.from, iso(from));
  assert.ok(
    Date.parse(told.at(-1)?.to ?? '') >= from + DAY,
    'the time between the rows is not known to be whole',
  );
});

test('groups of a store that does not answer are those of the platform, beside a gap', async () => {
  const { printed, zone, oldest } = scene();
  const from = oldest - 10 * MINUTE;
  const args = ['logs', ZONE, 'by:status', '--from', iso(from), '--to', iso(oldest + 5 * MINUTE)];
  const { code, out, err } = await printed(args, {
    history: fakeStore({ zone: zone.id, fails: 'open' }).history,
  });
  assert.equal(code, 1);
  assert.match(err, /The store main does not answer/);
  const gaps = objectsOf(out).flatMap(({ _gap }) => (_gap === undefined ? [] : [_gap as { from: string }]));
  assert.deepEqual(
    gaps.map((gap) => gap.from),
    [iso(from)],
  );
  assert.ok(objectsOf(out).length > 1);
});
