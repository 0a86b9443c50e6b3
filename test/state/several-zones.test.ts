import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_QUERY, type Query } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { TailReport } from '../../src/domain/tail/tail-report.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { onTop } from '../../src/screens/screens.ts';
import { sourceName } from '../../src/state/log-zones.ts';
import type { Action, Subscription } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { topView } from '../../src/state/view-stack.ts';
import { batchOf } from '../support/coded.ts';
import { API, OFF, openedZones, rowsOfZone, SHOP, toldBy } from '../support/several-zones.ts';
import { gapOf, listedState, NOON, played, zoneOf, zonePages, zonesRead } from '../support/state.ts';

const SECOND = 1000;

type TailWant = Extract<Subscription, { kind: 'tail' }>;

function tails(state: State): TailWant[] {
  return subscriptions(state).filter((want) => want.kind === 'tail');
}

function queryOf(text: string): Query {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  return parsed.query;
}

/** What has been read so far: all from a minute before noon to so many seconds after it. */
function readTo(seconds: number): Partial<TailReport> {
  const to = NOON + seconds * SECOND;
  return { completeTo: to, read: [{ from: NOON - 60 * SECOND, to }] };
}

function paths(state: State): string[] {
  const { book } = state.session ?? {};
  return [...(book?.items() ?? [])].map((item) =>
    item.kind === 'gap' ? `gap ${item.gap.zone}` : (book?.record(item.id).path ?? ''),
  );
}

function latePaths(state: State): string[] {
  const { book } = state.session ?? {};
  return [...(book?.items() ?? [])].flatMap((item) =>
    item.kind === 'row' && book?.isLate(item.id) ? [book.record(item.id).path] : [],
  );
}

function ordered(state: State, line: string): State {
  const [command = '', ...words] = line.split(' ');
  const argument = { text: words.join(' '), at: command.length + 1 };
  return played(state, { type: 'ordered', command: command as CommandId, argument, line }).state;
}

test('a log of several zones has a tail for each, by a key of its own and with its own filter', () => {
  const cut = zoneOf('2', 'api-gateway', { anonymisation: 'lastOctet' });
  const state = openedZones([SHOP, cut], {}, queryOf('status:5xx ip:192.0.2.1'));
  const wants = tails(state);
  assert.deepEqual(
    wants.map(({ key, zone }) => [key, zone.id]),
    [
      ['tail 1 1', '1'],
      ['tail 2 1', '2'],
    ],
  );
  assert.deepEqual(wants[0]?.filter, { status: ['5xx'], remoteIp: '192.0.2.1' });
  assert.deepEqual(wants[1]?.filter, { status: ['5xx'] });
});

test('the rows of all zones are one stream by event time, each at once', () => {
  const opened = openedZones([SHOP, API]);
  const first = played(opened, toldBy(opened, '1', rowsOfZone('1', 0, 2), readTo(2))).state;
  assert.deepEqual(paths(first), ['/1/0', '/1/1']);
  assert.equal(first.session?.report?.completeTo, null);
  const both = played(first, toldBy(first, '2', rowsOfZone('2', -1, 2), readTo(1))).state;
  assert.deepEqual(paths(both), ['/2/-1', '/1/0', '/2/0', '/1/1', '/2/1']);
  assert.equal(both.session?.report?.completeTo, NOON + SECOND);
});

test('rows of a zone that was left behind are late and counted, its history and what fills its gaps are not', () => {
  const opened = openedZones([SHOP, API]);
  const ahead = played(opened, toldBy(opened, '1', rowsOfZone('1', 0, 1), readTo(1))).state;
  const told = played(
    ahead,
    toldBy(ahead, '2', rowsOfZone('2', -5, 1), readTo(1)),
    toldBy(ahead, '1', rowsOfZone('1', 1, 42), readTo(42)),
  ).state;
  assert.deepEqual(latePaths(told), []);
  // A batch and one of its rows apart, as a long answer comes.
  const [first, ...rest] = rowsOfZone('2', 1, 40);
  assert.ok(first);
  const late = Uint8Array.from(rest, (_, at) => (at === 37 ? 1 : 0));
  const rows = [{ coded: batchOf(rest.map(({ record }) => record)), late }, first];
  const behind = played(told, toldBy(told, '2', rows, { ...readTo(40), late: 2 })).state;
  // Up to ten seconds behind is the ordinary pause between two requests.
  assert.deepEqual(
    latePaths(behind),
    [...Array.from({ length: 31 }, (_, at) => at + 1), 39].map((at) => `/2/${at}`),
  );
  assert.equal(behind.session?.report?.late, 33);
  const filled = played(behind, toldBy(behind, '2', rowsOfZone('2', -50, -40), readTo(41))).state;
  assert.equal(latePaths(filled).length, 32);
});

