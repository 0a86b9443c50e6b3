import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTail, pathsOf, row, rowsEvery, START } from './support/harness.ts';
import { randomOf, recordOf } from './support/model-rows.ts';

const MINUTE = 60_000;

test('the first request brings the newest rows at once, and offers what lies before as a gap', async () => {
  const { pass, report, rows, server } = openTail({ rows: rowsEvery(100, -10 * MINUTE, MINUTE) });
  await pass(100);
  assert.equal(rows.length, 500);
  assert.deepEqual(
    server.requests.map(({ order, limit, priority }) => ({ order, limit, priority })),
    [{ order: 'desc', limit: 500, priority: 'user' }],
  );
  const [gap, ...others] = report().gaps;
  assert.equal(gap?.reason, 'notRead');
  assert.ok(gap !== undefined && Math.abs(gap.from - (START - 15 * MINUTE)) < 3_000);
  assert.equal(gap?.to, rows[0] === undefined ? null : rows[0].record.timestamp + 1);
  assert.deepEqual(others, []);
});

test('nothing is called complete before some of it was read once more', async () => {
  const { pass, reports, report } = openTail({ rows: rowsEvery(100, -10 * MINUTE, 10 * MINUTE) });
  await pass(60_000);
  assert.ok(reports.length > 20);
  assert.deepEqual([...new Set(reports.map(({ watermark }) => watermark))], [null]);
  await pass(7 * MINUTE);
  assert.ok((report().watermark ?? 0) > START);
});

test('rows are in order within an answer, and a row that comes seconds behind an answer over its time is late', async () => {
  const { pass, report, rows } = openTail({ rows: [row(5_000), row(6_000), row(4_000, 8_000), row(20_000)] });
  await pass(30_000);
  assert.deepEqual(
    rows.map(({ record, late }) => [record.path, late]),
    [
      ['/5000', false],
      ['/6000', false],
      ['/4000', true],
      ['/20000', false],
    ],
  );
  assert.equal(report().late, 1);
  assert.equal(report().unique, 4);
  assert.equal(report().seen, report().unique + report().duplicates);
});

test('rows that are as late as most of the stream have no mark, and one that is much later has', async () => {
  // Four rows a second, none of them in order.
  for (const [most, far] of [
    [3_000, 12_000],
    [20_000, 60_000],
  ] as const) {
    const usual = Array.from({ length: 960 }, (_, n) =>
      row(n * 250, ((n * 7) % 10) * (most / 10), `/usual/${n}`),
    );
    const { pass, report, rows } = openTail({ rows: [...usual, row(150_001, far, '/far')] });
    await pass(8 * MINUTE);
    const behind = rows.filter(({ record }, at) => record.timestamp < (rows[at - 1]?.record.timestamp ?? 0));
    const marked = rows.filter(({ late }) => late);
    assert.ok(behind.length > 150, `${behind.length} came after newer ones`);
    assert.ok(marked.some(({ record }) => record.path === '/far'));
    // Until their delay is known those of a slow stream are marked; after that hardly one is.
    assert.ok(marked.length < rows.length / 20, `${marked.length} of ${rows.length}`);
    assert.ok(
      !marked.some(({ record: { timestamp, path } }) => path !== '/far' && timestamp > START + MINUTE),
    );
    assert.equal(report().late, marked.length);
  }
});

test('a row is on its way at most one poll after it can be read', async () => {
  const { clock, pass, rows, reports } = openTail({ rows: rowsEvery(3_000, 0, 2 * MINUTE) });
  const seen: number[] = [];
  while (clock.real < START + MINUTE) {
    const before = rows.length;
    await pass(20);
    for (const { record } of rows.slice(before)) seen.push(clock.real - record.timestamp);
  }
  assert.ok(seen.length > 15);
  assert.ok(Math.max(...seen) < 1_300, `${Math.max(...seen)}`);
  assert.ok(reports.length > 0);
});

test('rows that all come half a minute late are shown when they come, not when they are final', async () => {
  const late = rowsEvery(500, -MINUTE, 3 * MINUTE).map((r) => ({ ...r, visibleAt: r.time + 30_000 }));
  const { clock, pass, rows } = openTail({ rows: late });
  await pass(2 * MINUTE);
  const newest = Math.max(...rows.map(({ record }) => record.timestamp));
  assert.ok(clock.real - newest < 32_500, `${clock.real - newest}`);
});

