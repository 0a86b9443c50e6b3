import { countApart } from '../../differing.ts';
import type { LogRecord } from '../../log.ts';
import { isTrouble, ORIGIN_TROUBLE } from '../../logs/counted/row-marks.ts';
import type { CountedStep, ValuePair } from '../../logs/counts.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
import { LOG_FIELDS } from '../../query/fields.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Met } from '../inquiry/inquiry.ts';

/** Fields whose values are looked at, those first that tell most of who or what it was. */
export const SAMPLED_FIELDS = [
  'page',
  'asn',
  'ja4',
  'ip',
  'status',
  'cache',
  'country',
  'ua',
  'host',
  'edge',
] as const;

export type SampledField = (typeof SAMPLED_FIELDS)[number] | typeof ORIGIN_TROUBLE;

/** One value in one sample, and which of the sample's rows have it; of rows that were counted `pairs`: how many have each other value. */
export type SampledValue = {
  key: string;
  field: SampledField;
  value: string;
  count: number;
  rows: RowSet;
  pairs?: ReadonlyMap<string, number>;
};

export type Sample = {
  /** The part of the window that it stands for. */
  from: number;
  to: number;
  rows: number;
  /** How much of that time its rows are of, ms. */
  span: number;
  /** Requests a second while it was taken; null when it has too little to tell. */
  rate: number | null;
  sums: CacheSums;
  /** What at least `LEAST_SHARE` of its rows have. */
  values: readonly SampledValue[];
};

/** Bits, a row each. */
type RowSet = Uint32Array;

/** A value that fewer rows of a sample have is not kept of it: it counts as this share at most. */
export const LEAST_SHARE = 0.02;

/** The rows of a sample that count, of so much time, ms; it stands for the whole range. */
export function sampleOf(range: TimeRange, span: number, records: readonly LogRecord[]): Sample {
  const sums = noCacheSums();
  for (const record of records) addRecord(sums, record);
  const least = records.length * LEAST_SHARE;
  const found = [
    ...SAMPLED_FIELDS.flatMap((field) => {
      const { get } = LOG_FIELDS[field];
      const texts = records.map((record) => {
        const value = get(record);
        return value === null || value === '' ? null : String(value);
      });
      return valuesOf(field, texts, least);
    }),
    ...valuesOf(
      ORIGIN_TROUBLE,
      records.map(({ statusCode, cacheStatus }) => (isTrouble(statusCode, cacheStatus) ? '' : null)),
      least,
    ),
  ];
  return {
    ...figuresOf(range, span, sums),
    values: found.toSorted((a, b) => a.first - b.first).map(({ value }) => value),
  };
}

/** Whether samples have all rows of the times that they stand for. */
export function areWhole(samples: readonly Sample[]): boolean {
  return samples.every(({ from, to, span }) => span >= to - from);
}

/** The rows of an answer that count, and the time that they are of, `span` ms of it read. */
export function partRead(
  range: TimeRange,
  { records, hasMore, gone }: Extract<Met, { kind: 'logs' }>,
  matches: (record: LogRecord) => boolean,
): TimeRange & { span: number; records: readonly LogRecord[] } {
  const from = gone?.to ?? range.from;
  const readTo = hasMore ? (records.at(-1)?.timestamp ?? from) : range.to;
  return { from, to: range.to, span: readTo - from, records: records.filter(matches) };
}

function figuresOf(range: TimeRange, span: number, sums: CacheSums): Omit<Sample, 'values'> {
  const { requests: rows } = sums;
  return { ...range, rows, span, sums, rate: span > 0 && rows > 0 ? (rows * 1000) / span : null };
}

/**
 * A sample of all rows of a step, which were counted elsewhere; `span`: of how much of the step, ms. Of values that few rows have
 * together the number is not known, and counts as 0.
 */
export function sampleOfCounts(
  range: TimeRange,
  span: number,
  { sums, values }: Pick<CountedStep, 'sums' | 'values'>,
  pairs: readonly ValuePair[],
): Sample {
  const both = new Map<string, Map<string, number>>();
  for (const { fields, values: two, count } of pairs) {
    const [a, b] = [keyOf(fields[0], two[0]), keyOf(fields[1], two[1])];
    for (const [key, other] of [[a, b] as const, [b, a] as const])
      both.set(key, (both.get(key) ?? new Map<string, number>()).set(other, count));
  }
  return {
    ...figuresOf(range, span, sums),
    values: values.map(({ field, value, count }) => {
      const key = keyOf(field, value);
      const known = { key, count, rows: NO_ROWS, pairs: both.get(key) ?? NO_PAIRS };
      return { ...known, field: field as SampledField, value: field === ORIGIN_TROUBLE ? '' : value };
    }),
  };
}

