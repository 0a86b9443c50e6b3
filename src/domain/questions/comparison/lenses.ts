import { duration } from '../../../text/units.ts';
import { parseDuration } from '../../query/query-time.ts';
import { parseWindow } from '../../query/window-text.ts';
import { shared, type TimeRange, timeShared, without } from '../../tail/coverage.ts';

/** The windows that this one can be compared with. `back`: ms; null = its own length. */
export const BASELINES = {
  previous: { title: 'the window before', back: null },
  day: { title: 'a day earlier', back: 24 * 3_600_000 },
  twoDays: { title: 'two days earlier', back: 48 * 3_600_000 },
} as const satisfies Record<string, { title: string; back: number | null }>;

export type BaselineId = keyof typeof BASELINES;

const BASELINE_IDS = Object.keys(BASELINES) as BaselineId[];

/** What a window is compared with. `ranges`: disjoint, the oldest first. */
export type Against = {
  id: BaselineId | 'days' | 'half' | 'rest' | 'earlier' | 'later' | 'other';
  title: string;
  ranges: readonly TimeRange[];
};

type Named = Pick<Against, 'id' | 'title'>;

/** A way to compare a window; `before` null: there is none, and why. */
export type Lens = Named & { now: TimeRange; before: Against['ranges'] | null; why: string };

/** Less than this share of a window left by retention is none. */
const LEAST_LEFT = 0.1;

/** The window so many ms earlier, as far as it is kept: `edge`, Unix ms. */
export function earlierLens(
  now: TimeRange,
  { id, title, back }: Named & { back: number | null },
  edge: number,
): Lens {
  const length = now.to - now.from;
  const by = back ?? length;
  const none = (why: string): Lens => ({ id, title, now, before: null, why });
  if (length > by)
    return none(`a window of ${duration(length)} and the one ${duration(by)} earlier overlap; shorten it`);
  const [from, to] = [Math.max(now.from - by, edge), now.to - by];
  if (to - from < length * LEAST_LEFT) return none(`${title} is older than what is kept`);
  const isCut = from > now.from - by;
  const why = isCut ? 'its beginning is no longer kept; counts are scaled by length' : '';
  return { id, title, now, before: [{ from, to }], why };
}

export const NO_LENS = 'there is no earlier window to compare with in what is kept';

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
const BOTH_DAYS = 'this time of both days before';

function lensesOfWindow({ range, held, edge }: Window): Lens[] {
  const single = BASELINE_IDS.map((id) => earlierLens(range, { id, ...BASELINES[id] }, edge));
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

/** A window with the one that it is compared with; `why` else, for whoever wrote it. */
type Compared = { ok: true; range: TimeRange; against: Against } | { ok: false; why: string };

type AskedWindow = {
  range: TimeRange;
  /** The times of which every row is in memory. */
  held: readonly TimeRange[];
  /** The oldest moment that can be compared with, Unix ms. */
  edge: number;
  now: number;
};

const MOMENT = 1000;

/**
 * What a command line compares a window with: how much earlier (`1d`, `1d,2d`), another window, the rest of a window around it, or
 * null: the first that a screen would take.
 */
export function againstAsked(text: string | null, window: AskedWindow): Compared {
  const { range, edge, now } = window;
  if (text === null) {
    const lens = lensesOf({ ...window, rest: [] }).find(({ before }) => before !== null);
    if (!lens?.before) return { ok: false, why: NO_LENS };
    return { ok: true, range: lens.now, against: { id: lens.id, title: lens.title, ranges: lens.before } };
  }
  const backs = text.split(',').map((word) => parseDuration(word));
  if (backs.every((back) => back !== null)) return earlierBy(text, backs, window);
  const read = parseWindow(text, now);
  if (!read.ok) return { ok: false, why: `--against: ${read.error.message}; ${read.error.hint}` };
  const { window: other } = read;
  const wanted =
    other.kind === 'absolute'
      ? { from: other.from, to: other.to ?? now }
      : { from: now - other.duration, to: now };
  const [kept] = shared(wanted, [{ from: edge, to: now }]);
  if (!kept) return { ok: false, why: `--against ${text} is not within what is kept` };
  const ranges = without([kept], range);
  const isAround = kept.from <= range.from && kept.to >= range.to && ranges.length > 0;
  if (isAround)
    return { ok: true, range, against: { id: 'other', title: 'the rest of the window around it', ranges } };
  if (shared(kept, [range]).length > 0)
    return { ok: false, why: `--against ${text} overlaps the window that it is compared with` };
  return { ok: true, range, against: { id: 'other', title: 'the other window', ranges } };
}

/** The same time so much earlier, or several of them together. */
function earlierBy(text: string, backs: readonly number[], { range, edge }: AskedWindow): Compared {
  const length = range.to - range.from;
  const ranges: TimeRange[] = [];
  for (const back of backs.toSorted((a, b) => b - a)) {
    // A window that ends behind the newest row is longer by a moment than the time that was asked for.
    const isSame = Math.abs(length - back) <= MOMENT;
    const { before, why } = earlierLens(range, { ...named(back), back: isSame ? null : back }, edge);
    if (before === null) return { ok: false, why: `--against ${text}: ${why}` };
    if (before.some((part) => shared(part, ranges).length > 0))
      return { ok: false, why: `--against ${text}: two of these windows overlap; shorten this one` };
    ranges.push(...before);
  }
  const [only] = backs;
  if (only !== undefined && backs.length === 1)
    return { ok: true, range, against: { ...named(only), ranges } };
  const isBoth =
    backs
      .map((back) => named(back).id)
      .toSorted()
      .join() === 'day,twoDays';
  const title = isBoth ? BOTH_DAYS : `this time of ${backs.length} earlier windows`;
  return { ok: true, range, against: { id: isBoth ? 'days' : 'other', title, ranges } };
}

function named(back: number): Named {
  const id = BASELINE_IDS.find((each) => BASELINES[each].back === back);
  return id ? { id, title: BASELINES[id].title } : { id: 'other', title: `${duration(back)} earlier` };
}