test('a row of a slow zone is fetched five times at most, and none is missed that is up to five minutes late', async () => {
  for (const rate of [5, 20]) {
    const random = randomOf(rate);
    const rows = Array.from({ length: rate * 840 }, (_, n) => {
      const time = START + Math.floor((n * 1000) / rate);
      // As the simulator has it; a few come later than the documentation allows for.
      const late =
        n % 200 > 0 ? 150 + random() * 1_750 : n % 2_000 > 0 ? 5_000 + random() * 85_000 : random() * 300_000;
      return { ...row(time - START, Math.floor(late), `/${n}`), record: recordOf(time, `${n}`, `/${n}`) };
    });
    const { clock, pass, report, rows: shown } = openTail({ rows });
    const visible = new Map(rows.map(({ record, visibleAt }) => [record.path, visibleAt]));
    const waits: number[] = [];
    for (let second = 0; second < 840; second += 1) {
      await pass(1_000);
      for (const { record } of shown.slice(waits.length))
        waits.push(clock.real - (visible.get(record.path) ?? 0));
    }
    const { seen, unique, gaps } = report();
    assert.ok(seen <= 5 * unique, `${rate} rows/s: ${seen} fetched for ${unique}`);
    const readable = rows.filter(
      ({ time, visibleAt }) => time > START + 1_000 && visibleAt < clock.real - 6 * MINUTE,
    );
    const paths = new Set(pathsOf(shown));
    assert.ok(readable.every(({ record }) => paths.has(record.path)));
    assert.equal(paths.size, shown.length);
    assert.deepEqual(
      gaps.filter(({ to }) => to > START),
      [],
    );
    // Half of the late ones come on screen before the final read.
    const late = waits.filter((_, at) => {
      const { timestamp, path } = shown[at]?.record ?? rows[0]?.record ?? assert.fail();
      return (visible.get(path) ?? 0) - timestamp > 5_000;
    });
    const soon = late.filter((wait) => wait < 2 * MINUTE).length;
    assert.ok(late.length >= 10 && soon >= late.length / 2, `${soon} of ${late.length}`);
  }
});

test('rows that come a moment late are shown when they come from the start on, though the Date header tells whole seconds only', async () => {
  // The newest rows reach back to just before the whole second: against that second they seem to have come all at once.
  const busy = rowsEvery(2, -2_000, 20_000).map((r, i) =>
    i % 10 === 0 ? { ...r, visibleAt: r.time + 1_500 } : r,
  );
  const { clock, pass, rows } = openTail({ rows: busy, tuning: { firstRows: 21 } });
  await pass(10_000);
  const shown = new Set(rows.map(({ record }) => record.requestId));
  const missed = busy.filter(
    ({ time, visibleAt, record }) =>
      time > START && visibleAt < clock.real - 1_500 && !shown.has(record.requestId),
  );
  assert.deepEqual(
    missed.map(({ time }) => time - START),
    [],
  );
});

test('time is final six minutes later by another read, and the rows found then are late', async () => {
  const { pass, report, rows } = openTail({
    rows: [row(10_000, 5 * MINUTE, '/late'), ...rowsEvery(1_000, 0, MINUTE)],
  });
  await pass(2 * MINUTE);
  const first = report();
  assert.ok(first.completeTo !== null && first.completeTo > START + MINUTE);
  assert.ok(first.watermark !== null && first.watermark < START);
  await pass(6 * MINUTE);
  const { watermark } = report();
  assert.ok(watermark !== null && watermark > START + MINUTE);
  assert.deepEqual(
    rows.filter(({ late }) => late).map(({ record }) => record.path),
    ['/late'],
  );
});

test('rows of one time without an id that are the same in all fields are all shown, once each', async () => {
  const twin = { time: START + 1_000, visibleAt: START + 1_000, record: recordOf(START + 1_000, null) };
  const third = { ...twin, visibleAt: START + 8_000 };
  const { pass, rows } = openTail({ rows: [twin, { ...twin }, third, row(5_000)] });
  await pass(MINUTE);
  assert.equal(rows.length, 4);
});

test('a row that the server gives in another shape is shown raw, once', async () => {
  const broken = row(1_000);
  broken.record.raw = '{"odd":1}';
  const { pass, report, rows } = openTail({ rows: [broken, row(2_000)] });
  await pass(8 * MINUTE);
  assert.equal(rows.length, 2);
  assert.equal(report().bad, 1);
  assert.ok((report().watermark ?? 0) > START + 2_000);
});

