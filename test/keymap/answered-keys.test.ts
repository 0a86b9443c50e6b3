import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { viewPlace } from '../../src/keymap/conditions.ts';
import { readLine } from '../../src/keymap/line-words.ts';
import { hints, resolve, scopeOf } from '../../src/keymap/resolve.ts';
import {
  BINDINGS,
  COMMANDS,
  type CommandId,
  TOGGLES,
  type Toggle,
  wordsOf,
} from '../../src/keys/bindings.ts';
import { type KeyScope, VIEWS } from '../../src/keys/places.ts';
import { update } from '../../src/loop/update.ts';
import { createLook } from '../../src/paint/theme.ts';
import { explored } from '../../src/screens/explorer.ts';
import { onTop, plainOnTop, screenOf } from '../../src/screens/screens.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { clockZone } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { SCENES } from '../support/scenes.ts';
import { played } from '../support/state.ts';
import { inTimeZone } from '../support/time-zone.ts';

/** In the smaller one even short lists scroll. */
const SIZES = [
  { columns: 120, rows: 30 },
  { columns: 60, rows: 12 },
];
/** What every key changes, and what says nothing of what it did. */
const OF_ANY_KEY: ReadonlySet<string> = new Set<keyof State>(['pace', 'remarks', 'now']);
/** Where a list ends, its keys do nothing, and what some lines take, others do not. */
const LINES: readonly CommandId[][] = [
  [],
  ['last'],
  ['left'],
  ['right'],
  ['down', 'right'],
  ['first', 'down'],
  ['first', 'down', 'down'],
];

/** What a view does itself, if it takes the key. */
const TAKEN = [
  'open',
  'findNext',
  'findPrevious',
  'historyBack',
  'historyForward',
  'sort',
  'reverse',
  'refresh',
] as const satisfies readonly CommandId[];

/** The scenes of each place. Their rows are changed in place by what is played on them. */
const statesByPlace = () =>
  Map.groupBy(
    SIZES.flatMap((size) =>
      Object.values(SCENES).flatMap((scene) => {
        const state = scene((n) => `a-${n}`, size);
        const place = scopeOf(state);
        return place === null ? [] : [{ place, state }];
      }),
    ),
    ({ place }) => place,
  );
const STATES = statesByPlace();

const places = [...new Set(COMMANDS.flatMap((id) => BINDINGS[id].where))];

test('every place where keys act has a scene, which is full of untrusted texts and painted by many tests', () => {
  assert.deepEqual(
    places.filter((place) => !STATES.has(place)),
    [],
  );
});

test('every key and every word does something, or says why not, in every place where the table has it act', () => {
  const idle = [...STATES.keys()].flatMap((place) => {
    const own = COMMANDS.filter((id) => BINDINGS[id].where.includes(place) && isGiven(id));
    return own.filter((id) => !isAnswered(place, id)).map((id) => `${place}: ${id}`);
  });
  assert.deepEqual(idle, []);
});

test('a view that takes a shared key has what it hands over, shows bare or searches', () => {
  const has: Partial<Record<CommandId, (state: State) => boolean>> = {
    export: (state) => typeof onTop(state, 'sheet') !== 'string',
    copy: (state) => typeof onTop(state, 'cell') !== 'string',
    plainText: (state) => plainOnTop(state).length > 0,
    // The zones are narrowed instead.
    find: (state) => topView(state).kind === 'zones' || screenOf(topView(state)).search !== null,
  };
  const lacking = Object.entries(has).flatMap(([id, isThere]) =>
    VIEWS.filter((place) => BINDINGS[id as CommandId].where.includes(place))
      .filter((place) => !(STATES.get(place) ?? []).some(({ state }) => isThere(state)))
      .map((place) => `${place}: ${id}`),
  );
  assert.deepEqual(lacking, []);
});

test('no view has a case for a key that it does not take in the table of places', () => {
  const unreached = Object.entries(SCENES).flatMap(([name, scene]) => {
    const state = { ...scene((n) => `a-${n}`, SIZES[0] as State['size']), prompt: null, overlay: null };
    const place = viewPlace(state);
    const view = topView(state);
    const isCase = (id: CommandId) =>
      (screenOf(view).commands(state, view, id) ?? null) !== null || (explored(state, id) ?? state) !== state;
    return TAKEN.filter((id) => !BINDINGS[id].where.includes(place) && isCase(id)).map(
      (id) => `${name}, ${place}: ${id}`,
    );
  });
  assert.deepEqual(unreached, []);
});

