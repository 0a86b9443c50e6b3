import { percent } from '../../../text/units.ts';
import type { LogRecord } from '../../log.ts';
import type { ServerLogFilter } from '../../query/push-down.ts';
import { equalParts, type TimeRange, timeShared, without } from '../../tail/coverage.ts';
import { type LogNeed, type Met, type Need, partOf, type Side } from './inquiry.ts';

type Window = {
  range: TimeRange;
  slices: readonly TimeRange[];
  read: TimeRange[];
  left: TimeRange[];
  rows: number;
};

/** A slice is no shorter, ms. */
const SHORTEST = 1000;

/**
 * Windows of a CDN log being read by single requests, and how much of them is covered. A window is cut into equal slices,
 * so what is read of a busy one is spread over it and the price is known before. The slices are asked for in an order in
 * which any number of first ones lies evenly in every window, and so is what they leave.
 */
export class LogReading {
  readonly needs: readonly LogNeed[];
  readonly #windows: ReadonlyMap<Side, Window>;
  readonly #zoneId: string;
  readonly #filter: ServerLogFilter;
  #isAsked = false;

  /** `parts`: requests for each window. */
  constructor(o: {
    zoneId: string;
    filter: ServerLogFilter;
    windows: Partial<Record<Side, TimeRange>>;
    parts: number;
  }) {
    this.#zoneId = o.zoneId;
    this.#filter = o.filter;
    const sides = Object.entries(o.windows) as [Side, TimeRange][];
    this.#windows = new Map(
      sides.map(([side, range]) => {
        const all = equalParts(range, o.parts, SHORTEST);
        return [side, { range, slices: all, read: [], left: all, rows: 0 }];
      }),
    );
    this.needs = this.rest();
  }

  /** The rows of an answer that count: those of the time that it covers. */
  add(need: Need, met: Met): readonly LogRecord[] {
    const window = need.kind === 'logs' ? this.#windows.get(need.side) : undefined;
    if (need.kind !== 'logs' || met.kind !== 'logs' || !window) return [];
    const { records, covered, left } = partOf(need.range, met);
    this.#isAsked ||= !met.isHeld;
    window.left = without(window.left, need.range);
    if (left) window.left.push(left);
    if (covered) window.read.push(covered);
    window.rows += records.length;
    return records;
  }

  /** Whether a part of it was asked of the server; else all that was read was in memory. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  rows(side: Side): number {
    return this.#windows.get(side)?.rows ?? 0;
  }

  /** As long as the time that was covered, ms: counts are compared over it. */
  covered(side: Side): number {
    const window = this.#windows.get(side);
    return window ? timeShared(window.range, window.read) : 0;
  }

  /** Share of a window's time that was read, 0…1; of a part of it where one is given. */
  share(side: Side, part: TimeRange | null = this.range(side)): number {
    const read = this.#windows.get(side)?.read ?? [];
    return part && part.to > part.from ? timeShared(part, read) / (part.to - part.from) : 0;
  }

  /** Share of the time of all windows together. */
  get shareOfAll(): number {
    const sides = [...this.#windows.keys()];
    const asked = [...this.#windows.values()].reduce((sum, { range }) => sum + range.to - range.from, 0);
    return asked > 0 ? sides.reduce((sum, side) => sum + this.covered(side), 0) / asked : 0;
  }

  range(side: Side): TimeRange | null {
    return this.#windows.get(side)?.range ?? null;
  }

  rest(): LogNeed[] {
    const sides = [...this.#windows].map(([side, { slices: all, left }]) =>
      spread(all).flatMap((slice) =>
        left
          .filter(({ from }) => from >= slice.from && from < slice.to)
          .map((range) => this.#needOf(side, range)),
      ),
    );
    const most = Math.max(0, ...sides.map(({ length }) => length));
    return Array.from({ length: most }, (_, at) => sides.flatMap((needs) => needs[at] ?? [])).flat();
  }

  /** `of the 22.7% read: `, the beginning of a sentence about what was read; empty where that is all. */
  get hedge(): string {
    return this.shareOfAll >= 1 ? '' : `of the ${percent(Math.min(this.shareOfAll, 0.999))} read: `;
  }

  /** `84% of the window read`; only a whole reading is called `all of the window`. */
  words(side: Side, name: string): string {
    const share = this.share(side);
    return share >= 1 ? `all of ${name} read` : `${percent(Math.min(share, 0.999))} of ${name} read`;
  }

  #needOf(side: Side, range: TimeRange): LogNeed {
    return { kind: 'logs', side, zoneId: this.#zoneId, range, filter: this.#filter };
  }
}

/** The item at the half, those at the quarters, the eighths: any number of first ones lies evenly (van der Corput). */
function spread<T>(items: readonly T[]): T[] {
  const bits = Math.ceil(Math.log2(Math.max(1, items.length)));
  const fractions = Array.from({ length: 1 << bits }, (_, at) =>
    Array.from({ length: bits }, (_, bit) => ((at >> bit) & 1) / 2 ** (bit + 1)).reduce(
      (sum, each) => sum + each,
      0,
    ),
  );
  const places = new Set(fractions.map((fraction) => Math.floor(fraction * items.length)));
  return [...places].map((place) => items[place] as T);
}
