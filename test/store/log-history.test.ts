import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogSlice, LogSliceRequest } from '../../src/api/client.ts';
import { withHistory } from '../../src/api/history-client.ts';
import type { Result } from '../../src/domain/failure.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { oldestAsked } from '../../src/domain/log-retention.ts';
import type { RowPlace } from '../../src/domain/logs/log-history.ts';
import { arrivedRows, recordsOf } from '../../src/domain/logs/log-rows.ts';
import {
  hasPages,
  type LogEvent,
  type LogReport,
  pageEnd,
  reportWithPage,
  withoutPage,
} from '../../src/domain/logs/paged-log.ts';
import type { Gap } from '../../src/domain/tail/coverage.ts';
import { UNKNOWN_SERVER_TIME } from '../../src/domain/tail/server-time.ts';
import { readWindow } from '../../src/effects/read-window.ts';
import { logHistory } from '../../src/store/history-log.ts';
import { type FakeStore, fakeStore } from '../support/fake-store.ts';
import { recordOf } from '../support/state.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;

/** A platform that keeps three days, in front of a store; both have all rows of the time around the border, one a second. */
function scene(o: Partial<FakeStore> = {}) {
  const clock = new VirtualClock();
  const border = oldestAsked(clock.now(), 'logs');
  const [from, to] = [border - 10 * MINUTE, border + 10 * MINUTE];
  const rows = Array.from({ length: 1_200 }, (_, n) => recordOf(n, { timestamp: from + n * 1_000 }));
  const asked: LogSliceRequest[] = [];
  const platform = {
    serverTime: () => UNKNOWN_SERVER_TIME,
    async logs(r: LogSliceRequest): Promise<Result<LogSlice>> {
      asked.push(r);
      const found = rows.filter(({ timestamp }) => timestamp >= r.from && timestamp < r.to);
      const ordered = r.order === 'asc' ? found : found.toReversed();
      const records = ordered.slice(0, r.limit);
      const times = { serverNow: null, sentAt: clock.now(), receivedAt: clock.now() };
      return { ok: true, value: { rows: records, hasMore: records.length < found.length, ...times } };
    },
  };
  const store = fakeStore({ zone: '1', rows, notes: [['read', 0, to]], ...o });
  const history = logHistory({ engine: 'duckdb', name: 'main', open: store.open, clock });
  const client = withHistory(platform, history, { clock });
  return { clock, border, range: { from, to }, rows, asked, store, history, client };
}

type Scene = ReturnType<typeof scene>;

async function windowOf({ client, range, clock }: Scene) {
  const records: LogRecord[] = [];
  const gaps: Gap[] = [];
  const failures: string[] = [];
  const parts = readWindow({
    pullZoneId: '1',
    range,
    filter: {},
    page: 100,
    atOnce: 3,
    fetch: (r) => client.logs(r),
    now: () => clock.now(),
    isStored: true,
    onStoreFailure: ({ detail }) => failures.push(detail),
  });
  for await (const part of parts) {
    records.push(...part.records);
    if (part.gap !== null) gaps.push(part.gap);
  }
  return { records, gaps: joined(gaps), failures };
}

/** A gap may come in parts, as the slices do. */
function joined(gaps: readonly Gap[]) {
  const all: Pick<Gap, 'from' | 'to' | 'reason'>[] = [];
  for (const { from, to, reason } of gaps) {
    const last = all.at(-1);
    if (last?.to === from && last.reason === reason) last.to = to;
    else all.push({ from, to, reason });
  }
  return all;
}

const ids = (records: readonly LogRecord[]) => records.map(({ requestId }) => requestId);

test('a window of a store and of the platform is one: every row once, in order, each moment of one of them', async () => {
  const at = scene();
  const { records, gaps } = await windowOf(at);
  assert.deepEqual(ids(records), ids(at.rows));
  assert.deepEqual(gaps, []);
  assert.ok(at.asked.length > 0);
  assert.ok(
    at.asked.every(({ from }) => from >= at.border),
    'the platform is asked for nothing that it does not keep',
  );
});

test('an answer is of one source, and says which part of the time it is about', async () => {
  const at = scene();
  const question = { pullZoneId: '1', ...at.range, limit: 5_000, filter: {} };
  const first = await at.client.logs({ ...question, order: 'asc' });
  assert.ok(first.ok);
  assert.deepEqual(first.value.part, { from: at.range.from, to: at.border });
  assert.ok(recordsOf(first.value.rows).every(({ timestamp }) => timestamp < at.border));
  assert.equal(at.asked.length, 0);
  const newest = await at.client.logs({ ...question, order: 'desc' });
  assert.ok(newest.ok);
  assert.deepEqual(newest.value.part, { from: at.border, to: at.range.to });
  assert.equal(newest.value.stored, undefined);
  assert.ok(recordsOf(newest.value.rows).every(({ timestamp }) => timestamp >= at.border));
});

