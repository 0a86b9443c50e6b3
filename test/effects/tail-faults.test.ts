import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TAIL_TUNING } from '../../src/domain/tail/tail-pace.ts';
import { TailBook } from '../../src/effects/tail/tail-book.ts';
import { Intake } from '../../src/effects/tail/tail-intake.ts';
import { openTail, pathsOf, row, rowsEvery, START } from './support/harness.ts';
import type { ModelFault } from './support/model-server.ts';

const MINUTE = 60_000;

function failing(
  failure: Extract<ModelFault, { kind: 'failure' }>['failure'],
  from: number,
  to: number,
  retryIn: number | null = null,
) {
  return { kind: 'failure' as const, failure, from, to, retryIn };
}

test('a link that drops for a minute is offline, and what was missed is read when it is back', async () => {
  const { pass, report, rows } = openTail({
    rows: rowsEvery(1_000, 0, 5 * MINUTE),
    faults: [failing('connectionLost', 20_000, 80_000)],
  });
  await pass(50_000);
  assert.equal(report().status, 'offline');
  assert.equal(report().failure?.kind, 'connectionLost');
  assert.ok((report().completeTo ?? 0) < START + 21_000);
  await pass(2 * MINUTE);
  assert.equal(report().status, 'live');
  assert.deepEqual(report().gaps, []);
  assert.ok(rows.length >= 165);
});

test('rows that came a moment late before an outage are shown when it is over, not when they are final', async () => {
  for (const failure of ['tooLarge', 'connectionLost', 'timeout'] as const) {
    // Every row is late, so that whichever answer was the last before the outage lacks some.
    const all = Array.from({ length: 1_200 }, (_, i) => row(i * 50, 400));
    const { pass, report, rows } = openTail({ rows: all, faults: [failing(failure, 20_000, 40_000)] });
    await pass(58_000);
    assert.deepEqual(
      report().gaps.filter(({ from }) => from > START),
      [],
      failure,
    );
    const shown = new Set(rows.map(({ record }) => record.path));
    const missing = all.filter(({ time, record }) => time < START + 55_000 && !shown.has(record.path));
    assert.deepEqual(
      missing.map(({ time }) => time - START),
      [],
      failure,
    );
  }
});

test('an outage longer than a fresh start would look back leaves a gap with its reason', async () => {
  const { pass, report } = openTail({
    rows: rowsEvery(1_000, 0, 60 * MINUTE),
    faults: [failing('dns', MINUTE, 31 * MINUTE)],
  });
  await pass(40 * MINUTE);
  const [gap, ...others] = report().gaps;
  assert.deepEqual(others, []);
  assert.equal(gap?.reason, 'offline');
  assert.ok(gap !== undefined && Math.abs(gap.from - (START + MINUTE)) < 2_000);
  assert.ok(Math.abs((gap?.to ?? 0) - (START + 16 * MINUTE)) < MINUTE);
});

test('a link that drops while a past window is read is told, and the window is read when it is back', async () => {
  const { pass, report, rows } = openTail({
    rows: rowsEvery(100, -60 * MINUTE, 0),
    from: START - 60 * MINUTE,
    to: START - 10 * MINUTE,
    faults: [failing('connectionLost', 500, 6_000)],
  });
  await pass(3_000);
  assert.equal(report().status, 'offline');
  await pass(MINUTE);
  assert.equal(report().status, 'stopped');
  assert.deepEqual(report().gaps, []);
  assert.equal(rows.length, 50 * 600);
});

test('a rate limit is waited out to the time that the server names', async () => {
  const { pass, report, server } = openTail({ faults: [failing('rateLimited', 10_000, 12_000, 8_000)] });
  await pass(12_000);
  assert.equal(report().status, 'rateLimited');
  const retryAt = report().retryAt ?? 0;
  assert.ok(retryAt > START + 17_000 && retryAt < START + 20_500);
  await pass(retryAt - START - 12_000 - 100);
  const before = server.requests.length;
  assert.equal(report().status, 'rateLimited');
  await pass(1_000);
  assert.ok(server.requests.length > before);
  assert.notEqual(report().status, 'rateLimited');
});

