import { cacheStatusRow } from '../log.ts';

/** A part of a step's requests or events. `letter` stands for it where colours do not tell parts apart. */
export type SeriesPart = { id: string; letter: string };

/**
 * What a timeline's traffic is divided by. Its parts, the worst first: they are stacked from the bottom in this
 * order.
 */
export const SERIES = {
  status: parts({ '5xx': '5', '4xx': '4', '3xx': '3', '2xx': '2', other: '?' }),
  cache: parts({ stale: 'S', miss: 'M', bypass: 'B', revalidated: 'R', other: '-', hit: 'H' }),
  action: parts({ blocked: 'B', challenged: 'C', logged: 'L', other: '?' }),
} as const satisfies Record<string, readonly SeriesPart[]>;

export type SeriesId = keyof typeof SERIES;

/** The series of CDN logs, in the order in which a key goes through them. */
export const LOG_SERIES = ['status', 'cache'] as const satisfies readonly SeriesId[];

export type LogSeriesId = (typeof LOG_SERIES)[number];

/** The place of a status in `SERIES.status`. */
export function partOfStatus(status: number): number {
  const hundreds = Math.floor(status / 100);
  return hundreds >= 2 && hundreds <= 5 ? 5 - hundreds : 4;
}

const CACHE_PARTS: ReadonlyMap<string, number> = new Map([
  ['STALE', 0],
  ['UPDATING', 0],
  ['BYPASS', 2],
  ['REVALIDATED', 3],
]);

/** The place of a cache status in `SERIES.cache`. */
export function partOfCache(status: string): number {
  const own = CACHE_PARTS.get(status);
  if (own !== undefined) return own;
  const { served } = cacheStatusRow(status);
  return served === 'origin' ? 1 : served === 'edge' ? 5 : 4;
}

/** The place of an action in `SERIES.action`. */
export function partOfAction(action: string | null): number {
  const at = SERIES.action.findIndex(({ id }) => id === action?.toLowerCase());
  return at < 0 ? SERIES.action.length - 1 : at;
}

function parts(letters: Record<string, string>): readonly SeriesPart[] {
  return Object.entries(letters).map(([id, letter]) => ({ id, letter }));
}
