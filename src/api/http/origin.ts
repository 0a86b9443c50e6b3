import type { Credentials } from '../../config/settings/credentials.ts';
import type { Secret } from '../../text/secret.ts';

/** The host of a request: each has a base URL and its own credentials. */
export type HostName = 'main' | 'logging' | 'originErrors' | 'storage';

/** What opens a storage zone for reading: the server that the account names for it, and its own password. */
export type StorageDoor = { hostname: string; password: Secret };

/** The server of storage zones in the platform's main region; others stand below the same domain. */
const STORAGE_URL = 'https://storage.bunnycdn.com';
const STORAGE_DOMAIN = '.bunnycdn.com';

/**
 * The server of a storage zone's files: the one that is set or, where that is the platform's own, the one that the
 * account names, if it is the platform's, too. Null: the password goes nowhere else.
 */
export function storageBaseOf(set: string | null, { hostname }: StorageDoor): string | null {
  if (set !== STORAGE_URL || hostname === '') return set;
  const named = URL.parse(`https://${hostname}`);
  const isPlain = named !== null && named.host === hostname.toLowerCase();
  return isPlain && named.host.endsWith(STORAGE_DOMAIN) ? named.origin : null;
}

/**
 * The address of a path (with query) below a base URL, or null where it would leave the origin of the base: what is
 * asked never decides where the key goes.
 */
export function addressOf(base: string, path: string): URL | null {
  const from = new URL(base);
  const url = URL.parse(`${from.origin}${from.pathname.replace(/(?<!\/)\/+$/, '')}${path}`);
  return url !== null && url.origin === from.origin && url.username === '' && path.startsWith('/')
    ? url
    : null;
}

/**
 * The header that authorises a request; null without credentials for the host. A token is for logs and origin errors
 * alone, and goes there before the key, which can do everything. A storage zone takes its own password alone.
 */
export function authorisationFor(
  host: HostName,
  credentials: Credentials,
  door?: StorageDoor,
): [name: string, value: string] | null {
  // The account's key opens everything: a server of files never gets it.
  if (host === 'storage') return door === undefined ? null : ['accesskey', door.password.reveal()];
  if (host === 'logging' && credentials.token !== null) {
    return ['authorization', `Bearer ${credentials.token.reveal()}`];
  }
  if (host === 'originErrors' && credentials.token !== null) {
    return ['authorization', credentials.token.reveal()];
  }
  return credentials.accessKey === null ? null : ['accesskey', credentials.accessKey.reveal()];
}

/** A credential in one of its spellings: a quick test that every text with it passes, and the pattern that finds it. */
type Sought = { mayBeIn: (text: string) => boolean; pattern: () => RegExp };

/**
 * Replaces every credential in a server's text, whatever way its characters are escaped, and in base64. Every answer
 * goes through it and almost none holds one, so the patterns, the most of the cost, run only on texts that may.
 */
export function scrubber(credentials: Credentials, mask: string): (text: string) => string {
  const sought = [credentials.accessKey, credentials.token]
    .filter((secret) => secret !== null)
    .map((secret) => secret.reveal())
    .filter((value) => value.length >= 8)
    .flatMap((value) => [escaped(value), ...inBase64(value)]);
  return (text) =>
    sought.reduce(
      (rest, { mayBeIn, pattern }) => (mayBeIn(rest) ? rest.replace(pattern(), mask) : rest),
      text,
    );
}

/**
 * The value with each character plain or escaped: either the whole of it stands there plain, or an escape of one of
 * its characters among signs of escapes and characters of its own.
 */
function escaped(value: string): Sought {
  const codes = new Set([...value].map((character) => character.charCodeAt(0)));
  return {
    mayBeIn: (text) => text.includes(value) || text.includes('&#') || hasEscapeOf(text, codes, value.length),
    pattern: once([...value].map(anyForm).join('')),
  };
}

/**
 * Whether a character with one of these codes stands behind a `%` or a backslash in one of the forms of `anyForm`, in
 * a run of at least so many characters of such forms.
 */
function hasEscapeOf(text: string, codes: ReadonlySet<number>, least: number): boolean {
  const isHex = (at: number) => codes.has(16 * digitAt(text, at) + digitAt(text, at + 1));
  const isPart = (at: number) => {
    const code = text.charCodeAt(at);
    return codes.has(code) || SIGNS_OF_ESCAPES.has(code) || !Number.isNaN(digitAt(text, at));
  };
  /** The end of a run that was too short: its other escapes are not examined again. */
  let passed = 0;
  const isInRun = (at: number): boolean => {
    if (at < passed) return false;
    let [from, to] = [at, at + 1];
    while (from > 0 && isPart(from - 1)) from -= 1;
    while (to < text.length && isPart(to)) to += 1;
    passed = to;
    return to - from >= least;
  };
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    for (let hex = at + 1; ; hex += 2) {
      if (isHex(hex)) {
        if (isInRun(at)) return true;
        break;
      }
      if (!text.startsWith('25', hex)) break;
    }
  }
  passed = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 1)) {
    const isOne =
      codes.has(text.charCodeAt(at + 1)) ||
      (text.startsWith('u00', at + 1) && isHex(at + 4)) ||
      (text[at + 1] === 'x' && isHex(at + 2));
    if (isOne && isInRun(at)) return true;
  }
  return false;
}

/** The characters of escapes besides hexadecimal digits. */
const SIGNS_OF_ESCAPES: ReadonlySet<number> = new Set([...'%\\ux&#;X'].map((sign) => sign.charCodeAt(0)));

/** The value of a hexadecimal digit, else NaN. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN;
}

/** A character as itself, percent-encoded (also twice), as an escape of JSON or of a shell, or as an HTML entity. */
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

/**
 * What base64 of any text around the value holds of it, for each place in a group of three bytes, in either alphabet.
 */
function inBase64(value: string): Sought[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.from(' '.repeat(before) + value).toString('base64');
    const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
    const longest = own.split(/[+/]/).reduce((most, part) => (part.length > most.length ? part : most));
    return {
      mayBeIn: (text) => text.includes(longest),
      pattern: once(own.replaceAll('+', '[+-]').replaceAll('/', '[/_]')),
    };
  });
}

/** Compiled on first use: a long secret takes milliseconds. */
function once(pattern: string): () => RegExp {
  let made: RegExp | null = null;
  return () => (made ??= new RegExp(pattern, 'g'));
}
