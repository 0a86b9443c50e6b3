import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { isLoopback } from '../../config/settings/settings.ts';

/** ms; `total` covers everything, so that a body that drips for ever ends, too. */
export type Timeouts = { connect: number; headers: number; idle: number; total: number };

export const TIMEOUTS: Timeouts = { connect: 5_000, headers: 10_000, idle: 10_000, total: 20_000 };

/** Values of the proxy variables; empty where unset. */
export type ProxySettings = { httpProxy: string; httpsProxy: string; noProxy: string };

/** Whether requests to this address go through a proxy, `noProxy` aside. */
export function isProxied(url: URL, proxy: ProxySettings | null): boolean {
  if (proxy === null || isLoopback(url)) return false;
  return proxy.httpProxy !== '' || (url.protocol === 'https:' && proxy.httpsProxy !== '');
}

export type Dispatchers = {
  request: typeof import('undici').request;
  direct: Dispatcher;
  proxy: Dispatcher;
  /** Opens a connection for the first request to this origin, where no proxy is needed. */
  begin: (origin: URL) => void;
  destroy: () => Promise<void>;
};

/** undici takes 30 ms to load, which a start without requests must not pay. */
export async function makeDispatchers(timeouts: Timeouts, proxy: ProxySettings | null): Promise<Dispatchers> {
  const { Agent, buildConnector, EnvHttpProxyAgent, request } = await import('undici');
  // Set explicitly, so that no environment variable turns verification off.
  const tls = { rejectUnauthorized: true };
  const common = {
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.idle,
    connect: { timeout: timeouts.connect, ...tls },
    allowH2: false,
    // Many zones are read side by side, and hanging requests of one must not block the others.
    connections: 32,
  };
  const ahead = connectAhead(buildConnector({ ...common.connect, allowH2: false }));
  const direct = new Agent({ ...common, connect: ahead.connect });
  const isDirect = proxy === null || (proxy.httpProxy === '' && proxy.httpsProxy === '');
  // The agent's own option does not apply to its connection to the proxy, and HTTP/2 is not in the bundle.
  const viaProxy = {
    connectTimeout: timeouts.connect,
    requestTls: tls,
    proxyTls: { ...tls, allowH2: false },
  };
  const proxied = isDirect ? direct : new EnvHttpProxyAgent({ ...common, ...viaProxy, ...proxy });
  return {
    request,
    direct,
    proxy: proxied,
    begin(origin) {
      if (isDirect || isLoopback(origin)) ahead.begin(origin);
    },
    async destroy() {
      ahead.close();
      await Promise.all([...new Set([direct, proxied])].map((agent) => agent.destroy()));
    },
  };
}

type Connector = buildConnector.connector;

/**
 * A connector whose connections can be opened before their first request is known: the round trip and the certificate
 * are then not waited for. A connection that failed or was closed meanwhile is made anew.
 */
export function connectAhead(connect: Connector) {
  const waiting = new Map<string, Promise<Socket>>();

  return {
    /** Opens a connection for the first request to this origin; sends nothing over it. */
    begin({ protocol, host, hostname, port }: URL): void {
      const key = keyOf(protocol, host);
      if (waiting.has(key)) return;
      const begun = new Promise<Socket>((resolve, reject) => {
        connect({ protocol, host, hostname, port }, (error, socket) =>
          error === null ? resolve(socket) : reject(error),
        );
      });
      // A request that takes it while it is pending gets the error.
      begun.catch(() => waiting.get(key) === begun && waiting.delete(key));
      waiting.set(key, begun);
    },

    connect(...[options, callback]: Parameters<Connector>): void {
      const key = keyOf(options.protocol, options.host ?? options.hostname);
      const begun = waiting.get(key);
      waiting.delete(key);
      if (begun === undefined) {
        connect(options, callback);
        return;
      }
      begun.then(
        (socket) => {
          if (socket.destroyed || !socket.writable) connect(options, callback);
          else callback(null, socket);
        },
        (error) => callback(error, null),
      );
    },

    /** Closes the connections that no request has taken. */
    close(): void {
      for (const begun of waiting.values()) {
        begun.then(
          (socket) => socket.destroy(),
          () => {},
        );
      }
      waiting.clear();
    },
  };
}

function keyOf(protocol: string, host: string): string {
  return `${protocol}//${host}`;
}
