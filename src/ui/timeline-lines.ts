import type { TimeRange } from '../domain/tail/coverage.ts';
import { levelOf } from '../domain/timeline/scale.ts';
import { type Part, SERIES, type SeriesId } from '../domain/timeline/series.ts';
import { type Column, EMPTY_COLUMN, stacked } from '../domain/timeline/stack.ts';
import { stepOf } from '../domain/timeline/steps.ts';
import { layoutOf } from '../state/list/layout.ts';
import type { State } from '../state/model.ts';
import { selectionOf } from '../state/timeline/brush.ts';
import { type Timeline, timelineOf } from '../state/timeline/timeline.ts';
import { GUTTER, timelineCells } from '../state/timeline/timeline-size.ts';
import { fit, width } from '../text/fit.ts';
import { clockShift, dayClock, duration, shortCount, timeOfDay } from '../text/units.ts';
import { padLines, stripped } from './row.ts';
import type { Look, ThemeSlot } from './theme.ts';

/** The colour of each part, in the order of its series: the same as in the rows below. */
const SLOTS = {
  status: ['error', 'warning', 'redirect', 'success', 'unknown'],
  cache: ['stale', 'miss', 'bypass', 'revalidated', 'dim', 'hit'],
  action: ['error', 'warning', 'accent', 'unknown'],
} as const satisfies Record<SeriesId, readonly ThemeSlot[]>;

/** Blank cells between two times, at least. */
const BETWEEN_TIMES = 4;

/** From this height on there is a line above that says what is drawn. */
const WITH_LEGEND = 4;

/** Cells of the line that shows where the times lie in what is kept. */
const PLACE_CELLS = 24;

/** Peaks that are told by their numbers. */
const PEAKS_TOLD = 4;

/** A cell of the screen: one sign and how it is painted. */
type Cell = { sign: string; slot: ThemeSlot };

const BLANK: Cell = { sign: ' ', slot: 'text' };

/** The traffic over time: what it is divided by, columns for the steps, and the times under them. */
export function timelineLines(state: State, look: Look): string[] {
  const { columns, timeline: height } = layoutOf(state);
  if (height === 0) return [];
  const timeline = timelineOf(state);
  if (timeline === null) return padLines([], columns, height);
  const legend = height >= WITH_LEGEND ? [legendLine(timeline, state, look)] : [];
  const drawn = new Drawing(timeline, {
    cells: timelineCells(state),
    height: height - 1 - legend.length,
    look,
  });
  const plot = drawn
    .rows()
    .map((cells, row) => gutter(row === 0 ? scaleWords(timeline) : '', look) + paintedCells(cells, look));
  const under = drawn.under(selectionOf(state, timeline));
  const axis = gutter(legend.length === 0 ? nameWords(timeline, look) : '', look) + paintedCells(under, look);
  return padLines(
    [...legend, ...plot, axis].map((line) => filled(line, columns)),
    columns,
    height,
  );
}

/** A timeline on cells: each step as many cells wide as all of them leave room for. */
class Drawing {
  readonly #timeline: Timeline;
  readonly #look: Look;
  readonly #cells: number;
  readonly #height: number;
  /** Cells of a step. */
  readonly #wide: number;
  readonly #columns: readonly Column[];
  readonly #parts: readonly Part[];
  readonly #slots: readonly ThemeSlot[];

