import { MINUTE } from '../../text/units.ts';
import { apart } from '../differing.ts';
import type { TimeRange } from '../tail/coverage.ts';
import { MORE } from '../thresholds.ts';
import { HARM_IDS, HARMS, type HarmId, type Judgement, MARKS, PAGE, SENT, SENT_BY } from './harms.ts';
import { commonNames, nameThatSplits, SENDERS, setOf } from './names.ts';
import {
  type AnsweredRows,
  answeredRows,
  FIELDS,
  fieldPlace,
  type Name,
  type NameField,
  otherTimes,
  type Part,
  type Places,
  type Population,
  placeAmong,
  placesWhere,
  placesWithin,
  rowsAlone,
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
import { isSteady, type Surge, surgesOf, totalOf, type Usual, usualOf, visitsOf } from './usual.ts';

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
    samples: samplesWith(known, places),
    taken: placesWithin(hits, begunAt, last + 1),
    named,
    names: commonNames(known, { first, end: last + 1, hits }, code).map((each) => known.sampled.nameOf(each)),
    pause,
    stretch,
  };
}

/** Where a stretch begins neighbours tell more than whether there is one: so many count as one, or a visit of so many at most. */
const ALIKE_AT_BOUNDS = { least: 2, most: 8 } as const;

/** How many neighbours count as one at the bounds of a stretch. Who sends for somebody sends all the time. */
function alikeAtBounds(known: Population, places: Places, { harm }: Candidate): number {
  const { least, most } = ALIKE_AT_BOUNDS;
  return harm === 'sender' ? least : Math.min(most, Math.max(least, visitsOf(known, places).rows));
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
      : Math.max(floor, shareBefore(known, hits, rows));
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

/** What share of some rows counted at other times, 0…1. */
function shareBefore(known: RowsSearched, hits: Places, rows: Places): number {
  const before = otherTimes(known);
  return totalOf(before, hits).hits / Math.max(1, totalOf(before, rows).hits);
}

/** The evidence that a deviation takes, in nats, where neighbours count as one: χ² at p = 1e-6, since many values are looked at. */
const LEAST_SCORE = 12;

/** Fewer rows are strays. */
const LEAST_HITS = 20;

/** A deviation lies outside of what other times differ among themselves: so many times their spread. */
const SPREADS = 4;

/** From how many rows of a sample on a sender, or a page that misses, is looked at. */
const LOOKED_AT = { rows: 8, share: 0.04 } as const;

/** What is looked for: rows of a harm, or of a sender. `field`: by which a sender is known; `hits`: of all rows. */
type Candidate = Judgement & { harm: HarmId | 'sender'; field?: keyof typeof SENT_BY; hits: Places };

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
      return { ...HARMS[harm], harm, hits: placesWhere(known, isHit) };
    }),
    ...SENDERS.flatMap((field) =>
      frequent(known, [field], () => true).map(
        (hits): Candidate => ({ ...SENT_BY[field], harm: 'sender', field, hits }),
      ),
    ),
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
  const { hits, least, factor, isAbsolute } = candidate;
  const usual = usualOf(known, hits);
  const isBadAnyway = isAbsolute && !isFiltered;
  if (usual === null && !isBadAnyway) return null;
  const base = baseOf(known, candidate, usual);
  const from = Math.max(least, isBadAnyway ? 0 : SPREADS * (usual?.spread ?? 0));
  const own = placesWithin(hits, windowAt, length);
  const alike = Math.max(candidate.alike, visitsOf(known, own, candidate.harm === 'sender').rows);
  const [segment = null] = GUESSES.map((guess) => base + Math.max(guess, from))
    .flatMap((expected) => segmentOf(times, own, { usual: base, alike, expected, apart }) ?? [])
    .toSorted((a, b) => b.score - a.score);
  if (segment === null || segment.score < LEAST_SCORE || segment.hits < LEAST_HITS) return null;
  const share = segmentShare(segment);
  const isFar = (part: number) => part - (isBadAnyway ? 0 : base) >= from && part >= factor * base;
  if (!isFar(share) || (OF_WHO_ASKS.has(candidate.harm) && !isFar(share - shareOfOne(known, hits, segment))))
    return null;
  return isBadAnyway || isRisen(known, candidate, segment, alike) ? segment : null;
}

/** What one client asks for in vain, a scanner say, spoils nobody's requests, unless he sends as much as a sender does. */
const OF_WHO_ASKS: ReadonlySet<Found['harm']> = new Set(['notFound', 'clientErrors']);

/** The share that the address with most of it has of all rows, 0…1; 0 where that is as much as a sender sends. */
function shareOfOne(known: Population, hits: Places, { first, last }: RowSegment): number {
  const own = valueCounts(known, placesWithin(hits, first, last + 1), [fieldPlace('ip')]);
  const share = Math.max(0, ...own.values()) / (last + 1 - first);
  return share < SENT.least ? share : 0;
}

/** A number that stayed while all else fell has a share that grew: so many times as many a second are more. */
const RISEN = 1.25;

/** Fewer visits are those of some people. */
const LEAST_VISITS = 20;

/** Whether there are more of a candidate than before a second, too. */
function isRisen(known: RowsSearched, candidate: Candidate, segment: RowSegment, alike: number): boolean {
  const { parts, times } = known;
  const { hits, field } = candidate;
  const { first, last } = segment;
  const isOfSegment = (part: Part) => part.side === 'now' && part.first <= last && part.end > first;
  const now = totalOf(parts.filter(isOfSegment), hits);
  const before = totalOf(otherTimes(known), hits);
  const perTime = (segmentShare(segment) * now.rows) / now.time;
  if (now.time > 0 && before.time > 0 && perTime < (RISEN * before.hits) / before.time) return false;
  if (field === undefined) return true;
  const own = visitsOf(known, placesWithin(hits, first, last + 1), true);
  if (own.isOne) return isSteady(known, own, { from: times[first] as number, to: times[last] as number });
  // What was read of before is a few dozen visits, which have to tell that there were fewer.
  const visits = (part: number, of: number) => ({ part: part / alike, of: of / alike });
  const g2 = apart(visits(segment.hits, last - first + 1), visits(before.hits, before.rows));
  return own.count >= LEAST_VISITS && (g2 === null || g2 >= MORE.g2);
}

/** The share that a stretch is told from: the usual one, but of what is bad however usual it is that of strays. */
function baseOf({ isFiltered }: RowsSearched, { floor, isAbsolute }: Candidate, usual: Usual | null): number {
  return isAbsolute && !isFiltered ? floor : Math.max(usual?.share ?? 0, floor);
}
