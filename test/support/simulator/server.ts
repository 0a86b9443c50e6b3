import type { HostKind } from '../../../src/simulator/http/answers.ts';
import { arrivalOf, type Line, listen, send, servedUrl, stop } from '../../../src/simulator/server.ts';
import { type Simulated, type SimulatedOptions, simulate } from './simulated.ts';

export type SimulatorOptions = SimulatedOptions & { port?: number };
export type Simulator = Simulated & {
  baseUrl: string;
  loggingUrl: string;
  originErrorsUrl: string;
  storageUrl: string;
  close(): Promise<void>;
};

/** A server that can go away and come back on the same port. */
type Listener = {
  url: string;
  /** Opens or closes; closing breaks every connection. Calls take effect in their order. */
  setOpen(isOpen: boolean): Promise<void>;
};

/** Starts the simulator on loopback, as `edgescope sim` does, with what tests need besides. */
export async function startSimulator(o: SimulatorOptions = {}): Promise<Simulator> {
  let stray: Promise<Listener> | null = null;
  const { simulated, stats, replyTo, leave } = simulate(o, {
    setOpen: (host, isOpen) => listeners[host].setOpen(isOpen),
    elsewhere: async () => {
      stray ??= openListener(0, ({ req, res }) => {
        stats.strayed(req.headers);
        res.end('{"data":[],"Items":[]}');
      });
      return (await stray).url;
    },
  });
  const handle = (host: HostKind) => async (line: Line) => {
    const reply = await replyTo(arrivalOf(host, line.req), line.signal);
    line.res.sendDate = false;
    await (typeof reply === 'function' ? reply(line) : send(reply, line));
  };
  const listeners: Record<HostKind, Listener> = {
    main: await openListener(o.port ?? 0, handle('main')),
    logging: await openListener(0, handle('logging')),
    originErrors: await openListener(0, handle('originErrors')),
    storage: await openListener(0, handle('storage')),
  };
  await simulated.setFaults(o.faults ?? []);
  return {
    ...simulated,
    baseUrl: listeners.main.url,
    loggingUrl: listeners.logging.url,
    originErrorsUrl: listeners.originErrors.url,
    storageUrl: listeners.storage.url,
    close: async () => {
      leave();
      const open = [...Object.values(listeners), ...(stray ? [await stray] : [])];
      await Promise.all(open.map((each) => each.setOpen(false)));
    },
  };
}

async function openListener(port: number, handle: Parameters<typeof listen>[1]): Promise<Listener> {
  let server = await listen(port, handle);
  const url = servedUrl(server);
  let work: Promise<void> = Promise.resolve();
  let isListening = true;
  return {
    url,
    setOpen: (isOpen) => {
      work = work.then(async () => {
        if (isOpen === isListening) return;
        if (isOpen) server = await listen(Number(new URL(url).port), handle);
        else await stop(server);
        isListening = isOpen;
      });
      return work;
    },
  };
}
