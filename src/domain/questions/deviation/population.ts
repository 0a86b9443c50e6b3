import type { TimeRange } from '../../tail/coverage.ts';
import { MARKS } from './harms.ts';
import { NAME_FIELDS, type Sample, type SampledRows } from './sampled-rows.ts';

/** Rows by their places among all, in their order. */
export type Places = Int32Array;

/** A sample, and from where up to where its rows are among all. */
export type Part = Pick<Sample, 'side' | 'from' | 'to' | 'readTo'> & { first: number; end: number };

/** All rows that were sampled, in the order of time, in columns; see `Sample`. */
export type Population = {
  parts: readonly Part[];
  length: number;
  times: Float64Array;
  marks: Uint16Array;
  names: Int32Array;
  urls: Int32Array;
  /** The first rows of samples before which time was not read. */
  starts: ReadonlySet<number>;
  /** The first row that is of the window. */
  windowAt: number;
  /** How many values the rows have: their numbers are below it. */
  values: number;
};

/** How many rows there are, and how many of them were answered how. */
export type Level = { rows: number; errors: number; clientErrors: number; edge: number; origin: number };

export const FIELDS = NAME_FIELDS.length;

export function populationOf(sampled: SampledRows, window: TimeRange): Population {
  return gathered(sampled.samples, window, sampled.values);
}

/** The same without some of the parts. */
export function withoutParts(known: Population, parts: ReadonlySet<Part>, window: TimeRange): Population {
  if (parts.size === 0) return known;
  const { times, marks, names, urls } = known;
  const left = known.parts.filter((part) => !parts.has(part));
  const samples = left.map(({ first, end, ...part }) => ({
    ...part,
    times: times.subarray(first, end),
    marks: marks.subarray(first, end),
    names: names.subarray(first * FIELDS, end * FIELDS),
    urls: urls.subarray(first, end),
  }));
  return gathered(samples, window, known.values);
}

function gathered(samples: readonly Sample[], window: TimeRange, values: number): Population {
  const length = samples.reduce((sum, { times }) => sum + times.length, 0);
  const times = new Float64Array(length);
  const marks = new Uint16Array(length);
  const names = new Int32Array(length * FIELDS);
  const urls = new Int32Array(length);
  const starts = new Set<number>();
  let first = 0;
  const parts = samples.map((sample, at): Part => {
    const { side, from, to, readTo } = sample;
    times.set(sample.times, first);
    marks.set(sample.marks, first);
    names.set(sample.names, first * FIELDS);
    urls.set(sample.urls, first);
    const end = first + sample.times.length;
    const isAfterGap = from > (samples[at - 1]?.readTo ?? from);
    if (isAfterGap && end > first) starts.add(first);
    const part = { side, from, to, readTo, first, end };
    first = end;
    return part;
  });
  return {
    parts,
    length,
    times,
    marks,
    names,
    urls,
    starts,
    windowAt: firstFrom(times, window.from),
    values,
  };
}

/** The places of rows from one up to another. */
export function placesWithin(places: Places, from: number, end: number): Places {
  return places.subarray(firstFrom(places, from), firstFrom(places, end));
}

/** The first place in a sorted list whose item is no less. */
function firstFrom(sorted: Float64Array | Int32Array, least: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function placesWhere({ length }: Population, test: (place: number) => boolean): Places {
  const found: number[] = [];
  for (let place = 0; place < length; place++) if (test(place)) found.push(place);
  return Int32Array.from(found);
}

/** How the rows of a time were answered. */
export function answeredLevel(
  { times, marks }: Pick<Population, 'times' | 'marks'>,
  { from, to }: TimeRange,
): Level {
  const [first, end] = [firstFrom(times, from), firstFrom(times, to)];
  return levelOfMarks(marks.subarray(first, end));
}

export function levelOfMarks(marks: Uint16Array): Level {
  const level = { rows: marks.length, errors: 0, clientErrors: 0, edge: 0, origin: 0 };
  for (const own of marks) {
    if (own & MARKS.error) level.errors++;
    if (own & MARKS.clientError) level.clientErrors++;
    if (own & MARKS.edge) level.edge++;
    if (own & MARKS.origin) level.origin++;
  }
  return level;
}
