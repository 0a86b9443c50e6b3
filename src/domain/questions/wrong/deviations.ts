import type { TimeRange } from '../../tail/coverage.ts';
import { HARM_IDS, HARMS, type Harm, type HarmId, PAGE, SENDER } from './harms.ts';
import { commonNames, nameThatSplits } from './names.ts';
import {
  NAME_FIELDS,
  type Name,
  type NameField,
  type SampledPart,
  type SampledRow,
  type SampledRows,
} from './sampled-rows.ts';
import { extendedBack, type Marked, type Stretch, stretchOf } from './stretch.ts';
import { type Population, type Usual, usualOf } from './usual-share.ts';

/** What differs from the usual, or is bad however usual it is, in rows of its own. */
export type Deviation = {
  harm: HarmId | 'sender';
  /** Values that its rows have in common and others have not, what says most first. */
  names: readonly Name[];
  stretch: Stretch;
  /** What share of the requests was such at other times; null: no other time tells. */
  usual: number | null;
  /** Its rows within the window, oldest first. */
  rows: readonly SampledRow[];
  /** Samples of the window that have some of them. */
  samples: number;
  /** It stops and begins again within the window. */
  isOnAndOff: boolean;
};

/** More of them would be a list of symptoms. */
const MOST_DEVIATIONS = 6;

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
const SENDERS_OF_ALL = [...SENDERS, 'ua' as const].map((field) => NAME_FIELDS.indexOf(field));

/** What is looked for: rows of a harm, or of a sender. */
type Candidate = Omit<Harm, 'what'> & { harm: Deviation['harm']; factor: number };

/**
 * What stands out of a window: the clearest first, and when its rows are taken out the clearest of what is left. So two that go on at
 * once are told apart by their rows, and none is told twice. `isFiltered`: rows were chosen by how they were answered, so that
 * nothing is bad by its level.
 */
export function deviationsOf(sampled: SampledRows, window: TimeRange, isFiltered: boolean): Deviation[] {
  const { parts } = sampled;
  const rows = parts.flatMap((part) => part.rows);
  const windowAt = rows.findIndex(({ at }) => at >= window.from);
  const starts = new Set(
    parts.flatMap(({ from, rows: own }, at) => {
      const [first] = own;
      return first !== undefined && from > (parts[at - 1]?.readTo ?? from) ? [first] : [];
    }),
  );
  const taken = new Set<SampledRow>();
  const found: Deviation[] = [];
  while (windowAt >= 0 && found.length < MOST_DEVIATIONS) {
    const best = clearest({ sampled, parts, rows, starts, taken, windowAt, isLevelKnown: !isFiltered });
    if (best === null) break;
    found.push(best.deviation);
    for (const row of best.taken) taken.add(row);
  }
  return found;
}

type Taking = { deviation: Deviation; taken: readonly SampledRow[] };

function clearest(known: Population): Taking | null {
  const judged = candidatesOf(known)
    .map((candidate) => ({ candidate, stretch: standingOut(known, candidate) }))
    .filter(({ stretch }) => stretch !== null)
    .toSorted((a, b) => (b.stretch?.score ?? 0) - (a.stretch?.score ?? 0));
  const [best] = judged;
  return best === undefined ? null : narrowed(known, best.candidate, best.stretch as Stretch);
}

function candidatesOf(known: Population): Candidate[] {
  const { isHit: isMiss } = HARMS.misses;
  return [
    ...HARM_IDS.map((harm) => candidateOf(known, harm, HARMS[harm], HARMS[harm].isHit)),
    ...frequent(known, SENDERS, () => true).map((code) => senderOf(known, code)),
    // A page that hardly anybody asked for, and that is not in the cache: of all misses it may be a small part.
    ...frequent(known, ['page'], isMiss).map((code) => {
      const hasPage = hasName(code);
      return candidateOf(known, 'misses', { ...HARMS.misses, ...PAGE }, (row) => isMiss(row) && hasPage(row));
    }),
  ];
}

function senderOf(known: Population, code: number): Candidate {
  return candidateOf(known, 'sender', SENDER, hasName(code));
}

function candidateOf(
  { taken }: Population,
  harm: Deviation['harm'],
  of: Omit<Harm, 'what' | 'isHit'> & { factor?: number },
  isHit: (row: SampledRow) => boolean,
): Candidate {
  return { factor: 1, ...of, harm, isHit: (row) => isHit(row) && !taken.has(row) };
}

/** Whether a row has a value, by the code of it. */
function hasName(code: number): (row: SampledRow) => boolean {
  return ({ names }) => names.includes(code);
}

/** The values of some fields that many rows of a sample of the window have, of those that count. */
function frequent(
  { parts, rows, taken, windowAt }: Population,
  fields: readonly NameField[],
  counts: (row: SampledRow) => boolean,
): number[] {
  const places = fields.map((field) => NAME_FIELDS.indexOf(field));
  const begin = rows[windowAt]?.at ?? Number.POSITIVE_INFINITY;
  const found = new Set<number>();
  for (const part of parts.filter(({ to }) => to > begin)) {
    const own = new Map<number, number>();
    for (const row of part.rows) {
      if (taken.has(row) || !counts(row)) continue;
      for (const place of places) {
        const code = row.names[place] as number;
        if (code >= 0) own.set(code, (own.get(code) ?? 0) + 1);
      }
    }
    const least = Math.max(LOOKED_AT.rows, part.rows.length * LOOKED_AT.share);
    for (const [code, count] of own) if (count >= least) found.add(code);
  }
  return [...found];
}

