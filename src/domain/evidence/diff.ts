import { MASK, maskSecrets } from '../../text/mask.ts';
import { isSecretField } from '../../text/secret-values.ts';
import { joined } from '../../text/units.ts';

/** The old and the new value of a field, both masked and as text; null = it was absent, or is unsaid. */
export type FieldChange = { field: string; old: string | null; now: string | null };

/** What an audit entry says was changed. `text`: all of it, where its form is unknown. No secret is in it. */
export type Diff = { fields: readonly FieldChange[]; text: string };

type Json = unknown;

/** More fields than any change has; a hostile one costs no more. */
const MOST_FIELDS = 100;
const DEEPEST = 8;
const LONGEST_TEXT = 4_000;
const LONGEST_VALUE = 1_000;

const OLD = /^(?:old|before|from|previous|original)(?:_?value)?$/i;
const NEW = /^(?:new|after|to|current|updated)(?:_?value)?$/i;
const NAME = /^(?:property|field|name|path|key|column|member)(?:_?name)?$/i;
/** A field of such a name belongs to the name beside it. */
const VALUE = /value$/i;
const WORD = /[A-Za-z][\w-]*/g;
/** Between an old and a new value. */
const ARROWS = ['->', '=>', '\u2192'];
const PLAIN_NAME = /^[\w.[\] -]{1,64}$/;
/**
 * What nobody writes by hand: a run of letters and digits, or as many hexadecimal digits as a key has. A value under
 * an innocent name may be a key all the same, and nobody documents the text of a change.
 */
const OPAQUE = /[A-Za-z0-9_+=-]{20,}/g;

/** Reads the text of a change; its form is documented nowhere. */
export function diffOf(source: string | null): Diff {
  const text = (source ?? '').trim().slice(0, LONGEST_TEXT);
  if (text === '') return { fields: [], text: '' };
  const json = /^[[{]/.test(text) ? jsonOf(text) : undefined;
  const fields = json === undefined ? arrowsOf(text) : fieldsOf(json, '', 0);
  if (fields.length === 0) return { fields: [], text: maskedText(upToSecret(text)) };
  return { fields: fields.slice(0, MOST_FIELDS), text: '' };
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** `Name: old -> new` on each line, or between semicolons; none where one part is not of that form. */
function arrowsOf(text: string): FieldChange[] {
  const parts = text.split(/[;\r\n]/).filter((part) => part.trim() !== '');
  const read = parts.flatMap((part) => arrowOf(part) ?? []);
  return read.length === parts.length ? read : [];
}

function arrowOf(part: string): FieldChange | null {
  const sign = part.search(/[:=]/);
  const name = part.slice(0, Math.max(0, sign)).trim();
  const arrow = ARROWS.find((each) => part.includes(each, sign + 1));
  if (!PLAIN_NAME.test(name) || arrow === undefined) return null;
  const at = part.indexOf(arrow, sign + 1);
  return changed(name, part.slice(sign + 1, at).trim(), part.slice(at + arrow.length).trim());
}

/** An object with an old and a new value is a change of the value it belongs to; any other leaf is a new value. */
function fieldsOf(value: Json, name: string, depth: number): FieldChange[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    const isOfObjects = value.some((item) => typeof item === 'object' && item !== null);
    return isOfObjects
      ? value.slice(0, MOST_FIELDS).flatMap((item) => fieldsOf(item, name, depth + 1))
      : leaf(name, value);
  }
  if (typeof value !== 'object' || value === null) return leaf(name, value);
  const entries = Object.entries(value).slice(0, MOST_FIELDS);
  const old = entries.find(([key]) => OLD.test(key));
  const now = entries.find(([key]) => NEW.test(key));
  const named = entries.find(([key, inner]) => NAME.test(key) && typeof inner === 'string')?.[1];
  const path = pathOf(name, typeof named === 'string' ? named : '');
  if (old !== undefined || now !== undefined) return [changed(path, old?.[1], now?.[1])];
  return entries.flatMap(([key, inner]) =>
    fieldsOf(inner, pathOf(VALUE.test(key) ? path : name, key), depth + 1),
  );
}

function leaf(name: string, value: Json): FieldChange[] {
  return name === '' ? [] : [changed(name, undefined, value)];
}

function pathOf(outer: string, inner: string): string {
  return joined([outer, inner], '.');
}

/** A secret's name in the path makes both values secret. */
function changed(field: string, old: Json, now: Json): FieldChange {
  const isSecret = field.split('.').some(isSecretField);
  const shown = (value: Json) => (isSecret && (value ?? '') !== '' ? MASK : valueText(value));
  return { field: field.slice(0, LONGEST_VALUE), old: shown(old), now: shown(now) };
}

function valueText(value: Json): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return maskedText(text.slice(0, LONGEST_VALUE));
}

/** In text without a form, what follows the name of a secret may be its value, however far. */
function upToSecret(text: string): string {
  for (const { 0: word, index } of text.matchAll(WORD))
    if (isSecretField(word)) return `${text.slice(0, index + word.length)} ${MASK}`;
  return text;
}

function maskedText(text: string): string {
  return maskSecrets(text).replace(OPAQUE, (run) => (isOpaque(run) ? MASK : run));
}

function isOpaque(run: string): boolean {
  const hex = run.replaceAll('-', '');
  if (/^[0-9a-f]{32,}$/i.test(hex)) return true;
  return run
    .split(/[-_]/)
    .some((part) => part.length >= 20 && /[0-9].*[0-9].*[0-9]/.test(part) && /[a-z]/i.test(part));
}
