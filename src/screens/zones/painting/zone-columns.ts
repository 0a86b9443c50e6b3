import { blockedPerMinute, requestCurve } from '../../../domain/health/zone-health.ts';
import type { PullZone } from '../../../domain/zone.ts';
import { sparkline } from '../../../paint/row.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import type { KnownHealth, ZoneSort } from '../../../state/health-model.ts';
import { memoised } from '../../../state/memoised.ts';
import type { State } from '../../../state/model.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { percent, roundCount } from '../../../text/units.ts';

type ZoneColumn = {
  title: string;
  cells: number;
  align: 'left' | 'right';
  /** The narrowest terminal that shows it. */
  from: number;
  sort: ZoneSort | null;
  /** What replaces it where room is short. */
  short?: ZoneColumn;
  figure: ((known: KnownHealth, of: { zone: PullZone; state: State; look: Look }) => Words) | null;
};

/** Cells of the curve of requests, ten minutes each. */
const CURVE_CELLS = 6;

/** Ages move in steps of so many ms: what changes each second is written each second. */
const AGE_STEP = 5_000;

const ERRORS = column('5XX', 5, 0, 'errors', ({ figures, score }) => ({
  text: percent(figures?.errorRatio ?? null),
  slot: standsOut(score, 'errors') ? 'error' : 'dim',
}));

/** What the picker shows of a zone besides its name. */
const ZONE_COLUMNS: readonly ZoneColumn[] = [
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
    // Without Shield there is nothing to read, and no figure to come.
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

/** The curve of requests; a single level is neither high nor low, and says no more than unread time. */
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

/** What a line of the picker holds: figures, and cells for the name and the host names. */
export type PlacedZones = {
  columns: readonly ZoneColumn[];
  name: number;
  hosts: number;
};

/** Where host names have room, names have at least the cells of the title that says that the worst comes first. */
const NAME_LEAST = 25;
const NAME_MOST = 48;
/** Below this width a long name is truncated, so that no figure is lost by which a zone may stand out. */
const NARROW = 60;
const HOSTS_FROM = 110;
const HOSTS_LEAST = 12;

/**
 * Columns that give way to names, in this order. The lines under the list have the id of the zone under the cursor;
 * the sorted column stays.
 */
const GIVE_WAY = ['ID', 'HOUR', '5XX OF ROWS', 'AGE', 'BLOCKED', 'HIT'] as const;

/**
 * The columns of a picker whose names need so many cells. Names take at most half of the window: requests, 4xx and
 * 5xx stay.
 */
export function placedZones(columns: number, needed: number, sort: ZoneSort | null): PlacedZones {
  const wanted = Math.min(needed, Math.floor(columns * (columns < NARROW ? 3 / 8 : 1 / 2)));
  let shown = ZONE_COLUMNS.flatMap((each) => (columns >= each.from ? [each] : shortOf(each)));
  const left = () => {
    const figures = shown.reduce((sum, { cells }) => sum + cells + 1, 0);
    return columns - 1 - figures;
  };
  for (const title of GIVE_WAY) {
    if (left() >= wanted) break;
    shown = shown.flatMap((each) => {
      if (each.title !== title) return [each];
      const short = shortOf(each);
      return short.length === 0 && sort !== null && each.sort === sort ? [each] : short;
    });
  }
  const name = Math.max(NAME_LEAST, Math.min(wanted, NAME_MOST));
  const hosts = left() - name - 1;
  if (columns < HOSTS_FROM || hosts < HOSTS_LEAST) return { columns: shown, name: left(), hosts: 0 };
  return { columns: shown, name, hosts };
}

function shortOf({ short }: ZoneColumn): ZoneColumn[] {
  return short === undefined ? [] : [short];
}

/** Cells of the longest name listed, in view or not: no column moves while the list scrolls or narrows. */
export const nameCells = memoised((zones: readonly PullZone[]): number =>
  zones.reduce((most, { name }) => Math.max(most, width(sanitise(name.slice(0, NAME_MOST), 'text'))), 0),
);
