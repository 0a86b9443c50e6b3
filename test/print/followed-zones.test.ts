import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureKind } from '../../src/domain/failure.ts';
import { tailFaultOf } from '../../src/domain/tail/tail-pace.ts';
import { parseWatch } from '../../src/domain/watch/watch.ts';
import { row, rowsEvery, START } from '../effects/support/harness.ts';
import { randomOf, rowsOf, type Traffic } from '../effects/support/model-rows.ts';
import type { ModelFault } from '../effects/support/model-server.ts';
import { fault, traffic } from '../effects/support/scenarios.ts';
import { fc, runs } from '../support/properties.ts';
import { type FollowedLog, follow } from './followed-support.ts';

const MINUTE = 60_000;
const EVER = 24 * 60 * MINUTE;

/** A row of a healthy zone is printed within this of its time, ms: a poll, an answer and what it waits for others. */
const SOON = 2_500;

/** More rows in an answer than any zone here has waiting. */
const HEALTHY_LIMIT = 10_000;

/** What was once read may have late rows for so long, and is read again by then, ms. */
const SETTLED_AFTER = 8 * MINUTE;

const healthy: FollowedLog = { rows: rowsEvery(250, -MINUTE, 30 * MINUTE) };
const failing = (failure: FailureKind, from = -MINUTE, to = EVER): ModelFault => ({
  kind: 'failure',
  failure,
  retryIn: null,
  from,
  to,
});
const silent: FollowedLog = { ...healthy, faults: [{ kind: 'hang', from: -MINUTE, to: EVER }] };

type Log = ReturnType<typeof follow>;

/**
 * How long after their time rows of a zone were printed, those left out that came before it was followed: the window up to then is
 * printed in order, and waits for all zones.
 */
const delays = (log: Log, zone: string) => {
  const followed = log.servers[Number(zone) - 1]?.requests.find(({ order }) => order === 'desc')?.at ?? START;
  return log.rows
    .filter((each) => each.zone === zone && each.time > followed)
    .map(({ at, time }) => at - time);
};

const ofZone = (log: Log, zone: string) => log.rows.filter((each) => each.zone === zone);

test('zones that all answer are followed as one log in order of time, each row once', async () => {
  const zones = [200, 330, 510].map((every) => ({ rows: rowsEvery(every, -MINUTE, 5 * MINUTE) }));
  const log = follow(zones, { query: 'last:40s' });
  await log.pass(2 * MINUTE);
  await log.interrupt();
  const times = log.rows.map(({ time }) => time);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  for (const [at, { rows }] of zones.entries()) {
    const due = rows.filter(({ time }) => time >= START - 40_000 && time < START + 2 * MINUTE - SOON);
    const shown = ofZone(log, String(at + 1)).map(({ time }) => time);
    assert.deepEqual(
      shown.slice(0, due.length),
      due.map(({ time }) => time),
    );
    assert.equal(new Set(shown).size, shown.length);
    assert.ok(Math.max(...delays(log, String(at + 1))) < SOON);
  }
  assert.deepEqual([log.code(), log.gaps], [130, []]);
  assert.match(log.said(), /may still come/);
});

test('a zone that never answers keeps no other waiting, is named, and all its time is a gap of its own', async () => {
  const log = follow([healthy, silent, healthy]);
  await log.pass(5 * MINUTE);
  for (const zone of ['1', '3']) {
    assert.ok(Math.max(...delays(log, zone)) < SOON, `${Math.max(...delays(log, zone))} ms`);
    assert.ok(delays(log, zone).length > 1_100);
  }
  await log.interrupt();
  assert.deepEqual([...new Set(log.gaps.map(({ zone }) => zone))], ['2']);
  const first = log.gaps.toSorted((a, b) => a.from - b.from);
  assert.equal(first[0]?.from, START - 10_000);
  for (const [at, gap] of first.entries()) assert.equal(gap.to, first[at + 1]?.from ?? gap.to);
  assert.ok((first.at(-1)?.to ?? 0) >= log.clock.real - 1_000);
  assert.match(log.said(), /z2: /);
  assert.equal(log.code(), 130);
});

test('a zone that answers again after a while comes in with what it missed, and says so by its name', async () => {
  const late: FollowedLog = { ...healthy, faults: [failing('serverError', 20_000, 50_000)] };
  const log = follow([healthy, late]);
  await log.pass(3 * MINUTE);
  assert.ok(Math.max(...delays(log, '1')) < SOON);
  const shown = new Set(ofZone(log, '2').map(({ time }) => time));
  const due = healthy.rows.filter(({ time }) => time > START && time < START + 2 * MINUTE);
  assert.deepEqual(
    due.filter(({ time }) => !shown.has(time)),
    [],
  );
  assert.match(log.said(), /z2: .* Still following\..*\n[\s\S]*z2: the API answers again/);
  assert.doesNotMatch(log.said(), /z1: /);
  await log.interrupt();
});

