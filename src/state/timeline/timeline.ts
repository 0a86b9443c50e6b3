import { isOfZone } from '../../domain/evidence/change.ts';
import type { OriginErrorDay } from '../../domain/evidence/origin-error.ts';
import { originRuns } from '../../domain/evidence/origin-tally.ts';
import type { ShieldRow } from '../../domain/shield/shield-rows.ts';
import { type TimeRange, without } from '../../domain/tail/coverage.ts';
import { scaleTop } from '../../domain/timeline/scale.ts';
import { partOfAction, SERIES, type SeriesId } from '../../domain/timeline/series.ts';
import {
  coverOf,
  folded,
  isCounted,
  type KnownTimes,
  type StepCover,
  type Steps,
  stepAt,
  stepOf,
  stepsFrom,
  stepsOf,
} from '../../domain/timeline/steps.ts';
import { originDaysTold, TELLING } from '../evidence/platform-evidence.ts';
import { type TimelineView, timelineCells, timelineView } from '../list/screen-layout.ts';
import { shieldZoneOf, zonesOfLog } from '../log-zones.ts';
import { memoised } from '../memoised.ts';
import type { LogSession, State } from '../model.ts';
import { logTimes } from '../sessions/log-times.ts';
import type { ShieldListView } from '../shield-model.ts';
import { storedTimes } from './stored-steps.ts';

/** Traffic over time. */
export type Timeline = {
  series: SeriesId;
  steps: Steps;
  /** For each step, its rows by the parts of the series. */
  counts: readonly (readonly number[])[];
  totals: readonly number[];
  cover: readonly StepCover[];
  /** The number at the top of a column; a larger one is cut. */
  top: number;
  /** All time before it is final, Unix ms; null = none is, or unknown. */
  watermark: number | null;
  /** The drawn part of the time that has come: the first and last step may reach beyond it. */
  range: TimeRange;
  /** What the platform reported besides the log within the drawn times, oldest first. */
  marks: readonly TimeMark[];
};

/** What is drawn, and what is known of it. */
type Drawn = Omit<Timeline, 'totals' | 'cover' | 'top' | 'range' | 'marks'> & KnownTimes;

/** The last timeline made of rows, and its inputs: most keys change none of them, and each key paints it. */
const made = new WeakMap<object, { inputs: readonly unknown[]; timeline: Timeline | null }>();

/** The timeline of the top view, as of this second; null where it has none, or nothing is known yet. */
export function timelineOf(state: State): Timeline | null {
  const view = timelineView(state);
  if (view === null) return null;
  const of = view.kind === 'log' ? state.session?.book : view;
  if (of === undefined) return null;
  const now = state.now - (state.now % 1000);
  const inputs = [
    now,
    state.size.columns,
    state.timeline,
    state.session,
    state.session?.book.version,
    state.evidence,
    state.shield?.shieldZoneId,
    state.zones.shieldOf,
  ];
  const known = made.get(of);
  if (known?.inputs.every((each, at) => Object.is(each, inputs[at]))) return known.timeline;
  const asOf = { ...state, now };
  const drawn = DRAWN[view.kind] as (state: State, view: TimelineView) => Drawn | null;
  const timeline = timelineMade(asOf, drawn(asOf, view), known?.timeline ?? null);
  made.set(of, { inputs, timeline });
  return timeline;
}

/** What is drawn of each kind of view. */
const DRAWN: {
  [K in TimelineView['kind']]: (state: State, view: Extract<TimelineView, { kind: K }>) => Drawn | null;
} = {
  log: (state) => state.session && ofLog(state, state.session),
  shieldGroups: (state, view) => ofShield(state, view, null),
  shieldRows: (state, view) => ofShield(state, view, view.rows.shown),
};

/** `before`: the timeline of the same rows as they were; most of its steps are the same. */
function timelineMade(state: State, drawn: Drawn | null, before: Timeline | null): Timeline | null {
  if (drawn === null) return null;
  const { reads, gaps, range, end, ...of } = drawn;
  const totals = of.counts.map((parts, at) =>
    parts === before?.counts[at] ? (before.totals[at] as number) : totalOf(parts),
  );
  // No row that is here is hidden behind unread time.
  const cover = coverOf(of.steps, { reads, gaps, range, end }).map((each, at) =>
    isCounted(each) || totals[at] === 0 ? each : 'part',
  );
  const drawnTimes = cutTo(range, of.steps, end);
  return {
    ...of,
    totals,
    cover,
    top: scaleTop(totals),
    range: drawnTimes,
    marks: timeMarks(state, drawnTimes),
  };
}

