import { blockedPerMinute, requestCurve } from '../../../domain/health/zone-health.ts';
import type { PullZone } from '../../../domain/zone.ts';
import { sparkline } from '../../../paint/row.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { KnownHealth, ZoneSort } from '../../../state/health-model.ts';
import type { State } from '../../../state/model.ts';
import { fit } from '../../../text/fit.ts';
import { percent, roundCount } from '../../../text/units.ts';

export type ZoneColumn = {
  title: string;
  cells: number;
  align: 'left' | 'right';
  /** The narrowest terminal that has it. */
  from: number;
  sort: ZoneSort | null;
  /** What stands for it where there is no room. */
  short?: ZoneColumn;
  figure: ((known: KnownHealth, of: { zone: PullZone; state: State; look: Look }) => Words) | null;
};

/** The curve of requests has so many cells of ten minutes. */
const CURVE_CELLS = 6;

/** Figures are told older by so many ms at a time: what counts each second would be written each second. */
const AGE_STEP = 5_000;

const ERRORS = column('5XX', 5, 0, 'errors', ({ figures, score }) => ({
  text: percent(figures?.errorRatio ?? null),
  slot: standsOut(score, 'errors') ? 'error' : 'dim',
}));

/** What the picker tells of each zone besides its name. */
export const ZONE_COLUMNS: readonly ZoneColumn[] = [
  column('ID', 9, 90, null, null),
  column('REQ/S', 5, 0, 'requests', ({ figures, score }) => ({
    text: rateText(figures?.requestsPerSecond ?? null),
    slot: standsOut(score, 'requests') ? 'warning' : 'text',
  })),
  column('HIT', 5, 0, 'hit', ({ figures, score }) => ({
    text: percent(figures?.hitRatio ?? null),
    slot: standsOut(score, 'misses') ? 'miss' : 'text',
  })),
  column('4XX', 5, 0, 'clientErrors', ({ figures, score }) => ({
    text: percent(figures?.clientErrorRatio ?? null),
    slot: standsOut(score, 'clientErrors') ? 'warning' : 'dim',
  })),
  {
    ...column('5XX OF ROWS', 13, 60, 'errors', ({ figures, score }) => {
      const share = fit(percent(figures?.errorRatio ?? null), 5, 'right');
      if (figures === null || figures.rows === 0)
        return { text: figures === null ? '' : 'no rows', slot: 'dim' };
      return {
        text: fit(`${share} of ${roundCount(figures.rows)}`, 13),
        slot: standsOut(score, 'errors') ? 'error' : 'dim',
      };
    }),
    short: ERRORS,
  },
  column('BLOCKED', 8, 80, 'blocked', ({ health, score }, { zone, look }) => {
    // Without Shield there is nothing to read, which is no figure that is still to come.
    const unread = zone.shieldZoneId === null ? 'off' : look.glyph.hatch;
    const rate = blockedPerMinute(health.blocked);
    const text = rate === null ? unread : `${rateText(rate)}/min`;
    return { text, slot: standsOut(score, 'blocked') ? 'warning' : 'dim' };
  }),
  column('HOUR', CURVE_CELLS, 80, null, hourFigure, 'left'),
  column('AGE', 4, 50, 'age', ({ health, figures }, { state }) => {
    const to = figures?.to ?? null;
    const age = to === null ? null : Math.max(0, state.now - state.health.clockAhead - to);
    return { text: age === null ? '-' : ageText(age), slot: health.failure === null ? 'dim' : 'error' };
  }),
];

function column(
  title: string,
  cells: number,
  from: number,
  sort: ZoneSort | null,
  figure: ZoneColumn['figure'],
  align: ZoneColumn['align'] = 'right',
): ZoneColumn {
  return { title, cells, align, from, sort, figure };
}

/** The curve of requests; one level alone is neither high nor low, and told no better than what is not read. */
function hourFigure({ health }: KnownHealth, { look }: { look: Look }): Words {
  const curve = requestCurve(health, CURVE_CELLS);
  if (curve.filter((level) => level !== null).length < 2)
    return { text: look.glyph.hatch.repeat(CURVE_CELLS), slot: 'dim' };
  const most = Math.max(0, ...curve.map((level) => level ?? 0));
  const shares = curve.map((level) => (level === null || most === 0 ? level : level / most));
  return { text: sparkline(shares, look), slot: 'accent' };
}

function standsOut(score: KnownHealth['score'], measure: string): boolean {
  return score?.parts.some((part) => part.measure === measure) ?? false;
}

/** A rate in five cells. */
function rateText(rate: number | null): string {
  if (rate === null) return '-';
  if (rate === 0) return '0';
  return rate < 0.095 ? '<0.1' : rate < 9.95 ? rate.toFixed(1) : roundCount(Math.round(rate));
}

/** An age in at most three cells. */
function ageText(age: number): string {
  if (age < 60_000) return `${Math.floor(age / AGE_STEP) * (AGE_STEP / 1000)}s`;
  const minutes = Math.floor(age / 60_000);
  if (minutes < 60) return `${minutes}m`;
  return minutes < 5940 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}
