import type { TimeRange } from '../../../domain/tail/coverage.ts';
import { levelOf } from '../../../domain/timeline/scale.ts';
import { SERIES, type SeriesId, type SeriesPart } from '../../../domain/timeline/series.ts';
import { type Column, EMPTY_COLUMN, stacked } from '../../../domain/timeline/stack.ts';
import { stepOf } from '../../../domain/timeline/steps.ts';
import type { Look, ThemeSlot } from '../../../paint/theme.ts';
import type { Timeline, TimeMark } from '../../../state/timeline/timeline.ts';
import {
  clockShift,
  DAY,
  dayClock,
  dayOf,
  HOUR,
  MINUTE,
  SECOND,
  shortCount,
  timeOfDay,
} from '../../../text/units.ts';

/** Blank cells between two times, at least. */
const BETWEEN_TIMES = 4;

const YEAR = 365 * DAY;

/** Lengths of time between two labels, ms. */
const LABEL_STEPS = [
  ...[1, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 56, 112].map((n) => n * DAY),
];

/** The time between labels, at so many ms a cell: a length that people count in, with blanks between. */
function labelStep(perCell: number): number {
  const fits = (every: number) => every / perCell >= labelCells(every) + BETWEEN_TIMES;
  return LABEL_STEPS.find(fits) ?? Math.ceil((perCell * (10 + BETWEEN_TIMES)) / YEAR) * YEAR;
}

/** A time as exact as the distance of labels needs: days by date, and with the year where they are years apart. */
export function timeLabel(time: number, every: number, look: Look): string {
  if (every >= YEAR) return dayOf(time, look.zone);
  return (every >= DAY ? dayClock(time, look.zone) : timeOfDay(time, look)).slice(0, labelCells(every));
}

/** Of a date with its year, of a time to the second, of a time or a day. */
function labelCells(every: number): number {
  if (every >= YEAR) return 10;
  return every < MINUTE ? 8 : 5;
}

/**
 * The round times of the clock in a range. Each has its own offset from UTC: a day begins at midnight on both sides
 * of a clock change.
 */
export function* timesToTell({ from, to }: TimeRange, every: number, { zone }: Look): Generator<number> {
  const first = Math.ceil((from + clockShift(from, zone)) / every);
  for (let at = first, time = from; time < to; at++) {
    const local = at * every;
    const near = local - clockShift(local, zone);
    time = local - clockShift(near, zone);
    if (time >= from && time < to) yield time;
  }
}

/** The colours of the parts, in the order of their series: the same as in the rows below. */
export const PART_SLOTS = {
  status: ['error', 'warning', 'redirect', 'success', 'unknown'],
  cache: ['stale', 'miss', 'bypass', 'revalidated', 'dim', 'hit'],
  action: ['error', 'warning', 'accent', 'unknown'],
} as const satisfies Record<SeriesId, readonly ThemeSlot[]>;

/** Marks under the times, each by the letter of the key that says more. */
export const TIME_MARKS = {
  change: { sign: 'C', slot: 'accent', word: 'change', words: 'changed' },
  origin: { sign: 'W', slot: 'error', word: 'origin', words: 'origin fails' },
} as const satisfies Record<TimeMark['kind'], { sign: string; slot: ThemeSlot; word: string; words: string }>;

/** A cell of the screen: one sign and how it is painted. */
export type PaintedCell = { sign: string; slot: ThemeSlot };

/** Cells of a run that stay on either side of its name. */
const BESIDE_NAME = 2;

const BLANK: PaintedCell = { sign: ' ', slot: 'text' };

/** A timeline in cells: each step as many cells wide as the screen has for all of them. */
export class TimelineCells {
  readonly #timeline: Timeline;
  readonly #look: Look;
  readonly #cells: number;
  readonly #height: number;
  /** Cells of a step. */
  readonly #wide: number;
  readonly #parts: readonly SeriesPart[];
  readonly #slots: readonly ThemeSlot[];
  readonly #columns: Column[] = [];
  /** The columns as rows of cells, the highest first, and under them the marks of the worst part. */
  readonly #plot: PaintedCell[][];

  /** `before`: of the same rows as they were; a column that shows the same again is taken from it. */
  constructor(
    timeline: Timeline,
    o: { cells: number; height: number; look: Look },
    before: TimelineCells | null = null,
  ) {
    const { steps, series } = timeline;
    this.#timeline = timeline;
    this.#look = o.look;
    this.#cells = o.cells;
    this.#height = o.height;
    this.#wide = Math.max(1, Math.floor(o.cells / steps.count));
    this.#parts = SERIES[series];
    this.#slots = PART_SLOTS[series];
    const same = this.#looksLike(before) ? before : null;
    const width = steps.count * this.#wide;
    this.#plot = Array.from({ length: o.height + 1 }, (_, row) =>
      same === null ? [] : (same.#plot[row] as PaintedCell[]).slice(0, width),
    );
    for (let at = 0; at < steps.count; at++) this.#draw(at, same);
  }

