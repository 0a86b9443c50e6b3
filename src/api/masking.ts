import type { Json } from '../domain/shield/shield.ts';
import { MASK, maskSecrets } from '../text/mask.ts';
import { isSecretField } from '../text/secret-values.ts';
import { parseJson } from './http/json.ts';

const OWN = { enumerable: true, writable: true, configurable: true } as const;
/** Deeper than any documented object; anything below is not shown. */
const DEEPEST = 24;
/** `Value`, `OldValue`, `stringValue`. */
const VALUE = /value$/i;

/**
 * A copy of foreign JSON without secrets: fields and `{Name, Value}` headers with a secret's name become the mask,
 * and texts lose the secrets in them. An own property named `__proto__` stays an ordinary property.
 */
export function masked(value: unknown, depth = 0): Json {
  if (typeof value === 'string') return maskedText(value, depth);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEEPEST) return '[nested too deeply]';
  if (Array.isArray(value))
    return isSecretPair(value) ? [value[0], MASK] : value.map((item) => masked(item, depth + 1));
  const header = headerName(value);
  const copy: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    // The key of a Shield group is an object; the trigger of an event is called `Key`.
    const isOther = name === 'Key' || (name === 'key' && typeof inner === 'object');
    const secret = isSecretField(name) && !isOther;
    const secretValue = header !== null && VALUE.test(name) && isSecretField(header);
    const shown = (secret || secretValue) && inner !== null ? MASK : masked(inner, depth + 1);
    if (name === '__proto__') Object.defineProperty(copy, name, { ...OWN, value: shown });
    else copy[name] = shown;
  }
  return copy;
}

/** JSON in a string stays JSON. A text with nothing to mask stays as it came. */
function maskedText(text: string, depth: number): string {
  if (depth < DEEPEST && /^\s*[{[]/.test(text)) {
    try {
      const value = parseJson(text);
      const inside = JSON.stringify(masked(value, depth + 1));
      return inside === JSON.stringify(value) ? text : inside;
    } catch {
      // Not JSON after all, or truncated.
    }
  }
  return maskSecrets(text);
}

/** `["name", "value"]` of a header. */
function isSecretPair(list: readonly unknown[]): list is [string, string] {
  return (
    list.length === 2 && list.every((each) => typeof each === 'string') && isSecretField(String(list[0]))
  );
}

/** The name of a `{Name, Value}` header, or of a Shield trigger's `{Key, Value}`, whose key may name a header. */
function headerName(value: object): string | null {
  const pair = value as Record<string, unknown>;
  const name = pair['Name'] ?? pair['name'] ?? pair['Key'];
  return typeof name === 'string' ? name : null;
}
