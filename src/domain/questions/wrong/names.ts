import { gSquared } from '../../differing.ts';
import { NAME_FIELDS, type NameField, type SampledRow } from './sampled-rows.ts';

/**
 * A name tells rows of a cause from others where at least so many of them have it (`part`), so many times as many as of the others
 * are such (`lift`), and too many for chance (χ² at p = 1e-5).
 */
const SPLITS = { part: 0.25, lift: 3, g2: 20 } as const;

/** A value is common to the rows of a cause when so many have it, and so many times or so much more than of the others. */
const COMMON = { part: 0.7, lift: 3, more: 0.4 } as const;

/** Names that are told; more would be the same in other words. */
const MOST_NAMES = 4;

/** How an answer was given says nothing of whose or where it is. */
const ANSWERED = ['status', 'cache'].map((field) => NAME_FIELDS.indexOf(field as 'status' | 'cache'));
const PLACES = NAME_FIELDS.keys()
  .filter((place) => !ANSWERED.includes(place))
  .toArray();

/** What an origin can fail at: where nearly all that fail were asked of it, what a cache answered tells nothing. */
const OF_ORIGIN = 0.9;

/** Names that say one thing in several ways: where one of a kind is told, the others are a part of it. */
const KINDS: readonly (readonly NameField[])[] = [
  ['page', 'shape', 'below', 'path', 'host'],
  ['ip', 'ja4', 'asn', 'edge', 'country', 'host'],
];
/** Who sends is told by all that he is known by. */
const SENDERS: readonly NameField[] = ['ip', 'ja4', 'asn'];

/** Rows of a time, and of other times what is usual. */
type Times = { now: readonly SampledRow[]; usual: readonly SampledRow[] };

type Two = { place: number; code: number; own: number; others: number };

/**
 * The value that tells rows of a cause from other rows best; null: they are like all others. What such rows are usually there with it
 * do not count for it. `isOfOrigin`: only what the origin was asked for could have failed.
 */
export function nameThatSplits(
  times: Times,
  isHit: (row: SampledRow) => boolean,
  isOfOrigin: boolean,
): number | null {
  const now = isOfOrigin ? ofOrigin(times.now, isHit) : times.now;
  const usual = counted(times.usual, isHit, PLACES);
  const scale = times.usual.length > 0 ? times.now.length / times.usual.length : 0;
  const more = (own: number, code: number | null) => {
    const was = code === null ? usual.hits : (usual.found.get(code)?.own ?? 0);
    return Math.max(0, own - was * scale);
  };
  const { found, hits, others } = counted(now, isHit, PLACES);
  const [all, length] = [more(hits, null), hits + others];
  const told = [...found.values()]
    .map(({ code, own, others: rest }) => {
      const [excess, of] = [Math.min(all, more(own, code)), own + rest];
      // The share of what is more among the rows with the value, and among those without it.
      const [within, without] = [excess / of, length > of ? (all - excess) / (length - of) : 0];
      const g2 = gSquared([
        [excess, (all * of) / length],
        [of - excess, ((length - all) * of) / length],
        [all - excess, (all * (length - of)) / length],
        [length - of - (all - excess), ((length - all) * (length - of)) / length],
      ]);
      const isTelling = excess >= SPLITS.part * all && within >= SPLITS.lift * without && g2 >= SPLITS.g2;
      return { code, isTelling, g2 };
    })
    .filter(({ isTelling }) => isTelling)
    .toSorted((a, b) => b.g2 - a.g2);
  return told[0]?.code ?? null;
}

function ofOrigin(rows: readonly SampledRow[], isHit: (row: SampledRow) => boolean): readonly SampledRow[] {
  const asked = rows.filter(({ cache }) => cache !== 'HIT');
  const hits = rows.filter(isHit).length;
  return asked.filter(isHit).length >= OF_ORIGIN * hits ? asked : rows;
}

/** Values that most rows of a cause have and others have not, that by which it was told from them first. */
export function commonNames(
  rows: readonly SampledRow[],
  isHit: (row: SampledRow) => boolean,
  first: number | null,
): number[] {
  const { found, hits, others } = counted(rows, isHit, [...NAME_FIELDS.keys()]);
  const common = [...found.values()].filter(({ own, others: elsewhere }) => {
    const [share, other] = [own / hits, others > 0 ? elsewhere / others : 0];
    return share >= COMMON.part && (share >= COMMON.lift * other || share - other >= COMMON.more);
  });
  const leading = first === null ? [] : [found.get(first) ?? { place: -1, code: first }];
  const told: { place: number; code: number }[] = [];
  for (const each of [...leading, ...common.toSorted((a, b) => a.place - b.place)])
    if (told.every((other) => isOtherThan(each, other))) told.push(each);
  return told.slice(0, MOST_NAMES).map(({ code }) => code);
}

function isOtherThan(a: { place: number; code: number }, b: { place: number; code: number }): boolean {
  if (a.code === b.code || a.place === b.place) return false;
  const [first, second] = [NAME_FIELDS[a.place], NAME_FIELDS[b.place]] as [NameField, NameField];
  if (SENDERS.includes(first) && SENDERS.includes(second)) return true;
  return !KINDS.some((kind) => kind.includes(first) && kind.includes(second));
}

/** Each value with how many rows of the cause and how many others have it. */
function counted(
  rows: readonly SampledRow[],
  isHit: (row: SampledRow) => boolean,
  places: readonly number[],
): { found: Map<number, Two>; hits: number; others: number } {
  const found = new Map<number, Two>();
  let hits = 0;
  for (const row of rows) {
    const isOne = isHit(row);
    if (isOne) hits++;
    for (const place of places) {
      const code = row.names[place] as number;
      if (code < 0) continue;
      let two = found.get(code);
      if (two === undefined) {
        two = { place, code, own: 0, others: 0 };
        found.set(code, two);
      }
      if (isOne) two.own++;
      else two.others++;
    }
  }
  return { found, hits, others: rows.length - hits };
}
