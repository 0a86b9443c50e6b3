import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { logHistory } from '../../src/store/history-log.ts';
import { type FakeStore, fakeStore } from '../support/fake-store.ts';
import { openPlatform } from '../support/platform.ts';
import { recordOf } from '../support/state.ts';
import type { VirtualSession } from '../support/virtual-session.ts';
import { logRows, ZONE } from './log-screen.ts';
import { openSession } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const stamp = (time: number) => new Date(time).toISOString().slice(0, 19);

type Scene = Partial<Omit<FakeStore, 'rows' | 'notes' | 'groups'>> & {
  groups?: (from: number) => FakeStore['groups'];
  rows?: (from: number, zone: string) => LogRecord[];
  notes?: (from: number) => FakeStore['notes'];
  from?: number;
  /** Null: the window has no end. */
  length?: number | null;
  /** Requests a second of the platform. */
  rate?: number;
  query?: string;
  columns?: number;
};

/** The program on a window that begins so many ms before what the platform keeps. */
async function scene(t: { after(close: () => Promise<void>): void }, o: Scene = {}) {
  const platform = openPlatform({ seed: 7, rate: o.rate ?? 10, incidents: false });
  const zone = String(platform.zones.find(({ name }) => name === ZONE)?.id);
  const border = Math.floor((platform.clock.now() - 3 * DAY) / MINUTE) * MINUTE;
  const from = border - (o.from ?? 2 * HOUR);
  const to = o.length === null ? null : from + (o.length ?? HOUR);
  const rows = o.rows?.(from, zone) ?? rowsOf(1_200, from, 3_000, zone);
  const notes = o.notes?.(from) ?? [['read', 0, platform.clock.now()] as const];
  const { groups, rate: _, ...rest } = o;
  const window = `from:${stamp(from)}${to === null ? '' : ` to:${stamp(to)}`}`;
  const store = fakeStore({ ...rest, zone, rows, notes: notes ?? [], groups: groups?.(from) ?? [] });
  const { terminal } = await openSession({
    t,
    platform,
    columns: o.columns ?? 120,
    args: ['logs', ZONE, `${window} ${o.query ?? ''}`.trim(), '--utc'],
    history: (of) => logHistory({ engine: 'duckdb', name: 'main', open: store.open, clock: of.clock }),
  });
  return { terminal, store, platform, zone, from, to: to ?? platform.clock.now() };
}

/** Goes to the oldest row again and again, as pages come, until this is on screen, and once more. */
async function wentBack(terminal: VirtualSession, until: RegExp): Promise<void> {
  for (let pages = 0; pages < 40 && !until.test(terminal.text()); pages++) {
    await terminal.type('g');
    await terminal.waitFor((screen) => /HISTORY duckdb (?!READING)/.test(screen[0] ?? ''));
  }
  await terminal.waitFor(until);
  await terminal.type('g');
}

function rowsOf(count: number, from: number, step: number, zone: string): LogRecord[] {
  return Array.from({ length: count }, (_, n) =>
    recordOf(n, { timestamp: from + n * step, pullZoneId: zone }),
  );
}

test('a window that the platform keeps no more opens on its newest page, and reads further as the reader goes', async (t) => {
  const { terminal, store, to } = await scene(t);
  await terminal.waitFor(/HISTORY duckdb [\d.]+% read/);
  const shown = logRows(terminal.screen());
  assert.ok(shown.at(-1)?.includes(stamp(to - 3_000).slice(11)), shown.at(-1));
  const pages = () => store.asked.filter((text) => text.includes('ORDER BY timestamp DESC')).length;
  const before = pages();
  assert.match(terminal.text(), /500 requests . no gaps . read back to/);
  await terminal.idle();
  assert.equal(pages(), before, 'nobody looks at older rows, so none is asked for');
  await terminal.type('g');
  await terminal.waitFor('HISTORY duckdb COMPLETE');
  assert.ok(pages() > before);
  assert.match(terminal.text(), /1,200 requests . no gaps/);
  await terminal.type('<:requests>');
  await terminal.waitFor(/ROWS duckdb main: newest 500 of zone \d+ .* ok 680 rows .* 68K/);
  assert.match(terminal.text(), /ROWS duckdb main: newest 5000 of zone/);
});

test('what a store is not known to have is a gap in its place, and such a window is never complete', async (t) => {
  const { terminal } = await scene(t, {
    length: 10 * MINUTE,
    rows: (from, zone) => rowsOf(20, from, 30_000, zone),
    notes: (from) => [
      ['read', from - DAY, from + 4 * MINUTE],
      ['overload', from + 4 * MINUTE, from + 5 * MINUTE],
      ['read', from + 5 * MINUTE, from + 9 * MINUTE],
    ],
  });
  await terminal.waitFor('HISTORY duckdb INCOMPLETE 80.0%');
  const gaps = terminal.screen().filter((line) => line.includes(' gap '));
  assert.equal(gaps.length, 2);
  assert.match(gaps[0] ?? '', /\(1m\): more rows than the quota can fetch/);
  assert.match(gaps[1] ?? '', /\(1m\): the store is not known to have it/);
  assert.match(terminal.text(), / 20 requests . 2 gaps/);
});

