import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QuerySubject } from '../../src/domain/query/query.ts';
import {
  holds,
  metricOf,
  parseWatch,
  printWatch,
  WATCH_METRICS,
  type Watch,
  type WatchMetricId,
  watchReason,
} from '../../src/domain/watch/watch.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './log-rows.ts';
import { MINUTE } from './scene.ts';

function read(text: string, subject: QuerySubject = 'logs'): Watch {
  const reading = parseWatch(text, subject);
  assert.ok(reading.ok, text);
  return reading.watch;
}

function refusal(text: string, subject: QuerySubject = 'logs') {
  const reading = parseWatch(text, subject);
  assert.ok(!reading.ok, text);
  const { column, length, message, hint } = reading.error;
  return [text.slice(column, column + length), message, hint];
}

test('what cannot be watched is refused at its place, with what to write instead', () => {
  assert.deepEqual(refusal(''), ['', 'what to wait for is missing', 'hit<60%, hitbytes<80%, 4xx>10%']);
  assert.deepEqual(refusal('hot<60%'), ['hot', "'hot' cannot be waited for", 'did you mean hit<60%?']);
  assert.deepEqual(refusal('blocked>5/s'), [
    'blocked',
    'blocked is counted in Shield events',
    "edgescope shield <zone> --until 'blocked>500/min'",
  ]);
  assert.deepEqual(refusal('hit=60%'), ['=', "'=' is no comparison here", '< <= > or >=: hit<60%']);
  assert.deepEqual(refusal('hit 60%'), ['6', 'a comparison is missing', '< <= > or >=: hit<60%']);
  assert.deepEqual(refusal('hit< '), ['', 'a number is missing', 'for example hit<60%']);
  assert.deepEqual(refusal('hit<sixty%'), ['sixty%', "'sixty%' is not an amount", 'for example hit<60%']);
  assert.deepEqual(refusal('hit<60'), ['', 'its unit is missing', '%: hit<60%']);
  assert.deepEqual(refusal('rate>5%'), ['%', "'%' is not a unit of rate", '/s, /min or /h: rate>500/s']);
  assert.deepEqual(refusal('hit<0%'), ['<0%', 'this can never be', 'for example hit<60%']);
  assert.deepEqual(refusal('5xx>=101%'), ['>=101%', 'this can never be', 'for example 5xx>2%']);
  assert.deepEqual(refusal('hit<60% for ever'), [
    'for ever',
    "'for ever' is not understood",
    'nothing, or over 2m … over 60m',
  ]);
  assert.deepEqual(refusal('hit<60% over 61m')[0], 'over 61m');
});

const anyWatch: fc.Arbitrary<Watch> = fc
  .record({
    metric: fc.constantFrom(...(Object.keys(WATCH_METRICS) as WatchMetricId[])),
    sign: fc.constantFrom('<', '<=', '>', '>=' as const),
    millionths: fc.integer({ min: 1, max: 99_999_999 }),
    unit: fc.constantFrom('/s', '/min', '/h' as const),
    minutes: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ metric, sign, millionths, unit, minutes }) => {
    const { kind, subject } = metricOf(metric);
    const value = millionths / 1e6;
    return { metric, subject, sign, value, unit: kind === 'share' ? '%' : unit, minutes };
  });

test('what is printed is read again as the same', () => {
  fc.assert(
    fc.property(anyWatch, (watch) => {
      assert.deepEqual(parseWatch(printWatch(watch), watch.subject), { ok: true, watch });
    }),
    { numRuns: RUNS * 10 },
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const reading = parseWatch(text, 'logs');
      if (!reading.ok) assert.ok(reading.error.column >= 0 && reading.error.column <= text.length);
    }),
    { numRuns: RUNS * 5 },
  );
});

test('the reason says what was measured, on how many, when, and never rounds it onto the limit', () => {
  const from = Date.UTC(2026, 7, 1, 2, 14);
  assert.equal(
    watchReason(read('hit<60%'), 41.2, 12_331, { from, to: from + MINUTE }),
    'hit ratio 41 % of 12,331 requests in 02:14–02:15Z is below 60 %',
  );
  assert.match(
    watchReason(read('hit<60%'), 59.96, 9_999, { from, to: from + MINUTE }),
    /^hit ratio 59\.96 % .*below 60 %$/,
  );
  assert.equal(
    watchReason(read('blocked>500/min', 'shield'), 1204, 1204, { from, to: from + MINUTE }),
    'blocked events 1,204/min, 1,204 events in 02:14–02:15Z, is above 500/min',
  );
  fc.assert(
    fc.property(anyWatch, fc.double({ min: 0, max: 120, noNaN: true }), (watch, measured) => {
      fc.pre(holds(watch, measured) && Math.abs(measured - watch.value) > 1e-9);
      const told = /([\d,]+(?:\.\d+)?)(?: %|\/)/.exec(
        watchReason(watch, measured, 5, { from: 0, to: MINUTE }).replace(/^[45]xx/, ''),
      );
      assert.ok(holds(watch, Number(told?.[1]?.replaceAll(',', ''))), told?.[0]);
    }),
    { numRuns: RUNS * 5 },
  );
});
