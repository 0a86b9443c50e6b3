import { duration } from '../../../text/units.ts';
import { parseDuration } from '../../query/query-time.ts';
import { parseWindow } from '../../query/window-text.ts';
import { shared, type TimeRange, without } from '../../tail/coverage.ts';
import {
  BASELINES,
  type BaselineId,
  BOTH_DAYS,
  earlierWindow,
  lensesOf,
  NO_LENS,
} from '../comparison/lenses.ts';
import type { Against } from './asked.ts';

/** A window with the one that it is compared with; `why` else, for whoever wrote it. */
type Compared = { ok: true; range: TimeRange; against: Against } | { ok: false; why: string };

type Window = {
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
export function againstAsked(text: string | null, window: Window): Compared {
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
function earlierBy(text: string, backs: readonly number[], { range, edge }: Window): Compared {
  const length = range.to - range.from;
  const ranges: TimeRange[] = [];
  for (const back of backs.toSorted((a, b) => b - a)) {
    // A window that ends behind the newest row is longer by a moment than the time that was asked for.
    const isSame = Math.abs(length - back) <= MOMENT;
    const earlier = earlierWindow(range, { title: named(back).title, back: isSame ? length : back }, edge);
    if (!earlier.ok) return { ok: false, why: `--against ${text}: ${earlier.why}` };
    if (shared(earlier.range, ranges).length > 0)
      return { ok: false, why: `--against ${text}: two of these windows overlap; shorten this one` };
    ranges.push(earlier.range);
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

function named(back: number): { id: Against['id']; title: string } {
  const ids = Object.keys(BASELINES) as BaselineId[];
  const id = ids.find((each) => BASELINES[each].back === back);
  return id ? { id, title: BASELINES[id].title } : { id: 'other', title: `${duration(back)} earlier` };
}
