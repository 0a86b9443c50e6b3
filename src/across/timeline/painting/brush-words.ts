import type { TimeRange } from '../../../domain/tail/coverage.ts';
import { SERIES } from '../../../domain/timeline/series.ts';
import { isCounted, stepOf } from '../../../domain/timeline/steps.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import { layoutOf } from '../../../state/list/screen-layout.ts';
import type { State } from '../../../state/model.ts';
import { type Timeline, timelineOf } from '../../../state/timeline/timeline.ts';
import { count, counted, dayOf, duration, percent, timeOfDay } from '../../../text/units.ts';
import { spanOf } from '../brush.ts';
import { TIME_MARKS } from './timeline-cells.ts';

/** Parts named with their share. */
const PARTS_TOLD = 2;

/** The most rows that one answer holds. */
const ROWS_OF_AN_ANSWER = 10_000;

/**
 * The line under the title while the timeline has a cursor: what lies there; null = no cursor, or no room for the
 * line.
 */
export function brushLine(state: State, look: Look): string | null {
  const { head, timeline } = layoutOf(state);
  const aside = head - timeline > 1 ? brushAside(state, look) : null;
  return aside && ` ${look.paint(aside.slot, aside.text)}`;
}

/** What lies under the timeline's cursor, or in its selection; null = no cursor. */
export function brushAside(state: State, look: Look): Words | null {
  const { overlay } = state;
  if (overlay?.kind !== 'timeline') return null;
  const timeline = timelineOf(state);
  if (timeline === null) return null;
  const { steps, cover } = timeline;
  const range = spanOf(overlay, timeline);
  const [first, last] = [stepOf(steps, range.from), stepOf(steps, range.to - 1)];
  const known = cover.slice(first, last + 1);
  const times = `${timesText(range, state, steps.step, look)} ${duration(range.to - range.from)}`;
  if (!known.some(isCounted))
    return known.includes('gap')
      ? { slot: 'gap', text: `${times}: missing` }
      : {
          slot: 'warning',
          text: `${times}: not read${markWords(timeline, range)}${priceWords(state, timeline, range)}`,
        };
  const isPart = known.some((each) => each !== 'read' && each !== 'ahead');
  return {
    slot: 'title',
    text: `${times}: ${isPart ? 'at least ' : ''}${countWords(timeline, first, last)}${markWords(timeline, range)}`,
  };
}

/** What the letters under these times mean. */
function markWords({ marks }: Timeline, { from, to }: TimeRange): string {
  const within = marks.filter(({ at }) => at >= from && at < to);
  return [...new Set(within.map(({ kind }) => `; ${TIME_MARKS[kind].words}`))].join('');
}

/** What Enter would cost in a log of the platform, at the rate of the steps that were read; nothing where none was. */
function priceWords(
  { session }: State,
  { series, steps, cover, totals }: Timeline,
  range: TimeRange,
): string {
  const read = totals.filter((_, at) => cover[at] === 'read');
  if (series === 'action' || session?.source.kind !== 'zones' || read.length === 0) return '';
  const rows =
    read.reduce((sum, each) => sum + each, 0) * ((range.to - range.from) / (read.length * steps.step));
  const requests = session.tails.length * Math.max(1, Math.ceil(rows / ROWS_OF_AN_ANSWER));
  return `; Enter asks, about ${counted(requests, 'request')}`;
}

/** Without a date where they are of today, and to the millisecond where the steps are as short. */
function timesText({ from, to }: TimeRange, { now }: State, step: number, { zone, glyph }: Look): string {
  const isDated = [from, to - 1].some((at) => dayOf(at, zone) !== dayOf(now, zone));
  const time = (at: number) => {
    const text = timeOfDay(at, { zone, date: true, millis: step < 1000 });
    return text.slice(isDated ? 'YYYY-'.length : 'YYYY-MM-DD '.length);
  };
  return `${time(from)} ${glyph.dash} ${time(to)}`;
}

/** The total of some steps, and their worst parts. */
function countWords({ series, counts, totals }: Timeline, first: number, last: number): string {
  const total = totals.slice(first, last + 1).reduce((sum, each) => sum + each, 0);
  const parts = SERIES[series]
    .map(({ id }, part) => {
      const own = counts.slice(first, last + 1).reduce((sum, each) => sum + (each[part] as number), 0);
      return { id, own };
    })
    .filter(({ own }) => own > 0)
    .slice(0, PARTS_TOLD)
    .map(({ id, own }) => `${id} ${percent(own / total)}`);
  return [count(total), ...parts].join(', ');
}
