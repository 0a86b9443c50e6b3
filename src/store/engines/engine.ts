import type { Place } from '../sql/schema.ts';
import type { StoredNote } from '../sql/spans.ts';
import type { Sql } from '../sql/sql.ts';
import type { StoredColumns } from '../sql/stored-columns.ts';

/** What an engine answers with: numbers and texts, and what it read for it, where it says so. */
export type EngineAnswer = {
  rows: readonly (readonly (string | number)[])[];
  read: { rows: number; bytes: number } | null;
};

/** Bytes of an answer that are read: a page of the longest rows is less, and memory holds a few times as much of it meanwhile. */
export const MOST_ANSWER = 128_000_000;

/** What a question may cost. */
export type QuestionLimits = {
  /** Seconds that it may take. */
  seconds: number;
  /** MB that it may take. */
  memory: number;
};

/** A connection to a store. All of it throws `StoreFailure`, or whatever the signal was aborted with. */
export type Engine = {
  place: Place;
  /** Its name in the configuration. */
  store: string;
  /** Asks within the limits; what was opened to be read cannot be changed by it. */
  ask(of: Sql, signal?: AbortSignal): Promise<EngineAnswer>;
  /** Changes tables. */
  run(of: Sql, signal?: AbortSignal): Promise<void>;
  /** Writes rows. Those that are there already change nothing, but where these say more: what failed may be written again. */
  put(rows: StoredColumns, signal?: AbortSignal): Promise<void>;
  /** Writes notes, no two of which differ in their ends alone; they may be written again, too. */
  note(notes: readonly StoredNote[], signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
};