test('a gap is of its zone: Enter reads it there, Esc stops it there, and other zones do not end it', () => {
  const opened = openedZones([SHOP, API]);
  const gaps = [gapOf(3, 5)];
  const read = played(
    opened,
    toldBy(opened, '1', rowsOfZone('1', 0, 9), readTo(9)),
    toldBy(opened, '2', [], { ...readTo(9), gaps }),
  ).state;
  assert.ok(paths(read).includes('gap 2'));
  const onGap = played(read, 'pause', 'first', 'down', 'down', 'down').state;
  const ordered = played(onGap, 'open');
  const range = { from: NOON + 3 * SECOND, to: NOON + 5 * SECOND };
  assert.deepEqual(ordered.effects, [{ type: 'backfill', generation: 1, zone: '2', range }]);
  // Its rows show although the log is paused, whatever another zone tells meanwhile.
  const reading = { ...readTo(9), gaps, reading: [range] };
  const under = played(
    ordered.state,
    toldBy(read, '2', [], reading),
    toldBy(read, '1', [], readTo(10)),
  ).state;
  assert.equal(played(under, 'open').state.notice?.text, 'this is being read; Esc stops it');
  const filled = played(under, toldBy(read, '2', rowsOfZone('2', 3, 5), readTo(10))).state;
  assert.ok(paths(filled).includes('/2/3'));
  assert.deepEqual(played(under, 'leave').effects, [{ type: 'stopBackfill', generation: 1, zone: '2' }]);
});

test('a changed question starts all tails anew, and the first answer costs no other zone its rows', () => {
  const opened = openedZones([SHOP, API]);
  const read = played(
    opened,
    toldBy(opened, '1', rowsOfZone('1', 0, 3), readTo(3)),
    toldBy(opened, '2', rowsOfZone('2', 0, 3), readTo(3)),
  ).state;
  const asked = played(read, 'editQuery', { type: 'typed', text: 'status:200' }, { type: 'submitted' }).state;
  assert.deepEqual(
    tails(asked).map(({ key, filter }) => [key, filter]),
    [
      ['tail 1 2', { status: ['200'] }],
      ['tail 2 2', { status: ['200'] }],
    ],
  );
  assert.equal(asked.session?.replacing, true);
  const first = played(asked, toldBy(asked, '2', rowsOfZone('2', 1, 3), readTo(3))).state;
  assert.equal(first.session?.replacing, false);
  assert.equal(first.session?.report?.completeTo, null);
  const all = played(first, toldBy(asked, '1', rowsOfZone('1', 1, 3), readTo(3))).state;
  assert.deepEqual(paths(all), ['/2/1', '/1/1', '/2/2', '/1/2']);
});

test('zone: is told by name and found by id, and + on a row, a group and a field asks by the name', () => {
  const opened = openedZones([SHOP, API], {}, queryOf('zone:api-*'));
  const read = played(
    opened,
    toldBy(opened, '1', rowsOfZone('1', 0, 3), readTo(3)),
    toldBy(opened, '2', rowsOfZone('2', 0, 2), readTo(3)),
  ).state;
  assert.deepEqual(paths(read), ['/2/0', '/2/1']);
  const all = played(read, 'dropFilters').state;
  assert.equal(paths(all).length, 5);
  const held = played(all, 'pause', 'last', 'pause', 'left', 'left', 'left').state;
  const under = (state: State) => {
    const cell = onTop(state, 'cell');
    return typeof cell === 'string' ? cell : [cell.text, cell.asked];
  };
  const onZone = {
    ...held,
    views: held.views.map((view) => (view.kind === 'log' ? { ...view, column: 'zone' as const } : view)),
  };
  const asked = { subject: 'logs', field: 'zone', value: 'shop-frontend' };
  assert.deepEqual(under(onZone), ['shop-frontend', asked]);
  const only = played(onZone, 'filterOnly').state;
  assert.deepEqual(shownLog(only)?.query.terms, queryOf('zone:shop-frontend').terms);
  assert.deepEqual(new Set(paths(only).map((path) => path.slice(0, 2))), new Set(['/1']));
  const groups = ordered(played(only, 'dropFilters', 'last').state, 'chooseGroups zone');
  assert.deepEqual(under(groups), ['shop-frontend', asked]);
  const drilled = played(groups, 'down', 'open').state;
  assert.deepEqual(shownLog(drilled)?.query.terms, queryOf('zone:api-gateway').terms);
  assert.deepEqual(paths(drilled), ['/2/0', '/2/1']);
});

