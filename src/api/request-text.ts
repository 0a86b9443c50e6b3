/** Path segments and query strings of requests. A value that cannot be right is refused before anything is sent. */

type QueryValue = string | number | boolean | undefined;

const DIGITS = /^\d{1,20}$/;

/** `?a=1&b=2`, values percent-encoded, those undefined left out; empty when nothing is left. */
export function queryText(values: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%20', '+')}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** An id as a path segment; null for anything but decimal digits, which could lead elsewhere. */
export function idSegment(id: string): string | null {
  return DIGITS.test(id) ? id : null;
}

/** `YYYY-MM-DD` of a real day → its parts; else null. */
export function dayParts(day: string): { year: string; month: string; date: string; start: number } | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day
    ? null
    : { year, month, date, start };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.trunc(value)));
}
