import { BINDINGS, COMMANDS, type CommandId, NIGHT, wordsOf } from '../keys/bindings.ts';
import { chordsOf, commandAt } from '../keys/own-keys.ts';
import type { KeyScope } from '../keys/places.ts';
import type { Action } from '../state/messages.ts';
import type { State } from '../state/model.ts';
import { type Chord, isPrintable } from './chord.ts';
import { isHintIdle, viewPlace, whyIdle } from './conditions.ts';
import { helpKey } from './help.ts';
import { usageOf } from './line-words.ts';
import { paletteKey } from './palette.ts';

type Hint = { command: CommandId; key: string; word: string };

/** The editing keys of a prompt: readline's, as in every shell. */
const EDITS: Record<Chord, Action> = {
  Enter: { type: 'submitted' },
  Esc: { type: 'cancelled' },
  'Ctrl-c': { type: 'commanded', command: 'quit' },
  Tab: { type: 'completed' },
  'Shift-Tab': { type: 'commanded', command: 'switchForm' },
  Down: { type: 'promptMoved', by: 1 },
  Up: { type: 'promptMoved', by: -1 },
  'Ctrl-n': { type: 'promptMoved', by: 1 },
  'Ctrl-p': { type: 'promptMoved', by: -1 },
  Left: { type: 'edited', edit: 'left' },
  Right: { type: 'edited', edit: 'right' },
  'Ctrl-Left': { type: 'edited', edit: 'wordLeft' },
  'Ctrl-Right': { type: 'edited', edit: 'wordRight' },
  Home: { type: 'edited', edit: 'home' },
  End: { type: 'edited', edit: 'end' },
  'Ctrl-a': { type: 'edited', edit: 'home' },
  'Ctrl-e': { type: 'edited', edit: 'end' },
  Backspace: { type: 'edited', edit: 'backspace' },
  'Ctrl-h': { type: 'edited', edit: 'backspace' },
  Delete: { type: 'edited', edit: 'delete' },
  'Ctrl-d': { type: 'edited', edit: 'delete' },
  'Ctrl-w': { type: 'edited', edit: 'killWordLeft' },
  'Ctrl-u': { type: 'edited', edit: 'killLeft' },
  'Ctrl-k': { type: 'edited', edit: 'killRight' },
  'Ctrl-y': { type: 'edited', edit: 'yank' },
};

/** Hints that come and go. */
const PASSING: CommandId[] = ['last', 'filterIn', 'filterOut', 'pause', 'refresh'];

/** The commands with a hint, by the place where they have it. */
const HINTED = Map.groupBy(
  COMMANDS.toSorted((a, b) => rankOf(a) - rankOf(b)).flatMap((id) =>
    Object.entries(BINDINGS[id].hint ?? {}).map(([place, word]) => ({ id, place, word })),
  ),
  ({ place }) => place,
);

/** Where keys act now; null while text is being typed. */
export function scopeOf(state: State): KeyScope | null {
  if (state.prompt) return null;
  if (state.overlay && state.overlay.kind !== 'palette') return state.overlay.kind;
  return viewPlace(state);
}

/** The action of a key press. Pure: the same state and key give the same action. */
export function resolve(state: State, press: Chord): Action {
  const place = scopeOf(state);
  // Shift with an arrow selects times where Tab does not go to the timeline, or has gone there; everywhere else it is
  // the arrow.
  const chord =
    place === 'timeline' || place === 'answer' ? press : press.replace(/^Shift-(?=Left$|Right$)/, '');
  if (!place) {
    const own = lineKey(state, chord);
    const edit = own ?? EDITS[chord];
    if (edit) return edit;
    return isPrintable(chord)
      ? { type: 'typed', text: chord === 'Space' ? ' ' : chord }
      : { type: 'refused', why: `${chord} does nothing while text is typed; Esc leaves the line` };
  }
  if (place === 'plain' && chord !== 'Ctrl-c') return { type: 'commanded', command: 'leave' };
  const command = commandAt(state.ownKeys, place, chord);
  if (!command) return { type: 'refused', why: whyUnbound(place, chord) };
  const why = whyIdle(state, command);
  return why ? { type: 'refused', why } : { type: 'commanded', command };
}

/** What a key does in a line that drives a list of commands; null = what it does in every edited line. */
function lineKey(state: State, chord: Chord): Action | null {
  if (state.overlay?.kind === 'help') return helpKey(state, chord);
  return state.prompt?.kind === 'palette' ? paletteKey(state, chord) : null;
}

/**
 * The line of hints: the few keys that a newcomer needs here, less those that do nothing now. What a responder asks
 * first leads, then the keys of the night; hints that come and go stand last, so that the others keep their place.
 */
export function hints(state: State): Hint[] {
  const place = scopeOf(state);
  if (!place) return [];
  const { ownKeys: own } = state;
  const here = HINTED.get(place) ?? [];
  return here
    .filter(({ id }) => !isHintIdle(state, id))
    .map(({ id, word }) => ({
      command: id,
      key: (own.length === 0 ? BINDINGS[id].keys : chordsOf(own, place, id))[0] ?? `:${wordsOf(id)[0]}`,
      word,
    }));
}

function rankOf(id: CommandId): number {
  if (PASSING.includes(id)) return NIGHT.length + 1;
  const at = NIGHT.findIndex(({ ids }) => ids.includes(id));
  return at < 0 ? NIGHT.length : at;
}

function whyUnbound(place: KeyScope, chord: Chord): string {
  const named = COMMANDS.find(
    (id) => BINDINGS[id].was?.includes(chord) && BINDINGS[id].where.includes(place),
  );
  if (named !== undefined)
    return `${chord} is no key here; ${BINDINGS[named].keys[0] ?? usageOf(named)} does it`;
  if (COMMANDS.some((id) => BINDINGS[id].keys.includes(chord)))
    return `${chord} does not act in this view; ? lists the keys that do`;
  return `${chord} is not a key; ? lists the keys`;
}
