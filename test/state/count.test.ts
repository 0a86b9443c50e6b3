import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_QUERY } from '../../src/domain/query/query.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { TAKEN_BACK_FOR } from '../../src/state/input/count.ts';
import { logWindow } from '../../src/state/logs/log-window.ts';
import { openLogOver, sessions } from '../../src/state/logs/session.ts';
import type { State } from '../../src/state/model.ts';
import { subscriptions } from '../../src/state/subscriptions.ts';
import { update } from '../../src/state/update.ts';
import { topView } from '../../src/state/view-stack.ts';
import { groups, inGroups, inRows, rows } from '../support/shield.ts';
import { followedState, listedState, NOON, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';

const picker = listedState(Array.from({ length: 300 }, (_, n) => zoneOf(`${n}`, `shop-${n}`)));
const log = pausedLog();

/** A log with a book of its own. */
function pausedLog(): State {
  return played(followedState(rowsOf(0, 300)), 'pause').state;
}

function pressed(state: State, ...chords: string[]): State {
  return chords.reduce((now, chord) => played(now, resolve(now, chord)).state, state);
}

/** The row under the cursor, from 1. */
function rowOf(state: State): number {
  const view = topView(state);
  if (view.kind !== 'log') return 'cursor' in view ? view.cursor + 1 : 0;
  assert.ok(state.session);
  return logWindow(view, state.session.book, 18).cursor + 1;
}

function searched(state: State, text: string): State {
  return played(state, 'find', { type: 'typed', text }, { type: 'submitted' }).state;
}

function tails(state: State): string[] {
  return subscriptions(state).flatMap(({ kind, key }) =>
    kind === 'tail' || kind === 'inquiry' ? [key] : [],
  );
}

test('a count says how many rows or pages, or which row', () => {
  assert.equal(rowOf(pressed(picker, '0', '1', '2', 'j')), 13);
  assert.equal(rowOf(pressed(picker, '9', 'j', '7', 'k')), 3);
  assert.equal(rowOf(pressed(picker, '6', '0', 'G')), 60);
  assert.equal(rowOf(pressed(picker, '9', '9', 'j', '0', '5', 'g')), 5);
  const page = rowOf(pressed(picker, 'Ctrl-f')) - 1;
  assert.equal(rowOf(pressed(picker, '0', '3', 'Ctrl-d')), 3 * page + 1);
  assert.equal(rowOf(pressed(picker, '0', '3', 'Ctrl-f', 'Ctrl-b')), 2 * page + 1);
  assert.equal(rowOf(pressed(picker, '9', '9', '9', 'j')), 300);
  assert.equal(rowOf(pressed(log, '0', '5', '0', 'G')), 50);
  assert.equal(rowOf(pressed(log, '0', '5', '0', 'k')), 250);
});

test('a count of nothing is none, as in less', () => {
  assert.equal(rowOf(pressed(picker, '0', 'j')), 2);
  assert.equal(rowOf(pressed(picker, '0', 'G')), 300);
});

test('a count goes on by so many matches, and round the end', () => {
  // Rows 3, 13, …, 293 of the log, and each 5th of the events.
  const found = pressed(searched(pressed(log, 'g'), '/p/2'), 'g');
  const all = searched(found, '192.0.2.3');
  const [first, third] = [rowOf(all), rowOf(pressed(all, '0', '2', 'n'))];
  assert.equal(third, rowOf(pressed(all, 'n', 'n')));
  assert.equal(rowOf(pressed(all, '0', '2', 'n', '0', '2', 'N')), first);
  const round = pressed(all, '7', '6', 'n');
  assert.equal(rowOf(round), rowOf(pressed(all, 'n')));
  assert.match(round.notice?.text ?? '', /round the end/);
  const events = searched(inRows(200), '192.0.2.3');
  assert.equal(rows(pressed(events, '0', '2', 'n')).cursor, 13);
  assert.equal(rows(pressed(events, '8', '1', 'N')).cursor, 198);
});

test('the help scrolls by a count, and a digit that is no screen there begins one', () => {
  const help = pressed(log, '?');
  const top = (state: State) => (state.overlay?.kind === 'help' ? state.overlay.top : -1);
  assert.equal(top(pressed(help, '1', '2', 'j')), 12);
  assert.equal(top(pressed(help, '1', '2', 'j', '4', 'k')), 8);
  assert.equal(top(pressed(help, '5', 'G')), 4);
});

test('a count is for the next key alone, also where that takes none', () => {
  const once = pressed(inGroups(1, 3), '9', 's');
  assert.equal(groups(once).sort, groups(pressed(inGroups(1, 3), 's')).sort);
  assert.equal(rowOf(pressed(picker, '9', 'u', 'j')), 2);
  assert.equal(pressed(picker, '9', '%').count, null);
});

test('Esc drops a count and does nothing else', () => {
  const searching = searched(log, '/p/2');
  const dropped = pressed(searching, '9', 'Esc');
  assert.equal(dropped.count, null);
  assert.deepEqual(dropped.views, searching.views);
});

test('a count has six digits at most, and however many are pasted the cursor stays in its list', () => {
  const long = pressed(picker, ...'0999999');
  assert.equal(long.count, 999_999);
  const more = pressed(long, '9');
  assert.equal(more.count, 999_999);
  assert.match(more.notice?.text ?? '', /six digits/);
  assert.equal(rowOf(pressed(more, 'j')), 300);
  assert.equal(rowOf(pressed(searched(log, '/p/2'), ...'0999999n')), rowOf(searched(log, '/p/2')));
  assert.equal(pressed(picker, ...'0'.repeat(500), ...'98765432101234567890'.repeat(20)).views.length, 1);
});

test('a 0 behind the key of a screen takes its step back, and the two are a count', () => {
  const grouped = played(pausedLog(), 'chooseGroups', 'open', 'open', 'up').state;
  assert.deepEqual(
    grouped.views.map(({ kind }) => kind),
    ['zones', 'log', 'groups', 'log'],
  );
  const shown = grouped.session?.book.length ?? 0;
  for (const digit of ['1', '2', '3', '4', '5']) {
    const back = pressed(grouped, digit, '0');
    assert.equal(back.count, Number(digit) * 10, digit);
    assert.deepEqual(back.views, grouped.views, digit);
    assert.equal(back.session?.book.length, shown, digit);
    assert.equal(back.session?.generation, grouped.session?.generation, digit);
  }
  assert.equal(rowOf(pressed(log, '1', '0', 'k')), 290);
  assert.equal(rowOf(pressed(log, '1', '0', '0', 'k')), 200);
  assert.deepEqual(
    pressed(grouped, '1', 'j').views.map(({ kind }) => kind),
    ['zones'],
  );
});

test('what the key of a screen left is followed until the next key, and for no longer than a 0 is waited for', () => {
  const log = pausedLog();
  const running = tails(log);
  assert.equal(running.length, 1);
  const left = pressed(log, '1');
  assert.equal(left.session, null);
  assert.deepEqual(tails(left), running);
  const generation = log.session?.generation ?? 0;
  const size = log.session?.book.size ?? 0;
  const event = { rows: rowsOf(300, 310), report: reportOf({ seen: 310 }) };
  const told = played(left, { type: 'tailRead', zone: '1', generation, event }).state;
  const back = pressed(told, '0');
  assert.deepEqual(tails(back), running);
  assert.equal(back.session?.book.size, size + 10);
  assert.equal(back.session?.report?.seen, 310);
  assert.deepEqual(tails(pressed(left, 'j')), []);
  const [waited] = update(left, { type: 'ticked', now: NOON }, NOON + TAKEN_BACK_FOR);
  assert.deepEqual(tails(waited), []);
  assert.equal(pressed(waited, '0').count, 0);
  assert.equal(topView(pressed(waited, '0')).kind, 'zones');
});

test('a log that is opened right behind the key of a screen is another one than was left', () => {
  const again = pressed(log, '1', 'Enter');
  assert.equal(sessions(again).length, 1);
  assert.notDeepEqual(tails(again), tails(log));
});

test('a log over another is not brought back once the other has its own filter again', () => {
  const under = played(pausedLog(), 'chooseGroups', 'open', 'open').state;
  const over = openLogOver(under, [zoneOf('2', 'other')], EMPTY_QUERY);
  assert.equal(sessions(over).length, 2);
  const pressedBoth = pressed(over, '2', '0');
  assert.deepEqual([pressedBoth.count, pressedBoth.views.length], [0, 2]);
  const back = pressed(over, '1', '0');
  assert.deepEqual([back.count, back.views.length], [10, over.views.length]);
  assert.equal(sessions(back).length, 2);
});

test('an answer that the key of a screen left is told what it asked for, once', () => {
  const toAddress = Array.from({ length: 5 }, () => 'right' as const);
  const asked = played(log, ...toAddress, 'bypassCheck').state;
  const view = topView(asked);
  assert.equal(view.kind, 'answer');
  const needsOf = (state: State) =>
    subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));
  const left = pressed(asked, '1');
  assert.deepEqual(tails(left), tails(asked));
  // Over the answer and not instead of it: what both name is run once.
  const over = subscriptions(pressed(asked, '5')).map(({ key }) => key);
  assert.equal(new Set(over).size, over.length);
  const told = (state: State) =>
    needsOf(state).reduce(
      (now, need) =>
        played(now, {
          type: 'needMet',
          inquiry: view.kind === 'answer' ? view.number : 0,
          need,
          met: { kind: 'logs', records: rowsOf(-20, -10).map(({ record }) => record), hasMore: false },
        }).state,
      state,
    );
  const back = topView(pressed(told(left), '0'));
  assert.ok(back.kind === 'answer' && back.stage.kind === 'read');
  assert.equal(back.met, needsOf(asked).length);
  // The keys lie over the answer, which goes on being told.
  const under = pressed(played(pausedLog(), ...toAddress, 'bypassCheck').state, '5');
  const again = topView(pressed(told(under), '0'));
  assert.ok(again.kind === 'answer' && again.stage.kind === 'read');
});