test('more rows in one millisecond than an answer holds leave an overflow gap of that millisecond', async () => {
  const crowd = Array.from({ length: 9 }, (_, i) => row(5_000, 0, `/${'x'.repeat(i)}`));
  const { pass, report, rows } = openTail({ rows: [...crowd, row(4_000), row(6_000)], limit: 5 });
  await pass(MINUTE);
  assert.deepEqual(
    report().gaps.map(({ from, to, reason }) => ({ from, to, reason })),
    [{ from: START + 5_000, to: START + 5_001, reason: 'overflow' }],
  );
  assert.ok(rows.length >= 7);
  assert.equal(new Set(pathsOf(rows)).size, rows.length);
});

test('a tail of a zone without rows is quiet, not offline, and asks every two seconds', async () => {
  const { pass, report, server } = openTail();
  await pass(5_000);
  assert.equal(report().status, 'live');
  await pass(10_000);
  assert.equal(report().status, 'quiet');
  assert.ok(report().since < START + 1_000);
  const before = server.requests.length;
  await pass(20_000);
  assert.ok(server.requests.length - before <= 12, `${server.requests.length - before}`);
  assert.ok((report().completeTo ?? 0) > START + 30_000);
});

test('a question with a start is read from there forward, after the present is on the screen', async () => {
  const from = START - 60 * MINUTE;
  const { pass, report, rows, server } = openTail({ rows: rowsEvery(200, -60 * MINUTE, MINUTE), from });
  await pass(50);
  assert.ok(rows.length === 500 && rows.every(({ record }) => record.timestamp > START - 4 * MINUTE));
  await pass(MINUTE);
  // All but those since the last read.
  assert.ok(rows.length >= 61 * 300 - 6);
  assert.deepEqual(report().gaps, []);
  assert.ok((report().completeTo ?? 0) > START + 58_000);
  assert.ok(server.requests.filter((r) => r.to <= START).length < 12);
});

test('a question with an end is read, final, and then the tail is done', async () => {
  const { clock, pass, report, rows } = openTail({
    rows: rowsEvery(1_000, -60 * MINUTE, MINUTE),
    from: START - 40 * MINUTE,
    to: START - 20 * MINUTE,
  });
  await pass(MINUTE);
  assert.equal(rows.length, 20 * 60);
  assert.equal(report().status, 'stopped');
  assert.equal(report().watermark, START - 20 * MINUTE);
  assert.equal(clock.pending, 0);
});

test('a server that refuses windows ending after its now is asked up to now', async () => {
  const { pass, report, rows } = openTail({ rows: rowsEvery(1_000, 0, MINUTE), refusesFuture: true });
  await pass(50_000);
  assert.equal(report().status, 'live');
  assert.ok(rows.length >= 47);
});

test('the stop is prompt: one last word, no timer, no request', async () => {
  const { clock, pass, report, reports, server, stop } = openTail({ rows: rowsEvery(1_000, 0, MINUTE) });
  await pass(10_000);
  stop();
  await pass(0);
  assert.equal(clock.pending, 0);
  assert.equal(report().status, 'stopped');
  const { length } = reports;
  const asked = server.requests.length;
  await pass(MINUTE);
  assert.equal(reports.length, length);
  assert.equal(server.requests.length, asked);
});

test('half an hour of a busy zone leaves no more keys in memory than the time not yet final has rows', async () => {
  const { pass, tail } = openTail({ rows: rowsEvery(200, 0, 30 * MINUTE) });
  let most = 0;
  for (let i = 0; i < 30; i += 1) {
    await pass(MINUTE);
    most = Math.max(most, tail.held());
  }
  assert.ok(most > 1_800 && most < 2_500, `${most}`);
});

test('what was too old when the request left is a gap of its own, and is not called read', async () => {
  const rows = rowsEvery(1_000, -10 * MINUTE, MINUTE);
  const oldest = START - 4 * MINUTE;
  const { pass, report } = openTail({
    rows,
    from: START - 8 * MINUTE,
    tuning: { firstRows: 10 },
    through: (fetch) => async (request, options) => {
      if (request.from >= oldest) return fetch(request, options);
      const answer = await fetch({ ...request, from: oldest }, options);
      const gone = { from: request.from, to: oldest };
      return answer.ok ? { ok: true, value: { ...answer.value, gone } } : answer;
    },
  });
  await pass(30_000);
  assert.deepEqual(
    report().gaps.map(({ from, to, reason }) => [from - START, to - START, reason]),
    [[-8 * MINUTE, -4 * MINUTE, 'retention']],
  );
});