  constructor(timeline: Timeline, o: { cells: number; height: number; look: Look }) {
    const { counts, totals, scale, steps, series } = timeline;
    this.#timeline = timeline;
    this.#look = o.look;
    this.#cells = o.cells;
    this.#height = o.height;
    this.#wide = Math.max(1, Math.floor(o.cells / steps.count));
    this.#parts = SERIES[series];
    this.#slots = SLOTS[series];
    this.#columns = counts.map((parts, at) => {
      const total = totals[at] as number;
      return total === 0 ? EMPTY_COLUMN : stacked(parts, levelOf(total, scale), o.height);
    });
  }

  /** The columns, the highest cells first. */
  rows(): Cell[][] {
    const rows = Array.from({ length: this.#height }, (_, row) =>
      this.#spread((at) => this.#cellAt(at, this.#height - 1 - row)),
    );
    const [top] = rows;
    if (top) this.#tellPeaks(top);
    return rows;
  }

  /** What stands under the columns: times, marks, and what is selected. */
  under({ chosen, cursor }: { chosen: TimeRange | null; cursor: number | null }): Cell[] {
    const cells = this.#spread((at) => this.#markAt(at));
    this.#tellTimes(cells);
    const { watermark, window, steps } = this.#timeline;
    if (watermark !== null) this.#put(cells, watermark, { sign: this.#look.glyph.final, slot: 'live' });
    for (const range of [window, chosen]) {
      if (range === null) continue;
      const [from, to] = [this.#cellOf(range.from), this.#cellOf(range.to - 1) + this.#wide];
      for (let at = Math.max(0, from); at < Math.min(to, cells.length); at++)
        cells[at] = { sign: (cells[at] as Cell).sign, slot: 'cursor' };
    }
    if (cursor !== null) {
      const at = stepOf(steps, cursor) * this.#wide;
      cells[at] = { sign: this.#look.glyph.cursor, slot: 'accent' };
    }
    return cells;
  }

  #spread(cellOf: (at: number) => Cell): Cell[] {
    return this.#timeline.steps.count === 0
      ? []
      : Array.from({ length: this.#timeline.steps.count }, (_, at) => cellOf(at)).flatMap((cell) =>
          Array.from({ length: this.#wide }, () => cell),
        );
  }

  /** `level`: from the bottom, 0 is the lowest. */
  #cellAt(at: number, level: number): Cell {
    const { glyph, hasLetters } = this.#look;
    const cover = this.#timeline.cover[at];
    if (cover === 'unread') return { sign: glyph.hatch, slot: 'dim' };
    if (cover === 'gap') return { sign: glyph.hole, slot: 'gap' };
    const { parts, eighths } = this.#columns[at] as Column;
    const part = parts[level];
    if (part === undefined) return BLANK;
    const slot = cover === 'part' ? 'dim' : (this.#slots[part] as ThemeSlot);
    const isUsual = part === this.#parts.length - 1 || this.#parts[part]?.id === '2xx';
    if (hasLetters && !isUsual && this.#height > 1) return { sign: (this.#parts[part] as Part).letter, slot };
    const isTop = level === parts.length - 1;
    const sign = isTop ? spark(eighths, glyph.spark) : glyph.bar;
    return { sign, slot };
  }

  /** The worst part where its column shows no cell of it. */
  #markAt(at: number): Cell {
    const worst = this.#timeline.counts[at]?.[0] ?? 0;
    const isSeen = this.#columns[at]?.parts.includes(0) && (this.#height > 1 || !this.#look.hasLetters);
    if (worst === 0 || isSeen) return BLANK;
    const { letter } = this.#parts[0] as Part;
    return {
      sign: this.#look.hasLetters ? letter : this.#look.glyph.under,
      slot: this.#slots[0] as ThemeSlot,
    };
  }

  /** Where a column is cut its number stands beside it, as far as there is room. */
  #tellPeaks(cells: Cell[]): void {
    const { totals, scale } = this.#timeline;
    if (scale.isLog) return;
    const peaks = totals
      .map((total, at) => ({ total, at }))
      .filter(({ total }) => total > scale.top)
      .sort((a, b) => b.total - a.total)
      .slice(0, PEAKS_TOLD);
    for (const { total, at } of peaks) {
      const first = at * this.#wide;
      const words = `${this.#look.glyph.beyond}${shortCount(total)}`;
      const isFree = [...words].every(
        (_, i) => i === 0 || cells[first + i]?.sign === ' ' || this.#height === 1,
      );
      const text = isFree && first + words.length <= this.#cells ? words : this.#look.glyph.beyond;
      for (const [i, sign] of [...text].entries()) cells[first + i] = { sign, slot: 'title' };
    }
  }

  /** Times of the clock under the steps where they begin. A letter keeps the colour of the mark that it covers. */
  #tellTimes(cells: Cell[]): void {
    const { steps } = this.#timeline;
    const every = labelStep(steps.step / this.#wide, this.#look);
    const last = steps.from + steps.count * steps.step;
    const shift = clockShift(steps.from, this.#look.zone);
    for (let time = Math.ceil((steps.from + shift) / every) * every - shift; time < last; time += every) {
      const words = timeLabel(time, every, this.#look);
      const first = this.#cellOf(time);
      if (first + words.length > Math.min(cells.length, this.#cells)) break;
      for (const [i, sign] of [...words].entries()) {
        const { sign: under, slot } = cells[first + i] as Cell;
        cells[first + i] = { sign, slot: under === ' ' ? 'dim' : slot };
      }
    }
  }

  #cellOf(time: number): number {
    const { from, step } = this.#timeline.steps;
    return Math.floor((time - from) / step) * this.#wide;
  }

  #put(cells: Cell[], time: number, cell: Cell): void {
    const at = this.#cellOf(time);
    if (at >= 0 && at < cells.length) cells[at] = cell;
  }
}

/** How long a step is, and what it is divided by: each part with its colour, and its letter where it is drawn by that. */
function legendLine(timeline: Timeline, state: State, look: Look): string {
  const { series, scale } = timeline;
  const parts = SERIES[series].map(({ id, letter }, part) => {
    const sign = look.hasLetters ? letter : look.glyph.bar;
    return look.paint(SLOTS[series][part] as ThemeSlot, id === letter ? id : `${sign} ${id}`);
  });
  const words = ` ${series === 'action' ? 'events' : 'requests'} by ${series}  `;
  const end = [scale.isLog ? 'log scale' : '', placeWords(timeline, look)]
    .filter((each) => each !== '')
    .join('  ');
  const line = look.paint('dim', words) + parts.join('  ');
  const room = state.size.columns - width(stripped(line)) - 1;
  return end.length + 2 > room ? line : `${line}${look.paint('dim', fit(end, room, 'right'))}`;
}

/** Where the times that are drawn lie in all that is kept: a mark on a line as long as that. */
function placeWords({ kept, steps }: Timeline, look: Look): string {
  return `of ${duration(kept.to - kept.from)} ${placeMarks(kept, steps, PLACE_CELLS, look)}`;
}

function placeMarks(
  kept: TimeRange,
  { from, step, count }: Timeline['steps'],
  cells: number,
  look: Look,
): string {
  const cellOf = (time: number) => Math.floor(((time - kept.from) / (kept.to - kept.from)) * cells);
  const first = Math.max(0, Math.min(cells - 1, cellOf(from)));
  const last = Math.max(first, Math.min(cells - 1, cellOf(from + count * step - 1)));
  return Array.from({ length: cells }, (_, at) =>
    at >= first && at <= last ? look.glyph.bar : look.glyph.dash,
  ).join('');
}

function gutter(words: string, look: Look): string {
  return look.paint('dim', `${fit(words, GUTTER - 1, 'right')} `);
}

/** What it is divided by; of a part of what is kept where that lies. */
function nameWords({ series, steps, kept }: Timeline, look: Look): string {
  const isPart = steps.from + steps.count * steps.step < kept.to - steps.step;
  return isPart ? placeMarks(kept, steps, GUTTER - 1, look) : series;
}

/** The number at the top, and of how much time it is. */
function scaleWords({ scale, steps }: Timeline): string {
  return `${shortCount(scale.top)}/${duration(steps.step)}`;
}

/** Cells with their colours: neighbours that are painted alike are painted at once. */
function paintedCells(cells: readonly Cell[], look: Look): string {
  let [line, signs, slot]: [string, string, ThemeSlot] = ['', '', 'text'];
  for (const cell of cells) {
    if (cell.slot !== slot) {
      line += look.paint(slot, signs);
      [signs, slot] = ['', cell.slot];
    }
    signs += cell.sign;
  }
  return line + look.paint(slot, signs);
}

function filled(line: string, columns: number): string {
  return line + ' '.repeat(Math.max(0, columns - width(stripped(line))));
}

/** A level of so many eighths, in as many signs as there are for levels. */
function spark(eighths: number, signs: string): string {
  return signs[Math.min(signs.length, Math.ceil((eighths / 8) * signs.length)) - 1] ?? '';
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Lengths of time between two labels, ms. */
const LABEL_STEPS = [
  ...[1, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28].map((n) => n * DAY),
];

/** How far apart labels are, at so many ms a cell: by a length that people count in, with blank between them. */
function labelStep(perCell: number, look: Look): number {
  const fits = (every: number) => every / perCell >= timeLabel(0, every, look).length + BETWEEN_TIMES;
  return LABEL_STEPS.find(fits) ?? 365 * DAY;
}

/** A time as exact as times so far apart need it; days by their date. */
function timeLabel(time: number, every: number, look: Look): string {
  if (every >= DAY) return dayClock(time, look.zone).slice(0, 5);
  return timeOfDay(time, look).slice(0, every < MINUTE ? 8 : 5);
}
