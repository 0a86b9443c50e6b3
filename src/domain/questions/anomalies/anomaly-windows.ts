import { gSquared } from '../../differing.ts';
import { ORIGIN_TROUBLE } from '../../logs/counted/row-marks.ts';
import {
  densityOf,
  LEAST_SHARE,
  rateFactor,
  SAMPLED_FIELDS,
  type Sample,
  type SampledField,
  type SampledValue,
  samplesAround,
  together,
  usualShares,
} from './samples.ts';

/** A value that stands out over an anomaly of samples, in rows of those samples. */
export type AnomalyValue = {
  field: SampledField;
  value: string;
  count: number;
  /** Of the rows of the anomaly's samples, and of an ordinary sample; 0…1. */
  share: number;
  usual: number;
  g2: number;
};

/** Samples in a row that have something in common that ordinary ones have not. */
export type AnomalyWindow = {
  /** From the first of its samples to the end of what the last one stands for, Unix ms. */
  from: number;
  to: number;
  samples: number;
  rows: number;
  /** In the order of `SAMPLED_FIELDS`; where it goes by its rate, what most of its rows have in common. */
  values: readonly AnomalyValue[];
  /** The value that stands out most; null where it goes by its rate. */
  leader: AnomalyValue | null;
  /** The highest rate over the usual one of the hours around; null when it cannot be told. */
  rateFactor: number | null;
};

/**
 * When a value of a sample stands out: its share is several times the usual one, or much more of all rows, and too much
 * for chance. The usual share is the median over all samples, so what lasts for less than half of the window does not
 * hide itself; a share below `LEAST_SHARE` counts as that. 25 is χ² with one degree of freedom at p = 6e-7: thousands
 * of values are looked at in one answer.
 */
const OUTLIER = { rows: 40, share: 0.06, factor: 3, excess: 0.25, g2: 25 } as const;

/** A sample of fewer rows has nothing that stands out. */
export const TELLING_ROWS = OUTLIER.rows;

/** A rate that stands out alone. */
const RATE_FACTOR = 3;

/**
 * Two values of a sample are one matter when this share of the rarer one's rows has the other, and it is no trifle beside
 * it. What is a trifle beside a name is a part of that matter, and not worth a line.
 */
const BELONGS = { contained: 0.7, size: 0.25 } as const;

/** Fewer rows of a sample that have two values make no difference to what stands out in it; 0…1. */
export const LEAST_TOGETHER = BELONGS.contained * OUTLIER.share;

/** Values that name somebody or something; by the others two different matters can be alike. */
export const NAMING: readonly SampledField[] = ['page', 'asn', 'ja4', 'ip', ORIGIN_TROUBLE];

/** Shares that a value must have of dense rows to be told: as a name that is not usual, as one that is rare, as their status. */
const TOLD = { name: 0.5, outlier: 0.25, status: 0.1 } as const;

type Outlier = SampledValue & { usual: number; g2: number };
type Strand = {
  sample: Sample;
  at: number;
  /** What it goes by: the name that stands out most, or the value where nothing names it. */
  leader: Outlier | null;
  outliers: readonly Outlier[];
  rateFactor: number | null;
};

/**
 * All that stood out, the newest first. `isFiltered`: the samples are of a filter's rows, so its own rate is looked at
 * first; what is usual of them is told by samples where it is ordinary. `ordinary`: samples of other times that tell what is
 * usual, where those that are looked at may all be alike.
 */
export function anomalyWindowsOf(
  samples: readonly Sample[],
  isFiltered = false,
  ordinary: readonly Sample[] | null = null,
): AnomalyWindow[] {
  const all = samples.toSorted((a, b) => a.from - b.from);
  const { density, plain } = plainOf(all, isFiltered);
  const ordered = density ? all : all.filter(({ rows }) => rows > 0);
  const usual = usualShares(ordinary ?? plain);
  const rates = ordered.map((sample, at) =>
    density ? density.factor(sample) : rateFactor(sample, ordinary ?? samplesAround(ordered, at)),
  );
  const open: Strand[][] = [];
  const done: Strand[][] = [];
  ordered.forEach((sample, at) => {
    const rate = rates[at] ?? null;
    const strands = density?.isDense(sample)
      ? [denseStrand(sample, at, usual, rate)]
      : strandsOf(sample, at, usual, rate, density === null);
    for (const strand of strands) {
      const chain = open.find((each) => isContinued(each, strand));
      if (chain) chain.push(strand);
      else open.push([strand]);
    }
    // One sample between two of the same anomaly may have missed it.
    for (const chain of open.filter((each) => (each.at(-1)?.at ?? at) < at - 1)) {
      done.push(chain);
      open.splice(open.indexOf(chain), 1);
    }
  });
  return [...done, ...open]
    .map(anomalyWindowOf)
    .toSorted((a, b) => b.from - a.from || (b.leader?.g2 ?? 0) - (a.leader?.g2 ?? 0));
}

