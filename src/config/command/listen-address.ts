import { isIP } from 'node:net';

/** Where something of this program listens. */
export type ListenAddress = { host: string; port: number };

const LOOPBACK = '127.0.0.1';
const MOST = 65_535;

/**
 * `127.0.0.1:9464`, `[::1]:9464`, `localhost:9464`, or a port alone on the loopback; null: none of these. Names are
 * refused: where this listens must not depend on who answers for a name.
 */
export function parseListenAddress(text: string): ListenAddress | null {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[(.+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > MOST) return null;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : null;
  if (plain === undefined || plain === 'localhost') return { host: LOOPBACK, port };
  return isIP(plain) === 4 ? { host: plain, port } : null;
}

/** As a URL has it. */
export function hostAndPort({ host, port }: ListenAddress): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
