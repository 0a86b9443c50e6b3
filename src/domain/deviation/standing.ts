import { apart } from '../differing.ts';
import { MORE } from '../thresholds.ts';
import {
  BROUGHT_BY,
  HARM_IDS,
  HARMS,
  type HarmId,
  type Judgement,
  KNOWN_BY,
  MARKS,
  OF_ONE_PAGE,
  PAGE,
  SENT,
  type SenderField,
} from './harms.ts';
import { setOf } from './names.ts';
import {
  FIELDS,
  fieldPlace,
  type NameField,
  otherTimes,
  type Part,
  type Places,
  type Population,
  placesWhere,
  placesWithin,
  usualRows,
  valueCounts,
} from './sampled-rows.ts';
import { type RowSegment, segmentOf, segmentShare } from './stretch.ts';
import { BURST, isSteady, median, rateIn, rateOf, totalOf, type Usual, usualOf, visitsOf } from './usual.ts';

const SENDER_FIELDS = Object.keys(KNOWN_BY) as SenderField[];

/** The evidence that a deviation takes, in nats, where neighbours count as one: χ² at p = 1e-6, since many values are looked at. */
const LEAST_SCORE = 12;

/** Fewer rows are strays. */
const LEAST_HITS = 20;

/** A deviation lies outside of what other times differ among themselves: so many times their spread. */
const SPREADS = 4;

/** From how many rows of a sample on a sender, or a page that misses, is looked at. */
const LOOKED_AT = { rows: 8, share: 0.04 } as const;

/** What is looked for: rows of a harm, or of a sender. `field`: by which a sender is known; `hits`: of all rows. */
export type Candidate = Judgement & { harm: HarmId | 'sender'; field?: SenderField; hits: Places };

/**
 * Rows among which something is looked for. `taken`: 1 for those of a deviation that was found, which count as requests and as nothing
 * else; `isFiltered`: they were chosen by how they were answered, so that nothing is bad by its level; `apart`: so long without it, ms, it
 * is another deviation.
 */
export type RowsSearched = Population & { taken: Uint8Array; isFiltered: boolean; apart: number };

/** `isMoreAsked`: its pages are answered as ever, and asked for more. */
export type StandingSegment = RowSegment & { isMoreAsked: boolean };

/** Where a candidate stands out; null: it does not. */
export type Standing = { candidate: Candidate; segment: StandingSegment | null };

/** All that is looked for, and where it stands out. */
export function standingsOf(known: RowsSearched): Standing[] {
  return candidatesOf(known).map((candidate) => ({ candidate, segment: standingOut(known, candidate) }));
}

/** What is left of a candidate when some of its rows are taken: most have lost none, and stand out as they did. */
export function standingLeft(known: RowsSearched, standing: Standing): Standing {
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
    ...SENDER_FIELDS.flatMap((field) =>
      frequent(known, field, () => true).map(
        (hits): Candidate => ({ ...KNOWN_BY[field], harm: 'sender', field, hits }),
      ),
    ),
    // Pages that hardly anybody asked for, or that were in the cache: of all misses they may be a small part.
    ...PAGES.flatMap((field) =>
      frequent(known, field, (place) => isMarked(place, MARKS.misses)).map(
        (hits): Candidate => ({ ...PAGE, harm: 'misses', hits }),
      ),
    ),
  ];
}

/** By what pages are known that are kept, or not, alike. */
const PAGES = ['page', 'shape', 'below', 'path'] as const satisfies readonly NameField[];

/** All rows of each value of a field that many rows of a sample of the window have, of those that count. */
function frequent(
  { parts, names, taken, times, windowAt, length, values }: RowsSearched,
  field: NameField,
  counts: (place: number) => boolean,
): Places[] {
  const column = fieldPlace(field);
  const codeAt = (place: number) =>
    taken[place] || !counts(place) ? -1 : (names[place * FIELDS + column] as number);
  const begin = times[windowAt] ?? Number.POSITIVE_INFINITY;
  const own = new Int32Array(values);
  const isFound = new Uint8Array(values);
  for (const { first, end } of parts.filter(({ to }) => to > begin)) {
    const met: number[] = [];
    for (let place = first; place < end; place++) {
      const code = codeAt(place);
      if (code < 0) continue;
      if (own[code] === 0) met.push(code);
      own[code] = (own[code] as number) + 1;
    }
    const least = Math.max(LOOKED_AT.rows, (end - first) * LOOKED_AT.share);
    for (const code of met) {
      if ((own[code] as number) >= least) isFound[code] = 1;
      own[code] = 0;
    }
  }
  const hits = new Map<number, number[]>();
  for (let place = 0; place < length; place++) {
    const code = codeAt(place);
    if (code < 0 || !isFound[code]) continue;
    const known = hits.get(code);
    if (known) known.push(place);
    else hits.set(code, [place]);
  }
  return [...hits.values()].map((found) => Int32Array.from(found));
}