function totalOf(parts: readonly number[]): number {
  let sum = 0;
  for (const count of parts) sum += count;
  return sum;
}

/** The part of a range that has steps and has come, a moment at least. */
function cutTo({ from, to }: TimeRange, { from: first, step, count }: Steps, end: number): TimeRange {
  const begin = Math.max(from, first);
  return { from: begin, to: Math.max(begin + 1, Math.min(to, first + step * count, end)) };
}

function ofLog(state: State, session: LogSession): Drawn | null {
  const times = logTimes(session, state.now);
  if (times === null) return null;
  const { series } = state.timeline;
  const { drawn, isMoving, ...known } = times;
  const stored = storedTimes(state, session);
  if (stored !== null) return { ...known, ...stored, series, watermark: null };
  const steps = stepsOf(drawn, timelineCells(state), isMoving);
  const watermark = session.to === null ? (session.report?.watermark ?? null) : null;
  return { ...known, series, steps, counts: session.book.timeline.of(steps, series), watermark };
}

/**
 * Events are counted from rows where all are here, else from the count that was ordered; what is at hand is a
 * minimum.
 */
function ofShield(state: State, view: ShieldListView, rows: readonly ShieldRow[] | null): Drawn {
  const { range, isWhole } = view.reading;
  const { histogram } = view;
  const of = {
    series: 'action',
    gaps: [],
    watermark: null,
    end: Math.min(range.to, state.now),
  } as const;
  if (histogram === null || (isWhole && (rows?.length ?? 0) > 0)) {
    const steps = stepsFrom(range, timelineCells(state));
    const read = isWhole && rows !== null ? [range] : [];
    return { ...of, steps, range, counts: eventsIn(rows ?? [], steps), reads: [read] };
  }
  const { steps, counts } = histogram;
  const isRead = (at: number) => counts[at] !== null && !histogram.isPartial;
  const all = counts.map((_, at) => stepAt(steps, at)).filter((_, at) => isRead(at));
  const read = without(all, { from: Number.NEGATIVE_INFINITY, to: histogram.from });
  const none = SERIES.action.map(() => 0);
  // Counted for the screen as it was then.
  const fitting = folded({ steps, counts: counts.map((parts) => parts ?? none) }, timelineCells(state));
  const whole = { from: steps.from, to: stepAt(steps, steps.count - 1).to };
  return { ...of, ...fitting, range: whole, reads: [read] };
}

/** Fifty thousand events are counted once, not at each key. */
const eventsIn = memoised((rows: readonly ShieldRow[], steps: Steps): number[][] => {
  const counts = Array.from({ length: steps.count }, () => SERIES.action.map(() => 0));
  for (const { at, fields } of rows) {
    // An event at the very end of the window counts, too.
    const parts = counts[stepOf(steps, at)] as number[];
    const part = partOfAction(fields['action'] ?? null);
    parts[part] = (parts[part] as number) + 1;
  }
  return counts;
});

/** A moment of a timeline: a change of one of its zones, or where its origin began to fail. Unix ms. */
export type TimeMark = { at: number; kind: 'change' | 'origin' };

const NO_MARKS: readonly TimeMark[] = [];

/** The marks of the log's zones within a time, oldest first; nothing is asked for them. */
function timeMarks(state: State, range: TimeRange): readonly TimeMark[] {
  const zones = zonesOfLog(state.session);
  const ids = zones.map((zone) => ({ pullZoneId: zone.id, shieldZoneId: shieldZoneOf(state, zone) }));
  const changes = [...state.evidence.told.values()]
    .flatMap(({ met }) => (met.kind === 'changes' ? met.value.changes : []))
    .filter((change) => ids.some((zone) => isOfZone(change, zone)));
  const marks = [
    ...changes.map(({ timestamp }): TimeMark => ({ at: timestamp, kind: 'change' })),
    ...originDaysTold(state.evidence, zones)
      .flatMap(beginningsOf)
      .map((at): TimeMark => ({ at, kind: 'origin' })),
  ];
  const within = marks.filter(({ at }) => at >= range.from && at < range.to);
  return within.length === 0 ? NO_MARKS : within.sort((a, b) => a.at - b.at);
}

/** A day may have thousands of errors, and a timeline is made each second. */
const beginningsOf = memoised((day: OriginErrorDay) =>
  originRuns(day.errors)
    .filter(({ count }) => count >= TELLING)
    .map(({ from }) => from),
);
