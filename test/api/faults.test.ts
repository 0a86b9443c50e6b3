import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Client, ClientOptions } from '../../src/api/client.ts';
import { explain, type FailureKind, type Result } from '../../src/domain/failure.ts';
import { type Asked, asking, clientOf, json, logEntry, logPage, SLICE, tcpServer } from './support.ts';

type Fault = {
  name: string;
  answer: (response: ServerResponse, request: Asked) => void;
  kind: FailureKind | 'ok';
  detail?: RegExp;
  /** Only what never comes is waited for a short time: what comes may be late on a busy machine. */
  options?: Partial<ClientOptions>;
};

const GOOD = JSON.stringify(logPage([logEntry()]));
const JSON_TYPE = { 'content-type': 'application/json' };

function error(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Fault['answer'] {
  return (response) => json(response, { error: { code, message, details: null } }, status, headers);
}

const FAULTS: readonly Fault[] = [
  { name: '401 is a refused key', answer: error(401, 'unauthorized', 'no credentials'), kind: 'refusedKey' },
  { name: '401 without a body is a refused key', answer: (r) => r.writeHead(401).end(), kind: 'refusedKey' },
  {
    name: '401 for a window is about the window',
    answer: (r) =>
      json(
        r,
        {
          errorResponse: {
            success: false,
            message: 'too old',
            errorKey: 'invalid_datetime_window.event_logs',
          },
        },
        401,
      ),
    kind: 'windowRefused',
  },
  {
    name: '403 about the zone',
    answer: error(403, 'forbidden', 'Pull zone is suspended'),
    kind: 'suspended',
  },
  { name: '403 about the key', answer: error(403, 'forbidden', 'Invalid credentials'), kind: 'refusedKey' },
  { name: '403 that names the key', answer: error(403, 'forbidden', 'Invalid key.'), kind: 'refusedKey' },
  { name: '403 about neither', answer: error(403, 'forbidden', 'Nope'), kind: 'forbidden', detail: /^Nope$/ },
  {
    name: '403 about both',
    answer: error(403, 'forbidden', 'bad credentials or zone disabled'),
    kind: 'forbidden',
  },
  { name: '404 logging_disabled', answer: error(404, 'logging_disabled', 'off'), kind: 'loggingDisabled' },
  {
    name: '404 of a wrong address',
    answer: (r) => r.writeHead(404).end('<html>'),
    kind: 'notFound',
    detail: /web page/,
  },
  {
    name: '400',
    answer: error(400, 'invalid_request', 'from is missing'),
    kind: 'invalidRequest',
    detail: /from is/,
  },
  {
    name: '400 with problem details',
    answer: (r) => json(r, { type: null, title: 'Bad', status: 400, detail: 'no', extra: 1 }, 400),
    kind: 'invalidRequest',
    detail: /^Bad: no$/,
  },
  { name: '429', answer: error(429, 'rate_limited', 'slow down'), kind: 'rateLimited' },
  { name: '500', answer: error(500, 'internal_error', 'oops'), kind: 'serverError' },
  {
    name: '503 with HTML',
    answer: (r) => r.writeHead(503, { 'content-type': 'text/html' }).end('<h1>'),
    kind: 'serverError',
  },
  {
    name: 'a redirect is not followed',
    answer: (r, request) => r.writeHead(302, { location: `http://${request.headers.host}/elsewhere` }).end(),
    kind: 'redirected',
    detail: /^to http:/,
  },
  { name: '304', answer: (r) => r.writeHead(304).end(), kind: 'redirected' },
  { name: '204', answer: (r) => r.writeHead(204).end(), kind: 'emptyAnswer' },
  { name: 'an empty 200', answer: (r) => json(r, ''), kind: 'emptyAnswer' },
  { name: 'blanks alone', answer: (r) => json(r, ' \n '), kind: 'emptyAnswer' },
  { name: 'null', answer: (r) => json(r, 'null'), kind: 'noData' },
  { name: 'data: null', answer: (r) => json(r, { ...logPage([]), data: null }), kind: 'noData' },
  { name: '[]', answer: (r) => json(r, '[]'), kind: 'wrongShape' },
  { name: '{}', answer: (r) => json(r, '{}'), kind: 'wrongShape' },
  { name: 'no word about more rows', answer: (r) => json(r, { data: [] }), kind: 'wrongShape' },
  { name: 'a string', answer: (r) => json(r, '"hello"'), kind: 'wrongShape' },
  {
    name: '200 with an error object',
    answer: (r) => json(r, { success: false, message: 'busy', errorKey: 'x', statusCode: 500 }),
    kind: 'errorInside',
    detail: /^busy$/,
  },
  {
    name: '200 with logging_disabled inside',
    answer: (r) => json(r, { error: { code: 'logging_disabled', message: 'off' } }),
    kind: 'loggingDisabled',
  },
  {
    name: 'JSON as text/plain',
    answer: (r) => json(r, GOOD, 200, { 'content-type': 'text/plain' }),
    kind: 'ok',
  },
  {
    name: 'JSON as problem+json',
    answer: (r) => json(r, GOOD, 200, { 'content-type': 'application/x+json' }),
    kind: 'ok',
  },
  {
    name: 'a web page',
    answer: (r) => json(r, '<html>', 200, { 'content-type': 'text/html' }),
    kind: 'wrongType',
  },
  {
    name: 'JSON called HTML',
    answer: (r) => json(r, GOOD, 200, { 'content-type': 'text/html' }),
    kind: 'wrongType',
  },
  { name: 'text that is no JSON', answer: (r) => json(r, 'NaN'), kind: 'unreadable' },
  { name: 'NaN inside', answer: (r) => json(r, GOOD.replace('5120', 'NaN')), kind: 'unreadable' },
  { name: 'a byte order mark', answer: (r) => json(r, `\ufeff${GOOD}`), kind: 'ok' },
  {
    name: 'bytes that are not UTF-8',
    answer: (r) => r.writeHead(200, JSON_TYPE).end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    kind: 'unreadable',
    detail: /UTF-8/,
  },
  {
    name: 'depth of 50,000',
    answer: (r) => json(r, '['.repeat(50_000) + ']'.repeat(50_000)),
    kind: 'wrongShape',
  },
  {
    name: 'depth of 50,000 around a number that only the exact reader keeps',
    answer: (r) =>
      json(
        r,
        JSON.stringify(logPage(['@'])).replace(
          '"@"',
          `${'{"a":'.repeat(50_000)}12345678901234567890${'}'.repeat(50_000)}`,
        ),
      ),
    kind: 'unreadable',
    detail: /nested too deeply/,
  },
  {
    name: 'depth of 50,000 inside a row',
    answer: (r) =>
      json(
        r,
        JSON.stringify(logPage(['@'])).replace('"@"', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
      ),
    kind: 'ok',
  },
  {
    name: 'gzip',
    answer: (r) => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(GOOD)),
    kind: 'ok',
  },
  {
    name: 'gzip twice',
    answer: (r) =>
      r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(gzipSync(GOOD))),
    kind: 'unreadable',
  },
  {
    name: 'an encoding that was not asked for',
    answer: (r) => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br' }).end('x'),
    kind: 'unreadable',
  },
  {
    name: 'broken gzip',
    answer: (r) => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('nothing of the kind'),
    kind: 'unreadable',
  },
  {
    name: 'gzip cut short',
    answer: (r) =>
      r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(GOOD).subarray(0, 40)),
    kind: 'unreadable',
  },
  {
    name: 'a gzip bomb',
    answer: (r) =>
      r
        .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(33 * 1024 * 1024))),
    kind: 'tooLarge',
  },
  {
    name: 'a length of 1 GiB',
    answer: (r) => {
      r.writeHead(200, { ...JSON_TYPE, 'content-length': String(2 ** 30) }).write('{');
    },
    kind: 'tooLarge',
  },
  {
    name: 'a body that never ends, of a length that nobody announced',
    answer: (r) => {
      const piece = Buffer.alloc(2 ** 20, 0x20);
      r.writeHead(200, JSON_TYPE);
      const more = () => {
        if (!r.destroyed && r.write(piece)) setImmediate(more);
      };
      r.on('drain', more);
      more();
    },
    kind: 'tooLarge',
  },
  {
    name: 'an error as long as a book, of which the status alone counts',
    answer: error(500, 'x', 'y'.repeat(300 * 1024)),
    kind: 'serverError',
    detail: /^$/,
  },
  { name: 'a reset', answer: (r) => r.socket?.resetAndDestroy(), kind: 'connectionLost' },
  {
    name: 'a body shorter than its length',
    answer: (r) => {
      r.writeHead(200, { ...JSON_TYPE, 'content-length': '500' }).write('{"data":');
      setImmediate(() => r.destroy());
    },
    kind: 'connectionLost',
  },
  {
    name: 'a chunked body without its end',
    answer: (r) => {
      r.writeHead(200, JSON_TYPE).write('{"data":');
      setImmediate(() => r.destroy());
    },
    kind: 'connectionLost',
  },
  { name: 'no answer at all', answer: () => {}, kind: 'timeout', options: { timeouts: { headers: 400 } } },
  {
    name: 'a body that stops',
    answer: (r) => {
      r.writeHead(200, JSON_TYPE).write('{');
    },
    kind: 'timeout',
    options: { timeouts: { idle: 400 } },
  },
  {
    name: 'a body that drips for ever',
    answer: (r) => {
      r.writeHead(200, JSON_TYPE);
      const drip = setInterval(() => r.write(' '), 50);
      r.on('close', () => clearInterval(drip));
    },
    kind: 'timeout',
    detail: /complete/,
    options: { timeouts: { total: 2_000 } },
  },
  {
    name: 'an error status whose body never comes',
    answer: (r) => {
      r.writeHead(403, { 'content-type': 'application/json' }).write('{');
    },
    kind: 'forbidden',
    options: { timeouts: { idle: 400 } },
  },
  {
    name: 'a key echoed in an error',
    answer: (r, request) =>
      json(r, { error: { code: 'x', message: `bad key ${request.headers['accesskey']}` } }, 400),
    kind: 'invalidRequest',
    detail: /^bad key \[masked\]$/,
  },
  {
    name: 'a key echoed in a location',
    answer: (r, request) =>
      r.writeHead(301, { location: `https://x.example/?k=${request.headers['accesskey']}` }).end(),
    kind: 'redirected',
  },
  {
    name: 'escape sequences in an error',
    answer: error(400, 'x', '\u001b]0;owned\u0007'),
    kind: 'invalidRequest',
    detail: /^\\x1b\]0;owned\\x07$/,
  },
];