test('Esc ends a question that is being answered, and Enter goes on', async (t) => {
  let isHeld = true;
  let aborted = 0;
  const holds = (signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (!isHeld) return resolve();
      signal?.addEventListener('abort', () => {
        aborted += 1;
        resolve();
      });
    });
  const { terminal } = await scene(t, { holds });
  await terminal.waitFor('HISTORY duckdb READING');
  await terminal.type('\x1b');
  await terminal.waitFor('HISTORY duckdb STOPPED');
  assert.equal(aborted, 1);
  isHeld = false;
  await terminal.type('\x12');
  await terminal.waitFor(/HISTORY duckdb [\d.]+% read/);
});

test('groups are counted by the store over all of the window, and a group gives its rows by page', async (t) => {
  const groups = (from: number) =>
    [
      ['200', 1_000_000, 5, from, from + HOUR - 1, 0, 0, 0, 2, 1_234_567],
      ['503', 234_567, 5, from, from + HOUR - 1, 0, 0, 0, 2, 1_234_567],
    ] as const;
  const { terminal, store } = await scene(t, { groups, query: 'by:status' });
  await terminal.waitFor('HISTORY duckdb COUNTED');
  assert.match(terminal.text(), /over 1,234,567 rows, counted by duckdb of the whole window/);
  assert.match(terminal.text(), /200 +1,000,000 +81\.0%/);
  assert.match(terminal.text(), / 2 groups . no gaps . store main read 77 rows/);
  await terminal.type('<Enter>');
  await terminal.waitFor(/HISTORY duckdb [\d.]+% read/);
  assert.match(store.asked.findLast((text) => text.includes('ORDER BY timestamp DESC')) ?? '', /statusCode/);
  await terminal.type('\x1b');
  await terminal.waitFor('HISTORY duckdb COUNTED');
});

test('what clients look like is told of rows in memory, and so of no client that a store counted', async (t) => {
  const groups = (from: number) => [['192.0.2.1', 10, 5, from, from + 1, 0, 0, 0, 1, 10]] as const;
  const { terminal } = await scene(t, { groups, query: 'by:ip' });
  await terminal.waitFor('HISTORY duckdb COUNTED');
  assert.match(terminal.text(), /^ CLIENT ADDRESS .* LAST *$/m);
  assert.ok(!terminal.text().includes('LOOKS'));
});

test('a count over a window that the store has not all of says of how much it is', async (t) => {
  const groups = (from: number) => [['200', 10, 5, from, from + 1, 0, 0, 0, 1, 10]] as const;
  const notes = (from: number) => [['read', 0, from + HOUR / 2] as const];
  const { terminal } = await scene(t, { groups, notes, query: 'by:status' });
  await terminal.waitFor('HISTORY duckdb INCOMPLETE 50.0%');
  assert.match(terminal.text(), /over 10 rows, counted by duckdb, which has 50.0% of the window/);
});

test('the timeline of a window is counted by the store over all of it, and what it lacks stays a gap there', async (t) => {
  // Ten minutes in steps of 10 s: a row each second, but for the minute that is missing.
  const { terminal, store } = await scene(t, {
    length: 10 * MINUTE,
    columns: 80,
    rows: (from, zone) => rowsOf(600, from, 1_000, zone),
    notes: (from) => [
      ['read', 0, from + 4 * MINUTE],
      ['overload', from + 4 * MINUTE, from + 5 * MINUTE],
      ['read', from + 5 * MINUTE, from + HOUR],
    ],
    steps: Array.from({ length: 60 }, (_, at) => [at, at >= 24 && at < 30 ? 0 : 10, 0, 0, 0, 0]),
  });
  await terminal.waitFor(/HISTORY duckdb [\d.]+% read/);
  await terminal.waitFor((screen) => !/not read/.test(screen.slice(0, 5).join('\n')));
  assert.ok(store.asked.some((text) => text.includes('GROUP BY step')));
  const band = terminal.screen()[3] ?? '';
  assert.match(band, /█{24}╳{6}█{30}/);
});

