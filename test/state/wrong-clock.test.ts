import assert from 'node:assert/strict';
import { test } from 'node:test';
import { update } from '../../src/loop/update.ts';
import { openLogView } from '../../src/screens/log/log-open.ts';
import type { State } from '../../src/state/model.ts';
import { listedState, NOON, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const ZONE = zoneOf('1', 'shop');
const MINUTE = 60_000;

function told(state: State, clockAhead: number | null): State {
  const generation = state.session?.generation ?? 0;
  const event = { rows: rowsOf(0, 1), report: reportOf({ clockAhead }) };
  return update(state, { type: 'tailRead', zone: '1', generation, event }, NOON)[0];
}

test('a clock that is wrong is told when it shows, once, and again when it was right meanwhile', () => {
  const opened = openLogView(listedState([ZONE]), [ZONE], { terms: [], window: null, groupBy: [] });
  assert.equal(told(opened, null).notice, null);
  const ahead = told(opened, 10 * MINUTE);
  assert.match(ahead.notice?.text ?? '', /this clock is 10m ahead of the server's/);
  const read = { ...ahead, notice: null };
  assert.equal(told(read, 10 * MINUTE + 400).notice, null);
  const behind = told(told(read, null), -10 * MINUTE);
  assert.match(behind.notice?.text ?? '', /this clock is 10m behind the server's/);
});
