import { duration } from '../../../text/units.ts';
import type { TimeRange } from '../../tail/coverage.ts';

/** The windows that this one can be compared with. `back`: ms; null = its own length. */
export const BASELINES = {
  previous: { title: 'the window before', back: null },
  day: { title: 'a day earlier', back: 24 * 3_600_000 },
  twoDays: { title: 'two days earlier', back: 48 * 3_600_000 },
} as const satisfies Record<string, { title: string; back: number | null }>;

export type BaselineId = keyof typeof BASELINES;

type Baseline =
  | {
      ok: true;
      range: TimeRange;
      /** What retention cut off its beginning, ms; 0 = whole. Counts are scaled by the lengths. */
      lost: number;
    }
  | { ok: false; why: string };

/** Less than this share of a baseline left by retention is none. */
const LEAST_LEFT = 0.1;

/** The baseline of a window; `edge` is the oldest moment that is still kept (`oldestAsked`), Unix ms. */
export function baselineOf(window: TimeRange, id: BaselineId, edge: number): Baseline {
  const { title, back } = BASELINES[id];
  return earlierWindow(window, { title, back: back ?? window.to - window.from }, edge);
}

/** The window so many ms earlier, as far as it is kept. */
export function earlierWindow(
  window: TimeRange,
  { title, back }: { title: string; back: number },
  edge: number,
): Baseline {
  const length = window.to - window.from;
  if (length > back) {
    return {
      ok: false,
      why: `a window of ${duration(length)} and the one ${duration(back)} earlier overlap; shorten it`,
    };
  }
  const wanted = { from: window.from - back, to: window.to - back };
  const from = Math.max(wanted.from, edge);
  if (wanted.to - from < length * LEAST_LEFT) {
    return { ok: false, why: `${title} is older than what is kept` };
  }
  return { ok: true, range: { from, to: wanted.to }, lost: from - wanted.from };
}