test('a window without an end is followed, and the time before is read by pages of the platform and of the store beneath it', async (t) => {
  const { terminal, store, platform, zone, from } = await scene(t, {
    from: 30 * MINUTE,
    length: null,
    rate: 0.05,
    rows: (from, zone) => rowsOf(200, from, 6_000, zone),
  });
  await terminal.waitFor(/(LIVE|QUIET \d+s), HISTORY duckdb [\d.]+% read/);
  await wentBack(terminal, /PAUSED \d+ new.*, HISTORY duckdb 100% read/);
  assert.ok(logRows(terminal.screen())[0]?.includes(stamp(from).slice(11)), terminal.text());
  assert.ok(store.asked.some((text) => text.includes('ORDER BY timestamp DESC')));
  const unique = Number(/ ([\d,]+) requests .* no gaps/.exec(terminal.text())?.[1]?.replace(',', ''));
  const now = platform.clock.now();
  const truth = 200 + platform.truth(zone, now - 3 * DAY + MINUTE, now).length;
  assert.ok(Math.abs(unique - truth) < 4, `${unique} rows of ${truth}`);
});

test('what the store lacks of a window without an end is a gap, and a store that fails leaves the live rows', async (t) => {
  const { terminal } = await scene(t, { from: 30 * MINUTE, length: null, rate: 0.01, notes: () => [] });
  await wentBack(terminal, /HISTORY duckdb INCOMPLETE 99\.\d%/);
  await terminal.waitFor(/gap .*: the store is not known to have it/);
  assert.match(terminal.text(), /1 gap/);
  const failing = await scene(t, { from: 30 * MINUTE, length: null, rate: 0.01, fails: 'open' });
  await wentBack(failing.terminal, /HISTORY duckdb FAILING/);
  await failing.terminal.waitFor(/\(31m\): no answer came.*; Enter reads on/);
  assert.ok(logRows(failing.terminal.screen()).length > 3);
  await failing.terminal.type('G');
  await failing.terminal.waitFor(/(LIVE|QUIET \d+s), HISTORY duckdb FAILING/);
});

test('groups and timeline of a window without an end add the rows since to what the store counted, and say of how much', async (t) => {
  const groups = (from: number) =>
    [
      ['200', 1_000_000, 5, from, from + 1, 0, 0, 0, 2, 1_000_010],
      ['799', 10, 5, from, from + 1, 0, 0, 0, 2, 1_000_010],
    ] as const;
  const { terminal, platform, zone } = await scene(t, {
    groups,
    from: 30 * MINUTE,
    length: null,
    rate: 0.01,
    columns: 130,
    notes: (from) => [['read', from, from + 30 * MINUTE - 30_000]],
    steps: [[1, 900_000, 0, 0, 0, 0]],
    query: 'by:status',
  });
  await terminal.waitFor(/over 1,000,0\d\d rows, counted by duckdb to 11-16 12:01:0\d .* since \(\d/);
  await terminal.waitFor(
    /counted by duckdb to 11-16 12:01:0\d \(95\.\d% of it\) and here since \(100% of it\)/,
  );
  await terminal.waitFor(/(LIVE|QUIET \d+s), HISTORY duckdb INCOMPLETE 99\.9%/);
  const now = platform.clock.now();
  const truth = platform.truth(zone, now - 3 * DAY + MINUTE, now);
  const counted = (name: string) =>
    Number((new RegExp(name).exec(terminal.text())?.[1] ?? '').replaceAll(',', ''));
  const rows = counted('over ([\\d,]+) rows');
  assert.ok(Math.abs(rows - 1_000_010 - truth.length) < 4, `${rows} rows of ${truth.length}`);
  const ok = truth.filter(({ entry }) => entry.statusCode === 200).length;
  assert.ok(Math.abs(counted('▌200 +([\\d,]+)') - 1_000_000 - ok) < 4, terminal.text());
  assert.match(terminal.text(), / 799 +10 /);
  assert.match(terminal.text(), /↑9\d\dk/);
});

test('where a store has too many groups to add rows to, those of rows read are shown, and it is said', async (t) => {
  const groups = (from: number) => [['200', 900, 5, from, from + 1, 0, 0, 0, 20_000, 900]] as const;
  const { terminal } = await scene(t, {
    groups,
    from: 30 * MINUTE,
    length: null,
    columns: 120,
    query: 'by:status',
  });
  await terminal.waitFor(/over [\d,]+ rows, <?[\d.]+% read, duckdb has more than 10,000 groups/);
});

test('groups of a window that ends in what the platform keeps are read on to the border, and no further', async (t) => {
  const groups = (from: number) => [['200', 900, 5, from, from + 1, 0, 0, 0, 1, 900]] as const;
  const { terminal, store } = await scene(t, {
    groups,
    from: 30 * MINUTE,
    length: 90 * MINUTE,
    rate: 5,
    columns: 120,
    query: 'by:status',
    notes: (from) => [['read', 0, from + 20 * MINUTE]],
  });
  await terminal.waitFor(
    /over [\d,]+ rows, counted by duckdb to 11-16 12:01:0\d \(64\.\d% of it\) and here since \(100% of it\)/,
  );
  await terminal.waitFor('HISTORY duckdb INCOMPLETE 87');
  assert.ok(store.asked.every((text) => !text.includes('ORDER BY timestamp')));
});
