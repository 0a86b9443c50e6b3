import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that can go away and come back on the same port. */
export type Listener = {
  url(): string;
  /** Opens or closes; closing breaks every connection. Calls take effect in their order. */
  setOpen(isOpen: boolean): Promise<void>;
};

/** Longer than clients keep a connection, so that the server never closes one that is about to be used. */
const KEEP_ALIVE = 75_000;

export async function openListener(port: number, handle: RequestListener): Promise<Listener> {
  let server = await listen(port, handle);
  const address = server.address() as AddressInfo;
  let work: Promise<void> = Promise.resolve();
  let isListening = true;
  return {
    url: () => `http://127.0.0.1:${address.port}`,
    setOpen: (isOpen) => {
      work = work.then(async () => {
        if (isOpen === isListening) return;
        if (isOpen) server = await listen(address.port, handle);
        else await stop(server);
        isListening = isOpen;
      });
      return work;
    },
  };
}

function listen(port: number, handle: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE, requestTimeout: 0, headersTimeout: 0 },
      handle,
    );
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
