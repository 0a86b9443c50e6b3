/** Numbers below this are seconds, above it ms: 1e11 s is the year 5138, 1e11 ms is 1973, before any CDN. */
export const SECONDS_BELOW = 1e11;
/** Years outside of this are not times. */
export const EARLIEST_TIMESTAMP = Date.UTC(2000, 0, 1);
export const LATEST_TIMESTAMP = Date.UTC(2200, 0, 1);
const DIGITS = /^\d{9,16}(?:\.\d+)?$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/;

let cachedDay = -1;
let cachedDayStart = 0;

/** ISO text (UTC without a zone), seconds or ms since 1970, as a number or digits → Unix ms; else null. */
export function timestampOf(value: unknown): number | null {
  if (typeof value === 'string') return ofText(value);
  return typeof value === 'number' ? ofNumber(value) : null;
}

function ofText(text: string): number | null {
  const fast = ofIso(text);
  if (fast !== null) return fast;
  if (DIGITS.test(text)) return ofNumber(Number(text));
  return inRange(Date.parse(WITHOUT_ZONE.test(text) ? `${text}Z` : text));
}

function ofNumber(value: number): number | null {
  return inRange(value < SECONDS_BELOW ? value * 1000 : value);
}

function inRange(ms: number): number | null {
  const whole = Math.floor(ms);
  return whole >= EARLIEST_TIMESTAMP && whole < LATEST_TIMESTAMP ? whole : null;
}

/** `YYYY-MM-DDTHH:MM:SS[.f…](Z|+00:00)`, as the API sends it; faster than Date.parse, with the same result. */
function ofIso(t: string): number | null {
  const length = t.length;
  if (length < 20 || length > 35) return null;
  if (t.charCodeAt(4) !== 45 || t.charCodeAt(7) !== 45 || t.charCodeAt(10) !== 84) return null;
  if (t.charCodeAt(13) !== 58 || t.charCodeAt(16) !== 58) return null;
  const year = pair(t, 0) * 100 + pair(t, 2);
  const month = pair(t, 5);
  const day = pair(t, 8);
  const hour = pair(t, 11);
  const minute = pair(t, 14);
  const second = pair(t, 17);
  // NaN from a non-digit fails every comparison.
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60))
    return null;
  if (!(year >= 2000 && year < 2200)) return null;
  let at = 19;
  let millis = 0;
  if (t.charCodeAt(at) === 46) {
    let scale = 100;
    at += 1;
    const first = at;
    for (; at < length; at += 1) {
      const digit = t.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      millis += digit * scale;
      scale = scale > 1 ? scale / 10 : 0;
    }
    if (at === first) return null;
  }
  if (!(at + 1 === length && t.charCodeAt(at) === 90) && t.slice(at) !== '+00:00') return null;
  const key = (year * 12 + month) * 32 + day;
  if (key !== cachedDay) {
    cachedDay = key;
    cachedDayStart = Date.UTC(year, month - 1, day);
  }
  return cachedDayStart + hour * 3_600_000 + minute * 60_000 + second * 1000 + millis;
}

/** NaN where a character is no digit. */
function pair(t: string, at: number): number {
  const tens = t.charCodeAt(at) - 48;
  const ones = t.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