/** The stretch of the window in which there are more such rows than usual, and too many for chance; null: there is none. */
function standingOut(known: Population, candidate: Candidate): Stretch | null {
  const { windowAt, isLevelKnown } = known;
  const usual = usualOf(known, candidate.isHit);
  const isBadAnyway = candidate.isAbsolute && isLevelKnown;
  if (usual === null && !isBadAnyway) return null;
  const base = baseOf(candidate, isLevelKnown, usual);
  const least = Math.max(candidate.least, isBadAnyway ? 0 : SPREADS * (usual?.spread ?? 0));
  const stretch = stretchOf(marked(known, windowAt, candidate.isHit), {
    usual: base,
    expected: base + Math.max(0.1, least),
    alike: candidate.alike,
  });
  if (stretch === null || stretch.score < LEAST_SCORE || stretch.hits < LEAST_HITS) return null;
  const isMore = stretch.share - base >= least && stretch.share >= candidate.factor * base;
  return isMore ? stretch : null;
}

/** The share that a stretch is told from: the usual one, but of what is bad however usual it is that of strays. */
function baseOf({ floor, isAbsolute }: Candidate, isLevelKnown: boolean, usual: Usual | null): number {
  return isAbsolute && isLevelKnown ? floor : Math.max(usual?.share ?? 0, floor);
}

function marked({ rows, starts }: Population, from: number, isHit: (row: SampledRow) => boolean): Marked {
  const own = rows.slice(from);
  return {
    times: own.map(({ at }) => at),
    isHit: (n) => isHit(own[n] as SampledRow),
    isAfterGap: (n) => starts.has(own[n] as SampledRow),
  };
}

/**
 * A candidate by the name that its rows have, and its beginning as far back as was read. What one sender brings about is the sender's:
 * whatever it is answered with.
 */
function narrowed(known: Population, candidate: Candidate, stretch: Stretch): Taking {
  const population = rowsOf(known, stretch);
  if (candidate.harm === 'sender') return takingOf(known, candidate, stretch);
  const usual = known.parts.flatMap(({ side, rows }) => (side === 'before' ? rows : []));
  const code = nameThatSplits({ now: population, usual }, candidate.isHit, candidate.harm === 'trouble');
  const hasCode = code === null ? () => true : hasName(code);
  const named: Candidate = { ...candidate, isHit: (row) => candidate.isHit(row) && hasCode(row) };
  const own = code === null ? null : standingOut(known, named);
  const [of, found, name] = own === null ? [candidate, stretch, null] : [named, own, code];
  const sent = senderOfAll(known, rowsOf(known, found).filter(of.isHit));
  return sent === null
    ? takingOf(known, of, found, name)
    : takingOf(known, sent.sender, sent.stretch, sent.code);
}

/** One who sends nearly all of some rows, and much more than usual; null: nobody does. */
function senderOfAll(known: Population, rows: readonly SampledRow[]) {
  const counts = new Map<number, number>();
  for (const { names } of rows) {
    for (const place of SENDERS_OF_ALL) {
      const code = names[place] as number;
      if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  const codes = [...counts]
    .filter(([, count]) => count >= MOST_SENT * rows.length)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code]) => code);
  for (const code of codes) {
    const sender = senderOf(known, code);
    const stretch = standingOut(known, sender);
    if (stretch !== null) return { code, sender, stretch };
  }
  return null;
}

function rowsOf({ rows, windowAt }: Population, { first, last }: Stretch): readonly SampledRow[] {
  return rows.slice(windowAt + first, windowAt + last + 1);
}

function takingOf(
  known: Population,
  candidate: Candidate,
  stretch: Stretch,
  code: number | null = null,
): Taking {
  const { rows, windowAt, parts, sampled, isLevelKnown } = known;
  const { isHit, harm } = candidate;
  const usual = usualOf(known, isHit);
  const whole = extendedBack(marked(known, 0, isHit), stretch, {
    offset: windowAt,
    usual: baseOf(candidate, isLevelKnown, usual),
    alike: candidate.alike,
  });
  const taken = rows.slice(whole.first, windowAt + stretch.last + 1).filter(isHit);
  const population = rowsOf(known, stretch);
  const own = population.filter(isHit);
  const isIn = ({ side, from, to }: SampledPart) =>
    side === 'now' && own.some(({ at }) => at >= from && at < to);
  const names = commonNames(population, isHit, code).map((each) => sampled.nameOf(each));
  return {
    taken,
    deviation: {
      ...{ harm, names, usual: usual?.share ?? null, rows: own, samples: parts.filter(isIn).length },
      isOnAndOff: stopsAndBegins(population, isHit, stretch.share),
      stretch: { ...stretch, begin: whole.begin },
    },
  };
}

/** So many of its rows were due in a run of others, behind so many rows of which half as many as usual are its own: it paused. */
const PAUSED = { due: 25, before: 60, share: 0.5 } as const;

function stopsAndBegins(
  rows: readonly SampledRow[],
  isHit: (row: SampledRow) => boolean,
  share: number,
): boolean {
  let begin = 0;
  return rows.some((row, at) => {
    if (!isHit(row)) return false;
    const [from, run] = [begin, at - begin];
    begin = at + 1;
    if (run * share < PAUSED.due || from < PAUSED.before) return false;
    const before = rows.slice(from - PAUSED.before, from).filter(isHit).length;
    return before >= PAUSED.before * share * PAUSED.share;
  });
}
