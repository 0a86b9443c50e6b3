import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TimeWindow } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { parseWindow, windowText } from '../../src/domain/query/window-text.ts';
import { excessGrowth } from '../support/growth.ts';
import { fc } from '../support/properties.ts';
import { oddText, RUNS } from './query-cases.ts';

/** 2026-11-22 14:30 UTC, a Sunday. */
const NOW = Date.UTC(2026, 10, 22, 14, 30);
const minute = 60_000;

function windowOf(text: string, now = NOW): TimeWindow {
  const parsed = parseWindow(text, now);
  assert.ok(parsed.ok, `${text}: ${parsed.ok ? '' : parsed.error.message}`);
  return parsed.window;
}

function between(from: string, to: string | null): TimeWindow {
  return { kind: 'absolute', from: Date.parse(from), to: to === null ? null : Date.parse(to) };
}

function why(text: string, now = NOW): string {
  const parsed = parseWindow(text, now);
  assert.ok(!parsed.ok, `${text} was understood as ${parsed.ok ? windowText(parsed.window) : ''}`);
  const { column, length, message, hint } = parsed.error;
  assert.ok(column >= 0 && length >= 1 && column + length <= text.length + 1, text);
  return `${message}; ${hint}`;
}

describe('a window as it is typed', () => {
  test('a day is the whole of it, and today is not over', () => {
    const whole = between('2026-11-21T00:00Z', '2026-11-22T00:00Z');
    for (const text of ['yesterday', 'Yesterday', '11-21', '2026-11-21'])
      assert.deepEqual(windowOf(text), whole, text);
    for (const text of ['today', '11-22', '2026-11-22'])
      assert.deepEqual(windowOf(text), between('2026-11-22T00:00Z', null), text);
    assert.deepEqual(windowOf('11-20..11-21'), between('2026-11-20T00:00Z', '2026-11-22T00:00Z'));
    assert.deepEqual(windowOf('yesterday to today'), between('2026-11-21T00:00Z', null));
  });

  test('a day without its year is the last one that has begun', () => {
    assert.deepEqual(windowOf('11-23'), between('2025-11-23T00:00Z', '2025-11-24T00:00Z'));
    assert.deepEqual(windowOf('02-29'), between('2024-02-29T00:00Z', '2024-03-01T00:00Z'));
    const newYear = Date.UTC(2027, 0, 2, 1);
    assert.deepEqual(windowOf('12-31', newYear), between('2026-12-31T00:00Z', '2027-01-01T00:00Z'));
    assert.deepEqual(windowOf('12-31..01-01', newYear), between('2026-12-31T00:00Z', '2027-01-02T00:00Z'));
    assert.deepEqual(
      windowOf('12-31 22:00..01-01 03:00', newYear),
      between('2026-12-31T22:00Z', '2027-01-01T03:00Z'),
    );
  });

  test('two times stand apart by a dash, dots, a word or a space', () => {
    const hour = between('2026-11-21T03:00Z', '2026-11-21T04:00Z');
    for (const text of [
      'yesterday 03:00-04:00',
      'yesterday 3:00 - 4:00',
      'yesterday 03:00 \u2013 04:00',
      'yesterday 03:00 to 04:00',
      '11-21 03:00-04:00',
      '11-21T03:00-04:00',
      '11-21 03:00Z..04:00Z',
      '2026-11-21 03:00 04:00',
      '2026-11-21 03:00..04:00',
      '2026-11-21 03:00 2026-11-21 04:00',
      '2026-11-21T05:00+02:00..04:00',
      'from:"yesterday 03:00" to:04:00',
      'from:11-21T03:00 last:1h',
    ])
      assert.deepEqual(windowOf(text), hour, text);
    assert.deepEqual(windowOf('-2h..-90m'), {
      kind: 'absolute',
      from: NOW - 120 * minute,
      to: NOW - 90 * minute,
    });
    assert.deepEqual(windowOf('-2h -90m'), windowOf('-2h - -90m'));
  });

  test('what is no time says so, with examples', () => {
    for (const text of [
      'soon',
      '30',
      '03',
      '3-4',
      '30m 40m',
      '03:00 04:00 05:00',
      'last',
      'yesterdays',
      '03:00-',
      'ip:1.2.3.4',
    ])
      assert.match(why(text), /no window; .*yesterday.*UTC/, text);
    assert.match(why(''), /no time is written/);
    assert.match(why('from:soon'), /'soon' is not a time/);
    assert.match(why('status:5xx last:5m'), /only a time stands here/);
  });

  test('what is impossible or of two meanings says which', () => {
    assert.match(why('02-30'), /there is no day 02-30/);
    assert.match(why('2026-02-30 03:00'), /there is no day 2026-02-30/);
    assert.match(why('13-01'), /there is no day 13-01/);
    assert.match(why('25:00'), /'25:00' is no time of day/);
    assert.match(why('yesterday 03:00-04:75'), /'04:75' is no time of day/);
    for (const text of [
      '04:00-03:00',
      'yesterday 04:00-03:00',
      '11-20..11-19',
      'today..yesterday',
      '-1h..-2h',
    ])
      assert.match(why(text), /ends before it starts; it starts at 2026-11-2/, text);
    assert.match(why('2026-11-21 03:00-04:00'), /may be an end or a zone; write \.\.04:00/);
    assert.match(why('yesterday..03:00'), /the end has a time and the start has none/);
    assert.match(why('03:00 yesterday'), /the day stands before its time/);
    assert.match(why('now'), /cannot start now/);
  });

  test('whatever is typed, its window printed and typed is the same window', () => {
    const number = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
    const clock = fc.tuple(number(24), number(60)).map((parts) => parts.join(':'));
    const monthDay = fc
      .tuple(fc.constantFrom('11', '12', '02', '00'), number(30))
      .map((parts) => parts.join('-'));
    const day = fc.oneof(
      fc.constantFrom('today', 'yesterday', ''),
      monthDay,
      fc.tuple(fc.constantFrom(1969, 2025, 2026, 2027), monthDay).map((parts) => parts.join('-')),
    );
    const time = fc.oneof(
      fc
        .tuple(day, fc.constantFrom(' ', 'T', ''), fc.oneof(clock, fc.constant('')))
        .map((parts) => parts.join('')),
      fc.constantFrom('now', '-15m', '-2h', '1790000000', '1790000000000', '30m', 'last 2h'),
    );
    const between = fc.constantFrom('-', ' - ', '..', ' to ', ' ', '\u2013', ' to:', '');
    const typed = fc.tuple(
      fc.constantFrom('', '', '', 'from:', 'last '),
      time,
      between,
      fc.oneof(time, clock, fc.constant(''), oddText),
    );
    let understood = 0;
    fc.assert(
      fc.property(typed, (parts) => {
        const text = parts.join('');
        const parsed = parseWindow(text, NOW);
        if (!parsed.ok) return void why(text);
        understood++;
        const printed = windowText(parsed.window);
        assert.deepEqual(windowOf(printed), parsed.window, `${text} as ${printed}`);
        assert.deepEqual(
          windowOf(printed, NOW + 86_400_000 * 40),
          parsed.window,
          `${text} as ${printed}, later`,
        );
      }),
      { numRuns: RUNS * 5 },
    );
    assert.ok(understood > RUNS / 4, `${understood} windows were understood`);
  });

  test('hostile texts take linear time', () => {
    for (const pump of [
      ' ',
      '0',
      '-',
      '1m',
      '03:00 ',
      'last ',
      'last:',
      '11-21 ',
      'to ',
      '..',
      'today',
      '"',
    ]) {
      for (const head of ['', '03:00', 'last ', 'from:', '2026-11-21 03:00-']) {
        const attack = (size: number) => `${head}${pump.repeat(Math.ceil(size / pump.length))}\0`;
        const grown = excessGrowth((size) => parseWindow(attack(size), NOW), 16_384);
        assert.equal(grown, null, JSON.stringify([head, pump]));
      }
    }
  });
});

