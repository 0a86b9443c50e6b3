import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { parseWatch, type WatchVerdict } from '../../src/domain/watch/watch.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { waitingFor } from '../../src/state/watching.ts';
import { bottomLines } from '../../src/ui/chrome.ts';
import { pressed } from '../support/pressed.ts';
import { followedState, NOON, rowsOf, startState, zoneOf, zonesRead } from '../support/state.ts';

const LOOK = createLook('mono', true, true);
const RANGE = { from: NOON, to: NOON + 60_000 };
const MET: WatchVerdict = {
  kind: 'met',
  ...RANGE,
  measured: 41,
  of: 100,
  reason: 'hit ratio 41 % is below 60 %',
};
const NOT: WatchVerdict = { kind: 'no', ...RANGE, measured: 71, of: 100 };
const WAITING: WatchVerdict = { kind: 'waiting', why: '12:00–12:01Z was not read whole' };

function started(window = ''): State {
  const watch = parseWatch('hit<60%', 'logs');
  const parsed = parseQuery(`status:5xx ${window}`, 'logs', NOON);
  assert.ok(watch.ok && parsed.ok);
  const state = startState({
    watching: waitingFor(watch.watch, parsed.query),
  });
  const wanted = { word: 'shop', query: parsed.query };
  const page = { items: [zoneOf('1', 'shop')], page: 1, total: 1, hasMore: false };
  return update({ ...state, zones: { ...state.zones, wanted } }, zonesRead(0, page), NOON)[0];
}

function judged(state: State, ...verdicts: WatchVerdict[]): { state: State; rings: number } {
  const effects: Effect[] = [];
  for (const verdict of verdicts) {
    const [next, more] = update(state, { type: 'watchJudged', verdict }, NOON);
    state = next;
    effects.push(...more);
  }
  return { state, rings: effects.filter(({ type }) => type === 'notify').length };
}

const bottom = (state: State) => stripped(bottomLines(state, LOOK).join('')).trim();

test('the watch begins with the zone that the command line names, and outlives its view', () => {
  assert.deepEqual(subscriptions(startState()), []);
  const state = started();
  const watches = (of: State) => subscriptions(of).filter(({ kind }) => kind === 'watch');
  const [want] = watches(state);
  assert.ok(want?.kind === 'watch');
  assert.deepEqual([want.zones[0].name, want.since, want.query.terms.length], ['shop', NOON, 1]);
  const [left] = update(state, { type: 'commanded', command: 'zonesScreen' }, NOON + 5000);
  assert.deepEqual(watches(left), [want]);
  const early = watches(started('last:5m'))[0];
  assert.equal(early?.kind === 'watch' && early.since, NOON - 300_000);
  const [day] = watches(started('last:24h'));
  assert.equal(day?.kind === 'watch' && day.since, NOON - 3_600_000, 'a request for each minute');
});

test('the bell rings once when the condition becomes true, and again only after it was false', () => {
  assert.equal(judged(started(), NOT, MET, MET, MET).rings, 1);
  assert.equal(judged(started(), MET, WAITING, MET).rings, 1);
  assert.equal(judged(started(), MET, NOT, MET).rings, 2);
});

test('the finding goes out as a line of JSON, with the condition, the zone and the terms of the query', () => {
  const [, effects] = update(started(), { type: 'watchJudged', verdict: MET }, NOON);
  const [effect] = effects;
  assert.ok(effect?.type === 'notify');
  assert.deepEqual(JSON.parse(effect.line), {
    condition: 'hit<60%',
    zones: ['shop'],
    query: 'status:5xx',
    metric: 'hit',
    measured: 41,
    limit: 60,
    unit: '%',
    of: 100,
    from: new Date(RANGE.from).toISOString(),
    to: new Date(RANGE.to).toISOString(),
    reason: MET.reason,
  });
});

test('why it rang stays on screen until Esc, which takes no other step', () => {
  const { state } = judged(started(), MET);
  assert.match(bottom(state), /hit ratio 41 % is below 60 %/);
  const [moved] = update(state, { type: 'commanded', command: 'pause' }, NOON);
  assert.match(bottom(moved), /hit ratio 41 %/);
  const { state: after } = judged(moved, NOT);
  assert.match(bottom(after), /hit ratio 41 %/);
  const [calm] = update(after, { type: 'commanded', command: 'leave' }, NOON);
  assert.doesNotMatch(bottom(calm), /hit ratio/);
  assert.equal(calm.views.length, after.views.length);
  assert.match(bottom(calm), /^until hit<60%: 71/);
  const again = judged(update(state, { type: 'commanded', command: 'leave' }, NOON)[0], MET);
  assert.match(bottom(again.state), /^until hit<60%: 41/, 'still true: said once');
});

test('a watch that cannot be read says so instead of a figure', () => {
  const { state } = judged(started(), NOT);
  const failure = failureOf('connectionLost', { host: 'logging.example.com' });
  const [failing] = update(state, { type: 'watchFailed', failure }, NOON);
  const wide = { ...judged(failing, WAITING).state, size: { columns: 160, rows: 24 } };
  assert.match(bottom(wide), /^until hit<60%: .*logging\.example\.com/);
  assert.match(bottom(judged(wide, NOT).state), /^until hit<60%: 71/);
});

test(':tell waits for a condition of the log on screen from now on, as --until reads it, and ends alone', () => {
  const log = followedState(rowsOf(0, 3));
  const telling = pressed(log, ':tell 5xx>5% over 2m<Enter>');
  const [want] = subscriptions(telling).filter(({ kind }) => kind === 'watch');
  assert.ok(want?.kind === 'watch');
  assert.deepEqual(
    [want.watch.metric, want.watch.minutes, want.zones[0].id, want.since],
    ['5xx', 2, '1', NOON],
  );
  assert.match(telling.notice?.text ?? '', /waits for 5xx>5% over 2m of shop, a request a minute/);
  const wrong = pressed(telling, ':tell 6xx>5%<Enter>').prompt;
  assert.deepEqual([wrong?.error?.column, wrong?.error?.message], [5, "'6xx' cannot be waited for"]);
  assert.match(
    pressed(log, ':tell blocked>5/min<Enter>').prompt?.error?.message ?? '',
    /counted in Shield events/,
  );
  const silent = pressed(telling, '<:tell>');
  assert.equal(silent.watching, null);
  assert.match(pressed(silent, '<:tell>').notice?.text ?? '', /:tell 5xx>5%/);
});
