import { parseAddress } from './address.ts';
import { DIRECTIVES, fieldNamed } from './fields.ts';
import type { QuerySubject } from './query.ts';

/** `status=404` and its like: no syntax here, and as free text they would silently find nothing. */
export const COMPARED = /^([A-Za-z][A-Za-z0-9_-]*)(!=|==?|<=?|>=?)(.*)$/;

/** Operators of other languages: all terms of a query must match anyway. */
export const CONNECTIVES: readonly string[] = ['AND', 'OR', 'NOT', '&&', '||'];

/** Names, aliases and directives: what may stand before a colon. */
export function isFieldName(subject: QuerySubject, name: string): boolean {
  return fieldNamed(subject, name) !== null || Object.hasOwn(DIRECTIVES, name.toLowerCase());
}

/** A pasted URL or IPv6 address has a colon, yet nobody means a field by it. */
export function isPlainWord(word: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || parseAddress(word) !== null;
}
