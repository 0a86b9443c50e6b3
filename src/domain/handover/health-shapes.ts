import { isoOf } from '../../text/units.ts';
import { explain } from '../failure.ts';
import { scoreOf } from '../health/health-score.ts';
import {
  blockedPerMinute,
  type HealthFigures,
  recentFigures,
  type ZoneHealth,
} from '../health/zone-health.ts';
import { canBeRead, type PullZone } from '../zone.ts';
import { cellsBy, digits } from './shapes.ts';

/** A zone with its newest figures, null where unknown. `why`: what makes up its score, or why there is none. */
export type HealthReport = {
  zone: PullZone;
  figures: HealthFigures | null;
  blockedPerMinute: number | null;
  score: number | null;
  why: string;
};

export function healthReport(zone: PullZone, health: ZoneHealth): HealthReport {
  const scored = scoreOf(health);
  const said = [
    scored?.why,
    health.hasStrays ? 'of too few rows: some that the server sent are not of this zone and time' : '',
    health.failure && explain(health.failure).what,
  ].filter(Boolean);
  return {
    zone,
    figures: recentFigures(health),
    blockedPerMinute: blockedPerMinute(health.blocked),
    score: scored?.score ?? null,
    why: scored === null && said.length === 0 ? unreadWhy(zone) : said.join('; '),
  };
}

/** Why nothing is known of a zone that did not fail. */
function unreadWhy(zone: PullZone): string {
  if (canBeRead(zone)) return 'its log was not read';
  if (zone.suspended) return 'the zone is suspended';
  return zone.enabled ? 'the zone keeps no CDN log' : 'the zone is disabled';
}

/** The worst first, those without figures last; equals stay in their order. */
export function worstFirst(reports: readonly HealthReport[]): HealthReport[] {
  return reports.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1));
}

export const { names: HEALTH_ROW_NAMES, row: healthRow } = cellsBy<HealthReport>({
  id: ({ zone }) => digits(zone.id),
  name: ({ zone }) => zone.name,
  requestsPerSecond: ({ figures }) => rounded(figures?.requestsPerSecond),
  hitRatio: ({ figures }) => rounded(figures?.hitRatio),
  errorRatio: ({ figures }) => rounded(figures?.errorRatio),
  clientErrorRatio: ({ figures }) => rounded(figures?.clientErrorRatio),
  blockedPerMinute: (report) => rounded(report.blockedPerMinute),
  rows: ({ figures }) => figures?.rows ?? null,
  from: ({ figures }) => isoOf(figures?.from),
  to: ({ figures }) => isoOf(figures?.to),
  score: ({ score }) => rounded(score),
  why: ({ why }) => why,
});

/** To four significant digits: a zone with a request an hour has a rate, too. */
function rounded(n: number | null | undefined): number | null {
  return n === null || n === undefined ? null : Number(n.toPrecision(4));
}
