import { networksOverlap, parseAddress, parseNetwork } from '../../domain/query/address.ts';
import type { ShieldDimension } from '../../domain/shield/shield.ts';
import type { SimZone } from '../account/account-zones.ts';
import type { SimRow } from '../traffic/rows.ts';
import { DIMENSIONS, isDimension, servedEvent } from './events.ts';

type EventTest = (row: SimRow, zone: SimZone) => boolean;

export type ShieldQuery = {
  /** The question without its page: equal for searches that find the same. */
  text: string;
  from: number;
  to: number;
  tests: EventTest[];
  groupBy: ShieldDimension[];
  page: number;
  pageSize: number;
  /** Steps to count each group over; 0 = not asked for. */
  buckets: number;
};

export const SHIELD_WINDOW = 72 * 3_600_000;

const PROPERTIES = ['from', 'to', 'query', 'filters', 'groupBy', 'page', 'pageSize', 'buckets'];

const MOST_BUCKETS = 500;

/** One row an operator: what its value must be, null when malformed. Comparison ignores case. */
const OPERATORS = {
  eq: (value) => equals(value),
  in: (value) => equals(value),
  contains: (value) => (text: string) => text.toLowerCase().includes(value.toLowerCase()),
  wildcard: (value) => {
    const pattern = value
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('[^]*');
    const regexp = new RegExp(`^${pattern}$`, 'i');
    return (text: string) => regexp.test(text);
  },
  cidr: (value) => {
    const network = parseNetwork(value);
    if (network === null) return null;
    return (text: string) => {
      const address = parseAddress(text.replace('.*', '.0'));
      return address !== null && networksOverlap(address, network);
    };
  },
} as const satisfies Record<string, (value: string) => ((text: string) => boolean) | null>;

/** Reads a search request; problems by property name, as problem details have them. */
export function readShieldQuery(
  body: unknown,
  now: number,
): { query: ShieldQuery } | { problems: Record<string, string[]> } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { problems: { $: ['The body must be an object.'] } };
  const request = body as Record<string, unknown>;
  const problems: Record<string, string[]> = {};
  const complain = (name: string, text: string) => {
    problems[name] ??= [];
    problems[name].push(text);
  };
  for (const name of Object.keys(request)) {
    if (!PROPERTIES.includes(name)) complain(name, `The property '${name}' is not known.`);
  }
  const from = time(request['from']);
  const to = time(request['to']);
  if (from === null) complain('from', 'from is required: Unix time in milliseconds.');
  if (to === null) complain('to', 'to is required: Unix time in milliseconds.');
  if (from !== null && to !== null && to <= from) complain('to', 'to must be after from.');
  if (from !== null && from < now - SHIELD_WINDOW) complain('from', 'from must be within the last 72 hours.');
  const tests: EventTest[] = [];
  const { query, filters, groupBy } = request;
  if (typeof query === 'string') {
    const needle = query.toLowerCase();
    if (needle !== '') tests.push((row, zone) => servedEvent(row, zone).includes(needle));
  } else if (query !== undefined && query !== null) complain('query', 'query must be a string.');
  if (Array.isArray(filters)) {
    for (const [i, filter] of filters.entries()) {
      const test = readFilter(filter);
      if (typeof test === 'string') complain(`filters[${i}]`, test);
      else tests.push(test);
    }
  } else if (filters !== undefined && filters !== null) complain('filters', 'filters must be a list.');
  let dimensions: ShieldDimension[] = [];
  if (Array.isArray(groupBy) && groupBy.every(isDimension)) dimensions = groupBy;
  else if (groupBy !== undefined && groupBy !== null)
    complain('groupBy', 'groupBy must be a list of known dimensions.');
  const page = whole(request['page'], 0);
  const pageSize = whole(request['pageSize'], 50);
  if (page === null) complain('page', 'page must be an integer.');
  if (pageSize === null) complain('pageSize', 'pageSize must be an integer.');
  const buckets = whole(request['buckets'], 0);
  const isAsked = request['buckets'] !== undefined && request['buckets'] !== null;
  if (isAsked && (buckets === null || buckets < 1 || buckets > MOST_BUCKETS))
    complain('buckets', `buckets must be between 1 and ${MOST_BUCKETS}.`);
  if (isAsked && dimensions.length === 0) complain('buckets', 'buckets needs groupBy.');
  if (Object.keys(problems).length > 0 || from === null || to === null) return { problems };
  return {
    query: {
      text: JSON.stringify([from, to, query, filters, groupBy]),
      from,
      to,
      tests,
      groupBy: dimensions,
      page: Math.max(page ?? 0, 0),
      pageSize: Math.min(Math.max(pageSize ?? 50, 1), 500),
      buckets: buckets ?? 0,
    },
  };
}

function readFilter(filter: unknown): EventTest | string {
  if (typeof filter !== 'object' || filter === null) return 'A filter must be an object.';
  const { field, op, value } = filter as Record<string, unknown>;
  const extra = Object.keys(filter).find((name) => !['field', 'op', 'value'].includes(name));
  if (extra !== undefined) return `The property '${extra}' is not known.`;
  if (!isDimension(field)) return `The field '${String(field)}' is not known.`;
  if (typeof op !== 'string' || !Object.hasOwn(OPERATORS, op))
    return `The operator '${String(op)}' is not known.`;
  if (op === 'cidr' && field !== 'ip') return "The operator 'cidr' is for the field 'ip' only.";
  if (!Array.isArray(value) || value.length === 0 || value.some((v) => typeof v !== 'string'))
    return 'value must be a list of strings.';
  const matches = (value as string[]).map((v) => OPERATORS[op as keyof typeof OPERATORS](v));
  if (matches.includes(null)) return 'value holds a malformed network.';
  const read = DIMENSIONS[field];
  return (row, zone) => {
    const text = read(row, zone);
    return matches.some((matches) => matches?.(text));
  };
}

function equals(value: string): (text: string) => boolean {
  const wanted = value.toLowerCase();
  return (text) => text.toLowerCase() === wanted;
}

function time(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}

/** `fallback` for unset, null for anything but a 32-bit integer. */
function whole(value: unknown, fallback: number): number | null {
  if (value === undefined || value === null) return fallback;
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
}
