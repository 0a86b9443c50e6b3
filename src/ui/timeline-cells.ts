import type { TimeRange } from '../domain/tail/coverage.ts';
import { levelOf } from '../domain/timeline/scale.ts';
import { type Part, SERIES, type SeriesId } from '../domain/timeline/series.ts';
import { type Column, EMPTY_COLUMN, stacked } from '../domain/timeline/stack.ts';
import { stepOf } from '../domain/timeline/steps.ts';
import type { Timeline } from '../state/timeline/timeline.ts';
import { clockShift, shortCount } from '../text/units.ts';
import type { Look, ThemeSlot } from './theme.ts';
import { labelStep, timeLabel } from './time-labels.ts';

/** The colour of each part, in the order of its series: the same as in the rows below. */
export const PART_SLOTS = {
  status: ['error', 'warning', 'redirect', 'success', 'unknown'],
  cache: ['stale', 'miss', 'bypass', 'revalidated', 'dim', 'hit'],
  action: ['error', 'warning', 'accent', 'unknown'],
} as const satisfies Record<SeriesId, readonly ThemeSlot[]>;

/** Peaks that are told by their numbers. */
const PEAKS_TOLD = 4;

/** A cell of the screen: one sign and how it is painted. */
export type Cell = { sign: string; slot: ThemeSlot };

const BLANK: Cell = { sign: ' ', slot: 'text' };

/** A timeline on cells: each step as many cells wide as all of them leave room for. */
export class TimelineCells {
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
    this.#slots = PART_SLOTS[series];
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

/** A level of so many eighths, in as many signs as there are for levels. */
function spark(eighths: number, signs: string): string {
  return signs[Math.min(signs.length, Math.ceil((eighths / 8) * signs.length)) - 1] ?? '';
}
