import { HOUR } from '../../../text/units.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { planGroups } from '../../shield/shield-question.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { spread } from '../inquiry/asking-order.ts';
import { type LogNeed, type Met, type Need, type ShieldNeed, shieldNeed } from '../inquiry/inquiry.ts';

/** Requests of all rounds together. */
export const WRONG_BUDGET = 15;

/** Rows of a sample: a tenth of the requests stands out in them beyond chance. */
const ROWS = 600;

/** Samples of the window in the first round: the newest of them, and as evenly as so few can lie. */
const FIRST = 5;

/** How long before the window other times are looked at that tell what is usual, ms. */
const BACK = [HOUR, 2 * HOUR, 4 * HOUR, 24 * HOUR] as const;

/** A shorter time has a sample at its beginning alone, ms. */
const SHORTEST = 1000;

/** A sample is of the beginning of its part: the newest part is no longer than this, ms, or what has just begun is missed. */
const NEWEST = 120_000;

/**
 * What another source of evidence found of the window: a cause, such as `dns_lookup`, in `count` of `of` cases, since when
 * (Unix ms). A change of the account is one of one, at its time.
 */
export type Told = { cause: string; count: number; of: number; since: number };

/** Another source of evidence, such as the errors of the origin or the changes of the account. */
export type WrongSource = {
  /** As the answer calls it: `origin errors`. */
  name: string;
  /** `trouble`: it says why an origin fails; `change`: what was done to the zone. */
  kind: 'trouble' | 'change';
  needs: readonly Need[];
  add: (need: Need, met: Met) => void;
  /** What it tells so far. */
  told: () => readonly Told[];
  /** What of it is not told, in words. */
  missing: () => readonly string[];
};

/** The requests of the question by their round, those that tell most first. */
type WrongPlan = {
  first: readonly Need[];
  /** Samples of the window between those of the first round. */
  second: readonly LogNeed[];
  /** Those of the first round that are of Shield. */
  events: { now: ShieldNeed; before: ShieldNeed } | null;
};

/** `edge`: the oldest moment that is kept, Unix ms. */
export function wrongPlan(o: {
  zone: PullZone;
  shieldZoneId: string | null;
  query: Query;
  range: TimeRange;
  edge: number;
  sources: readonly WrongSource[];
}): WrongPlan {
  const { zone, shieldZoneId, query, range, edge } = o;
  const others = o.sources.flatMap(({ needs }) => needs);
  const kept = BACK.filter((back) => range.from - back >= edge);
  const usual = kept.map((back) => ({ from: range.from - back, to: range.to - back }));
  const events = shieldZoneId === null ? null : eventsOf(shieldZoneId, query, range, edge);
  const left = WRONG_BUDGET - others.length - usual.length - (events ? 2 : 0);
  const parts = zone.logging ? partsOf(range, Math.max(1, left)) : [];
  const { server: filter } = splitForServer(query, zone);
  const sample = (side: LogNeed['side']) => (each: TimeRange) =>
    ({ kind: 'logs', side, zoneId: zone.id, range: each, filter, rows: ROWS }) as const;
  // The newest tells whether it goes on.
  const now = spread(parts.toReversed()).map(sample('now'));
  const first = [
    ...(events ? [events.now, events.before] : []),
    ...others,
    ...now.slice(0, FIRST),
    ...(zone.logging ? usual.map(sample('before')) : []),
  ];
  return { first, second: now.slice(FIRST), events };
}

function partsOf(range: TimeRange, parts: number): TimeRange[] {
  const length = range.to - range.from;
  if (parts < 2 || length / parts <= NEWEST) return equalParts(range, parts, Math.min(SHORTEST, length));
  const newest = { from: range.to - NEWEST, to: range.to };
  return [...equalParts({ from: range.from, to: newest.from }, parts - 1), newest];
}

/** Rules with the fingerprints of those that they act on, and the rules of the same time a day earlier, or before it. */
function eventsOf(
  shieldZoneId: string,
  query: Query,
  range: TimeRange,
  edge: number,
): NonNullable<WrongPlan['events']> {
  const length = range.to - range.from;
  const day = { from: range.from - 24 * HOUR, to: range.to - 24 * HOUR };
  const before = { from: Math.max(edge, range.from - Math.max(HOUR, length)), to: range.from };
  return {
    now: shieldNeed({ shieldZoneId, range, plan: planGroups(query, ['rule', 'ja4']) }),
    before: shieldNeed({
      shieldZoneId,
      side: 'before',
      range: day.from >= edge ? day : before,
      plan: planGroups(query, ['rule']),
    }),
  };
}
