import { sanitise } from '../text/sanitise.ts';

/** A value of JSON in which nothing acts. */
export type Clean = string | number | boolean | null | readonly Clean[] | { readonly [name: string]: Clean };

/** Changes a text before it is truncated: addresses become pseudonyms, where asked for. */
type TextMask = (text: string) => string;

/** UTF-16 units shown of a value and of a name, and read of either. */
const LONGEST_VALUE = 300;
const LONGEST_NAME = 80;
const LOOKED_AT = 2_000;

/** Items of a list, fields of an object, and levels; what is beyond is counted in its place. */
const MOST_ITEMS = 30;
const MOST_FIELDS = 60;
const DEEPEST = 6;

/** A stranger's text: printable ASCII, masked and truncated, with how much was left out. */
export function cleanText(text: string, mask: TextMask, longest = LONGEST_VALUE): string {
  const looked = text.slice(0, LOOKED_AT);
  const shown = mask(looked);
  const left = text.length - looked.length;
  // Masking changes the length, so a count of the rest would say nothing.
  if (left === 0 || shown.length <= longest) return sanitise(shown, 'strict', longest);
  return `${sanitise(shown.slice(0, longest), 'strict')}...(+${shown.length - longest + left})`;
}

/** Fields of printed data that are Unix ms, and are easier read as dates. */
const TIMES: ReadonlySet<string> = new Set(['firstSeen', 'lastSeen']);

/** A line of printed data with each text in it clean, names included. Fields without a value are left out. */
export function cleanLine(line: string, mask: TextMask): Clean {
  return clean(JSON.parse(line, exactly), mask, 0);
}

/** The end of what a date can be, ms. */
const LATEST = 8.64e15;

/** Whole numbers beyond 2^53 stay exact, as text: ids have such. */
function exactly(name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (TIMES.has(name) && typeof value === 'number' && Math.abs(value) <= LATEST)
    return new Date(value).toISOString();
  const isInexact = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '');
  return isInexact ? source : value;
}

function clean(value: unknown, mask: TextMask, depth: number): Clean {
  if (typeof value === 'string') return cleanText(value, mask);
  if (value === null || typeof value !== 'object') return value as number | boolean | null;
  if (depth >= DEEPEST) return '...';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ITEMS).map((each) => clean(each, mask, depth + 1));
    const left = value.length - shown.length;
    return left > 0 ? [...shown, `...(+${left})`] : shown;
  }
  const fields = new Map<string, Clean>();
  const all = Object.entries(value).filter(([, each]) => each !== null && each !== '');
  for (const [name, each] of all.slice(0, MOST_FIELDS)) {
    const shown = cleanText(name, mask, LONGEST_NAME);
    // Two names truncated alike stay two.
    fields.set(fields.has(shown) ? `${shown} ${fields.size}` : shown, clean(each, mask, depth + 1));
  }
  if (all.length > MOST_FIELDS) fields.set('...', `+${all.length - MOST_FIELDS} fields`);
  return Object.fromEntries(fields);
}