test('an address is compared as its own zone cuts it', () => {
  const cut = zoneOf('2', 'api-gateway', { anonymisation: 'lastOctet' });
  const opened = openedZones([SHOP, cut], {}, queryOf('ip:192.0.2.3'));
  const read = played(
    opened,
    toldBy(opened, '1', rowsOfZone('1', 0, 4), readTo(4)),
    toldBy(opened, '2', rowsOfZone('2', 0, 4), readTo(4)),
  ).state;
  assert.deepEqual(paths(read), ['/2/0', '/2/1', '/2/2', '/1/3', '/2/3']);
  const excluded = openedZones([SHOP, cut], {}, queryOf('-ip:192.0.2.3'));
  const others = played(
    excluded,
    toldBy(excluded, '1', rowsOfZone('1', 0, 4), readTo(4)),
    toldBy(excluded, '2', rowsOfZone('2', 0, 4), readTo(4)),
  ).state;
  assert.deepEqual(paths(others), ['/1/0', '/1/1', '/1/2']);
});

test('a zone whose logging is off stays named, is not asked, and stops the others from nothing', () => {
  const state = openedZones([OFF, SHOP]);
  assert.equal(topView(state).kind, 'log');
  assert.deepEqual(
    tails(state).map(({ zone }) => zone.name),
    ['shop-frontend'],
  );
  assert.equal(sourceName(state.session), 'legacy-no-logs +1');
  const none = openedZones([OFF]);
  assert.equal(topView(none).kind, 'zones');
  assert.match(none.notice?.text ?? '', /^legacy-no-logs: logging is off/);
});

test('shop,api and patterns open from the command line, as soon as all pages that may name one are read', () => {
  const page = (zones: (typeof SHOP)[], hasMore: boolean, number = 1): Action =>
    zonesRead(1, { items: zones, page: number, total: 4, hasMore });
  const wanting = (word: string, screen: 'logs' | 'shield' = 'logs') => {
    const state = listedState([], {});
    return { ...state, zones: { ...state.zones, request: 1, wanted: { word, query: EMPTY_QUERY, screen } } };
  };
  const named = played(wanting('api-gateway,shop-frontend'), page([SHOP, API], true)).state;
  assert.deepEqual(
    tails(named).map(({ zone }) => zone.id),
    ['2', '1'],
  );
  const blog = zoneOf('4', 'shop-blog');
  const pattern = played(wanting('shop-*'), page([SHOP], true));
  assert.deepEqual(tails(pattern.state), []);
  assert.deepEqual(zonePages(pattern.state), [[1, 2]]);
  const whole = played(pattern.state, page([blog], false, 2)).state;
  assert.deepEqual(
    tails(whole).map(({ zone }) => zone.id),
    ['1', '4'],
  );
  const unknown = played(wanting('shop-frontend,nothere'), page([SHOP, API], false)).state;
  assert.match(unknown.notice?.text ?? '', /no zone is called 'nothere'/);
  assert.deepEqual(tails(unknown), []);
  const shield = played(wanting('shop-frontend,api-gateway', 'shield'), page([SHOP, API], false)).state;
  assert.match(shield.notice?.text ?? '', /of one zone: choose one zone/);
});

