import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostKind } from './http/answers.ts';
import { answerTo, arrivalOf, type Line, send } from './http/exchange.ts';
import { openPlatform, type PlatformOptions } from './platform.ts';

/** Longer than clients keep a connection, so that the server never closes one that is about to be used. */
const KEEP_ALIVE = 75_000;

/** Starts the platform's API on loopback, each host on a port of its own. `port`: of the main host, 0 = any free one. */
export async function startSimulator({ port = 0, ...o }: PlatformOptions & { port?: number }) {
  const platform = openPlatform(o);
  const handle = (host: HostKind) => async (line: Line) =>
    send(await answerTo(platform, arrivalOf(host, line.req)), line);
  const main = await listen(port, handle('main'));
  const logging = await listen(0, handle('logging'));
  const originErrors = await listen(0, handle('originErrors'));
  const storage = await listen(0, handle('storage'));
  return {
    baseUrl: servedUrl(main),
    loggingUrl: servedUrl(logging),
    originErrorsUrl: servedUrl(originErrors),
    storageUrl: servedUrl(storage),
    accessKey: platform.world.account.accessKey,
    close: async () => {
      await Promise.all([main, logging, originErrors, storage].map(stop));
    },
  };
}

export function listen(port: number, handle: (line: Line) => Promise<void> | void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE, requestTimeout: 0, headersTimeout: 0 },
      async (req, res) => {
        const ending = new AbortController();
        res.once('close', () => ending.abort());
        try {
          await handle({ req, res, signal: ending.signal });
        } catch {
          req.socket.destroy();
        }
      },
    );
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

export function servedUrl(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Hangs up on whoever is connected. */
export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
