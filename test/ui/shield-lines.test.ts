import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failureOf } from '../../src/domain/failure.ts';
import { type RequestEvent, UNSENT } from '../../src/domain/request-event.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { footLine, headLine, titleLine } from '../../src/ui/chrome.ts';
import {
  addressesOf,
  answered,
  answerOf,
  eventsOf,
  groupOf,
  inGroups,
  opened,
  requestOf,
  rules,
  searches,
} from '../support/shield.ts';
import { NOON, played } from '../support/state.ts';

const look = createLook('mono', false, true);
const seen = (line: string) => stripped(line).trimEnd();
const title = (state: State) => seen(titleLine(state, look));
const foot = (state: State) => seen(footLine(state, look));
const body = (state: State) => (bodyLines(state, look) ?? []).map(seen);

function failed(state: State): State {
  const failure = failureOf('timeout');
  return played(state, { type: 'shieldFailed', request: requestOf(state), failure }).state;
}

test('every standing has a word of its own', () => {
  const late = (state: State, ms: number) => ({ ...state, now: NOON + ms });
  const empty = answered(opened, answerOf({ total: 0 }));
  const cancelled = played(late(opened, 500), 'leave').state;
  const stale = late(played(rules, 'refresh').state, 4000);
  const strayed = answered(
    opened,
    answerOf({ groups: [groupOf({ ip: 'A' }, 5)], total: 1, strays: { outside: 2, ofOthers: 0 } }),
  );
  assert.deepEqual(
    [opened, empty, rules, inGroups(1, 826), strayed, stale, failed(opened), cancelled].map((state) =>
      title(state).split('shop shield ').at(-1)?.trim(),
    ),
    [
      'SEARCHING',
      'EMPTY',
      'COMPLETE',
      'PARTIAL 500 of 826',
      'PARTIAL, 2 events of another time left out',
      'STALE 4s old - 4s, Esc cancels',
      'FAILED',
      'CANCELLED, Ctrl-r asks again',
    ],
  );
});

test('what holds a request is told from a wait for the server', () => {
  const late = { ...opened, now: NOON + 3000 };
  const sent = { id: 1, at: NOON + 10, method: 'POST', host: 'api', path: '/', waited: 0 };
  const wait = { until: NOON + 7_500, because: 'quota', status: null } as const;
  const event = { ...UNSENT, ...sent, phase: 'waiting', wait } as const;
  const of = (more: Partial<RequestEvent>) => title({ ...late, requests: [{ ...event, ...more }] });
  assert.match(of({}), /SEARCHING . 3s, waits 5s, quota, Esc cancels$/);
  assert.match(of({ wait: { ...wait, because: 'rateLimited', status: 429 } }), /waits 5s, 429, Esc cancels$/);
  assert.match(of({ phase: 'sent', wait: null }), /SEARCHING . 3s, Esc cancels$/);
});

test('what is all pages but not all that the server counts is a part, and says why', () => {
  const state = answered(opened, answerOf({ groups: addressesOf(0, 20), total: 22, totalPages: 1 }));
  assert.match(title(state), /PARTIAL 20 of 22$/);
  assert.match(foot(state), /20 of 22 groups read, they moved meanwhile: Ctrl-r/);
});

test('a group whose events have no value says so under the list, too', () => {
  const lines = body(answered(opened, answerOf({ groups: [groupOf({ ruleId: '' }, 2)], total: 1 })));
  assert.ok(lines.includes(' > (none)'), lines.join('\n'));
});

test('a group that was not understood is on screen as it came, and counted', () => {
  const raw = groupOf({}, 0, { raw: '{"key":7,"\u001b[31m":1}' });
  const state = answered(opened, answerOf({ groups: [groupOf({ ruleId: 'A' }, 5), raw], total: 2, bad: 1 }));
  assert.ok(body(state).some((line) => line.startsWith('!not understood: {"key":7,"\\x1b[31m":1}')));
  assert.match(foot(state), /1 not understood/);
});

test('a row that was not understood is on screen as it came, and counted', () => {
  const [good, bad] = eventsOf(0, 2);
  assert.ok(good && bad);
  const events = [good, { ...bad, raw: '{"timestamp":"never"}' }];
  const asked = played(rules, 'editQuery', { type: 'edited', edit: 'killLeft' }, { type: 'submitted' }).state;
  const state = answered(asked, answerOf({ kind: 'rows', events, total: 2, bad: 1 }));
  assert.ok(body(state).some((line) => line.startsWith('!not understood: {"timestamp":"never"}')));
  assert.match(foot(state), /1 not understood/);
});

test('a window that reaches past the edge by now says how much of it is gone', () => {
  const asked = played(
    rules,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: `from:${new Date(NOON - 71 * 3_600_000).toISOString().slice(0, 16)}Z by:rule` },
    { type: 'submitted' },
  ).state;
  const later = played(
    { ...answered(asked, answerOf({ total: 0 })), now: NOON + 4 * 3_600_000 },
    'refresh',
  ).state;
  assert.match(seen(headLine(later, look)), /3h\S* before it are gone: 72 h are kept/);
});

