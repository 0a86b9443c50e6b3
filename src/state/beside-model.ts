import type { Failure } from '../domain/failure.ts';
import type { BookWork } from '../domain/logs/groups/book-work.ts';
import type { BookGroups } from '../domain/logs/groups/log-group.ts';
import type { StoredValues } from '../domain/logs/log-history.ts';
import type { LogFieldId } from '../domain/query/fields.ts';
import type { Query } from '../domain/query/query.ts';

/** The fields whose top values are shown, in this order. */
export const VALUE_FIELDS = [
  'status',
  'cache',
  'page',
  'shape',
  'net',
  'country',
  'asn',
  'ua',
] as const satisfies readonly LogFieldId[];

/** The most frequent values of a field among the rows of a view. */
export type TopValues = {
  field: string;
  /** Most frequent first. */
  values: readonly { value: string | null; count: number }[];
  distinct: number;
  rows: number;
  of: CountedOver;
  at: number;
};

/** The rows of a view: the session's question, the filter over it, and a number that changes as rows come. */
export type CountedOver = { generation: number; query: Query; version: number };

/** A store's answer to a question about the values of a window; null = it cannot count them. */
export type ValuesTold = { key: string; answer: StoredValues | Failure | null };

/** What stands beside lists. */
export type BesideState = {
  /** The top values are shown only in a view of their own. */
  isHidden: boolean;
  values: readonly TopValues[];
  /** The last question to a store, and the values offered for a field in a query line. */
  stored: ValuesTold | null;
  offered: ValuesTold | null;
  work: { field: string; of: CountedOver; work: BookWork<BookGroups> } | null;
  /** The line shown in full: see `cursorKey`; null = none. */
  detail: string | null;
};

export const NOTHING_BESIDE: BesideState = {
  isHidden: false,
  values: [],
  stored: null,
  offered: null,
  work: null,
  detail: null,
};

/** The top values have the keys; `at`: the value under the cursor. */
export type ValuesOverlay = { kind: 'topValues'; at: number };
