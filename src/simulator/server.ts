import type { IncomingMessage, ServerResponse } from 'node:http';
import { HOSTS, type HostKind } from './call.ts';
import { type Arrival, answerTo, exchange, type Reply } from './exchange.ts';
import { type Listener, openListener } from './listener.ts';
import { openPlatform, type PlatformOptions } from './platform.ts';

/** Port of the main host, 0 = any free one; the other takes any. */
type Port = { port?: number };

export type Serving = {
  baseUrl: string;
  loggingUrl: string;
  setOpen(host: HostKind, isOpen: boolean): Promise<void>;
  close(): Promise<void>;
};

/** Starts the platform's API on loopback, each host on a port of its own. */
export async function startSimulator(o: PlatformOptions & Port): Promise<Serving & { accessKey: string }> {
  const platform = openPlatform(o);
  const serving = await serve(o, (arrival) => answerTo(platform, arrival));
  return { ...serving, accessKey: platform.world.account.accessKey };
}

/** Listens for both hosts; closing hangs up on whoever is being answered. */
export async function serve(
  { port = 0 }: Port,
  replyTo: (arrival: Arrival, signal: AbortSignal) => Promise<Reply>,
): Promise<Serving> {
  const underway = new Set<AbortController>();
  const handlerOf = (host: HostKind) => (req: IncomingMessage, res: ServerResponse) => {
    const ending = new AbortController();
    underway.add(ending);
    res.once('close', () => {
      underway.delete(ending);
      ending.abort();
    });
    exchange(host, { req, res, signal: ending.signal }, replyTo).catch(() => req.socket.destroy());
  };
  const listeners = {} as Record<HostKind, Listener>;
  listeners.main = await openListener(port, handlerOf('main'));
  listeners.logging = await openListener(0, handlerOf('logging'));
  return {
    baseUrl: listeners.main.url(),
    loggingUrl: listeners.logging.url(),
    setOpen: (host, isOpen) => listeners[host].setOpen(isOpen),
    close: async () => {
      for (const request of underway) request.abort();
      await Promise.all(HOSTS.map((host) => listeners[host].setOpen(false)));
    },
  };
}