test('a refused zone is told once with its reason, and the others are followed; with none left it ends', async () => {
  const off: FollowedLog = { ...healthy, faults: [failing('loggingDisabled')] };
  const log = follow([healthy, off]);
  await log.pass(MINUTE);
  assert.equal(log.code(), null);
  assert.equal(log.said().match(/z2: Logging is switched off/g)?.length, 1, log.said());
  assert.doesNotMatch(log.said(), /Still following/);
  assert.ok(
    log.gaps.length > 0 && log.gaps.every(({ zone, reason }) => zone === '2' && reason === 'refused'),
  );
  await log.interrupt();
  assert.equal(log.code(), 130);
  const none = follow([off, { ...healthy, faults: [failing('suspended', 5_000)] }]);
  await none.pass(MINUTE);
  assert.equal(none.code(), 1);
  assert.ok(none.gaps.some(({ zone }) => zone === '1'));
  assert.match(none.said(), /z1: Logging is switched off[\s\S]*z2: The zone is suspended/);
  const limited = follow([healthy, off], { limit: 20 });
  await limited.pass(MINUTE);
  assert.deepEqual([limited.code(), limited.rows.length], [1, 20]);
});

test('an interrupt while one zone still reads its window leaves nothing unsaid', async () => {
  const log = follow([healthy, silent], { query: 'last:30s' });
  await log.pass(3_000);
  await log.interrupt();
  assert.equal(log.code(), 130);
  assert.deepEqual(
    log.gaps.map(({ zone, from, reason }) => ({ zone, from: from - START, reason })),
    [{ zone: '2', from: -30_000, reason: 'notRead' }],
  );
  assert.ok((log.gaps[0]?.to ?? 0) >= log.clock.real - 1_000);
  assert.match(log.said(), /everything before 2026-01-09T23:59:30.000Z is printed/);
});

test('what waits for another zone when the end comes is printed', async () => {
  for (const seconds of [20, 20.2, 20.4, 20.6, 20.8]) {
    const log = follow([healthy, silent]);
    await log.pass(seconds * 1_000);
    await log.interrupt();
    const shown = new Set(log.rows.map(({ time }) => time));
    const came = log.answered.map(({ timestamp }) => timestamp).filter((time) => time >= START - 10_000);
    assert.ok(came.length > 50);
    assert.deepEqual(
      came.filter((time) => !shown.has(time)),
      [],
      `after ${seconds} s`,
    );
  }
});

test('--until waits for every zone, and judges no minute that one of them lacks', async () => {
  const read = parseWatch('rate>1/s', 'logs');
  assert.ok(read.ok);
  const at = (log: Log) => (log.clock.real - START) / MINUTE;
  const both = follow([healthy, healthy], { watch: read.watch });
  while (both.code() === null) await both.pass(1_000);
  assert.equal(both.code(), 10);
  assert.ok(at(both) < 1.6, `${at(both)} min`);
  // The first two minutes of the other zone are read when it answers, and are a gap of its window until then.
  const slow: FollowedLog = { ...healthy, faults: [{ kind: 'hang', from: 30_000, to: 100_000 }] };
  const later = follow([healthy, slow], { watch: read.watch });
  await later.pass(95_000);
  assert.equal(later.code(), null, 'the first minute was judged before both zones were read');
  while (later.code() === null) await later.pass(1_000);
  assert.equal(later.code(), 10);
  const off = follow([healthy, { ...healthy, faults: [failing('loggingDisabled', 5_000)] }], {
    watch: read.watch,
  });
  await off.pass(MINUTE);
  assert.equal(off.code(), 1);
  assert.match(off.said(), /judged over all zones together, so it ends here/);
});

test('both zones count for what --until measures', async () => {
  const read = parseWatch('rate>7.5/s', 'logs');
  assert.ok(read.ok);
  const one = follow([healthy], { watch: read.watch });
  await one.pass(4 * MINUTE);
  assert.equal(one.code(), null);
  await one.interrupt();
  const both = follow([healthy, healthy], { watch: read.watch });
  await both.pass(4 * MINUTE);
  assert.equal(both.code(), 10);
});

test('--limit counts the rows of all zones', async () => {
  const log = follow([healthy, healthy], { limit: 200 });
  await log.pass(MINUTE);
  assert.deepEqual([log.code(), log.rows.length], [0, 200]);
  assert.match(log.said(), /stopped after 200 rows/);
});

test('rows of equal identity in two zones are two rows', async () => {
  const same = { rows: [row(2_000), row(4_000), ...rowsEvery(500, -MINUTE, MINUTE)] };
  const log = follow([same, same]);
  await log.pass(20_000);
  await log.interrupt();
  assert.equal(log.rows.filter(({ time }) => time === START + 2_000).length, 4);
});

/** A zone of the model. The third of three has nothing wrong, and shows that the others cost it nothing. */
const troubled = fc.record({
  seed: fc.integer(),
  traffic,
  faults: fc.array(fault, { maxLength: 4 }),
  limit: fc.constantFrom(20, 200, HEALTHY_LIMIT),
});

