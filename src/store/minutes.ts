import type { RowsAsked } from '../domain/logs/log-history.ts';
import { overlaps, type TimeRange } from '../domain/tail/coverage.ts';
import type { Steps } from '../domain/timeline/steps.ts';
import { DAY, MINUTE } from '../text/units.ts';
import type { Engine } from './engines/engine.ts';
import { StoreFailure } from './engines/store-failure.ts';
import {
  type AddedUp,
  addedUp,
  isOfMinutes,
  marksOf,
  type SealedDay,
  sealing,
} from './sql/minute-questions.ts';
import { tableSql } from './sql/schema.ts';
import { sql, whole } from './sql/sql.ts';

/** A UTC day as a number: 20261001. */
function dayNumber(ms: number): number {
  return Number(new Date(ms).toISOString().slice(0, 10).replaceAll('-', ''));
}

/**
 * Adds up by minute the days before a time that are not, at most `most` of them, newest first; resolves to how many. A day to which a row
 * is written later counts as not added up until this is done again. A cluster has none: which rows a replica has read is not known.
 */
export async function sealDays(
  engine: Engine,
  before: number,
  most: number,
  signal?: AbortSignal,
): Promise<number> {
  const { place } = engine;
  if (place.cluster !== null) return 0;
  const { rows } = await engine.ask(
    sql`SELECT day, seal FROM (${marksOf(place)}) AS marks WHERE day < ${whole(dayNumber(before))} AND seal NOT IN (SELECT seal FROM ${tableSql(place, 'sealed')}) ORDER BY day DESC LIMIT ${whole(most)}`,
    signal,
  );
  for (const [day, seal] of rows)
    for (const each of sealing(place, rangeOf(Number(day)), Number(day), String(seal)))
      await engine.run(each, signal);
  return rows.length;
}

/** Adds up all days before a time that are not; `onSealed` is told how many so far. */
export async function sealAll(
  engine: Engine,
  before: number,
  onSealed: (days: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let sealed = 0; (await sealDays(engine, before, 1, signal)) > 0; ) onSealed(++sealed);
}

/** The days that are added up as their rows are now. */
export async function sealedDays(engine: Engine, signal?: AbortSignal): Promise<SealedDay[]> {
  const { place } = engine;
  if (place.cluster !== null) return [];
  try {
    const { rows } = await engine.ask(
      sql`SELECT day, seal FROM (${marksOf(place)}) AS marks WHERE seal IN (SELECT seal FROM ${tableSql(place, 'sealed')})`,
      signal,
    );
    return rows.map(([day, seal]) => ({ ...rangeOf(Number(day)), seal: String(seal) }));
  } catch (error) {
    // Such an account cannot know whether they are; the rows tell it all the same.
    if (error instanceof StoreFailure && error.kind === 'forbidden') return [];
    throw error;
  }
}

/** What of a question is added up already. Null: nothing, or it is about more than minutes know. */
export async function minutesFor(
  engine: Engine,
  asked: RowsAsked,
  { by = [], steps }: { by?: readonly string[]; steps?: Steps },
  signal?: AbortSignal,
): Promise<AddedUp | null> {
  if (!isOfMinutes(asked, by)) return null;
  if (steps !== undefined && (steps.from % MINUTE !== 0 || steps.step % MINUTE !== 0)) return null;
  const days = await sealedDays(engine, signal);
  return addedUp(
    asked,
    days.filter((day) => overlaps(day, asked.range)),
  );
}

function rangeOf(day: number): TimeRange {
  const from = Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
  return { from, to: from + DAY };
}
