import type { QuotaSnapshot } from '../domain/request-event.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { count, counted, duration } from '../text/units.ts';
import type { Printer } from './printer.ts';

/** When a read began, and the present; Unix ms. */
type Times = { startedAt: number; now: number };

/** Requests made so far, and what they wait for. */
type Asked = Times & { requests: number; quota: QuotaSnapshot };

/** Shortest time between two paintings of the line, and how often it is painted while nothing comes, ms. */
const PAINTED_EVERY = 200;
const TICK = 500;

/** Erases the line shown now: a process has one terminal. */
let eraseShown = () => {};

/** For whoever else writes there without a line of its own. */
export function eraseProgress(): void {
  eraseShown();
}

/** One line on a terminal, written over itself until `end`; nothing where nobody watches. Empty words show nothing. */
export function createProgressLine(
  o: Pick<Printer, 'stderr' | 'isWatched' | 'onEnd' | 'clock'>,
  words: (times: Times) => string,
): { show: () => void; erase: () => void; end: () => void } {
  if (!o.isWatched) return { show() {}, erase() {}, end() {} };
  const startedAt = o.clock.now();
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
  const show = () => {
    const now = o.clock.now();
    if (isOver || now - painted < PAINTED_EVERY) return;
    const line = words({ startedAt, now });
    if (line === '') return;
    painted = now;
    const columns = (o.stderr as { columns?: number }).columns ?? 80;
    write(line.slice(0, columns - 1));
  };
  eraseShown = erase;
  const stopTicking = o.clock.every(TICK, show);
  const end = () => {
    isOver = true;
    stopTicking();
    erase();
  };
  o.onEnd(end);
  return { show, erase, end };
}

/**
 * `412,000 rows , 9,800/s, 41%, 1m20s left, 43 requests`, and what it waits for. `readTo`: all before it was printed.
 */
export function progressText(o: Asked & { range: TimeRange; readTo: number; rows: number }): string {
  const share = Math.min(1, (o.readTo - o.range.from) / Math.max(1, o.range.to - o.range.from));
  return partsOf(o, counted(o.rows, 'row'), o.rows, share, [`${Math.floor(share * 100)}%`]);
}

/**
 * `1,500 of 29,532 groups, 300/s, 1m33s left, 3 requests`, and what it waits for. `total`: null before the first
 * answer.
 */
export function pageProgressText(
  o: Asked & { what: 'rows' | 'groups'; read: number; total: number | null },
): string {
  const all = o.total === null ? '' : ` of ${count(o.total)}`;
  const share = o.total === null ? 0 : Math.min(1, o.read / Math.max(1, o.total));
  return partsOf(o, `${count(o.read)}${all} ${o.what}`, o.read, share, []);
}

/** Words with the elapsed time, shown from the second second on, so that a fast answer shows nothing. */
export function whereSlow(words: (elapsed: string) => string): (times: Times) => string {
  return ({ startedAt, now }) => (now - startedAt < 1_000 ? '' : words(duration(now - startedAt)));
}

function partsOf(o: Asked, what: string, rows: number, share: number, shareWords: readonly string[]): string {
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

function waitOf({ quota, now }: Asked): string[] {
  if (quota.frozenUntil !== null && quota.frozenUntil > now) {
    return [`rate limited, on in ${duration(quota.frozenUntil - now)}`];
  }
  return quota.isSpent ? [`waiting for the quota (${quota.used}/${quota.cap})`] : [];
}
