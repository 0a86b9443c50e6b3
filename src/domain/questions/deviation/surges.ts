import { countApart } from '../../differing.ts';
import { HARM_IDS, type HarmId, MARKS } from './harms.ts';
import type { Part, Population } from './population.ts';
import type { Stretch } from './stretch.ts';
import { rateIn } from './volume.ts';

/**
 * When the rows of a filter stand out by their number: so many in a sample, so many times the usual rate, and too much for chance (χ² at
 * p = 6e-7). A filter may be the symptom itself: its rows are few until something happens, and then all of them are alike.
 */
const DENSE = { rows: 10, factor: 3, g2: 25 } as const;

/** Most of the rows: they are told by how they were answered. */
const MOST = 0.5;

/** Samples in a row that have far more rows of a filter than usual. `times`: so many times as many come. */
export type Surge = { harm: HarmId | 'surge'; times: number; stretch: Stretch; parts: readonly Part[] };

/** Where a filter has far more rows than in its median sample, the oldest first; one sample between two may have missed it. */
export function surgesOf({ parts, marks, times: at, windowAt }: Population): Surge[] {
  const rates = parts.flatMap((part) => rateIn(part) ?? []).toSorted((a, b) => a - b);
  const median = rates[rates.length >> 1] ?? 0;
  // A filter that has no row in most samples is compared with one row a sample.
  const expected = ({ from, to, readTo }: Part) =>
    (Math.max(median, 1000 / Math.max(1, to - from)) * (readTo - from)) / 1000;
  const isDense = (part: Part) => {
    const [rows, usual] = [part.end - part.first, expected(part)];
    return (
      part.first >= windowAt &&
      rows >= DENSE.rows &&
      rows >= DENSE.factor * usual &&
      countApart(rows, usual) >= DENSE.g2
    );
  };
  const runs: [first: number, last: number][] = [];
  parts.forEach((part, n) => {
    if (!isDense(part)) return;
    const run = runs.at(-1);
    if (run && run[1] >= n - 2) run[1] = n;
    else runs.push([n, n]);
  });
  return runs.map(([from, to]): Surge => {
    const own = parts.slice(from, to + 1);
    const [first, last] = [(own[0] as Part).first, (own.at(-1) as Part).end - 1];
    const rows = last - first + 1;
    const usual = own.reduce((sum, part) => sum + expected(part), 0);
    const next = parts[to + 1];
    const isOf = (id: HarmId) =>
      marks.subarray(first, last + 1).filter((mark) => mark & MARKS[id]).length >= rows * MOST;
    return {
      harm: HARM_IDS.find(isOf) ?? 'surge',
      times: rows / usual,
      parts: own,
      stretch: {
        ...{ first, last, hits: rows, score: countApart(rows, usual) / 2, share: 1 - usual / rows },
        begin: { after: parts[from - 1]?.from ?? null, before: at[first] as number },
        end: next ? { after: at[last] as number, before: next.readTo } : null,
      },
    };
  });
}
