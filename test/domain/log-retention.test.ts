import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  goneOf,
  type KeptLog,
  keptSince,
  keptWords,
  LOG_RETENTION,
  oldestAsked,
  retentionClock,
  withinKept,
} from '../../src/domain/log-retention.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './log-rows.ts';
import { HOUR, MINUTE, NOON } from './scene.ts';

const NOW = Date.UTC(2026, 10, 22, 2, 14, 20);
const DAY = 86_400_000;

test('a window of exactly what is kept is asked for from a minute inside, and that is said', () => {
  const asked = withinKept({ from: NOW - 3 * DAY, to: NOW }, NOW, 'shield');
  assert.deepEqual(asked, { from: NOW - 3 * DAY + MINUTE, to: NOW });
  assert.equal(keptSince(asked.from), NOW - LOG_RETENTION.shield);
  assert.equal(
    keptWords(asked.from, 'logs'),
    'read from 2026-11-19T02:15:20Z on (kept since 2026-11-19T02:14:20Z): CDN logs are kept for 3 days',
  );
});

test('a bound stays where it is for half a minute, so that the pages of one reading are of the same time', () => {
  const asked = withinKept({ from: NOW - 3 * DAY, to: NOW }, NOW, 'shield');
  assert.equal(withinKept(asked, NOW + MINUTE / 2, 'shield'), asked);
  const later = withinKept(asked, NOW + MINUTE / 2 + 1, 'shield');
  assert.equal(later.from, oldestAsked(NOW + MINUTE / 2 + 1, 'shield'));
});

test('whenever a try leaves, what it asks for is still kept half a minute later, or gone as a whole', () => {
  const range = fc.record({
    from: fc.integer({ min: 0, max: 5 * DAY }),
    length: fc.integer({ min: 1, max: 4 * DAY }),
  });
  const property = fc.property(
    range,
    fc.array(fc.nat(40_000), { maxLength: 6 }),
    ({ from, length }, pauses) => {
      let now = NOW;
      const first = { from: NOW - from, to: NOW - from + length };
      let asked = first;
      for (const pause of pauses) {
        now += pause;
        const gone = goneOf(asked, now, 'logs');
        const next = withinKept(asked, now, 'logs');
        assert.equal(next.to, first.to);
        if (gone !== null && gone.to === first.to) assert.equal(next, asked);
        else {
          assert.ok(next.from >= now - LOG_RETENTION.logs + MINUTE / 2);
          assert.deepEqual([gone?.from ?? next.from, gone?.to ?? next.from], [asked.from, next.from]);
        }
        asked = next;
      }
    },
  );
  fc.assert(property, { seed: 72 });
});

test('the clock tells when the oldest evidence goes, and how pressing that is', () => {
  const told = (left: number) => {
    const { text, severity } = retentionClock(NOON - 72 * HOUR + left, NOON, 'shield');
    return [text, severity];
  };
  assert.deepEqual(told(72 * MINUTE), ['oldest evidence expires in 1 h 12 m', 'soon']);
  assert.deepEqual(told(50 * HOUR), ['oldest evidence expires in 2 d 2 h', 'calm']);
  assert.deepEqual(told(59 * MINUTE + 5000), ['oldest evidence expires in 59 m', 'urgent']);
  assert.deepEqual(told(800), ['oldest evidence expires within a minute', 'urgent']);
  assert.deepEqual(told(-1), ['oldest evidence has expired: what is here is the only copy', 'gone']);
});

test('it is never said to last longer than its log is kept, and only gets more pressing', () => {
  const order = ['calm', 'soon', 'urgent', 'gone'];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 80 * 60 }),
      fc.nat(600),
      fc.constantFrom<KeptLog>('logs', 'logsV1', 'shield'),
      (age, later, log) => {
        const oldest = NOON - age * MINUTE;
        const first = retentionClock(oldest, NOON, log);
        const second = retentionClock(oldest, NOON + later * MINUTE, log);
        assert.equal(first.expiresAt, oldest + LOG_RETENTION[log]);
        assert.ok(first.expiresIn >= 0 && first.expiresIn <= LOG_RETENTION[log]);
        assert.ok(order.indexOf(second.severity) >= order.indexOf(first.severity));
        assert.equal(first.severity === 'gone', age >= 72 * 60);
      },
    ),
    { numRuns: RUNS },
  );
});
