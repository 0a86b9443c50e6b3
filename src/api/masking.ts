import type { Json } from '../domain/shield/shield.ts';
import { MASK, maskUrlSecrets } from '../text/mask.ts';

/** Names of fields and of HTTP headers whose value is a secret, in lower case and without separators. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'accesskey',
  'apikey',
  'authorization',
  'authorizationheader',
  'awssigningkey',
  'awssigningsecret',
  'certificatekey',
  'cookie',
  'key',
  'logforwardingtoken',
  'password',
  'proxyauthorization',
  'readonlypassword',
  'secret',
  'setcookie',
  'token',
  'xaccesskey',
  'xamzsecuritytoken',
  'xapikey',
  'xauthtoken',
  'zonesecuritykey',
]);
const OWN = { enumerable: true, writable: true, configurable: true } as const;
/** Deeper than any documented object; what lies below is not shown. */
const DEEPEST = 24;

/** Names looked at before: an answer has few of them, thousands of times. */
const knownNames = new Map<string, boolean>();
const MOST_NAMES = 1_000;

export function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAMES.has(name.toLowerCase().replace(/[-_]/g, ''));
  if (knownNames.size >= MOST_NAMES) knownNames.clear();
  knownNames.set(name, isSecret);
  return isSecret;
}

/**
 * A copy of JSON from outside in which no secret is left: fields and `{Name, Value}` headers with a secret's name
 * become the mask, URLs lose their tokens. An own property named `__proto__` stays an ordinary property.
 */
export function masked(value: unknown, depth = 0): Json {
  if (typeof value === 'string') return maskUrlSecrets(value);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= DEEPEST) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => masked(item, depth + 1));
  const header = headerName(value);
  const copy: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    // The key of a group of Shield events is an object, the trigger of one is called `Key`.
    const isOther = name === 'Key' || (name === 'key' && typeof inner === 'object');
    const secret = isSecretName(name) && !isOther;
    const secretValue = header !== null && name.toLowerCase() === 'value' && isSecretName(header);
    const shown = (secret || secretValue) && inner !== null ? MASK : masked(inner, depth + 1);
    if (name === '__proto__') Object.defineProperty(copy, name, { ...OWN, value: shown });
    else copy[name] = shown;
  }
  return copy;
}

/** `{Name, Value}` of a header, or `{Key, Value}` of a Shield trigger, whose key may name a header. */
function headerName(value: object): string | null {
  const pair = value as Record<string, unknown>;
  const name = pair['Name'] ?? pair['name'] ?? pair['Key'];
  return typeof name === 'string' && ('Value' in pair || 'value' in pair) ? name : null;
}
