import { DAY, MINUTE } from '../../text/units.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { BROUGHT_BY, type HarmId, SENT } from './harms.ts';
import { commonNames, nameThatSplits, SENDERS, setOf } from './names.ts';
import {
  type AnsweredRows,
  answeredRows,
  FIELDS,
  fieldPlace,
  hasName,
  type Name,
  type NameField,
  otherTimes,
  type Part,
  type Places,
  type Population,
  placeAmong,
  placesBetween,
  placesWhere,
  placesWithin,
  rowsAlone,
  type SampledRows,
  usualRows,
  valueCounts,
  withoutParts,
} from './sampled-rows.ts';
import {
  baseOf,
  type Candidate,
  OF_PAGES,
  OF_WHO_ASKS,
  type RowsSearched,
  type Standing,
  type StandingSegment,
  standingLeft,
  standingOut,
  standingsOf,
} from './standing.ts';
import { pauseBetween, pauseOf, type RowSegment, type Stretch, segmentShare, stretchOf } from './stretch.ts';
import { LEAST_TELLING, type Surge, surgesOf, totalOf, usualOf, visitsOf } from './usual.ts';

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
  /** Samples of the window that have some of them, and those of them whose time was not chosen by what was found. */
  samples: number;
  unchosen: number;
  /** How long they were seen, from the first to the last of each sample, ms. */
  seen: number;
  /** It stops and begins again within the window, for so long, ms; null: it does not. */
  pause: number | null;
  /** Its pages are answered as ever, and asked for more. */
  isMoreAsked: boolean;
  /** What share of the requests was such at the same time of an earlier day, where that is like now; null: it was not, or nobody knows. */
  dayBefore: number | null;
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
    ...joined(foundIn(known, most))
      .filter((found) => !isOwnFault(found))
      .map(({ taken: _, named: __, places, ...found }) => ({
        ...found,
        ...answeredRows(sampled, population, places),
      })),
  ];
}

/** The same as `shareOfOne`, where no address tells that it is one client: its fingerprint asks for nothing that others ask for, too. */
function isOwnFault({ harm, names, stretch }: Found): boolean {
  const has = (...fields: NameField[]) => names.some(({ field }) => fields.includes(field));
  return OF_WHO_ASKS.has(harm) && stretch.share < SENT.least && has('ja4') && !has('page', 'shape', 'path');
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

/**
 * `places`: of its rows within the window; `taken`: of those before it, too; `named`: of all rows with its name, where they tell of it.
 */
type Found = Omit<Deviation, keyof AnsweredRows> & { places: Places; taken: Places; named: Places | null };

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
    unchosen: a.unchosen + b.unchosen,
    seen: a.seen + b.seen,
    pause: shortest([a.pause, b.pause, pauseBetween(first.stretch, last.stretch, dueBetween(first, last))]),
    stretch: { ...large.stretch, begin: first.stretch.begin, end },
  };
}

/** How many rows of the lesser of two were due between them, of all that came or of those with their name. */
function dueBetween(first: Found, last: Found): number {
  const named = first.named === null ? null : last.named;
  const cameIn = (from: number, end: number) =>
    named === null ? end - from : placesWithin(named, from, end).length;
  const shareOf = ({ stretch }: Found) => stretch.hits / Math.max(1, cameIn(stretch.first, stretch.last + 1));
  return cameIn(first.stretch.last + 1, last.stretch.first) * Math.min(shareOf(first), shareOf(last));
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
  const names = commonNames(all, { first: 0, end: all.length, hits: places }, null, false);
  return {
    ...{ harm, times, stretch, usual: null, pause: null, ...seenIn(parts, all.times, places) },
    ...{ isMoreAsked: false, dayBefore: null },
    names: names.map((each) => sampled.nameOf(each)),
    ...answeredRows(sampled, all, places),
  };
}

function seenIn(
  parts: readonly Part[],
  times: Float64Array,
  places: Places,
): Pick<Deviation, 'samples' | 'unchosen' | 'seen'> {
  const having = parts
    .filter(({ side }) => side === 'now')
    .map((part) => ({ ...part, own: placesWithin(places, part.first, part.end) }))
    .filter(({ own }) => own.length > 0);
  const lengthOf = ({ own }: { own: Places }) =>
    (times[own.at(-1) as number] as number) - (times[own[0] as number] as number);
  return {
    samples: having.length,
    unchosen: having.filter(({ isChosen }) => !isChosen).length,
    seen: having.reduce((sum, each) => sum + lengthOf(each), 0),
  };
}

type Clear = { candidate: Candidate; segment: StandingSegment };

function clearest(known: Searched, standing: readonly Standing[]): Found | null {
  const best = standing.reduce<Clear | null>((clear, { candidate, segment }) => {
    return segment !== null && segment.score > (clear?.segment.score ?? 0) ? { candidate, segment } : clear;
  }, null);
  return best === null ? null : narrowed(known, best);
}

/** A candidate by the name that its rows have. What one sender brings about is the sender's: whatever it is answered with. */
function narrowed(known: Searched, standing: Clear): Found {
  const { candidate, segment } = standing;
  if (candidate.harm === 'sender') return foundOf(known, standing, broughtBy(known, candidate));
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

/** The program or the site that brings the rows; null: they are told by all that their sender is known by. */
function broughtBy({ names }: RowsSearched, { field, hits: [first] }: Candidate): number | null {
  if (field === undefined || !(field in BROUGHT_BY) || first === undefined) return null;
  return names[first * FIELDS + fieldPlace(field)] ?? null;
}

function having(known: RowsSearched, code: number): (place: number) => boolean {
  return (place) => hasName(known, place, code);
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
    const sender: Candidate = { ...SENT, harm: 'sender', hits };
    const segment = standingOut(known, sender);
    if (segment !== null) return { code, candidate: sender, segment };
  }
  return null;
}