test(':logs takes several zones, marks the word that names none, and goes to those that are open', () => {
  const opened = openedZones([SHOP, API], {}, EMPTY_QUERY, [OFF]);
  const read = played(opened, toldBy(opened, '1', rowsOfZone('1', 0, 3), readTo(3))).state;
  const same = ordered(read, 'logsScreen shop-frontend,api-gateway');
  assert.equal(same.session?.generation, read.session?.generation);
  const other = ordered(read, 'logsScreen api-gateway,shop-frontend status:5xx');
  assert.deepEqual(
    tails(other).map(({ zone }) => zone.id),
    ['2', '1'],
  );
  const wrong = ordered(read, 'logsScreen shop-frontend,nothere');
  const { column, length, message } = wrong.prompt?.error ?? {};
  assert.deepEqual(
    [column, length, message],
    ['logsScreen shop-frontend,'.length, 'nothere'.length, 'no such zone'],
  );
  assert.equal(
    ordered(read, 'shieldScreen shop-frontend,api-gateway').prompt?.error?.hint,
    'choose one zone',
  );
});

test('3 opens the explorer of the zone of the row under the cursor, and first says how to choose', () => {
  const shields = [
    zoneOf('1', 'shop-frontend', { shieldZoneId: '11' }),
    zoneOf('2', 'api-gateway', { shieldZoneId: '22' }),
  ] as const;
  const opened = openedZones(shields);
  const read = played(
    opened,
    toldBy(opened, '1', rowsOfZone('1', 0, 3), readTo(3)),
    toldBy(opened, '2', rowsOfZone('2', 0, 3), readTo(3)),
  ).state;
  const stopped = played(read, 'shieldScreen').state;
  assert.match(stopped.notice?.text ?? '', /choose a row of the zone/);
  assert.equal(topView(stopped).kind, 'log');
  const shield = played(stopped, 'shieldScreen').state;
  assert.equal(shield.shield?.zone.name, 'api-gateway');
  const back = played(shield, 'logsScreen').state;
  assert.equal(back.session?.generation, read.session?.generation);
  const other = played(back, 'up', 'shieldScreen').state;
  assert.equal(other.shield?.zone.name, 'shop-frontend');
  const groups = played(ordered(back, 'chooseGroups zone'), 'down', 'shieldScreen').state;
  assert.equal(groups.shield?.zone.name, 'api-gateway');
});

test('no more zones are opened as one log than can be followed', () => {
  const zones = Array.from({ length: 41 }, (_, at) => zoneOf(String(at), `zone-${at}`));
  const [first, ...others] = zones as [typeof SHOP, ...(typeof SHOP)[]];
  const many = openedZones([first, ...others]);
  assert.deepEqual(tails(many), []);
  assert.equal(many.notice?.text, 'these are 41 zones; one log follows at most 40');
  assert.equal(tails(openedZones([first, ...others.slice(1)])).length, 40);
});

test('of several zones without an end each is paged from where its own tail begins', () => {
  const history = { engine: 'duckdb', name: 'main' };
  let state = openedZones([SHOP, API], { history }, queryOf('last:5d'));
  const pages = () => subscriptions(state).filter((want) => want.kind === 'page');
  assert.deepEqual(
    tails(state).map(({ from, to, isRelative }) => [from, to, isRelative]),
    [1, 2].map(() => [NOON - 360 * SECOND, null, true]),
  );
  assert.deepEqual(pages(), [], 'where a tail begins its first answer tells');
  const from = NOON - 5 * 86_400 * SECOND;
  const origin = NOON - 300 * SECOND;
  const told = toldBy(state, '1', rowsOfZone('1', 0, 2), { origin, read: [{ from: origin, to: NOON }] });
  state = played(state, told).state;
  assert.deepEqual(
    pages().map(({ zone, window, before }) => [zone.id, window, before]),
    [['1', { from, to: origin }, null]],
  );
  state = played(state, toldBy(state, '2', [], { origin: NOON, read: [] })).state;
  assert.deepEqual(
    pages().map(({ window }) => window.to),
    [origin, NOON],
  );
  assert.deepEqual(
    state.session?.report?.gaps.map((gap) => [gap.zone, gap.from, gap.to, gap.reason]),
    [
      ['1', from, origin, 'notRead'],
      ['2', from, NOON, 'notRead'],
    ],
  );
});
