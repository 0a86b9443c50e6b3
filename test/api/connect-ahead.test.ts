import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { Agent, buildConnector, request } from 'undici';
import { connectAhead } from '../../src/api/http/connections.ts';

test('the first request goes over the connection that was begun before it', async () => {
  await withServer(async ({ origin, sockets, ask, ahead }) => {
    ahead.begin(origin);
    ahead.begin(origin);
    await until(() => sockets.length === 1);
    assert.equal(await ask(), 'asked over 1');
    assert.equal(sockets.length, 1);
  });
});

test('a request that comes while the connection is being made waits for that one', async () => {
  await withServer(async ({ origin, sockets, ask, ahead }) => {
    ahead.begin(origin);
    assert.equal(await ask(), 'asked over 1');
    assert.equal(sockets.length, 1);
  });
});

test('a connection that the server ended meanwhile is made anew', async () => {
  await withServer(async ({ origin, sockets, ask, ahead, begun }) => {
    ahead.begin(origin);
    await until(() => sockets.length === 1 && begun.length === 1);
    sockets[0]?.destroy();
    await until(() => begun[0]?.destroyed === true);
    assert.equal(await ask(), 'asked over 2');
  });
});

test('a connection that could not be made leaves the request its own try', async () => {
  await withServer(async ({ origin, server, ask, ahead, failures }) => {
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    ahead.begin(origin);
    await until(() => failures.length === 1);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    assert.equal(await ask(), 'asked over 1');
  });
});

test('a request that waits for a connection is told why there is none', async () => {
  await withServer(async ({ origin, server, ask, ahead }) => {
    server.close();
    await once(server, 'close');
    ahead.begin(origin);
    await assert.rejects(ask(), { code: 'ECONNREFUSED' });
  });
});

test('what no request took is ended', async () => {
  await withServer(async ({ origin, sockets, ahead }) => {
    ahead.begin(origin);
    await until(() => sockets.length === 1);
    ahead.close();
    await until(() => sockets[0]?.destroyed === true);
  });
});

type Setting = {
  origin: URL;
  server: Server;
  /** The server's ends of the connections, and the client's. */
  sockets: Socket[];
  begun: Socket[];
  failures: Error[];
  ahead: ReturnType<typeof connectAhead>;
  ask: () => Promise<string>;
};

async function withServer(use: (setting: Setting) => Promise<void>): Promise<void> {
  const sockets: Socket[] = [];
  const [begun, failures]: [Socket[], Error[]] = [[], []];
  const server = createServer((asked, answer) => {
    asked.resume();
    answer.end(`asked over ${sockets.indexOf(asked.socket) + 1}`);
  });
  server.on('connection', (socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const connect = buildConnector({ allowH2: false });
  const ahead = connectAhead((options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) {
        begun.push(socket);
        callback(null, socket);
      } else {
        failures.push(error);
        callback(error, null);
      }
    }),
  );
  const dispatcher = new Agent({ connect: ahead.connect });
  const ask = async () => (await request(origin, { dispatcher })).body.text();
  try {
    await use({ origin, server, sockets, begun, failures, ahead, ask });
  } finally {
    ahead.close();
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}