  /** Whether a column of the same counts looks the same in both. */
  #looksLike(other: TimelineCells | null): other is TimelineCells {
    return (
      other !== null &&
      this.#look === other.#look &&
      this.#height === other.#height &&
      this.#wide === other.#wide &&
      this.#parts === other.#parts &&
      this.#timeline.top === other.#timeline.top
    );
  }

  #draw(at: number, same: TimelineCells | null): void {
    const { counts, totals, cover, top } = this.#timeline;
    const parts = counts[at] as readonly number[];
    if (same !== null && parts === same.#timeline.counts[at] && cover[at] === same.#timeline.cover[at]) {
      this.#columns.push(same.#columns[at] as Column);
      return;
    }
    const total = totals[at] as number;
    this.#columns.push(total === 0 ? EMPTY_COLUMN : stacked(parts, levelOf(total, top), this.#height));
    for (const [row, cells] of this.#plot.entries()) {
      const cell = row < this.#height ? this.#cellAt(at, this.#height - 1 - row) : this.#markAt(at);
      for (let x = at * this.#wide; x < (at + 1) * this.#wide; x++) cells[x] = cell;
    }
  }

  /** The columns, the highest cells first; unread steps are named over the cells that stand for them. */
  rows(): PaintedCell[][] {
    const rows = this.#plot.slice(0, this.#height).map((cells) => cells.slice());
    for (const { at, words } of this.#peaks()) {
      const top = rows[0] as PaintedCell[];
      const first = at * this.#wide;
      top[first] = { sign: this.#look.glyph.beyond, slot: 'title' };
      // Beside it, where that covers nothing.
      if (this.#height > 1) this.#write(top, [first + 1, first - words.length], words, 'title');
    }
    this.#nameUnread(rows.at(-1) as PaintedCell[]);
    return rows;
  }

  /**
   * The line under the columns: marks, the numbers of peaks that have no room beside them, times, and the selection.
   */
  under({ chosen, cursor }: { chosen: TimeRange | null; cursor: number | null }): PaintedCell[] {
    const cells = (this.#plot[this.#height] as PaintedCell[]).slice();
    if (this.#height === 1) {
      for (const { at, words } of this.#peaks()) {
        const [text, first] = [`${this.#look.glyph.beyond}${words}`, at * this.#wide];
        this.#write(cells, [first, first + 1, first - text.length], text, 'title');
      }
    }
    for (const { at, kind } of this.#timeline.marks) {
      const { sign, slot } = TIME_MARKS[kind];
      this.#mark(cells, this.#cellOf(at), sign, slot, slot);
    }
    this.#tellTimes(cells);
    const { watermark, steps } = this.#timeline;
    if (watermark !== null)
      this.#mark(cells, this.#cellOf(watermark), this.#look.glyph.final, 'live', 'live');
    if (chosen !== null) {
      const [from, to] = [this.#cellOf(chosen.from), this.#cellOf(chosen.to - 1) + this.#wide];
      for (let at = Math.max(0, from); at < Math.min(to, cells.length); at++)
        cells[at] = { sign: (cells[at] as PaintedCell).sign, slot: 'cursor' };
    }
    if (cursor !== null) {
      const at = stepOf(steps, cursor) * this.#wide;
      this.#mark(cells, at, this.#look.glyph.cursor, 'accent', chosen === null ? 'cursor' : 'accent');
    }
    return cells;
  }

  /** `level`: from the bottom, 0 is the lowest. */
  #cellAt(at: number, level: number): PaintedCell {
    const { glyph, hasLetters } = this.#look;
    const cover = this.#timeline.cover[at];
    if (cover === 'gap') return { sign: glyph.gap, slot: 'gap' };
    const { parts, eighths } = this.#columns[at] as Column;
    const part = parts[level];
    // Blank means read and without rows; a step read in part may have more rows than came.
    if (part === undefined)
      return cover === 'unread' || cover === 'part' ? { sign: glyph.hatch, slot: 'dim' } : BLANK;
    const slot = cover === 'read' ? (this.#slots[part] as ThemeSlot) : 'dim';
    const isUsual = part === this.#parts.length - 1 || this.#parts[part]?.id === '2xx';
    if (hasLetters && !isUsual && this.#height > 1)
      return { sign: (this.#parts[part] as SeriesPart).letter, slot };
    const isTop = level === parts.length - 1;
    const sign = isTop ? spark(eighths, glyph.spark) : glyph.bar;
    return { sign, slot };
  }

  /** Whether a column shows the worst part in its colour. */
  get hasWorst(): boolean {
    return !this.#look.hasLetters && this.#columns.some(({ parts }) => parts.includes(0));
  }

  /** The worst part, where its column has no cell for it. */
  #markAt(at: number): PaintedCell {
    const worst = this.#timeline.counts[at]?.[0] ?? 0;
    // A single line without colours does not show parts.
    const isTold = this.#height > 1 || !this.#look.hasLetters;
    if (worst === 0 || (isTold && this.#columns[at]?.parts.includes(0))) return BLANK;
    return { sign: this.#look.glyph.under, slot: this.#slots[0] as ThemeSlot };
  }

  /** The columns cut at the top, with their numbers, the highest first. */
  #peaks(): { at: number; words: string }[] {
    const { totals, top } = this.#timeline;
    return [...totals.keys()]
      .filter((at) => (totals[at] as number) > top)
      .sort((a, b) => (totals[b] as number) - (totals[a] as number))
      .map((at) => ({ at, words: shortCount(totals[at] as number) }));
  }

  /** Writes at the first of these places where all cells are blank. */
  #write(cells: PaintedCell[], places: readonly number[], words: string, slot: ThemeSlot): void {
    const isFree = (first: number) =>
      first >= 0 &&
      first + words.length <= this.#cells &&
      [...words].every((_, i) => (cells[first + i] ?? BLANK).sign === ' ');
    const first = places.find(isFree);
    if (first === undefined) return;
    while (cells.length < first + words.length) cells.push(BLANK);
    for (const [i, sign] of [...words].entries()) cells[first + i] = { sign, slot };
  }

  /**
   * Times of the clock under the steps where they begin. A letter keeps the colour of the mark it covers, and covers
   * no number.
   */
  #tellTimes(cells: PaintedCell[]): void {
    const { steps } = this.#timeline;
    const every = labelStep(steps.step / this.#wide);
    const to = steps.from + steps.count * steps.step;
    const times = [...timesToTell({ from: steps.from, to }, every, this.#look)];
    const tellAll = (mayCover: boolean) =>
      times.filter((time) => this.#tell(cells, time, timeLabel(time, every, this.#look), mayCover)).length >
      0;
    // Times say more than marks do. Below a second there is no round time.
    if (!tellAll(false) && !tellAll(true))
      this.#tell(cells, steps.from, timeOfDay(steps.from, { ...this.#look, millis: true }), true);
  }

  /** False where the whole time has no room. `mayCover`: a mark gives way to it. */
  #tell(cells: PaintedCell[], time: number, words: string, mayCover: boolean): boolean {
    const first = this.#cellOf(time);
    const under = cells.slice(first, first + words.length);
    if (under.length < words.length || under.some((cell) => isKept(cell, mayCover))) return false;
    for (const [i, sign] of [...words].entries()) {
      const { sign: covered, slot } = under[i] as PaintedCell;
      cells[first + i] = { sign, slot: covered === ' ' ? 'dim' : slot };
    }
    return true;
  }

  #cellOf(time: number): number {
    const { from, step } = this.#timeline.steps;
    return Math.floor((time - from) / step) * this.#wide;
  }

  /** Marks a cell with a sign; one with a time or a number keeps its text and takes the paint. */
  #mark(cells: PaintedCell[], at: number, sign: string, slot: ThemeSlot, over: ThemeSlot): void {
    const cell = cells[at];
    if (cell === undefined) return;
    const isText = cell.sign !== ' ' && cell.sign !== this.#look.glyph.under;
    cells[at] = isText ? { sign: cell.sign, slot: over } : { sign, slot };
  }

  /** Names each long run of unread steps. */
  #nameUnread(cells: PaintedCell[]): void {
    const words = this.#timeline.series === 'action' ? ' not counted ' : ' not read ';
    const { cover } = this.#timeline;
    for (let from = 0, to = 0; from < cover.length; from = to + 1) {
      for (to = from; cover[to] === 'unread'; ) to++;
      const room = (to - from) * this.#wide - words.length;
      if (room < 2 * BESIDE_NAME) continue;
      const first = from * this.#wide + (room >> 1);
      for (const [i, sign] of [...words].entries()) cells[first + i] = { sign, slot: 'dim' };
    }
  }
}

/** What no time covers: the number of a peak, and a mark unless it has to give way. */
function isKept({ sign, slot }: PaintedCell, mayCover: boolean): boolean {
  return slot === 'title' || (!mayCover && Object.values(TIME_MARKS).some((mark) => mark.sign === sign));
}

/** A level of so many eighths, in the signs there are. */
function spark(eighths: number, signs: string): string {
  return signs[Math.min(signs.length, Math.ceil((eighths / 8) * signs.length)) - 1] ?? '';
}