describe('each fault is a failure of its own kind', { concurrency: 8 }, () => {
  for (const fault of FAULTS) {
    test(`${fault.name} → ${fault.kind}`, async () => {
      await asking(
        (request, response) => fault.answer(response, request),
        async (client, server) => {
          const answer: Result<unknown> = await client.logs(SLICE, { retries: 0 });
          const failure = answer.ok ? null : answer.failure;
          assert.equal(failure?.kind ?? 'ok', fault.kind, failure?.detail);
          if (failure !== null && fault.detail !== undefined) assert.match(failure.detail, fault.detail);
          assert.equal(server.requests.length, 1);
          assert.equal(JSON.stringify([answer, failure && explain(failure)]).includes('canary'), false);
        },
        fault.options ?? {},
      );
    });
  }
});

async function kindOf(client: Client & { close(): Promise<void> }): Promise<string> {
  try {
    const answer = await client.logs(SLICE, { retries: 0 });
    return answer.ok ? 'ok' : answer.failure.kind;
  } finally {
    await client.close();
  }
}

test('a port nobody listens on is a refused connection', async () => {
  const { port, close } = await tcpServer(() => {});
  await close();
  assert.equal(await kindOf(clientOf(`http://127.0.0.1:${port}`)), 'refusedConnection');
});

