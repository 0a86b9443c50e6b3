import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/groups.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { footLine } from '../../src/ui/view-lines.ts';
import { answered, answerOf, eventsOf, groupOf, opened } from '../support/shield.ts';
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
const OF_TODAY = /^.\d\d:\d\d:\d\d [HM] /;
const OF_ANY_DAY = /^.(?:\d\d-\d\d| {5}) \d\d:\d\d:\d\d [HM] /;

function linesOf(state: State): string[] {
  return (bodyLines(state, look) ?? []).map(stripped);
}

/** Rows a second apart around midnight, seen some minutes after it. */
function overMidnight(before: number, after: number): State {
  const rows = rowsOf(43_200 - before, 43_200 + after);
  return { ...followedState(rows), now: MIDNIGHT + 5 * 60_000 };
}

test('a log of today shows the time of day alone', () => {
  const lines = linesOf(followedState(rowsOf(0, 30)));
  assert.match(lines[0] ?? '', /^ TIME {5}CACHE/);
  assert.ok(lines.slice(1, 20).every((line) => OF_TODAY.test(line)));
});

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

test('when a day ends its rows get their date', () => {
  const before = followedState(rowsOf(43_000, 43_190));
  assert.match(linesOf({ ...before, now: MIDNIGHT - 1 })[5] ?? '', OF_TODAY);
  assert.match(linesOf({ ...before, now: MIDNIGHT })[5] ?? '', /^.11-20 23:/);
});

test('a small window has the date and the minute', () => {
  const lines = linesOf({ ...overMidnight(60, 0), size: { columns: 40, rows: 10 } });
  assert.match(lines[2] ?? '', /^.11-20 23:59 [HM] /);
  for (const line of lines) assert.equal(width(line), 40);
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

test('groups have the day of their newest row where the log has other days', () => {
  const line = linesOf(openGroups(overMidnight(60, 0), ['ip'])).find((each) => /192\.0\.2/.test(each)) ?? '';
  assert.match(line, / 11-20 23:59$/);
  assert.equal(width(line), 80);
  assert.match(linesOf(openGroups(followedState(rowsOf(0, 30)), ['ip'])).join('\n'), / 12:00:29$/m);
});

test('Shield events and groups have dates by the window asked for, so that no column moves when more is read', () => {
  const ask = (text: string) =>
    played(opened, 'chooseWindow', { type: 'typed', text }, { type: 'submitted' }).state;
  const group = groupOf({ ruleId: 'A' }, 5, { firstSeen: NOON - 80_000_000, lastSeen: NOON - 60_000_000 });
  const table = linesOf(answered(ask('yesterday'), answerOf({ groups: [group], total: 1 })));
  assert.match(table[1] ?? '', / 11-19 19:20$/);
  const rows = (text: string) => {
    const asked = played(
      ask(text),
      'editQuery',
      { type: 'edited', edit: 'killLeft' },
      { type: 'typed', text: 'ip:192.0.2.0/24' },
    );
    const flat = played(asked.state, { type: 'submitted' }, 'chooseGroups', 'last', 'open').state;
    return linesOf(answered(flat, answerOf({ kind: 'rows', events: eventsOf(0, 3), total: 3 })));
  };
  assert.match(rows('12h')[1] ?? '', /^.12:00:00 blocked/);
  assert.match(rows('24h')[1] ?? '', /^. {6}12:00:00 blocked/);
});

test('a record of the book that is old among those of today widens the column for all of them', () => {
  const old = { record: recordOf(-100_000), late: true };
  const lines = linesOf(followedState([old, ...rowsOf(0, 300)]));
  assert.ok(lines.slice(1, 18).every((line) => OF_ANY_DAY.test(line)));
});
