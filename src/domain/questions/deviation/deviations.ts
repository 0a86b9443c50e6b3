import { MINUTE } from '../../../text/units.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { type AnsweredRows, answeredRows } from './answered-rows.ts';
import {
  baseOf,
  type Candidate,
  type RowsSearched,
  SENDERS,
  type Standing,
  standingLeft,
  standingOut,
  standingsOf,
} from './candidates.ts';
import { type HarmId, SENDER } from './harms.ts';
import { commonNames, nameThatSplits } from './names.ts';
import {
  FIELDS,
  type Places,
  type Population,
  placesWhere,
  placesWithin,
  withoutParts,
} from './population.ts';
import { fieldPlace, type Name, type SampledRows } from './sampled-rows.ts';
import { type RowSegment, type Stretch, stopsAndBegins, stretchOf } from './stretch.ts';
import { type Surge, surgesOf } from './surges.ts';
import { usualOf } from './usual-share.ts';

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
  /** It stops and begins again within the window. */
  isOnAndOff: boolean;
};

/** Whoever sends so much of the rows of a harm is the cause of it. */
const MOST_SENT = 0.7;
const SENDERS_OF_ALL = [...SENDERS, 'ua' as const].map(fieldPlace);

type Options = Pick<RowsSearched, 'isFiltered' | 'pause'> & {
  window: TimeRange;
  /** The rows are those of a filter, so that their number may be what stands out. */
  isOfSome: boolean;
  /** More of them would be a list of symptoms. */
  most: number;
};

/** What stands out of a window: of rows of a filter first where there are far more of them than usual, and then among the others. */
export function deviationsOf(sampled: SampledRows, all: Population, options: Options): Deviation[] {
  const { isOfSome, window, isFiltered, pause, most } = options;
  const surges = isOfSome ? surgesOf(all) : [];
  const population = withoutParts(all, new Set(surges.flatMap(({ parts }) => parts)), window);
  const known = { ...population, sampled, isFiltered, pause, taken: new Uint8Array(population.length) };
  return [
    ...surges.map((surge) => surging(sampled, all, surge)),
    ...paused(foundIn(known, most)).map(({ taken: _, places, ...found }) => ({
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

/** One that pauses is one: deviations of the same kind and name, little time apart. */
function paused(all: readonly Found[]): Found[] {
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
    isOnAndOff: true,
    stretch: { ...large.stretch, begin: first.stretch.begin, end },
  };
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
    ...{ harm, times, stretch, usual: null, samples: parts.length, isOnAndOff: false },
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
  const counts = new Map<number, number>();
  for (const place of own) {
    for (const field of SENDERS_OF_ALL) {
      const code = known.names[place * FIELDS + field] as number;
      if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  const codes = [...counts]
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
  const against = { usual: baseOf(known, candidate, usual), alike };
  const isHit = new Uint8Array(known.length);
  for (const place of hits) isHit[place] = 1;
  const marked = { ...known, isHit: (place: number) => isHit[place] === 1 };
  const { first, last } = segment;
  const { begunAt, stretch } = stretchOf(marked, segment, against);
  const places = placesWithin(hits, first, last + 1);
  return {
    ...{ harm, times: null, places, usual: usual?.share ?? null, samples: samplesWith(known, places) },
    taken: placesWithin(hits, begunAt, last + 1),
    names: commonNames(known, { first, end: last + 1, hits }, code).map((each) => known.sampled.nameOf(each)),
    isOnAndOff: stopsAndBegins(hits, segment),
    stretch,
  };
}
