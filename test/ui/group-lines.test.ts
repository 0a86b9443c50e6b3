import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/groups.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { answered, answerOf, groupOf, opened } from '../support/shield.ts';
import { followedState, NOON, played, recordOf, reportOf } from '../support/state.ts';

const look = createLook('mono', false, true);
const UPLOADS = '/wp-content/uploads/2026/11/';
const PHOTOS = ['harbor-lantern-at-night.avif', 'harbor-lantern-by-day.avif'].map((name) => UPLOADS + name);

const rowsAt = (paths: readonly string[]) =>
  paths.map((path, n) => ({ record: recordOf(n, { path }), late: false }));

function grouped(columns: number, ...paths: string[]): State {
  return openGroups({ ...followedState(rowsAt(paths)), size: { columns, rows: 24 } }, ['page']);
}

/** More rows come in, and the groups are counted again. */
function told(state: State, ...paths: string[]): State {
  const later = { ...state, now: state.now + 5_000 };
  const event = { rows: rowsAt(paths), report: reportOf({ serverNow: NOON }) };
  const generation = state.session?.generation ?? 0;
  return played(later, { type: 'tailRead', zone: '1', generation, event }).state;
}

function lines(state: State): string[] {
  const all = (bodyLines(state, look) ?? []).map(stripped);
  for (const line of all) assert.ok(width(line) <= state.size.columns);
  return all.map((line) => line.trimEnd());
}

const placeOf = (state: State) => lines(state)[0]?.indexOf('ROWS') ?? -1;

test('figures of groups stand beside the keys, and move by steps and never back', () => {
  const state = grouped(120, '/a', '/b');
  assert.equal(placeOf(state), placeOf(grouped(200, '/a', '/b')));
  const longer = told(state, `/${'x'.repeat(20)}`);
  assert.ok(placeOf(longer) > placeOf(state));
  assert.equal(placeOf(told(longer, `/${'x'.repeat(22)}`)), placeOf(longer));
  assert.equal(placeOf(told(longer, '/a')), placeOf(longer));
});

test('no key puts its figures out of sight', () => {
  assert.ok(placeOf(grouped(200, '/a', `/${'x'.repeat(900)}`)) < 110);
});

test('the directory of pages that do not fit is said once, over the key alone', () => {
  const [head, first] = lines(grouped(80, ...PHOTOS));
  assert.match(head ?? '', /^ PAGE 1\/2 …=\/wp-content\/uploads\S*… +ROWS/);
  assert.match(first ?? '', /^.…\/harbor-lantern-\S+ /);
  const wide = lines(grouped(160, ...PHOTOS));
  assert.match(wide[0] ?? '', /^ PAGE 1\/2 +ROWS/);
  assert.match(wide[1] ?? '', /^.\/wp-content\/uploads\/2026\/11\/harbor-lantern-\S+\.avif /);
});

test('a group that lies elsewhere ends what the others share, and a new filter begins anew', () => {
  const shared = grouped(90, ...PHOTOS);
  const mixed = told(shared, '/login');
  assert.match(lines(mixed)[0] ?? '', /^ PAGE 1\/3 +ROWS/);
  const { state } = played(mixed, 'filterIn');
  assert.match(lines(state).join('\n'), /^.…\/harbor/m);
});

test('events of Shield stand beside their groups, whatever the screen has to spare', () => {
  const shield = (columns: number, ...texts: string[]) => {
    const groups = texts.map((ruleId) => groupOf({ ruleId }, 9));
    const state = answered(
      { ...opened, size: { columns, rows: 24 } },
      answerOf({ groups, total: groups.length }),
    );
    return lines(state)[0]?.indexOf('EVENTS') ?? -1;
  };
  assert.equal(shield(160, '920270'), shield(200, '920270'));
  assert.ok(shield(200, '9'.repeat(70)) > shield(200, '920270') + 30);
});
