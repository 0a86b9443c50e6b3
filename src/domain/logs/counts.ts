import type { Term } from '../query/query.ts';
import type { Steps } from '../timeline/steps.ts';
import type { Anonymisation } from '../zone.ts';
import type { CacheSums } from './sums/traffic.ts';

/** What is wanted to know of rows, where whoever keeps them can count them instead of sending them. */
export type Counting =
  /** Of each field the values with most rows, `most` of them. `sums`: with the traffic of each. */
  | { kind: 'values'; fields: readonly string[]; most: number; sums: boolean }
  /** Of each step of time its traffic, and of each field the values that at least one in `share` of its rows has. */
  | { kind: 'steps'; fields: readonly string[]; steps: Steps; share: number }
  /** How many rows of a step have two of these values, of two fields, where these are at least `least`. */
  | { kind: 'pairs'; wanted: ReadonlyMap<string, readonly string[]>; steps: Steps; least: number };

/** The rows that are counted: of one zone, by the terms of the question. */
export type CountsAsked = { terms: readonly Term[]; anonymisation: Anonymisation; of: Counting };

/** `sums` null: they were not asked for. */
export type CountedValue = { value: string | null; count: number; sums: CacheSums | null };

/** The values of a field with most rows, those first; `distinct`: how many there are, be they listed or not. */
export type CountedField = { values: readonly CountedValue[]; distinct: number };

/** Values of a step that were common in it, and all of its rows. `at`: its number. */
export type CountedStep = {
  at: number;
  sums: CacheSums;
  values: readonly { field: string; value: string; count: number }[];
};

export type ValuePair = {
  at: number;
  fields: readonly [string, string];
  values: readonly [string, string];
  count: number;
};

/** What was counted of all rows; fields are in the order in which they were asked for. */
export type Counts =
  | { kind: 'values'; rows: number; fields: ReadonlyMap<string, CountedField> }
  | { kind: 'steps'; steps: readonly CountedStep[] }
  | { kind: 'pairs'; pairs: readonly ValuePair[] };

/** How many rows were counted. */
export function rowsCounted(counts: Counts): number {
  if (counts.kind === 'values') return counts.rows;
  return counts.kind === 'steps' ? counts.steps.reduce((sum, { sums }) => sum + sums.requests, 0) : 0;
}
