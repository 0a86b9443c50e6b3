import { gSquared } from '../differing.ts';
import { MARKS, SENT_BY } from './harms.ts';
import {
  FIELDS,
  fieldPlace,
  NAME_FIELDS,
  type NameField,
  otherTimes,
  type Places,
  type Population,
  placesWithin,
  usualRows,
  valueCounts,
} from './sampled-rows.ts';

/**
 * A name tells rows of a cause from others where at least so many of them have it (`part`), so many times as many as of the others
 * are such (`lift`), and too many for chance (χ² at p = 1e-5).
 */
const SPLITS = { part: 0.25, lift: 3, g2: 20 } as const;

/**
 * A value is common to the rows of a cause when so many have it, and so many times or so much more than of the others. Whoever reads a
 * name takes all of them for its own; how they were `answered` names nobody.
 */
const COMMON = { part: 0.9, answered: 0.7, lift: 3, more: 0.4 } as const;

/** Names that are told; more would be the same in other words. */
const MOST_NAMES = 4;

const ALL = [...NAME_FIELDS.keys()];
/** How an answer was given says nothing of whose or where it is. */
const PLACES = ALL.filter((place) => place !== fieldPlace('status') && place !== fieldPlace('cache'));

/** What an origin can fail at: where nearly all that fail were asked of it, what a cache answered tells nothing. */
const OF_ORIGIN = 0.9;

/** What most requests have in common says nothing beside another name: it is told where it tells the rows best. */
const BY_ITSELF: ReadonlySet<NameField | undefined> = new Set(['scheme', 'referer']);

function isByItself(place: number | undefined): boolean {
  return BY_ITSELF.has(NAME_FIELDS[place ?? -1]);
}

/** Names that say one thing in several ways: where one of a kind is told, the others are a part of it. */
const KINDS: readonly (readonly NameField[])[] = [
  ['page', 'shape', 'folder', 'below', 'path', 'host'],
  ['ip', 'ja4', 'asn', 'edge', 'country', 'host'],
  ['app', 'ua'],
];
/** Who sends is told by all that he is known by. */
export const SENDERS = Object.keys(SENT_BY) as (keyof typeof SENT_BY)[];

/** The rows of a stretch, and of these and of all others those of a cause. */
type Rows = { first: number; end: number; hits: Places };

/**
 * The value that tells rows of a cause from other rows of its time best; null: they are like all others. What such rows are usually
 * there with it do not count for it. `isOfOrigin`: only what the origin was asked for could have failed.
 */
export function nameThatSplits(
  known: Population,
  { first, end, hits }: Rows,
  isOfOrigin: boolean,
): number | null {
  const isHit = setOf(known, hits);
  const asked = isOfOrigin ? askedOfOrigin(known, placesWithin(hits, first, end)) : null;
  const now = counted(known, [{ first, end }], (place) => isHit[place] === 1, PLACES, asked);
  const before = usualRows(known, { first, end });
  const rowsBefore = before.reduce((sum, part) => sum + part.end - part.first, 0);
  const usualHits = before.flatMap((part) => [...placesWithin(hits, part.first, part.end)]);
  const usual = valueCounts(known, Int32Array.from(usualHits), PLACES);
  const length = now.hits + now.others;
  const scale = rowsBefore > 0 ? length / rowsBefore : 0;
  const more = (count: number, was: number) => Math.max(0, count - was * scale);
  const all = more(now.hits, usualHits.length);
  let [best, most]: [number | null, number] = [null, SPLITS.g2];
  for (const code of now.found) {
    const excess = Math.min(all, more(now.own[code] as number, usual.get(code) ?? 0));
    if (excess < SPLITS.part * all) continue;
    const of = (now.own[code] as number) + (now.rest[code] as number);
    if (of * 2 > length && isByItself(now.fields[code])) continue;
    // The share of what is more among the rows with the value, and among those without it.
    const [inside, without] = [excess / of, length > of ? (all - excess) / (length - of) : 0];
    if (inside < SPLITS.lift * without) continue;
    const g2 = gSquared([
      [excess, (all * of) / length],
      [of - excess, ((length - all) * of) / length],
      [all - excess, (all * (length - of)) / length],
      [length - of - (all - excess), ((length - all) * (length - of)) / length],
    ]);
    if (g2 > most || (g2 === most && best === null)) [best, most] = [code, g2];
  }
  return best;
}

