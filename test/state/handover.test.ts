import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { fieldsOf } from '../../src/screens/log/log-screens.ts';
import { zonesOfLog } from '../../src/state/log-zones.ts';
import type { State } from '../../src/state/model.ts';
import { openLog } from '../../src/state/sessions/session.ts';
import { topView } from '../../src/state/view-stack.ts';
import { Secret } from '../../src/text/secret.ts';
import { pressed, pressing } from '../support/pressed.ts';
import { followedState, listedState, NOON, played, recordOf, rowsOf, zoneOf } from '../support/state.ts';
import { storageZoneOf } from '../support/storage.ts';

const PACKAGE = { name: 'edgescope', version: '0.0.0', description: 'test' };
const ZONES = [zoneOf('1', 'shop', { shieldZoneId: '9' }), zoneOf('2', '-rf'), zoneOf('3', 'shop two')];

function copiedBy(state: State, keys: string): string {
  const { effects } = pressing(state, keys);
  const copies = effects.filter((effect) => effect.type === 'copy');
  assert.equal(copies.length, 1, keys);
  return copies[0]?.text ?? '';
}

/** What a colleague sees who pastes the command: the views of a new start, without what was read. */
function pasted(command: string): State {
  const words = execFileSync('sh', ['-c', `set -- ${command}\nprintf '%s\\037' "$@"`])
    .toString()
    .split('\x1f');
  const usage = readCommandLine(words.slice(1, -1), import.meta, PACKAGE);
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  const { zone, query, rows: isRows } = usage.value;
  const screen = usage.value.command === 'shield' ? 'shield' : 'logs';
  const parsed = parseQuery(query, screen, NOON);
  assert.ok(parsed.ok, query);
  const wanted = { word: zone ?? '', query: parsed.query, screen, rows: isRows } as const;
  const empty = listedState([]);
  return listedState(ZONES, { zones: { ...empty.zones, wanted } });
}

test('a live log is handed over as the rows it shows up to now, in absolute times', () => {
  const state = followedState(rowsOf(0, 100));
  const later = { ...state, now: NOON + 200_000 };
  assert.equal(
    copiedBy(later, 'ygjj<Enter>'),
    "edgescope logs shop 'from:2026-11-20T12:00Z to:2026-11-20T12:03:20Z'",
  );
  const { session } = pasted(copiedBy(later, 'ygjj<Enter>'));
  assert.deepEqual([session?.from, session?.to], [NOON, NOON + 200_000]);
});

test('a paused log ends with the last row it shows, and a relative window begins where it was asked', () => {
  const asked = played(
    followedState(rowsOf(0, 100)),
    'chooseWindow',
    { type: 'typed', text: 'last:5m' },
    {
      type: 'submitted',
    },
  ).state;
  const read = played(asked, {
    type: 'tailRead',
    zone: '1',
    generation: asked.session?.generation ?? 0,
    event: { rows: rowsOf(0, 100), report: { ...(followedState([]).session?.report ?? assert.fail()) } },
  }).state;
  const paused = { ...played(read, 'pause').state, now: NOON + 3_600_000 };
  assert.equal(
    copiedBy(paused, 'ygjj<Enter>'),
    "edgescope logs shop 'from:2026-11-20T11:55Z to:2026-11-20T12:01:39.001Z'",
  );
});

test('the command of filtered rows, of groups, of a group gone into and of one row opens the same view', () => {
  // The book is the one thing that is changed in place, so that each way has a book of its own.
  const ways: CommandId[][] = [
    [],
    ['filterIn'],
    ['filterIn', 'chooseGroups', 'pause', 'open'],
    ['filterIn', 'chooseGroups', 'pause', 'open', 'open'],
    ['open'],
  ];
  const states = ways.map((way) => played(followedState(rowsOf(0, 100)), 'pause', 'first', ...way).state);
  for (const state of states) {
    const view = topView(state);
    const again = pasted(copiedBy(state, 'ygjj<Enter>'));
    const same = topView(again);
    const shown = view.kind === 'record' ? 'log' : view.kind;
    assert.equal(same.kind, shown);
    assert.ok(same.kind === 'log' || same.kind === 'groups');
    assert.ok('query' in view);
    const { requestId } = recordOf(0);
    const id = { kind: 'field', field: 'id', op: 'eq', values: [requestId ?? ''], negated: false };
    assert.deepEqual(same.query.terms, view.kind === 'record' ? [...view.query.terms, id] : view.query.terms);
    assert.deepEqual(same.kind === 'groups' && same.by, view.kind === 'groups' && view.by);
    assert.equal(zonesOfLog(again.session)[0]?.id, '1');
  }
});

test('the account is part of the command, and no secret is', () => {
  const state = followedState(rowsOf(0, 3));
  const handover = { ...state.handover, flags: ['--profile', 'night shift'] };
  assert.match(copiedBy({ ...state, handover }, 'ygjj<Enter>'), / --profile 'night shift'$/);
  const urls = { base: 'https://api.example.com', logging: 'https://logging.example.com' };
  const curl = copiedBy({ ...state, handover: { ...handover, urls } }, 'ygjjj<Enter>');
  assert.match(
    curl,
    /"\$EDGESCOPE_ACCESS_KEY" \| curl .*-H @- 'https:\/\/logging\.example\.com\/v2\/pullzones\/1\/logs\?from=/,
  );
});