test('pages of a store go on behind a row, from either end', async () => {
  const at = scene();
  const range = { from: at.range.from, to: at.border };
  const wanted = at.rows.filter(({ timestamp }) => timestamp < at.border);
  for (const order of ['asc', 'desc'] as const) {
    const read: LogRecord[] = [];
    let after: RowPlace | null = null;
    do {
      const page: Result<LogSlice> = await at.client.logs({
        pullZoneId: '1',
        ...range,
        order,
        limit: 130,
        filter: {},
        history: { after },
      });
      assert.ok(page.ok);
      read.push(...recordsOf(page.value.rows));
      after = page.value.stored?.next ?? null;
    } while (after !== null);
    assert.deepEqual(ids(read), ids(order === 'asc' ? wanted : wanted.toReversed()), order);
  }
});

/** The window page by page, newest first, as a screen reads it. */
async function pagesOf({ client, range, clock }: Scene, limit: number) {
  const read: LogRecord[] = [];
  let report: LogReport | null = null;
  while (report === null || hasPages(range, report)) {
    const { to, after } = pageEnd(range, report ?? {});
    const question = { pullZoneId: '1', from: range.from, to, limit, filter: {} };
    const answer = await client.logs({ ...question, order: 'desc', history: { after } });
    if (!answer.ok) {
      report = withoutPage(report, range, answer.failure, clock.now());
      break;
    }
    const event: LogEvent = reportWithPage(report, range, answer.value, { now: clock.now(), limit: 500 });
    read.unshift(...arrivedRows(event.rows).map(({ record }) => record));
    assert.ok(event.report.paging && event.report.paging.to < to + (event.rows.length > 0 ? 1 : 0));
    report = event.report;
  }
  return { read, report };
}

test('a window read by pages has every row once, whatever the pages and the instants hold', async () => {
  for (const limit of [7, 100, 5_000]) {
    const at = scene();
    const { read, report } = await pagesOf(at, limit);
    assert.deepEqual(ids(read), ids(at.rows), String(limit));
    assert.deepEqual([report.gaps, report.readShare, report.status], [[], 1, 'stopped']);
    assert.equal(report.watermark, at.range.to);
  }
});

test('what is left of a window, and what its store lacks, is no read time', async () => {
  const { range } = scene();
  const gap = { from: range.from + 2 * MINUTE, to: range.from + 3 * MINUTE };
  const at = scene({
    notes: [
      ['read', 0, gap.from],
      ['overload', gap.from, gap.to],
      ['read', gap.to, range.to],
    ],
  });
  const { report } = await pagesOf(at, 40);
  assert.deepEqual(joined(report.gaps), [{ ...gap, reason: 'overload' }]);
  assert.deepEqual(report.read, [
    { from: range.from, to: gap.from },
    { from: gap.to, to: range.to },
  ]);
  const failing = scene({ fails: 'page', how: 'slow' });
  const { report: failed } = await pagesOf(failing, 400);
  assert.equal(failed.failure?.kind, 'storeSlow');
  assert.deepEqual(joined(failed.gaps), [{ from: range.from, to: failing.border, reason: 'failed' }]);
  assert.deepEqual(failed.read, [{ from: failing.border, to: range.to }]);
  assert.equal(failed.watermark, null);
});

test('imported time is read time, of which the log still says that rows may be missing', async () => {
  const { range } = scene();
  const files = { from: range.from + 2 * MINUTE, to: range.from + 3 * MINUTE };
  const at = scene({
    notes: [
      ['read', 0, files.from],
      ['imported', files.from, files.to],
      ['read', files.to, range.to],
    ],
  });
  const { report } = await pagesOf(at, 40);
  assert.deepEqual(joined(report.gaps), [{ ...files, reason: 'imported' }]);
  assert.deepEqual([report.read, report.readShare], [[range], 1]);
});

