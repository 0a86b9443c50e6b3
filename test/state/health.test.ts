import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { HealthAnswer } from '../../src/domain/health/health-plan.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { PullZone } from '../../src/domain/zone.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { screenOf } from '../../src/screens/screens.ts';
import { healthPace } from '../../src/screens/zones/health-reading.ts';
import type { Subscription } from '../../src/state/messages.ts';
import type { State, ZonesView } from '../../src/state/model.ts';
import { listedState, NOON, played, recordOf, zoneOf } from '../support/state.ts';

const ZONES: ZonesView = { kind: 'zones', cursor: 0, top: 0 };

type HealthWant = Extract<Subscription, { kind: 'health' }>;

const zones = (count: number) =>
  Array.from({ length: count }, (_, at) => zoneOf(String(at + 1), `zone-${at + 1}`));

const asked = (state: State): HealthWant[] =>
  subscriptions(state).flatMap((each) => (each.kind === 'health' ? [each] : []));

/** What a zone of so many requests a second answers, of which this share fails now. */
function answerTo({ reading }: HealthWant, rate: number, failing: number): HealthAnswer {
  if (reading.kind === 'blocked') return { kind: 'blocked', blocked: 0 };
  const records: LogRecord[] = [];
  const { from, to } = reading.range;
  for (let at = to - 1; at >= from && records.length < reading.limit; at -= 1000 / rate) {
    const isNow = at > NOON - 4 * 60_000;
    const statusCode = isNow && records.length % 100 < failing * 100 ? 502 : 200;
    records.push(recordOf(0, { timestamp: Math.floor(at), statusCode, cacheStatus: 'HIT' }));
  }
  return { kind: 'rows', records, hasMore: records.length === reading.limit, serverNow: null };
}

/** A second goes by: requests begin, and what is under way is answered unless `silent` says otherwise. */
function second(state: State, o: { failing?: string; silent?: (zone: PullZone) => boolean } = {}): State {
  let [next] = update(state, { type: 'healthDue' }, state.now + 1000);
  for (const want of asked(next)) {
    if (o.silent?.(want.zone)) continue;
    const answer = answerTo(want, 2, want.zone.name === o.failing ? 0.4 : 0);
    [next] = update(next, { type: 'healthRead', turn: want.turn, answer }, next.now);
  }
  return next;
}

function seconds(state: State, count: number, o: Parameters<typeof second>[1] = {}): State {
  let next = state;
  for (let at = 0; at < count; at++) next = second(next, o);
  return next;
}

const shown = (state: State) => state.zones.shown.map(({ name }) => name);

test('s sorts by the next figure and S turns it round', () => {
  const read = seconds(listedState(zones(12)), 12, { failing: 'zone-9' });
  const byName = played(read, ...Array.from({ length: 7 }, () => 'sort' as const)).state;
  assert.equal(byName.health.sort, 'name');
  assert.deepEqual(shown(byName).slice(0, 3), ['zone-1', 'zone-10', 'zone-11']);
  assert.equal(shown(played(byName, 'reverse').state)[0], 'zone-9');
  const byErrors = played(read, 'sort', 'sort', 'sort', 'sort').state;
  assert.deepEqual([byErrors.health.sort, shown(byErrors)[0]], ['errors', 'zone-9']);
});

test('zones are read without a key, those on screen before the others, a few a second', () => {
  const state = listedState(zones(60));
  const first = asked(state).map(({ zone }) => zone.name);
  assert.deepEqual(first, shown(state).slice(0, 8));
  const later = seconds(state, 4);
  const known = new Set(later.health.known.keys());
  assert.ok(
    shown(state)
      .slice(0, 18)
      .every((_, at) => known.has(String(at + 1))),
    'all on screen',
  );
});

test('each zone of a small account is read again within its round, and no zone takes a third of its quota', () => {
  let state = seconds(listedState(zones(18)), 120);
  const starts = new Map<string, number[]>();
  for (let at = 0; at < 60; at++) {
    const before = new Set(state.health.asking.map(({ turn }) => turn));
    state = second(state, { silent: () => true });
    for (const want of asked(state)) {
      if (before.has(want.turn)) continue;
      starts.set(want.zone.id, [...(starts.get(want.zone.id) ?? []), state.now]);
      const answer = answerTo(want, 2, 0);
      [state] = update(state, { type: 'healthRead', turn: want.turn, answer }, state.now);
    }
    for (const { health } of state.health.known.values())
      assert.ok(state.now - (health.bins.at(-1)?.to ?? 0) <= 33_000, 'no figure older than 33 s');
  }
  assert.equal(starts.size, 18);
  for (const times of starts.values()) {
    const most = Math.max(...times.map((at) => times.filter((t) => t >= at && t < at + 10_000).length));
    assert.ok(most <= 10, `${most} requests in 10 s`);
  }
});

test('the price says what is asked in a minute, and how long the zones off the screen take', () => {
  const small = healthPace(listedState(zones(18)));
  assert.deepEqual([small.perMinute, small.every, small.others], [69, 28_000, null]);
  const large = listedState(zones(1000));
  const first = healthPace(large);
  assert.equal(first.isFirst, true);
  assert.ok((first.others ?? 0) <= 120_000, String(first.others));
  const requestsIn = (from: State, ms: number): [State, number] => {
    const after = seconds(from, Math.ceil(ms / 1000));
    return [after, after.health.turn - from.health.turn];
  };
  // The past of the zones on screen is read beside the others.
  const past = 18 * 5;
  const [all, requests] = requestsIn(large, (first.others ?? 0) + 5_000);
  assert.equal(all.health.known.size, 1000, 'all zones were read');
  const minutes = ((first.others ?? 0) + 5_000) / 60_000;
  assert.ok(requests <= first.perMinute * minutes + past, `${requests} at ${first.perMinute} a minute`);
  const again = healthPace(all);
  assert.equal(again.isFirst, false);
  assert.ok((again.others ?? 0) < 600_000, String(again.others));
  const [later, more] = requestsIn(all, 120_000);
  assert.ok(more <= again.perMinute * 2 + 10, `${more} at ${again.perMinute} a minute`);
  assert.ok(later.health.known.size === 1000);
});

