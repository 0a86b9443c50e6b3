import type { IncomingHttpHeaders } from 'node:http';
import type { HostKind } from '../../../src/simulator/http/answers.ts';
import type { EndpointId } from '../../../src/simulator/http/router.ts';

export type SimRequest = {
  /** Number of the request since the start, from 1. */
  number: number;
  /** Ms of the server's clock at arrival. */
  at: number;
  host: HostKind;
  method: string;
  /** With query string. */
  path: string;
  endpoint: EndpointId | null;
  pullZoneId: string | null;
  /** Null until the answer is chosen. */
  status: number | null;
};

/** What the server itself saw; times in ms of the limiter's clock. */
export type SimStats = {
  requests: number;
  /** Requests by endpoint; `unknown` counts paths that are none. */
  byEndpoint: Record<string, number>;
  byStatus: Record<string, number>;
  /** The most requests of a pull zone that arrived within any `window` (10 s), refused ones included. */
  maxInWindow: Record<string, number>;
  /** POSTs by path. */
  posts: Record<string, number>;
  rateLimited: number;
  /** The last request's headers by endpoint; credentials only as `[present]`. */
  lastHeaders: Record<string, Record<string, string>>;
  /** Requests that arrived where redirects lead, and how many of them carried credentials. */
  elsewhere: { requests: number; withCredentials: number };
};

const SECRET_HEADERS = ['accesskey', 'authorization', 'cookie', 'proxy-authorization'];

export type StatsBook = {
  arrived(request: SimRequest, headers: IncomingHttpHeaders, at: number): void;
  answered(status: number): void;
  strayed(headers: IncomingHttpHeaders): void;
  /** Requests so far. */
  count(): number;
  snapshot(): SimStats;
};

export function createStats(window: number): StatsBook {
  const stats: SimStats = {
    requests: 0,
    byEndpoint: {},
    byStatus: {},
    maxInWindow: {},
    posts: {},
    rateLimited: 0,
    lastHeaders: {},
    elsewhere: { requests: 0, withCredentials: 0 },
  };
  const arrivals = new Map<string, number[]>();
  return {
    arrived: (request, headers, at) => {
      const endpoint = request.endpoint ?? 'unknown';
      stats.requests += 1;
      stats.byEndpoint[endpoint] = (stats.byEndpoint[endpoint] ?? 0) + 1;
      stats.lastHeaders[endpoint] = withoutSecrets(headers);
      if (request.method === 'POST') {
        const path = request.path.split('?')[0] as string;
        stats.posts[path] = (stats.posts[path] ?? 0) + 1;
      }
      if (request.pullZoneId !== null) {
        const recent = (arrivals.get(request.pullZoneId) ?? []).filter((t) => t > at - window);
        recent.push(at);
        arrivals.set(request.pullZoneId, recent);
        stats.maxInWindow[request.pullZoneId] = Math.max(
          stats.maxInWindow[request.pullZoneId] ?? 0,
          recent.length,
        );
      }
    },
    answered: (status) => {
      stats.byStatus[status] = (stats.byStatus[status] ?? 0) + 1;
      if (status === 429) stats.rateLimited += 1;
    },
    strayed: (headers) => {
      stats.elsewhere.requests += 1;
      if (SECRET_HEADERS.some((name) => headers[name] !== undefined)) stats.elsewhere.withCredentials += 1;
    },
    count: () => stats.requests,
    snapshot: () => structuredClone(stats),
  };
}

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.includes(name) ? '[present]' : String(value),
    ]),
  );
}
