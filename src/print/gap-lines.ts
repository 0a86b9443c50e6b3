import type { Gap, TimeRange } from '../domain/tail/coverage.ts';

/** A gap that still grows is told after this long at the latest; one that stood still, after that. Both ms. */
const TOLD_AFTER = 10_000;
const STILL_FOR = 2_000;

type Held = { to: number; since: number; changedAt: number };

/**
 * Tells every moment of the gaps of a growing log exactly once: each line is a stretch that no line before it named. A
 * line is not taken back; rows of its time that come after all follow it.
 */
export class GapLines {
  #told: TimeRange[] = [];
  #held = new Map<number, Held>();

  /** What is to be told now (ms of any clock) of the gaps as they stand. */
  due(gaps: readonly Gap[], now: number): Gap[] {
    const held = new Map<number, Held>();
    const due: Gap[] = [];
    for (const piece of this.#untold(gaps)) {
      const known = this.#held.get(piece.from);
      const changedAt = known?.to === piece.to ? known.changedAt : now;
      const since = known?.since ?? now;
      if (now - since >= TOLD_AFTER || now - changedAt >= STILL_FOR) due.push(piece);
      else held.set(piece.from, { to: piece.to, since, changedAt });
    }
    this.#held = held;
    return this.#tell(due);
  }

  /** All that was not told yet, at the end. */
  rest(gaps: readonly Gap[]): Gap[] {
    this.#held.clear();
    return this.#tell(this.#untold(gaps));
  }

  #untold(gaps: readonly Gap[]): Gap[] {
    return gaps.flatMap((gap) => without(gap, this.#told).map((range) => ({ ...gap, ...range })));
  }

  #tell(gaps: Gap[]): Gap[] {
    this.#told = merged([...this.#told, ...gaps]);
    return gaps;
  }
}

/** The parts of a range that none of these, in order of time and apart, covers. */
function without(range: TimeRange, covered: readonly TimeRange[]): TimeRange[] {
  const parts: TimeRange[] = [];
  let from = range.from;
  for (const each of covered) {
    if (each.to <= from) continue;
    if (each.from >= range.to) break;
    if (each.from > from) parts.push({ from, to: each.from });
    from = Math.max(from, each.to);
  }
  if (from < range.to) parts.push({ from, to: range.to });
  return parts;
}

function merged(ranges: readonly TimeRange[]): TimeRange[] {
  const out: TimeRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else out.push({ from, to });
  }
  return out;
}
