import { duration } from '../../../text/units.ts';
import { shared, type TimeRange, timeShared } from '../../tail/coverage.ts';

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

/** An earlier window to compare one with; null and why where there is none. */
export type Lens = {
  id: BaselineId | 'days' | 'half' | 'rest' | 'earlier' | 'later';
  title: string;
  now: TimeRange;
  /** Disjoint, the oldest first. */
  before: readonly TimeRange[] | null;
  why: string;
};

export const NO_LENS = 'there is no earlier window to compare with in what is kept';

const LENSES = Object.keys(BASELINES) as BaselineId[];

/** The shortest time in memory of which the halves are compared, ms. */
const HALVES_LEAST = 120_000;

type Window = {
  range: TimeRange;
  /** Where it was selected out of a longer time: what lies before and after it there. */
  rest: readonly TimeRange[];
  /** The times of which every row is in memory. */
  held: readonly TimeRange[];
  /** The oldest moment that can be compared with, Unix ms. */
  edge: number;
};

/**
 * The windows that this one can be compared with: of selected times the rest of what is on screen, then its parts, the longer first. Last
 * come the halves of what is in memory, where no earlier window is: these can be compared where nobody can be asked for more.
 */
export function lensesOf(o: Window): Lens[] {
  const { range: now, rest } = o;
  const parts = rest
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .map((part): Lens => {
      const [id, title] =
        part.to <= now.from
          ? (['earlier', 'the time before it'] as const)
          : (['later', 'the time after it'] as const);
      return { id, title, now, before: [part], why: 'of what is on screen' };
    });
  const all = { id: 'rest', title: REST, now, before: rest, why: 'before and after it' } as const;
  return [...(rest.length > 1 ? [all] : []), ...parts, ...lensesOfWindow(o)];
}

const REST = 'the rest of what is on screen';

/**
 * Whether the other window is more than one time. Groups of Shield may be the largest of more, so that those of two times cannot be
 * added up; and misses are told over time beside those of the other window.
 */
export function isInParts({ before }: Pick<Lens, 'before'>): boolean {
  return before !== null && before.length > 1;
}

/** What is usual at this time of the day: two days tell more than one that had an incident of its own. */
export const BOTH_DAYS = 'this time of both days before';

function lensesOfWindow({ range, held, edge }: Window): Lens[] {
  const single = LENSES.map((id): Lens => {
    const { title } = BASELINES[id];
    const baseline = baselineOf(range, id, edge);
    if (!baseline.ok) return { id, title, now: range, before: null, why: baseline.why };
    const why = baseline.lost > 0 ? 'its beginning is no longer kept; counts are scaled by length' : '';
    return { id, title, now: range, before: [baseline.range], why };
  });
  const days = single.filter(({ id }) => id === 'day' || id === 'twoDays');
  const before = days.flatMap((lens) => lens.before ?? []).toReversed();
  const both: Lens = { id: 'days', title: BOTH_DAYS, now: range, before, why: '' };
  const lenses = before.length === days.length ? [...single, both] : single;
  const isHeld = lenses.some(({ before }) =>
    before?.every((part) => timeShared(part, held) === part.to - part.from),
  );
  const [longest] = shared(range, held).toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (isHeld || !longest || longest.to - longest.from < HALVES_LEAST) return lenses;
  const middle = Math.floor((longest.from + longest.to) / 2);
  const now = { from: middle, to: longest.to };
  const older = [{ from: longest.from, to: middle }];
  const half: Lens = {
    id: 'half',
    title: 'the half before',
    now,
    before: older,
    why: 'of what is in memory',
  };
  return [...lenses, half];
}
