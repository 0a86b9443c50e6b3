import { BINDINGS, type Binding, COMMANDS, type CommandId, NIGHT, TAKES, wordsOf } from '../keys/bindings.ts';
import { chordsOf, type OwnKey } from '../keys/own-keys.ts';
import type { KeyScope } from '../keys/places.ts';
import { listHeight } from '../state/list/screen-layout.ts';
import { clamp } from '../state/list.ts';
import type { Action } from '../state/messages.ts';
import type { State } from '../state/model.ts';
import { wrapText } from '../text/fit.ts';
import type { Chord } from './chord.ts';
import { viewPlace, whyIdle } from './conditions.ts';
import { usageOf } from './line-words.ts';

type HelpRow = { command: CommandId; keys: string; word: string; does: string; group: Binding['group'] };

/** A line of the help: commands by what a user wants; a long description goes on in lines of the same command. */
export type HelpLine =
  | { kind: 'text'; text: string }
  | { kind: 'group'; group: Binding['group'] }
  | { kind: 'command'; command: CommandId; keys: string; word: string; does: string };

type HelpCells = { keys: number; word: number; does: number };

/** The width from which keys and words of the command line stand side by side. */
const WIDE = 60;

/** Cells of the keys, the words and the descriptions, in so many columns. */
export function helpCells(columns: number): HelpCells {
  const { keys, word } = columns >= WIDE ? { keys: 12, word: 17 } : { keys: 0, word: 17 };
  return { keys, word, does: Math.max(1, columns - keys - word - 3) };
}

/** Every key and word of the command line that acts in a place, in table order. */
export function helpRows(place: KeyScope, own: readonly OwnKey[] = []): HelpRow[] {
  return COMMANDS.filter((id) => BINDINGS[id].where.includes(place)).map((id) => {
    const { does, group, line } = BINDINGS[id];
    const takes = line?.takes === undefined ? '' : ` (${usageOf(id)})`;
    const keys = chordsOf(own, place, id).join(' ');
    return { command: id, keys, word: wordsOf(id)[0] ?? '', does: `${does}${takes}`, group };
  });
}

/** The commands of the view beneath with all words of `find` in their descriptions. */
function rowsFound(state: State, find: string): HelpRow[] {
  const wanted = find.toLowerCase().split(' ').filter(Boolean);
  return helpRows(viewPlace(state), state.ownKeys).filter(({ command, keys, word, does, group }) => {
    const said = `${keys} ${word} ${does} ${group} ${BINDINGS[command].found ?? ''}`.toLowerCase();
    return wanted.every((each) => said.includes(each));
  });
}

export function helpLines(state: State, find: string): HelpLine[] {
  const { columns } = state.size;
  const cells = helpCells(columns);
  const rows = rowsFound(state, find);
  const commands = rows.flatMap((row, at): HelpLine[] => {
    const { command, group } = row;
    const word = row.word === '' ? '' : `:${row.word}`;
    // A narrow window has one column for both.
    const first =
      cells.keys > 0 ? { keys: row.keys, word } : { keys: '', word: row.keys === '' ? word : row.keys };
    const told = wrapText(row.does, cells.does).map(
      (does, line): HelpLine => ({
        kind: 'command',
        command,
        does,
        ...(line === 0 ? first : { keys: '', word: '' }),
      }),
    );
    return group === rows[at - 1]?.group ? told : [{ kind: 'group', group }, ...told];
  });
  if (find !== '') return commands;
  return [
    ...nightOf(state, columns).map((text) => ({ kind: 'text', text }) as const),
    { kind: 'text', text: '? again: how the figures come about' },
    ...commands,
  ];
}

/** The fourteen keys of the night, as far as they act in a place, on as many lines as they need. */
function nightOf(state: State, columns: number): string[] {
  const place = viewPlace(state);
  const told = NIGHT.flatMap(({ ids, word }) => {
    const keys = ids.flatMap((id) =>
      BINDINGS[id].where.includes(place) ? (chordsOf(state.ownKeys, place, id)[0] ?? []) : [],
    );
    return keys.length === 0 ? [] : [`${keys.join(' ')} ${word}`];
  });
  const lines = [''];
  for (const each of told) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? each : `${last}  ${each}`;
    if (longer.length <= columns - 2) lines[lines.length - 1] = longer;
    else lines.push(each);
  }
  return lines;
}

/** What a key does in the help, where the edited line narrows it; null = what it does in every edited line. */
export function helpKey(state: State, chord: Chord): Action | null {
  const { overlay } = state;
  if (overlay?.kind !== 'help') return null;
  const rows = rowsFound(state, overlay.find);
  const page = Math.max(1, listHeight(state) - 2);
  const moves: Record<Chord, number> = {
    Down: 1,
    'Ctrl-n': 1,
    Up: -1,
    'Ctrl-p': -1,
    PgDn: page,
    PgUp: -page,
  };
  if (chord === '?' && overlay.find === '') return runOf(state, 'how');
  const by = moves[chord];
  if (by !== undefined) return { type: 'helpMoved', cursor: clamp(overlay.cursor + by, 0, rows.length - 1) };
  if (chord !== 'Enter') return null;
  const row = rows[overlay.cursor];
  return row === undefined
    ? { type: 'refused', why: 'no command has these words' }
    : runOf(state, row.command);
}

/** The action of a help line: its command, or the command line with its word where that needs an argument. */
function runOf(state: State, command: CommandId): Action {
  const why = whyIdle(state, command);
  if (why !== null) return { type: 'refused', why };
  const { line } = BINDINGS[command];
  const needs = line?.takes === undefined ? '' : TAKES[line.takes];
  if (!needs.startsWith('<') && command !== 'addTerms')
    return { type: 'ordered', command, argument: null, line: '' };
  const text = line?.name ? `${line.name} ` : '';
  return { type: 'ordered', command: 'palette', argument: { text, at: 0 }, line: text };
}
