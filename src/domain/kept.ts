/**
 * How long each log is kept, ms: CDN logs for 3 days, Shield events for 72 h (both of the specification). Whether a v1
 * day file loses its lines one by one or goes as a whole is not documented; a line is never promised longer than its 3 days.
 */
export const KEPT = { logs: 72 * 3_600_000, logsV1: 72 * 3_600_000, shield: 72 * 3_600_000 } as const;

export type KeptLog = keyof typeof KEPT;

/** How people speak of it. */
export const KEPT_WORDS = {
  logs: 'CDN logs are kept for 3 days',
  logsV1: 'CDN logs are kept for 3 days',
  shield: 'Shield events are kept for 72 h',
} as const satisfies Record<KeptLog, string>;

/**
 * A request takes time to arrive, and a clock may be a little off: the oldest moment asked for stays this far inside of
 * what is kept, ms.
 */
const MARGIN = 60_000;

type Range = { from: number; to: number };

/** How far back may be asked, ms. */
export function askedBack(log: KeptLog): number {
  return KEPT[log] - MARGIN;
}

/** The oldest moment to ask for now, Unix ms. */
export function oldestAsked(now: number, log: KeptLog): number {
  return Math.ceil(now - askedBack(log));
}

/** What was kept when a bound was taken by `oldestAsked`, Unix ms. */
export function keptSince(oldest: number): number {
  return oldest - MARGIN;
}

/**
 * What of a range of time is too old to be asked for now; null = nothing. A start is good until half of the margin is used
 * up, so that one more try may take the other half; then it is taken anew.
 */
export function goneOf({ from, to }: Range, now: number, log: KeptLog): Range | null {
  const oldest = oldestAsked(now, log);
  return from >= oldest - MARGIN / 2 ? null : { from, to: Math.min(oldest, to) };
}

/** The rest of the range. One of which nothing can be asked any more stays as it is: the server says so. */
export function withinKept<R extends Range>(range: R, now: number, log: KeptLog): R {
  const gone = goneOf(range, now, log);
  return gone === null || gone.to === range.to ? range : { ...range, from: gone.to };
}

/** An answer about less than was asked: `gone` was too old by the time the request left. Absent = nothing. */
export type Cut = { gone?: Range };

/** What is said of a read whose start was taken by `oldestAsked`, for standard error. */
export function keptWords(oldest: number, log: KeptLog): string {
  return `read from ${iso(oldest)} on (kept since ${iso(keptSince(oldest))}): ${KEPT_WORDS[log]}`;
}

function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
