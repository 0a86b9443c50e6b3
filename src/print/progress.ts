import type { QuotaSnapshot } from '../domain/request-event.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { count, counted, duration } from '../text/units.ts';
import type { Printer } from './printer.ts';

/** How far a read of a window has come. Times are Unix ms. */
type WindowProgress = {
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

/** How far a read of pages has come. `total`: as the last answer has it; null before the first. */
type PageProgress = Pick<WindowProgress, 'requests' | 'startedAt' | 'now' | 'quota'> & {
  what: 'rows' | 'groups';
  read: number;
  total: number | null;
};

type ProgressLine<P> = { show: (progress: P) => void; erase: () => void };

/** One line on a terminal, written over itself, and nothing where nobody watches. */
export function createProgressLine<P extends { now: number }>(
  o: Pick<Printer, 'stderr' | 'isWatched' | 'onEnd'>,
  textOf: (progress: P) => string,
): ProgressLine<P> {
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
      write(textOf(progress).slice(0, columns - 1));
    },
    erase,
  };
}

/** `412,000 rows · 9,800/s · 41% · 1m20s left · 43 requests`, and what is waited for. */
export function progressText(o: WindowProgress): string {
  const share = Math.min(1, (o.readTo - o.range.from) / Math.max(1, o.range.to - o.range.from));
  return partsOf(o, counted(o.rows, 'row'), o.rows, share, [`${Math.floor(share * 100)}%`]);
}

/** `1,500 of 29,532 groups, 300/s, 1m33s left, 3 requests`, and what is waited for. */
export function pageProgressText(o: PageProgress): string {
  const all = o.total === null ? '' : ` of ${count(o.total)}`;
  const share = o.total === null ? 0 : Math.min(1, o.read / Math.max(1, o.total));
  return partsOf(o, `${count(o.read)}${all} ${o.what}`, o.read, share, []);
}

/** `reading the list, 3s, 500 read`: shown from the second second on, so that an answer in time shows nothing. */
export function listProgressText(o: { read: number; startedAt: number; now: number }): string {
  return `reading the list, ${duration(o.now - o.startedAt)}${o.read > 0 ? `, ${count(o.read)} read` : ''}`;
}

function partsOf(
  o: Pick<WindowProgress, 'requests' | 'startedAt' | 'now' | 'quota'>,
  what: string,
  rows: number,
  share: number,
  shareWords: readonly string[],
): string {
  const elapsed = Math.max(1, o.now - o.startedAt);
  const left = share > 0 ? (elapsed / share) * (1 - share) : null;
  return [
    what,
    `${count((rows * 1000) / elapsed)}/s`,
    ...shareWords,
    ...(left === null ? [] : [`${duration(left)} left`]),
    counted(o.requests, 'request'),
    ...waitOf(o),
  ].join(', ');
}

function waitOf({ quota, now }: Pick<WindowProgress, 'quota' | 'now'>): string[] {
  if (quota.frozenUntil !== null && quota.frozenUntil > now) {
    return [`rate limited, on in ${duration(quota.frozenUntil - now)}`];
  }
  return quota.isSpent ? [`waiting for the quota (${quota.used}/${quota.cap})`] : [];
}
