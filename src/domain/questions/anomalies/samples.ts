import type { LogRecord } from '../../log.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
import { LOG_FIELDS } from '../../query/fields.ts';
import type { TimeRange } from '../../tail/coverage.ts';

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

export type SampledField = (typeof SAMPLED_FIELDS)[number] | typeof TROUBLE;

/** Not a field: rows answered 5xx, or from a cache whose origin did not answer, which are one trouble under many names. */
export const TROUBLE = 'trouble';

/** One value in one sample, and which of the sample's rows have it. */
export type SampledValue = { key: string; field: SampledField; value: string; count: number; rows: RowSet };

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

/** The rows of a sample that count, of all that came before `readTo`; it stands for the whole range. */
export function sampleOf(range: TimeRange, readTo: number, records: readonly LogRecord[]): Sample {
  const found = new Map<string, SampledValue>();
  const sums = noCacheSums();
  records.forEach((record, row) => {
    addRecord(sums, record);
    for (const field of SAMPLED_FIELDS) {
      const value = LOG_FIELDS[field].get(record);
      if (value !== null && value !== '') marked(found, field, String(value), row, records.length);
    }
    if (isTrouble(record)) marked(found, TROUBLE, '', row, records.length);
  });
  const least = records.length * LEAST_SHARE;
  const span = readTo - range.from;
  return {
    ...range,
    rows: records.length,
    span,
    sums,
    rate: span > 0 && records.length > 0 ? (records.length * 1000) / span : null,
    values: [...found.values()].filter(({ count }) => count >= least),
  };
}

/** How many rows of a sample have both values. */
export function together(a: SampledValue, b: SampledValue): number {
  return a.rows.reduce((sum, bits, at) => sum + bitsIn(bits & (b.rows[at] ?? 0)), 0);
}

function marked(
  found: Map<string, SampledValue>,
  field: SampledField,
  value: string,
  row: number,
  rows: number,
): void {
  const key = `${field} ${value}`;
  const known = found.get(key) ?? { key, field, value, count: 0, rows: new Uint32Array((rows + 31) >> 5) };
  known.count++;
  known.rows[row >> 5] = (known.rows[row >> 5] ?? 0) | (1 << (row & 31));
  found.set(key, known);
}

function isTrouble({ statusCode, cacheStatus }: LogRecord): boolean {
  return statusCode >= 500 || cacheStatus === 'STALE' || cacheStatus === 'UPDATING';
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
      return 2 * (rows * Math.log(rows / usual) - (rows - usual)) >= DENSE.g2;
    },
  };
}
