import { HOUR } from '../../../text/units.ts';
import { type ServerLogFilter, splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { planGroups } from '../../shield/shield-question.ts';
import { equalParts, shared, type TimeRange, without } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { Part } from '../deviation/population.ts';
import { spread } from '../inquiry/asking-order.ts';
import { type LogNeed, type Need, type ShieldNeed, type Side, shieldNeed } from '../inquiry/inquiry.ts';

/** Requests of all rounds together. */
export const WRONG_BUDGET = 25;

/** Rows of a sample: of 3 % of the requests they have thirty. */
const ROWS = 1000;

/** How long before the window other times are looked at that tell what is usual, ms: the hours before, and the same time of other days. */
const BACK = [HOUR, 4 * HOUR, 24 * HOUR, 47 * HOUR, 70 * HOUR] as const;

/** Where the newest samples begin before the end of the window, ms: what has just begun is in them, however many rows a second has. */
const NEWEST = [200_000, 80_000, 25_000] as const;

/** Samples of the window before those, and where nothing stands out between them. */
const SPREAD = { first: 4, more: 4 } as const;

/** A shorter time has a sample at its beginning alone, ms. */
const SHORTEST = 1000;

/** A beginning between moments so near is told well enough, ms. */
const NEAR_ENOUGH = 60_000;

/** What is seen so long before the window may have ended and begun again, ms: a nightly job, an attack by the hour. */
const UNSEEN = 20 * 60_000;
const LOOKED_BACK = 90 * 60_000;

/** The requests of the first round, those that tell most first; `events`: those of Shield among them. */
type WrongPlan = { needs: readonly Need[]; events: { now: ShieldNeed; before: ShieldNeed } | null };

type Asked = { zone: PullZone; shieldZoneId: string | null; query: Query; range: TimeRange; edge: number };

/** `edge`: the oldest moment that is kept, Unix ms; `evidence`: what is asked besides the logs. */
export function wrongPlan(o: Asked & { evidence: readonly Need[] }): WrongPlan {
  const { zone, shieldZoneId, query, range, edge, evidence } = o;
  const length = range.to - range.from;
  const usual = BACK.filter((back) => range.from - back >= edge).map((back) => ({
    from: range.from - back,
    to: range.from - back + Math.min(back, length),
  }));
  const events = shieldZoneId === null ? null : eventsOf(shieldZoneId, query, range, edge);
  const filter = splitForServer(query, zone).server;
  const samples = (side: Side, times: readonly TimeRange[]) =>
    zone.logging ? times.map((time) => sampleNeed(zone, filter, side, time)) : [];
  return {
    events,
    needs: [
      // The newest tells whether it goes on.
      ...samples('now', spread(partsOf(range).toReversed())),
      ...(events ? [events.now, events.before] : []),
      ...evidence,
      ...samples('before', usual),
    ],
  };
}

export function sampleNeed(zone: PullZone, filter: ServerLogFilter, side: Side, range: TimeRange): LogNeed {
  return { kind: 'logs', side, zoneId: zone.id, range, filter, rows: ROWS };
}

function partsOf(range: TimeRange): TimeRange[] {
  const length = range.to - range.from;
  const begins = NEWEST.filter((back) => back <= length / 2).map((back) => range.to - back);
  const [first = range.to] = begins;
  const newest = begins.map((from, at) => ({ from, to: begins[at + 1] ?? range.to }));
  return [
    ...equalParts({ from: range.from, to: first }, SPREAD.first, Math.min(SHORTEST, length)),
    ...newest,
  ];
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

/** Times of which a sample tells most next: the middle of the longest unread time, or of so many of these. */
function middlesOf(parts: readonly Part[], range: TimeRange, most: number): TimeRange[] {
  return unread(parts, range)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, most)
    .map(({ from, to }) => ({ from: Math.floor((from + to) / 2), to }));
}

/** The same between the two moments of a beginning or an end; none where they are near enough, or all between them was read. */
export function narrowing(parts: readonly Part[], after: number, before: number): TimeRange[] {
  if (before - after <= NEAR_ENOUGH) return [];
  const [middle] = middlesOf(parts, { from: after, to: before }, 1);
  return middle && middle.to - middle.from >= SHORTEST ? [middle] : [];
}

/** The middle of the longest time before the window of which nothing tells whether what is in it went on, where that is long. */
export function unseenOf(parts: readonly Part[], from: number, to: number): TimeRange[] {
  if (to - from <= UNSEEN) return [];
  const [middle] = middlesOf(parts, { from: Math.max(from, to - LOOKED_BACK), to }, 1);
  return middle && middle.to - middle.from > UNSEEN / 2 ? [middle] : [];
}

/** Samples between those of the first round. */
export function moreOf(parts: readonly Part[], range: TimeRange): TimeRange[] {
  return middlesOf(parts, range, SPREAD.more).filter(({ from, to }) => to - from >= SHORTEST);
}

function unread(parts: readonly Part[], range: TimeRange): TimeRange[] {
  return parts.reduce<TimeRange[]>(
    (left, { from, readTo }) => (readTo > from ? without(left, { from, to: readTo }) : left),
    shared(range, [range]),
  );
}
