import type { Sample } from './samples.ts';

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
