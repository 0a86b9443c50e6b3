import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fakeStore, type Noted } from '../support/fake-store.ts';
import { recordOf } from '../support/state.ts';
import { bench, linesOfText, MINUTE, objectsOf, ZONE } from './support.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A reader that looks at what has come, and an interrupt that it can send. */
function reader() {
  let text = '';
  let looked: { isEnough: (more: string) => boolean; resolve: () => void } | null = null;
  const ended = Promise.withResolvers<number>();
  return {
    parts: {
      write: async (more: string) => {
        text += more;
        if (looked?.isEnough(more)) looked.resolve();
      },
      onEnd: (callback: (code: number) => void) => void ended.promise.then(callback),
    },
    text: () => text,
    interrupt: () => ended.resolve(130),
    /** `isEnough` is handed what has come, and then each further piece. */
    until(isEnough: (more: string) => boolean): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      looked = { isEnough, resolve };
      if (isEnough(text)) resolve();
      return promise;
    },
  };
}

const rowsSince = (text: string, time: number) =>
  objectsOf(text.slice(0, text.lastIndexOf('\n') + 1)).filter(
    (row) => Date.parse(String(row['timestamp'])) > time,
  );

/** Whether more than `count` of the lines that came are so; each piece is looked at once. */
function moreThan(count: number, linesIn: (text: string) => unknown[]): (more: string) => boolean {
  let seen = 0;
  return (more) => {
    seen += linesIn(more).length;
    return seen > count;
  };
}

test('a followed log begins with its window in order of time and goes on with each new row once', async () => {
  const { printed, sim, truth } = bench({ rate: 10 });
  const read = reader();
  const started = sim.clock.now();
  const running = printed(['logs', ZONE, '-f', '--since', '10m'], read.parts);
  await read.until(moreThan(8, (text) => rowsSince(text, started)));
  const until = sim.clock.now();
  read.interrupt();
  const ended = await running;
  assert.equal(ended.code, 130);
  // Nothing was read once more yet that the window did not read when all its late rows were there.
  const [, told = ''] =
    /rows of the time since (\S+) UTC may still come: they can be late/.exec(ended.err) ?? [];
  const wanted = started - 6 * 60_000;
  // A time of day: past midnight it is that of the next day.
  const half = 43_200_000;
  const off = ((Date.parse(`1970-01-01T${told}Z`) - wanted + half) % (2 * half)) + half;
  assert.ok(off > -2_000 && off < 10_000, `${told}: ${ended.err}`);
  const rows = objectsOf(read.text());
  const ids = rows.map((row) => String(row['requestId']));
  const known = new Set(ids);
  assert.equal(known.size, ids.length);
  const old = rows
    .map((row) => String(row['timestamp']))
    .filter((time) => Date.parse(time) < started - 100_000);
  assert.deepEqual(old, old.toSorted());
  // What showed two seconds before the end was asked for at least once since.
  const shown = truth(started - 500_000, until).filter((row) => row.visibleAt < started);
  assert.ok(shown.length > 1_500);
  assert.deepEqual(
    shown.filter((row) => !known.has(row.entry.requestId)).map((row) => row.entry.timestamp),
    [],
  );
});

test('a followed log outlives failures and says so once', async () => {
  const { printed, sim } = bench();
  const read = reader();
  const running = printed(['logs', ZONE, '-f', '--since', '30s'], read.parts);
  await read.until(moreThan(100, linesOfText));
  const before = sim.clock.now();
  await read.until(moreThan(5, (text) => rowsSince(text, before)));
  const broken = sim.clock.now();
  await sim.setFaults([{ match: { host: 'logging' }, fault: { kind: 'serverError' } }]);
  const asked = sim.stats().requests;
  while (sim.stats().requests < asked + 2) await turn();
  await sim.setFaults([]);
  await read.until(moreThan(5, (text) => rowsSince(text, broken)));
  read.interrupt();
  const ended = await running;
  assert.equal(ended.code, 130);
  assert.equal(ended.err.match(/Still following/g)?.length, 1, ended.err);
  assert.match(ended.err, /the API answers again/);
});

test('--limit ends a followed log and says so', async () => {
  const { printed } = bench();
  const read = reader();
  const ended = await printed(['logs', ZONE, '-f', '--since', '1m', '--limit', '7'], read.parts);
  assert.equal(ended.code, 0);
  assert.equal(linesOfText(read.text()).length, 7);
  assert.match(ended.err, /stopped after 7 rows, as --limit asks; there may be more/);
});

