import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytes, duration, percent, timeOfDay } from '../../src/text/units.ts';

const AT = Date.UTC(2025, 10, 21, 2, 14, 10, 45);

test('bytes are shown in powers of a thousand', () => {
  const shown = [0, 1, 999, 1000, 1234, 9949, 9950, 12_345, 999_499, 999_500, 1_200_000, 3.4e9, 5e15].map(
    bytes,
  );
  assert.deepEqual(shown, [
    '0B',
    '1B',
    '999B',
    '1.0K',
    '1.2K',
    '9.9K',
    '10K',
    '12K',
    '999K',
    '1.0M',
    '1.2M',
    '3.4G',
    '5.0P',
  ]);
});

test('a duration is said in its two largest units', () => {
  const spans = [
    0, 0.4, 340, 999, 1000, 41_999, 60_000, 725_000, 3_600_000, 4_320_000, 86_400_000, 273_600_000,
  ];
  assert.deepEqual(spans.map(duration), [
    '0s',
    '0s',
    '340ms',
    '999ms',
    '1s',
    '41s',
    '1m',
    '12m5s',
    '1h',
    '1h12m',
    '1d',
    '3d4h',
  ]);
  assert.equal(duration(-41_000), '-41s');
  assert.equal(duration(Number.POSITIVE_INFINITY), '-');
});

test('a clock shows UTC whatever the zone of the machine', () => {
  assert.equal(timeOfDay(AT, { zone: 'utc' }), '02:14:10');
  assert.equal(timeOfDay(AT, { zone: 'utc', millis: true }), '02:14:10.045');
  assert.equal(timeOfDay(AT, { zone: 'utc', date: true, millis: true }), '2025-11-21 02:14:10.045');
});

test('a percentage says 0 and 100 only of nothing and all', () => {
  assert.deepEqual([0, 1, 0.5, 0.042, 0.973, 0.000_001, 0.999_999, 2.5, null].map(percent), [
    '0%',
    '100%',
    '50.0%',
    '4.2%',
    '97.3%',
    '<0.1%',
    '99.9%',
    '250%',
    '-',
  ]);
});
