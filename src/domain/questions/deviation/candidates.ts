import { HARM_IDS, HARMS, type HarmId, type Judgement, MARKS, PAGE, SENDER } from './harms.ts';
import { FIELDS, type Places, type Population, placesWhere, placesWithin } from './population.ts';
import { fieldPlace, type NameField } from './sampled-rows.ts';
import { type RowSegment, segmentOf, segmentShare } from './stretch.ts';
import { type Usual, usualOf } from './usual-share.ts';

/** The evidence that a deviation takes, in nats, where neighbours count as one: χ² at p = 1e-6, since many values are looked at. */
const LEAST_SCORE = 12;

/** Fewer rows are strays. */
const LEAST_HITS = 20;

/** A deviation lies outside of what other times differ among themselves: so many times their spread. */
const SPREADS = 4;

/** Fields that say who sends, and from how many rows of a sample on a sender, or a page that misses, is looked at. */
export const SENDERS = ['ip', 'ja4', 'asn'] as const;
const LOOKED_AT = { rows: 8, share: 0.04 } as const;

/** What is looked for: rows of a harm, or of a sender. `hits`: of all rows. */
export type Candidate = Judgement & { harm: HarmId | 'sender'; hits: Places };

/**
 * Rows among which something is looked for. `taken`: 1 for those of a deviation that was found, which count as requests and as nothing
 * else; `isFiltered`: they were chosen by how they were answered, so that nothing is bad by its level; `pause`: so long without it, ms, it
 * is another deviation.
 */
export type RowsSearched = Population & { taken: Uint8Array; isFiltered: boolean; pause: number };

/** Where a candidate stands out; null: it does not. */
export type Standing = { candidate: Candidate; segment: RowSegment | null };

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

/** The rows of the window among which there are more of a candidate than usual, and too many for chance; null: there are none. */
export function standingOut(known: RowsSearched, candidate: Candidate): RowSegment | null {
  const { windowAt, length, times, pause, isFiltered } = known;
  const { hits, least, factor, isAbsolute, alike } = candidate;
  const usual = usualOf(known, hits);
  const isBadAnyway = isAbsolute && !isFiltered;
  if (usual === null && !isBadAnyway) return null;
  const base = baseOf(known, candidate, usual);
  const from = Math.max(least, isBadAnyway ? 0 : SPREADS * (usual?.spread ?? 0));
  const own = placesWithin(hits, windowAt, length);
  const segment = segmentOf(times, own, { usual: base, alike, expected: base + Math.max(0.1, from), pause });
  if (segment === null || segment.score < LEAST_SCORE || segment.hits < LEAST_HITS) return null;
  const share = segmentShare(segment);
  return share - base >= from && share >= factor * base ? segment : null;
}

/** The share that a stretch is told from: the usual one, but of what is bad however usual it is that of strays. */
export function baseOf(
  { isFiltered }: RowsSearched,
  { floor, isAbsolute }: Candidate,
  usual: Usual | null,
): number {
  return isAbsolute && !isFiltered ? floor : Math.max(usual?.share ?? 0, floor);
}