const DURATION = 16 * MINUTE;

/** By so much at most a row waits for those of other zones, ms: a poll while older time is read beside it, and its answer. */
const POLL = 1_200;

type Zone = { seed: number; traffic: Traffic; faults: readonly ModelFault[]; limit: number };

/** Its clock is right: what a wrong one does to a tail is the model's of one zone. */
function logOf({ seed, traffic: each, faults, limit }: Zone): FollowedLog & Pick<Zone, 'faults' | 'limit'> {
  const rows = rowsOf({ ...each, fastShare: 0 }, START - 3 * MINUTE, START + DURATION, randomOf(seed));
  return { rows, limit, faults: faults.filter(({ kind }) => kind !== 'date') };
}

test('three zones with faults of their own: each row once or in a gap of its zone, and no zone waits for another', async () => {
  let printed = 0;
  let told = 0;
  const calm: Traffic = {
    rate: 4,
    grain: 1,
    lateShare: 0,
    lateMost: 0,
    bareShare: 0.3,
    fastShare: 0,
    fastMost: 0,
    silence: [0, 0],
  };
  const third = { seed: 7, traffic: calm, faults: [], limit: HEALTHY_LIMIT };
  const alone = follow([logOf(third)], { query: 'last:2m' });
  await alone.pass(DURATION);
  await alone.interrupt();
  const slowestAlone = Math.max(...delays(alone, '1'));
  await fc.assert(
    fc.asyncProperty(troubled, troubled, fc.boolean(), async (first, second, isSilent) => {
      const logs = [first, second, third].map(logOf);
      const [, other] = logs;
      if (other && isSilent) other.faults = [{ kind: 'hang', from: -MINUTE, to: EVER }];
      const log = follow(logs, { query: 'last:2m' });
      await log.pass(DURATION);
      assert.equal(log.code(), null, log.said());
      await log.interrupt();
      for (const [at, each] of logs.entries()) checkZone(log, String(at + 1), each);
      const slowest = Math.max(...delays(log, '3'));
      assert.ok(slowest < slowestAlone + POLL, `a row of a healthy zone came after ${slowest} ms`);
      printed += log.rows.length;
      told += log.gaps.length;
    }),
    { numRuns: runs(2) },
  );
  console.log(`three zones: ${printed} rows printed, ${told} gaps told, 0 lost, 0 doubled`);
});

function checkZone(
  log: Log,
  zone: string,
  { rows, faults, limit }: FollowedLog & Pick<Zone, 'faults' | 'limit'>,
): void {
  const gaps = log.gaps.filter((gap) => gap.zone === zone);
  for (const [at, gap] of gaps.entries())
    for (const other of gaps.slice(at + 1))
      assert.ok(other.to <= gap.from || other.from >= gap.to, `two gaps of zone ${zone} name one moment`);
  const reasons = new Set<string>(['overload', 'overflow', 'notRead']);
  for (const each of faults) {
    reasons.add(each.kind === 'failure' ? tailFaultOf(each.failure).reason : 'offline');
    // The window before it is followed is one read, which failed, whatever the tail would call it.
    if (each.kind === 'failure') reasons.add('failed');
  }
  // Small answers alone can be too few for a busy zone.
  const mayLack = faults.length > 0 || limit < HEALTHY_LIMIT;
  for (const { reason } of gaps) assert.ok(mayLack && reasons.has(reason), `zone ${zone}: ${reason}`);
  const left = new Map<string, number>();
  const keyOf = (time: number, path: string) => `${time} ${path}`;
  for (const { record } of rows) {
    const key = keyOf(record.timestamp, record.path);
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  // Of rows that are alike nobody can say which of them came.
  const alone = new Set([...left].flatMap(([key, count]) => (count === 1 ? key : [])));
  for (const { time, path } of ofZone(log, zone)) {
    const key = keyOf(time, path);
    const count = left.get(key) ?? 0;
    assert.ok(count > 0, `zone ${zone}: a row was printed twice or made up`);
    left.set(key, count - 1);
  }
  // Where answers are too few for the rows, what came late is asked for again as soon as there is time, however late that is.
  const isBehind = limit < HEALTHY_LIMIT;
  const came = new Set(
    log.answered.filter((each) => each.pullZoneId === zone).map((each) => keyOf(each.timestamp, each.path)),
  );
  for (const { time, record } of rows) {
    const key = keyOf(time, record.path);
    const isDue = isBehind ? came.has(key) && alone.has(key) : time < log.clock.real - SETTLED_AFTER;
    const isMissing = (left.get(key) ?? 0) > 0;
    const isTold = gaps.some(({ from, to }) => time >= from && time < to);
    const isAsked = time >= START - 2 * MINUTE;
    assert.ok(
      !isAsked || !isDue || !isMissing || isTold,
      `zone ${zone}: a row of ${time - START} ms was lost`,
    );
  }
}
