import { timeOfDay } from '../../text/units.ts';
import { linesOf, tableLine } from './line-formats.ts';

/**
 * What an entry says of itself before its evidence: texts are Markdown already. Times are Unix ms; a stamp is a time as
 * `2026-11-20 12:00:00Z`.
 */
export type EntryHead = {
  /** When it was noted, `HH:MM:SS` UTC. */
  noted: string;
  title: string;
  from: number;
  /** Null: a moment. */
  to: number | null;
  /** Empty: none. */
  note: string;
  /** The stamp of the strike; null = it is not struck. */
  struck: string | null;
  /** The notes before this one, the newest first. */
  edits: readonly { note: string; at: string }[];
};

/** An entry of this program: its head, and the evidence as it was written. */
type NotebookEntry = { head: EntryHead; rest: string };

/** What a user does to an entry that is written; `note` is Markdown. */
export type EntryChange = { kind: 'strike' } | { kind: 'note'; note: string };

/** Said where a change is asked for of what another program or an editor wrote. */
export const NO_ENTRY = 'this is no entry of edgescope: an editor changes it';

/**
 * A part of a notebook, from one heading to the next: an entry, or what somebody else wrote. `raw`: its bytes, one
 * character each, by which it is found again at its `index`.
 */
export type NotebookBlock = { raw: string; text: string; index: number; entry: NotebookEntry | null };

/** The notebook of a day, `blocks` null where there is none, and the nearest days that have one. */
export type Notebook = {
  blocks: readonly NotebookBlock[] | null;
  before: string | null;
  after: string | null;
};

/** The lines around the timeline: what stands between them is made anew with every change. */
const MARKS = { start: '<!-- timeline -->', end: '<!-- /timeline -->' } as const;

