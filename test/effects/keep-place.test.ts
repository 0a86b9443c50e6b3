import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionPlace } from '../../src/domain/handover/place.ts';
import { createPlaceKeeper } from '../../src/effects/keep-place.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const PLACE: SessionPlace = {
  words: ['logs', 'shop', 'from:2026-11-20T11:45:00Z status:5xx'],
  utc: true,
  pausedAt: null,
  completeTo: 1,
  highlights: [],
};

function keeping(write: () => void = () => {}) {
  const clock = new VirtualClock();
  const written: SessionPlace[] = [];
  const failures: string[] = [];
  const is = { place: PLACE as SessionPlace | null, cleared: 0 };
  const keeper = createPlaceKeeper({
    file: {
      write(place) {
        write();
        written.push(place);
      },
      clear() {
        is.cleared += 1;
      },
    },
    place: () => is.place,
    clock,
    failed: (why) => failures.push(why),
  });
  /** Ten actions a second for a while. */
  const busy = (seconds: number) => {
    for (let n = 0; n < seconds * 10; n++) {
      keeper.changed();
      clock.pass(100);
    }
  };
  return { clock, written, failures, is, keeper, busy };
}

test('a place is written once it changed, and at most every two seconds', () => {
  const { written, is, busy } = keeping();
  busy(5);
  assert.equal(written.length, 1);
  for (let n = 0; n < 10; n++) {
    is.place = { ...PLACE, pausedAt: n };
    busy(1);
  }
  assert.ok(written.length >= 5 && written.length <= 7, `${written.length}`);
});

test('a log that goes on moves its place every half minute only', () => {
  const { written, is, busy } = keeping();
  for (let n = 0; n < 60; n++) {
    is.place = { ...PLACE, completeTo: n, words: ['logs', 'shop', `from:2026-11-20T11:45:${n}Z status:5xx`] };
    busy(1);
  }
  assert.ok(written.length >= 2 && written.length <= 3, `${written.length}`);
  is.place = { ...PLACE, words: ['logs', 'shop', 'from:2026-11-20T11:45:00Z status:404'] };
  busy(3);
  assert.match(written.at(-1)?.words.join(' ') ?? '', /404/);
});

test('nothing is written while the place is not known, and no timer runs while nothing happens', () => {
  const { clock, written, is, busy } = keeping();
  is.place = null;
  busy(5);
  clock.pass(5000);
  assert.deepEqual([written.length, clock.pending], [0, 0]);
});

test('a session that is cut off leaves its last place, one that is left by its user none', () => {
  const lost = keeping();
  lost.keeper.changed();
  lost.is.place = { ...PLACE, pausedAt: 7 };
  lost.keeper.end(true);
  assert.deepEqual([lost.written.at(-1)?.pausedAt, lost.is.cleared, lost.clock.pending], [7, 0, 0]);
  const left = keeping();
  left.keeper.changed();
  left.keeper.end(false);
  left.busy(5);
  assert.deepEqual([left.written.length, left.is.cleared], [0, 1]);
});

test('a place that cannot be kept is told once', () => {
  const { failures, busy } = keeping(() => {
    throw Object.assign(new Error(), { code: 'ENOSPC' });
  });
  busy(10);
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? '', /--resume unavailable: the disk is full/);
});
