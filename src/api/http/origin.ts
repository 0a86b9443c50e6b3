import type { Credentials } from '../../config/settings/credentials.ts';
import type { Secret } from '../../text/secret.ts';

/** Which host a request is for: each has a base URL and a way to be opened of its own. */
export type HostName = 'main' | 'logging' | 'originErrors' | 'storage';

/** What a storage zone is read with: the server that the account names for it, and its own password. */
export type StorageDoor = { hostname: string; password: Secret };

/** The server of storage zones in the platform's main region; others are below the same domain. */
const STORAGE_URL = 'https://storage.bunnycdn.com';
const STORAGE_DOMAIN = '.bunnycdn.com';

/**
 * Where the files of a storage zone are: at the server that is set, or, where that is the platform's own, at the one that the
 * account names, as long as it is the platform's too. Null: a password goes nowhere else.
 */
export function storageBaseOf(set: string | null, { hostname }: StorageDoor): string | null {
  if (set !== STORAGE_URL || hostname === '') return set;
  const named = URL.parse(`https://${hostname}`);
  const isPlain = named !== null && named.host === hostname.toLowerCase();
  return isPlain && named.host.endsWith(STORAGE_DOMAIN) ? named.origin : null;
}

/**
 * The address of a path (with query) below a base URL, or null when the result would leave the origin of the base: what
 * is asked never decides where the key goes.
 */
export function addressOf(base: string, path: string): URL | null {
  const from = new URL(base);
  const url = URL.parse(`${from.origin}${from.pathname.replace(/(?<!\/)\/+$/, '')}${path}`);
  return url !== null && url.origin === from.origin && url.username === '' && path.startsWith('/')
    ? url
    : null;
}

/**
 * The header that opens a host, null when there is nothing for it. A token is for logs and origin errors alone, and is taken
 * there before the key, which can do everything. A storage zone is opened by its own password alone.
 */
export function authorisationFor(
  host: HostName,
  credentials: Credentials,
  door?: StorageDoor,
): [name: string, value: string] | null {
  // The key of the account opens everything: a server of files never gets it.
  if (host === 'storage') return door === undefined ? null : ['accesskey', door.password.reveal()];
  if (host === 'logging' && credentials.token !== null) {
    return ['authorization', `Bearer ${credentials.token.reveal()}`];
  }
  if (host === 'originErrors' && credentials.token !== null) {
    return ['authorization', credentials.token.reveal()];
  }
  return credentials.accessKey === null ? null : ['accesskey', credentials.accessKey.reveal()];
}

/** Replaces every credential in a text that a server made, however each of its characters is escaped, and in base64. */
export function scrubber(credentials: Credentials, mask: string): (text: string) => string {
  const patterns = [credentials.accessKey, credentials.token]
    .filter((secret) => secret !== null)
    .map((secret) => secret.reveal())
    .filter((value) => value.length >= 8)
    .flatMap((value) => [[...value].map(anyForm).join(''), ...inBase64(value)])
    .map((pattern) => new RegExp(pattern, 'g'));
  return (text) => patterns.reduce((rest, pattern) => rest.replace(pattern, mask), text);
}

/** A character as itself, percent-encoded (again), as an escape of JSON or of a shell, or as an entity of HTML. */
function anyForm(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return [
    `(?:\\\\{0,4}${RegExp.escape(character)}`,
    `%(?:25){0,4}${hex}`,
    `\\\\{1,4}(?:u00|x)${hex}`,
    `&#(?:0{0,4}${code}|[xX]0{0,4}${hex});)`,
  ].join('|');
}

/** What base64 of any text around the value holds of it, for each place in a group of three bytes. */
function inBase64(value: string): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.from(' '.repeat(before) + value).toString('base64');
    const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
    return own.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
  });
}
