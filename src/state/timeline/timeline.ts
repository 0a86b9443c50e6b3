import { KEPT } from '../../domain/kept.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import type { ShieldRow } from '../../domain/shield/shield-rows.ts';
import { sharedRanges, type TimeRange, without } from '../../domain/tail/coverage.ts';
import { folded } from '../../domain/timeline/fold.ts';
import { type Scale, scaleOf } from '../../domain/timeline/scale.ts';
import { partOfAction, SERIES, type SeriesId } from '../../domain/timeline/series.ts';
import {
  coverOf,
  type StepCover,
  type Steps,
  stepAt,
  stepsFrom,
  stepsOf,
} from '../../domain/timeline/steps.ts';
import type { SavedSource } from '../logs/log-source.ts';
import { zonesOfLog } from '../logs/log-zones.ts';
import type { LogSession, State } from '../model.ts';
import { heldRanges, SAVED_ZONE } from '../questions/held.ts';
import { isShieldList, type ShieldListView } from '../shield/shield-model.ts';
import { timelineCells, timelineView } from './timeline-size.ts';

/** What has just begun to be followed gets so much room, ms: steps that change with every row tell nothing. */
const SHORTEST_LIVE = 120_000;

/** Traffic over time. */
export type Timeline = {
  series: SeriesId;
  steps: Steps;
  /** Of each step: its rows by the parts of the series. */
  counts: readonly ArrayLike<number>[];
  totals: readonly number[];
  cover: readonly StepCover[];
  scale: Scale;
  /** Everything before it is final, Unix ms; null = nothing is, or that is not known. */
  watermark: number | null;
  /** The times that the query asks for, where more than they are drawn; null = all of it. */
  window: TimeRange | null;
  /** All the time that could be asked for. */
  kept: TimeRange;
};

/** What is drawn, and what is known of it. */
type Drawn = Omit<Timeline, 'totals' | 'cover' | 'scale'> & {
  read: readonly TimeRange[];
  gaps: readonly TimeRange[];
  /** Nothing after it has come. */
  end: number;
};

/** The timeline of the view on top; null where it has none, or nothing is known yet. */
export function timelineOf(state: State): Timeline | null {
  const view = timelineView(state);
  if (view === null) return null;
  const drawn = isShieldList(view) ? ofShield(state, view) : state.session && ofLog(state, state.session);
  if (!drawn) return null;
  const { read, gaps, end, ...of } = drawn;
  const totals = of.counts.map((parts) => Array.from(parts).reduce((sum, count) => sum + count, 0));
  const cover = coverOf(of.steps, { read, gaps, end });
  return { ...of, totals, cover, scale: scaleOf(totals, state.timeline.isLog) };
}

function ofLog(state: State, session: LogSession): Drawn | null {
  const { book, report, source, to } = session;
  const times = source.kind === 'files' ? savedTimes(source) : tailTimes(state, session);
  if (times === null) return null;
  const { series } = state.timeline;
  const { range, isMoving, end, kept } = times;
  const steps = stepsOf(range, timelineCells(state), isMoving);
  const gaps = source.kind === 'files' ? source.report.gaps : (report?.gaps ?? []);
  return {
    series,
    steps,
    counts: book.timeline(steps, series),
    // Rows that the filter was not asked about yet are in no count.
    read: book.filtering === null ? readOf(session) : [],
    gaps: gaps.filter(({ reason }) => reason !== 'notRead'),
    end,
    watermark: to === null ? (report?.watermark ?? null) : null,
    window: source.kind === 'files' ? source.range : null,
    kept,
  };
}

/** `isMoving`: its begin goes with what is dropped from memory. `end`: see `Drawn`. */
type Times = { range: TimeRange; isMoving: boolean; end: number; kept: TimeRange };

function savedTimes({ report: { span } }: SavedSource): Times | null {
  if (span === null) return null;
  const range = { from: span.from, to: span.to + 1 };
  return { range, isMoving: false, end: range.to, kept: range };
}

