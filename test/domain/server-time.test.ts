import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CLOCK_STEP,
  isDateKnown,
  observed,
  type ServerTime,
  serverNow,
  UNKNOWN_SERVER_TIME,
} from '../../src/domain/tail/server-time.ts';
import { fc, runs } from '../support/properties.ts';

const MINUTE = 60_000;
const YEAR_9999 = Date.UTC(9999, 11, 31);
const DOUBT = { margin: 2_000, most: 15 * MINUTE };
const TRUTH = Date.UTC(2026, 0, 10);

/** What an answer of the moment `at` (ms of the server) shows, after 40 ms on the way. */
type Shown = { at: number; dateOff?: number | null; rowAge?: number | null };

/** A server asked from a machine whose monotonic clock is `steadyOff` ahead of it and whose wall clock `wallOff`. */
function learn(
  answers: readonly Shown[],
  { wallOff = 0, steadyOff = 0 }: { wallOff?: number; steadyOff?: number } = {},
  from: ServerTime = UNKNOWN_SERVER_TIME,
) {
  const local = (at: number) => ({ steady: TRUTH + at + steadyOff, wall: TRUTH + at + wallOff });
  let time = from;
  for (const { at, dateOff = 0, rowAge = null } of answers) {
    const answer = {
      date: dateOff === null ? null : Math.floor((TRUTH + at + dateOff) / 1000) * 1000,
      newestRow: rowAge === null ? null : TRUTH + at - rowAge,
      sentAt: local(at - 20).steady,
      receivedAt: local(at + 20).steady,
    };
    time = observed(time, answer, local(at + 20), DOUBT);
  }
  const last = (answers.at(-1)?.at ?? 0) + 20;
  const now = serverNow(time, local(last), DOUBT);
  return { time, early: TRUTH + last - now.earliest, ahead: now.latest - TRUTH - last };
}

const every = (ms: number, count: number, how: (i: number) => Omit<Shown, 'at'> = () => ({})): Shown[] =>
  Array.from({ length: count }, (_, i) => ({ at: i * ms, ...how(i) }));

test('several Dates tell the time more exactly than the second that each of them cuts away', () => {
  assert.ok(learn(every(1_270, 1)).early >= 0);
  const { early, ahead } = learn([...every(1_270, 30), { at: 30 * 1_270 + 900 }]);
  assert.ok(early >= 0 && early < 100, `${early}`);
  assert.ok(ahead <= 0);
});

test('one Date of another time changes nothing, be it the first, one in the middle or the last', () => {
  for (const off of [10 * MINUTE, -10 * MINUTE, YEAR_9999 - TRUTH]) {
    for (const stray of [1, 3, 6]) {
      for (const wallOff of [0, 10 * MINUTE, -10 * MINUTE]) {
        const answers = every(1_500, 7, (i) => ({ dateOff: i === stray ? off : 0, rowAge: 300 }));
        const { early } = learn(answers, { wallOff });
        assert.ok(early >= 0 && early < 1_400, `${off} at ${stray} with a clock off ${wallOff}: ${early}`);
      }
    }
    assert.ok(learn([{ at: 0, dateOff: off }]).early >= 0);
  }
});

test('a Date that is always ahead claims nothing that has not come, with rows and without', () => {
  for (const rowAge of [300, null]) {
    const { early, ahead } = learn(every(1_500, 10, () => ({ dateOff: 10 * MINUTE, rowAge })));
    assert.ok(early >= 0 && early < 500, `${early}`);
    assert.ok(ahead > 9 * MINUTE && ahead <= 10 * MINUTE);
  }
});

test('a clock of ours that is behind only delays what is claimed, until a row shows the time', () => {
  const quiet = learn(every(1_500, 10), { wallOff: -10 * MINUTE, steadyOff: -10 * MINUTE });
  assert.equal(quiet.early, 10 * MINUTE);
  assert.ok(quiet.ahead > -1_500 && quiet.ahead <= 0, 'rows of the present are asked for');
  const busy = learn([{ at: 20_000, rowAge: 300 }, { at: 21_500 }], { wallOff: -10 * MINUTE }, quiet.time);
  assert.ok(busy.early >= 0 && busy.early < 1_400, `${busy.early}`);
});

test('after a sleep, or when the clock is set, what was told before counts no more', () => {
  const before = learn(every(1_500, 20, () => ({ rowAge: 300 })));
  // The monotonic clock stood still for an hour.
  const slept = learn([{ at: 90 * MINUTE, rowAge: null }], { steadyOff: -60 * MINUTE }, before.time);
  assert.ok(slept.early >= 0 && slept.early < 1_100, `${slept.early}`);
  for (const wallOff of [30 * MINUTE, -30 * MINUTE]) {
    const set = learn([{ at: MINUTE, rowAge: 300 }], { wallOff }, before.time);
    assert.ok(set.early >= 0 && set.early < 1_100, `${set.early}`);
  }
  const drifted = learn([{ at: MINUTE }], { wallOff: CLOCK_STEP / 2 }, before.time);
  assert.ok(drifted.time.dates.length === 21, 'a little is no step');
});

test('without a Date the clock counts as far as rows bear it out, and by a wide margin where there are none', () => {
  const none = every(1_500, 5, () => ({ dateOff: null }));
  assert.equal(learn(none).early, DOUBT.most);
  assert.equal(isDateKnown(learn(none).time), false);
  const rows = every(1_500, 5, () => ({ dateOff: null, rowAge: 300 }));
  assert.equal(learn(rows).early, DOUBT.margin);
  const fast = learn(rows, { wallOff: 10 * MINUTE, steadyOff: 10 * MINUTE });
  assert.ok(fast.early >= 0 && fast.early < 500, `${fast.early}`);
  const slow = learn(rows, { wallOff: -10 * MINUTE });
  assert.ok(slow.early > 0 && slow.ahead > 0, 'a clock behind claims less and asks for what is there');
});

test('a row of a time far ahead moves nothing', () => {
  const { early } = learn(every(1_500, 5, (i) => ({ rowAge: i === 2 ? -60 * MINUTE : 300 })));
  assert.ok(early >= 0 && early < 1_100);
});

test('whichever of the three lies, and however it does: now is never ahead of the server', () => {
  const off = fc.integer({ min: -90 * MINUTE, max: 90 * MINUTE });
  const rowAge = fc.option(fc.integer({ min: 0, max: 5 * MINUTE }));
  const truth = { dateOff: fc.constant(0), rowAge };
  const liars = fc.oneof(
    fc.record({ wallOff: off, answers: fc.array(fc.record(truth), { minLength: 1, maxLength: 60 }) }),
    fc.record({
      wallOff: fc.constant(0),
      answers: fc.array(fc.record({ ...truth, dateOff: fc.option(off) }), { minLength: 1, maxLength: 60 }),
    }),
    fc.record({
      wallOff: fc.constant(0),
      answers: fc.array(fc.record({ ...truth, rowAge: fc.option(off) }), { minLength: 1, maxLength: 60 }),
    }),
  );
  fc.assert(
    fc.property(liars, off, fc.integer({ min: 200, max: 5_000 }), ({ wallOff, answers }, steadyOff, ms) => {
      const { early, ahead } = learn(
        answers.map((answer, i) => ({ ...answer, at: i * ms })),
        { wallOff, steadyOff },
      );
      assert.ok(early >= 0, `${early} ms ahead`);
      assert.ok(ahead >= -1_100, 'rows of the present are asked for');
    }),
    { numRuns: runs(2_000) },
  );
});
