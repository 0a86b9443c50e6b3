import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { footLine } from '../../src/ui/chrome.ts';
import { plainBody } from '../support/plain-body.ts';
import {
  followedState,
  gapOf,
  NOON,
  played,
  recordOf,
  reportOf,
  rowsOf,
  withoutTimeline,
} from '../support/state.ts';

const look = createLook('mono', true, true);
const MIDNIGHT = NOON + 43_200_000;
const OF_ANY_DAY = /^.(?:\d\d-\d\d| {5}) \d\d:\d\d:\d\d [HM] /;

function linesOf(state: State): string[] {
  return plainBody(state, look);
}

/** Rows a second apart around midnight, seen some minutes after it. */
function overMidnight(before: number, after: number): State {
  const rows = rowsOf(43_200 - before, 43_200 + after);
  return { ...followedState(rows), now: MIDNIGHT + 5 * 60_000 };
}

test('rows of another day have their date, rows of today a blank, and no column moves while it is scrolled', () => {
  const live = overMidnight(200, 200);
  const seen = new Set<string>();
  let state = played(live, 'first').state;
  const head = (lines: readonly string[]) => lines[0]?.slice(0, lines[0].indexOf('PATH'));
  const first = head(linesOf(state));
  for (let page = 0; page < 25; page++) {
    const lines = linesOf(state);
    assert.equal(head(lines), first);
    for (const line of lines) assert.equal(width(line), 80);
    for (const line of lines.slice(1, 18)) {
      assert.match(line, OF_ANY_DAY);
      seen.add(line.slice(1, 6));
      // The rows before midnight are those of 23 h.
      assert.equal(line.slice(1, 6) === '11-20', line.slice(7, 9) === '23', line);
    }
    state = played(state, 'pageDown').state;
  }
  assert.deepEqual([...seen].sort(), ['     ', '11-20']);
});

test('a gap and the status line name the day of their times', () => {
  const gap = gapOf(43_100, 43_101);
  const log = { ...followedState(rowsOf(43_000, 43_200), [gap]), now: MIDNIGHT + 60_000 };
  assert.match(
    linesOf(played(withoutTimeline(log), 'pageUp', 'pageUp', 'pageUp', 'pageUp', 'pageUp').state).join('\n'),
    /gap 11-20 23:58:20.*11-20 23:58:21/,
  );
  const generation = log.session?.generation ?? 0;
  const report = reportOf({ completeTo: MIDNIGHT - 5000, watermark: MIDNIGHT - 60_000 });
  const told = played(log, { type: 'tailRead', zone: '1', generation, event: { rows: [], report } }).state;
  const foot = stripped(footLine({ ...told, now: MIDNIGHT + 60_000 }, look));
  assert.match(foot, /complete until 11-20 23:59:00/);
  assert.equal(width(foot), 80);
});

test('a record of the book that is old among those of today widens the column for all of them', () => {
  const old = { record: recordOf(-100_000), late: true };
  const lines = linesOf(followedState([old, ...rowsOf(0, 300)]));
  assert.ok(lines.slice(1, 18).every((line) => OF_ANY_DAY.test(line)));
});
