import { sanitise } from '../../text/sanitise.ts';
import { networkValue } from './field-values.ts';
import { fieldRow } from './fields.ts';
import type { Term, TermOp } from './query.ts';
import { NAMED } from './query-lexer.ts';
import { COMPARED, CONNECTIVES, isFieldName, isPlainWord } from './query-words.ts';

/** A term as it stands in a query. */
export function printTerm(term: Term): string {
  const minus = term.negated ? '-' : '';
  if (term.kind === 'text') return minus + (readsAsText(term.value) ? term.value : quoted(term.value));
  const values = term.values.map((value) => printValue(value, term.op, term.field));
  return `${minus}${term.field}${term.op === 'contains' ? '~' : ':'}${values.join(',')}`;
}

/** A value as it stands after `field:` or `field~`, quoted only where it must be. */
export function printValue(value: string, op: TermOp, field: string): string {
  const checked = op === 'eq' || op === 'cidr';
  const odd = checked && value !== '' && !isCanonical(value, op, field);
  const bare = isBare(value) && !value.includes(',') && !(checked && value.includes('*')) && !odd;
  return bare ? value : quoted(value, checked);
}

function quoted(value: string, starsEscaped = false): string {
  const body = sanitise(value, 'text').replaceAll('"', '\\"');
  return `"${starsEscaped ? body.replaceAll('*', '\\*') : body}"`;
}

function isBare(value: string): boolean {
  return value !== '' && !/[\s"\\]/.test(value) && sanitise(value, 'text') === value;
}

function isCanonical(value: string, op: TermOp, field: string): boolean {
  return (['logs', 'shield'] as const).every((subject) => {
    const reading = op === 'cidr' ? networkValue(value) : fieldRow(subject, field)?.read(value);
    return !reading || (reading.ok && reading.value === value);
  });
}

function readsAsText(value: string): boolean {
  if (!isBare(value) || value.startsWith('-') || CONNECTIVES.includes(value)) return false;
  const name = NAMED.exec(value)?.[1] ?? COMPARED.exec(value)?.[1];
  if (name === undefined) return true;
  const known = isFieldName('logs', name) || isFieldName('shield', name);
  return !known && (!NAMED.test(value) || isPlainWord(value));
}
