import { pageOf } from '../log.ts';

/** Why the platform got no answer out of an origin, once. Texts are untrusted; signed-URL tokens are masked. */
export type OriginError = {
  logId: string | null;
  /** Unix ms. */
  timestamp: number;
  /** What was asked of the origin: a path with its query, or a whole URL. Null where it is not told. */
  url: string | null;
  /** One of CAUSES, or any other word; empty where it is not told. */
  code: string;
  /** The status that the client was answered with, as far as it is told. */
  status: number | null;
  /** Where the edge is that met it, as the CDN log names it. */
  edge: string | null;
  message: string | null;
  /** The row as it came, when no time is told in it; its time is then the start of the day. */
  raw: string | null;
};

/** The errors of one UTC day of a zone, as they came; `unread` of them without a time. */
export type OriginErrorDay = { errors: readonly OriginError[]; unread: number };

type CauseRow = {
  /** What happened, in few words. */
  words: string;
  /** What to look at. */
  next: string;
};

/** The published codes. An open set. */
export const CAUSES = {
  dns_lookup: {
    words: 'the name of the origin was not found',
    next: 'check OriginUrl of the zone, and the DNS of that name',
  },
  http_timeout: {
    words: 'the origin did not answer within 60 s',
    next: 'look at the load and the slow requests of the origin',
  },
  http_request_exception: {
    words: 'the request to the origin broke off',
    next: 'look at the log of the origin at that time: a restart, TLS, a proxy in between',
  },
  http_request_failure: {
    words: 'the origin did not take the request',
    next: 'look at the log of the origin at that time',
  },
  http_invalid_range: {
    words: 'the origin answered a range request wrongly',
    next: 'check how the origin answers Range',
  },
  http_loop_detected: {
    words: 'the request came back to the platform',
    next: 'check that OriginUrl does not lead to the zone itself',
  },
  http_invalid_compression: {
    words: 'the origin sent a body that cannot be unpacked',
    next: 'check Content-Encoding of the origin',
  },
  network_socket_exception: {
    words: 'no connection to the origin',
    next: 'check that the origin runs, its port and its firewall',
  },
  network_io_error: {
    words: 'the connection to the origin was lost',
    next: 'look at the network of the origin, and at restarts',
  },
  notfound_localdb: {
    words: 'the platform does not know the origin',
    next: 'look at the settings of the zone; the platform can say more',
  },
  error: { words: 'the platform says no more', next: 'look at the log of the origin at that time' },
} as const satisfies Record<string, CauseRow>;

/** What a code means, for one that is not known nothing. */
export function causeRow(code: string): CauseRow | null {
  return Object.hasOwn(CAUSES, code) ? CAUSES[code as keyof typeof CAUSES] : null;
}

/** The path that was asked for, without its query; null where none is told. */
export function pathOfError({ url }: OriginError): string | null {
  if (url === null || url === '') return null;
  const path = url.startsWith('/') ? url : (/^[a-z][a-z+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1] ?? url);
  return pageOf(path === '' ? '/' : path);
}
