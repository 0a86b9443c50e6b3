import type { TimeRange } from '../tail/coverage.ts';

/**
 * How often each value of one dimension came in a window. A list may be cut: `total` counts all events of the window,
 * listed or not (Shield tells no such sum; the groups of `action`, which are few, add up to it).
 */
export type Tally = {
  window: TimeRange;
  values: readonly { value: string | null; count: number }[];
  total: number;
  /** How many values there are; null when that is not known. */
  distinct: number | null;
  /** Whether the listed values are those with the most events. */
  isByCount: boolean;
};

export type ComparisonRow = {
  value: string | null;
  countNow: number;
  countBefore: number;
  /** The value is not in a cut list: `countBefore` is the most that it can have been. */
  isAtMost: boolean;
  /** Of all events of the window; null when it had none. */
  shareNow: number | null;
  shareBefore: number | null;
  /** `countBefore` × length now ÷ length before. */
  expected: number;
  /** `countNow` − `expected`. */
  excess: number;
  /** Not once in a baseline that is known whole. */
  isNew: boolean;
  /** Share of `rise` that this value's excess makes up, 0…1. */
  explains: number;
  /** Dunning's G²; null when one of the windows is empty. */
  g2: number | null;
  /** More, and too much more to be chance: see STANDS_OUT. */
  standsOut: boolean;
};

export type Comparison = {
  /** Values that rose: what stands out first, then by what they explain. */
  rows: readonly ComparisonRow[];
  totalNow: number;
  totalBefore: number;
  /** Sum of the excesses of all that rose; the values that are not listed count together as one. */
  rise: number;
};

/**
 * When a value is called over-represented. 15.13 is the value of χ² with one degree of freedom at p = 0.0001: hundreds
 * of values are tested at once, and one in ten thousand may pass by chance.
 */
export const STANDS_OUT = { g2: 15.13, count: 5 } as const;

export const STANDS_OUT_IN_WORDS =
  'stands out: its share grew, 5 events or more, G2 at least 15.13 (Dunning 1993; p < 0.0001)';

/**
 * This window against another, value by value.
 *
 * `expected` = count before × length now ÷ length before, `excess` = count now − expected, `explains` = excess ÷ the sum
 * of all positive excesses. Over-representation is tested on shares, so that traffic that grew as a whole makes no value
 * stand out, by the log-likelihood ratio of the 2×2 table (this value, all others) × (now, before):
 * G² = 2 Σ observed × ln(observed ÷ expected). Source: T. Dunning, "Accurate Methods for the Statistics of Surprise and
 * Coincidence", Computational Linguistics 19 (1), 1993. Without a single event before there is no share to compare
 * with: then a value stands out by its count alone.
 */
export function compare(now: Tally, before: Tally): Comparison {
  const scale = lengthOf(now) / lengthOf(before);
  const nowOf = countsOf(now);
  const beforeOf = countsOf(before);
  const unlistedNow = Math.max(0, now.total - sumOf(nowOf));
  const unlistedBefore = Math.max(0, before.total - sumOf(beforeOf));
  const most = mostUnlisted(before, beforeOf, unlistedBefore);
  const drafts = [...nowOf].map(([value, countNow]) => {
    const known = beforeOf.get(value);
    return draftOf(value, countNow, known ?? most, known === undefined && most > 0, { now, before, scale });
  });
  const beforeOfListed = [...nowOf.keys()].reduce((sum, value) => sum + (beforeOf.get(value) ?? 0), 0);
  const restRise = unlistedNow === 0 ? 0 : unlistedNow - (before.total - beforeOfListed) * scale;
  const rise = drafts.reduce((sum, { excess }) => sum + Math.max(0, excess), Math.max(0, restRise));
  const rows = drafts
    .filter(({ excess }) => excess > 0)
    .map((row) => ({ ...row, explains: Math.min(1, row.excess / rise) }))
    .sort(byWeight);
  return { rows, totalNow: now.total, totalBefore: before.total, rise };
}

/** What stands out over several dimensions, by what it explains; equal ones by G². */
export function outstanding<D extends string>(
  comparisons: ReadonlyMap<D, Comparison>,
): { dimension: D; row: ComparisonRow }[] {
  return [...comparisons]
    .flatMap(([dimension, { rows }]) =>
      rows.filter(({ standsOut }) => standsOut).map((row) => ({ dimension, row })),
    )
    .sort((a, b) => byWeight(a.row, b.row));
}

/**
 * Dunning's G² for `k1` of `n1` against `k2` of `n2`; 0 when the shares are equal. Null when there is nothing on one
 * side to compare with.
 */
export function logLikelihood(k1: number, n1: number, k2: number, n2: number): number | null {
  if (n1 <= 0 || n2 <= 0) return null;
  const k = k1 + k2;
  const n = n1 + n2;
  const cells: [observed: number, expected: number][] = [
    [k1, (n1 * k) / n],
    [k2, (n2 * k) / n],
    [n1 - k1, (n1 * (n - k)) / n],
    [n2 - k2, (n2 * (n - k)) / n],
  ];
  const sum = cells.reduce((all, [o, e]) => (o > 0 && e > 0 ? all + o * Math.log(o / e) : all), 0);
  return Math.max(0, 2 * sum);
}

type Windows = { now: Tally; before: Tally; scale: number };

function draftOf(
  value: string | null,
  countNow: number,
  countBefore: number,
  isAtMost: boolean,
  { now, before, scale }: Windows,
): Omit<ComparisonRow, 'explains'> {
  const shareNow = now.total > 0 ? countNow / now.total : null;
  const shareBefore = before.total > 0 ? countBefore / before.total : null;
  const expected = countBefore * scale;
  const g2 = logLikelihood(countNow, now.total, countBefore, before.total);
  const isMore =
    countNow > expected && (g2 === null || ((shareNow ?? 0) > (shareBefore ?? 0) && g2 >= STANDS_OUT.g2));
  return {
    value,
    countNow,
    countBefore,
    isAtMost,
    shareNow,
    shareBefore,
    expected,
    excess: countNow - expected,
    isNew: countNow > 0 && countBefore === 0,
    g2,
    standsOut: isMore && countNow >= STANDS_OUT.count,
  };
}

/**
 * The most events that one value can have that is not in the list. What the list leaves out is shared by the values
 * that it leaves out, at least one each; where the list holds the largest, none is above its smallest.
 */
function mostUnlisted(tally: Tally, counts: ReadonlyMap<string | null, number>, unlisted: number): number {
  if (unlisted <= 0) return 0;
  const others = tally.distinct === null ? 0 : Math.max(0, tally.distinct - counts.size - 1);
  const byRest = Math.max(1, unlisted - others);
  const least = [...counts.values()].reduce((min, count) => Math.min(min, count), Number.POSITIVE_INFINITY);
  return tally.isByCount ? Math.min(byRest, least) : byRest;
}

function countsOf(tally: Tally): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const { value, count } of tally.values) counts.set(value, (counts.get(value) ?? 0) + count);
  return counts;
}

function sumOf(counts: ReadonlyMap<string | null, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function lengthOf({ window }: Tally): number {
  return Math.max(1, window.to - window.from);
}

function byWeight(a: ComparisonRow, b: ComparisonRow): number {
  return (
    Number(b.standsOut) - Number(a.standsOut) ||
    b.explains - a.explains ||
    (b.g2 ?? 0) - (a.g2 ?? 0) ||
    byText(a, b)
  );
}

function byText(a: ComparisonRow, b: ComparisonRow): number {
  const [left, right] = [a.value ?? '', b.value ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}
