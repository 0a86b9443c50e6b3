import { timeOfDay } from '../../text/units.ts';
import { linesOf, sentences, tableLine } from './line-formats.ts';

/** The head of an entry; texts are Markdown already. Times are Unix ms. */
type EntryHead = {
  /** When it was noted, `HH:MM:SS` UTC. */
  noted: string;
  title: string;
  from: number;
  /** Null: a moment. */
  to: number | null;
  /** Empty: none. It is the heading, since a reader wants to know it first. */
  note: string;
  /** What is shown of what there is, and how complete it is: clauses without a full stop. */
  said: readonly string[];
};

/** What is added to a notebook: the lines of an entry, and its row of the timeline. */
export type NotebookEntry = { lines: readonly string[]; row: string };

/** The lines that mark the timeline. */
const MARKS = { start: '<!-- timeline -->', end: '<!-- /timeline -->' } as const;

const NO_TIMELINE = [
  MARKS.start,
  '',
  '## Timeline (UTC)',
  '',
  tableLine(['time', 'finding', 'note', 'noted']),
  tableLine(['---', '---', '---', '---']),
  '',
  MARKS.end,
].join('\n');

/** An entry with these lines of Markdown as its evidence. */
export function notebookEntry(head: EntryHead, evidence: readonly string[]): NotebookEntry {
  const { noted, title, from, to, note, said } = head;
  const span = to === null ? stamp(from) : `${stamp(from)} to ${stamp(to)}`;
  return {
    lines: [
      `## ${noted}Z ${note || title}`,
      '',
      sentences([`${title}, ${span} UTC`, ...said]),
      '',
      ...evidence,
    ],
    row: tableLine([span, title, note || '-', `${noted}Z`]),
  };
}

/**
 * A notebook with one more entry; the first one makes the header. The timeline, with one more row, ends it: what
 * somebody wrote behind it goes before the entry. Nothing else changes: the file is its user's to edit.
 */
export function withEntry(notebook: Buffer, { lines, row }: NotebookEntry, day: string): Buffer {
  // Bytes, a character each: the file need not be UTF-8.
  const { body, timeline } = partsOf(notebook.toString('latin1'));
  const before = body === '' ? headerOf(day) : body.replace(/[^\n]$/, '$&\n\n');
  const inBytes = (text: string) => Buffer.from(text).toString('latin1');
  return Buffer.from(`${before}${inBytes(linesOf(lines))}${withRow(timeline, inBytes(row))}\n`, 'latin1');
}

/** The last timeline of a notebook, as far as it still is a table, and all that stands around it. */
function partsOf(notebook: string): { body: string; timeline: string } {
  const start = notebook.lastIndexOf(`\n${MARKS.start}\n`) + 1;
  const end = notebook.indexOf(`\n${MARKS.end}`, start) + 1 + MARKS.end.length;
  const timeline = start > 0 && end > start ? notebook.slice(start, end) : '';
  if (!timeline.includes('\n|')) return { body: notebook, timeline: NO_TIMELINE };
  return { body: notebook.slice(0, start) + notebook.slice(end).replace(/^\n{1,2}/, ''), timeline };
}

/** Behind the rows of earlier times; rows moved or struck in an editor stay as they are. */
function withRow(timeline: string, row: string): string {
  const lines = timeline.split('\n');
  const later = lines.findIndex((line) => timeIn(line) > timeIn(row));
  const last = lines.findLastIndex((line) => line.startsWith('|'));
  return lines.toSpliced(later < 0 ? last + 1 : later, 0, row).join('\n');
}

/** The time in a row's first cell, in sortable form; empty where it has none. */
function timeIn(line: string): string {
  return /^\|[^|\d]*([^|~]*)/.exec(line)?.[1] ?? '';
}

function headerOf(day: string): string {
  return `# Incident notebook, ${day} (UTC)\n\nFindings with the commands that reproduce them, and at the end their timeline.\n\n`;
}

function stamp(time: number): string {
  return timeOfDay(time, { zone: 'utc', date: true });
}
