import { clock } from '../../text/units.ts';
import { tableLine } from './markdown.ts';

/** A finding as the timeline lists it: texts are Markdown already. Times are Unix ms. */
export type TimelineEntry = {
  from: number;
  /** Null: a moment. */
  to: number | null;
  /** When it was noted, `HH:MM:SS` UTC. */
  noted: string;
  title: string;
  note: string;
};

/** The lines around the timeline: what stands between them is made anew with every finding. */
export const TIMELINE_MARKS = { start: '<!-- timeline -->', end: '<!-- /timeline -->' } as const;

const ENTRY =
  /^## (\d\d:\d\d:\d\d)Z (.+)\n\nAbout (\d{4}-\S+Z)(?: to (\d{4}-\S+Z))?\.\n\n(?:(?![|`*])(.+)\n)?/gm;

/** The line of an entry by which the timeline finds its time. */
export function aboutLine({ from, to }: { from: number; to: number | null }): string {
  const until = to === null ? '' : ` to ${new Date(to).toISOString()}`;
  return `About ${new Date(from).toISOString()}${until}.`;
}

/** The findings of a notebook, as far as they tell their time, in the order of what they are about. */
export function entriesOf(text: string): TimelineEntry[] {
  const entries = [...text.matchAll(ENTRY)].flatMap(
    ([, noted = '', title = '', from = '', to, note = '']) => {
      const times = [Date.parse(from), to === undefined ? null : Date.parse(to)] as const;
      return times.some(Number.isNaN) ? [] : [{ from: times[0], to: times[1], noted, title, note }];
    },
  );
  return entries.sort((a, b) => a.from - b.from || (a.to ?? a.from) - (b.to ?? b.from));
}

/** The end of a notebook: its findings by time, oldest first. Empty where none tells its time. */
export function timelineLines(entries: readonly TimelineEntry[]): string[] {
  if (entries.length === 0) return [];
  const rows = entries.map(({ from, to, noted, title, note }) => {
    const span = to === null ? stamp(from) : `${stamp(from)} to ${stamp(to)}`;
    return tableLine([span, title, note || '-', `${noted}Z`]);
  });
  return [
    TIMELINE_MARKS.start,
    '',
    '## Timeline (UTC)',
    '',
    tableLine(['time', 'finding', 'note', 'noted']),
    tableLine(['---', '---', '---', '---']),
    ...rows,
    '',
    TIMELINE_MARKS.end,
  ];
}

function stamp(time: number): string {
  return clock(time, { zone: 'utc', date: true });
}