test('something that is no HTTP server is unreadable', async () => {
  const { port, close } = await tcpServer((socket) => socket.end('220 ftp.example ready\r\n'));
  assert.equal(await kindOf(clientOf(`http://127.0.0.1:${port}`)), 'unreadable');
  await close();
});

test('headers that drip are a timeout', async () => {
  const { port, close } = await tcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(drip));
  });
  assert.equal(await kindOf(clientOf(`http://127.0.0.1:${port}`, { timeouts: { headers: 400 } })), 'timeout');
  await close();
});

test('plain http leaves for loopback addresses alone, and localhost is a name, not an address', async () => {
  for (const url of [
    'http://logs.example',
    'http://localhost:1',
    'http://127.0.0.1.example',
    'http://192.0.2.1',
  ]) {
    assert.equal(await kindOf(clientOf(url)), 'insecure', url);
  }
});

test('a proxy that refuses or is down is told from the server behind it', async () => {
  const asked: string[] = [];
  const { port, close } = await tcpServer((socket) =>
    socket.once('data', (head) => {
      asked.push(String(head));
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    }),
  );
  const through = { proxy: { httpProxy: '', httpsProxy: `http://127.0.0.1:${port}`, noProxy: '' } };
  assert.equal(await kindOf(clientOf('https://logs.example', through)), 'proxy');
  assert.match(asked[0] ?? '', /^CONNECT logs\.example:443 /);
  assert.equal(asked.join().includes('canary'), false);
  await close();
  assert.equal(await kindOf(clientOf('https://logs.example', through)), 'proxy');
});

test('loopback is never proxied', async () => {
  await asking(
    (_request, response) => json(response, GOOD),
    async (client) => assert.ok((await client.logs(SLICE)).ok),
    { proxy: { httpProxy: 'http://127.0.0.1:9', httpsProxy: 'http://127.0.0.1:9', noProxy: '' } },
  );
});

test('a server that speaks no TLS is a TLS failure, and sees no key', async () => {
  const heard: string[] = [];
  const { port, close } = await tcpServer((socket) =>
    socket.once('data', (data) => {
      heard.push(String(data));
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    }),
  );
  assert.equal(await kindOf(clientOf(`https://127.0.0.1:${port}`)), 'tls');
  assert.equal(heard.length, 1);
  assert.equal(heard.join().includes('canary'), false);
  await close();
});
