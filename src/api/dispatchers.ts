import type { Dispatcher } from 'undici';
import { connectAhead } from './connect-ahead.ts';
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
