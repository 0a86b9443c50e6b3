import { parseAddress } from '../domain/query/address.ts';
import { editDistance } from '../domain/query/nearest.ts';
import { isPlainWord } from '../domain/query/term-text.ts';
import { BINDINGS, COMMANDS, type CommandId, TAKES, wordsOf } from '../keys/bindings.ts';
import { PLACE_TITLES } from '../keys/places.ts';
import type { LineArgument } from '../state/messages.ts';
import type { State } from '../state/model.ts';
import { viewPlace, whyIdle } from './conditions.ts';

/** The order of a line, or why there is none. */
type LineReading =
  | { kind: 'order'; command: CommandId; argument: LineArgument | null }
  | { kind: 'none'; why: string };

/** A line taken apart: its first word ends at `end`, its argument follows. */
export type LineParts = { start: number; word: string; end: number; argument: LineArgument | null };

/** Every word that runs a command, in lower case: a name or a declared alias, never a part of one. */
const WORDS: ReadonlyMap<string, CommandId> = new Map(
  COMMANDS.flatMap((id) => wordsOf(id).map((word): [string, CommandId] => [word, id])),
);

/** A class of statuses abbreviates a term: `5xx`. */
const STATUS_CLASS = /^-?[1-5]xx$/i;

/** Places named in a refusal, and names offered. */
const MOST_NAMED = 3;

/** Letters from which on a word is also searched in the descriptions of commands. */
const ENOUGH = 3;

/** Letters quoted of a wrong word. */
const MOST_QUOTED = 24;

/** `:logs [zone] [query...]`; null where the command line lacks the command. */
export function usageOf(id: CommandId): string | null {
  const { line } = BINDINGS[id];
  if (line === null) return null;
  const takes = line.takes === undefined ? '' : TAKES[line.takes];
  return `:${[line.name, takes].filter(Boolean).join(' ')}`;
}

/** Skips colons and blanks before the first word, as vi does. */
export function lineParts(text: string): LineParts {
  let start = 0;
  while (text[start] === ':' || text[start] === ' ') start += 1;
  let end = start;
  while (end < text.length && text[end] !== ' ') end += 1;
  const rest = text.slice(end);
  const trimmed = rest.trim();
  const argument = trimmed === '' ? null : { text: trimmed, at: end + rest.indexOf(trimmed) };
  return { start, word: text.slice(start, end), end, argument };
}

/** Whether a line begins as a term does, which no command can: a bare word is never a term. */
export function isTerm(word: string): boolean {
  if (isPlainWord(word)) return false;
  return STATUS_CLASS.test(word) || /^(?:["\u201c\u201d]|[-\u2013\u2014\u2212].|[a-z][\w-]*[:~])/i.test(word);
}

export function commandNamed(word: string): CommandId | null {
  return WORDS.get(word.toLowerCase()) ?? null;
}

/** What Enter runs: a command named in full, or terms. Anything else would be a guess, and runs nothing. */
export function readLine(state: State, text: string): LineReading {
  const { start, word, argument } = lineParts(text);
  const command = isTerm(word) ? 'addTerms' : commandNamed(word);
  if (command === null) return { kind: 'none', why: unknownWords(state, word) };
  const why = whyNotHere(state, command);
  if (why !== null) return { kind: 'none', why };
  if (command === 'addTerms') {
    return { kind: 'order', command, argument: { text: text.slice(start).trimEnd(), at: start } };
  }
  const { name, takes } = BINDINGS[command].line ?? { name: word };
  if (argument !== null && takes === undefined) {
    return { kind: 'none', why: `:${name} takes nothing behind it` };
  }
  if (argument === null && takes !== undefined && TAKES[takes].startsWith('<')) {
    return { kind: 'none', why: `:${name} needs ${TAKES[takes]}` };
  }
  // A named zone replaces the one under the cursor, which the key lacks.
  const isNamed = argument !== null && (takes === 'logsOfZone' || takes === 'shieldOfZone');
  const idle = isNamed ? null : whyIdle(state, command);
  return idle === null ? { kind: 'order', command, argument } : { kind: 'none', why: idle };
}

/** Why a command does not act in the top view; null = it acts. */
export function whyNotHere(state: State, command: CommandId): string | null {
  const { where } = BINDINGS[command];
  const under = state.overlay?.kind === 'palette' ? state.overlay.under : null;
  if (where.includes(viewPlace(state)) || (under && where.includes(under.kind))) return null;
  if (command === 'addTerms' && viewPlace(state) === 'answer')
    return 'an answer keeps its query; Esc goes back to the view of it';
  if (command === 'addTerms') return 'this view has no query; :logs <zone> status:5xx opens one';
  const places = where.map((place) => PLACE_TITLES[place]);
  const more = places.length > MOST_NAMED ? ' and others' : '';
  return `not here: ${usageOf(command)?.split(' ')[0]} acts in ${places.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** The commands that a word begins: by name, by alias, then by a later word of the name. */
export function commandsBegun(word: string): CommandId[] {
  const typed = word.toLowerCase();
  const rank = (id: CommandId): number => {
    const [name, ...also] = wordsOf(id);
    if (name === undefined) return 9;
    if (name === typed) return 0;
    if (name.startsWith(typed)) return 1;
    if (also.some((each) => each.startsWith(typed))) return 2;
    return name.split('-').some((part) => part.startsWith(typed)) ? 3 : 9;
  };
  return COMMANDS.map((id) => ({ id, rank: rank(id) }))
    .filter((each) => each.rank < 9)
    .toSorted((a, b) => a.rank - b.rank || nameLength(a.id) - nameLength(b.id))
    .map(({ id }) => id);
}

/** Whether a text has a word that begins with these letters, of which there must be enough to mean something. */
export function hasWordBegun(text: string, letters: string): boolean {
  if (letters.length < ENOUGH) return false;
  const typed = letters.toLowerCase();
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((each) => each.startsWith(typed));
}

function nameLength(id: CommandId): number {
  return wordsOf(id)[0]?.length ?? 0;
}

function unknownWords(state: State, word: string): string {
  const told = word.length > MOST_QUOTED ? `${word.slice(0, MOST_QUOTED)}…` : word;
  if (parseAddress(word) !== null) return `no command '${told}'; the term is ip:${told}`;
  const acting = (id: CommandId) => (whyNotHere(state, id) === null ? 0 : 1);
  const begun = commandsBegun(word);
  const found =
    begun.length > 0 ? begun : COMMANDS.filter((id) => hasWordBegun(BINDINGS[id].found ?? '', word));
  const byPlace = found.toSorted((a, b) => acting(a) - acting(b));
  const names = byPlace.length > 0 ? byPlace.map((id) => wordsOf(id)[0] ?? '') : mistyped(word);
  const nearest = names.slice(0, MOST_NAMED).join(', ');
  return `no command '${told}'; ${nearest === '' ? ':help lists them' : `nearest: ${nearest}`}`;
}

/** Names of which at least half was typed, the nearest first. */
function mistyped(word: string): string[] {
  const typed = word.toLowerCase();
  if (typed.length > MOST_QUOTED) return [];
  return [...WORDS.keys()]
    .map((name) => ({ name, far: editDistance(typed, name) }))
    .filter(({ name, far }) => far <= Math.max(typed.length, name.length) / 2)
    .toSorted((a, b) => a.far - b.far)
    .map(({ name }) => name);
}