test('what a store is not known to have is a gap with its reason', async () => {
  const { range, border } = scene();
  const gap = { from: range.from + 2 * MINUTE, to: range.from + 3 * MINUTE };
  const at = scene({
    notes: [
      ['read', 0, gap.from],
      ['overload', gap.from, gap.to],
      ['read', gap.to, border - MINUTE],
    ],
  });
  const { records, gaps } = await windowOf(at);
  assert.deepEqual(gaps, [
    { ...gap, reason: 'overload' },
    { from: border - MINUTE, to: border, reason: 'notRead' },
  ]);
  // Rows that are there are shown all the same.
  assert.deepEqual(ids(records), ids(at.rows));
});

test('a store that fails leaves its time as a gap, in words, and the platform is read all the same', async () => {
  for (const fails of ['open', 'page'] as const) {
    const at = scene({ fails });
    const { records, gaps, failures } = await windowOf(at);
    assert.deepEqual(gaps, [{ from: at.range.from, to: at.border, reason: 'failed' }], fails);
    assert.deepEqual(ids(records), ids(at.rows.filter(({ timestamp }) => timestamp >= at.border)), fails);
    assert.equal(failures.length, 1);
    assert.match(failures[0] ?? '', /The store main does not answer: ECONNREFUSED/);
  }
});

test("a question that is the store's alone fails as a whole where the store does", async () => {
  const at = scene({ fails: 'page', how: 'refused' });
  const range = { from: at.range.from, to: at.border - MINUTE };
  const answer = await at.client.logs({ pullZoneId: '1', ...range, order: 'asc', limit: 10, filter: {} });
  assert.ok(!answer.ok);
  assert.equal(answer.failure.kind, 'storeRefused');
  assert.match(answer.failure.detail, /refuses the user or the password/);
});

test('a filter of the platform is asked of the store too', async () => {
  const at = scene();
  const range = { from: at.range.from, to: at.border };
  const filter = { status: ['5xx'], urlContains: '/p/' };
  await at.client.logs({ pullZoneId: '1', ...range, order: 'asc', limit: 10, filter });
  assert.match(at.store.asked.at(-1) ?? '', /statusCode >= .* AND .*contains|LIKE|position/i);
});

test('a store is closed once nobody asks it, and opened again', async () => {
  const at = scene();
  const ask = () =>
    at.client.logs({
      pullZoneId: '1',
      from: at.range.from,
      to: at.border,
      order: 'asc',
      limit: 10,
      filter: {},
    });
  await ask();
  assert.ok(!at.store.isClosed());
  await at.clock.advance(5_000);
  assert.ok(at.store.isClosed());
  const again = await ask();
  assert.ok(again.ok && recordsOf(again.value.rows).length === 10);
});

test('a time that the platform has too is counted as far as the store is known to have every row, and no less than what it alone has', async () => {
  const counted = async (notes: FakeStore['notes'], sharedFrom?: number) => {
    const at = scene({ notes: notes ?? [], groups: [['200', 5, 5, 1, 2, 0, 0, 0, 1, 5]] });
    const zones = [{ ids: ['1'], anonymisation: 'none' }] as const;
    const rows = { zones, range: at.range, terms: [], ...(sharedFrom === undefined ? {} : { sharedFrom }) };
    const answer = await at.history.groups(rows, ['status'], 10);
    assert.ok(answer.ok && answer.value);
    const { to, gaps } = answer.value;
    return { to, gaps: gaps.map((gap) => [gap.from, gap.to]) };
  };
  const { border, range } = scene();
  const later = border + 4 * MINUTE;
  const noted = (to: number): FakeStore['notes'] => [
    ['read', 0, to],
    ['overload', border, border + 1],
  ];
  assert.deepEqual(await counted(noted(later)), { to: range.to, gaps: [[later, range.to]] });
  assert.deepEqual(await counted(noted(later), border), { to: later, gaps: [] });
  assert.deepEqual(await counted(noted(border - MINUTE), border), {
    to: border,
    gaps: [[border - MINUTE, border]],
  });
});

test('values of fields are counted of those that are stored, and a field that is not takes no other with it', async () => {
  const counted = () => [['0', 'HIT', 2, 1, 2, 0]];
  const { store, history, range } = scene({ counted });
  const rows = { zones: [{ ids: ['1'], anonymisation: 'none' as const }], range, terms: [] };
  const told = await history.values(rows, ['cause', 'cache'], 5);
  assert.ok(told.ok && told.value !== null);
  assert.deepEqual([...told.value.fields.keys()], ['cache']);
  const asked = store.asked.length;
  const none = await history.values(rows, ['cause'], 5);
  assert.ok(none.ok && none.value === null);
  assert.ok(store.asked.slice(asked).every((text) => !text.includes('GROUPING SETS')));
});