test('a rate limit that the head met holds back what the user asks for too', async () => {
  const { pass, report, server, tail } = openTail({
    rows: rowsEvery(100, -10 * MINUTE, MINUTE),
    faults: [failing('rateLimited', 10_000, 12_000, 8_000)],
  });
  await pass(12_000);
  const [gap] = report().gaps;
  const retryAt = report().retryAt ?? 0;
  assert.ok(gap !== undefined && retryAt > START + 17_000);
  const before = server.requests.length;
  tail.backfill(gap);
  await pass(retryAt - START - 12_000 - 100);
  assert.equal(server.requests.length, before);
  await pass(3_000);
  assert.deepEqual(report().gaps, []);
});

test('a failed read of the head right after many requests waits for its share like any other', async () => {
  const { requests, quotaWindow } = TAIL_TUNING;
  const firstWindow = async (faults: ModelFault[] = []) => {
    // More rows than an answer holds: the head asks again at once, as long as its share allows.
    const { pass, server } = openTail({ rows: rowsEvery(20, 0, MINUTE), limit: 10, faults });
    await pass(2 * quotaWindow);
    const starts = server.requests
      .filter(({ priority }) => priority === 'background')
      .map(({ at }) => at - START);
    return starts.filter((at) => at - (starts[0] ?? 0) < quotaWindow);
  };
  const last = (await firstWindow()).at(-1) ?? 0;
  const starts = await firstWindow([failing('connectionLost', last, last + quotaWindow)]);
  assert.equal(starts.length, requests);
  assert.ok(starts.at(-1) === last && last < quotaWindow / 2, `at ${last} it is not yet many`);
});

test('a machine that slept while an answer was on its way has a gap that says so, also without a Date header', async () => {
  const { clock, pass, report } = openTail({
    rows: rowsEvery(1_000, 0, 120 * MINUTE),
    latency: 3_000,
    hasDate: false,
    tuning: { clockDoubt: MINUTE },
  });
  await pass(MINUTE);
  clock.suspend(60 * MINUTE, true);
  await pass(5 * MINUTE);
  assert.deepEqual([...new Set(report().gaps.map((gap) => gap.reason))], ['slept']);
});

test('a row of an hour to come is shown, and the present is still where it was', () => {
  const intake = new Intake();
  const slice = { from: START, to: START + MINUTE };
  const o = {
    slice,
    end: Number.POSITIVE_INFINITY,
    counted: slice,
    lowest: START,
    isFinal: () => false,
    wasRead: () => false,
  };
  const { fresh } = intake.take([row(1_000).record, row(60 * MINUTE).record], {
    ...o,
    sentAt: 0,
    ceiling: START + MINUTE,
  });
  assert.equal(fresh.length, 2);
  assert.equal(intake.newest, START + 1_000);
});

test('a refusal is failed, is tried again twice a minute at most, and at once when the user says so', async () => {
  const { pass, report, server, tail } = openTail({ faults: [failing('loggingDisabled', 0, 10 * MINUTE)] });
  await pass(3 * MINUTE);
  assert.equal(report().status, 'failed');
  assert.equal(report().failure?.kind, 'loggingDisabled');
  assert.ok(server.requests.length <= 5);
  const before = server.requests.length;
  tail.refresh();
  await pass(100);
  assert.equal(server.requests.length, before + 1);
});

test('a machine that slept has a gap that says so', async () => {
  for (const isCounted of [true, false]) {
    const { clock, pass, report } = openTail({ rows: rowsEvery(1_000, 0, 120 * MINUTE) });
    clock.at(START + MINUTE, () => clock.suspend(60 * MINUTE, isCounted));
    await pass(65 * MINUTE);
    assert.deepEqual(
      report().gaps.map((gap) => gap.reason),
      ['slept'],
    );
    assert.equal(report().status, 'live');
  }
});

test('after four days nothing older than the log itself is promised', async () => {
  const { clock, pass, report } = openTail({ rows: rowsEvery(1_000, 0, MINUTE), from: START - MINUTE });
  clock.at(START + MINUTE, () => clock.suspend(4 * 24 * 60 * MINUTE, true));
  await pass(4 * 24 * 60 * MINUTE + 10 * MINUTE);
  assert.equal(report().gaps[0]?.reason, 'retention');
  assert.equal(report().gaps[1]?.reason, 'slept');
  assert.ok((report().watermark ?? 0) > clock.real - 7 * MINUTE);
});

