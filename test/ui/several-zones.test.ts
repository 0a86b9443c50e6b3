import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import type { TailReport } from '../../src/domain/tail/tail-report.ts';
import type { Zones } from '../../src/domain/zone.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import { zoneMarks } from '../../src/screens/log/painting/log-body.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines, footLine, headLine, queryLine } from '../../src/ui/chrome.ts';
import { plainBody } from '../support/plain-body.ts';
import { API, OFF, openedZones, rowsOfZone, SHOP, toldBy } from '../support/several-zones.ts';
import { followedState, gapOf, NOON, played, rowsOf, workedOff, zoneOf } from '../support/state.ts';

const SECOND = 1000;
const look = createLook('mono', true, true);

function readTo(seconds: number): Partial<TailReport> {
  const to = NOON + seconds * SECOND;
  return { completeTo: to, read: [{ from: NOON - 120 * SECOND, to }] };
}

function sized(columns: number, rows = 24): Partial<State> {
  return { size: { columns, rows } };
}

/** A log of zones, each read to its second. */
function readLog(zones: Zones, seconds: readonly number[], more: Partial<State> = {}): State {
  let state = openedZones(zones, more);
  zones.forEach(({ id }, at) => {
    const to = seconds[at];
    if (to === undefined) return;
    state = played(state, toldBy(state, id, rowsOfZone(id, to - 3, to), readTo(to))).state;
  });
  return state;
}

function lines(state: State, by = look): string[] {
  return plainBody(state, by);
}

function title(state: State): string {
  return stripped(chromeLines(state, look).head.lines[0] ?? '').trim();
}

test('the zone stands behind the time where the log has several, and nowhere else', () => {
  assert.doesNotMatch(lines(followedState(rowsOf(0, 3)))[0] ?? '', /ZONE/);
  for (const columns of [80, 120]) {
    const body = lines(readLog([SHOP, API], [10, 10], sized(columns)));
    assert.match(body[0] ?? '', /^ TIME {5}ZONE {10}CACHE/);
    assert.match(body.join('\n'), /^ 12:00:09 shop-frontend M MISS/m);
    assert.match(body.join('\n'), /^ 12:00:09 api-gateway {3}/m);
    for (const line of body) assert.ok(width(line) <= columns);
  }
});

test('names that are cut still tell zones apart', () => {
  const labels = (names: string[], cells: number) => {
    const zones = names.map((name, at) => zoneOf(String(at), name));
    return [...zoneMarks(zones, cells, '~').values()].map(({ label }) => label);
  };
  assert.deepEqual(labels(['shop', 'api-gateway'], 8), ['shop    ', 'api-gat~']);
  assert.deepEqual(labels(['customer-eu', 'customer-us'], 8), ['~omer-eu', '~omer-us']);
  assert.deepEqual(labels(['ab-shops-of-eu-in-0001', 'ab-shops-of-us-in-0001'], 8), ['1 ab-sh~', '2 ab-sh~']);
  assert.deepEqual(labels(['ab-customers-0', 'cd-customers-0', 'ab-customers-1'], 8), [
    'ab-c~s-0',
    'cd-c~s-0',
    'ab-c~s-1',
  ]);
  for (const label of labels(['日本語のゾーン', 'b'], 6)) assert.equal(width(label), 6);
});

test('a gap says whose it is, with one zone it does not', () => {
  const opened = openedZones([SHOP, API], sized(120));
  const gaps = [gapOf(1, 3)];
  const state = played(opened, toldBy(opened, '2', rowsOfZone('2', 0, 5), { ...readTo(5), gaps })).state;
  assert.match(
    lines(state).join('\n'),
    /gap of api-gateway 12:00:01-12:00:03 \(2s\): the request failed; Enter/,
  );
  assert.match(lines(followedState(rowsOf(0, 5), gaps)).join('\n'), /gap 12:00:01/);
  const reading = { ...readTo(5), gaps, reading: [{ from: NOON + SECOND, to: NOON + 3 * SECOND }] };
  const other = played(state, toldBy(state, '1', [], reading)).state;
  assert.match(lines(other).join('\n'), /gap of api-gateway .*; Enter/);
});

