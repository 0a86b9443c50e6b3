import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withRead } from '../../src/domain/health/read-traffic.ts';
import { NO_HEALTH, type ZoneHealth } from '../../src/domain/health/zone-health.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import {
  judgedSample,
  parseAccountWatch,
  printAccountWatch,
  type Watch,
} from '../../src/domain/watch/watch.ts';
import { recordOf } from '../support/state.ts';
import { MINUTE, NOON } from './scene.ts';

function read(text: string): Watch {
  const reading = parseAccountWatch(text);
  assert.ok(reading.ok, text);
  return reading.watch;
}

function refusal(text: string) {
  const reading = parseAccountWatch(text);
  assert.ok(!reading.ok, text);
  const { column, length, message, hint } = reading.error;
  return [text.slice(column, column + length), message, hint];
}

test('any stands before what a zone is watched by, and what is printed is read back', () => {
  assert.deepEqual(read(' ANY  5XX >= 2.5% '), {
    subject: 'logs',
    metric: '5xx',
    sign: '>=',
    value: 2.5,
    unit: '%',
    minutes: 1,
  });
  assert.equal(read('any blocked>500/m').subject, 'shield');
  for (const text of ['any hit<60%', 'any 4xx>10%', 'any 5xx>2%', 'any rate>500/s', 'any blocked>500/min'])
    assert.equal(printAccountWatch(read(text)), text);
});

test('what cannot be waited for in all zones is refused at its place, with what to write instead', () => {
  assert.deepEqual(refusal('5xx>5%'), [
    '5xx>5%',
    'what may hold of any zone begins with any',
    "any 5xx>5%; of one zone alone: edgescope logs <zone> --until '5xx>5%'",
  ]);
  const known = 'any hit<60%, any 4xx>10%, any 5xx>2%, any rate>500/s, any blocked>500/min';
  assert.deepEqual(refusal('any stale>5%'), ['stale', "'stale' is not known of all zones", known]);
  assert.deepEqual(refusal('any '), ['', 'what to wait for is missing', known]);
  assert.deepEqual(refusal('any 5xx=5%'), ['=', "'=' is no comparison here", '< <= > or >=: 5xx>2%']);
  assert.deepEqual(refusal('any 5xx>5% over 3m '), [
    'over 3m',
    'a sample is of the newest rows, one to five minutes of them',
    'any 5xx>5%',
  ]);
});

/** A zone of which `rows` rows were read, evenly over the last `seconds`. */
function sampled(rows: number, seconds: number, row: (n: number) => Partial<LogRecord>): ZoneHealth {
  const from = NOON - seconds * 1000;
  const records = Array.from({ length: rows }, (_, n) =>
    recordOf(0, {
      timestamp: from + Math.floor((n * seconds * 1000) / rows),
      cacheStatus: 'HIT',
      statusCode: 200,
      ...row(n),
    }),
  );
  return { ...NO_HEALTH, bins: withRead([], { from, to: NOON }, records) };
}

test('a sample is judged by its rows, and says how many they are', () => {
  const health = sampled(200, 50, (n) => (n % 10 === 0 ? { statusCode: 502, cacheStatus: 'MISS' } : {}));
  const met = judgedSample(read('any 5xx>5%'), health);
  assert.equal(met.kind === 'met' && met.reason, '5xx 10 % of 200 requests in 11:59–12:00Z is above 5 %');
  assert.equal(judgedSample(read('any 5xx>10%'), health).kind, 'no');
  assert.equal(judgedSample(read('any hit<=90%'), health).kind, 'met');
  assert.equal(judgedSample(read('any 4xx>1%'), health).kind, 'no');
  const rate = judgedSample(read('any rate>=4/s'), health);
  assert.equal(rate.kind === 'met' && rate.measured, 4);
});

test('the rate is of the time that was read, and not of the time between its samples', () => {
  const old = sampled(100, 10, () => ({}));
  const from = NOON + 50_000;
  const records = Array.from({ length: 100 }, (_, n) => recordOf(0, { timestamp: from + n * 100 }));
  const health = { ...old, bins: withRead(old.bins, { from, to: from + 10_000 }, records) };
  const verdict = judgedSample(read('any rate>1/s'), health);
  assert.equal(verdict.kind === 'met' && verdict.measured, 10);
});

test('a share of fewer than twenty requests is not judged, and neither is what was not read', () => {
  const few = judgedSample(
    read('any 5xx>5%'),
    sampled(19, 60, () => ({ statusCode: 502 })),
  );
  assert.match(few.kind === 'waiting' ? few.why : '', /19 requests, fewer than the 20/);
  assert.equal(judgedSample(read('any 5xx>5%'), NO_HEALTH).kind, 'waiting');
  assert.equal(judgedSample(read('any blocked>1/h'), NO_HEALTH).kind, 'waiting');
  const refused = { ...NO_HEALTH, blocked: { from: NOON - MINUTE, to: NOON, blocked: null } };
  assert.equal(judgedSample(read('any blocked>1/h'), refused).kind, 'waiting');
});

test('what Shield blocked is a rate of the time that was searched', () => {
  const blocked = { from: NOON - 5 * MINUTE, to: NOON, blocked: 100 };
  const verdict = judgedSample(read('any blocked>=20/min'), { ...NO_HEALTH, blocked });
  assert.equal(
    verdict.kind === 'met' && verdict.reason,
    'blocked events 20/min, 100 events in 11:55–12:00Z, is at least 20/min',
  );
});
