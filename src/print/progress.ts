import type { QuotaSnapshot } from '../domain/request-event.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { count, duration } from '../text/units.ts';
import type { Printer } from './printer.ts';

/** How far a read of a window has come. Times are Unix ms. */
export type Progress = {
  range: TimeRange;
  /** Everything before this event time was handed on. */
  readTo: number;
  rows: number;
  requests: number;
  startedAt: number;
  now: number;
  quota: QuotaSnapshot;
};

/** Shortest time between two paintings of the line, ms. */
const PAINTED_EVERY = 200;
/** Of the quota, this many places are kept for others. */
const KEPT = 6;

export type ProgressLine = { show: (progress: Progress) => void; erase: () => void };

/** One line on a terminal, written over itself, and nothing where nobody watches. */
export function createProgressLine(o: Pick<Printer, 'stderr' | 'isWatched' | 'onEnd'>): ProgressLine {
  if (!o.isWatched) return { show() {}, erase() {} };
  let isOver = false;
  let painted = Number.NEGATIVE_INFINITY;
  let cells = 0;
  const write = (line: string) => {
    o.stderr.write(`\r${line.padEnd(cells)}`);
    cells = line.length;
  };
  const erase = () => {
    if (cells === 0) return;
    write('');
    o.stderr.write('\r');
    cells = 0;
  };
  o.onEnd(() => {
    isOver = true;
    erase();
  });
  return {
    show(progress) {
      if (isOver || progress.now - painted < PAINTED_EVERY) return;
      painted = progress.now;
      const columns = (o.stderr as { columns?: number }).columns ?? 80;
      write(progressText(progress).slice(0, columns - 1));
    },
    erase,
  };
}

/** `412,000 rows · 9,800/s · 41% · 1m20s left · 43 requests`, and what is waited for. */
export function progressText(o: Progress): string {
  const elapsed = Math.max(1, o.now - o.startedAt);
  const share = Math.min(1, (o.readTo - o.range.from) / Math.max(1, o.range.to - o.range.from));
  const left = share > 0 ? (elapsed / share) * (1 - share) : null;
  return [
    `${count(o.rows)} rows`,
    `${count((o.rows * 1000) / elapsed)}/s`,
    `${Math.floor(share * 100)}%`,
    ...(left === null ? [] : [`${duration(left)} left`]),
    `${count(o.requests)} requests`,
    ...waitOf(o),
  ].join(', ');
}

function waitOf({ quota, now }: Progress): string[] {
  if (quota.frozenUntil !== null && quota.frozenUntil > now) {
    return [`rate limited, on in ${duration(quota.frozenUntil - now)}`];
  }
  return quota.used >= quota.cap - KEPT ? [`waiting for the quota (${quota.used}/${quota.cap})`] : [];
}
