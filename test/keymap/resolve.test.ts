import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpLines, helpRows } from '../../src/keymap/help.ts';
import { hints, resolve, scopeOf } from '../../src/keymap/resolve.ts';
import { BINDINGS, type Binding, COMMANDS } from '../../src/keys/bindings.ts';
import { listHeight } from '../../src/state/list/layout.ts';
import type { State } from '../../src/state/model.ts';
import { followedState, listedState, played, rowsOf, zoneOf } from '../support/state.ts';

const ROWS: Record<string, Binding> = BINDINGS;
const picker = listedState([zoneOf('1', 'shop')]);
const log = followedState(rowsOf(0, 10));

test('no key means two things in one place', () => {
  for (const place of new Set(COMMANDS.flatMap((id) => ROWS[id]?.where ?? []))) {
    const keys = COMMANDS.filter((id) => ROWS[id]?.where.includes(place)).flatMap(
      (id) => ROWS[id]?.keys ?? [],
    );
    assert.deepEqual(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      [],
      place,
    );
  }
});

test('a key resolves to its command', () => {
  assert.deepEqual(resolve(log, 'j'), { type: 'commanded', command: 'down' });
  assert.deepEqual(resolve(log, 'PgDn'), { type: 'commanded', command: 'pageDown' });
});

test('1 to 5 are screens, and a key without a command says so', () => {
  for (const digit of ['1', '2', '3', '4', '5']) assert.equal(resolve(log, digit).type, 'commanded', digit);
  for (const key of ['0', '6', '7', '8', '9', '%'])
    assert.deepEqual(resolve(log, key), { type: 'refused', why: `${key} is not a key; ? lists the keys` });
});

test('a key that can do nothing says why', () => {
  assert.deepEqual(resolve(log, 'n'), {
    type: 'refused',
    why: 'nothing has been searched for yet: / searches',
  });
  assert.deepEqual(resolve(log, 'x'), { type: 'refused', why: 'there is no filter to drop' });
  const elsewhere = resolve(picker, 'b');
  assert.match(elsewhere.type === 'refused' ? elsewhere.why : '', /does not act in this view/);
  const wrap = resolve(log, 'w');
  assert.match(wrap.type === 'refused' ? wrap.why : '', /one line each: .*L the text of all, wrapped/);
  const free = [...'%~$^_|\\"'].find((sign) => COMMANDS.every((id) => !ROWS[id]?.keys.includes(sign))) ?? '';
  const unknown = resolve(picker, free);
  assert.match(unknown.type === 'refused' ? unknown.why : '', /\? lists the keys/);
});

test('while text is typed a letter is text, also one that is a command elsewhere', () => {
  const { state } = played(log, 'find');
  assert.equal(scopeOf(state), null);
  assert.deepEqual(resolve(state, 'q'), { type: 'typed', text: 'q' });
  assert.deepEqual(resolve(state, 'Space'), { type: 'typed', text: ' ' });
  assert.deepEqual(resolve(state, 'Ctrl-w'), { type: 'edited', edit: 'killWordLeft' });
  assert.deepEqual(resolve(state, 'Esc'), { type: 'cancelled' });
});

test('the help of a view lists exactly the keys that act there', () => {
  const commands = helpRows('zones').map((row) => row.command);
  assert.ok(commands.includes('find'));
  assert.ok(!commands.includes('filterIn'));
  for (const command of commands) assert.ok(ROWS[command]?.where.includes('zones'));
});

test('hints are keys of the view', () => {
  assert.ok(hints(log).some((hint) => hint.key === 'Space' && hint.word === 'pause'));
  assert.ok(!hints(picker).some((hint) => hint.word === 'pause'));
});

test('what is wrong here is asked first of all: its key leads every line of hints where it acts, and the help', () => {
  for (const state of [log, picker]) assert.deepEqual(hints(state)[0], { key: '!', word: 'wrong?' });
  for (const place of BINDINGS.wrong.where) {
    assert.equal(BINDINGS.wrong.hint?.[place], 'wrong?', place);
    assert.equal(helpRows(place)[0]?.command, 'wrong', place);
  }
});

test('a log that moves hints at the pause, a paused one at what acts on the value under its cursor', () => {
  const words = (state: State) => hints(state).map(({ word }) => word);
  const paused = played(log, 'pause').state;
  const asked = ['live', 'keep', 'hide', 'pause'];
  assert.deepEqual(
    asked.filter((word) => words(log).includes(word)),
    ['pause'],
  );
  assert.deepEqual(
    asked.filter((word) => words(paused).includes(word)),
    ['live', 'keep', 'hide'],
  );
  assert.ok(words(played(paused, 'chooseGroups').state).includes('choose'));
});

test('any key leaves the plain text', () => {
  const { state } = played(log, 'plainText');
  assert.deepEqual(resolve(state, 'j'), { type: 'commanded', command: 'leave' });
  assert.equal(played(state, 'leave').state.overlay, null);
});

test('the help scrolls by pages, and no further than its last line', () => {
  const topAfter = (...chords: string[]) => {
    const end = chords.reduce(
      (state, chord) => played(state, resolve(state, chord)).state,
      played(log, 'help').state,
    );
    assert.equal(end.overlay?.kind, 'help');
    return end.overlay?.kind === 'help' ? end.overlay.top : 0;
  };
  const height = listHeight(played(log, 'help').state);
  assert.equal(topAfter('PgDn'), height - 1);
  const last = helpLines(log, '').length - height;
  assert.equal(topAfter('G'), last);
  assert.equal(topAfter('G', 'j', 'k'), last - 1);
  assert.equal(topAfter('G', 'g'), 0);
});
