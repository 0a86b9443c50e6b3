import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { isLoopback } from './origin.ts';

/** ms; `total` is over everything, so that a body that drips for ever ends too. */
export type Timeouts = { connect: number; headers: number; idle: number; total: number };

export const TIMEOUTS: Timeouts = { connect: 5_000, headers: 10_000, idle: 10_000, total: 20_000 };

/** Values of the proxy variables; empty where unset. */
export type ProxySettings = { httpProxy: string; httpsProxy: string; noProxy: string };

/** Whether a request to this address goes through a proxy, unless `noProxy` exempts it. */
export function isProxied(url: URL, proxy: ProxySettings | null): boolean {
  if (proxy === null || isLoopback(url)) return false;
  return proxy.httpProxy !== '' || (url.protocol === 'https:' && proxy.httpsProxy !== '');
}

export type Dispatchers = {
  request: typeof import('undici').request;
  direct: Dispatcher;
  proxy: Dispatcher;
  /** Begins the connection for the first request to this origin, where that needs no proxy. */
  begin: (origin: URL) => void;
  destroy: () => Promise<void>;
};

/** undici takes 30 ms to load, which a start without requests must not pay for. */
export async function makeDispatchers(timeouts: Timeouts, proxy: ProxySettings | null): Promise<Dispatchers> {
  const { Agent, buildConnector, EnvHttpProxyAgent, request } = await import('undici');
  // Said outright, a verified certificate stays demanded whatever the environment says.
  const tls = { rejectUnauthorized: true };
  const common = {
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.idle,
    connect: { timeout: timeouts.connect, ...tls },
    allowH2: false,
    connections: 8,
  };
  const ahead = connectAhead(buildConnector({ ...common.connect, allowH2: false }));
  const direct = new Agent({ ...common, connect: ahead.connect });
  if (proxy === null || (proxy.httpProxy === '' && proxy.httpsProxy === '')) {
    const destroy = async () => {
      ahead.close();
      await direct.destroy();
    };
    return { request, direct, proxy: direct, begin: ahead.begin, destroy };
  }
  // The agent's own option says nothing about its connection to the proxy, and HTTP/2 is not in the bundle.
  const viaProxy = {
    connectTimeout: timeouts.connect,
    requestTls: tls,
    proxyTls: { ...tls, allowH2: false },
  };
  const proxied = new EnvHttpProxyAgent({ ...common, ...viaProxy, ...proxy });
  const destroy = async () => {
    ahead.close();
    await Promise.all([direct.destroy(), proxied.destroy()]);
  };
  const begin = (origin: URL) => {
    if (isLoopback(origin)) ahead.begin(origin);
  };
  return { request, direct, proxy: proxied, begin, destroy };
}

type Connector = buildConnector.connector;
type Outcome = { socket: Socket } | { error: Error };

/** A connection that was begun before anything is asked over it. */
type Begun = { outcome: Promise<Outcome>; settled: Outcome | null };

export type ConnectorAhead = {
  connect: Connector;
  /** Begins a connection for the first request to this origin; says nothing over it. */
  begin(origin: URL): void;
  /** Ends the connections that no request has taken. */
  close(): void;
};

/**
 * A connector whose connections may be begun before their first request is known: the way to a server and back, and
 * its certificate, are then not waited for. A connection that failed, or that the server ended meanwhile, is made anew.
 */
export function connectAhead(connect: Connector): ConnectorAhead {
  const waiting = new Map<string, Begun>();

  function begin(origin: URL): void {
    const { protocol, host, hostname, port } = origin;
    const key = keyOf(protocol, host);
    if (waiting.has(key)) return;
    const begun: Begun = {
      settled: null,
      outcome: new Promise((resolve) => {
        connect({ protocol, host, hostname, port }, (error, socket) =>
          resolve(error === null ? { socket } : { error }),
        );
      }),
    };
    void begun.outcome.then((outcome) => {
      begun.settled = outcome;
    });
    waiting.set(key, begun);
  }

  return {
    begin,

    connect(options, callback) {
      const key = keyOf(options.protocol, options.host ?? options.hostname);
      const begun = waiting.get(key);
      waiting.delete(key);
      if (begun === undefined || (begun.settled !== null && !isUsable(begun.settled))) {
        connect(options, callback);
        return;
      }
      void begun.outcome.then((outcome) => {
        if ('error' in outcome) callback(outcome.error, null);
        else callback(null, outcome.socket);
      });
    },

    close() {
      for (const { outcome } of waiting.values()) {
        void outcome.then((made) => 'socket' in made && made.socket.destroy());
      }
      waiting.clear();
    },
  };
}

function isUsable(outcome: Outcome): boolean {
  return 'socket' in outcome && !outcome.socket.destroyed && outcome.socket.writable;
}

function keyOf(protocol: string, host: string): string {
  return `${protocol}//${host}`;
}
