import type { LogRecord } from './log.ts';

type CauseRow = {
  /** What happened, in few words. */
  words: string;
  /** What to look at. */
  next: string;
};

/** The published codes of origin errors. An open set. */
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

/** The row of a code; null for an unknown one. */
export function causeRow(code: string): CauseRow | null {
  return Object.hasOwn(CAUSES, code) ? CAUSES[code as keyof typeof CAUSES] : null;
}

/** A row of the log, as far as its origin error is found by it. */
export type FailedRow = Pick<LogRecord, 'timestamp' | 'path' | 'edgeLocation' | 'statusCode' | 'pullZoneId'>;

/**
 * Why the origin failed a row, by the known origin errors: a code, or null where none is known. It is handed to
 * callers and kept by none, since more errors make it another one. `row` is made only where it is needed.
 */
export type CauseOf = (status: number, row: () => FailedRow) => string | null;

/** Where no origin error is known. */
export const NO_CAUSES: CauseOf = () => null;
