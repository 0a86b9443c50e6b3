import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { queryLine } from '../../src/ui/chrome.ts';
import { createLook } from '../../src/ui/theme.ts';
import { followedState, listedState, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';

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

test('a filter in another script is told whole on the line of the query', () => {
  const typed = { type: 'typed', text: 'url~été' } as const;
  const { state } = played(followedState(rowsOf(0, 30)), 'editQuery', typed, { type: 'submitted' });
  assert.match(queryLine(state, look), /url~\\xe9t\\xe9/);
});
