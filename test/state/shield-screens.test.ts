import assert from 'node:assert/strict';
import { test } from 'node:test';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { eventsOf, PAIRS, rows, rules, searches } from '../support/shield.ts';
import { listedState, NOON, played, zoneOf } from '../support/state.ts';

const kinds = (state: typeof rules) => subscriptions(state).map((each) => each.kind);

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
  const resumed = subscriptions(played(stopped, 'refresh').state).find((each) => each.kind === 'shieldDay');
  assert.equal(resumed?.token, 't1');
});
