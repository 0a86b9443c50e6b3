/** Half-open range of event time `[from, to)`, Unix ms UTC. */
export type TimeRange = { from: number; to: number };

/** Why a range of time was not covered by a complete answer. Each has a sentence of its own on screen. */
export type GapReason =
  | 'notRead'
  | 'failed'
  | 'offline'
  | 'rateLimited'
  | 'overload'
  | 'overflow'
  | 'slept'
  | 'retention'
  | 'refused';

/** `rows` = rows known to be missing, when known. */
export type Gap = TimeRange & { id: string; reason: GapReason; rows: number | null };

/**
 * What is known of a range of time. `unknown`: no complete answer yet, and why it was passed over when it was;
 * `read`: a complete answer, late rows may follow; `final`: complete, and asked for after the lateness bound;
 * `gap`: given up, for the reason named.
 */
export type Cover =
  | { state: 'unknown'; reason: GapReason | null }
  | { state: 'read' }
  | { state: 'final' }
  | { state: 'gap'; reason: GapReason };

export type CoverState = Cover['state'];

export type Segment = TimeRange & Cover & { id: string | null };

/** A partition of `[origin, ∞)`, oldest first; neighbours differ, and the last segment is unknown and endless. */
export type Ledger = { readonly segments: readonly Segment[]; readonly lastId: number };

/** Nothing is known yet of the time from `origin` (Unix ms, whole) on. */
export function openLedger(origin: number): Ledger {
  const all: Segment = {
    from: origin,
    to: Number.POSITIVE_INFINITY,
    state: 'unknown',
    reason: null,
    id: null,
  };
  return { segments: [all], lastId: 0 };
}

/**
 * Gives every part of the range the cover that `decide` names for what it was; null leaves it alone. Outside of the
 * ledger nothing happens. The range must be finite: the end of time stays unknown.
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

/** A complete answer covers the range: what was unknown or a gap is now read. */
export function markRead(ledger: Ledger, range: TimeRange): Ledger {
  return paint(ledger, range, (s) => (s.state === 'unknown' || s.state === 'gap' ? { state: 'read' } : null));
}

/** A complete answer covers the range, and was asked for after the lateness bound. */
export function markFinal(ledger: Ledger, range: TimeRange): Ledger {
  return paint(ledger, range, () => ({ state: 'final' }));
}

/** Notes why unknown time was passed over; it stays unknown. */
export function blame(ledger: Ledger, range: TimeRange, reason: GapReason): Ledger {
  return paint(ledger, range, (s) => (s.state === 'unknown' ? { state: 'unknown', reason } : null));
}

export function originOf(ledger: Ledger): number {
  return ledger.segments[0]?.from ?? 0;
}

/** Where the endless unknown begins: everything before was at least dealt with once, or passed over. */
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

/** The same where time before it was final; null where there is none: what was never read is not complete. */
export function provenTo(ledger: Ledger): number | null {
  const to = watermarkOf(ledger);
  return ledger.segments.some((s) => s.state === 'final' && s.to <= to) ? to : null;
}

/** The times that complete answers cover, apart from each other, oldest first. */
export function readRanges(ledger: Ledger): TimeRange[] {
  const ranges: TimeRange[] = [];
  for (const { state, from, to } of ledger.segments) {
    if (state !== 'read' && state !== 'final') continue;
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** The parts of a range that lie in one of others, which do not overlap, in their order. */
export function shared(range: TimeRange, others: readonly TimeRange[]): TimeRange[] {
  return others
    .map(({ from, to }) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter(({ from, to }) => from < to);
}

/** What is left of ranges without one. */
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

/** Time of a range that lies in others, which do not overlap, ms. */
export function timeShared(range: TimeRange, others: readonly TimeRange[]): number {
  return shared(range, others).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Equal parts of a range, oldest first: `count` of them, or fewer where one would be shorter than `shortest`, ms. */
export function equalParts({ from, to }: TimeRange, count: number, shortest = 1): TimeRange[] {
  const parts = Math.max(1, Math.min(count, Math.floor((to - from) / shortest)));
  const edgeAt = (part: number) => Math.round(from + ((to - from) * part) / parts);
  return Array.from({ length: parts }, (_, part) => ({ from: edgeAt(part), to: edgeAt(part + 1) }));
}

/** A range in steps of the clock, oldest first: asked again within a step, all but its ends are the same. */
export function clockSteps({ from, to }: TimeRange, step: number): TimeRange[] {
  const first = Math.floor(from / step);
  return Array.from({ length: Math.ceil(to / step) - first }, (_, at) => ({
    from: Math.max(from, (first + at) * step),
    to: Math.min(to, (first + at + 1) * step),
  }));
}

/** End of the youngest final time; null while nothing is final. */
export function lastFinalOf(ledger: Ledger): number | null {
  return ledger.segments.findLast((s) => s.state === 'final')?.to ?? null;
}

/** Segments that touch the range, whole. */
export function segmentsIn(ledger: Ledger, range: TimeRange): Segment[] {
  const found: Segment[] = [];
  for (let i = indexAt(ledger, range.from); i < ledger.segments.length; i += 1) {
    const segment = ledger.segments[i];
    if (segment === undefined || segment.from >= range.to) break;
    if (segment.to > range.from) found.push(segment);
  }
  return found;
}

/** Whether a complete answer has covered this moment: a row that turns up there now came late. */
export function wasRead(ledger: Ledger, time: number): boolean {
  const segment = ledger.segments[indexAt(ledger, time)];
  return (
    segment !== undefined && segment.from <= time && (segment.state === 'read' || segment.state === 'final')
  );
}

export function isFinal(ledger: Ledger, range: TimeRange): boolean {
  const segment = ledger.segments[indexAt(ledger, range.from)];
  return segment?.state === 'final' && segment.from <= range.from && range.to <= segment.to;
}

/** The gaps, oldest first. A gap that is given up anew or that grows keeps its id; how many rows it hides is never known. */
export function gapsOf(ledger: Ledger): Gap[] {
  const gaps: Gap[] = [];
  for (const s of ledger.segments) {
    if (s.state === 'gap')
      gaps.push({ id: s.id ?? '', from: s.from, to: s.to, reason: s.reason, rows: null });
  }
  return gaps;
}

/** Index of the segment that holds the time, or of the first one when it lies before the ledger. */
function indexAt(ledger: Ledger, time: number): number {
  let low = 0;
  let high = ledger.segments.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ledger.segments[middle]?.from ?? 0) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isSameCover(a: Segment, b: Segment): boolean {
  if (a.state !== b.state) return false;
  return a.state === 'gap' || a.state === 'unknown' ? 'reason' in b && a.reason === b.reason : true;
}
