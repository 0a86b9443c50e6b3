import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpLines, helpRows } from '../../src/keymap/help.ts';
import { hints, resolve } from '../../src/keymap/resolve.ts';
import { BINDINGS, type Binding, COMMANDS } from '../../src/keys/bindings.ts';
import type { KeyScope } from '../../src/keys/places.ts';
import type { State } from '../../src/state/model.ts';
import { pressed } from '../support/pressed.ts';
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

test('what is wrong here is asked first of all: its key leads every line of hints where it acts, and the help', () => {
  for (const state of [log, picker])
    assert.deepEqual(hints(state)[0], { command: 'wrong', key: '!', word: 'wrong?' });
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

test('the help finds a command by words that people have for it, and Enter runs it', () => {
  const found = (words: string) => {
    const state = pressed(log, `?${words}`);
    return helpLines(state, state.overlay?.kind === 'help' ? state.overlay.find : '').flatMap((line) =>
      line.kind === 'command' ? [line.command] : [],
    );
  };
  for (const [words, command] of [
    ['why', 'wrong'],
    ['attack', 'bypassCheck'],
    ['slow', 'missLens'],
    ['login', 'bypassCheck'],
    ['country', 'chooseGroups'],
    ['yesterday', 'incidents'],
    ['since when', 'chooseWindow'],
    ['only these', 'editQuery'],
    ['csv', 'export'],
  ] as const)
    assert.ok(found(words).includes(command), `${words}: ${found(words)}`);
  assert.equal(pressed(log, '?country<Enter>').overlay?.kind, 'groupPick');
  const begun = pressed(log, '?another zone<Enter>').prompt;
  assert.deepEqual([begun?.kind, begun?.field.text], ['palette', 'zone ']);
  assert.match(pressed(log, '?zzzz<Enter>').notice?.text ?? '', /no command/);
  const left = pressed(log, '?country<Esc>');
  assert.deepEqual([left.overlay, left.prompt], [null, null]);
});

test('forty keys at most are bound in the log pane, the fourteen of the night in every list of a log', () => {
  const keysOf = (place: KeyScope) => [
    ...new Set(COMMANDS.flatMap((id) => (ROWS[id]?.where.includes(place) ? ROWS[id].keys : []))),
  ];
  assert.ok(keysOf('log').length <= 40, `${keysOf('log').length}: ${keysOf('log').join(' ')}`);
  for (const place of ['log', 'shieldGroups', 'shieldRows'] as const)
    for (const key of [
      'Space',
      'j',
      'k',
      'Down',
      'Up',
      'Enter',
      'Esc',
      '/',
      'b',
      't',
      'i',
      '+',
      '-',
      '!',
      'y',
      ':',
      '?',
      'q',
    ])
      assert.ok(keysOf(place).includes(key), `${key} in ${place}`);
});

test('no letter means two things, and a key of similar programs is told by its word', () => {
  const bound = new Map<string, string>();
  for (const id of COMMANDS) {
    for (const key of ROWS[id]?.keys ?? []) {
      if (!/^\p{L}$/u.test(key)) continue;
      assert.equal(bound.get(key) ?? id, id, key);
      bound.set(key, id);
    }
  }
  assert.ok(bound.size > 10);
  const told = resolve(log, '&');
  assert.match(told.type === 'refused' ? told.why : '', /^& is no key here; :keep-found does it$/);
  const moved = resolve(log, 'h');
  assert.match(moved.type === 'refused' ? moved.why : '', /^h is no key here; Left does it$/);
});