/** All rows of a dense sample are one matter, however many pages it hits; it goes by its time. */
function denseStrand(
  sample: Sample,
  at: number,
  usual: (key: string) => number,
  rateFactor: number | null,
): Strand {
  const { rows, values } = sample;
  const rare = new Set(outliersOf(sample, usual, false).map(({ key }) => key));
  const told = values.filter((each) => {
    const share = each.count / rows;
    if (each.field === ORIGIN_TROUBLE) return share >= TOLD.name;
    if (isNaming(each) && share >= TOLD.name && share >= 2 * usual(each.key)) return true;
    return each.field === 'status' ? share >= TOLD.status : rare.has(each.key) && share >= TOLD.outlier;
  });
  const outliers = told.map((each) => ({
    ...each,
    usual: usual(each.key),
    g2: surprise(each.count, rows, Math.max(usual(each.key), LEAST_SHARE)),
  }));
  return { sample, at, leader: null, outliers, rateFactor };
}

/** The samples in which a value stands out: of these it matters how many rows have two values. */
export function standingOut(samples: readonly Sample[], isFiltered: boolean): Sample[] {
  const { plain } = plainOf(samples, isFiltered);
  const usual = usualShares(plain);
  return plain.filter((sample) => outliersOf(sample, usual, !isFiltered).length > 0);
}

/** The samples that have rows, and no more of them than is usual for a filter. */
function plainOf(samples: readonly Sample[], isFiltered: boolean) {
  const density = isFiltered ? densityOf(samples) : null;
  return { density, plain: samples.filter((sample) => sample.rows > 0 && !density?.isDense(sample)) };
}

/** What stands out in a sample, as groups of values that the same rows have. */
function strandsOf(
  sample: Sample,
  at: number,
  usual: (key: string) => number,
  rateFactor: number | null,
  mayBeRate: boolean,
): Strand[] {
  const strands: Strand[] = [];
  let left = outliersOf(sample, usual, mayBeRate).toSorted((a, b) => b.g2 - a.g2);
  for (let first = left[0]; first; first = left[0]) {
    const alike = left.slice(1).filter((each) => belongs(each, first as Outlier));
    const own = withPlaces(sample, [first, ...alike], usual);
    const leader = own.find(isNaming) ?? first;
    if (!own.every(isWell)) strands.push({ sample, at, leader, outliers: own, rateFactor });
    left = left.filter((each) => !own.includes(each) && !own.some((name) => isPartOf(each, name)));
  }
  const isRateAlone =
    mayBeRate && strands.length === 0 && sample.rows >= OUTLIER.rows && (rateFactor ?? 0) >= RATE_FACTOR;
  return isRateAlone ? [{ sample, at, leader: null, outliers: [], rateFactor }] : strands;
}

function outliersOf(
  { rows, values, sums }: Sample,
  usual: (key: string) => number,
  isLevelKnown: boolean,
): Outlier[] {
  if (rows < OUTLIER.rows) return [];
  return values.flatMap((each) => {
    const share = each.count / rows;
    if (share < OUTLIER.share) return [];
    const was = isLevelKnown && isBad(sums, each) ? 0 : usual(each.key);
    const floor = Math.max(was, LEAST_SHARE);
    if (share < OUTLIER.factor * floor && share - was < OUTLIER.excess) return [];
    const g2 = surprise(each.count, rows, floor);
    return g2 < OUTLIER.g2 ? [] : [{ ...each, usual: was, g2 }];
  });
}

/** What fails is bad however usual it is; of rows that a filter chose the level says nothing. */
const BAD_LEVEL = 0.05;

function isBad({ errors, requests }: Sample['sums'], { field }: SampledValue): boolean {
  return field === ORIGIN_TROUBLE && errors >= requests * BAD_LEVEL;
}

