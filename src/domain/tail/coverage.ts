import { firstWhere } from '../sorted.ts';

/** Half-open range of event time `[from, to)`, Unix ms UTC. */
export type TimeRange = { from: number; to: number };

/** Why no complete answer covers a time range. Each has its own sentence on screen. */
export const GAP_REASONS = [
  'notRead',
  'failed',
  'offline',
  'rateLimited',
  'overload',
  'overflow',
  'strays',
  'slept',
  'retention',
  'expired',
  'refused',
  'imported',
] as const;

export type GapReason = (typeof GAP_REASONS)[number];

/** A reason as it was written; an unknown one, of a newer version, is still a gap. */
export function gapReasonOf(word: unknown): GapReason {
  return GAP_REASONS.find((reason) => reason === word) ?? 'notRead';
}

/**
 * Whether rows are known to be missing, or nobody looked. The rows of imported time are here; only nobody says that
 * they are all.
 */
export function isLacking({ reason }: Pick<Gap, 'reason'>): boolean {
  return reason !== 'imported';
}

/**
 * `rows`: how many are missing, where known; `zone`: the id of the pull zone that lacks them, where several are read.
 */
export type Gap = TimeRange & { id: string; reason: GapReason; rows: number | null; zone?: string };

/**
 * What is known of a time range. `unknown`: no complete answer yet, with the reason if it was skipped; `read`: a
 * complete answer, late rows may follow; `final`: read again after the allowed lateness; `gap`: given up, for this
 * reason.
 */
export type Cover =
  | { state: 'unknown'; reason: GapReason | null }
  | { state: 'read' }
  | { state: 'final' }
  | { state: 'gap'; reason: GapReason };

export type CoverState = Cover['state'];

export type Segment = TimeRange & Cover & { id: string | null };

/** A partition of `[origin, ∞)`, oldest first; neighbours differ, and the last segment is unknown and unbounded. */
export type Ledger = { readonly segments: readonly Segment[]; readonly lastId: number };

/** A ledger that knows nothing yet of the time from `origin` (whole Unix ms) on. */
export function openLedger(origin: number): Ledger {
  const to = Number.POSITIVE_INFINITY;
  return { segments: [{ from: origin, to, state: 'unknown', reason: null, id: null }], lastId: 0 };
}

/**
 * Gives every part of the range the cover that `decide` returns for its segment; null leaves it alone. Ignores time outside the
 * ledger. The range must be finite: the end of time stays unknown.
 */
export function paint(ledger: Ledger, range: TimeRange, decide: (before: Segment) => Cover | null): Ledger {
  if (!(range.from < range.to) || !Number.isFinite(range.to) || range.to <= originOf(ledger)) return ledger;
  let { lastId } = ledger;
  const segments: Segment[] = [];
  const push = (segment: Segment) => {
    const last = segments.at(-1);
    if (last === undefined || !isSameCover(last, segment)) {
      const isGapWithoutId = segment.state === 'gap' && segment.id === null;
      if (isGapWithoutId) lastId += 1;
      segments.push(isGapWithoutId ? { ...segment, id: `g${lastId}` } : segment);
      return;
    }
    segments[segments.length - 1] = { ...last, to: segment.to };
  };
  let isChanged = false;
  for (const segment of ledger.segments) {
    const from = Math.max(segment.from, range.from);
    const to = Math.min(segment.to, range.to);
    const cover = from < to ? decide(segment) : null;
    if (cover === null || isSameCover(segment, { ...cover, from, to, id: null })) {
      push(segment);
      continue;
    }
    isChanged = true;
    if (segment.from < from) push({ ...segment, to: from });
    const id = cover.state === 'gap' && segment.state === 'gap' && segment.from === from ? segment.id : null;
    push({ ...cover, from, to, id });
    if (to < segment.to)
      push({ ...segment, from: to, id: segment.from < from || id !== null ? null : segment.id });
  }
  return isChanged ? { segments, lastId } : ledger;
}

/** A complete answer covers the range: unknown time and gaps become read. */
export function markRead(ledger: Ledger, range: TimeRange): Ledger {
  return paint(ledger, range, (s) => (s.state === 'unknown' || s.state === 'gap' ? { state: 'read' } : null));
}

/** A complete answer covers the range, and was requested after the allowed lateness. */
export function markFinal(ledger: Ledger, range: TimeRange): Ledger {
  return paint(ledger, range, () => ({ state: 'final' }));
}

/** Notes why unknown time was skipped; it stays unknown. */
export function blame(ledger: Ledger, range: TimeRange, reason: GapReason): Ledger {
  return paint(ledger, range, (s) => (s.state === 'unknown' ? { state: 'unknown', reason } : null));
}

export function originOf(ledger: Ledger): number {
  return ledger.segments[0]?.from ?? 0;
}

/** The start of the unbounded unknown: all time before was handled at least once, or skipped. */
export function frontierOf(ledger: Ledger): number {
  return ledger.segments.at(-1)?.from ?? 0;
}