/** Shares above the usual one that a search begins with: from a high one what is everywhere and little is not found, 0…1. */
const GUESSES = [0.1, 0] as const;

/** The rows of the window among which there are more of a candidate than usual, and too many for chance; null: there are none. */
export function standingOut(known: RowsSearched, candidate: Candidate): StandingSegment | null {
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
  const isFar = (share: number) => share - (isBadAnyway ? 0 : base) >= from && share >= factor * base;
  const share = segmentShare(segment);
  if (!isFar(share)) return null;
  if (OF_WHO_ASKS.has(candidate.harm) && !isFar(share - shareOfOne(known, hits, segment))) return null;
  if (isBadAnyway) return { ...segment, isMoreAsked: false };
  const isMoreAsked = OF_PAGES.has(candidate.harm) && !isFar(share - moreAsked(known, hits, segment));
  if (isMoreAsked && (share < PAGE.factor * base || !isLoaded(known, candidate, segment))) return null;
  if (segment.score < BURST * scoreBefore(known, hits, { usual: base, alike, expected: share })) return null;
  return isRisen(known, candidate, segment) ? { ...segment, isMoreAsked } : null;
}

/** How clear a stretch of one sample of other times is. */
function scoreBefore(
  known: RowsSearched,
  hits: Places,
  against: { usual: number; alike: number; expected: number },
): number {
  const scores = otherTimes(known).map(({ first, end }) => {
    const own = placesWithin(hits, first, end);
    return segmentOf(known.times, own, { ...against, apart: known.apart })?.score ?? 0;
  });
  return Math.max(0, ...scores);
}

/** What one client asks for in vain, a scanner say, spoils nobody's requests, unless he sends as much as a sender does. */
export const OF_WHO_ASKS: ReadonlySet<Candidate['harm'] | 'surge'> = new Set(['notFound', 'clientErrors']);

/** The share that the address with most of it has of all rows, 0…1; 0 where that is as much as a sender sends. */
function shareOfOne(known: Population, hits: Places, { first, last }: RowSegment): number {
  const own = valueCounts(known, placesWithin(hits, first, last + 1), [fieldPlace('ip')]);
  const share = Math.max(0, ...own.values()) / (last + 1 - first);
  return share < SENT.least ? share : 0;
}

/** How a page is answered goes with the page: more requests for what always misses are no more misses. */
export const OF_PAGES: ReadonlySet<Candidate['harm']> = new Set(['misses', 'bypassed']);

/** So many rows more stand for a page of which less was read at other times: those of its kind of pages, or all. */
const STANDS_FOR = 5;

/** How much of the share of a segment is there because more is asked for of pages that are always answered so, 0…1. */
function moreAsked(known: RowsSearched, hits: Places, { first, last }: RowSegment): number {
  const { names, values } = known;
  const [page, shape] = [fieldPlace('page'), fieldPlace('shape')];
  const isHit = setOf(known, hits);
  const [rows, own] = [new Int32Array(values), new Int32Array(values)];
  let [all, ownOfAll] = [0, 0];
  for (const { first: from, end } of usualRows(known, { first, end: last + 1 })) {
    for (let place = from; place < end; place++) {
      all++;
      ownOfAll += isHit[place] as number;
      for (const column of [page, shape]) {
        const code = names[place * FIELDS + column] as number;
        rows[code] = (rows[code] as number) + 1;
        own[code] = (own[code] as number) + (isHit[place] as number);
      }
    }
  }
  const usual = ownOfAll / Math.max(1, all);
  const shareOf = (code: number, wider: number) =>
    ((own[code] ?? 0) + STANDS_FOR * wider) / ((rows[code] ?? 0) + STANDS_FOR);
  let given = 0;
  for (let place = first; place <= last; place++) {
    const code = (column: number) => names[place * FIELDS + column] as number;
    given += shareOf(code(page), shareOf(code(shape), usual));
  }
  return all === 0 ? 0 : Math.max(0, given / (last - first + 1) - usual);
}

