import type { Failure } from '../domain/failure.ts';
import type { Query } from '../domain/query/query.ts';
import type { ShieldGroup, WafRule } from '../domain/shield/shield.ts';
import type { ShieldColumnId } from '../domain/shield/shield-columns.ts';
import type { ShieldSort, ShieldTable } from '../domain/shield/shield-groups.ts';
import type { ShieldPlan } from '../domain/shield/shield-question.ts';
import type { FeaturesOfRules, ShieldRow, ShieldRows } from '../domain/shield/shield-rows.ts';
import type { Strays } from '../domain/strays.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Steps } from '../domain/timeline/steps.ts';
import type { PullZone } from '../domain/zone.ts';
import { SHIELD_LISTS, SHIELD_VIEWS } from '../keys/places.ts';
import type { ListPlace, Sideways } from './list.ts';

/** The state of a view's newest request. */
export type ShieldLoading =
  | { kind: 'asking'; since: number }
  | { kind: 'read' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'cancelled' };

/** What a view asked for, and how far the answer was read. */
export type ShieldReading = {
  /** Numbers the request, so that an answer to an older question is dropped. */
  request: number;
  loading: ShieldLoading;
  plan: ShieldPlan;
  range: TimeRange;
  /** Zero-based: the page under way, or the next one. */
  page: number;
  /** Rows or groups in all, by the server's count; null before the first answer. */
  total: number | null;
  isWhole: boolean;
  /** What the server sent instead of what was asked for; it is left out. */
  strays: Strays | null;
  /** Pages of the answer shown: a refresh of groups reads as many again. */
  pages: number;
  /** The request refreshes: until its answer the older one is shown. */
  isRefresh: boolean;
  /** Steps of time that each group is asked for; `refused`: the server did not take that, and is asked without. */
  sparks: number | 'refused' | null;
  /** When the answer shown arrived, Unix ms; null = nothing yet. */
  readAt: number | null;
};

/**
 * How events are counted over time: by one search for all steps, or by one for each of a few. `eachInstead`: by
 * several because the one was of no use.
 */
export type CountedBy = 'one' | 'each' | 'eachInstead';

/** Events by steps of the window and by `SERIES.action`; null = not counted yet. Counted on the user's order. */
export type ShieldHistogram = {
  request: number;
  loading: ShieldLoading;
  by: CountedBy;
  steps: Steps;
  /** What was before this is no longer kept, Unix ms. */
  from: number;
  counts: readonly (readonly number[] | null)[];
  /** There are more groups than a search returns, or some were not understood. */
  isPartial: boolean;
};

/** A whole UTC day being read, page by page. `tokens` are those followed: a repeated one ends it. */
type ShieldDay = { day: string; token: string | null; tokens: readonly string[]; pages: number };

type Base = ListPlace & {
  query: Query;
  sideways?: Sideways | undefined;
  /** The value of the line that the keys + - = act on. */
  column: number;
  /** What `/` looks for; null = nothing. */
  needle: string | null;
  /** Set where `needle` is the whole value of this field, not a text to find anywhere. */
  field?: string | undefined;
};

type ListBase = Base & { reading: ShieldReading; histogram: ShieldHistogram | null };

export type ShieldGroupsView = ListBase & {
  kind: 'shieldGroups';
  /** All dimensions of the grouping in one table instead of one after another. */
  isUnfolded: boolean;
  sort: ShieldSort;
  reversed: boolean;
  table: ShieldTable;
  /** What a running refresh has read; it replaces the table when it is complete. */
  fresh: readonly ShieldGroup[];
  day: null;
};

export type ShieldRowsView = ListBase & {
  kind: 'shieldRows';
  rows: ShieldRows;
  /** What a running refresh has read; it goes above the rows when it is complete. */
  fresh: readonly ShieldRow[];
  day: ShieldDay | null;
};

/** It asks nothing: the list beneath does. */
export type ShieldEventView = Base & { kind: 'shieldEvent'; row: ShieldRow; reading: null };

export type ShieldListView = ShieldGroupsView | ShieldRowsView;
export type ShieldView = ShieldListView | ShieldEventView;

/** The explorer of one Shield zone. What was read lives in the views, so that a step back needs no request. */
export type ShieldState = {
  zone: PullZone;
  /** Null while it is being looked up. */
  shieldZoneId: string | null;
  rules: ReadonlyMap<string, WafRule> | null;
  /** Learnt from the answers; a day read does not carry the feature itself. */
  features: FeaturesOfRules;
  /** The number of the newest request. */
  request: number;
  past: readonly (readonly ShieldView[])[];
  future: readonly (readonly ShieldView[])[];
  /** Relative windows refresh by themselves. */
  isAuto: boolean;
  columns: readonly ShieldColumnId[] | null;
};

/** True for views that ask Shield a question; an event only shows a row of one. */
export function isShieldList<V extends { kind: string }>(view: V): view is V & ShieldListView {
  return (SHIELD_LISTS as readonly string[]).includes(view.kind);
}

export function isShieldView<V extends { kind: string }>(view: V): view is V & ShieldView {
  return (SHIELD_VIEWS as readonly string[]).includes(view.kind);
}

export function noShieldWords(name: string): string {
  return `${name} has no Shield zone: nothing is inspected. Switch Shield on in the pull zone, then Ctrl-r`;
}
