import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cursorKey } from '../../src/across/beside/detail.ts';
import { detailPanel } from '../../src/across/beside/painting/beside-lines.ts';
import type { OriginError } from '../../src/domain/evidence/origin-error.ts';
import { failureOf } from '../../src/domain/failure.ts';
import type { Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { fieldsOf } from '../../src/screens/log/log-screens.ts';
import { logAside } from '../../src/screens/log/painting/log-painting.ts';
import type { LogView, State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { originErrorWith } from '../support/rows.ts';
import { followedState, NOON, played, rowsOf } from '../support/state.ts';

const MINUTE = 60_000;

const ERROR = originErrorWith({ timestamp: NOON + 90_400 });

/** The detail of a row: `ups` rows above the newest, which is number 99; number 90 was answered 503. */
function rowOpened(ups: number, before: State = followedState(rowsOf(0, 100))): State {
  return played(before, ...Array<'up'>(ups).fill('up'), 'open').state;
}

const failedRow = (before?: State) => rowOpened(9, before);

function causeOf(state: State): string | undefined {
  const view = topView(state);
  assert.equal(view.kind, 'record');
  const fields = view.kind === 'record' ? fieldsOf(state, view) : [];
  return fields.find(({ name }) => name === 'origin error')?.value;
}

const needsOf = (state: State): readonly Need[] =>
  subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));

function answered(state: State, met: Met, at = state.now): State {
  const [need] = needsOf(state);
  assert.ok(need);
  return update(state, { type: 'needMet', inquiry: 0, need, met }, at)[0];
}

const toldNow = (errors: OriginError[]): Met => ({ kind: 'originErrors', value: { errors, unread: 0 } });

test('the detail of a 5xx row asks for the origin errors of its zone and day, and of no other row anything', () => {
  const state = failedRow();
  assert.deepEqual(needsOf(state), [{ kind: 'originErrors', zoneId: '1', day: '2026-11-20' }]);
  assert.match(causeOf(state) ?? '', /^asking for those of 2026-11-20, 1 request$/);
  const other = rowOpened(8);
  assert.deepEqual([needsOf(other), causeOf(other)], [[], undefined]);
  assert.deepEqual(needsOf(played(state, 'leave').state), []);
});

test('the error nearest to the row is its cause, and said to be no more than the nearest', () => {
  const state = answered(failedRow(), toldNow([{ ...ERROR, timestamp: NOON, url: '/p/1' }, ERROR]));
  assert.equal(
    causeOf(state),
    'dns_lookup: the name of the origin was not found (match by time and path: 400ms later, same edge)',
  );
  assert.deepEqual(needsOf(state), []);
  // Another row of the day costs nothing.
  const other = rowOpened(10, played(state, 'leave').state);
  assert.deepEqual(needsOf(other), []);
  assert.match(causeOf(other) ?? '', /^none reported/);
});

test('where none is near it says so, and the day is asked once more when errors may have come since', () => {
  const none = answered(failedRow(), toldNow([]));
  assert.match(causeOf(none) ?? '', /^none reported of this path near this time: .*Ctrl-r asks again$/);
  assert.deepEqual(needsOf(none), []);
  assert.equal(needsOf({ ...none, now: none.now + 2 * MINUTE }).length, 1);
  const late = answered(failedRow(), toldNow([]), NOON + 60 * MINUTE);
  assert.deepEqual(needsOf({ ...late, now: late.now + 2 * MINUTE }), []);
});

test('what was refused is said with what to do, and not asked again before Ctrl-r', () => {
  const failure = failureOf('forbidden', { host: 'errors.example', status: 403 });
  const refused = answered(failedRow(), { kind: 'failed', failure });
  assert.match(
    causeOf(refused) ?? '',
    /^not read: errors.example forbids this \(HTTP 403\)\. .*Ctrl-r asks again$/,
  );
  const next = rowOpened(10, played(refused, 'leave').state);
  assert.match(causeOf(next) ?? '', /^not read/);
  assert.deepEqual(needsOf(next), []);
  assert.equal(needsOf(played(next, 'refresh').state).length, 1);
});

test('in a list a 5xx row tells the nearest of the origin errors that were told, and asks for none', () => {
  const told = answered(failedRow(), toldNow([ERROR]));
  const list = played(told, 'leave').state;
  assert.equal(topView(list).kind, 'log');
  const view = topView(list) as LogView;
  assert.deepEqual(needsOf(list), []);
  assert.equal(logAside(list, view).text, 'nearest origin error: dns_lookup');
  const other = played(list, 'up').state;
  assert.equal(logAside(other, topView(other) as LogView).text, '');
  const unknown = played(failedRow(), 'leave').state;
  assert.equal(logAside(unknown, topView(unknown) as LogView).text, '');
  const wide = update(list, { type: 'resized', columns: 200, rows: 50 }, list.now)[0];
  const rested = { ...wide, beside: { ...wide.beside, detail: cursorKey(wide) } };
  const panel = detailPanel(rested, { columns: 60, height: 20, look: createLook('mono', false, true) })
    .map(stripped)
    .join('\n');
  assert.match(panel, /origin error +dns_lookup: the name of the origin was not/);
});
