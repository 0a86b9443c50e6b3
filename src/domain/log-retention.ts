import { duration, HOUR, isoSecond, MINUTE } from '../text/units.ts';

/**
 * How long each log is kept, ms: CDN logs for 3 days, Shield events for 72 h (both by the specification). Nobody
 * documents whether a v1 day file loses its lines one by one or all at once; no line is promised for longer than its
 * 3 days.
 */
export const LOG_RETENTION = { logs: 72 * HOUR, logsV1: 72 * HOUR, shield: 72 * HOUR } as const;

export type KeptLog = keyof typeof LOG_RETENTION;

/** How people speak of it. */
export const KEPT_WORDS = {
  logs: 'CDN logs are kept for 3 days',
  logsV1: 'CDN logs are kept for 3 days',
  shield: 'Shield events are kept for 72 h',
} as const satisfies Record<KeptLog, string>;

/**
 * How far inside of what is kept the oldest moment asked for stays, ms: a request takes time to arrive, and a clock
 * may be a little off.
 */
const MARGIN = MINUTE;

type Range = { from: number; to: number };

/** How far back can be asked for, ms. */
export function askedBack(log: KeptLog): number {
  return LOG_RETENTION[log] - MARGIN;
}

/** The oldest moment to ask for now, Unix ms. */
export function oldestAsked(now: number, log: KeptLog): number {
  return Math.ceil(now - askedBack(log));
}

/** What was kept when `oldestAsked` gave a bound, Unix ms. */
export function keptSince(oldest: number): number {
  return oldest - MARGIN;
}

/**
 * The part of a range that is too old to ask for now; null = none. A start is good until half of the margin is used
 * up, so that one more try may take the other half; then it is taken anew.
 */
export function goneOf({ from, to }: Range, now: number, log: KeptLog): Range | null {
  const oldest = oldestAsked(now, log);
  return from >= oldest - MARGIN / 2 ? null : { from, to: Math.min(oldest, to) };
}

/** The rest of the range. A range that is wholly too old stays as it is: the server says so. */
export function withinKept<R extends Range>(range: R, now: number, log: KeptLog): R {
  const gone = goneOf(range, now, log);
  return gone === null || gone.to === range.to ? range : { ...range, from: gone.to };
}

/** An answer about less than was asked: `gone` was too old when the request left. Absent = nothing. */
export type Cut = { gone?: Range };

/** The words for standard error about a read whose start came from `oldestAsked`. */
export function keptWords(oldest: number, log: KeptLog): string {
  return `read from ${isoSecond(oldest)} on (kept since ${isoSecond(keptSince(oldest))}): ${KEPT_WORDS[log]}`;
}

export type RetentionSeverity = 'calm' | 'soon' | 'urgent' | 'gone';

export type RetentionClock = {
  /** Unix ms at which the platform no longer answers for the oldest line, and ms until then; 0 once it is gone. */
  expiresAt: number;
  expiresIn: number;
  severity: RetentionSeverity;
  /** To the minute, rounded down, so that the text stands still for a minute; `short` where room is short. */
  text: string;
  short: string;
};

const URGENT = HOUR;
/** Less time than this left is worth saying, ms. */
export const SOON = 6 * HOUR;

/** When the oldest evidence in view can no longer be read again: its event time + what its log is kept − now. */
export function retentionClock(oldest: number, now: number, log: KeptLog): RetentionClock {
  const expiresAt = oldest + LOG_RETENTION[log];
  const expiresIn = Math.max(0, expiresAt - now);
  const severity =
    expiresIn === 0 ? 'gone' : expiresIn < URGENT ? 'urgent' : expiresIn < SOON ? 'soon' : 'calm';
  const left =
    expiresIn < MINUTE ? 'within a minute' : `in ${spaced(Math.floor(expiresIn / MINUTE) * MINUTE)}`;
  const [text, short] =
    severity === 'gone'
      ? ['oldest evidence has expired: what is here is the only copy', 'oldest evidence expired']
      : [`oldest evidence expires ${left}`, `expires ${left}`];
  return { expiresAt, expiresIn, severity, text, short };
}

function spaced(ms: number): string {
  return duration(ms)
    .replace(/(?<!\d)\d+(?=[a-z])/g, '$& ')
    .replace(/[a-z](?=\d)/g, '$& ');
}