/** So many times as many requests a second that the origin answers are a load on it, however usual each of them is. */
const LOADED = 4;

function isLoaded(known: RowsSearched, { harm }: Candidate, segment: RowSegment): boolean {
  const mark = MARKS[harm === 'bypassed' ? 'bypassed' : 'misses'];
  const all = placesWhere(known, (place) => ((known.marks[place] as number) & mark) !== 0);
  const now = perSecond(totalOf(partsOf(known, segment), all));
  const usual = perSecond(totalOf(partsBeside(known, segment), all));
  return now !== null && usual !== null && now >= LOADED * usual;
}

function perSecond({ hits, time }: { hits: number; time: number }): number | null {
  return time > 0 ? (hits * 1000) / time : null;
}

/** The samples of the window that a segment lies in. */
function partsOf({ parts }: RowsSearched, { first, last }: RowSegment): Part[] {
  return parts.filter((part) => part.side === 'now' && part.first <= last && part.end > first);
}

/** Those that tell how many a second are usual: of other times, or where none was read those of the window without it. */
function partsBeside(known: RowsSearched, segment: RowSegment): readonly Part[] {
  const others = otherTimes(known);
  const own = partsOf(known, segment);
  return others.length > 0 ? others : known.parts.filter((part) => !own.includes(part));
}

/** A number that stayed while all else fell has a share that grew: so many times as many a second are more. */
const RISEN = 1.25;

/** Fewer visits are those of some people. */
const LEAST_VISITS = 20;

/** Whether there are more of a candidate than before a second, too. */
function isRisen(known: RowsSearched, candidate: Candidate, segment: RowSegment): boolean {
  const { times } = known;
  const { hits, field, alike } = candidate;
  const { first, last } = segment;
  const now = totalOf(partsOf(known, segment), hits);
  const before = totalOf(partsBeside(known, segment), hits);
  const perTime = (segmentShare(segment) * now.rows) / now.time;
  if (now.time > 0 && before.time > 0 && perTime < (RISEN * before.hits) / before.time) return false;
  if (field === undefined) return true;
  if (field in BROUGHT_BY && !isGrown(known, segment)) return false;
  if (OF_ONE_PAGE.has(field) && !isOfOnePage(known, placesWithin(hits, first, last + 1))) return false;
  const own = visitsOf(known, placesWithin(hits, first, last + 1), true);
  if (own.isOne) return isSteady(known, own, { from: times[first] as number, to: times[last] as number });
  // What was read of before is a few dozen visits, which have to tell that there were fewer.
  const visits = (part: number, of: number) => ({ part: part / alike, of: of / alike });
  const g2 = apart(visits(segment.hits, last - first + 1), visits(before.hits, before.rows));
  return own.count >= LEAST_VISITS && (g2 === null || g2 >= MORE.g2);
}

/** Whether more requests come than at most other times, which are nearly all of about this time of day. */
function isGrown(known: RowsSearched, segment: RowSegment): boolean {
  const { first, last } = segment;
  const own = { from: known.times[first] as number, to: (known.times[last] as number) + 1 };
  const usual = median(partsBeside(known, segment).flatMap((part) => rateIn(part) ?? []));
  return (rateOf(known, own) ?? 0) >= RISEN * usual;
}

/** Rows are of one page when so many of them are. */
const MOST_OF_PAGE = 0.7;

function isOfOnePage(known: RowsSearched, own: Places): boolean {
  const counts = valueCounts(known, own, [fieldPlace('page')]);
  return Math.max(0, ...counts.values()) >= MOST_OF_PAGE * own.length;
}

/** The share that a stretch is told from: the usual one, but of what is bad however usual it is that of strays. */
export function baseOf(
  { isFiltered }: RowsSearched,
  { floor, isAbsolute }: Candidate,
  usual: Usual | null,
): number {
  return isAbsolute && !isFiltered ? floor : Math.max(usual?.share ?? 0, floor);
}
