import { MINUTE } from '../../text/units.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { HARM_IDS, HARMS, type HarmId, type Judgement, MARKS, PAGE, SENDER } from './harms.ts';
import { commonNames, nameThatSplits, SENDERS, setOf } from './names.ts';
import {
  FIELDS,
  fieldPlace,
  type Name,
  type NameField,
  type Places,
  type Population,
  placesWhere,
  placesWithin,
  type SampledRows,
  valueCounts,
  withoutParts,
} from './sampled-rows.ts';
import {
  pauseBetween,
  pauseOf,
  type RowSegment,
  type Stretch,
  segmentOf,
  segmentShare,
  stretchOf,
} from './stretch.ts';
import { median, type Surge, surgesOf } from './volume.ts';

/** What differs from the usual, or is bad however usual it is, in rows of its own: those of the window. */
export type Deviation = AnsweredRows & {
  harm: HarmId | 'sender' | 'surge';
  /** So many times as many of the rows of a filter come as usual, where it stands out by that; null: it does by its share. */
  times: number | null;
  /** Values that its rows have in common and others have not, what says most first. */
  names: readonly Name[];
  stretch: Stretch;
  /** What share of the requests was such at other times; null: no other time tells. */
  usual: number | null;
  /** Samples of the window that have some of them. */
  samples: number;
  /** It stops and begins again within the window, for so long, ms; null: it does not. */
  pause: number | null;
};

/** Whoever sends so much of the rows of a harm is the cause of it. */
const MOST_SENT = 0.7;
const SENDERS_OF_ALL = [...SENDERS, 'ua' as const].map(fieldPlace);

type Options = Pick<RowsSearched, 'isFiltered' | 'apart'> & {
  window: TimeRange;
  /** The rows are those of a filter, so that their number may be what stands out. */
  isOfSome: boolean;
  /** More of them would be a list of symptoms. */
  most: number;
};

/** What stands out of a window: of rows of a filter first where there are far more of them than usual, and then among the others. */
export function deviationsOf(sampled: SampledRows, all: Population, options: Options): Deviation[] {
  const { isOfSome, window, isFiltered, apart, most } = options;
  const surges = isOfSome ? surgesOf(all) : [];
  const population = withoutParts(all, new Set(surges.flatMap(({ parts }) => parts)), window);
  const known = { ...population, sampled, isFiltered, apart, taken: new Uint8Array(population.length) };
  return [
    ...surges.map((surge) => surging(sampled, all, surge)),
    ...joined(foundIn(known, most)).map(({ taken: _, places, ...found }) => ({
      ...found,
      ...answeredRows(sampled, population, places),
    })),
  ];
}

type Searched = RowsSearched & { sampled: SampledRows };

/**
 * The clearest first, and when its rows are taken out the clearest of what is left. So two that go on at once are told apart by their
 * rows, and none is told twice.
 */
function foundIn(known: Searched, most: number): Found[] {
  const found: Found[] = [];
  let standings = standingsOf(known);
  while (found.length < most) {
    const best = clearest(known, standings);
    if (best === null) break;
    found.push(best);
    for (const place of best.taken) known.taken[place] = 1;
    standings = standings.map((each) => standingLeft(known, each));
  }
  return found;
}

/** `places`: of its rows within the window; `taken`: of those before it, too. */
type Found = Omit<Deviation, keyof AnsweredRows> & { places: Places; taken: Places };

/** So little time apart what is of one kind and name is one that pauses, ms. */
const JOINED = 5 * MINUTE;

/** One that pauses or rises is one: deviations of the same kind and name, little time apart. */
function joined(all: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const each of all) {
    const same = kept.findIndex((other) => isSame(other, each));
    if (same < 0) kept.push(each);
    else kept[same] = joinedOf(kept[same] as Found, each);
  }
  return kept;
}

function isSame(a: Found, b: Found): boolean {
  const [first, second] = inOrder(a, b);
  const isNear =
    first.stretch.end === null || (second.stretch.begin.after ?? 0) - first.stretch.end.before <= JOINED;
  const nameOf = ({ names }: Found) => names.find(({ field }) => field !== 'status' && field !== 'cache');
  return a.harm === b.harm && isNear && nameOf(a)?.value === nameOf(b)?.value;
}

