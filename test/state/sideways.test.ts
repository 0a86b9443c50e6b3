import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import { placedColumns } from '../../src/screens/log/placed-columns.ts';
import { screenOf } from '../../src/screens/screens.ts';
import { sidewaysOf } from '../../src/state/list/list-screen.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { plainBody } from '../support/plain-body.ts';
import { inGroups, inRows } from '../support/shield.ts';
import { followedState, played, recordOf, workedOff } from '../support/state.ts';

const LOOK = createLook('mono', false, true);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);

/** Eight paths of 10 to 80 letters, the cursor on the path of the last. */
const log = () =>
  played(
    followedState(
      Array.from({ length: 8 }, (_, n) => ({
        record: recordOf(n, { path: `/${LETTERS.slice(0, 9 + n * 10)}` }),
        late: false,
      })),
    ),
    'up',
    ...Array.from({ length: 7 }, () => 'right' as const),
  ).state;

function cells(state: State): number {
  const view = topView(state);
  return sidewaysOf(state, view, () => screenOf(view).columns?.ids(state, view) ?? [])?.cells ?? 0;
}

function lines(state: State): string[] {
  return plainBody(state, LOOK);
}

test('a cut column scrolls by half its width in all rows, its title says how far, and < brings it back', () => {
  const width = placedColumns(log()).find(({ id }) => id === 'path')?.width ?? 0;
  const half = width >> 1;
  const { state } = played(log(), 'scrollRight');
  assert.equal(cells(state), half);
  const [titles = '', shortest = '', ...others] = lines(state);
  assert.match(titles, new RegExp(` PATH \\+${half} `));
  assert.match(shortest, / … +$/);
  for (const line of others.slice(1, 7)) assert.ok(line.includes(` …${LETTERS.slice(half, half + 5)}`), line);
  for (const line of lines(state)) assert.equal(line.length, 80);
  const back = played(state, 'scrollLeft').state;
  assert.deepEqual(lines(back), lines(log()));
  assert.match(played(back, 'scrollLeft').state.notice?.text ?? '', /PATH is at its beginning/);
});

test('it scrolls no further than to the end of the longest text on screen', () => {
  const width = placedColumns(log()).find(({ id }) => id === 'path')?.width ?? 0;
  const end = played(log(), ...Array.from({ length: 20 }, () => 'scrollRight' as const)).state;
  assert.equal(cells(end), 80 - width);
  assert.match(end.notice?.text ?? '', /the longest PATH on screen ends here/);
  assert.ok(lines(end)[8]?.endsWith(LETTERS.slice(0, 79).slice(-(width - 1))));
  const short = played(log(), 'left', 'scrollRight').state;
  assert.match(short.notice?.text ?? '', /no IP on screen is cut/);
  assert.equal(cells(short), 0);
});

test('other columns, and another width of the terminal, begin at the beginning', () => {
  const { state } = played(log(), 'scrollRight');
  assert.equal(cells(played(state, { type: 'resized', columns: 90, rows: 24 }).state), 0);
  assert.equal(cells(played(state, 'chooseColumns', 'pause', 'open').state), 0);
  assert.ok(cells(played(state, 'up', 'left').state) > 0);
});

test('keys of groups scroll, and so do those of Shield and its events', () => {
  const grouped = workedOff(openGroups(log(), ['path']));
  const scrolled = played(grouped, 'scrollRight').state;
  assert.ok(cells(scrolled) > 0);
  assert.match(lines(scrolled)[0] ?? '', /PATH \+\d+/);
  const rules = inGroups(1, 30);
  assert.match(played(rules, 'scrollRight').state.notice?.text ?? '', /is cut/);
  const described = played(rules, {
    type: 'shieldRulesArrived',
    shieldZoneId: '9',
    rules: [{ ruleId: 'R00001', description: LETTERS, group: '', ruleset: '' }],
  }).state;
  const long = played(described, 'scrollRight').state;
  assert.ok(cells(long) > 0);
  assert.match(lines(long)[2] ?? '', /^ …[a-z]+/);
  const events = played(inRows(200), 'right', 'right', 'right', 'right', 'right');
  assert.match(played(events.state, 'scrollRight').state.notice?.text ?? '', /is cut/);
  assert.match(played(events.state, 'left', 'scrollRight').state.notice?.text ?? '', /not on screen/);
});
