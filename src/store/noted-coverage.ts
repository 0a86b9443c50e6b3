import {
  type Gap,
  type GapReason,
  gapReasonOf,
  overlaps,
  shared,
  type TimeRange,
  without,
} from '../domain/tail/coverage.ts';
import type { Engine } from './engines/engine.ts';
import { takenTimes } from './retention.ts';
import { tableSql } from './sql/schema.ts';
import { IN_ORDER, joinedNotes } from './sql/spans.ts';
import { among, sql, text, whole } from './sql/sql.ts';

/**
 * A statement about time: `read` = all rows of a zone in it are in the store, `imported` = those of a file, else why some may be missing. `zone` '' = of all
 * zones. `missing`: how many, where that is known.
 */
export type Note = TimeRange & {
  zone: string;
  state: 'read' | GapReason;
  missing: number | null;
};

/** One that is in the store: of two about one moment that with the higher mark holds, and of equal ones what was dropped. */
export type MarkedNote = Note & { mark: number };

/**
 * What a reading says of time: all of `read` is here, but for the gaps that lie in it. Of a reading that failed, with `read` null, the
 * gaps alone are known.
 */
export function notesAbout(
  zone: string,
  read: TimeRange | null,
  gaps: readonly Gap[],
  here: 'read' | 'imported' = 'read',
): Note[] {
  const about = (from: number, to: number, state: Note['state'], missing: number | null): Note => ({
    zone,
    from: Math.floor(from),
    to: Math.floor(to),
    state,
    missing,
  });
  if (read === null) return gaps.map(({ from, to, reason, rows }) => about(from, to, reason, rows));
  const lacking = shared(read, gaps);
  return [
    ...lacking.reduce<TimeRange[]>(without, [read]).map(({ from, to }) => about(from, to, here, null)),
    ...lacking.map(({ from, to, reason, rows }) => about(from, to, reason, rows)),
  ].sort((a, b) => a.from - b.from);
}

/**
 * The mark of what is noted next: one above all that are there, whatever a writer's clock says. Taken before rows are written, it
 * leaves what is noted of them behind what is dropped meanwhile.
 */
export async function nextMark({ place, ask }: Engine, signal?: AbortSignal): Promise<number> {
  const { rows } = await ask(sql`SELECT max(noted) FROM ${tableSql(place, 'spans')}`, signal);
  return Number(rows[0]?.[0] ?? 0) + 1;
}

/** Writes statements down, after the rows that they speak of. */
export async function note(
  engine: Engine,
  notes: readonly MarkedNote[],
  signal?: AbortSignal,
): Promise<void> {
  const rows = longest(notes).map(({ zone, from, to, state, missing, mark }) => ({
    pullZoneId: zone,
    since: from,
    till: to,
    state,
    missing: missing ?? -1,
    noted: mark,
  }));
  if (rows.length > 0) await engine.note(rows, signal);
}

/** Of notes that differ in their ends alone the longest: the others would find it in their place, and the engine confirm too few. */
function longest(notes: readonly MarkedNote[]): MarkedNote[] {
  const byBeginning = new Map<string, MarkedNote>();
  for (const each of notes) {
    const { zone, from, state, missing, mark } = each;
    const key = JSON.stringify([zone, from, state, missing, mark]);
    if (each.to > (byBeginning.get(key)?.to ?? Number.NEGATIVE_INFINITY)) byBeginning.set(key, each);
  }
  return [...byBeginning.values()];
}

/** Notes under a mark. */
export function underMark(notes: readonly Note[], mark: number): MarkedNote[] {
  return notes.map((each) => ({ ...each, mark }));
}

/**
 * What a writer that goes on for good notes: a note that goes on where the last one of its zone and state ended begins where that began, and so
 * takes its place in the store, which has a note for each stretch of time and not for each minute.
 */
export function createStretching(): (notes: readonly MarkedNote[]) => MarkedNote[] {
  const last = new Map<string, MarkedNote>();
  return (notes) =>
    notes.map((each) => {
      if (each.missing !== null) return each;
      const key = `${each.zone} ${each.state}`;
      const before = last.get(key);
      const goesOn = before?.mark === each.mark && each.from >= before.from && each.from <= before.to;
      const stretched = goesOn ? { ...each, from: before.from, to: Math.max(before.to, each.to) } : each;
      last.set(key, stretched);
      return stretched;
    });
}