test('a flood is left out in part and named overload, while the head stays in the present', async () => {
  const { clock, pass, report, rows } = openTail({ rows: rowsEvery(20, 0, 4 * MINUTE), limit: 10 });
  await pass(3 * MINUTE);
  assert.ok(report().gaps.some((gap) => gap.reason === 'overload'));
  assert.ok(report().gaps.every((gap) => gap.reason === 'overload' || gap.reason === 'notRead'));
  const newest = Math.max(...rows.map(({ record }) => record.timestamp));
  assert.ok(clock.real - newest < 25_000, `${clock.real - newest}`);
});

test('a gap that the user asks for is read and gone, and its rows did not come late', async () => {
  const { pass, report, rows, tail } = openTail({ rows: rowsEvery(100, -10 * MINUTE, MINUTE) });
  await pass(2_000);
  const [gap] = report().gaps;
  assert.ok(gap !== undefined);
  const before = rows.length;
  tail.backfill(gap);
  await pass(10_000);
  assert.deepEqual(report().gaps, []);
  const filled = rows.slice(before).filter(({ record }) => record.timestamp < gap.to);
  assert.equal(filled.length, 5_501);
  assert.ok(filled.every(({ late }) => !late));
});

test('a gap that is being read is reported, and can be left as far as it was read', async () => {
  const { pass, report, rows, server, tail } = openTail({
    rows: rowsEvery(20, -14 * MINUTE, MINUTE),
    latency: 2_000,
    limit: 2_000,
  });
  await pass(30_000);
  const { to } = report().gaps[0] ?? { to: 0 };
  const gap = { from: START - 12 * MINUTE, to };
  tail.backfill(gap);
  assert.deepEqual(report().reading, [gap]);
  for (let waited = 0; report().gaps.length < 2 && waited < 60; waited += 1) await pass(500);
  assert.equal(report().gaps.length, 2);
  await pass(1_000);
  const [asked, read] = [server.requests.length, rows.length];
  tail.stopBackfill();
  assert.deepEqual(report().reading, []);
  await pass(60_000);
  const rest = report().gaps.at(-1);
  assert.ok(rest !== undefined && rest.from > gap.from && rest.to === to);
  assert.ok(
    server.requests.slice(asked).every((request) => request.from > to || request.priority !== 'user'),
  );
  // A sweep reads a little before the time that it makes final.
  assert.ok(rows.slice(read).every(({ record }) => record.timestamp > to - MINUTE));
  tail.backfill(rest);
  await pass(3 * MINUTE);
  assert.deepEqual(report().reading, []);
  assert.ok(report().gaps.every((each) => each.to <= gap.from));
});

test('a gap that cannot be read stays, with the reason why', async () => {
  const { pass, report, tail } = openTail({
    rows: rowsEvery(100, -10 * MINUTE, MINUTE),
    faults: [failing('serverError', 2_000, 40_000)],
  });
  await pass(1_500);
  const [gap] = report().gaps;
  assert.ok(gap !== undefined);
  await pass(1_000);
  tail.backfill(gap);
  await pass(30_000);
  assert.deepEqual(
    report().gaps.map(({ from, to, reason }) => ({ from, to, reason })),
    [{ from: gap.from, to: gap.to, reason: 'failed' }],
  );
});

test('a read that lacks rows seen before does not make time final', async () => {
  const { pass, report } = openTail({
    rows: rowsEvery(1_000, 0, 20 * MINUTE),
    faults: [{ kind: 'lag', ms: 8 * MINUTE, from: 3 * MINUTE, to: 10 * MINUTE }],
  });
  await pass(9 * MINUTE + 50_000);
  assert.ok((report().watermark ?? 0) <= START + 1_000);
  await pass(4 * MINUTE);
  assert.ok((report().watermark ?? 0) > START + 5 * MINUTE);
  assert.deepEqual(report().gaps, []);
});

test('a row later than the bound, noticed just below final time, raises the bound', async () => {
  const late = row(5_000, 6.2 * MINUTE, '/very-late');
  const rows = rowsEvery(1_000, -MINUTE, 60 * MINUTE).filter((r) => r.time !== late.time);
  const { clock, pass, report, rows: shown } = openTail({ rows: [late, ...rows] });
  await pass(10 * MINUTE);
  assert.ok(shown.some(({ record, late: isLate }) => isLate && record.path === '/very-late'));
  await pass(10 * MINUTE);
  assert.ok(clock.real - (report().watermark ?? 0) > 7 * MINUTE);
});

