import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { topShield } from '../../src/screens/shield/shield-ask.ts';
import { FIRST_QUESTION, openShield } from '../../src/screens/shield/shield-open.ts';
import { openZones } from '../../src/screens/zones/zones-screen.ts';
import { topView } from '../../src/state/view-stack.ts';
import { eventsOf, inRows, opened, PAIRS, rows, rules, searches } from '../support/shield.ts';
import { followedState, listedState, NOON, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const SHOP = zoneOf('1', 'shop', { shieldZoneId: '9' });

const kinds = (state: typeof rules) => subscriptions(state).map((each) => each.kind);

test('from the explorer to the logs and back everything is as it was left, and nothing is asked for it', () => {
  const before = played(inRows(200), 'down', 'down', 'open', 'down').state;
  const logs = played(before, 'logsScreen').state;
  assert.equal(topView(logs).kind, 'log');
  assert.deepEqual(searches(logs), []);
  const { state: back, effects } = played(logs, 'shieldScreen');
  assert.deepEqual(back.views, before.views);
  assert.equal(back.shield, before.shield);
  assert.deepEqual([searches(back), effects], [[], []]);
});

test('from the logs to the explorer and back the log is as it was left, and was followed all the time', () => {
  const read = followedState(rowsOf(0, 50));
  const paused = played(read, 'pause', 'up', 'up', 'open').state;
  const shield = played(paused, 'shieldScreen').state;
  assert.equal(topView(shield).kind, 'shieldGroups');
  assert.ok(kinds(shield).includes('tail'));
  const generation = shield.session?.generation ?? -1;
  const event = { rows: rowsOf(50, 60), report: reportOf() };
  const later = played(shield, { type: 'tailRead', zone: '1', generation, event }).state;
  const { state: back, effects } = played(later, 'logsScreen');
  assert.deepEqual(back.views, paused.views);
  assert.equal(back.session?.book, paused.session?.book);
  assert.deepEqual([back.session?.book.backlog, effects], [10, []]);
});

test('a log of a time opens the explorer of that time, and the explorer of a time the log of it', () => {
  const window = { kind: 'absolute', from: NOON - 3_600_000, to: NOON - 1_800_000 } as const;
  const query = { ...EMPTY_QUERY, window };
  const log = openZones(listedState([SHOP]), [SHOP], query);
  const shield = played(log, 'shieldScreen').state;
  assert.deepEqual(topShield(shield)?.query, { ...FIRST_QUESTION, window });
  const from = openShield(listedState([SHOP]), SHOP, { ...FIRST_QUESTION, window });
  assert.deepEqual(played(from, 'logsScreen').state.session?.asked.window, window);
  const newest = openShield(listedState([SHOP]), SHOP, null);
  assert.equal(played(newest, 'logsScreen').state.session?.asked.window, null);
});

test('what the explorer still waited for is hung up while the logs are on show, and asked when it is back', () => {
  const away = played(opened, 'logsScreen').state;
  assert.deepEqual(
    kinds(away).filter((kind) => kind !== 'clock'),
    ['tail'],
  );
  const late = played({ ...away, now: NOON + 60_000 }, 'shieldScreen').state;
  assert.equal(searches(late).length, 1);
  const view = topView(late);
  assert.deepEqual(view.kind === 'shieldGroups' && view.reading.loading, {
    kind: 'asking',
    since: NOON + 60_000,
  });
});

test('leaving the zone drops what was parked: the picker opens its zones anew', () => {
  const logs = played(rules, 'logsScreen').state;
  const left = played(logs, 'leave').state;
  assert.deepEqual([left.parked, left.session, left.views.length], [[], null, 1]);
  const picked = played(logs, 'shieldScreen', 'zonesScreen', 'shieldScreen').state;
  assert.equal(searches(picked).length, 1);
  assert.deepEqual(picked.parked, []);
});

test('a zone without logging or without Shield stays where it is, and says why', () => {
  const noLogs = played(listedState([zoneOf('1', 'shop', { logging: false })]), {
    type: 'shieldMapped',
    pairs: PAIRS,
  }).state;
  const inShield = played(noLogs, 'shieldScreen').state;
  const refused = played(inShield, 'logsScreen').state;
  assert.equal(refused.views, inShield.views);
  assert.match(refused.notice?.text ?? '', /logging is off/);
  const noShield = played(listedState([zoneOf('2', 'plain')]), { type: 'shieldMapped', pairs: PAIRS }).state;
  const logs = played(noShield, 'open').state;
  const stayed = played(logs, 'shieldScreen').state;
  assert.deepEqual([stayed.views, stayed.session], [logs.views, logs.session]);
});

test('a Shield zone that turns out to be none gives the logs back', () => {
  const logs = played(listedState([zoneOf('1', 'shop')]), 'open').state;
  const looking = played(logs, 'shieldScreen').state;
  assert.ok(kinds(looking).includes('shieldZone'));
  const { state } = played(looking, { type: 'shieldZoneFound', pullZoneId: '1', shieldZoneId: null });
  assert.deepEqual([state.views, state.parked, state.session], [logs.views, [], logs.session]);
});

test('going to the top of the explorer is a step of the history', () => {
  const deep = played(inRows(200), 'open').state;
  const top = played(deep, 'shieldScreen').state;
  assert.equal(topView(top).kind, 'shieldGroups');
  assert.deepEqual(played(top, 'historyBack').state.views, deep.views);
});

test('a day read over a day does not keep both, and one that was stopped goes on where it was', () => {
  const day = (state: typeof rules) => played(state, 'readDay', { type: 'submitted' }).state;
  const twice = day(day(rules));
  assert.deepEqual(
    twice.views.map((view) => view.kind),
    ['zones', 'shieldGroups', 'shieldRows'],
  );
  const want = subscriptions(twice).find((each) => each.kind === 'shieldDay');
  const read = played(twice, {
    type: 'shieldDayRead',
    request: want?.request ?? -1,
    page: { events: eventsOf(0, 10), next: 't1', bad: 0 },
  }).state;
  const stopped = played({ ...read, now: NOON + 1000 }, 'leave').state;
  assert.equal(rows(stopped).reading.loading.kind, 'cancelled');
  const resumed = subscriptions(played(stopped, 'refresh').state).find((each) => each.kind === 'shieldDay');
  assert.equal(resumed?.token, 't1');
});
