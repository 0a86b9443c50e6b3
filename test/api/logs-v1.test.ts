import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Client, LogBatch } from '../../src/api/client.ts';
import type { Failure } from '../../src/domain/failure.ts';
import { asking, type TinyServer } from './support.ts';

const REQUEST = { pullZoneId: '77', day: '2026-08-01', order: 'asc' } as const;

function line(at: number): string {
  return `HIT|200|${1785542400000 + at}|5120|77|192.0.2.1|-|https://cdn.example.com/${at}|DE|curl|${'0'.repeat(32)}|DE`;
}

async function read(
  client: Client,
  limit = Number.POSITIVE_INFINITY,
): Promise<{ batches: LogBatch[]; failure: Failure | null }> {
  const opened = await client.logsV1(REQUEST, { retries: 0 });
  if (!opened.ok) return { batches: [], failure: opened.failure };
  const batches: LogBatch[] = [];
  for await (const batch of opened.value) {
    if (!batch.ok) return { batches, failure: batch.failure };
    batches.push(batch.value);
    if (batches.length >= limit) break;
  }
  return { batches, failure: null };
}

test('a day of lines arrives in batches, plain or gzip, whatever the line ends and the cuts between chunks', async () => {
  const text = `${Array.from({ length: 2_500 }, (_, at) => line(at)).join('\r\n')}\r\n\r\n`;
  for (const gzip of [false, true]) {
    await asking(
      (_request, response) => {
        response.writeHead(200, gzip ? { 'content-encoding': 'gzip' } : {});
        const bytes = gzip ? gzipSync(text) : Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 997) response.write(bytes.subarray(at, at + 997));
        response.end();
      },
      async (client, server) => {
        const { batches, failure } = await read(client);
        assert.equal(failure, null);
        const records = batches.flatMap((batch) => batch.records);
        assert.deepEqual([records.length, batches.reduce((sum, batch) => sum + batch.bad, 0)], [2_500, 0]);
        assert.equal(records[2_499]?.path, '/2499');
        assert.equal(server.requests[0]?.path, '/08-01-26/77.log?sort=asc');
      },
    );
  }
});

test('a stream that breaks gives the rows so far and then its failure', async () => {
  const broken = async (listener: Parameters<typeof asking>[0]) =>
    asking(listener, async (client: Client, _server: TinyServer) => read(client));
  const lost = await broken((_request, response) => {
    response.writeHead(200, { 'content-length': '999999' });
    response.write(`${Array.from({ length: 1_500 }, (_, at) => line(at)).join('\n')}\n`, () =>
      response.destroy(),
    );
  });
  assert.equal(lost.failure?.kind, 'connectionLost');
  const damaged = await broken((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end('no gzip');
  });
  assert.equal(damaged.failure?.kind, 'unreadable');
});

test('a line without an end is cut and kept raw, in bounded memory', async () => {
  await asking(
    (_request, response) => response.end('x'.repeat(300_000)),
    async (client) => {
      const { batches } = await read(client);
      assert.equal(batches[0]?.bad, 1);
      assert.ok((batches[0]?.records[0]?.raw?.length ?? 0) < 5_000);
    },
  );
});
