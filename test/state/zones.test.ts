import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { createLook } from '../../src/paint/theme.ts';
import { NO_ZONES } from '../../src/screens/zones/zones-screen.ts';
import { zonesOfLog } from '../../src/state/log-zones.ts';
import type { Action } from '../../src/state/messages.ts';
import { bodyLines } from '../../src/ui/body.ts';
import {
  listedState,
  NOON,
  played,
  reportOf,
  startState,
  zoneOf,
  zonePages,
  zonesRead,
} from '../support/state.ts';

const SHOP = zoneOf('1', 'shop');
const BLOG = zoneOf('2', 'blog');

function wanting(word: string) {
  return { zones: { ...NO_ZONES, wanted: { word, query: EMPTY_QUERY } } };
}

test('a zone without logging is not asked: the notice says where logging is switched on', () => {
  const { state } = played(listedState([zoneOf('3', 'quiet', { logging: false })]), 'open');
  assert.equal(state.session, null);
  assert.match(state.notice?.text ?? '', /logging is off.*Logging/);
});

test('what the list shows of Shield is asked for once the list is here, and once', () => {
  const asked = played(startState({ zones: { ...NO_ZONES } }), 'refresh');
  assert.deepEqual(zonePages(asked.state), [[1, 1]]);
  const page = { items: [SHOP], page: 1, total: 1, hasMore: false };
  const here = played(asked.state, zonesRead(1, page));
  assert.deepEqual(here.effects, [{ type: 'loadShieldMapping' }]);
  const again = played(
    here.state,
    { type: 'shieldMapped', pairs: [{ pullZoneId: '1', shieldZoneId: '9' }] },
    'refresh',
  );
  assert.deepEqual(zonePages(again.state), [[2, 1]]);
  const renewed = played(again.state, zonesRead(2, page));
  assert.deepEqual([again.effects, renewed.effects, zonePages(renewed.state)], [[], [], []]);
  assert.equal(renewed.state.zones.items[0]?.shieldZoneId, '9');
});

test('a log that was named at the start has its rows before what the list shows of Shield is asked for', () => {
  const page = { items: [SHOP], page: 1, total: 1, hasMore: false };
  const opened = played(startState(wanting('shop')), 'refresh', zonesRead(1, page));
  assert.deepEqual(opened.effects, []);
  const generation = opened.state.session?.generation ?? 0;
  const event = { rows: [], report: reportOf({}) };
  const first = played(opened.state, { type: 'tailRead', zone: '1', generation, event });
  assert.deepEqual(first.effects, [{ type: 'loadShieldMapping' }]);
  assert.deepEqual(played(first.state, { type: 'tailRead', zone: '1', generation, event }).effects, []);
});

test('with a logging token alone the log of an id opens, and no other name and no Shield', () => {
  const failure = failureOf('noKey', { host: 'api.example.com' });
  const after = (word: string, screen: 'logs' | 'shield') => {
    const zones = { ...NO_ZONES, wanted: { word, query: EMPTY_QUERY, screen } };
    return played(startState({ zones }), 'refresh', {
      type: 'listFailed',
      list: 'zones',
      request: 1,
      failure,
    }).state;
  };
  const { session } = after('4711,12', 'logs');
  assert.deepEqual(session && zonesOfLog(session).map(({ id, name }) => [id, name]), [
    ['4711', '4711'],
    ['12', '12'],
  ]);
  for (const state of [after('shop', 'logs'), after('4711', 'shield')])
    assert.deepEqual([state.session, state.zones.loading.kind], [null, 'failed']);
});

test('a failed list keeps what was listed and is a named state', () => {
  const failure = failureOf('timeout', { host: 'api.example.com' });
  const { state } = played(listedState([SHOP]), { type: 'listFailed', list: 'zones', request: 1, failure });
  assert.deepEqual(state.zones.loading, { kind: 'failed', failure });
  assert.equal(state.zones.items.length, 1);
});

test('narrowing fetches the pages that were not read yet', () => {
  const more = played(
    startState({ zones: { ...NO_ZONES, request: 1 } }),
    zonesRead(1, { items: [SHOP], page: 1, total: 2, hasMore: true }),
  ).state;
  const { state } = played(more, 'find', { type: 'typed', text: 'b' });
  assert.deepEqual(zonePages(state), [[1, 2]]);
  assert.equal(state.zones.narrow, 'b');
});