test('the status line names the zone that is behind, the badge says how many are in trouble', () => {
  for (const [columns, badge] of [
    [80, /LIVE, 1 of 2 in trouble$/],
    [120, /LIVE, 1 of 2 in trouble$/],
    [40, /LIVE, 1 of 2$/],
  ] as const) {
    const state = readLog([SHOP, API], [60, 19], sized(columns));
    const foot = stripped(footLine(state, look));
    assert.match(foot, columns === 40 ? /api\S* 41s behind/ : /api-gateway 41s behind/);
    assert.ok(width(foot) <= columns, foot);
    assert.match(title(state), badge);
  }
  const well = readLog([SHOP, API], [60, 55]);
  assert.doesNotMatch(stripped(footLine(well, look)), /behind/);
  assert.match(title(well), /LIVE$/);
});

test('a zone that is refused or not logged is named with why, and how many others are in trouble', () => {
  const state = readLog([SHOP, API, OFF], [60], sized(120));
  const off = stripped(footLine(state, look));
  assert.match(off, /legacy-no-logs: logging off/);
  const words = (report: Partial<TailReport>) =>
    stripped(footLine(played(state, toldBy(state, '2', [], report)).state, look));
  const failed = (kind: Parameters<typeof failureOf>[0]) =>
    words({ status: 'failed', failure: failureOf(kind) });
  assert.match(failed('refusedKey'), /api-gateway: refused, 1 more/);
  assert.match(failed('loggingDisabled'), /api-gateway: logging off, 1 more/);
  assert.match(failed('serverError'), /api-gateway: failing, 1 more/);
  assert.match(words({ status: 'offline', failure: failureOf('dns') }), /api-gateway: offline, 1 more/);
  assert.match(words({ status: 'rateLimited' }), /api-gateway: rate limited, 1 more/);
});

test('the rates are of the zones that are read, and say of how many', () => {
  const behind = readLog([SHOP, API], [60, 19]);
  assert.match(stripped(headLine(behind, look)), /^ 1 of 2 zones {2}<?[\d.]+ req\/s/);
  const all = readLog([SHOP, API], [60, 60]);
  assert.doesNotMatch(stripped(headLine(all, look)), /zones/);
  assert.match(stripped(headLine(all, look)), /0\.1 req\/s/);
});

test('the rates count the time that all zones were read, and only the rows of it', () => {
  const opened = openedZones([SHOP, API], sized(120));
  const readSince = (from: number) => ({
    ...readTo(0),
    read: [{ from: NOON + from * SECOND, to: NOON }],
    gaps: [gapOf(-60, from)],
  });
  const state = played(
    opened,
    toldBy(opened, '1', rowsOfZone('1', -60, 0), readSince(-30)),
    toldBy(opened, '2', rowsOfZone('2', -60, 0), readSince(-40)),
  ).state;
  assert.match(stripped(headLine(state, look)), / 2\.0 req\/s .* in 30s/);
});

test('where a term runs is told in the colour of the server only where all servers decide it', () => {
  const cut = zoneOf('2', 'api-gateway', { anonymisation: 'drop' });
  const asked = {
    ...EMPTY_QUERY,
    terms: [{ kind: 'field', field: 'ip', op: 'eq', values: ['192.0.2.1'], negated: false }],
  } as const;
  const colours = createLook('16', true, true);
  const both = queryLine(openedZones([SHOP, cut], {}, asked), colours);
  assert.ok(both.includes(colours.paint('local', 'ip:192.0.2.1')));
  assert.ok(
    queryLine(openedZones([SHOP, API], {}, asked), colours).includes(colours.paint('server', 'ip:192.0.2.1')),
  );
});

test('names of zones are untrusted text wherever they stand', () => {
  const hostile = zoneOf('2', 'x\x1b[31m\x07\u202eevil\r\n');
  const zones: Zones = [SHOP, hostile];
  for (const columns of [40, 80, 120]) {
    const opened = openedZones(zones, sized(columns));
    const gaps = [gapOf(1, 3)];
    const state = played(
      opened,
      toldBy(opened, '1', rowsOfZone('1', 50, 60), readTo(60)),
      toldBy(opened, '2', rowsOfZone('2', 0, 5), { ...readTo(5), gaps }),
    ).state;
    const groups = workedOff(openGroups(state, ['zone']));
    const { head, foot } = chromeLines(state, look);
    const all = [
      ...(bodyLines(state, look) ?? []),
      ...(bodyLines(groups, look) ?? []),
      ...head.lines,
      ...foot.lines,
    ];
    for (const line of all.map(stripped)) {
      assert.doesNotMatch(line, /[\x00-\x1f\x7f\u202e]/, JSON.stringify(line));
    }
    for (const line of plainBody(state, look)) assert.ok(width(line) <= columns, line);
  }
});