test('--limit 0 ends a followed log at once, also where nothing would ever come', async () => {
  const { printed } = bench();
  const ended = await printed([
    'logs',
    ZONE,
    '-f',
    '--limit',
    '0',
    'url:/nothing-is-here',
    '--format',
    'csv',
  ]);
  assert.equal(ended.code, 0);
  assert.equal(linesOfText(ended.out).length, 1);
  assert.match(ended.err, /stopped after 0 rows, as --limit asks; there may be more/);
  assert.deepEqual(
    ended.requests.filter(({ path }) => path.includes('/logs')),
    [],
  );
});

test('an interrupt while the window is read says up to when it is printed', async () => {
  const { printed } = bench();
  const onEnd: ((code: number) => void)[] = [];
  const ended = await printed(['logs', ZONE, '-f', '--since', '3h'], {
    onEnd: (callback) => void onEnd.push(callback),
    write: async () => {
      for (const callback of onEnd) callback(130);
    },
  });
  assert.equal(ended.code, 130);
  assert.match(ended.err, /interrupted; everything before \S+Z is printed/);
});

test('an interrupt while the last of the window is written ends a followed log', async () => {
  const { printed } = bench();
  const onEnd: ((code: number) => void)[] = [];
  const ended = await printed(['logs', ZONE, '-f', '--since', '1m'], {
    onEnd: (callback) => void onEnd.push(callback),
    write: async () => {
      for (const callback of onEnd.splice(0)) callback(130);
    },
  });
  assert.equal(ended.code, 130);
});

test('a followed log that begins before what is kept has the part of a store first, each row once, and goes on', async () => {
  const { printed, sim, zone, truth } = bench({ rate: 0.01 });
  const started = sim.clock.now();
  const border = started - 3 * DAY;
  const pullZoneId = String(zone.id);
  const rows = Array.from({ length: 30 }, (_, n) =>
    recordOf(n, { pullZoneId, timestamp: border + (n - 60) * MINUTE }),
  );
  const notes: Noted[] = [['read', 0, border - 10 * MINUTE]];
  const follow = async (
    store: ReturnType<typeof fakeStore>,
    more: string[],
    isEnough: (text: string) => boolean,
  ) => {
    const read = reader();
    const args = ['logs', ZONE, '-f', '--from', new Date(border - HOUR).toISOString(), ...more];
    const history = async () => ({ ok: true as const, value: store.open });
    const running = printed(args, { ...read.parts, history });
    if (more.length === 0) {
      await read.until(isEnough);
      read.interrupt();
    }
    return { ...(await running), out: read.text() };
  };
  const store = fakeStore({ zone: pullZoneId, rows, notes });
  const { out, err, code } = await follow(
    store,
    [],
    moreThan(0, (text) => rowsSince(text, started)),
  );
  assert.equal(code, 130);
  assert.match(err, /HISTORY duckdb: \S+ to \S+ comes from the store main/);
  const lines = objectsOf(out);
  const ids = lines.flatMap(({ requestId }) => (requestId === undefined ? [] : [String(requestId)]));
  assert.deepEqual(
    ids.slice(0, 30),
    rows.map(({ requestId }) => requestId),
  );
  const known = new Set(ids);
  assert.equal(known.size, ids.length);
  const kept = truth(border + 2 * MINUTE, started).filter((row) => row.visibleAt < started);
  assert.ok(kept.length > 1_000);
  assert.deepEqual(
    kept.filter(({ entry }) => !known.has(entry.requestId)),
    [],
  );
  const gaps = lines.flatMap(({ _gap }) =>
    _gap === undefined ? [] : [_gap as { from: string; to: string }],
  );
  assert.deepEqual(
    gaps.map(({ from }) => Date.parse(from)),
    [border - 10 * MINUTE],
  );
  assert.ok(Date.parse(gaps[0]?.to ?? '') >= border, 'the gap ends where the platform goes on');
  assert.ok(store.isClosed());

  const few = await follow(fakeStore({ zone: pullZoneId, rows, notes }), ['--limit', '7'], () => true);
  assert.equal(few.code, 0);
  assert.deepEqual(
    objectsOf(few.out).map(({ requestId }) => requestId),
    ids.slice(0, 7),
  );

  const fails = fakeStore({ zone: pullZoneId, rows, notes, fails: 'open' });
  const failing = await follow(fails, ['--limit', '7'], () => true);
  assert.equal(failing.code, 1, 'what the store did not answer is told by the exit code');
  assert.match(linesOfText(failing.out)[0] ?? '', /_gap.*"reason":"failed"/);
});
