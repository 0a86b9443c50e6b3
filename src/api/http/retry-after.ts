/** Bounds on what a server may ask for, ms: less would hammer it, more would look like a hang. */
const SHORTEST = 1_000;
const LONGEST = 120_000;
/** Bounds of our own waiting when it asks for nothing usable, ms. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 30_000;
/** Even the luckiest draw leaves the server this long, ms. */
const SMALLEST_PAUSE = 100;

/**
 * ms to wait after a `Retry-After` of seconds or of an HTTP date, clamped to 1–120 s; null when it is absent or
 * garbage. A date is measured against the server's own `Date`, so that a wrong clock here changes nothing.
 */
export function retryAfterOf(header: string | null, serverNow: number | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return clamp(Number(text) * 1000);
  const date = httpDateOf(text);
  return date === null ? null : clamp(date - (serverNow ?? now));
}

/** Full jitter: anything up to 1, 2, 4 … 30 s; `attempt` from zero, `random` in [0, 1). */
export function jitter(attempt: number, random: number): number {
  const longest = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempt, 10));
  return Math.max(SMALLEST_PAUSE, random * longest);
}

function clamp(ms: number): number {
  return Math.min(LONGEST, Math.max(SHORTEST, ms));
}

/** The two forms with a weekday and a comma; Date.parse alone takes almost anything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [\w -]{9,12} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date as Unix ms; null for anything else. */
export function httpDateOf(text: string): number | null {
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : date;
}
