import { ratioOf } from '../../logs/sums/traffic.ts';

/**
 * How often each value of one dimension came in a window. A list may be cut: `total` counts all events of the window,
 * listed or not (Shield tells no such sum; the groups of `action`, which are few, add up to it).
 */
export type ValueCounts = {
  /** The time that was counted, ms. */
  length: number;
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
  /** The value is not in a cut list: that count is the most that it can have been. */
  isAtMost: boolean;
  isAtMostNow: boolean;
  /** Of all events of the window; null when it had none. */
  shareNow: number | null;
  shareBefore: number | null;
  /** `countBefore` × length now ÷ length before. */
  expected: number;
  /** `countNow` − `expected`. */
  excess: number;
  /** Not once in a baseline that is known whole. */
  isNew: boolean;
  /** Share of `moved` that this value's excess makes up, 0…1; 0 where it moved against the total. */
  explains: number;
  /** It moved, but not as the total did: it explains nothing of that. */
  isAgainst: boolean;
  /** Dunning's G²; null when one of the windows is empty. */
  g2: number | null;
  /** More, or less of what fell, and too much to be chance: see STANDS_OUT. */
  standsOut: boolean;
};

export type Comparison = {
  /** Values that rose, and where the total fell those that fell: what stands out first, then by how much they moved. */
  rows: readonly ComparisonRow[];
  totalNow: number;
  totalBefore: number;
  /** `totalBefore` × length now ÷ length before. */
  totalExpected: number;
  /** Where all events together went; those that kept their number count as risen. */
  way: 'rose' | 'fell';
  /** Sum of the excesses of all that went this way, without sign; the values that are not listed count together as one. */
  moved: number;
  /** Values that went the other way. */
  against: number;
};

/**
 * When a value is called over-represented. 15.13 is the value of χ² with one degree of freedom at p = 0.0001: hundreds
 * of values are tested at once, and one in ten thousand may pass by chance.
 */
export const STANDS_OUT = { g2: 15.13, count: 5 } as const;

/**
 * What a value's own number must have changed by, beside its share: χ² at p = 0.05. Where all else fell the share of a
 * value that kept its number grew.
 */
const CHANGED = 3.84;

export const STANDS_OUT_IN_WORDS =
  'stands out: share and number grew, 5 events or more, G2 at least 15.13 (Dunning 1993; p < 0.0001)';

export const FALLS_OUT_IN_WORDS =
  'the total fell: values whose share and number fell explain it; against: rose all the same; 5 events or more, G2 at least 15.13 (Dunning 1993; p < 0.0001)';

/**
 * This window against another, value by value.
 *
 * `expected` = count before × length now ÷ length before, `excess` = count now − expected, `explains` = excess ÷ the sum
 * of all excesses that have the sign of the total's. Over-representation is tested on shares, so that traffic that grew as
 * a whole makes no value stand out, by the log-likelihood ratio of the 2×2 table (this value, all others) × (now, before):
 * G² = 2 Σ observed × ln(observed ÷ expected). Source: T. Dunning, "Accurate Methods for the Statistics of Surprise and
 * Coincidence", Computational Linguistics 19 (1), 1993. Without a single event before there is no share to compare
 * with: then a value stands out by its count alone.
 */
export function compare(now: ValueCounts, before: ValueCounts): Comparison {
  const scale = Math.max(1, now.length) / Math.max(1, before.length);
  const [listNow, listBefore] = [listOf(now), listOf(before)];
  const drafts = [...new Set([...listNow.counts.keys(), ...listBefore.counts.keys()])].map((value) =>
    draftOf(value, listNow, listBefore, scale),
  );
  const totalExpected = before.total * scale;
  const way = now.total < totalExpected ? 'fell' : 'rose';
  const risen = drafts.filter(({ excess, isAtMostNow }) => excess > 0 && !isAtMostNow);
  const fallen = drafts.filter(({ excess, isAtMost }) => excess < 0 && !isAtMost);
  const beforeOfListed = listNow.counts
    .keys()
    .reduce((sum, value) => sum + (listBefore.counts.get(value) ?? 0), 0);
  const rest =
    way === 'fell'
      ? listBefore.unlisted * scale - listNow.unlisted
      : listNow.unlisted === 0
        ? 0
        : listNow.unlisted - (before.total - beforeOfListed) * scale;
  const [along, against] = way === 'fell' ? [fallen, risen] : [risen, fallen];
  const moved = along.reduce((sum, { excess }) => sum + Math.abs(excess), Math.max(0, rest));
  const rows = [
    ...along.map((row) => ({
      ...row,
      explains: Math.min(1, Math.abs(row.excess) / moved),
      isAgainst: false,
    })),
    ...(way === 'fell' ? against.map((row) => ({ ...row, explains: 0, isAgainst: true })) : []),
  ];
  return {
    rows: rows.sort(byWeight),
    totalNow: now.total,
    totalBefore: before.total,
    totalExpected,
    way,
    moved,
    against: against.length,
  };
}