/** Everything before is read or a gap. */
export function completeTo(ledger: Ledger): number {
  return ledger.segments.find((s) => s.state === 'unknown')?.from ?? frontierOf(ledger);
}

/** Everything before is final or a gap. */
export function watermarkOf(ledger: Ledger): number {
  return ledger.segments.find((s) => s.state === 'unknown' || s.state === 'read')?.from ?? frontierOf(ledger);
}

/** The watermark, where any time before it is final, else null: what was never read is not complete. */
export function provenTo(ledger: Ledger): number | null {
  const to = watermarkOf(ledger);
  return ledger.segments.some((s) => s.state === 'final' && s.to <= to) ? to : null;
}

/** The disjoint ranges that complete answers cover, oldest first. */
export function readRanges(ledger: Ledger): TimeRange[] {
  return joinedRanges(ledger.segments.filter(isRead));
}

function isRead({ state }: Segment): boolean {
  return state === 'read' || state === 'final';
}

/** The time of all ranges as disjoint ranges that do not touch, oldest first. */
export function joinedRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The parts of others within a range, in their order. */
export function shared<R extends TimeRange>(range: TimeRange, others: readonly R[]): R[] {
  return others
    .map((each) => ({ ...each, from: Math.max(each.from, range.from), to: Math.min(each.to, range.to) }))
    .filter(({ from, to }) => from < to);
}

/** Whether two ranges have time in common. */
export function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.from < b.to && a.to > b.from;
}

/** The time in both lists, each disjoint and oldest first, as the result is. */
export function sharedRanges(a: readonly TimeRange[], b: readonly TimeRange[]): TimeRange[] {
  const both: TimeRange[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i] as TimeRange, b[j] as TimeRange];
    const range = { from: Math.max(left.from, right.from), to: Math.min(left.to, right.to) };
    if (range.from < range.to) both.push(range);
    if (left.to < right.to) i += 1;
    else j += 1;
  }
  return both;
}

/** The ranges less another one. */
export function without(ranges: readonly TimeRange[], { from, to }: TimeRange): TimeRange[] {
  return ranges.flatMap((range) =>
    to <= range.from || from >= range.to
      ? [range]
      : [
          { from: range.from, to: Math.min(range.to, from) },
          { from: Math.max(range.from, to), to: range.to },
        ].filter((part) => part.from < part.to),
  );
}

/** The ms of a range within others, which do not overlap. */
export function timeShared(range: TimeRange, others: readonly TimeRange[]): number {
  return lengthOf(shared(range, others));
}

export function lengthOf(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Equal parts of a range, oldest first: `count` of them, fewer where one would be shorter than `shortest`, ms. */
export function equalParts({ from, to }: TimeRange, count: number, shortest = 1): TimeRange[] {
  const parts = Math.max(1, Math.min(count, Math.floor((to - from) / shortest)));
  const edgeAt = (part: number) => Math.round(from + ((to - from) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ from: edgeAt(part), to: edgeAt(part + 1) }));
}

/** A range in steps of the clock, oldest first: asked again within a step, all parts but its ends are the same. */
export function clockSteps({ from, to }: TimeRange, step: number): TimeRange[] {
  const first = Math.floor(from / step);
  return Array.from({ length: Math.ceil(to / step) - first }, (_, at) => ({
    from: Math.max(from, (first + at) * step),
    to: Math.min(to, (first + at + 1) * step),
  }));
}

/** The end of the newest final time; null while nothing is final. */
export function lastFinalOf(ledger: Ledger): number | null {
  return ledger.segments.findLast((s) => s.state === 'final')?.to ?? null;
}

/** The whole segments that lie in the range at least in part. */
export function segmentsIn(ledger: Ledger, range: TimeRange): Segment[] {
  return ledger.segments.filter((segment) => overlaps(segment, range));
}

/** Whether a complete answer has covered this moment: a row that turns up there now is late. */
export function wasRead(ledger: Ledger, time: number): boolean {
  const segment = ledger.segments[indexAt(ledger, time)];
  return segment !== undefined && segment.from <= time && isRead(segment);
}

export function isFinal(ledger: Ledger, range: TimeRange): boolean {
  const segment = ledger.segments[indexAt(ledger, range.from)];
  return segment?.state === 'final' && segment.from <= range.from && range.to <= segment.to;
}

/** The gaps, oldest first. A gap that is given up again or grows keeps its id; the number of its rows stays unknown. */
export function gapsOf(ledger: Ledger): Gap[] {
  return ledger.segments.flatMap((s) =>
    s.state === 'gap' ? [{ id: s.id ?? '', from: s.from, to: s.to, reason: s.reason, rows: null }] : [],
  );
}

/** The index of the segment with this time, or of the first one when the time is before the ledger. */
function indexAt({ segments }: Ledger, time: number): number {
  const after = firstWhere(0, segments.length, (at) => (segments[at]?.from ?? 0) > time);
  return Math.max(0, after - 1);
}

function isSameCover(a: Segment, b: Segment): boolean {
  if (a.state !== b.state) return false;
  return a.state === 'gap' || a.state === 'unknown' ? 'reason' in b && a.reason === b.reason : true;
}
