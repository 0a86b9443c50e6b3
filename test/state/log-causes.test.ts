import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OriginError } from '../../src/domain/evidence/origin-error.ts';
import { failureOf } from '../../src/domain/failure.ts';
import type { Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import { editedQuery } from '../../src/screens/log/log-commands.ts';
import type { State } from '../../src/state/model.ts';
import { causePart } from '../../src/state/sessions/log-causes.ts';
import { topView } from '../../src/state/view-stack.ts';
import { footLine } from '../../src/ui/chrome.ts';
import { originErrorWith } from '../support/rows.ts';
import {
  followedState,
  NOON,
  played,
  recordOf,
  reportOf,
  rowsOf,
  workedOff,
  zoneOf,
} from '../support/state.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const ERROR = originErrorWith({ timestamp: NOON + 90_400 });

const live = () => followedState(rowsOf(0, 100));
const byCause = (state: State = live()) => workedOff(openGroups(state, ['cause']));

const needsOf = (state: State): readonly Need[] =>
  subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));

function answered(state: State, met: Met, at = state.now): State {
  const [need] = needsOf(state);
  assert.ok(need);
  return workedOff(update(state, { type: 'needMet', inquiry: 0, need, met }, at)[0]);
}

const toldOf = (...errors: OriginError[]): Met => ({ kind: 'originErrors', value: { errors, unread: 0 } });

function counts(state: State): [unknown, number][] {
  const view = topView(state);
  assert.equal(view.kind, 'groups');
  return view.kind === 'groups' ? view.groups.map(({ key, count }) => [key['cause'], count]) : [];
}

function queried(state: State, text: string): State {
  const parsed = parseQuery(text, 'logs', state.now);
  assert.ok(parsed.ok);
  return workedOff(editedQuery(state, parsed.query));
}

test('groups by cause ask for the origin errors of their days, and change when these come', () => {
  const state = byCause();
  assert.deepEqual(needsOf(state), [{ kind: 'originErrors', zoneId: '1', day: '2026-11-20' }]);
  assert.deepEqual(counts(state), [[null, 100]]);
  assert.equal(causePart(state)?.long, 'causes by time and path, 0 of 1 day read');
  const told = answered(state, toldOf(ERROR));
  assert.deepEqual(counts(told), [
    [null, 99],
    ['dns_lookup', 1],
  ]);
  assert.deepEqual(needsOf(told), []);
  assert.equal(causePart(told)?.long, 'causes by time and path, 1 of 1 day read until 12:00');
  const look = createLook('mono', false, true);
  const foot = stripped(footLine({ ...told, size: { columns: 120, rows: 30 } }, look));
  assert.match(foot, /causes by time and path, 1 of 1 day read until 12:00/);
  const narrow = stripped(footLine({ ...told, size: { columns: 72, rows: 24 } }, look));
  assert.match(narrow, /causes of 1 of 1 day · /);
  assert.deepEqual(needsOf(played(told, 'back').state), []);
  assert.equal(causePart(played(told, 'back').state), null);
});

test('a filter by cause is set anew when more is told, also for the rows of a group', () => {
  const state = queried(live(), 'cause:dns_lookup');
  const inView = (each: State) => each.session?.book.rowsInView;
  assert.equal(inView(state), 0);
  assert.deepEqual(state.session?.tails[0]?.filter, { status: ['5xx'] });
  // The first answer to the changed question begins a book of its own.
  const session = { ...(state.session as NonNullable<State['session']>), replacing: false };
  const told = answered({ ...state, session }, toldOf(ERROR));
  assert.equal(inView(told), 1);
  const drilled = played(answered(byCause(), toldOf(ERROR)), 'down', 'open').state;
  assert.equal(inView(drilled), 1);
  assert.equal(inView(played(drilled, 'back').state), 100);
});

test('a book that begins with the answer to a changed question is filtered by what was told before', () => {
  const told = played(answered(byCause(), toldOf(ERROR)), 'back').state;
  const asked = queried(told, 'cause:dns_lookup');
  assert.ok(asked.session?.replacing);
  const event = { rows: rowsOf(80, 100), report: reportOf() };
  const answer = { type: 'tailRead', zone: '1', generation: asked.session.generation, event } as const;
  const { session } = workedOff(update(asked, answer, asked.now)[0]);
  assert.equal(session?.replacing, false);
  assert.equal(session.book.rowsInView, 1);
});

test('what is refused is said, and asked again by a key alone', () => {
  const failure = failureOf('forbidden', { host: 'errors.example', status: 403 });
  const refused = answered(byCause(), { kind: 'failed', failure });
  assert.deepEqual(needsOf(refused), []);
  assert.equal(causePart(refused)?.long, 'causes by time and path, 0 of 1 day read, refused');
  assert.equal(needsOf(played(refused, 'refresh').state).length, 1);
});

test('of rows that go on coming it is asked again once a minute; of a paused log not', () => {
  const told = answered(byCause(), toldOf());
  assert.deepEqual(needsOf({ ...told, now: told.now + MINUTE / 2 }), []);
  const later = { ...told, now: told.now + 2 * MINUTE };
  assert.equal(needsOf(later).length, 1);
  const paused = answered(byCause(played(live(), 'pause').state), toldOf());
  assert.deepEqual(needsOf({ ...paused, now: paused.now + 2 * MINUTE }), []);
});

test('no more is asked without a word than six days of zones, the newest first', () => {
  const start = live();
  const session = start.session as NonNullable<State['session']>;
  const zones = ['1', '2', '3', '4', '5'].map((id) => zoneOf(id, `zone-${id}`));
  const book = new LogBook({ capacity: 100 });
  const record = recordOf(0);
  book.append([
    { record: { ...record, timestamp: NOON - DAY }, late: false },
    { record, late: false },
  ]);
  const source = { kind: 'zones', zones: zones as never } as const;
  const state = byCause({ ...start, session: { ...session, source, book } });
  const days = needsOf(state).map((need) => (need.kind === 'originErrors' ? need.day.slice(-2) : ''));
  assert.deepEqual(days, ['20', '20', '20', '20', '20', '19']);
  assert.equal(causePart(state)?.long, 'causes by time and path, 0 of 10 days read, :causes asks for more');
});
