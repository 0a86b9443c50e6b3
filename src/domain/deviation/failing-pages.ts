import { apart } from '../differing.ts';
import { MORE } from '../thresholds.ts';
import { MARKS } from './harms.ts';
import { nameThatSplits } from './names.ts';
import {
  FIELDS,
  fieldPlace,
  hasName,
  type Name,
  type Places,
  type Population,
  placesWhere,
  placesWithin,
  type SampledRows,
  usualRows,
  valueCounts,
} from './sampled-rows.ts';
import { visitsOf } from './usual.ts';

/**
 * Pages of one kind that are answered well at other times, and not now. `rows`: of them in the samples of the window; `status`: what most
 * that fail are answered with, null where they are fetched from the origin.
 */
export type FailingPages = { name: Name; failed: number; rows: number; status: string | null };

/** So much of them fails, in so many visits and samples; and at other times all but so little is well, of so many requests. */
type Failing = {
  isFailed: (marks: number) => boolean;
  isWell: (marks: number) => boolean;
  share: number;
  visits: number;
  samples: number;
  usual: number;
  rowsBefore: number;
};

const answered = (mark: number): Failing => ({
  isFailed: (marks) => (marks & mark) !== 0,
  isWell: (marks) => (marks & mark) === 0,
  ...{ share: 0.3, visits: 5, samples: 1, usual: 0.05, rowsBefore: 10 },
});

/** A page that is fetched anew misses for as long as that takes. */
const FETCHED: Failing = {
  isFailed: (marks) => (marks & MARKS.misses) !== 0,
  isWell: (marks) => (marks & MARKS.edge) !== 0,
  ...{ share: 0.5, visits: 20, samples: 3, usual: 0.2, rowsBefore: 30 },
};

/**
 * The pages of one kind that fail most surely, be they one of a thousand requests: by its share of all a checkout is nothing. Null: no
 * pages that were well fail.
 */
export function failingPages(sampled: SampledRows, known: Population): FailingPages | null {
  return (
    failingWith(sampled, known, answered(MARKS.error)) ??
    failingWith(sampled, known, answered(MARKS.clientError)) ??
    failingWith(sampled, known, FETCHED)
  );
}

/** What most rows of the window that failed have, and others not; `of`: of so many. Null: they are like all others. */
export type FailingMost = { name: Name; failed: number; of: number };

export function failingMost(sampled: SampledRows, known: Population): FailingMost | null {
  const { windowAt, length, marks } = known;
  const hits = placesWhere(known, (place) => ((marks[place] as number) & MARKS.error) !== 0);
  const code = nameThatSplits(known, { first: windowAt, end: length, hits }, true);
  if (code === null) return null;
  const own = placesWithin(hits, windowAt, length);
  const name = sampled.nameOf(code);
  const failed = own.filter((place) => hasName(known, place, code)).length;
  return failed * 2 < own.length ? null : { name, failed, of: own.length };
}

function failingWith(sampled: SampledRows, known: Population, failing: Failing): FailingPages | null {
  const { windowAt, length, marks, names, parts } = known;
  const shape = fieldPlace('shape');
  const isFailed = (place: number) => failing.isFailed(marks[place] as number);
  const isWell = (place: number) => failing.isWell(marks[place] as number);
  const usual = usualRows(known, { first: windowAt, end: length });
  const now = placesWhere(known, (place) => place >= windowAt);
  const before = placesWhere(known, (place) => usual.some(({ first, end }) => place >= first && place < end));
  const counted = (places: Places) => valueCounts(known, places, [shape]);
  const [rows, rowsBefore] = [counted(now), counted(before)];
  const failedBefore = counted(before.filter((place) => !isWell(place)));
  const [worst] = [...counted(now.filter(isFailed))]
    .map(([code, failed]) => {
      const is = { part: failed, of: rows.get(code) ?? 0 };
      const was = { part: failedBefore.get(code) ?? 0, of: rowsBefore.get(code) ?? 0 };
      return { code, is, was, g2: apart(is, was) ?? 0 };
    })
    .filter(
      ({ is, was, g2 }) =>
        is.part >= failing.share * is.of &&
        was.of >= failing.rowsBefore &&
        was.part <= failing.usual * was.of &&
        g2 >= MORE.g2,
    )
    .toSorted((a, b) => b.g2 - a.g2);
  if (worst === undefined) return null;
  const own = now.filter((place) => isFailed(place) && names[place * FIELDS + shape] === worst.code);
  const having = parts.filter(({ first, end }) => placesWithin(own, first, end).length > 0);
  if (having.length < failing.samples || visitsOf(known, own).count < failing.visits) return null;
  const [status] = [...valueCounts(known, own, [fieldPlace('status')])].toSorted(([, a], [, b]) => b - a);
  return {
    name: sampled.nameOf(worst.code),
    failed: worst.is.part,
    rows: worst.is.of,
    status: status === undefined || failing === FETCHED ? null : sampled.nameOf(status[0]).value,
  };
}
