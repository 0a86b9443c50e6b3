import { count, counted, percent } from '../../text/units.ts';
import { apart, decadesOf, type Share } from '../differing.ts';
import { ratioOf } from '../logs/sums/traffic.ts';
import { ALIKE, LEAST_CHANGE, NOTABLE_DECADES, SPREAD, TOO_MANY_ERRORS, USUAL } from '../thresholds.ts';
import {
  blockedPerMinute,
  type HealthFigures,
  pastBins,
  pastFigures,
  recentFigures,
  type ZoneHealth,
} from './zone-health.ts';

/** What a zone stands out by. */
type HealthPart = {
  measure: 'errors' | 'clientErrors' | 'misses' | 'requests' | 'blocked';
  /** How unlikely it is beside the zone's own past: 3 = about one in a thousand. */
  decades: number;
  /** With its sample, and the value before. */
  words: string;
  /** The query of the log that shows it; null: all rows do. */
  query: string | null;
};

/** `why`: what the score is made of, the most unlikely first; empty: nothing stands out. */
export type HealthScore = { score: number; parts: readonly HealthPart[]; why: string };

/** Fewer rows give no rate for a part of a minute. */
const ROWS_OF_RATE = 5;

/** So many in a time, ms. */
type Amount = { count: number; time: number };

/** How unlikely the newest figures of a zone are; null: no rows were read. */
export function scoreOf(health: ZoneHealth): HealthScore | null {
  const now = recentFigures(health);
  if (now === null) return null;
  const before = pastFigures(health);
  const all = [
    ...errorParts(now, before),
    ...(before === null ? [] : [missesPart(now, before), requestsPart(health, now, before)]),
    blockedPart(health),
  ];
  const parts = all
    .filter((part) => part !== null && part.decades >= NOTABLE_DECADES)
    .toSorted((a, b) => (b?.decades ?? 0) - (a?.decades ?? 0)) as HealthPart[];
  const score = Math.max(0, ...all.map((part) => part?.decades ?? 0));
  return { score, parts, why: parts.map(({ words }) => words).join('; ') };
}

function errorParts(now: HealthFigures, before: HealthFigures | null): (HealthPart | null)[] {
  const rows: ['errors' | 'clientErrors', string, string, keyof HealthFigures['sums']][] = [
    ['errors', '5xx', 'status:5xx', 'serverErrors'],
    ['clientErrors', '4xx', 'status:4xx', 'clientErrors'],
  ];
  return rows.map(([measure, name, query, sum]) => {
    const here = { part: now.sums[sum], of: now.rows };
    const there = { part: before?.sums[sum] ?? 0, of: before?.rows ?? 0 };
    const [share, shareBefore] = [ratioOf(here.part, here.of) ?? 0, ratioOf(there.part, there.of)];
    const known = { part: there.part + USUAL[measure] * USUAL.rows, of: there.of + USUAL.rows };
    const risen = share - known.part / known.of >= LEAST_CHANGE[measure];
    const rise = risen ? decadesApart(thinned(here, ALIKE[measure]), thinned(known, ALIKE[measure])) : 0;
    const decades = measure === 'errors' ? Math.max(rise, tooMany(here, share)) : rise;
    const words = `${name} ${percent(share)} of ${counted(now.rows, 'row')}${beforeWords(shareBefore)}`;
    return decades > 0 ? { measure, decades, words, query } : null;
  });
}

function tooMany(errors: Share, share: number): number {
  if (share < TOO_MANY_ERRORS.least) return 0;
  const usual = { part: TOO_MANY_ERRORS.share * USUAL.rows, of: USUAL.rows };
  return decadesApart(errors, usual) * TOO_MANY_ERRORS.weight;
}

function missesPart(now: HealthFigures, before: HealthFigures): HealthPart | null {
  const here = { part: now.sums.origin, of: now.sums.edge + now.sums.origin };
  const there = { part: before.sums.origin, of: before.sums.edge + before.sums.origin };
  const fallen = (before.hitRatio ?? 0) - (now.hitRatio ?? 1);
  if (fallen < LEAST_CHANGE.misses) return null;
  const decades = decadesApart(thinned(here, ALIKE.misses), thinned(there, ALIKE.misses));
  const words = `hit ${percent(now.hitRatio)} of ${counted(here.of, 'row')}${beforeWords(before.hitRatio)}`;
  return { measure: 'misses', decades, words, query: 'cache:MISS,EXPIRED,BYPASS' };
}

function requestsPart({ bins }: ZoneHealth, now: HealthFigures, before: HealthFigures): HealthPart {
  const rates = pastBins(bins)
    .filter(({ rows }) => rows >= ROWS_OF_RATE)
    .map(({ from, to, rows }) => Math.log(rows / (to - from)));
  const decades = factorDecades(
    { count: now.rows, time: now.covered },
    { count: before.rows, time: before.covered },
    deviation(rates),
  );
  const [rate, rateBefore] = [now, before].map((figures) => rounded(figures.requestsPerSecond ?? 0));
  const words = `${rate} requests/s, ${rateBefore} before`;
  return { measure: 'requests', decades, words, query: null };
}

function blockedPart({ blocked: now, blockedBefore: before }: ZoneHealth): HealthPart | null {
  const [rate, rateBefore] = [blockedPerMinute(now), blockedPerMinute(before)];
  // Fewer attacks wake nobody.
  if (rate === null || rateBefore === null || rate <= rateBefore) return null;
  const amounts = [now, before].map((each) => ({
    count: each?.blocked ?? 0,
    time: each === null ? 0 : each.to - each.from,
  })) as [Amount, Amount];
  const decades = factorDecades(...amounts, SPREAD.blocked);
  const words = `Shield blocks ${rounded(rate)}/min, ${rounded(rateBefore)}/min before`;
  return { measure: 'blocked', decades, words, query: null };
}

/** How unlikely two rates differ this much, given their own variation and the chance of small counts. */
function factorDecades(now: Amount, before: Amount, spread: number): number {
  // Half a one more, so that none is a factor, too.
  const [here, there] = [now.count + 0.5, before.count + 0.5];
  const factor = here / now.time / (there / before.time);
  if (Math.max(factor, 1 / factor) < LEAST_CHANGE.factor) return 0;
  const chance = 1 / here + 1 / there;
  return decadesOfFactor(factor, Math.sqrt(Math.max(spread, SPREAD.requests) ** 2 + chance));
}

/** A sample in which so many neighbouring rows count as one. */
function thinned({ part, of }: Share, alike: number): Share {
  return { part: part / alike, of: of / alike };
}

function deviation(values: readonly number[]): number {
  if (values.length < 2) return SPREAD.requests;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** What ends the words of a part without a value before. */
export const UNKNOWN_BEFORE = ', before unknown';

function beforeWords(share: number | null): string {
  return share === null ? UNKNOWN_BEFORE : `, ${percent(share)} before`;
}

function rounded(n: number): string {
  return n < 10 ? String(Math.round(n * 10) / 10) : count(n);
}

/** How unlikely it is that two shares are the same, in decades. */
function decadesApart(now: Share, before: Share): number {
  return decadesOf(apart(now, before) ?? 0);
}

/**
 * The same for a factor between two amounts, which by chance vary by `spread`: the standard deviation of its
 * logarithm.
 */
function decadesOfFactor(factor: number, spread: number): number {
  const deviation = Math.log(factor) / spread;
  return decadesOf(deviation ** 2);
}