function joinedOf(a: Found, b: Found): Found {
  const [first, last] = inOrder(a, b);
  const large = a.places.length >= b.places.length ? a : b;
  const end = first.stretch.end === null ? null : last.stretch.end;
  return {
    ...large,
    places: Int32Array.of(...first.places, ...last.places),
    samples: a.samples + b.samples,
    pause: shortest([a.pause, b.pause, pauseBetween(first.stretch, last.stretch)]),
    stretch: { ...large.stretch, begin: first.stretch.begin, end },
  };
}

function shortest(pauses: readonly (number | null)[]): number | null {
  const known = pauses.filter((pause) => pause !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function inOrder(a: Found, b: Found): [Found, Found] {
  return a.stretch.begin.before <= b.stretch.begin.before ? [a, b] : [b, a];
}

/** All rows of a surge are one matter, however many pages it hits. */
function surging(sampled: SampledRows, all: Population, { harm, times, stretch, parts }: Surge): Deviation {
  const { first, last } = stretch;
  const places = Int32Array.from({ length: last - first + 1 }, (_, n) => first + n);
  const names = commonNames(all, { first: 0, end: all.length, hits: places }, null);
  return {
    ...{ harm, times, stretch, usual: null, samples: parts.length, pause: null },
    names: names.map((each) => sampled.nameOf(each)),
    ...answeredRows(sampled, all, places),
  };
}

function samplesWith({ parts }: RowsSearched, places: Places): number {
  return parts.filter(({ side, first, end }) => side === 'now' && placesWithin(places, first, end).length > 0)
    .length;
}

type Clear = { candidate: Candidate; segment: RowSegment };

function clearest(known: Searched, standing: readonly Standing[]): Found | null {
  const best = standing.reduce<Clear | null>((clear, { candidate, segment }) => {
    return segment !== null && segment.score > (clear?.segment.score ?? 0) ? { candidate, segment } : clear;
  }, null);
  return best === null ? null : narrowed(known, best);
}

/** A candidate by the name that its rows have. What one sender brings about is the sender's: whatever it is answered with. */
function narrowed(known: Searched, standing: Clear): Found {
  const { candidate, segment } = standing;
  if (candidate.harm === 'sender') return foundOf(known, standing, null);
  const { first, last } = segment;
  const code = nameThatSplits(
    known,
    { first, end: last + 1, hits: candidate.hits },
    candidate.harm === 'trouble',
  );
  const named: Candidate =
    code === null ? candidate : { ...candidate, hits: candidate.hits.filter(having(known, code)) };
  const own = code === null ? null : standingOut(known, named);
  const found = own === null ? standing : { candidate: named, segment: own };
  const sent = senderOfAll(known, found);
  return sent === null ? foundOf(known, found, own === null ? null : code) : foundOf(known, sent, sent.code);
}

/** Whether a row has a value. */
function having({ names }: RowsSearched, code: number): (place: number) => boolean {
  return (place) => names.subarray(place * FIELDS, (place + 1) * FIELDS).includes(code);
}

/** One who sends nearly all of the rows, and much more than usual; null: nobody does. */
function senderOfAll(
  known: Searched,
  { candidate, segment: { first, last } }: Clear,
): (Clear & { code: number }) | null {
  const own = placesWithin(candidate.hits, first, last + 1);
  const codes = [...valueCounts(known, own, SENDERS_OF_ALL)]
    .filter(([, count]) => count >= MOST_SENT * own.length)
    .toSorted(([, a], [, b]) => b - a);
  for (const [code] of codes) {
    const isSent = having(known, code);
    const hits = placesWhere(known, (place) => known.taken[place] === 0 && isSent(place));
    const sender: Candidate = { ...SENDER, harm: 'sender', hits };
    const segment = standingOut(known, sender);
    if (segment !== null) return { code, candidate: sender, segment };
  }
  return null;
}

/** A deviation with its beginning as far back as was read, and all its rows. */
function foundOf(known: Searched, { candidate, segment }: Clear, code: number | null): Found {
  const { hits, harm, alike } = candidate;
  const usual = usualOf(known, hits);
  const pause = pauseOf(known, hits, segment);
  const against = { usual: baseOf(known, candidate, usual), alike, pause };
  const isHit = setOf(known, hits);
  const marked = { ...known, isHit: (place: number) => isHit[place] === 1 };
  const { first, last } = segment;
  const { begunAt, stretch } = stretchOf(marked, segment, against);
  const places = placesWithin(hits, first, last + 1);
  return {
    ...{ harm, times: null, places, usual: usual?.share ?? null, samples: samplesWith(known, places) },
    taken: placesWithin(hits, begunAt, last + 1),
    names: commonNames(known, { first, end: last + 1, hits }, code).map((each) => known.sampled.nameOf(each)),
    pause,
    stretch,
  };
}

/** The evidence that a deviation takes, in nats, where neighbours count as one: χ² at p = 1e-6, since many values are looked at. */
const LEAST_SCORE = 12;

/** Fewer rows are strays. */
const LEAST_HITS = 20;

/** A deviation lies outside of what other times differ among themselves: so many times their spread. */
const SPREADS = 4;

/** From how many rows of a sample on a sender, or a page that misses, is looked at. */
const LOOKED_AT = { rows: 8, share: 0.04 } as const;

/** What is looked for: rows of a harm, or of a sender. `hits`: of all rows. */
type Candidate = Judgement & { harm: HarmId | 'sender'; hits: Places };

/**
 * Rows among which something is looked for. `taken`: 1 for those of a deviation that was found, which count as requests and as nothing
 * else; `isFiltered`: they were chosen by how they were answered, so that nothing is bad by its level; `apart`: so long without it, ms, it
 * is another deviation.
 */
type RowsSearched = Population & { taken: Uint8Array; isFiltered: boolean; apart: number };

/** Where a candidate stands out; null: it does not. */
type Standing = { candidate: Candidate; segment: RowSegment | null };

/** All that is looked for, and where it stands out. */
function standingsOf(known: RowsSearched): Standing[] {
  return candidatesOf(known).map((candidate) => ({ candidate, segment: standingOut(known, candidate) }));
}

/** What is left of a candidate when some of its rows are taken: most have lost none, and stand out as they did. */
function standingLeft(known: RowsSearched, standing: Standing): Standing {
  const { hits } = standing.candidate;
  const isFree = (place: number) => known.taken[place] === 0;
  if (hits.every(isFree)) return standing;
  const candidate = { ...standing.candidate, hits: hits.filter(isFree) };
  return { candidate, segment: standingOut(known, candidate) };
}

function candidatesOf(known: RowsSearched): Candidate[] {
  const { marks, taken } = known;
  const isMarked = (place: number, mark: number) => ((marks[place] as number) & mark) !== 0;
  return [
    ...HARM_IDS.map((harm): Candidate => {
      const isHit = (place: number) => isMarked(place, MARKS[harm]) && taken[place] === 0;
      return { ...HARMS[harm], factor: 1, harm, hits: placesWhere(known, isHit) };
    }),
    ...frequent(known, SENDERS, () => true).map((hits): Candidate => ({ ...SENDER, harm: 'sender', hits })),
    // A page that hardly anybody asked for, and that is not in the cache: of all misses it may be a small part.
    ...frequent(known, ['page'], (place) => isMarked(place, MARKS.misses)).map(
      (hits): Candidate => ({ ...PAGE, harm: 'misses', hits }),
    ),
  ];
}

/** All rows of each value of some fields that many rows of a sample of the window have, of those that count. */
function frequent(
  { parts, names, taken, times, windowAt, length, values }: RowsSearched,
  fields: readonly NameField[],
  counts: (place: number) => boolean,
): Places[] {
  const places = fields.map(fieldPlace);
  const begin = times[windowAt] ?? Number.POSITIVE_INFINITY;
  const own = new Int32Array(values);
  const isFound = new Uint8Array(values);
  for (const { first, end } of parts.filter(({ to }) => to > begin)) {
    const met: number[] = [];
    for (let place = first; place < end; place++) {
      if (taken[place] || !counts(place)) continue;
      for (const field of places) {
        const code = names[place * FIELDS + field] as number;
        if (code < 0) continue;
        if (own[code] === 0) met.push(code);
        own[code] = (own[code] as number) + 1;
      }
    }
    const least = Math.max(LOOKED_AT.rows, (end - first) * LOOKED_AT.share);
    for (const code of met) {
      if ((own[code] as number) >= least) isFound[code] = 1;
      own[code] = 0;
    }
  }
  const hits = new Map<number, number[]>();
  for (let place = 0; place < length; place++) {
    if (taken[place] || !counts(place)) continue;
    for (const field of places) {
      const code = names[place * FIELDS + field] as number;
      if (code < 0 || !isFound[code]) continue;
      const known = hits.get(code);
      if (known) known.push(place);
      else hits.set(code, [place]);
    }
  }
  return [...hits.values()].map((found) => Int32Array.from(found));
}

/** Shares above the usual one that a search begins with: from a high one what is everywhere and little is not found, 0…1. */
const GUESSES = [0.1, 0] as const;

/** The rows of the window among which there are more of a candidate than usual, and too many for chance; null: there are none. */
function standingOut(known: RowsSearched, candidate: Candidate): RowSegment | null {
  const { windowAt, length, times, apart, isFiltered } = known;
  const { hits, least, factor, isAbsolute, alike } = candidate;
  const usual = usualOf(known, hits);
  const isBadAnyway = isAbsolute && !isFiltered;
  if (usual === null && !isBadAnyway) return null;
  const base = baseOf(known, candidate, usual);
  const from = Math.max(least, isBadAnyway ? 0 : SPREADS * (usual?.spread ?? 0));
  const own = placesWithin(hits, windowAt, length);
  const [segment = null] = GUESSES.map((guess) => base + Math.max(guess, from))
    .flatMap((expected) => segmentOf(times, own, { usual: base, alike, expected, apart }) ?? [])
    .toSorted((a, b) => b.score - a.score);
  if (segment === null || segment.score < LEAST_SCORE || segment.hits < LEAST_HITS) return null;
  const share = segmentShare(segment);
  return share - (isBadAnyway ? 0 : base) >= from && share >= factor * base ? segment : null;
}

/** The share that a stretch is told from: the usual one, but of what is bad however usual it is that of strays. */
function baseOf({ isFiltered }: RowsSearched, { floor, isAbsolute }: Candidate, usual: Usual | null): number {
  return isAbsolute && !isFiltered ? floor : Math.max(usual?.share ?? 0, floor);
}

/** A sample of fewer rows tells no share; so many samples of other times tell a usual one, and of fewer so many rows together. */
const USUAL = { telling: 30, samples: 3, rows: 100 } as const;

/** Where no other time was read, parts of the window tell what is usual: of so many rows each, and so many of them. */
const CHUNKS = { rows: 50, least: 4, most: 12 } as const;

/** What other times say of such rows: their share, and how far it moves from one time to another. */
type Usual = { share: number; spread: number };

/** The share of such rows at other times: the middle of their samples. Null: too few rows of other times tell. */
function usualOf(known: Population, hits: Places): Usual | null {
  const before = known.parts.filter(({ side }) => side === 'before');
  const chunks = before.map(({ first, end }) => ({
    rows: end - first,
    hits: placesWithin(hits, first, end).length,
  }));
  const telling = chunks.filter((chunk) => chunk.rows >= USUAL.telling);
  if (telling.length >= USUAL.samples) return middleOf(telling);
  const [all, own] = [sum(chunks.map((each) => each.rows)), sum(chunks.map((each) => each.hits))];
  if (all >= USUAL.rows) return { share: own / all, spread: 0 };
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

/** What is told of rows besides their names. */
export type AnsweredRows = {
  rows: number;
  /** What they were answered with, what most were first. */
  statuses: readonly { status: number; rows: number }[];
  /** The page that they have most different URLs of; null: it has but one. */
  queries: { page: string; distinct: number; rows: number } | null;
};

function answeredRows(sampled: SampledRows, population: Population, places: Places): AnsweredRows {
  const statuses = valueCounts(population, places, [fieldPlace('status')]);
  return {
    rows: places.length,
    statuses: [...statuses]
      .toSorted(([, a], [, b]) => b - a)
      .map(([code, rows]) => ({ status: Number(sampled.nameOf(code).value), rows })),
    queries: queriesOf(sampled, population, places),
  };
}

function queriesOf(
  sampled: SampledRows,
  { names, urls }: Population,
  places: Places,
): AnsweredRows['queries'] {
  const [found] = [...Map.groupBy(places, (place) => names[place * FIELDS + fieldPlace('page')] as number)]
    .filter(([code]) => code >= 0)
    .map(([code, own]) => ({
      code,
      rows: own.length,
      distinct: new Set(own.map((place) => urls[place])).size,
    }))
    .toSorted((a, b) => b.distinct - a.distinct);
  if (found === undefined || found.distinct < 2) return null;
  return { page: sampled.nameOf(found.code).value, distinct: found.distinct, rows: found.rows };
}
