import { apart } from '../differing.ts';
import { MORE } from '../thresholds.ts';
import { MARKS } from './harms.ts';
import {
  FIELDS,
  fieldPlace,
  type Name,
  type Places,
  type Population,
  placesWhere,
  type SampledRows,
  usualRows,
  valueCounts,
} from './sampled-rows.ts';
import { visitsOf } from './usual.ts';

/** Pages of one kind that are answered well at other times, and not now. `rows`: of them in the samples of the window. */
export type FailingPages = { name: Name; failed: number; rows: number; status: string };

/** So much of them fails, in so many visits; and at other times so little, of so many requests. */
const FAILS = { share: 0.3, visits: 5, usual: 0.05, rowsBefore: 10 } as const;

/**
 * The pages of one kind that fail most surely, be they one of a thousand requests: by its share of all a checkout is nothing. Null: no
 * pages that were well fail.
 */
export function failingPages(sampled: SampledRows, known: Population): FailingPages | null {
  return failingWith(sampled, known, MARKS.error) ?? failingWith(sampled, known, MARKS.clientError);
}

function failingWith(sampled: SampledRows, known: Population, mark: number): FailingPages | null {
  const { windowAt, length, marks, names } = known;
  const shape = fieldPlace('shape');
  const isFailed = (place: number) => ((marks[place] as number) & mark) !== 0;
  const usual = usualRows(known, { first: windowAt, end: length });
  const now = placesWhere(known, (place) => place >= windowAt);
  const before = placesWhere(known, (place) => usual.some(({ first, end }) => place >= first && place < end));
  const counted = (places: Places) => valueCounts(known, places, [shape]);
  const [rows, rowsBefore] = [counted(now), counted(before)];
  const failedBefore = counted(before.filter(isFailed));
  const [worst] = [...counted(now.filter(isFailed))]
    .map(([code, failed]) => {
      const is = { part: failed, of: rows.get(code) ?? 0 };
      const was = { part: failedBefore.get(code) ?? 0, of: rowsBefore.get(code) ?? 0 };
      return { code, is, was, g2: apart(is, was) ?? 0 };
    })
    .filter(
      ({ is, was, g2 }) =>
        is.part >= FAILS.share * is.of &&
        was.of >= FAILS.rowsBefore &&
        was.part <= FAILS.usual * was.of &&
        g2 >= MORE.g2,
    )
    .toSorted((a, b) => b.g2 - a.g2);
  if (worst === undefined) return null;
  const own = now.filter((place) => isFailed(place) && names[place * FIELDS + shape] === worst.code);
  if (visitsOf(known, own).count < FAILS.visits) return null;
  const [status] = [...valueCounts(known, own, [fieldPlace('status')])].toSorted(([, a], [, b]) => b - a);
  return {
    name: sampled.nameOf(worst.code),
    failed: worst.is.part,
    rows: worst.is.of,
    status: status === undefined ? '' : sampled.nameOf(status[0]).value,
  };
}