test('every view hints at some of its keys, and keeps its cursor on screen where its list is longer', () => {
  const states = statesByPlace();
  const bare = VIEWS.filter(
    (place) => !(states.get(place) ?? []).some(({ state }) => hints(state).length > 1),
  );
  assert.deepEqual(bare, []);
  const look = createLook('default', false, true);
  const lost = [...states].flatMap(([place, scenes]) =>
    // What comes after the form of an edit is a page of text.
    VIEWS.some((view) => view === place) && place !== 'storageChange'
      ? scenes.filter(({ state }) => {
          const end = pressed(pressed(state, 'last'), 'up');
          const lines = bodyLines(end, look);
          return onTop(end, 'under') !== null && lines?.every((line) => !line.includes(look.glyph.cursor));
        })
      : [],
  );
  assert.deepEqual(
    lost.map(({ place }) => place),
    [],
  );
});

test('every column that a view hands over is in its rows', () => {
  let rows = 0;
  for (const [about, scene] of Object.entries(SCENES)) {
    const state = scene((n) => `a-${n}`, SIZES[0] as State['size']);
    const sheet = onTop(state, 'sheet');
    if (typeof sheet === 'string') continue;
    // Of rows alone that were not understood.
    const had = new Set(['_raw']);
    for (const line of sheet.lines()) {
      if (line.kind === 'row') for (const name of Object.keys(line.row())) had.add(name);
      rows += 1;
    }
    assert.deepEqual(
      sheet.columns.filter((name) => !had.has(name)),
      [],
      about,
    );
  }
  assert.ok(rows > 100, `${rows} rows`);
});

test('a toggle changes what is on screen wherever the table of keys has it act', () => {
  const states = statesByPlace();
  const unseen = (Object.keys(TOGGLES) as Toggle[]).flatMap((id) =>
    BINDINGS[id].where
      .filter((place) => !(states.get(place) ?? []).some(({ state }) => isSeen(state, pressed(state, id))))
      .map((place) => `${place}: ${id}`),
  );
  assert.deepEqual(unseen, []);
});

function isSeen(before: State, after: State): boolean {
  // Of one look, so that a line that is kept from before is seen.
  const looks = { utc: createLook('default', false, true), local: createLook('default', false, false) };
  const painted = (state: State) => {
    const look = looks[clockZone(state)];
    const { head, foot } = chromeLines({ ...state, notice: null }, look);
    return [head.lines, bodyLines(state, look), foot.lines];
  };
  return !inTimeZone('Asia/Kolkata', () => isDeepStrictEqual(painted(before), painted(after)));
}

function isAnswered(place: KeyScope, command: CommandId): boolean {
  const isOn = LINES.some((moves) =>
    (STATES.get(place) ?? []).some(({ state }) => {
      const before: State = { ...moves.reduce(pressed, state), notice: null };
      const action = actionOf(before, command);
      if (action.type === 'refused') return true;
      const [after, effects] = update(before, action, before.now);
      return effects.length > 0 || isOther(before, after);
    }),
  );
  return isOn || opens(command, place);
}

/** Where it leads to, a key that opens a view has nothing to do. */
function opens(command: CommandId, place: KeyScope): boolean {
  return [...STATES.values()]
    .flat()
    .filter(({ place: from }) => from !== place && BINDINGS[command].where.includes(from))
    .some(({ state }) => scopeOf(pressed(state, command)) === place);
}

/** Terms alone have neither a key nor a word. */
function isGiven(command: CommandId): boolean {
  return BINDINGS[command].keys.length > 0 || wordsOf(command).length > 0;
}

/** What the key of a command does, or the line with its word where it has none. */
function actionOf(state: State, command: CommandId): Action {
  const [chord] = BINDINGS[command].keys;
  if (chord !== undefined) return resolve(state, chord);
  const line = wordsOf(command)[0] ?? '';
  const reading = readLine(state, line);
  return reading.kind === 'none'
    ? { type: 'refused', why: reading.why }
    : { type: 'ordered', command, argument: null, line };
}

function pressed(state: State, command: CommandId): State {
  return played(state, actionOf(state, command)).state;
}

function isOther(before: State, after: State): boolean {
  return (Object.keys(after) as (keyof State)[]).some(
    (part) => !OF_ANY_KEY.has(part) && !isDeepStrictEqual(before[part], after[part]),
  );
}