/** All that is known of a time of these zones, in as few statements as say it, and what the engine may have lost of it; those that hold behind those that they outrank. */
export async function notesOf(
  engine: Engine,
  zones: readonly string[],
  { from, to }: TimeRange,
  signal?: AbortSignal,
): Promise<MarkedNote[]> {
  const { place } = engine;
  const zone = among(sql`pullZoneId`, ['', ...zones].map(text));
  const found = sql`SELECT * FROM ${tableSql(place, 'spans')} WHERE ${zone} AND since < ${whole(to)} AND till > ${whole(from)}`;
  const { rows } = await engine.ask(sql`${joinedNotes(found)} ORDER BY ${IN_ORDER}`, signal);
  // Behind the notes, which it outranks: the engine itself says what it may not have any more.
  const taken = await takenTimes(engine, { from, to }, signal);
  const noted = rows.map(([of = '', since = 0, till = 0, state = '', missing = -1, mark = 0]) => ({
    zone: String(of),
    from: Number(since),
    to: Number(till),
    state: stateOf(String(state)),
    missing: Number(missing) < 0 ? null : Number(missing),
    mark: Number(mark),
  }));
  return [
    ...noted,
    ...taken.map((time) => ({
      zone: '',
      ...time,
      state: 'expired' as const,
      missing: null,
      mark: Number.POSITIVE_INFINITY,
    })),
  ];
}

/** What is not known to be whole of a time of each of these zones, oldest first: gaps that were noted, and time of which nothing is said. */
export function notedGaps(
  notes: readonly Note[],
  zones: readonly string[],
  range: TimeRange,
): (Gap & { zone: string })[] {
  const byZone = Map.groupBy(notes.keys(), (at) => notes[at]?.zone ?? '');
  const ofAll = byZone.get('') ?? [];
  return zones.flatMap((zone) => {
    const places = [...ofAll, ...(byZone.get(zone) ?? [])].sort((a, b) => a - b);
    const own = places.flatMap((at) => notes[at] ?? []);
    const rows = new Map(own.map(({ state, from, to, missing }) => [`${state} ${from} ${to}`, missing]));
    return withJoints(stretchesOf(own, range)).flatMap(({ from, to, state }, at) => {
      if (state === 'read') return [];
      const reason = state ?? 'notRead';
      return [
        { id: `${zone}-${at}`, from, to, reason, rows: rows.get(`${reason} ${from} ${to}`) ?? null, zone },
      ];
    });
  });
}

/** A time with what is known of it; null: nothing. */
type Stretch = TimeRange & { state: Note['state'] | null };

/** What notes say of each part of a time, oldest first; no two that touch say the same. */
function stretchesOf(notes: readonly Note[], range: TimeRange): Stretch[] {
  const beginning = Map.groupBy(
    notes.keys().filter((at) => overlaps(notes[at] as Note, range)),
    (at) => Math.max(range.from, notes[at]?.from ?? 0),
  );
  const ends = [...beginning.values()].flat().map((at) => notes[at]?.to ?? 0);
  const edges = [...new Set([range.from, ...beginning.keys(), ...ends.filter((end) => end < range.to)])];
  edges.sort((a, b) => a - b);
  const stretches: Stretch[] = [];
  let here: number[] = [];
  for (const [place, from] of edges.entries()) {
    here = here.filter((at) => (notes[at]?.to ?? 0) > from);
    const begun = beginning.get(from);
    if (begun !== undefined) here = [...here, ...begun].sort((a, b) => a - b);
    const state = here.reduce<Stretch['state']>((before, at) => stateAfter(before, notes[at] as Note), null);
    const to = edges[place + 1] ?? range.to;
    const last = stretches.at(-1);
    if (last?.state === state) last.to = to;
    else if (from < to) stretches.push({ from, to, state });
  }
  return stretches;
}

/** What a moment is after one more note about it. */
function stateAfter(before: Stretch['state'], { state }: Note): Stretch['state'] {
  // What was dropped is gone whatever it was; of what was not here before that stays the reason.
  if (state === 'read' || state === 'retention') return state;
  if (state === 'expired') return isHere(before) ? state : before;
  // What was read or loaded once is here whatever happened later.
  return isHere(before) ? before : state;
}

/** Between two files, each of which tells of its time from its first row to its last, ms. */
const JOINT = 1_000;

/**
 * Imported time goes on to what is beside it where nothing was said of less than a second between them: two files of a log that was
 * cut have no row in there, and no file says to the millisecond where it ends. It is called no more complete than imported time is.
 */
function withJoints(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const [at, each] of stretches.entries()) {
    const beside = [stretches[at - 1]?.state ?? null, stretches[at + 1]?.state ?? null];
    const isJoint =
      each.state === null &&
      each.to - each.from < JOINT &&
      beside.every(isHere) &&
      beside.includes('imported');
    const state = isJoint ? 'imported' : each.state;
    const last = joined.at(-1);
    if (last?.state === state) last.to = each.to;
    else joined.push({ ...each, state });
  }
  return joined;
}

function isHere(state: Stretch['state']): boolean {
  return state === 'read' || state === 'imported';
}

function stateOf(word: string): Note['state'] {
  return word === 'read' ? word : gapReasonOf(word);
}