const NO_ROWS: RowSet = new Uint32Array();
const NO_PAIRS: ReadonlyMap<string, number> = new Map();

function keyOf(field: string, value: string): string {
  return `${field} ${field === ORIGIN_TROUBLE ? '' : value}`;
}

/** How many rows of a sample have both values. */
export function together(a: SampledValue, b: SampledValue): number {
  if (a.pairs !== undefined) return a.key === b.key ? a.count : (a.pairs.get(b.key) ?? 0);
  return a.rows.reduce((sum, bits, at) => sum + bitsIn(bits & (b.rows[at] ?? 0)), 0);
}

/**
 * The values of a field that at least so many rows have, and the first row of each. Most values are of a row or two, so
 * they are counted before anything is made for them.
 */
function valuesOf(
  field: SampledField,
  texts: readonly (string | null)[],
  least: number,
): { first: number; value: SampledValue }[] {
  const counts = new Map<string, number>();
  for (const text of texts) if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  const found = new Map<string, { first: number; value: SampledValue }>();
  for (const [value, count] of counts) {
    if (count < least) continue;
    const rows = new Uint32Array((texts.length + 31) >> 5);
    found.set(value, { first: -1, value: { key: `${field} ${value}`, field, value, count, rows } });
  }
  texts.forEach((text, row) => {
    const known = text === null ? undefined : found.get(text);
    if (known === undefined) return;
    if (known.first < 0) known.first = row;
    const { rows } = known.value;
    rows[row >> 5] = (rows[row >> 5] ?? 0) | (1 << (row & 31));
  });
  return [...found.values()];
}

function bitsIn(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/**
 * When the rows of a filter stand out by their number: so many times the usual rate, and too much for chance. A filter
 * may be the symptom itself: its rows are few until something happens, and then all that they have in common is new.
 */
const DENSE = { rows: 10, factor: 3, g2: 25 } as const;

type Density = { factor: (sample: Sample) => number | null; isDense: (sample: Sample) => boolean };

/** Where a filter has far more rows than in its median sample; one without a row counts, too. */
export function densityOf(samples: readonly Sample[]): Density {
  const perMs = new Float64Array(samples.flatMap(({ rows, span }) => (span > 0 ? rows / span : []))).sort();
  const median = perMs[perMs.length >> 1] ?? 0;
  // A filter that has no row in most samples is compared with one row a sample.
  const expected = ({ from, to, span }: Sample) => Math.max(median, 1 / Math.max(1, to - from)) * span;
  const factor = (sample: Sample) => (sample.span > 0 ? sample.rows / expected(sample) : null);
  return {
    factor,
    isDense(sample) {
      const { rows } = sample;
      const usual = expected(sample);
      if (rows < DENSE.rows || (factor(sample) ?? 0) < DENSE.factor) return false;
      return countApart(rows, usual) >= DENSE.g2;
    },
  };
}

/** Samples on either side that a rate is compared with: traffic follows the hour. */
const RATE_SIDE = 15;

/** The samples around one, and itself. */
export function samplesAround(samples: readonly Sample[], at: number): readonly Sample[] {
  return samples.slice(Math.max(0, at - RATE_SIDE), at + RATE_SIDE + 1);
}

/** How many times the median rate of others that of a sample is; null where one of them is not known. */
export function rateFactor({ rate }: Sample, others: readonly Sample[]): number | null {
  const around = new Float64Array(others.flatMap((sample) => sample.rate ?? [])).sort();
  const median = around[around.length >> 1];
  return rate === null || !median ? null : rate / median;
}

/** The share that a value has in an ordinary sample. */
export function usualShares(samples: readonly Sample[]): (key: string) => number {
  const shares = new Map<string, number[]>();
  for (const { rows, values } of samples) {
    for (const { key, count } of values) {
      const known = shares.get(key);
      if (known) known.push(count / rows);
      else shares.set(key, [count / rows]);
    }
  }
  const medians = new Map<string, number>();
  return (key) => {
    const known = medians.get(key);
    if (known !== undefined) return known;
    const there = shares.get(key) ?? [];
    // A sample without the value counts as 0.
    const middle = there.length - Math.ceil(samples.length / 2);
    const median = middle < 0 ? 0 : (new Float64Array(there).sort()[middle] ?? 0);
    medians.set(key, median);
    return median;
  };
}
