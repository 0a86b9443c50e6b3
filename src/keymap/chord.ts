import type { Key } from 'ink';

/**
 * A key press by its name: `j`, `G`, `Ctrl-d`, `Enter`, `Esc`, `PgDn`, `Space`, `F5`. Printable characters name
 * themselves.
 */
export type Chord = string;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const NAMED: readonly [keyof Key, Chord][] = [
  ['upArrow', 'Up'],
  ['downArrow', 'Down'],
  ['leftArrow', 'Left'],
  ['rightArrow', 'Right'],
  ['pageUp', 'PgUp'],
  ['pageDown', 'PgDn'],
  ['home', 'Home'],
  ['end', 'End'],
  ['delete', 'Delete'],
  ['backspace', 'Backspace'],
  ['return', 'Enter'],
  ['escape', 'Esc'],
];

/** Function keys by the letter or number in their sequence. */
const FUNCTION_KEYS: Readonly<Record<string, Chord>> = {
  ...{ P: 'F1', Q: 'F2', R: 'F3', S: 'F4', '[A': 'F1', '[B': 'F2', '[C': 'F3', '[D': 'F4', '[E': 'F5' },
  ...{ 11: 'F1', 12: 'F2', 13: 'F3', 14: 'F4', 15: 'F5', 17: 'F6', 18: 'F7', 19: 'F8' },
  ...{ 20: 'F9', 21: 'F10', 23: 'F11', 24: 'F12' },
};

/**
 * The key presses in one read of the terminal. Over SSH several arrive at once: `jjj` is three presses, and letters
 * mixed with Return or control characters are taken apart in order. `raw` is the press as the terminal sent it.
 */
export function chords(input: string, key: Key, raw = input): Chord[] {
  const named = functionKey(raw);
  if (named !== null) return [named];
  return isAfterEsc(raw) ? ['Esc', ...pressed(input, { ...key, meta: false })] : pressed(input, key);
}

/** A report of the mouse, in cells from the upper left one. */
export type MouseReport = { does: 'press' | 'wheelUp' | 'wheelDown' | 'other'; x: number; y: number };

/** What a terminal reports of its mouse (SGR); null: this is a key. */
export function mouseReport(raw: string): MouseReport | null {
  const [all, button, x, y, end] = /^\x1b\[<(\d{1,4});(\d{1,4});(\d{1,4})([Mm])$/.exec(raw) ?? [];
  if (all === undefined) return null;
  const does =
    end === 'M' ? ({ 0: 'press', 64: 'wheelUp', 65: 'wheelDown' } as const)[Number(button)] : undefined;
  return { does: does ?? 'other', x: Number(x) - 1, y: Number(y) - 1 };
}

/** With Shift, Ctrl or Alt it is the same key. */
function functionKey(raw: string): Chord | null {
  const match = /^\x1b(?:O|\[(?:1;\d{1,3})?)([PQRS])$|^\x1b\[(\[[A-E])$|^\x1b\[(\d\d)(?:;\d{1,3})?~$/.exec(
    raw,
  );
  return FUNCTION_KEYS[match?.[1] ?? match?.[2] ?? match?.[3] ?? ''] ?? null;
}

/** Terminals send Esc and a key in one read for Alt, which is never needed: they stay two keys. */
function isAfterEsc(raw: string): boolean {
  return /^\x1b(?:[^[O]|[[O]$)/.test(raw);
}

function pressed(input: string, key: Key): Chord[] {
  if (key.tab) return [key.shift ? 'Shift-Tab' : 'Tab'];
  for (const [flag, name] of NAMED) {
    if (key[flag] !== true) continue;
    if (key.ctrl) return [`Ctrl-${name}`];
    return [key.shift && (name === 'Left' || name === 'Right') ? `Shift-${name}` : name];
  }
  if (key.ctrl && input.length === 1) return [`Ctrl-${input.toLowerCase()}`];
  if (key.meta) return [];
  if (input.length === 1) return chordOf(input);
  return [...graphemes.segment(input)].flatMap(({ segment }) => chordOf(segment));
}

/** True when the chord is a character that a text field takes as it is. */
export function isPrintable(chord: Chord): boolean {
  return chord === 'Space' || (chord.length > 0 && [...graphemes.segment(chord)].length === 1);
}

function chordOf(segment: string): Chord[] {
  const code = segment.codePointAt(0) ?? 0;
  if (segment === '\r' || segment === '\n' || segment === '\r\n') return ['Enter'];
  if (segment === '\t') return ['Tab'];
  if (segment === ' ') return ['Space'];
  if (segment === '\x1b') return ['Esc'];
  if (segment === '\x7f' || segment === '\b') return ['Backspace'];
  if (code < 0x20) return [`Ctrl-${String.fromCharCode(code + 0x60)}`];
  return [segment];
}