for (const { off, hasDate } of [
  { off: 10 * MINUTE, hasDate: true },
  { off: 4 * MINUTE, hasDate: false },
]) {
  for (const skew of [off, -off]) {
    const name = `a clock ${skew / MINUTE} min off, ${hasDate ? 'with' : 'without'} a Date header,`;
    test(`${name} neither hides new rows nor is final too early`, async () => {
      const { clock, pass, report, rows } = openTail({
        rows: rowsEvery(1_000, -20 * MINUTE, 20 * MINUTE),
        skew,
        hasDate,
        tuning: { lateness: MINUTE, clockDoubt: 5 * MINUTE },
      });
      await pass(2 * MINUTE);
      const newest = Math.max(...rows.map(({ record }) => record.timestamp));
      assert.ok(clock.real - newest < 3_000, `${clock.real - newest}`);
      await pass(10 * MINUTE);
      const { watermark } = report();
      assert.ok(watermark !== null && watermark > START && watermark < clock.real - MINUTE);
      assert.ok(rows.filter(({ record }) => record.timestamp >= START).length >= 12 * 60 - 3);
    });
  }
}

const YEAR_9999 = Date.UTC(9999, 11, 31) - START;

for (const [name, dates] of [
  ['one Date ten minutes ahead', [{ ms: 10 * MINUTE, from: 30_000, to: 30_700 }]],
  ['a first Date ten minutes ahead', [{ ms: 10 * MINUTE, from: 0, to: 100 }]],
  ['one Date of the year 9999', [{ ms: YEAR_9999, from: 30_000, to: 30_700 }]],
  ['a Date always ten minutes ahead', [{ ms: 10 * MINUTE, from: 0, to: 60 * MINUTE }]],
  ['a Date always ten minutes behind', [{ ms: -10 * MINUTE, from: 0, to: 60 * MINUTE }]],
  ['a Date always of the year 9999', [{ ms: YEAR_9999, from: 0, to: 60 * MINUTE }]],
  ['a Date of any time', [{ ms: 0, spread: 10 * MINUTE, from: 0, to: 60 * MINUTE }]],
  [
    'a Date that goes back and then is gone',
    [
      { ms: -10 * MINUTE, from: MINUTE, to: 3 * MINUTE },
      { ms: null, from: 3 * MINUTE, to: 8 * MINUTE },
    ],
  ],
] as const) {
  test(`${name} loses no row, opens no gap, and nothing is complete to a time yet to come`, async () => {
    const all = rowsEvery(300, 0, 20 * MINUTE);
    const faults = dates.map((date) => ({ kind: 'date' as const, ...date }));
    const { clock, pass, report, rows } = openTail({ rows: all, faults, from: START });
    while (clock.real < START + 10 * MINUTE) {
      await pass(500);
      const { completeTo, watermark, gaps } = report();
      assert.ok((completeTo ?? 0) <= clock.real, `complete ${(completeTo ?? 0) - clock.real} ms ahead`);
      assert.ok((watermark ?? 0) <= clock.real - 6 * MINUTE);
      assert.deepEqual(gaps, []);
    }
    const due = all.filter(({ time }) => time < clock.real - 3_000).map(({ record }) => record.path);
    assert.deepEqual(pathsOf(rows).slice(0, due.length), due);
    assert.ok((report().watermark ?? 0) > START + 2 * MINUTE);
  });
}

test('a zone without a row claims no more than the least of what Date and clock say, and is not kept from going on', async () => {
  for (const skew of [10 * MINUTE, -10 * MINUTE]) {
    const { clock, pass, report } = openTail({ skew, rows: [row(8 * MINUTE)] });
    await pass(5 * MINUTE);
    const behind = clock.real - (report().completeTo ?? 0);
    assert.ok(behind >= 0 && behind < Math.max(0, -skew) + 5_000, `${behind}`);
    await pass(5 * MINUTE);
    assert.ok(clock.real - (report().completeTo ?? 0) < 5_000, 'a row has told the time');
    assert.deepEqual(
      report().gaps.filter(({ to }) => to > START),
      [],
    );
  }
});

