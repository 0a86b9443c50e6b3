import type { Chord } from '../../src/keymap/chord.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import type { Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { played } from './state.ts';

/** What keys made of a state, and what they ordered. */
export type Pressed = { state: State; effects: Effect[] };

/** Characters are keys; `<Enter>` and `<Ctrl-d>` are keys by their names, `<:mark>` is a line of the command line, run. */
function chordsOf(keys: string): Chord[] {
  return [...keys.matchAll(/<:([^>]+)>|<([\w-]+)>|./gsu)].flatMap(([text, line, name]) => {
    if (line === undefined) return [name ?? (text === ' ' ? 'Space' : text)];
    return [':', ...[...line].map((each) => (each === ' ' ? 'Space' : each)), 'Enter'];
  });
}

/** Keys pressed one after another, each resolved against the state that it finds. */
export function pressing(state: State, keys: string): Pressed {
  return chordsOf(keys).reduce<Pressed>(
    (before, chord) => {
      const next = played(before.state, resolve(before.state, chord));
      return { state: next.state, effects: [...before.effects, ...next.effects] };
    },
    { state, effects: [] },
  );
}

export function pressed(state: State, keys: string): State {
  return pressing(state, keys).state;
}
