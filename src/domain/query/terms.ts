import { MASK } from '../../text/mask.ts';
import { parseNetwork } from './address.ts';
import { networkValue } from './field-values.ts';
import { fieldNamed, fieldRow } from './fields.ts';
import { type FieldTerm, isSearch, type QuerySubject, type Term, type TermOp } from './query.ts';
import { isRegexText } from './term-text.ts';

/**
 * The term that finds, or with `negated` excludes, the rows whose field has exactly this value; null and the empty
 * string mean "has none". Null when the subject lacks the field.
 */
export function termForValue(
  subject: QuerySubject,
  field: string,
  value: string | number | null,
  negated: boolean,
): FieldTerm | null {
  const id = fieldNamed(subject, field);
  if (id === null) return null;
  const text = String(value ?? '');
  const same = text === '' ? undefined : fieldRow(subject, id)?.same;
  return canonicalTerm(subject, { kind: 'field', field: same ?? id, op: 'eq', values: [text], negated });
}

/** The term for a value as a log shows it: a masked secret in it stands for any. */
export function termForShown(subject: QuerySubject, field: string, value: string | null): FieldTerm | null {
  const term = termForValue(subject, field, value, false);
  return term && value?.includes(MASK)
    ? { ...term, op: 'wildcard', values: [value.replaceAll(MASK, '*')] }
    : term;
}

/** What a search looks for: a text anywhere, or a field's whole value. */
export type Sought = { needle: string; field?: string | undefined };

export function termSought(subject: QuerySubject, { needle, field }: Sought): Term {
  const text: Term = { kind: 'text', value: needle, negated: false };
  const asked = isRegexText(needle, null) ? ({ ...text, isRegex: true } as const) : text;
  return field === undefined ? asked : (termForShown(subject, field, needle) ?? text);
}

/** A value that its field refuses stays as it is: rows hold odd values, and a filter made from one must find it. */
export function canonicalTerm(subject: QuerySubject, term: FieldTerm): FieldTerm {
  const field = fieldNamed(subject, term.field) ?? term.field;
  const row = fieldRow(subject, field);
  if (!row || isSearch(term.op)) return { ...term, field };
  if (term.op === 'wildcard' && term.values.some((value) => value.includes('*'))) {
    // A pattern matches the text of an address, which has no slash; a network among patterns would find nothing.
    const readable = (value: string) =>
      value.includes('*') || !row.ops.includes('cidr') || !value.includes('/');
    return { ...term, field, values: term.values.filter(readable) };
  }
  if (row.ops.includes('cidr') && term.values.some((value) => value.includes('/') && parseNetwork(value))) {
    const values = term.values.map((value) => accepted(networkValue(value), value));
    return { ...term, field, op: values.some((value) => value.includes('/')) ? 'cidr' : 'eq', values };
  }
  const values = term.values.map((value) => (value === '' ? '' : accepted(row.read(value), value)));
  return { ...term, field, op: 'eq', values };
}

/** `a, b or c`. Without `Intl.ListFormat`, whose tables cost every start 20 ms. */
function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`;
}

/** A term as a phrase, for hints and headings: `ip is not in 10.0.0.0/8`. Values are untrusted: sanitise before show. */
export function describeTerm(term: Term): string {
  if (term.kind === 'text') {
    const words = term.isRegex ? `matches ${term.value}` : `contains "${term.value}"`;
    return `${term.negated ? 'no text' : 'some text'} ${words}`;
  }
  const { field, op, negated } = term;
  const values = listed(
    term.values.map((value) => (op === 'contains' || /\s/.test(value) ? `"${value}"` : value)),
  );
  if (op === 'eq' && term.values.every((value) => value === '')) {
    return `${field} is ${negated ? 'present' : 'absent'}`;
  }
  if (op === 'wildcard' && term.values.every((value) => value === '*')) {
    return `${field} is ${negated ? 'absent' : 'present'}`;
  }
  return `${field} ${operatorWords(term)} ${values}`;
}

const OPERATOR_WORDS: Record<TermOp, [string, string]> = {
  eq: ['is', 'is not'],
  contains: ['contains', 'does not contain'],
  wildcard: ['is like', 'is not like'],
  regex: ['matches', 'does not match'],
  cidr: ['is in', 'is not in'],
};

export function operatorWords({ op, negated }: Pick<FieldTerm, 'op' | 'negated'>): string {
  return OPERATOR_WORDS[op][negated ? 1 : 0];
}

function accepted(reading: ReturnType<typeof networkValue>, fallback: string): string {
  return reading.ok ? reading.value : fallback;
}
