import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { Agent, buildConnector, request } from 'undici';
import { connectAhead } from '../../src/api/http/connections.ts';
import { clientOf, json, logPage, SLICE } from './support.ts';

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

test('zones whose requests hang leave a way to the server for those of another', async () => {
  const silent = Array.from({ length: 12 }, (_, at) => String(100 + at));
  const held = Promise.withResolvers<void>();
  let hanging = 0;
  let given = 0;
  const server = createServer((request, response) => {
    if (!silent.some((id) => request.url?.includes(`/pullzones/${id}/`))) json(response, logPage([]));
    else if (++hanging === silent.length) held.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stopper = new AbortController();
  try {
    const asked = silent.map(async (pullZoneId) => {
      await client.logs({ ...SLICE, pullZoneId }, { retries: 0, signal: stopper.signal });
      given += 1;
    });
    await held.promise;
    assert.ok((await client.logs(SLICE, { retries: 0 })).ok);
    assert.equal(given, 0, 'one had to be given up first');
    stopper.abort();
    await Promise.all(asked);
  } finally {
    await client.close();
    server.closeAllConnections();
    server.close();
  }
});