const STAMP = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`;
const OPENING = new RegExp(
  String.raw`^## (?:~~)?(\d\d:\d\d:\d\d)Z ([^\n]+?)(?:~~ struck (${STAMP}))?\n\n(?:~~)?About (\d{4}-[^\s~]+Z)(?: to (\d{4}-[^\s~]+Z))?\.(?:~~)?\n\n`,
);
/** A paragraph of prose: evidence begins as a table, as code or in bold. */
const PROSE = /((?:(?![|`*\n])[^\n]+\n)+)\n/y;
const EDITED = new RegExp(`^~~([\\s\\S]+)~~ edited (${STAMP})\n$`);

/** The line of an entry by which the timeline finds its time. */
export function aboutLine({ from, to }: { from: number; to: number | null }): string {
  const until = to === null ? '' : ` to ${new Date(to).toISOString()}`;
  return `About ${new Date(from).toISOString()}${until}.`;
}

/** The paragraphs of a head, each with the empty line behind it. A struck one is legible still. */
export function headLines(head: EntryHead): string[] {
  const struck = (text: string) => (head.struck === null ? text : `~~${text}~~`);
  const strike = head.struck === null ? '' : ` struck ${head.struck}`;
  return [
    `## ${struck(`${head.noted}Z ${head.title}`)}${strike}`,
    struck(aboutLine(head)),
    ...(head.note === '' ? [] : [struck(head.note)]),
    ...head.edits.map(({ note, at }) => `~~${note}~~ edited ${at}`),
  ].flatMap((line) => [line, '']);
}

/** The entry that a block is; null where its head is not to the letter what `headLines` makes. */
export function readEntry(block: string): NotebookEntry | null {
  const [opening, noted = '', title = '', struck = null, from = '', to] = OPENING.exec(block) ?? [];
  if (opening === undefined) return null;
  const times = { from: Date.parse(from), to: to === undefined ? null : Date.parse(to) };
  if (Number.isNaN(times.from) || Number.isNaN(times.to)) return null;
  let note = '';
  const edits: { note: string; at: string }[] = [];
  let end = opening.length;
  for (;;) {
    PROSE.lastIndex = end;
    const [whole = '', paragraph = ''] = PROSE.exec(block) ?? [];
    const [, before, at] = EDITED.exec(paragraph) ?? [];
    if (before !== undefined && at !== undefined) edits.push({ note: before, at });
    else if (paragraph === '' || end > opening.length) break;
    else note = struck === null ? paragraph.slice(0, -1) : paragraph.slice(2, -3);
    end += whole.length;
  }
  const head = { noted, title, ...times, note, struck, edits };
  return linesOf(headLines(head)) === block.slice(0, end) ? { head, rest: block.slice(end) } : null;
}

/** The blocks of a notebook that are read, its timeline and its first lines left out. */
export function blocksOf(notebook: string, day: string): NotebookBlock[] {
  const { blocks, after } = partsOf(notebook);
  return [...blocks, after]
    .map((raw, index) => {
      const text = Buffer.from(raw, 'latin1').toString('utf8');
      return { raw, text, index, entry: readEntry(text) };
    })
    .filter(({ raw, text }) => raw !== headerOf(day) && text.trim() !== '');
}

/** A notebook with one more entry. The first one makes the header; what stands behind the timeline comes before it. */
export function withEntry(notebook: string, entry: string, day: string): string {
  const { blocks, after } = partsOf(notebook);
  const kept = notebook === '' ? headerOf(day) : blocks.join('');
  const body = `${kept}${after.replace(/^\n/, '')}${entry}`;
  return body + timelineOf(body);
}

/**
 * A notebook after a change of one block, which must stand in it as it was read; all else but the timeline is as it was. A
 * string says why nothing is changed. `at`: Unix ms.
 */
export function withChange(
  notebook: string,
  { raw, index }: Pick<NotebookBlock, 'raw' | 'index'>,
  change: EntryChange,
  at: number,
): { notebook: string } | string {
  const { blocks, timeline, after } = partsOf(notebook);
  const place = blocks[index] === raw ? index : blocks.indexOf(raw);
  if (place < 0) return 'it was changed since it was read';
  const changed = changedBlock(raw, change, `${stamp(at)}Z`);
  if (typeof changed === 'string') return changed;
  const body = blocks.with(place, changed.block).join('');
  return { notebook: body + (timeline === '' ? '' : timelineOf(body)) + after };
}

function changedBlock(block: string, change: EntryChange, at: string): { block: string } | string {
  const entry = readEntry(block);
  if (entry === null) return NO_ENTRY;
  const { head, rest } = entry;
  const made = (next: Partial<EntryHead>) => ({ block: linesOf(headLines({ ...head, ...next })) + rest });
  if (change.kind === 'strike') return made({ struck: head.struck === null ? at : null });
  const old = head.note === '' ? [] : [{ note: head.note, at }];
  return made({ note: change.note, edits: [...old, ...head.edits] });
}

function partsOf(notebook: string): { blocks: string[]; timeline: string; after: string } {
  const start = notebook.lastIndexOf(`\n${MARKS.start}\n`) + 1;
  const end = `\n${MARKS.end}\n`;
  const at = start === 0 ? -1 : notebook.indexOf(end, start);
  const [from, to] = at < 0 ? [notebook.length, notebook.length] : [start, at + end.length];
  const blocks = notebook.slice(0, from).split(/(?<=\n)(?=## )/);
  return { blocks, timeline: notebook.slice(from, to), after: notebook.slice(to) };
}

/** The entries by the time that they are about, the oldest first, as the end of a notebook. Empty where there is none. */
function timelineOf(body: string): string {
  const heads = partsOf(body).blocks.flatMap((block) => readEntry(block)?.head ?? []);
  if (heads.length === 0) return '';
  const rows = heads
    .sort((a, b) => a.from - b.from || (a.to ?? a.from) - (b.to ?? b.from))
    .map(({ from, to, noted, title, note, struck }) => {
      const span = to === null ? stamp(from) : `${stamp(from)} to ${stamp(to)}`;
      const cell = (text: string) => (text === '' ? '-' : struck === null ? text : `~~${text}~~`);
      const strike = struck === null ? '' : ` struck ${struck}`;
      return tableLine([
        cell(span),
        cell(title),
        cell(note.replaceAll('\n', ' ')),
        cell(`${noted}Z`) + strike,
      ]);
    });
  return linesOf([
    MARKS.start,
    '',
    '## Timeline (UTC)',
    '',
    tableLine(['time', 'finding', 'note', 'noted']),
    tableLine(['---', '---', '---', '---']),
    ...rows,
    '',
    MARKS.end,
  ]);
}

function headerOf(day: string): string {
  return `# Incident notebook, ${day} (UTC)\n\nFindings with the commands that reproduce them, and at the end their timeline.\n\n`;
}

function stamp(time: number): string {
  return timeOfDay(time, { zone: 'utc', date: true });
}
