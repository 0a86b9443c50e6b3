import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogNeed, Need } from '../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { ArrivedRow } from '../../src/domain/logs/log-rows.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { TimeRange } from '../../src/domain/tail/coverage.ts';
import type { PullZone } from '../../src/domain/zone.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { rowUnder } from '../../src/screens/answer/answer-cursor.ts';
import type { AnswerView } from '../../src/state/answer-model.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { API, OFF, openedZones, SHOP, toldBy } from '../support/several-zones.ts';
import { listedState, NOON, played, recordOf, zoneOf } from '../support/state.ts';

const QUARTER: TimeRange = { from: NOON - 900_000, to: NOON };

/** Two rows a second of the quarter of an hour before noon. */
function rows(zone: PullZone, more: (second: number) => Partial<LogRecord> = () => ({})): ArrivedRow[] {
  return Array.from({ length: 1800 }, (_, at) => {
    const second = at / 2 - 900;
    const over = {
      timestamp: NOON + second * 1000,
      pullZoneId: zone.id,
      remoteIp: '192.0.2.7',
      ...more(second),
    };
    return { record: recordOf(Number(zone.id) * 10_000 + at, over), late: false };
  });
}

/** The origin of one zone fails in the last three minutes. */
const failing = rows(API, (second) => ({ statusCode: second >= -180 ? 503 : 200 }));

type Read = { rows?: ArrivedRow[]; read?: readonly TimeRange[] };

/** A log of two zones, each read over the quarter unless told; paused on an address of the newest row. */
function opened(shop: Read = {}, api: Read = {}, query = '', zones = [SHOP, API] as const): State {
  const parsed = parseQuery(query, 'logs', NOON);
  assert.ok(parsed.ok);
  const state = openedZones(zones, {}, parsed.query);
  const told = (zone: PullZone, { rows: all = rows(zone), read = [QUARTER] }: Read) => {
    const report = { read, completeTo: read.at(-1)?.to ?? null, gaps: [] };
    return toldBy(state, zone.id, all, report);
  };
  const read = played(state, told(zones[0], shop), told(zones[1], api), 'pause', 'up').state;
  const onAddress = read.views.map((view) =>
    view.kind === 'log' ? { ...view, column: 'ip' as const } : view,
  );
  return { ...read, views: onAddress };
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer', state.notice?.text);
  return view as AnswerView;
}

const asked = (state: State): readonly Need[] =>
  subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
const zonesOf = (needs: readonly Need[]) =>
  [...new Set(needs.map((need) => (need as LogNeed).zoneId))].sort();

for (const command of ['compare', 'missLens', 'incidents', 'pivot', 'bypassCheck'] as const) {
  test(`${command} on a log of two zones is answered by the rows of both that it holds, before any request`, () => {
    const { state } = played(opened({}, { rows: failing }), command);
    assert.equal(answer(state).spent, 0);
    // What is asked for is not in memory: an earlier window, and the half minute after the newest row.
    const held = asked(state).filter(
      (need) => need.kind === 'logs' && need.range.to <= QUARTER.to && need.range.from >= QUARTER.from,
    );
    assert.deepEqual(held, []);
    assert.deepEqual(
      answer(state)
        .zones.map(({ id }) => id)
        .sort(),
      ['1', '2'],
    );
    const { sections, coverage } = answer(state).table;
    assert.ok(sections.some(({ rows }) => rows.length > 0) || /all of this window read/.test(coverage));
  });
}

test('what is held of each zone answers for that zone alone', () => {
  const half = { from: NOON - 450_000, to: NOON };
  const state = opened({}, { rows: rows(API).slice(900), read: [half] });
  const { state: part } = played(state, 'bypassCheck');
  assert.match(answer(part).table.coverage, /^75\.0% of the window read/);
  const rest = asked(part) as readonly LogNeed[];
  assert.deepEqual(
    rest.map(({ zoneId, range }) => [zoneId, range]),
    [['2', { from: QUARTER.from, to: half.from }]],
  );
});

test('a client is looked for in the logs of all zones, in each by what it keeps of addresses', () => {
  const cut = zoneOf('3', 'news', { anonymisation: 'lastOctet' });
  const dropped = zoneOf('4', 'docs', { anonymisation: 'drop' });
  const address = (zone: PullZone, remoteIp: string | null) => ({ rows: rows(zone, () => ({ remoteIp })) });
  const both = opened(address(SHOP, '192.0.2.7'), address(cut, '192.0.2.0'), '', [SHOP, cut]);
  const { table } = answer(played(both, 'bypassCheck').state);
  assert.match(table.headline, /^3,240 of 3,600 requests were answered 2xx or 3xx/);
  assert.match(table.coverage, /; by \/24: others of the network count too$/);
  assert.deepEqual(
    table.sections[1]?.rows.map(({ cells }) => [cells[0], cells[1], cells[3]]),
    [
      ['shop-frontend', '100%', '1,620'],
      ['news', '100%', '1,620'],
    ],
  );
  const silent = opened(
    address(SHOP, '198.51.100.9'),
    { rows: address(dropped, null).rows.slice(0, 900) },
    '',
    [SHOP, dropped],
  );
  const left = answer(played(silent, 'bypassCheck').state).table;
  assert.match(left.coverage, /docs: the zone logs no client addresses; ask by ja4, ua or url$/);
});

test('a "nothing got through" of some zones says which could not be asked', () => {
  const dropped = zoneOf('4', 'docs', { anonymisation: 'drop' });
  const silent = opened(
    { rows: rows(SHOP, () => ({ statusCode: 403 })) },
    { rows: rows(dropped, () => ({ remoteIp: null })).slice(0, 900) },
    '',
    [SHOP, dropped],
  );
  const { headline, verdict } = answer(played(silent, 'bypassCheck').state).table;
  assert.match(headline, /^nothing got through in the zones that can be asked: 1,800 requests/);
  assert.equal(verdict, 'unknown');
});

test('the answer of several zones names them, and a row of a zone leads into it alone', () => {
  const { state } = played(opened({}, { rows: failing }), 'incidents');
  const view = answer(state);
  assert.match(view.table.headline, /^api-gateway: .* since 11:5\d/);
  assert.deepEqual(rowUnder(state, view)?.leads?.zones, ['2']);
  const log = played(state, 'open').state;
  const source = log.session?.source;
  assert.deepEqual(source?.kind === 'zones' && source.zones.map(({ id }) => id), ['2']);
});

const PICKER = [SHOP, API, OFF, zoneOf('5', 'docs')];
const waysOf = (state: State) => answer(state).choices.map(({ title, why }) => `${title}: ${why}`);

test('in the picker all zones are asked in one plan, and the zone under the cursor is the second choice', () => {
  const { state } = played(listedState(PICKER), 'down', 'incidents');
  assert.deepEqual(
    waysOf(state).map((way) => way.replace(/: (?:\d+ of each, )?/, ': ')),
    [
      'all zones, 3 hours: 3 zones, about 18s',
      'api-gateway, last day: about 2m19s, the newest first',
      'all zones, 1 day: 3 zones, about 2m19s',
      'api-gateway, 3 days kept: about 6m56s, the newest first',
    ],
  );
  assert.deepEqual(zonesOf(asked(played(state, 'open').state)), ['1', '2', '5']);
  assert.deepEqual(zonesOf(asked(played(state, 'down', 'open').state)), ['2']);
});
