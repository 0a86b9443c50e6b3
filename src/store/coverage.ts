import {
  type Cover,
  type Gap,
  type GapReason,
  gapReasonOf,
  type Ledger,
  openLedger,
  paint,
  shared,
  type TimeRange,
  without,
} from '../domain/tail/coverage.ts';
import type { Engine } from './engines/engine.ts';
import { takenTimes } from './retention.ts';
import { DIALECTS } from './sql/dialect.ts';
import { tableSql } from './sql/schema.ts';
import { among, joinedSql, type Sql, sql, text, whole } from './sql/sql.ts';

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
  const { rows } = await ask(sql`SELECT max(noted) FROM ${tableSql(place, 'coverage')}`, signal);
  return Number(rows[0]?.[0] ?? 0) + 1;
}

/** Writes statements down under a mark, after the rows that they speak of. */
export async function note(
  engine: Engine,
  notes: readonly Note[],
  mark: number,
  signal?: AbortSignal,
): Promise<void> {
  const into = sql`INSERT INTO ${tableSql(engine.place, 'coverage')} (pullZoneId, since, till, state, missing, noted)`;
  const rows = notes.map(
    ({ zone, from, to, state, missing }) =>
      sql`SELECT ${text(zone)}, ${whole(from)}, ${whole(to)}, ${text(state)}, ${whole(missing ?? -1)}, ${whole(mark)}`,
  );
  for (let at = 0; at < rows.length; at += NOTES_AT_ONCE) {
    const some = rows.slice(at, at + NOTES_AT_ONCE);
    await engine.run(sql`${into} ${joinedSql(some, sql` UNION ALL `)}`, { rows: some.length, signal });
  }
}

/** One statement holds no more: a file may name thousands of gaps. */
const NOTES_AT_ONCE = 500;

/** All statements that touch a time of these zones, and what the engine may have lost of it; those that hold behind those that they outrank. */
export async function notesOf(
  engine: Engine,
  zones: readonly string[],
  { from, to }: TimeRange,
  signal?: AbortSignal,
): Promise<MarkedNote[]> {
  const { place } = engine;
  const table = DIALECTS[place.dialect].settled(tableSql(place, 'coverage'));
  const zone: Sql = among(sql`pullZoneId`, ['', ...zones].map(text));
  const { rows } = await engine.ask(
    sql`SELECT pullZoneId, since, till, state, missing, noted FROM ${table} WHERE ${zone} AND since < ${whole(to)} AND till > ${whole(from)} ORDER BY noted, state IN ('retention', 'expired'), since`,
    signal,
  );
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

/** What is not known to be whole of a time of one zone, oldest first: gaps that were noted, and time of which nothing is said. */
export function notedGaps(notes: readonly Note[], zone: string, range: TimeRange): Gap[] {
  let ledger = openLedger(range.from);
  const rows = new Map<string, number | null>();
  for (const { state, missing, ...each } of notes) {
    if (each.zone !== '' && each.zone !== zone) continue;
    const cut = { from: Math.max(each.from, range.from), to: Math.min(each.to, range.to) };
    if (state === 'read') ledger = paint(ledger, cut, () => ({ state: 'read' }));
    else if (state === 'expired')
      // Of what was not here before that stays the reason.
      ledger = paint(ledger, cut, (before) => (isHere(before) ? { state: 'gap', reason: state } : null));
    else {
      rows.set(`${state} ${each.from} ${each.to}`, missing);
      // What was read or loaded once is here whatever happened later, unless it was dropped.
      ledger = paint(ledger, cut, (before) =>
        isHere(before) && state !== 'retention' ? null : { state: 'gap', reason: state },
      );
    }
  }
  ledger = withJoints(ledger);
  return ledger.segments.flatMap(({ from, to: end, state, ...segment }, at): Gap[] => {
    const to = Math.min(end, range.to);
    if (state === 'read' || state === 'final' || from >= to) return [];
    const reason =
      state === 'gap' && 'reason' in segment && segment.reason !== null ? segment.reason : 'notRead';
    return [{ id: `${zone}-${at}`, from, to, reason, rows: rows.get(`${reason} ${from} ${to}`) ?? null }];
  });
}

/** Between two files, each of which tells of its time from its first row to its last, ms. */
const JOINT = 1_000;

/**
 * Imported time goes on to what is beside it where nothing was said of less than a second between them: two files of a log that was
 * cut have no row in there, and no file says to the millisecond where it ends. It is called no more complete than imported time is.
 */
function withJoints(ledger: Ledger): Ledger {
  const { segments } = ledger;
  return segments.reduce((joined, { from, to, state }, at) => {
    const beside = [segments[at - 1], segments[at + 1]].filter((each) => each !== undefined && isHere(each));
    const isJoint =
      state === 'unknown' &&
      to - from < JOINT &&
      beside.length === 2 &&
      beside.some((each) => each?.state === 'gap');
    return isJoint ? paint(joined, { from, to }, () => ({ state: 'gap', reason: 'imported' })) : joined;
  }, ledger);
}

function isHere(cover: Cover): boolean {
  return cover.state === 'read' || (cover.state === 'gap' && cover.reason === 'imported');
}

function stateOf(word: string): Note['state'] {
  return word === 'read' ? word : gapReasonOf(word);
}
