import type { LogRecord } from '../../src/domain/log.ts';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { LOG_FIELDS, type LogField, type LogFieldId } from '../../src/domain/query/fields.ts';
import type { Term, TermOp } from '../../src/domain/query/query.ts';
import { canonicalTerm } from '../../src/domain/query/terms.ts';
import type { Rng } from '../../src/simulator/random.ts';
import { SPAN, ZONES } from './random-rows.ts';

/** What rows hold: of origin errors a store has none. */
const IDS = (Object.keys(LOG_FIELDS) as LogFieldId[]).filter((id) => LOG_FIELDS[id].column !== null);
const GROUPED = IDS.filter((id) => (LOG_FIELDS[id] as LogField).groups);

/** Wider and narrower than what anonymisation leaves of an address. */
export const NETWORKS = [
  '192.0.2.0/24',
  '192.0.2.0/25',
  '192.0.0.0/16',
  '2001:db8::/32',
  '2001:db8:1::/48',
  '0.0.0.0/0',
  '::/0',
];

/** Rows that are asked about: of some zones, in some time, by up to four terms made of the values of rows. */
export function randomAsked(rng: Rng, rows: readonly LogRecord[]): RowsAsked {
  const length = rng.pick([60_000, 3_600_000, SPAN.to - SPAN.from, SPAN.to - SPAN.from]);
  const from = SPAN.from + rng.below(SPAN.to - SPAN.from - length + 1);
  const ids = Object.keys(ZONES).filter(() => rng.chance(0.7)) as (keyof typeof ZONES)[];
  const ways = new Set(ids.map((id) => ZONES[id]));
  return {
    zones: [...ways].map((anonymisation) => ({
      ids: ids.filter((id) => ZONES[id] === anonymisation),
      anonymisation,
    })),
    range: { from, to: from + length },
    terms: Array.from({ length: rng.pick([0, 1, 1, 1, 2, 2, 3, 4]) }, () => randomTerm(rng, rows)),
  };
}

export function randomFields(rng: Rng): string[] {
  const fields = new Set(Array.from({ length: rng.pick([1, 1, 1, 2, 2, 3]) }, () => rng.pick(GROUPED)));
  return [...fields];
}

/** Times of a range that are left out, apart from each other or not. */
export function randomGaps(rng: Rng, { from, to }: RowsAsked['range']): RowsAsked['range'][] {
  return Array.from({ length: rng.pick([0, 0, 1, 3]) }, () => {
    const start = from + rng.below(to - from);
    return { from: start, to: start + 1 + rng.below(Math.ceil((to - from) / 4)) };
  });
}

function randomTerm(rng: Rng, rows: readonly LogRecord[]): Term {
  const negated = rng.chance(0.3);
  const id = rng.pick(IDS);
  const field: LogField = LOG_FIELDS[id];
  const value = () => String(field.get(rng.pick(rows), NO_CAUSES) ?? '');
  if (rng.chance(0.1)) return { kind: 'text', value: part(rng, value()) || 'k', negated };
  if (rng.chance(0.05)) return { kind: 'text', value: regex(rng, value()), negated, isRegex: true };
  const op = rng.pick(field.ops as readonly TermOp[]);
  const count = rng.pick([1, 1, 1, 2, 3]);
  const values = Array.from({ length: count }, () => valueFor(rng, op, field, value()));
  // Half of them as they would be typed, half as they come: both can be asked.
  const term: Term = { kind: 'field', field: id, op, values, negated };
  return rng.chance(0.5) ? canonicalTerm('logs', term) : term;
}

function valueFor(rng: Rng, op: TermOp, field: LogField, value: string): string {
  if (field.compare === 'status') return rng.pick([value, '4xx', '5xx', '0xx', '200', 'x']);
  if (field.compare === 'amount')
    return rng.pick([
      value,
      `>${value}`,
      '>=1000',
      '<=1',
      '<1000',
      '1..1000',
      '0',
      'x',
      '>99999999999999999999',
    ]);
  if (op === 'cidr') return rng.pick([...NETWORKS, '10.1.2.3']);
  if (op === 'contains') return part(rng, inSomeCase(rng, value)) || 'e';
  if (op === 'wildcard') return pattern(rng, inSomeCase(rng, value));
  if (op === 'regex') return regex(rng, inSomeCase(rng, value));
  return rng.chance(0.1) ? '' : inSomeCase(rng, value);
}

function inSomeCase(rng: Rng, value: string): string {
  return rng.pick([value, value.toLowerCase(), value.toLowerCase(), value.toUpperCase()]);
}

function part(rng: Rng, value: string): string {
  const from = rng.below(Math.max(1, value.length));
  return value.slice(from, from + 1 + rng.below(8));
}

/** An expression that finds the value, or one that may. */
function regex(rng: Rng, value: string): string {
  const [at, some] = [rng.below(value.length + 1), RegExp.escape(part(rng, value))];
  const source = rng.pick([
    `^${RegExp.escape(value.slice(0, at))}[^/]?`,
    `${RegExp.escape(value.slice(at))}$`,
    `(?:${some}|\\bk)+`,
    `${some}.{0,3}[a-k\\x{e0}-\\x{fd}]`,
    '^\\w+[^a-z]s\\D',
    '(?s)^.{7}\\B.',
  ]);
  return `/${source}/${rng.pick(['', 'i'])}`;
}

/** With stars for some of it. */
function pattern(rng: Rng, value: string): string {
  const at = rng.below(value.length + 1);
  const end = Math.min(value.length, at + rng.below(4));
  return rng.pick([
    '*',
    `${value.slice(0, at)}*`,
    `*${value.slice(at)}`,
    `${value.slice(0, at)}*${value.slice(end)}`,
    `*${part(rng, value)}*`,
  ]);
}
