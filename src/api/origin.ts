import type { Secret } from '../text/secret.ts';

/** Which of the two hosts a request is for: each has a base URL and credentials of its own. */
export type HostName = 'main' | 'logging';

export type Credentials = { accessKey: Secret | null; token: Secret | null };

/** Host names that never leave this machine: `localhost` is left out, since a resolver decides where it leads. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** https, or http to a literal loopback address. */
export function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
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
 * The header that opens a host, null when there is nothing for it. A token is for logs alone, and is taken there before
 * the key, which can do everything.
 */
export function authorisationFor(
  host: HostName,
  credentials: Credentials,
): [name: string, value: string] | null {
  if (host === 'logging' && credentials.token !== null) {
    return ['authorization', `Bearer ${credentials.token.reveal()}`];
  }
  return credentials.accessKey === null ? null : ['accesskey', credentials.accessKey.reveal()];
}

/** Replaces every credential in a text that a server made, percent-encoded or not. */
export function scrubber(credentials: Credentials, mask: string): (text: string) => string {
  const values = [credentials.accessKey, credentials.token]
    .filter((secret) => secret !== null)
    .map((secret) => secret.reveal())
    .filter((value) => value.length >= 8);
  const words = [
    ...new Set(
      values.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]),
    ),
  ];
  return (text) =>
    words.reduce((rest, word) => (rest.includes(word) ? rest.replaceAll(word, mask) : rest), text);
}