/** What stands out over several dimensions, by how much it moved of all that moved; equal ones by G². */
export function outstanding<D extends string>(
  comparisons: ReadonlyMap<D, Comparison>,
): { dimension: D; row: ComparisonRow }[] {
  return [...comparisons]
    .flatMap(([dimension, { rows, moved }]) =>
      rows
        .filter(({ standsOut }) => standsOut)
        // Of all that moved, how much this value did: of what goes against it, too.
        .map((row) => ({ dimension, row, weight: ratioOf(Math.abs(row.excess), moved) ?? 0 })),
    )
    .sort((a, b) => b.weight - a.weight || byWeight(a.row, b.row))
    .map(({ dimension, row }) => ({ dimension, row }));
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
  return Math.max(0, gSquared(cells));
}

/** G² of numbers against those expected: 2 Σ observed × ln(observed ÷ expected). */
export function gSquared(cells: readonly (readonly [observed: number, expected: number])[]): number {
  return 2 * cells.reduce((sum, [o, e]) => (o > 0 ? sum + o * Math.log(o / e) : sum), 0);
}

/** `unlisted`: events of the values that are not listed; `most`: that one of these can have had. */
type List = { counts: ReadonlyMap<string | null, number>; total: number; unlisted: number; most: number };

function listOf({ values, total, distinct, isByCount }: ValueCounts): List {
  const counts = new Map<string | null, number>();
  for (const { value, count } of values) counts.set(value, (counts.get(value) ?? 0) + count);
  const unlisted = Math.max(0, total - counts.values().reduce((sum, count) => sum + count, 0));
  if (unlisted === 0) return { counts, total, unlisted, most: 0 };
  // What the list leaves out is shared by the values that it leaves out, at least one each.
  const others = distinct === null ? 0 : Math.max(0, distinct - counts.size - 1);
  const byRest = Math.max(1, unlisted - others);
  // Where the list holds the largest, none is above its smallest.
  const least = counts.values().reduce((min, count) => Math.min(min, count), Number.POSITIVE_INFINITY);
  return { counts, total, unlisted, most: isByCount ? Math.min(byRest, least) : byRest };
}

function draftOf(
  value: string | null,
  now: List,
  before: List,
  scale: number,
): Omit<ComparisonRow, 'explains' | 'isAgainst'> {
  const countNow = now.counts.get(value) ?? now.most;
  const countBefore = before.counts.get(value) ?? before.most;
  const [shareNow, shareBefore] = [ratioOf(countNow, now.total), ratioOf(countBefore, before.total)];
  const expected = countBefore * scale;
  const g2 = logLikelihood(countNow, now.total, countBefore, before.total);
  const shareRise = (shareNow ?? 0) - (shareBefore ?? 0);
  const isOther =
    g2 === null
      ? countNow > expected
      : g2 >= STANDS_OUT.g2 &&
        shareRise * (countNow - expected) > 0 &&
        changeOf(countNow, countBefore, scale) >= CHANGED;
  return {
    value,
    countNow,
    countBefore,
    isAtMost: !before.counts.has(value) && before.most > 0,
    isAtMostNow: !now.counts.has(value) && now.most > 0,
    shareNow,
    shareBefore,
    expected,
    excess: countNow - expected,
    isNew: countNow > 0 && countBefore === 0,
    g2,
    standsOut: isOther && Math.max(countNow, expected) >= STANDS_OUT.count,
  };
}

/** G² of two numbers of events of two lengths of time, now `scale` times as long as before, against one rate of both. */
function changeOf(now: number, before: number, scale: number): number {
  const rate = (now + before) / (scale + 1);
  return gSquared([
    [now, rate * scale],
    [before, rate],
  ]);
}

function byWeight(a: ComparisonRow, b: ComparisonRow): number {
  return (
    Number(b.standsOut) - Number(a.standsOut) ||
    Math.abs(b.excess) - Math.abs(a.excess) ||
    (b.g2 ?? 0) - (a.g2 ?? 0) ||
    byText(a.value ?? '', b.value ?? '')
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