test('a window of all that is kept says where it begins and why, also once its answer came late', () => {
  const asked = played(
    rules,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'last:3d by:rule' },
    { type: 'submitted' },
  ).state;
  const { from } = searches(asked)[0]?.ask ?? { from: 0 };
  assert.equal(from, NOON - 72 * 3_600_000 + 60_000);
  const whole = answered(asked, answerOf({ total: 0 }));
  assert.match(
    seen(headLine(whole, look)),
    /^ 11-17 12:01:00┄11-20 12:00:00 \(kept since 12:00:00\) {2}:timeline: 1-13 searches$/,
  );
  const late = answered(asked, answerOf({ total: 0, gone: { from, to: from + 75_000 } }));
  assert.match(
    seen(headLine(late, look)),
    /^ 11-17 12:02:15┄11-20 12:00:00 \(2m15s before it are gone: 72 h are kept\)/,
  );
});

test('a day of which the beginning is gone says so', () => {
  const day = new Date(NOON - 72 * 3_600_000).toISOString().slice(0, 10);
  const asked = played(
    rules,
    'readDay',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: day },
    { type: 'submitted' },
  ).state;
  assert.match(
    seen(headLine(asked, look)),
    / 11-17 12:00:00┄11-18 00:00:00 \(12h before it are gone: 72 h are kept\)/,
  );
});

test('the price of counting over time is told before it is paid, in the words that there is room for', () => {
  const priced = (columns: number, knowsBuckets: boolean | null) => {
    const state: State = { ...rules, size: { columns, rows: 24 }, knowsBuckets };
    return seen(headLine(state, look)).split(/ {2}(?=:timeline)/)[1];
  };
  assert.equal(
    priced(120, null),
    ':timeline counts events over time for 1 search, 12 more where the server is older',
  );
  assert.equal(priced(80, null), ':timeline counts them for 1 to 13 searches');
  assert.equal(priced(60, null), ':timeline: 1-13 searches');
  assert.equal(priced(80, true), ':timeline counts events over time for 1 search');
  assert.equal(priced(80, false), ':timeline counts events over time for 12 searches');
  assert.equal(priced(40, false), undefined);
});

test('while nothing is counted no numbers stand there, but how it goes on', () => {
  const asked = played(rules, 'timelineSize').state;
  const words = (state: State) => seen(headLine(state, look)).split('(1h)')[1]?.trim();
  const late = { ...asked, now: NOON + 4000 };
  assert.match(words(late) ?? '', /^\S 4s, Esc cancels$/);
  assert.equal(words(played(late, 'leave').state), 'counting cancelled; :timeline again');
  const failedWith = (failure: Failure) =>
    played(asked, { type: 'shieldFailed', request: requestOf(asked), failure }).state;
  assert.equal(words(failedWith(failureOf('timeout'))), 'counting failed; :timeline again');
  const parts = failedWith(failureOf('invalidRequest', { status: 400 }));
  const one = answered(parts, answerOf({ groups: [groupOf({ action: 'blocked' }, 3)], total: 1 }));
  assert.match(
    words({ ...one, now: NOON + 4000 }) ?? '',
    /^blocked 3 {2}challenged 0 {2}logged 0 {2}1\/12 \S 4s, Esc cancels$/,
  );
});

test('country and network stand at a group where they are those of all its events, not where they are of one of them', () => {
  const wide = { columns: 140, rows: 24 };
  const unfolded = played(opened, 'unfold').state;
  const of = (key: Record<string, string>, count: number, asked = opened) =>
    answered({ ...asked, size: wide }, answerOf({ groups: [groupOf(key, count)], total: 1 }));
  const shown = (state: State) => body(state).join('\n');
  assert.doesNotMatch(shown(of({ ruleId: 'A' }, 3320)), /DE|AS1\b/, 'of the newest of 3,320 events');
  assert.match(shown(of({ ruleId: 'A' }, 1)), / DE 1\n[\s\S]*DE AS1\b/);
  assert.match(shown(of({ ruleId: 'A', asn: '1', ip: '192.0.2.1' }, 9, unfolded)), / DE 1\n/);
  assert.doesNotMatch(shown(of({ ruleId: 'A', asn: '1' }, 9, unfolded)), /DE/, 'an AS is in many countries');
});

test('groups that are added up say that there may be more of each, until all of their parts are read', () => {
  const byNet = played(
    opened,
    'editQuery',
    { type: 'edited', edit: 'killLeft' },
    { type: 'typed', text: 'by:net' },
    { type: 'submitted' },
  ).state;
  const page = (from: number, to: number, n: number) =>
    answerOf({
      groups: Array.from({ length: to - from }, (_, i) =>
        groupOf({ ip: `192.0.${(from + i) >> 8}.${(from + i) & 255}` }, 2),
      ),
      ...{ total: 600, totalPages: 2, page: n },
    });
  const part = answered(byNet, page(0, 500, 0));
  assert.match(title(part), /PARTIAL 500 of 600$/);
  assert.match(foot(part), /^ sorted over 500 of 600 parts read/);
  assert.match(body(part)[1] ?? '', /^▌192\.0\.0\.0\/24 +512\+ +512\+ /);
  const whole = answered(played(part, 'last').state, page(500, 600, 1));
  assert.match(body(whole).find((line) => line.includes('192.0.0.0/24')) ?? '', / 512 +512 /);
  assert.match(body(whole).find((line) => line.includes('192.0.2.0/24')) ?? '', / 176 /);
});
