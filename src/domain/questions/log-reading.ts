import { percent } from '../../text/units.ts';
import type { LogRecord } from '../log.ts';
import type { ServerLogFilter } from '../query/push-down.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { type LogNeed, type Met, type Need, partOf, type Side, slices } from './inquiry.ts';

type Window = { range: TimeRange; asked: number; covered: number; rows: number; left: TimeRange[] };

/**
 * Windows of a CDN log being read by single requests, and how much of them is covered. A window is cut into equal slices,
 * so what is read of a busy one is spread over it and the price is known before.
 */
export class LogReading {
  readonly needs: readonly LogNeed[];
  readonly #windows: ReadonlyMap<Side, Window>;
  readonly #zoneId: string;
  readonly #filter: ServerLogFilter;

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
    this.needs = sides.flatMap(([side, range]) =>
      slices(range, o.parts).map((slice) => this.#needOf(side, slice)),
    );
    this.#windows = new Map(
      sides.map(([side, range]) => [
        side,
        { range, asked: range.to - range.from, covered: 0, rows: 0, left: slices(range, o.parts) },
      ]),
    );
  }

  /** The rows of an answer that count: those of the time that it covers. */
  add(need: Need, met: Met): readonly LogRecord[] {
    const window = need.kind === 'logs' ? this.#windows.get(need.side) : undefined;
    if (need.kind !== 'logs' || met.kind !== 'logs' || !window) return [];
    const { records, covered, left } = partOf(need.range, met);
    window.left = window.left.filter(({ from }) => from !== need.range.from);
    if (left) window.left.push(left);
    if (covered) window.covered += covered.to - covered.from;
    window.rows += records.length;
    return records;
  }

  rows(side: Side): number {
    return this.#windows.get(side)?.rows ?? 0;
  }

  /** As long as the time that was covered, ms: counts are compared over it. */
  covered(side: Side): number {
    return this.#windows.get(side)?.covered ?? 0;
  }

  /** Share of a window's time that was read, 0…1. */
  share(side: Side): number {
    const window = this.#windows.get(side);
    return window && window.asked > 0 ? window.covered / window.asked : 0;
  }

  range(side: Side): TimeRange | null {
    return this.#windows.get(side)?.range ?? null;
  }

  rest(): LogNeed[] {
    return [...this.#windows].flatMap(([side, { left }]) =>
      left.toSorted((a, b) => a.from - b.from).map((range) => this.#needOf(side, range)),
    );
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
