import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HostKind } from './call.ts';
import { exchange } from './exchange.ts';
import { HOSTS, type HouseOptions, openHouse, type Simulated } from './house.ts';
import { type Listener, openListener } from './listener.ts';

export type SimulatorOptions = HouseOptions & {
  /** Port of the main host, 0 = any free one. */
  port?: number;
  loggingPort?: number;
};

export type Simulator = Simulated & { baseUrl: string; loggingUrl: string; close(): Promise<void> };

/** Starts the platform's API on loopback, each host on a port of its own. */
export async function startSimulator(o: SimulatorOptions = {}): Promise<Simulator> {
  const listeners = {} as Record<HostKind, Listener>;
  const stray = strayServer((req) => house.stats.strayed(req.headers));
  const { house, simulated, leave } = openHouse(o, {
    setOpen: (host, isOpen) => listeners[host].setOpen(isOpen),
    elsewhere: stray.url,
  });
  const handlerOf = (host: HostKind) => (req: IncomingMessage, res: ServerResponse) => {
    exchange(house, host, req, res).catch(() => req.socket.destroy());
  };
  listeners.main = await openListener(o.port ?? 0, handlerOf('main'));
  listeners.logging = await openListener(o.loggingPort ?? 0, handlerOf('logging')).catch(async (error) => {
    await listeners.main.setOpen(false);
    throw error;
  });
  await simulated.setFaults(o.faults ?? []);
  return {
    ...simulated,
    baseUrl: listeners.main.url(),
    loggingUrl: listeners.logging.url(),
    close: async () => {
      leave();
      await Promise.all([...HOSTS.map((host) => listeners[host].setOpen(false)), stray.close()]);
    },
  };
}

/** The origin that redirects lead to; opened when the first one is sent. */
function strayServer(arrived: (req: IncomingMessage) => void): {
  url: () => Promise<string>;
  close: () => Promise<void>;
} {
  let opening: Promise<Listener> | null = null;
  return {
    url: async () => {
      opening ??= openListener(0, (req, res) => {
        arrived(req);
        res.end('{"data":[],"Items":[]}');
      });
      return (await opening).url();
    },
    close: async () => (await opening)?.setOpen(false),
  };
}
