import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerRow } from '../../src/domain/inquiry/answer-table.ts';
import type { LogNeed, Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { PullZone } from '../../src/domain/zone.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import type { AnswerView } from '../../src/state/answer-model.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { pressed } from '../support/pressed.ts';
import { listedState, NOON, played, recordOf, zoneOf } from '../support/state.ts';

const MINUTE = 60_000;

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer');
  return view as AnswerView;
}

/** Every request that the answer on top waits for, answered; only after the last one it looks at what it heard. */
function met(state: State, rows: (need: LogNeed) => readonly LogRecord[]): State {
  const view = answer(state);
  const needs = subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
  const logNeeds = needs.filter(isOfLog);
  // One after the other: the rows of three days at once would take a gigabyte.
  const answerTo = (need: LogNeed) => {
    const all = rows(need);
    const records = all.slice(0, need.rows);
    return { need, met: { kind: 'logs', records, hasMore: all.length > records.length } as const };
  };
  for (const need of logNeeds.slice(0, -1)) view.inquiry.add(need, answerTo(need).met);
  const heard = { ...state, views: state.views.with(-1, { ...view, met: logNeeds.length - 1 }) };
  const [last] = logNeeds.slice(-1);
  return last
    ? update(heard, { type: 'needMet', inquiry: view.number, ...answerTo(last) }, state.now)[0]
    : heard;
}

function isOfLog(need: Need): need is LogNeed {
  return need.kind === 'logs';
}

function anomalies(state: State): readonly AnswerRow[] {
  return answer(state).table.sections[0]?.rows ?? [];
}

function timesOf(row: AnswerRow): { from: number; to: number } {
  const window = row.leads?.query.window;
  assert.equal(window?.kind, 'absolute');
  return window as { from: number; to: number };
}

/** The log of a zone under a filter, and what keys do there. */
function filtered(text: string, keys: string, zone = shop): State {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  const { state } = played(listedState([zone]), 'open');
  const views = state.views.map((view) => (view.kind === 'log' ? { ...view, query: parsed.query } : view));
  return pressed({ ...state, views }, keys);
}

const shop: PullZone = zoneOf('1', 'shop', { shieldZoneId: '11' });

/** Ten requests a second, of which these are different. */
function traffic(odd: (at: number, n: number) => Partial<LogRecord> | null) {
  return ({ range, rows = 0 }: LogNeed) =>
    Array.from({ length: rows + 1 }, (_, n) => {
      const timestamp = range.from + n * 100;
      const usual = {
        timestamp,
        path: `/p/${n % 50}`,
        statusCode: 200,
        cacheStatus: 'HIT',
        asn: `${n % 40}`,
      };
      return recordOf(0, { ...usual, remoteIp: `192.0.2.${n % 200}`, ...odd(timestamp, n) });
    });
}

/** About how many minutes it lasted: its begin and its end lie between two samples each. */
function lasting(row: AnswerRow): number {
  const { from, to } = timesOf(row);
  return Math.floor((to - from) / MINUTE / 4) * 4;
}

const during = (at: number, minutesAgo: number, minutes: number) =>
  at >= NOON - minutesAgo * MINUTE && at < NOON - (minutesAgo - minutes) * MINUTE;

test('what comes again an hour later is told twice, each with its own time', () => {
  const rows = traffic((at, n) =>
    n % 3 === 0 && (during(at, 150, 12) || during(at, 78, 12)) ? { statusCode: 503 } : null,
  );
  const read = met(pressed(listedState([shop]), '<:incidents><Enter>'), rows);
  assert.deepEqual(
    anomalies(read).map((row) => [row.cells.at(-2), lasting(row)]),
    [
      ['origin fails', 12],
      ['origin fails', 12],
    ],
  );
});

test('a filter that is the symptom names the outage, and not each page that it hit', () => {
  // Ten requests a second, of which one in five hundred fails; in an outage a third of them does, on all pages.
  const rows = (need: LogNeed) => {
    const found: LogRecord[] = [];
    for (let at = need.range.from; at < need.range.to && found.length <= (need.rows ?? 0); at += 100) {
      const n = Math.floor(at / 100);
      if (n % 500 !== 0 && !(during(at, 60, 12) && n % 3 === 0)) continue;
      const statusCode = n % 2 === 0 ? 502 : 503;
      found.push(
        recordOf(0, { timestamp: at, path: `/p/${n % 7}`, statusCode, remoteIp: `192.0.2.${n % 200}` }),
      );
    }
    return found;
  };
  const read = met(filtered('status:5xx', '<:incidents><Enter>'), rows);
  assert.deepEqual(
    anomalies(read).map(({ cells }) => cells.slice(-2)),
    [['origin fails', 'status:502 status:503']],
  );
  assert.deepEqual(anomalies(read).map(lasting), [20], 'from the sample before it to the one behind it');
  assert.match(answer(read).table.headline, /^shop: \d+ times as many of these requests as usual/);
  assert.deepEqual(anomalies(read)[0]?.leads?.query.terms.length, 1, 'Enter opens the rows of the filter');
});

