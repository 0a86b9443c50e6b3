import { BINDINGS, COMMANDS, type CommandId, TAKES, wordsOf } from './bindings.ts';
import { type KeyScope, PLACE_TITLES } from './places.ts';

/** A key of one's own, in one place or wherever its command acts. */
export type OwnKey = { place: KeyScope | typeof EVERYWHERE; chord: string; command: CommandId };

/** As a configuration has them: by place, the chord and a word of the command line. */
export type OwnKeySettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

const EVERYWHERE = 'everywhere';
export const OWN_KEY_PLACES: readonly string[] = [EVERYWHERE, ...Object.keys(PLACE_TITLES)];

const NAMED = [
  ...[
    'Up',
    'Down',
    'Left',
    'Right',
    'PgUp',
    'PgDn',
    'Home',
    'End',
    'Delete',
    'Backspace',
    'Enter',
    'Tab',
    'Space',
  ],
  ...['Esc', 'Shift-Tab', 'Shift-Left', 'Shift-Right'],
  ...Array.from({ length: 12 }, (_, n) => `F${n + 1}`),
];
export const CHORDS_TOLD = ['g', 'G', 'Ctrl-g', 'F5', 'PgDn', 'Space', 'Shift-Left'];

/** What leads out of everything, and to every command. */
export const FIXED_CHORDS: readonly string[] = ['Esc', 'Ctrl-c', ':'];

/** A chord by its name in any case: `ctrl-g` is `Ctrl-g`; a letter is itself. Null: no key has that name. */
export function chordNamed(text: string): string | null {
  const control = /^ctrl-([a-z])$/i.exec(text)?.[1];
  if (control !== undefined) return `Ctrl-${control.toLowerCase()}`;
  if (/^[!-~]$/.test(text) || /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(text)) return text;
  return NAMED.find((name) => name.toLowerCase() === text.toLowerCase()) ?? null;
}

/** The command of a word that acts in this place and needs nothing behind it; null: there is none. */
export function ownCommand(place: string, word: string): CommandId | null {
  const command = COMMANDS.find((id) => wordsOf(id).includes(word.replace(/^:/, '')));
  if (command === undefined) return null;
  const { where, line } = BINDINGS[command];
  const isEnough = line?.takes === undefined || !TAKES[line.takes].startsWith('<');
  return isEnough && (place === EVERYWHERE || where.includes(place as KeyScope)) ? command : null;
}

/** What is right of these settings. */
export function ownKeysOf(settings: OwnKeySettings): OwnKey[] {
  return Object.entries(settings).flatMap(([place, keys]) =>
    Object.entries(keys).flatMap(([name, word]) => {
      const chord = chordNamed(name);
      const command = OWN_KEY_PLACES.includes(place) ? ownCommand(place, word) : null;
      if (chord === null || command === null || FIXED_CHORDS.includes(chord)) return [];
      return [{ place: place as OwnKey['place'], chord, command }];
    }),
  );
}

/** The commands of the table that each chord is a key of. */
const OF_CHORD = Map.groupBy(
  COMMANDS.flatMap((id) => BINDINGS[id].keys.map((chord) => ({ id, chord }))),
  ({ chord }) => chord,
);

/** The command of a chord: of one's own in this place, then of one's own everywhere, then of the table. */
export function commandAt(own: readonly OwnKey[], place: KeyScope, chord: string): CommandId | undefined {
  const acts = (command: CommandId) => BINDINGS[command].where.includes(place);
  const mine = own.filter((key) => key.chord === chord && acts(key.command));
  const found = mine.find((key) => key.place === place) ?? mine.find((key) => key.place === EVERYWHERE);
  return found?.command ?? OF_CHORD.get(chord)?.find(({ id }) => acts(id))?.id;
}

/** The chords that do this in a place, those of one's own first. */
export function chordsOf(own: readonly OwnKey[], place: KeyScope, command: CommandId): string[] {
  const mine = own.filter((key) => key.command === command).map(({ chord }) => chord);
  const chords = new Set([...mine, ...BINDINGS[command].keys]);
  return [...chords].filter((chord) => commandAt(own, place, chord) === command);
}
