import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionPlace } from '../../src/across/handover/session-place.ts';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import type { Query } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { update } from '../../src/loop/update.ts';
import { openLogView } from '../../src/screens/log/log-open.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { listedState, NOON, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const ZONE = zoneOf('1', 'shop');
const MINUTE = 60_000;

function queryOf(text: string): Query {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  return parsed.query;
}

/** The log of the zone with rows of the last minutes, read up to noon. */
function opened(text = '', more: Partial<State> = {}): State {
  const state = openLogView(listedState([ZONE], more), [ZONE], queryOf(text));
  return told(state, -60, 0, NOON);
}

function told(state: State, from: number, to: number, completeTo: number): State {
  const generation = state.session?.generation ?? 0;
  const event = { rows: rowsOf(from, to), report: reportOf({ completeTo, serverNow: NOON }) };
  return update(state, { type: 'tailRead', zone: '1', generation, event }, NOON)[0];
}

const did = (state: State, ...actions: Action[]) =>
  actions.reduce((each, action) => update(each, action, NOON)[0], state);
const pressed = (state: State, ...commands: ('up' | 'open' | 'zonesScreen' | 'pause')[]) =>
  did(state, ...commands.map((command) => ({ type: 'commanded', command }) as const));

const wordsOf = (state: State) => sessionPlace(state)?.words.join(' ');

test('a log that is followed stays open at its end, and begins as long before its place as was asked for before now', () => {
  assert.equal(wordsOf(opened()), 'logs shop from:2026-11-20T11:45Z');
  assert.equal(wordsOf(opened('last:1h -ip:192.0.2.1')), 'logs shop from:2026-11-20T11:00Z -ip:192.0.2.1');
  assert.equal(wordsOf(opened('from:2026-11-20T09:00Z')), 'logs shop from:2026-11-20T09:00Z');
});

test('the place of a paused log, and of a single row, is the time of the row under the cursor', () => {
  const paused = pressed(opened(), 'up', 'up');
  assert.equal(sessionPlace(paused)?.pausedAt, NOON - 3000);
  assert.equal(sessionPlace(pressed(paused, 'open'))?.pausedAt, NOON - 3000);
  assert.equal(sessionPlace(opened())?.pausedAt, null);
});

test('the words of a place are a command line that opens the same query', () => {
  const place = sessionPlace(opened('-ua~"a b" url:/login* by:ip'));
  const usage = readCommandLine(place?.words ?? [], import.meta, {
    name: 'e',
    version: '0',
    description: '',
  });
  assert.ok(usage.ok);
  assert.deepEqual(queryOf(usage.value.query), {
    ...queryOf('-ua~"a b" url:/login* by:ip'),
    window: { kind: 'absolute', from: NOON - 15 * MINUTE, to: null },
  });
});

test('a log opened again is paused at its row once everything up to now is read, and not before', () => {
  const resuming = { pausedAt: NOON - 30_000, until: null };
  const fresh = openLogView(listedState([ZONE], { resuming }), [ZONE], queryOf('from:2026-11-20T11:45Z'));
  const head = told(fresh, -5, 0, NOON - 40_000);
  assert.equal(shownLog(head)?.paused, false);
  assert.equal(sessionPlace(head), null, 'what was kept is not written over meanwhile');
  const read = told(head, -60, -5, NOON);
  assert.equal(shownLog(read)?.paused, true);
  assert.equal(sessionPlace(read)?.pausedAt, NOON - 30_000);
  assert.match(read.remarks[0]?.remark ?? '', /^paused at 11:59:30 as before; 29 rows follow$/);
});
