import { MORE } from './thresholds.ts';

/** The time that something is asked about, and the one that it is compared with. */
export const SIDES = ['now', 'before'] as const;
export type Side = (typeof SIDES)[number];

/** So many of so many. */
export type Share = { part: number; of: number };

/** Two shares beside each other; null where one of them is of nothing. */
type ShareDifference = {
  shareNow: number | null;
  shareUsual: number | null;
  /** How many more there are than the usual share gives. */
  excess: number | null;
  /** How surely they differ: see `apart`. */
  g2: number | null;
};

/**
 * How often each value of a field came in a time. A list may be cut: `total` counts all events of the time, listed or
 * not (Shield has no such sum; the groups of `action`, which are few, add up to it).
 */
export type Tallied = {
  /** The time that was counted, ms. */
  length: number;
  values: readonly { value: string | null; count: number }[];
  total: number;
  /** How many values there are; null when unknown. */
  distinct: number | null;
  /** Whether the listed values are those with the most events. */
  isByCount: boolean;
};

export type DifferingValue = ShareDifference & {
  value: string | null;
  countNow: number;
  countUsual: number;
  /** The value is not in a cut list: its count is the most that it can have been. */
  isAtMostNow: boolean;
  isAtMostUsual: boolean;
  excess: number;
  /** Absent from a usual time that is known whole. */
  isNew: boolean;
  /** Its share and its number changed, and too much for chance (`MORE`); null: it may be chance. */
  way: 'more' | 'less' | null;
};

export type Differing = {
  /** What is more frequent, less frequent, and perhaps chance; in each, those that differ by most events first. */
  values: readonly DifferingValue[];
  totalNow: number;
  totalUsual: number;
  /** `totalUsual` in as much time as now. */
  totalExpected: number;
};

/** The one rule for whether a share is above the usual one, for everything called worse, risen or more frequent. */
export function difference(now: Share, usual: Share): ShareDifference {
  const [shareNow, shareUsual] = [shareOf(now), shareOf(usual)];
  const excess = shareNow === null || shareUsual === null ? null : now.part - now.of * shareUsual;
  return { shareNow, shareUsual, excess, g2: apart(now, usual) };
}

/** Whether there is more of it than usual, and too much more for chance. */
export function isMore({ excess, g2 }: Pick<ShareDifference, 'excess' | 'g2'>): boolean {
  return (excess ?? 0) >= MORE.excess && (g2 ?? 0) >= MORE.g2;
}

/**
 * Value by value, how a field differs from the usual. Shares are tested, so that traffic that grew as a whole makes
 * no value more frequent; and numbers, so that a value that stayed while all else fell is not, either. Without an
 * event before there is no share to compare: then the number alone decides.
 */
export function differing(now: Tallied, usual: Tallied): Differing {
  const scale = Math.max(1, now.length) / Math.max(1, usual.length);
  const [listNow, listUsual] = [listOf(now), listOf(usual)];
  const values = new Set([...listNow.counts.keys(), ...listUsual.counts.keys()]);
  return {
    values: [...values]
      .map((value) => differingOf(value, listNow, listUsual, scale))
      // An upper bound proves no rise, and a lower one no fall.
      .filter(({ excess, isAtMostNow, isAtMostUsual }) =>
        excess > 0 ? !isAtMostNow : excess < 0 && !isAtMostUsual,
      )
      .sort(byExcess),
    totalNow: now.total,
    totalUsual: usual.total,
    totalExpected: usual.total * scale,
  };
}

/**
 * The log-likelihood ratio of the 2×2 table (part, rest) × (now, usual); 0 when the shares are equal, null when there is nothing on one
 * side to compare with. Source: T. Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", Computational
 * Linguistics 19 (1), 1993. For a small sample on either side it stays small, whatever the shares.
 */
export function apart(now: Share, usual: Share): number | null {
  if (now.of <= 0 || usual.of <= 0) return null;
  const share = (now.part + usual.part) / (now.of + usual.of);
  const cells = [now, usual].flatMap(({ part, of }): [number, number][] => [
    [part, of * share],
    [of - part, of * (1 - share)],
  ]);
  return Math.max(0, gSquared(cells));
}

