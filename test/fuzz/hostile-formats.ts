import { tableLines } from '../../src/domain/handover/line-formats.ts';
import type { Sheet } from '../../src/domain/handover/sheet.ts';
import { type SheetFormat, sheetWriter } from '../../src/domain/handover/sheet-formats.ts';
import { onTop } from '../../src/screens/screens.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { clipboardSequence } from '../../src/terminal/cell-screen.ts';
import { Emulator } from '../support/emulator.ts';
import { SCENES, type Told } from '../support/scenes.ts';
import { played } from '../support/state.ts';
import { SCENE_NAMES } from './hostile-views.ts';

export const FORMATS = ['ndjson', 'csv', 'table', 'markdown', 'clipboard', 'notebook'] as const;
type Format = (typeof FORMATS)[number];

const SIZE = { columns: 100, rows: 24 };
/** The widest cell of a printed table. */
const TABLE_CELL = 60;
/** Line breaks at the end of a word of a command, between quotes, where they end nothing. */
const ENDING_BREAKS = /(?<=\)")'\n+'/g;
const ASCII = /^[ -~]*$/;
/** Sentences about a view, and the user's own, keep the letters of what they name. */
const PROSE = /^[^\p{C}\p{M}]*$/u;

/** Every view that can be handed over in every format; what is not harmless, a sentence each. */
export async function tryFormats(
  sources: readonly { name: string; told: Told }[],
  o: { hasSanitiser: boolean },
): Promise<{ texts: number; leaks: string[] }> {
  const leaks: string[] = [];
  let texts = 0;
  for (const { name, told } of sources) {
    const shown: string[] = [];
    for (const scene of SCENE_NAMES) {
      const state = SCENES[scene](told, SIZE);
      for (const [format, list] of Object.entries(textsOf(state)) as [Format, string[]][]) {
        // Without the sanitiser only what is safe by its own form can be judged: JSON in ASCII, and base64.
        if (!o.hasSanitiser && format !== 'ndjson' && format !== 'clipboard') continue;
        for (const text of list) {
          texts += 1;
          leaks.push(
            ...wrongIn(format, text, o.hasSanitiser).map((what) => `${scene}, ${name}: ${format}: ${what}`),
          );
          if (format !== 'clipboard') shown.push(text);
        }
      }
    }
    leaks.push(...(await acts(shown.join('\n'))).map((what) => `${name}, printed: ${what}`));
  }
  return { texts, leaks };
}

function textsOf(state: State): Partial<Record<Format, string[]>> {
  const sheet = onTop(state, 'sheet');
  const isOpen = state.prompt === null && state.overlay === null;
  if (!isOpen || typeof sheet === 'string') return {};
  return {
    ndjson: [written('ndjson', sheet, state)],
    csv: [written('csv', sheet, state)],
    table: [tableOf(sheet)],
    markdown: [written('markdown', sheet, state)],
    clipboard: copiesOf(state),
    notebook: notesOf(state),
  };
}

function written(format: SheetFormat, sheet: Sheet, state: State): string {
  const source = {
    title: onTop(state, 'title'),
    command: 'edgescope',
    at: state.now,
    notes: [onTop(state, 'title')],
  };
  const writer = sheetWriter(format, sheet, source);
  let rows = 0;
  let text = writer.head;
  for (const line of sheet.lines()) {
    text += writer.line(line);
    rows += line.kind === 'row' ? 1 : 0;
  }
  return text + writer.tail(rows);
}

function tableOf(sheet: Sheet): string {
  const rows = [...sheet.lines()].flatMap((line) => (line.kind === 'row' ? [line.row()] : []));
  return tableLines(rows, TABLE_CELL, sheet.columns).join('\n');
}

/** What each line of the menu would put into the clipboard. */
function copiesOf(state: State): string[] {
  const { overlay } = played(state, 'copy').state;
  const offers = overlay?.kind === 'copyMenu' ? overlay.offers : [];
  return offers.flatMap(({ text }) => (text === null ? [] : [text]));
}

/** The entry with a note that is the name of the view, and the same with pseudonyms. */
function notesOf(state: State): string[] {
  const asked = played(state, 'note').state;
  const note: Action = { type: 'pasted', text: onTop(state, 'title') };
  const { effects } = played(asked, note, { type: 'submitted' });
  return effects.flatMap((effect) => (effect.type === 'addFinding' ? [effect.entry.lines.join('\n')] : []));
}

function wrongIn(format: Format, text: string, hasSanitiser: boolean): string[] {
  if (format === 'clipboard') {
    const sequence = clipboardSequence(text);
    const isFramed = sequence === null || /^\x1b\]52;c;[A-Za-z0-9+/=]*\x07$/.test(sequence);
    const isOneLine = !hasSanitiser || /^[^\p{C}\p{M}]*$/u.test(text.replace(ENDING_BREAKS, ''));
    return [
      ...(isFramed ? [] : ['the clipboard order is not closed']),
      ...(isOneLine ? [] : [`pasted it would act: ${JSON.stringify(text)}`]),
    ];
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const isProse = (line: string) => format === 'notebook' || (format === 'markdown' && !line.startsWith('|'));
  const odd = lines.find((line) => !(isProse(line) ? PROSE : ASCII).test(line));
  if (odd !== undefined) return [`not printable: ${JSON.stringify(firstOdd(odd))}`];
  switch (format) {
    case 'ndjson':
      return lines.flatMap((line) => (isJson(line) ? [] : [`no JSON: ${line}`]));
    case 'csv':
      return lines.flatMap((line) => (isCsv(line) ? [] : [`an open field or a formula: ${line}`]));
    case 'markdown':
    case 'notebook':
      return brokenTables(lines);
    case 'table':
      return [];
  }
}

function firstOdd(text: string): string {
  const at = text.search(/[^\n -~]/);
  return text.slice(Math.max(0, at - 20), at + 20);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Every field is quoted and closed, and none would be run as a formula. */
function isCsv(line: string): boolean {
  if (!/^"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*$/.test(line)) return false;
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].every(([, field = '']) => !/^[=+\-@]/.test(field));
}

/** Lines of a table with another number of cells than its head. */
function brokenTables(lines: readonly string[]): string[] {
  let cells = 0;
  return lines.flatMap((line) => {
    if (!line.startsWith('|')) {
      cells = 0;
      return [];
    }
    const found = line.split('|').length;
    if (cells === 0) cells = found;
    return found === cells ? [] : [`a cell is torn: ${line}`];
  });
}

/** What a terminal does when somebody looks at the text with cat. */
async function acts(text: string): Promise<string[]> {
  const emulator = new Emulator(200, 50, 7788, () => {});
  emulator.onReply(() => {});
  const before = JSON.stringify(emulator.modes());
  await new Promise<void>((resolve) => emulator.write(Buffer.from(text.replaceAll('\n', '\r\n')), resolve));
  const wrong = emulator.events.map(({ kind, text: said }) => `a ${kind}: ${said}`);
  if (JSON.stringify(emulator.modes()) !== before) wrong.push('a mode was changed');
  const isPlain = emulator
    .grid()
    .styles.flat()
    .every((style) => /^\|*$/.test(style));
  if (!isPlain) wrong.push('a style');
  emulator.dispose();
  return wrong;
}
