import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goneOf, KEPT, keptSince, keptWords, oldestAsked, withinKept } from '../../src/domain/kept.ts';
import { fc } from '../support/properties.ts';

const NOW = Date.UTC(2026, 10, 22, 2, 14, 20);
const MINUTE = 60_000;
const DAY = 86_400_000;

test('a window of exactly what is kept is asked for from a minute inside, and that is said', () => {
  const asked = withinKept({ from: NOW - 3 * DAY, to: NOW }, NOW, 'shield');
  assert.deepEqual(asked, { from: NOW - 3 * DAY + MINUTE, to: NOW });
  assert.equal(keptSince(asked.from), NOW - KEPT.shield);
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
          assert.ok(next.from >= now - KEPT.logs + MINUTE / 2);
          assert.deepEqual([gone?.from ?? next.from, gone?.to ?? next.from], [asked.from, next.from]);
        }
        asked = next;
      }
    },
  );
  fc.assert(property, { seed: 72 });
});
