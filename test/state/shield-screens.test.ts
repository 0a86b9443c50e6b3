import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { topShield } from '../../src/screens/shield/shield-ask.ts';
import { FIRST_QUESTION, openShield } from '../../src/screens/shield/shield-open.ts';
import { openZones } from '../../src/screens/zones/zones-screen.ts';
import { pressed } from '../support/pressed.ts';
import { eventsOf, PAIRS, rows, rules, searches } from '../support/shield.ts';
import { listedState, NOON, played, zoneOf } from '../support/state.ts';

const SHOP = zoneOf('1', 'shop', { shieldZoneId: '9' });

const kinds = (state: typeof rules) => subscriptions(state).map((each) => each.kind);

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
  const moved = pressed(read, '<:last:1h>');
  assert.deepEqual([rows(moved).day, searches(moved)[0]?.ask.groupBy], [null, []]);
  const resumed = subscriptions(played(stopped, 'refresh').state).find((each) => each.kind === 'shieldDay');
  assert.equal(resumed?.token, 't1');
});
