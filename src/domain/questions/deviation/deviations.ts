import { MINUTE } from '../../../text/units.ts';
import { type AnsweredRows, answeredRows } from './answered-rows.ts';
import { HARM_IDS, HARMS, type HarmId, type Judgement, MARKS, PAGE, SENDER } from './harms.ts';
import { commonNames, nameThatSplits } from './names.ts';
import { FIELDS, type Places, type Population, placesWhere, within } from './population.ts';
import { type Name, type NameField, placeOf, type SampledRows } from './sampled-rows.ts';
import {
  type Against,
  type Segment,
  type Stretch,
  segmentOf,
  shareOf,
  stopsAndBegins,
  stretchOf,
} from './stretch.ts';
import { type Usual, usualOf } from './usual-share.ts';

/** What differs from the usual, or is bad however usual it is, in rows of its own: those of the window. */
export type Deviation = AnsweredRows & {
  harm: HarmId | 'sender';
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

/** The evidence that a deviation takes, in nats, where neighbours count as one: χ² at p = 1e-6, since many values are looked at. */
const LEAST_SCORE = 12;

/** Fewer rows are strays. */
const LEAST_HITS = 20;

/** A deviation lies outside of what other times differ among themselves: so many times their spread. */
const SPREADS = 4;

/** Fields that say who sends, and from how many rows of a sample on a sender, or a page that misses, is looked at. */
const SENDERS = ['ip', 'ja4', 'asn'] as const;
const LOOKED_AT = { rows: 8, share: 0.04 } as const;

/** Whoever sends so much of the rows of a harm is the cause of it. */
const MOST_SENT = 0.7;
const SENDERS_OF_ALL = [...SENDERS, 'ua' as const].map(placeOf);

/** What is looked for: rows of a harm, or of a sender. `hits`: of all rows. */
type Candidate = Judgement & { harm: Deviation['harm']; hits: Places };

/** `taken`: rows of a deviation that was found: they count as requests, and as nothing else. */
type Known = Population & { sampled: SampledRows; taken: Uint8Array; isLevelKnown: boolean };

/**
 * What stands out of a window: the clearest first, and when its rows are taken out the clearest of what is left. So two that go on at
 * once are told apart by their rows, and none is told twice. `isFiltered`: rows were chosen by how they were answered, so that
 * nothing is bad by its level. `most`: more of them would be a list of symptoms.
 */
export function deviationsOf(
  sampled: SampledRows,
  population: Population,
  { isFiltered, most }: { isFiltered: boolean; most: number },
): Deviation[] {
  const taken = new Uint8Array(population.length);
  const known: Known = { ...population, sampled, taken, isLevelKnown: !isFiltered };
  const found: Found[] = [];
  while (found.length < most) {
    const best = clearest(known);
    if (best === null) break;
    found.push(best);
    for (const place of best.taken) taken[place] = 1;
  }
  return paused(found).map(({ taken: _, places, ...found }) => ({
    ...found,
    ...answeredRows(sampled, population, places),
  }));
}

/** `places`: of its rows within the window; `taken`: of those before it, too. */
type Found = Omit<Deviation, keyof AnsweredRows> & { places: Places; taken: Places };

/** So little time apart what has the same rows is one that pauses, ms. */
const PAUSE = 5 * MINUTE;

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
    first.stretch.end === null || (second.stretch.begin.after ?? 0) - first.stretch.end.before <= PAUSE;
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

type Standing = { candidate: Candidate; segment: Segment };

function clearest(known: Known): Found | null {
  const best = candidatesOf(known).reduce<Standing | null>((clear, candidate) => {
    const segment = standingOut(known, candidate);
    return segment !== null && segment.score > (clear?.segment.score ?? 0) ? { candidate, segment } : clear;
  }, null);
  return best === null ? null : narrowed(known, best);
}

function candidatesOf(known: Known): Candidate[] {
  const { marks, taken } = known;
  const isMiss = (place: number) => ((marks[place] as number) & MARKS.misses) !== 0;
  return [
    ...HARM_IDS.map((harm): Candidate => {
      const isHit = (place: number) => ((marks[place] as number) & MARKS[harm]) !== 0 && taken[place] === 0;
      return { ...HARMS[harm], factor: 1, harm, hits: placesWhere(known, isHit) };
    }),
    ...frequent(known, SENDERS).map(([, hits]): Candidate => ({ ...SENDER, harm: 'sender', hits })),
    // A page that hardly anybody asked for, and that is not in the cache: of all misses it may be a small part.
    ...frequent(known, ['page'], isMiss).map(([, hits]): Candidate => ({ ...PAGE, harm: 'misses', hits })),
  ];
}

/** The values of some fields that many rows of a sample of the window have, of those that count, and all rows that have them. */
function frequent(
  { parts, names, taken, times, windowAt, length, values }: Known,
  fields: readonly NameField[],
  counts: (place: number) => boolean = () => true,
): [code: number, hits: Places][] {
  const places = fields.map(placeOf);
  const begin = times[windowAt] ?? Number.POSITIVE_INFINITY;
  const isFound = new Uint8Array(values);
  for (const { first, end } of parts.filter(({ to }) => to > begin)) {
    const own = new Map<number, number>();
    for (let place = first; place < end; place++) {
      if (taken[place] || !counts(place)) continue;
      for (const field of places) {
        const code = names[place * FIELDS + field] as number;
        if (code >= 0) own.set(code, (own.get(code) ?? 0) + 1);
      }
    }
    const least = Math.max(LOOKED_AT.rows, (end - first) * LOOKED_AT.share);
    for (const [code, count] of own) if (count >= least) isFound[code] = 1;
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
  return [...hits].map(([code, found]) => [code, Int32Array.from(found)]);
}

/** The rows of the window among which there are more of a candidate than usual, and too many for chance; null: there are none. */
function standingOut(known: Known, candidate: Candidate): Segment | null {
  const { windowAt, length, isLevelKnown } = known;
  const { hits, least, factor, isAbsolute, alike } = candidate;
  const usual = usualOf(known, hits);
  const isBadAnyway = isAbsolute && isLevelKnown;
  if (usual === null && !isBadAnyway) return null;
  const base = baseOf(known, candidate, usual);
  const from = Math.max(least, isBadAnyway ? 0 : SPREADS * (usual?.spread ?? 0));
  const own = within(hits, windowAt, length);
  const segment = segmentOf(own, { usual: base, alike, expected: base + Math.max(0.1, from) });
  if (segment === null || segment.score < LEAST_SCORE || segment.hits < LEAST_HITS) return null;
  const share = shareOf(segment);
  return share - base >= from && share >= factor * base ? segment : null;
}

/** The share that a stretch is told from: the usual one, but of what is bad however usual it is that of strays. */
function baseOf({ isLevelKnown }: Known, { floor, isAbsolute }: Candidate, usual: Usual | null): number {
  return isAbsolute && isLevelKnown ? floor : Math.max(usual?.share ?? 0, floor);
}

/** A candidate by the name that its rows have. What one sender brings about is the sender's: whatever it is answered with. */
function narrowed(known: Known, standing: Standing): Found {
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
function having({ names }: Known, code: number): (place: number) => boolean {
  return (place) => names.subarray(place * FIELDS, (place + 1) * FIELDS).includes(code);
}

/** One who sends nearly all of the rows, and much more than usual; null: nobody does. */
function senderOfAll(
  known: Known,
  { candidate, segment: { first, last } }: Standing,
): (Standing & { code: number }) | null {
  const own = within(candidate.hits, first, last + 1);
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
function foundOf(known: Known, { candidate, segment }: Standing, code: number | null): Found {
  const { parts, sampled } = known;
  const { hits, harm, alike } = candidate;
  const usual = usualOf(known, hits);
  const against: Against = { usual: baseOf(known, candidate, usual), alike };
  const isHit = new Uint8Array(known.length);
  for (const place of hits) isHit[place] = 1;
  const marked = { ...known, isHit: (place: number) => isHit[place] === 1 };
  const { first, last } = segment;
  const { begunAt, stretch } = stretchOf(marked, segment, against);
  const places = within(hits, first, last + 1);
  const isIn = (part: Population['parts'][number]) =>
    part.side === 'now' && within(places, part.first, part.end).length > 0;
  return {
    ...{ harm, places, usual: usual?.share ?? null, samples: parts.filter(isIn).length },
    taken: within(hits, begunAt, last + 1),
    names: commonNames(known, { first, end: last + 1, hits }, code).map((each) => sampled.nameOf(each)),
    isOnAndOff: stopsAndBegins(hits, segment),
    stretch,
  };
}