/** A deviation with its beginning as far back as was read, and all its rows. */
function foundOf(known: Searched, { candidate, segment }: Clear, code: number | null): Found {
  const { hits, harm } = candidate;
  const { first, last } = segment;
  const places = placesWithin(hits, first, last + 1);
  const named = code === null || harm === 'sender' ? null : rowsNamed(known, code, segment);
  const { pause, begunAt, stretch } = boundsOf(known, candidate, segment, named);
  return {
    ...{ harm, times: null, places, usual: usualOf(known, hits)?.share ?? null },
    ...seenIn(known.parts, known.times, places),
    taken: placesWithin(hits, begunAt, last + 1),
    named,
    names: commonNames(known, { first, end: last + 1, hits }, code, harm === 'trouble').map((each) =>
      known.sampled.nameOf(each),
    ),
    pause,
    stretch,
    isMoreAsked: segment.isMoreAsked,
    dayBefore: candidate.isAbsolute ? null : shareDayBefore(known, hits, stretch),
  };
}

/** What comes by the day comes with so much of what it has above the usual share. */
const LIKE_DAY_BEFORE = 0.5;

/** Earlier days that a log may hold. */
const DAYS = [1, 2, 3] as const;

/** What is usual by the day is told by the same time of another one alone: at most other times it is not there. */
function shareDayBefore(known: RowsSearched, hits: Places, { begin, last, share }: Stretch): number | null {
  const [from, to] = [begin.before, known.times[last] as number];
  if (to - from > DAY / 2) return null;
  const shares = DAYS.map((days) => {
    const [first, end] = placesBetween(known, { from: from - days * DAY, to: to - days * DAY });
    return end - first < LEAST_TELLING ? 0 : placesWithin(hits, first, end).length / (end - first);
  });
  const [most, usual] = [Math.max(...shares), usualOf(known, hits)?.share ?? 0];
  return most - usual >= LIKE_DAY_BEFORE * (share - usual) ? most : null;
}

/** Where a stretch begins neighbours tell more than whether there is one: so many count as one, or a visit of so many at most. */
const ALIKE_AT_BOUNDS = { least: 2, most: 8 } as const;

/** How many neighbours count as one at the bounds of a stretch. Who sends for somebody sends all the time, and a cache misses file by file. */
function alikeAtBounds(known: Population, places: Places, { harm }: Candidate): number {
  const { least, most } = ALIKE_AT_BOUNDS;
  const isOneByOne = harm === 'sender' || OF_PAGES.has(harm);
  return isOneByOne ? least : Math.min(most, Math.max(least, visitsOf(known, places).rows));
}

/** When a segment began and ended, and how long it pauses. `rows`: those of its name, where other rows say nothing of it. */
function boundsOf(
  known: RowsSearched,
  candidate: Candidate,
  segment: RowSegment,
  rows: Places | null,
): { begunAt: number; stretch: Stretch; pause: number | null } {
  const { hits, floor } = candidate;
  const within = rows === null ? known : rowsAlone(known, rows);
  const placeOf = (place: number) => (rows === null ? place : placeAmong(rows, place));
  const part = { ...segment, first: placeOf(segment.first), last: placeOf(segment.last) };
  const own = rows === null ? hits : hits.map(placeOf);
  const isHit = setOf(within, own);
  const usual =
    rows === null
      ? baseOf(known, candidate, usualOf(known, hits))
      : Math.max(floor, shareBefore(known, hits, rows, segment));
  const visited = alikeAtBounds(known, placesWithin(hits, segment.first, segment.last + 1), candidate);
  // Of rows of one name some clients may repeat what failed, while the others tell of it one by one.
  const others = rows?.filter((_, place) => isHit[place] === 0) ?? hits;
  const alike = Math.min(visited, alikeAtBounds(known, others, candidate));
  const pause = pauseOf(within, own, part, alike / ALIKE_AT_BOUNDS.least);
  const marked = { ...within, isHit: (place: number) => isHit[place] === 1 };
  const { begunAt, stretch } = stretchOf(marked, part, { usual, alike, pause });
  return {
    begunAt: rows?.[begunAt] ?? begunAt,
    pause,
    stretch: { ...stretch, ...segment, share: segmentShare(segment) },
  };
}

/** All rows of a name, unless there are many more of them than usual: then it is these whose beginning is looked for. */
function rowsNamed(known: RowsSearched, code: number, { first, last }: RowSegment): Places | null {
  const rows = placesWhere(known, having(known, code));
  const { hits, rows: all } = totalOf(otherTimes(known), rows);
  const share = placesWithin(rows, first, last + 1).length / (last - first + 1);
  return share * all <= hits * MANY_MORE ? rows : null;
}

const MANY_MORE = 2;

/** What share of some rows counted at other times, or where none was read before and behind a segment, 0…1. */
function shareBefore(known: RowsSearched, hits: Places, rows: Places, { first, last }: RowSegment): number {
  const beside = usualRows(known, { first, end: last + 1 });
  const counted = (places: Places) =>
    beside.reduce((sum, part) => sum + placesWithin(places, part.first, part.end).length, 0);
  return counted(hits) / Math.max(1, counted(rows));
}