/**
 * Values that nearly all rows of a cause have and others have not, that by which it was told from them first. `isOfOrigin`: others are
 * those that the origin was asked for, now and at other times.
 */
export function commonNames(
  known: Population,
  { first, end, hits }: Rows,
  leading: number | null,
  isOfOrigin: boolean,
): number[] {
  const { own, rest, fields, found, ...all } = besideOthers(known, { first, end, hits }, isOfOrigin);
  const common = found.filter((code) => {
    if (isByItself(fields[code])) return false;
    const [share, other] = [
      (own[code] as number) / all.hits,
      all.others > 0 ? (rest[code] as number) / all.others : 0,
    ];
    const least = PLACES.includes(fields[code] as number) ? COMMON.part : COMMON.answered;
    return share >= least && (share >= COMMON.lift * other || share - other >= COMMON.more);
  });
  const inOrder = common.toSorted((a, b) => (fields[a] as number) - (fields[b] as number));
  const told: number[] = [];
  for (const code of leading === null ? inOrder : [leading, ...inOrder])
    if (
      told.every((other) => isOtherThan({ code, field: fields[code] }, { code: other, field: fields[other] }))
    )
      told.push(code);
  return told.slice(0, MOST_NAMES);
}

/** Where what else the origin was asked for is less than this of the rows of a cause, all other rows of their time are the others. */
const BESIDE = 0.1;

function besideOthers(known: Population, rows: Rows, isOfOrigin: boolean): ReturnType<typeof counted> {
  const { first, end, hits } = rows;
  const isHit = setOf(known, hits);
  const isOwn = (place: number) => place >= first && place < end && isHit[place] === 1;
  const asked = isOfOrigin ? askedOfOrigin(known, placesWithin(hits, first, end)) : null;
  if (asked !== null) {
    const beside = counted(known, [rows, ...otherTimes(known)], isOwn, ALL, asked);
    if (beside.others >= BESIDE * beside.hits) return beside;
  }
  return counted(known, [rows], isOwn, ALL, null);
}

/** Whether a row was asked of the origin; null: not nearly all of some rows were, so that others could be such, too. */
function askedOfOrigin({ marks }: Population, own: Places): ((place: number) => boolean) | null {
  const asked = (place: number) => !((marks[place] as number) & MARKS.hit);
  return own.filter(asked).length >= OF_ORIGIN * own.length ? asked : null;
}

type Coded = { code: number; field: number | undefined };

function isOtherThan(a: Coded, b: Coded): boolean {
  if (a.code === b.code || a.field === b.field) return false;
  const [first, second] = [a, b].map(({ field }) => NAME_FIELDS[field ?? -1]) as [NameField, NameField];
  if (first in SENT_BY && second in SENT_BY) return true;
  return !KINDS.some((kind) => kind.includes(first) && kind.includes(second));
}

/** A table of the places of rows: 1 where it is one of these. */
export function setOf({ length }: Pick<Population, 'length'>, places: Places): Uint8Array {
  const set = new Uint8Array(length);
  for (const place of places) set[place] = 1;
  return set;
}

/** How many rows of the cause, and how many others, have each value; `found`: those that any has; `fields`: of which field each is. */
function counted(
  { names, values }: Population,
  ranges: readonly Omit<Rows, 'hits'>[],
  isHit: (place: number) => boolean,
  places: readonly number[],
  counts: ((place: number) => boolean) | null,
) {
  const [own, rest, fields] = [new Int32Array(values), new Int32Array(values), new Int8Array(values)];
  const found: number[] = [];
  let [hits, others] = [0, 0];
  for (const { first, end } of ranges) {
    for (let place = first; place < end; place++) {
      if (counts !== null && !counts(place)) continue;
      const isOne = isHit(place);
      if (isOne) hits++;
      else others++;
      const ofRows = isOne ? own : rest;
      for (const field of places) {
        const code = names[place * FIELDS + field] as number;
        if (code < 0) continue;
        if (own[code] === 0 && rest[code] === 0) {
          found.push(code);
          fields[code] = field;
        }
        ofRows[code] = (ofRows[code] as number) + 1;
      }
    }
  }
  return { own, rest, fields, found, hits, others };
}