/** G² of numbers against those expected: 2 Σ observed × ln(observed ÷ expected). */
export function gSquared(cells: readonly (readonly [observed: number, expected: number])[]): number {
  return 2 * cells.reduce((sum, [o, e]) => (o > 0 ? sum + o * Math.log(o / e) : sum), 0);
}

/** G² of a number of events against the expected number, where events are independent (Poisson). */
export function countApart(count: number, expected: number): number {
  return Math.max(0, gSquared([[count, expected]]) - 2 * (count - expected));
}

/** How unlikely a G² is, in decades: 3 = about one in a thousand. */
export function decadesOf(g2: number): number {
  return g2 / 2 / Math.LN10;
}

function shareOf({ part, of }: Share): number | null {
  return of > 0 ? part / of : null;
}

/** `most`: the largest count that an unlisted value can have. */
type List = { counts: ReadonlyMap<string | null, number>; total: number; most: number };

function listOf({ values, total, distinct, isByCount }: Tallied): List {
  const counts = new Map<string | null, number>();
  for (const { value, count } of values) counts.set(value, (counts.get(value) ?? 0) + count);
  const unlisted = Math.max(0, total - counts.values().reduce((sum, count) => sum + count, 0));
  if (unlisted === 0) return { counts, total, most: 0 };
  // The values that the list leaves out share the rest, at least one each.
  const others = distinct === null ? 0 : Math.max(0, distinct - counts.size - 1);
  const byRest = Math.max(1, unlisted - others);
  // Where the list holds the largest, no other is above its smallest.
  const least = counts.values().reduce((min, count) => Math.min(min, count), Number.POSITIVE_INFINITY);
  return { counts, total, most: isByCount ? Math.min(byRest, least) : byRest };
}

function differingOf(value: string | null, now: List, usual: List, scale: number): DifferingValue {
  const countNow = now.counts.get(value) ?? now.most;
  const countUsual = usual.counts.get(value) ?? usual.most;
  const found = difference({ part: countNow, of: now.total }, { part: countUsual, of: usual.total });
  const grown = countNow - countUsual * scale;
  const excess = found.excess ?? grown;
  const isSure =
    found.g2 === null ||
    (found.g2 >= MORE.g2 && excess * grown > 0 && changeOf(countNow, countUsual, scale) >= MORE.number);
  return {
    ...found,
    value,
    countNow,
    countUsual,
    excess,
    isAtMostNow: !now.counts.has(value) && now.most > 0,
    isAtMostUsual: !usual.counts.has(value) && usual.most > 0,
    isNew: countNow > 0 && countUsual === 0,
    way: isSure && Math.abs(excess) >= MORE.excess ? (excess > 0 ? 'more' : 'less') : null,
  };
}

/** G² of two numbers of events of two lengths of time, now `scale` times as long as usual, against one rate of both. */
function changeOf(now: number, usual: number, scale: number): number {
  const rate = (now + usual) / (scale + 1);
  return gSquared([
    [now, rate * scale],
    [usual, rate],
  ]);
}

const WAYS = ['more', 'less', null] as const;

function byExcess(a: DifferingValue, b: DifferingValue): number {
  return (
    WAYS.indexOf(a.way) - WAYS.indexOf(b.way) ||
    Math.abs(b.excess) - Math.abs(a.excess) ||
    (b.g2 ?? 0) - (a.g2 ?? 0) ||
    ((a.value ?? '') < (b.value ?? '') ? -1 : 1)
  );
}

/** Normal quantile of a one in twenty chance, both sides. */
const Z = 1.96;

/**
 * The lower end of the 95 % score interval of `part` in `whole`, so that 3 of 3 stand below 150 of 180. With p = part ÷
 * whole, n = whole, z = 1.96: (p + z²/2n − z √(p(1−p)/n + z²/4n²)) ÷ (1 + z²/n). Source: E. B. Wilson, "Probable
 * Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927. Null for nothing.
 */
export function wilsonLeast(part: number, whole: number): number | null {
  if (whole <= 0) return null;
  const p = part / whole;
  const half = Z * Math.sqrt((p * (1 - p)) / whole + Z ** 2 / (4 * whole ** 2));
  const least = (p + Z ** 2 / (2 * whole) - half) / (1 + Z ** 2 / whole);
  // Rounding may leave a trace on the wrong side of either end.
  return Math.min(p, Math.max(0, least));
}
