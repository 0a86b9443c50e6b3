import { count, duration } from '../../text/units.ts';
import type { TimeRange } from '../tail/coverage.ts';

/** The windows that this one can be compared with. `back`: ms; null = its own length. */
export const BASELINES = {
  previous: { title: 'the window before', back: null },
  day: { title: 'a day earlier', back: 24 * 3_600_000 },
  twoDays: { title: 'two days earlier', back: 48 * 3_600_000 },
} as const satisfies Record<string, { title: string; back: number | null }>;

export type BaselineId = keyof typeof BASELINES;

export type Baseline =
  | {
      ok: true;
      range: TimeRange;
      /** What retention cut off its beginning, ms; 0 = whole. Counts are scaled by the lengths. */
      lost: number;
    }
  | { ok: false; why: string };

/** Less than this share of a baseline left by retention is none. */
const LEAST_LEFT = 0.1;

/** What a comparison costs before it is asked. `most` is null when nothing bounds it from above. */
export type Price = { least: number; most: number | null; why: string };

/** The baseline of a window; `edge` is the oldest moment that is still kept (`retentionEdge`), Unix ms. */
export function baselineOf(window: TimeRange, id: BaselineId, edge: number): Baseline {
  const length = window.to - window.from;
  const back = BASELINES[id].back ?? length;
  if (length > back) {
    return {
      ok: false,
      why: `a window of ${duration(length)} and the one ${duration(back)} earlier overlap; shorten it`,
    };
  }
  const wanted = { from: window.from - back, to: window.to - back };
  const from = Math.max(wanted.from, edge);
  if (wanted.to - from < length * LEAST_LEFT) {
    return { ok: false, why: `${BASELINES[id].title} is older than what is kept` };
  }
  return { ok: true, range: { from, to: wanted.to }, lost: from - wanted.from };
}

/**
 * Requests of a comparison of Shield events: each dimension, in both windows, by pages. `pagesMost`: pages read of one
 * list at most. How many a list has is known with its first page.
 */
export function shieldPrice(dimensions: number, pagesMost: number): Price {
  const lists = dimensions * 2;
  return {
    least: lists,
    most: lists * pagesMost,
    why: `${dimensions} dimensions × 2 windows × 1${pagesMost > 1 ? `…${pagesMost}` : ''} pages`,
  };
}

/**
 * Requests that reading these ranges of CDN logs takes. A request answers `limit` rows of at most `spanMost` ms; a slice
 * with more rows is halved until it fits, so that `n` slices that fit cost up to 2 n − 1 requests. `perSecond`: rows of
 * the zone that are known of; null = not known, then there is no upper bound.
 */
export function logsPrice(
  ranges: readonly TimeRange[],
  perSecond: number | null,
  { limit, spanMost }: { limit: number; spanMost: number },
): Price {
  let least = 0;
  let most = 0;
  for (const { from, to } of ranges) {
    if (to <= from) continue;
    const bySpan = Math.ceil((to - from) / spanMost);
    const rowsOfSlice = ((perSecond ?? 0) * (to - from)) / 1000 / bySpan;
    const halvings = Math.max(0, Math.ceil(Math.log2(rowsOfSlice / limit)));
    least += Math.max(bySpan, Math.ceil((bySpan * rowsOfSlice) / limit));
    most += bySpan * (2 ** (halvings + 1) - 1);
  }
  const rows =
    ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0) * ((perSecond ?? 0) / 1000);
  return {
    least,
    most: perSecond === null ? null : most,
    why:
      perSecond === null
        ? 'how many rows there are is not known'
        : `about ${count(rows)} rows, ${count(limit)} a request`,
  };
}
