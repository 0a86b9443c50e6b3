import { DAY, HOUR, MINUTE, SECOND } from '../../text/units.ts';

/** The shortest that each unit of an interval can be, ms. */
const UNITS: Readonly<Record<string, number>> = {
  Second: SECOND,
  Minute: MINUTE,
  Hour: HOUR,
  Day: DAY,
  Week: 7 * DAY,
  Month: 28 * DAY,
  Quarter: 90 * DAY,
  Year: 365 * DAY,
};

/** Since when a row is counted to be there: how much earlier that can be than its time, ms. */
const BASES: Readonly<Record<string, number>> = {
  timestamp: 0,
  'toDateTime(timestamp)': 0,
  'toDate(timestamp)': DAY,
  'toStartOfDay(timestamp)': DAY,
};

const RULE = /^(.+?) \+ toInterval([A-Z][a-z]+)\((\d+)\)$/;

/**
 * The time before which rows may have been taken by the rules of a table of ClickHouse, as its definition (`engine_full`) has them, whoever
 * wrote them; null: it has none that take rows. By a rule that is not understood any row up to now may be gone.
 */
export function takenBefore(definition: string, now: number): number | null {
  const rules = /\bTTL (.+?)(?: SETTINGS .*)?$/s.exec(definition)?.[1];
  if (rules === undefined) return null;
  const taking = elementsOf(rules).filter((rule) => !/ (?:TO (?:DISK|VOLUME)|RECOMPRESS)\b/.test(rule));
  if (taking.length === 0) return null;
  return Math.max(
    ...taking.map((rule) => {
      const [, base = '', unit = '', count = ''] =
        RULE.exec(rule.replace(/ (?:DELETE|WHERE|GROUP BY)\b.*$/s, '')) ?? [];
      const [early, length] = [BASES[base], UNITS[unit]];
      return early === undefined || length === undefined ? now : now - Number(count) * length + early;
    }),
  );
}

/** What stands between commas that are in no parentheses. */
function elementsOf(list: string): string[] {
  const elements = [''];
  let depth = 0;
  for (const letter of list) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) elements.push('');
    else elements[elements.length - 1] += letter;
  }
  return elements.map((each) => each.trim());
}