test('the worst zone comes first as long as the cursor is on the first line', () => {
  const list = listedState(zones(12));
  const read = seconds(list, 12, { failing: 'zone-9' });
  assert.equal(shown(read)[0], 'zone-9');
  assert.deepEqual(shown(read).slice(1, 4), ['zone-1', 'zone-2', 'zone-3']);
});

test('the order stands while the cursor is on another line, and the first line renews it', () => {
  const moved = played(listedState(zones(12)), 'down').state;
  const read = seconds(moved, 12, { failing: 'zone-9' });
  assert.equal(shown(read)[0], 'zone-1');
  assert.equal(shown(played(read, 'first').state)[0], 'zone-9');
});

test('f stops the reading and goes on with it; a view over the picker ends it, and it is there as it was left', () => {
  const read = seconds(listedState(zones(12)), 12);
  const stopped = played(read, 'follow').state;
  assert.deepEqual(subscriptions(stopped), []);
  assert.ok(subscriptions(played(stopped, 'follow').state).some(({ kind }) => kind === 'healthDue'));
  const underWay = seconds(listedState(zones(12)), 1, { silent: () => true });
  const opened = played(underWay, 'open').state;
  assert.deepEqual(asked(opened), []);
  const back = played(seconds(read, 1), 'open', 'leave').state;
  assert.deepEqual(back.health.known, seconds(read, 1).health.known);
});

test('zones that do not answer hold up no others', () => {
  const isSlow = ({ id }: PullZone) => Number(id) <= 9;
  const state = seconds(listedState(zones(18)), 8, { silent: isSlow });
  assert.equal([...state.health.known.keys()].filter((id) => Number(id) > 9).length, 9);
  // Given up, they are asked again, a few at a time.
  let late = state;
  for (const { turn } of asked(late)) {
    const answer: HealthAnswer = { kind: 'failed', failure: failureOf('timeout') };
    [late] = update(late, { type: 'healthRead', turn, answer }, late.now);
  }
  late = seconds(late, 30, { silent: isSlow });
  assert.ok(asked(late).filter(({ zone }) => isSlow(zone)).length <= 3);
});

test('our clock being wrong makes no figure older or newer than it is', () => {
  const list = listedState(zones(1));
  const [want] = asked(list);
  assert.ok(want && want.reading.kind === 'rows');
  const serverNow = NOON - 3_600_000;
  const [told] = update(
    list,
    { type: 'healthRead', turn: want.turn, answer: { kind: 'rows', records: [], hasMore: false, serverNow } },
    list.now,
  );
  assert.equal(told.health.clockAhead, 3_600_000);
  const next = seconds(told, 11, { silent: () => true });
  const reading = asked(next).at(-1)?.reading;
  assert.ok(reading && reading.range.to <= serverNow + 11_000, 'asked by the time of the server');
});

test('the picker is handed over as health prints it, with what was not read yet', () => {
  const list = listedState(zones(3));
  const read = { ...second(second(list)), size: list.size };
  const sheet = screenOf(ZONES).sheet(read, ZONES);
  assert.ok(typeof sheet !== 'string');
  assert.deepEqual(sheet.columns.slice(0, 3), ['id', 'name', 'requestsPerSecond']);
  assert.deepEqual(sheet.missing, ['whether a zone has Shield was not read yet']);
  const under = screenOf(ZONES).under(read, ZONES);
  assert.ok(under?.line.kind === 'row');
  assert.equal(under.line.row()['errorRatio'], 0);
  assert.deepEqual(screenOf(ZONES).command(read, ZONES), { screen: 'health' });
  const [want] = asked(list);
  const answer = answerTo(want as HealthWant, 2, 0);
  const [one] = update(list, { type: 'healthRead', turn: want?.turn ?? 0, answer }, list.now);
  const first = screenOf(ZONES).sheet(one, ZONES);
  assert.ok(typeof first !== 'string' && first.missing.includes('the figures of 2 zones were not read yet'));
  assert.deepEqual(screenOf(ZONES).command(list, ZONES), { screen: 'zones' });
});

test('lines change places once a round, and the past of what stands out is read first', () => {
  const filled = seconds(listedState(zones(12)), 2, { failing: 'zone-9' });
  assert.equal(shown(filled)[0], 'zone-9');
  const others = seconds(filled, 1, { silent: () => true });
  const readings = asked(others).filter(({ reading }) => reading.range.to < NOON - 60_000);
  assert.equal(readings[0]?.zone.name, 'zone-9');
  // Two zones change the order of their scores with each answer; the list does not.
  let state = seconds(filled, 20, { failing: 'zone-9' });
  let renewals = 0;
  for (let at = 0; at < 30; at++) {
    const before = state.health.orderedAt;
    state = second(state, { failing: at % 2 === 0 ? 'zone-9' : 'zone-3' });
    if (state.health.orderedAt !== before) renewals++;
  }
  assert.ok(renewals >= 2 && renewals <= 3, `${renewals} renewals in 30 s`);
});