/** G² of `count` in `rows` against a share. */
function surprise(count: number, rows: number, share: number): number {
  return gSquared([
    [count, rows * share],
    [rows - count, rows * (1 - share)],
  ]);
}

function belongs(each: Outlier, leader: Outlier): boolean {
  const [less, more] = each.count < leader.count ? [each.count, leader.count] : [leader.count, each.count];
  const isOfTrouble = leader.field === ORIGIN_TROUBLE && (each.field === 'status' || each.field === 'cache');
  if (isOfTrouble) return together(each, leader) >= BELONGS.contained * each.count;
  return less >= BELONGS.size * more && together(each, leader) >= BELONGS.contained * less;
}

/**
 * What nobody's name stands out in may still be of one place: its rows have a name in common that the others have not,
 * such as the page that a rule refuses wrongly and that is asked for no more than ever.
 */
function withPlaces(
  { rows, values }: Sample,
  own: readonly Outlier[],
  usual: (key: string) => number,
): readonly Outlier[] {
  const [first] = own;
  if (!first || own.some(isNaming)) return own;
  const places = values.filter(isNaming).flatMap((each) => {
    const both = together(each, first);
    const elsewhere = Math.max((each.count - both) / (rows - first.count), LEAST_SHARE);
    if (both < BELONGS.contained * first.count || both < OUTLIER.factor * elsewhere * first.count) return [];
    const g2 = surprise(both, first.count, elsewhere);
    return g2 < OUTLIER.g2 ? [] : [{ ...each, usual: usual(each.key), g2 }];
  });
  return [...own, ...places];
}

function isPartOf(each: Outlier, name: Outlier): boolean {
  return isNaming(name) && together(each, name) >= BELONGS.contained * each.count;
}

/** Whether it is an origin that fails. */
export function isOfOrigin({ values }: AnomalyWindow): boolean {
  return values.some(({ field }) => field === ORIGIN_TROUBLE);
}

function isNaming({ field }: SampledValue): boolean {
  return NAMING.includes(field);
}

/** More of what is served well is no matter by itself: it is what is left when something else is over. */
function isWell({ field, value }: Outlier): boolean {
  return (
    (field === 'cache' && /^(?:HIT|REVALIDATED|-)$/.test(value)) ||
    (field === 'status' && /^[23]/.test(value))
  );
}

/** The name that a matter goes by must be in both; where it has none, anything in common will do. */
function isContinued(chain: readonly Strand[], next: Strand): boolean {
  const last = chain.at(-1);
  if (!last || last.at >= next.at) return false;
  const has = (strand: Strand, { key }: Outlier) => strand.outliers.some((each) => each.key === key);
  const [a, b] = [last.leader, next.leader];
  if (!a || !b) return a === b;
  if ((isNaming(a) && !has(next, a)) || (isNaming(b) && !has(last, b))) return false;
  return next.outliers.some((each) => has(last, each));
}

function anomalyWindowOf(chain: readonly Strand[]): AnomalyWindow {
  const rows = chain.reduce((sum, { sample }) => sum + sample.rows, 0);
  const byKey = Map.groupBy(
    chain.flatMap(({ outliers }) => outliers),
    ({ key }) => key,
  );
  const values = [...byKey.values()].flatMap((parts): AnomalyValue[] => {
    const [first] = parts;
    if (!first) return [];
    const { field, value, usual } = first;
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const g2 = Math.max(...parts.map((part) => part.g2));
    return [{ field, value, count, share: count / rows, usual, g2 }];
  });
  const factors = chain.flatMap(({ rateFactor }) => (rateFactor === null ? [] : [rateFactor]));
  const order = (field: SampledField) => (field === ORIGIN_TROUBLE ? -1 : SAMPLED_FIELDS.indexOf(field));
  return {
    from: Math.min(...chain.map(({ sample }) => sample.from)),
    to: Math.max(...chain.map(({ sample }) => sample.to)),
    samples: chain.length,
    rows,
    values: values.toSorted((a, b) => order(a.field) - order(b.field) || b.g2 - a.g2),
    // What goes by its time has no value that leads into all of it.
    leader: chain.every(({ leader }) => leader === null)
      ? null
      : (values.toSorted((a, b) => b.g2 - a.g2)[0] ?? null),
    rateFactor: factors.length > 0 ? Math.max(...factors) : null,
  };
}
