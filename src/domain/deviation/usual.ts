import { MINUTE } from '../../text/units.ts';
import { countApart } from '../differing.ts';
import { ratioOf } from '../logs/sums/traffic.ts';
import { type TimeRange, timeShared } from '../tail/coverage.ts';
import { HARM_IDS, type HarmId, MARKS } from './harms.ts';
import {
  answeredLevel,
  FIELDS,
  fieldPlace,
  otherTimes,
  type Part,
  type Places,
  type Population,
  placesWithin,
} from './sampled-rows.ts';
import type { Stretch } from './stretch.ts';

/** How much of a time was read, ms. */
export function timeRead({ parts }: Population, range: TimeRange): number {
  const read = parts.map(({ from, readTo }) => ({ from, to: Math.max(from, readTo) }));
  return timeShared(range, read);
}

/** Requests a second of a time, over as much of it as was read; null: nothing was. */
export function rateOf(population: Population, range: TimeRange): number | null {
  return ratioOf(answeredLevel(population, range).rows * 1000, timeRead(population, range));
}

/** The middle of some numbers; of none 0. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The numbers of which a quarter are less, and a quarter more; of two or three the least and the most. */
export function quartiles(values: readonly number[]): [low: number, high: number] {
  const sorted = values.toSorted((a, b) => a - b);
  return [sorted[values.length >> 2] ?? 0, sorted[(3 * values.length) >> 2] ?? 0];
}

/** Requests a second of a sample; null: no time of it was read. */
export function rateIn({ from, readTo, first, end }: Part): number | null {
  return readTo > from ? ((end - first) * 1000) / (readTo - from) : null;
}

/** Requests a second of each sample. */
export function ratesOf(parts: readonly Part[]): number[] {
  return parts.flatMap((part) => rateIn(part) ?? []);
}

/** Samples that differ so many times are not even. */
const UNEVEN = 2;

/** Whether devices that report on the minute, or other bursts, do not make the rate of a sample that of its seconds. */
export function areEven(rates: readonly number[]): boolean {
  const [low, high] = quartiles(rates);
  return high < UNEVEN * low;
}

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
  const middle = median(parts.flatMap((part) => rateIn(part) ?? []));
  // A filter that has no row in most samples is compared with one row a sample.
  const expected = ({ from, to, readTo }: Part) =>
    (Math.max(middle, 1000 / Math.max(1, to - from)) * (readTo - from)) / 1000;
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

/** What comes in bursts, on the minute, say, is as clear in samples of other times: it is news where it is so many times as clear. */
export const BURST = 2;

/** A sample of fewer rows tells no share. */
export const LEAST_TELLING = 30;

/** So many samples of other times tell a usual share, and of fewer so many rows together. */
const USUAL = { samples: 3, rows: 100 } as const;

/** Where no other time was read, parts of the window tell what is usual: of so many rows each, and so many of them. */
const CHUNKS = { rows: 50, least: 4, most: 12 } as const;

/** What other times say of such rows: their share, and how far it moves from one time to another. */
export type Usual = { share: number; spread: number };

/** The share of such rows at other times: the middle of their samples. Null: too few rows of other times tell. */
export function usualOf(known: Population, hits: Places): Usual | null {
  const before = otherTimes(known);
  const chunks = before.map(({ first, end }) => ({
    rows: end - first,
    hits: placesWithin(hits, first, end).length,
  }));
  const telling = chunks.filter((chunk) => chunk.rows >= LEAST_TELLING);
  if (telling.length >= USUAL.samples) return middleOf(telling);
  const all = totalOf(before, hits);
  if (all.rows >= USUAL.rows) return { share: all.hits / all.rows, spread: 0 };
  return before.length > 0 ? null : usualWithin(known, hits);
}

/** Where nothing else was read: what lasts for less than half of the window does not hide itself. */
function usualWithin({ length: end, windowAt }: Population, hits: Places): Usual | null {
  const rows = end - windowAt;
  const length = Math.max(CHUNKS.rows, Math.ceil(rows / CHUNKS.most));
  const chunks = Array.from({ length: Math.floor(rows / length) }, (_, n) => {
    const from = windowAt + n * length;
    return { rows: length, hits: placesWithin(hits, from, from + length).length };
  });
  return chunks.length < CHUNKS.least ? null : middleOf(chunks);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function middleOf(chunks: readonly { rows: number; hits: number }[]): Usual {
  const share = median(chunks.map(({ rows, hits }) => hits / rows));
  return { share, spread: 1.48 * median(chunks.map(({ rows, hits }) => Math.abs(hits / rows - share))) };
}

/** The rows of some samples, those of a candidate among them, and the time that was read for them, ms. */
export function totalOf(parts: readonly Part[], hits: Places): { rows: number; hits: number; time: number } {
  return {
    rows: sum(parts.map(({ first, end }) => end - first)),
    hits: sum(parts.map(({ first, end }) => placesWithin(hits, first, end).length)),
    time: sum(parts.map(({ from, readTo }) => Math.max(0, readTo - from))),
  };
}

/** A visit is requests of one client within so long, ms: a page and all that is on it, or several where it is asked who sends. */
const VISIT = { page: 10_000, pages: 60_000 } as const;

/** `rows`: how many the visit of a row has in the mean. `isOne`: all are of one client. */
type Visits = { count: number; rows: number; isOne: boolean };

/** The visits that some rows are. Where addresses are not logged, a fingerprint stands for them. */
export function visitsOf({ times, names, values }: Population, places: Places, isOfSender = false): Visits {
  const clients = places.map((place) => {
    const [address, ja4] = [names[place * FIELDS + IP] as number, names[place * FIELDS + JA4] as number];
    return address < 0 ? ja4 : address;
  });
  const isOne = clients.every((client) => client === clients[0]);
  const within = isOfSender && !isOne ? VISIT.pages : VISIT.page;
  const visits = new Map<number, number>();
  places.forEach((place, n) => {
    const client = clients[n] as number;
    const of = client < 0 ? -1 - place : client + values * Math.floor((times[place] as number) / within);
    visits.set(of, (visits.get(of) ?? 0) + 1);
  });
  const squares = sum([...visits.values()].map((rows) => rows * rows));
  return { count: visits.size, rows: places.length === 0 ? 1 : squares / places.length, isOne };
}

/** Who reads pauses: a client who is no reader comes so often, in so many samples or for so long, ms, and is there for so much of that. */
const STEADY = { visits: 4, samples: 4, length: 2 * MINUTE, part: 0.75 } as const;

/** Whether one client who came so often in a time is no reader. */
export function isSteady(known: Population, { count }: Visits, range: TimeRange): boolean {
  const time = timeRead(known, range);
  const samples = known.parts.filter(({ from, readTo }) => from < range.to && readTo > range.from).length;
  const isLong = samples >= STEADY.samples || time >= STEADY.length;
  return isLong && count >= STEADY.visits && count * VISIT.page >= STEADY.part * time;
}

const [IP, JA4] = [fieldPlace('ip'), fieldPlace('ja4')];
