import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEPT, type KeptLog } from '../../src/domain/kept.ts';
import { retentionClock } from '../../src/domain/questions/retention.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './log-rows.ts';
import { HOUR, MINUTE, NOON } from './scene.ts';

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
        assert.equal(first.expiresAt, oldest + KEPT[log]);
        assert.ok(first.expiresIn >= 0 && first.expiresIn <= KEPT[log]);
        assert.ok(order.indexOf(second.severity) >= order.indexOf(first.severity));
        assert.equal(first.severity === 'gone', age >= 72 * 60);
      },
    ),
    { numRuns: RUNS },
  );
});