test('the last five minutes by a clock that is wrong are the last five minutes of the server', async () => {
  for (const skew of [10 * MINUTE, -10 * MINUTE, 5 * 60 * MINUTE, -5 * 60 * MINUTE]) {
    const { pass, report, rows } = openTail({
      rows: rowsEvery(1_000, -20 * MINUTE, MINUTE),
      from: START + skew - 5 * MINUTE,
      isRelative: true,
      skew,
    });
    await pass(15_000);
    const times = rows.map(({ record }) => record.timestamp - START);
    assert.ok(Math.abs(Math.min(...times) + 5 * MINUTE) <= 2_000, `${skew}: from ${Math.min(...times)}`);
    assert.ok(Math.max(...times) > 11_000);
    assert.ok(Math.abs((report().clockAhead ?? 0) - skew) < 2_000, `${report().clockAhead}`);
    assert.equal(new Set(times).size, Math.floor((Math.max(...times) - Math.min(...times)) / 1_000) + 1);
    assert.deepEqual(report().gaps, []);
  }
});

test('a server that sorts nothing, and puts the end of a window into it, is followed in order and each row once', async () => {
  const all = rowsEvery(500, -10 * MINUTE, 5 * MINUTE);
  for (const to of [null, START + 100_000]) {
    const { clock, pass, report, rows } = openTail({ rows: all, isSloppy: true, from: START, to });
    await pass(2 * MINUTE);
    const due = all.filter(({ time }) => time >= START && time < (to ?? clock.real - 2_000));
    assert.deepEqual(
      pathsOf(rows).slice(0, to === null ? due.length : rows.length),
      due.map(({ record }) => record.path),
    );
    assert.deepEqual(report().gaps, []);
  }
});

test('a clock that is set under a followed log changes nothing that is said', async () => {
  const all = rowsEvery(300, 0, 20 * MINUTE);
  const { clock, pass, report, rows } = openTail({ rows: all, from: START });
  for (const step of [10 * MINUTE, -25 * MINUTE, 3 * 60 * MINUTE, -3 * 60 * MINUTE]) {
    await pass(2 * MINUTE);
    clock.step(step);
    for (let i = 0; i < 20; i += 1) {
      await pass(500);
      assert.ok((report().completeTo ?? 0) <= clock.real);
      assert.ok(clock.real - (report().completeTo ?? 0) < 6_000);
    }
  }
  assert.deepEqual(report().gaps, []);
  const due = all.filter(({ time }) => time < clock.real - 3_000).map(({ record }) => record.path);
  assert.deepEqual(pathsOf(rows).slice(0, due.length), due);
});

test('memory has a bound: beyond it the oldest time that is not final becomes a gap', async () => {
  const { pass, report, rows, tail } = openTail({
    rows: rowsEvery(100, 0, 10 * MINUTE),
    tuning: { keysMost: 1_000 },
  });
  await pass(5 * MINUTE);
  assert.ok(tail.held() <= 1_100);
  const [gap] = report().gaps;
  assert.equal(gap?.reason, 'overload');
  const before = rows.length;
  tail.backfill({ from: gap?.from ?? 0, to: gap?.to ?? 0 });
  await pass(2_000);
  assert.ok(
    rows.slice(before).every(({ record }) => record.timestamp >= (gap?.to ?? 0)),
    'forgotten time is not read again',
  );
});

test('an endless number of gaps is kept to a bound, the oldest become one', async () => {
  const { pass, report } = openTail({
    rows: rowsEvery(20, 0, 30 * MINUTE),
    limit: 10,
    tuning: { segmentsMost: 20 },
  });
  await pass(10 * MINUTE);
  assert.ok(report().gaps.length <= 21);
  assert.ok((report().completeTo ?? 0) > START + 8 * MINUTE);
});

test('what was read no more for a sleep is blamed on it, too, where the first answer after it was on its way before', () => {
  const book = new TailBook(TAIL_TUNING, Number.POSITIVE_INFINITY);
  const start = Date.UTC(2026, 10, 19, 12);
  const asleep = 60_000;
  // A monotonic clock that stands still meanwhile. What the server said before the sleep arrives after it.
  const hear = (at: number, { slept, told }: { slept: number; told: number }) => {
    const steady = start + at;
    const answer = {
      date: start + at + told,
      newestRow: start + at + told - 500,
      sentAt: steady - 100,
      receivedAt: steady,
    };
    book.observe(answer, { steady, wall: steady + slept });
  };
  hear(0, { slept: 0, told: 0 });
  // What the first answer of all leaps over is no sleep.
  book.causes = [];
  hear(1_000, { slept: asleep, told: 0 });
  for (const at of [2_000, 3_000, 4_000]) hear(at, { slept: asleep, told: asleep });
  assert.deepEqual([...new Set(book.causes.map(({ reason }) => reason))], ['slept']);
});
