import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { createLook } from '../../src/ui/theme.ts';
import { listedState, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const look = createLook('mono', true, true);

function bodyOf(state: State): string {
  return bodyLines(state, look)?.join('\n') ?? '';
}

test('a log that was paused before its first row says what waits, and does not call the window empty', () => {
  const paused = played(listedState([zoneOf('1', 'shop')]), 'open', 'pause').state;
  const generation = paused.session?.generation ?? 0;
  const event = { rows: rowsOf(0, 30), report: reportOf() };
  const body = bodyOf(played(paused, { type: 'tailRead', generation, event }).state);
  assert.match(body, /30 rows have come since/);
  assert.doesNotMatch(body, /no requests/);
});