test('Esc cancels the reading of the list, says so, and Ctrl-r reads again', () => {
  const asked = played(startState(wanting('shop')), 'refresh');
  const { state } = played(asked.state, 'leave');
  assert.deepEqual(zonePages(state), []);
  assert.deepEqual([state.zones.loading.kind, state.zones.wanted], ['idle', null]);
  assert.match(state.notice?.text ?? '', /cancelled: Ctrl-r/);
  const page = { items: [SHOP], page: 1, total: 1, hasMore: false };
  const late = played(state, zonesRead(1, page)).state;
  assert.deepEqual(late.zones.items, []);
  const again = played(late, 'refresh');
  assert.deepEqual(zonePages(again.state), [[3, 1]]);
  const here = played(again.state, zonesRead(3, page)).state;
  assert.deepEqual([here.views.at(-1)?.kind, here.zones.items.length], ['zones', 1]);
});

test('a list that was not read to its end is not called empty, nor a name unknown', () => {
  const look = createLook('mono', true, true);
  const reading = played(startState({ zones: { ...NO_ZONES } }), 'refresh').state;
  const bodyOf = (state: typeof reading) => bodyLines(state, look)?.join('\n') ?? '';
  assert.match(bodyOf(reading), /reading the zones.*; Esc cancels/);
  const cancelled = played(reading, 'leave').state;
  assert.match(bodyOf(cancelled), /not read; Ctrl-r asks/);
  const narrowed = played(
    listedState([SHOP]),
    'refresh',
    'find',
    { type: 'typed', text: 'zz' },
    { type: 'submitted' },
    'leave',
  );
  assert.match(bodyOf(narrowed.state), /no zone matches among those read/);
});

test('an unknown zone gives the nearest names', () => {
  const state = listedState([SHOP, BLOG], wanting('shpo'));
  assert.equal(state.session, null);
  assert.match(state.notice?.text ?? '', /no zone is called 'shpo'; nearest: shop/);
});

test('an ambiguous name lists its candidates', () => {
  const state = listedState([zoneOf('1', 'shop'), zoneOf('4', 'shop')], wanting('shop'));
  assert.match(state.notice?.text ?? '', /'shop' names 2 zones/);
  assert.equal(state.zones.shown.length, 2);
});

test('waiting for the list counts seconds; a picker that stands still runs no timer', () => {
  const loading = startState({ zones: { ...NO_ZONES, loading: { kind: 'loading', since: NOON } } });
  assert.deepEqual(
    subscriptions(loading).map((each) => each.kind),
    ['list', 'clock'],
  );
  assert.deepEqual(subscriptions(played(listedState([SHOP]), 'follow').state), []);
});

test('a list that lacks what could not be read says so', () => {
  const page = { items: [zoneOf('1', 'shop')], page: 1, total: 2, hasMore: false, unread: 1 };
  const { state } = played(startState(), zonesRead(startState().zones.request, page));
  const remark = '1 of the list could not be read and is left out';
  assert.deepEqual(state.remarks, [{ tone: 'warning', remark }]);
});

test('a zone opened by hand stays open when the page of the zone that was named arrives', () => {
  const asking = startState({ zones: { ...NO_ZONES, wanted: { word: 'blog', query: EMPTY_QUERY } } });
  const pages = [SHOP, BLOG].map((zone, at): Action => {
    const page = { items: [zone], page: at + 1, total: 2, hasMore: at === 0 };
    return zonesRead(0, page);
  });
  const [first, second] = pages as [Action, Action];
  const { state } = played(asking, first, 'open', second);
  assert.equal(zonesOfLog(state.session)[0]?.name, 'shop');
});

test('a page without a zone ends the list, whatever it says of more', () => {
  const page = { items: [], page: 2, total: 9, hasMore: true };
  const listed = listedState([SHOP], wanting('nowhere'));
  const { state, effects } = played(listed, zonesRead(1, page));
  assert.deepEqual([state.zones.nextPage, effects], [null, []]);
});