describe('a moment in a query', () => {
  const query = (text: string) => {
    const parsed = parseQuery(text, 'logs', NOW);
    assert.ok(parsed.ok, text);
    return parsed.query;
  };

  test('is written as in the prompt of a window', () => {
    for (const text of [
      'from:"yesterday 03:00"',
      'from:yesterdayT03:00',
      'from:11-21T03:00',
      'from:"11-21 3:00Z"',
    ])
      assert.deepEqual(query(text).window, between('2026-11-21T03:00Z', null), text);
    assert.deepEqual(query('from:yesterday').window, between('2026-11-21T00:00Z', null));
    assert.deepEqual(
      query('from:11-20 to:yesterday').window,
      between('2026-11-20T00:00Z', '2026-11-21T00:00Z'),
    );
    assert.deepEqual(query('from:2026-11-21T03:00-04:00').window, between('2026-11-21T07:00Z', null));
  });

  test('torn in two by a space is one that needs quotes, and no text to search for', () => {
    const text = 'status:5xx from:yesterday 03:00';
    const parsed = parseQuery(text, 'logs', NOW);
    assert.ok(!parsed.ok);
    assert.equal(parsed.error.hint, 'write from:"yesterday 03:00"');
    assert.equal(parsed.error.column, text.indexOf('03:00'));
  });
});