function tailTimes({ now }: State, { book, report, from, to }: LogSession): Times | null {
  const [first] = report?.read ?? [];
  if (report === null || report.completeTo === null || first === undefined) return null;
  const { keptFrom } = book;
  const kept = { from: now - KEPT.logs, to: now };
  const dropped = keptFrom ?? Number.NEGATIVE_INFINITY;
  if (to !== null)
    return { range: { from: Math.max(from ?? first.from, dropped), to }, isMoving: false, end: to, kept };
  // A tail has its newest rows first, and what was before them nobody asked for.
  const begin = Math.max(first.from, dropped);
  // A pause ends with what is in view: the rest is kept back, and is in no count.
  const newest = book.isFrozen ? newestInView(book) : null;
  const end = newest === null ? report.completeTo : Math.min(report.completeTo, newest + 1);
  const range = { from: begin, to: Math.max(begin + SHORTEST_LIVE, end) };
  return { range, isMoving: keptFrom !== null, end, kept };
}

function newestInView(book: LogBook): number | null {
  for (let index = book.length - 1; index >= 0; index--) {
    const item = book.at(index);
    if (item?.kind === 'row') return book.record(item.id).timestamp;
  }
  return null;
}

/** The times of which all rows that were asked for are held, of each zone of the log. */
function readOf(session: LogSession): TimeRange[] {
  const [zone = SAVED_ZONE, ...others] = zonesOfLog(session);
  return [zone, ...others].map((each) => heldRanges(session, each)).reduce(sharedRanges);
}

/** Events are counted from rows where all are here, else from what was counted on order; what is at hand is at least. */
function ofShield(state: State, view: ShieldListView): Drawn {
  const { range, isWhole } = view.reading;
  const { histogram } = view;
  const of = {
    series: 'action',
    gaps: [],
    watermark: null,
    window: null,
    kept: { from: state.now - KEPT.shield, to: state.now },
    end: Math.min(range.to, state.now),
  } as const;
  const rows = view.kind === 'shieldRows' ? view.rows.shown : [];
  if (histogram === null || (isWhole && rows.length > 0)) {
    const steps = stepsFrom(range, timelineCells(state));
    return {
      ...of,
      steps,
      counts: eventsIn(rows, steps),
      read: isWhole && view.kind === 'shieldRows' ? [range] : [],
    };
  }
  const { steps, counts } = histogram;
  const isRead = (at: number) => counts[at] !== null && !histogram.isPartial;
  const all = counts.map((_, at) => stepAt(steps, at)).filter((_, at) => isRead(at));
  const read = without(all, { from: Number.NEGATIVE_INFINITY, to: histogram.from });
  const none = SERIES.action.map(() => 0);
  // Counted for the screen as it was then.
  const fitting = folded({ steps, counts: counts.map((parts) => parts ?? none) }, timelineCells(state));
  return { ...of, ...fitting, read };
}

/** Fifty thousand events are counted once, and not at each key. */
const counted = new WeakMap<readonly ShieldRow[], { steps: Steps; counts: number[][] }>();

function eventsIn(rows: readonly ShieldRow[], steps: Steps): number[][] {
  const known = counted.get(rows);
  const isSame =
    known?.steps.from === steps.from && known.steps.step === steps.step && known.steps.count === steps.count;
  if (known && isSame) return known.counts;
  const counts = countEvents(rows, steps);
  counted.set(rows, { steps, counts });
  return counts;
}

function countEvents(rows: readonly ShieldRow[], steps: Steps): number[][] {
  const counts = Array.from({ length: steps.count }, () => SERIES.action.map(() => 0));
  for (const { at, fields } of rows) {
    const parts = counts[Math.floor((at - steps.from) / steps.step)];
    const part = partOfAction(fields['action'] ?? null);
    if (parts) parts[part] = (parts[part] as number) + 1;
  }
  return counts;
}