test('the value and the row are copied as one escaped line, as they stood when the menu was opened', () => {
  const hostile = recordOf(1, { userAgent: 'a\u001b]52;c;aGk=\u0007\nb\u202e' });
  const state = played(followedState([{ record: hostile, late: false }]), 'open').state;
  const view = topView(state);
  assert.ok(view.kind === 'record');
  const cursor = fieldsOf(state, view).findIndex((field) => field.name === 'userAgent');
  const agent = { ...state, views: [...state.views.slice(0, -1), { ...view, cursor }] };
  assert.equal(copiedBy(agent, 'yg<Enter>'), 'a\\x1b]52;c;aGk=\\x07\\nb\\u202e');
  const row = copiedBy(agent, 'ygj<Enter>');
  assert.match(row, /^[ -~]+$/);
  assert.equal(JSON.parse(row).userAgent, hostile.userAgent);
  const live = played(followedState(rowsOf(0, 10)), 'copy').state;
  const generation = live.session?.generation ?? 0;
  const moved = played(live, {
    type: 'tailRead',
    zone: '1',
    generation,
    event: { rows: rowsOf(10, 20), report: live.session?.report ?? assert.fail() },
  });
  assert.equal(JSON.parse(copiedBy(moved.state, 'gj<Enter>')).path, '/p/9');
});

test('what became of a copy is said, and that the terminal may forbid it', () => {
  const state = followedState(rowsOf(0, 3));
  const sent = played(state, { type: 'copied', length: 1214, isSent: true }).state;
  assert.match(sent.notice?.text ?? '', /^copied 1,214 characters \(OSC 52; .*y L shows it\)$/);
  const long = played(state, { type: 'copied', length: 90_000, isSent: false }).state;
  assert.match(long.notice?.text ?? '', /^not copied: 90,000 characters/);
});

test('what the server decides of a log is in the copied request, and what it does not is said', () => {
  const filtered = played(
    followedState(rowsOf(0, 100)),
    'editQuery',
    { type: 'typed', text: 'status:5xx -ip:192.0.2.7' },
    { type: 'submitted' },
    'copy',
  ).state;
  assert.ok(filtered.overlay?.kind === 'copyMenu');
  const curl = filtered.overlay.offers.find((offer) => offer.id === 'curl');
  assert.match(curl?.text ?? '', /&status=5xx'/);
  assert.doesNotMatch(curl?.text ?? '', /192\.0\.2\.7/);
  assert.equal(curl?.remark, 'without -ip:192.0.2.7: decided here');
});

test('the lists of the account are handed over without a secret', () => {
  const zone = storageZoneOf({ id: '7', name: 'press-images' });
  const storage = played(listedState(ZONES), 'storageScreen').state;
  const listed: State = { ...storage, storage: { ...storage.storage, items: [zone], nextPage: null } };
  assert.equal(copiedBy(listed, 'ygjj<Enter>'), 'edgescope storage');
  assert.equal(copiedBy(listed, 'yg<Enter>'), 'press-images');
  assert.equal(JSON.parse(copiedBy(listed, 'ygj<Enter>')).Id, 7);
  assert.equal(copiedBy(played(listed, 'open').state, 'ygjj<Enter>'), 'edgescope storage 7');
  const keys = played(listedState(ZONES), 'keysScreen').state;
  const secret = new Secret('canary-4711-canary');
  const shown: State = {
    ...keys,
    keys: {
      ...keys.keys,
      items: [{ id: '1', roles: ['User'], secret }],
      revealed: { id: '1', until: NOON + 9000 },
    },
  };
  for (const line of ['g', 'gj', 'gjj']) assert.doesNotMatch(copiedBy(shown, `y${line}<Enter>`), /canary/);
  assert.deepEqual(pressing(shown, 'yG<Enter>').effects, []);
});

test('no request is named that the platform refuses: what is older comes by the command, from the store', () => {
  const history = { engine: 'duckdb', name: 'main' };
  const curlOf = (window: string, more: Partial<State>) => {
    const query = parseQuery(window, 'logs', NOON);
    assert.ok(query.ok);
    const state = openLog(listedState(ZONES, more), [zoneOf('1', 'shop')], query.query);
    const { overlay } = pressed(state, 'y');
    return overlay?.kind === 'copyMenu' ? overlay.offers.find(({ id }) => id === 'curl') : undefined;
  };
  const older = 'from:2026-11-10T12:00Z to:2026-11-11T12:00Z status:5xx';
  const stored = curlOf(older, { history });
  assert.equal(stored?.text, `edgescope logs shop '${older}' --store main`);
  assert.equal(stored?.remark, 'no request brings this: it is in the store main');
  const gone = curlOf(older, {});
  assert.deepEqual(
    [gone?.text, gone?.whyNot],
    [null, 'CDN logs are kept for 3 days: no request brings this'],
  );
  const both = curlOf('last:5d', { history });
  assert.match(both?.text ?? '', /logs\?from=2026-11-17T12%3A01%3A00\.000Z&to=2026-11-20T12/);
  assert.equal(both?.remark, 'from 2026-11-17T12:01:00.000Z on: CDN logs are kept for 3 days');
});
