import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolve, scopeOf } from '../../src/keymap/resolve.ts';
import { BINDINGS, COMMANDS } from '../../src/keys/bindings.ts';
import { createLook } from '../../src/paint/theme.ts';
import { memoised } from '../../src/state/memoised.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { SCENES } from '../support/scenes.ts';
import { sourceFiles, withoutComments } from '../support/source.ts';
import { played, reportOf, rowsOf } from '../support/state.ts';

const SIZE = { columns: 120, rows: 14 };
const DAY = 86_400_000;
const KEYS = 'j l > M * + X s Space Enter g H b Esc'.split(' ');
const CHANGES: Record<string, (state: State) => State> = {
  ...Object.fromEntries(
    KEYS.map((key, at) => [`${at + 1}: ${key}`, (state: State) => played(state, resolve(state, key)).state]),
  ),
  'rows arrive': arrived,
  'a text is highlighted': (state) => ({ ...state, highlights: [{ text: 'a', colour: 'red' }] }),
  'the columns are chosen': (state) => ({ ...state, columns: ['time', 'status', 'path'] }),
  'a day passes': (state) => ({ ...state, now: state.now + DAY }),
  'the window narrows': (state) => ({ ...state, size: { ...SIZE, columns: 70 } }),
  'rows arrive again': arrived,
};

test('an answer is kept until one of its inputs is another, and for each thing apart', () => {
  let made = 0;
  const ask = memoised((thing: object, inputs: { first: unknown; second: unknown }) => {
    made += 1;
    return [thing, inputs.first, inputs.second];
  });
  const [one, other] = [{}, {}];
  const asked = (thing: object, first: unknown, second: unknown) => {
    const before = made;
    assert.deepEqual(ask(thing, { first, second }), [thing, first, second]);
    return made > before;
  };
  assert.deepEqual(
    [
      asked(one, 1, undefined),
      asked(one, 1, undefined),
      asked(other, 1, undefined),
      asked(one, 1, undefined),
      asked(one, 1, null),
      asked(one, 2, null),
      asked(one, 2, null),
    ],
    [true, false, true, false, true, true, false],
  );
});

test('a screen over lines that were kept is the screen painted for the first time, whatever has changed', () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    const look = createLook('default', false, true);
    let state = scene((n) => `a-${n}`, SIZE);
    painted(state, look);
    for (const [what, change] of Object.entries(CHANGES)) {
      state = change(state);
      const before = painted(state, look);
      assert.deepEqual(before, painted(state, createLook('default', false, true)), `${name}: ${what}`);
      // What the fresh look was painted by is not what the next change is judged against.
      painted(state, look);
    }
  }
});

test('no key leaves a line as it was kept where it would be painted otherwise', () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    const look = createLook('default', false, true);
    const state = scene((n) => `a-${n}`, SIZE);
    const place = scopeOf(state);
    const own = COMMANDS.filter((id) => place !== null && BINDINGS[id].where.includes(place));
    painted(state, look);
    for (const key of own.flatMap((id) => BINDINGS[id].keys[0] ?? [])) {
      const after = played(state, resolve(state, key)).state;
      assert.deepEqual(
        painted(after, look),
        painted(after, createLook('default', false, true)),
        `${name}: ${key}`,
      );
    }
  }
});

test('the screen keeps nothing from one painting to the next but by `memoised`', () => {
  const painters = ['ui', 'paint', 'screens', 'across'].flatMap((name) => sourceFiles(`src/${name}`));
  const keepers = painters.filter(({ text }) => {
    const code = withoutComments(text);
    return /\bWeakMap\b|^(?:export )?let |^(?:export )?const [^=]*= (?:new Map\(|new Set\(\)|\[\];)/m.test(
      code,
    );
  });
  assert.deepEqual(
    keepers.map(({ path }) => path),
    [],
  );
});

function painted(state: State, look: ReturnType<typeof createLook>): unknown {
  return [bodyLines(state, look), chromeLines(state, look)];
}

function arrived(state: State): State {
  const { session } = state;
  if (session?.source.kind !== 'zones') return state;
  const { generation, book } = session;
  const event = { rows: rowsOf(book.size, book.size + 5), report: reportOf() };
  return played(state, { type: 'tailRead', zone: '1', generation, event }).state;
}
