import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { plainBody } from '../support/plain-body.ts';
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
  const all = plainBody(state, look);
  for (const line of all) assert.ok(width(line) <= state.size.columns);
  return all.map((line) => line.trimEnd());
}

test('a group that lies elsewhere ends what the others share, and a new filter begins anew', () => {
  const shared = grouped(90, ...PHOTOS);
  const mixed = told(shared, '/login');
  assert.match(lines(mixed)[0] ?? '', /^ PAGE 1\/3 +ROWS/);
  const { state } = played(mixed, 'filterIn');
  assert.match(lines(state).join('\n'), /^.…\/harbor/m);
});