test('what is refused of one page is said to be of that page, though it is asked for no more than ever', () => {
  const rows = traffic((at, n) => {
    if (n % 8 !== 0) return null;
    return { path: '/search', ...(during(at, 60, 8) && n % 40 !== 0 ? { statusCode: 403 } : {}) };
  });
  const read = met(pressed(listedState([shop]), '<:incidents><Enter>'), rows);
  assert.deepEqual(
    anomalies(read).map(({ cells }) => cells.at(-1)),
    ['page:/search status:403'],
  );
});

test('what is refused everywhere is said to be of no page, however many ask for that page', () => {
  const rows = traffic((at, n) => ({
    ...(n % 4 === 0 ? {} : { path: '/' }),
    ...(during(at, 60, 8) && n % 5 === 0 ? { statusCode: 403 } : {}),
  }));
  const read = met(pressed(listedState([shop]), '<:incidents><Enter>'), rows);
  assert.deepEqual(
    anomalies(read).map(({ cells }) => cells.at(-1)),
    ['status:403'],
  );
});

test('what is served better than usual is no matter, and neither is a lone rise within chance', () => {
  const rows = traffic((at, n) => {
    if (during(at, 100, 8)) return { cacheStatus: 'HIT' };
    if (during(at, 60, 8) && n % 20 === 0) return { statusCode: 404 };
    return n % 2 === 0 ? { cacheStatus: 'BYPASS' } : null;
  });
  assert.deepEqual(anomalies(met(pressed(listedState([shop]), '<:incidents><Enter>'), rows)), []);
});

test('Enter on an anomaly opens its rows, 2 its log, 3 its rules and :misses its misses, and Esc comes back to the answer', () => {
  const rows = traffic((at, n) =>
    n % 3 === 0 && during(at, 60, 8) ? { cacheStatus: 'MISS', path: '/hot' } : null,
  );
  const read = met(pressed(listedState([shop]), '<:incidents><Enter>'), rows);
  const [anomaly] = anomalies(read);
  assert.ok(anomaly);
  const window = { kind: 'absolute', ...timesOf(anomaly) };
  const onStretch = answer(read).cursor;
  assert.ok(onStretch > 0);
  for (const [key, kind, terms] of [
    ['<Enter>', 'log', 2],
    ['2', 'log', 0],
    ['3', 'shieldGroups', 0],
    ['<:misses>', 'answer', 0],
  ] as const) {
    const opened = pressed(read, key);
    const view = topView(opened);
    assert.equal(view.kind, kind);
    assert.ok('query' in view);
    assert.deepEqual(view.query.window, window, key);
    assert.equal(view.query.terms.length, terms);
    const back = pressed(opened, '<Esc>');
    assert.equal(answer(back).number, answer(read).number);
    assert.equal(answer(back).cursor, onStretch);
  }
});

test('the newest samples are asked for first, Esc keeps what they told, and so does leaving the answer', () => {
  const asked = pressed(listedState([shop]), '<:incidents><Enter>');
  const needs = subscriptions(asked).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
  const starts = needs.map((need) => (need.kind === 'logs' ? need.range.from : 0));
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => b - a),
  );
  assert.equal(needs.length, 361, 'one of each four minutes, and one of the newest');
  const rows = traffic((at, n) => (n % 3 === 0 && during(at, 60, 8) ? { statusCode: 503 } : null));
  const some = needs.slice(0, 60).reduce((now, need) => {
    assert.equal(need.kind, 'logs');
    const records = need.kind === 'logs' ? rows(need).slice(0, need.rows) : [];
    const answered: Met = { kind: 'logs', records, hasMore: true };
    return update(now, { type: 'needMet', inquiry: answer(now).number, need, met: answered }, NOON + 5000)[0];
  }, asked);
  const left = pressed(some, '<Esc>');
  assert.equal(answer(left).stage.kind, 'cancelled');
  assert.deepEqual(
    subscriptions(left),
    subscriptions(left).filter(({ kind }) => kind !== 'inquiry'),
  );
  assert.equal(anomalies(left)[0]?.cells.at(-2), 'origin fails');
  assert.equal(answer(left).inquiry.rest().length, 301);
  const again = pressed({ ...pressed(left, '<Esc>'), now: NOON + 3 * MINUTE }, '<:incidents>');
  assert.deepEqual(
    answer(again).choices.map(({ title, why }) => `${title} ${why}`.trim())[0],
    'read 3m ago 301 more with Ctrl-r',
  );
  const kept = pressed(again, '<Enter>');
  assert.equal(anomalies(kept)[0]?.cells.at(-2), 'origin fails');
  const isAsked = ({ kind }: { kind: string }) => kind === 'inquiry';
  assert.ok(!subscriptions(kept).some(isAsked));
  assert.ok(subscriptions(update(kept, { type: 'commanded', command: 'refresh' }, NOON)[0]).some(isAsked));
});

test('a zone that keeps no log is not sampled, and the reason is said', () => {
  const state = pressed(listedState([{ ...shop, logging: false }]), '<:incidents>');
  assert.equal(topView(state).kind, 'zones');
  assert.match(state.notice?.text ?? '', /shop keeps no CDN log/);
});
