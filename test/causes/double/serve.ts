import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type Asked, answererOf, KINDS, sceneOf } from './double.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '0' },
  },
});

const PAST = {
  main: 'EDGESCOPE_BASE_URL',
  logging: 'EDGESCOPE_LOGGING_URL',
  originErrors: 'EDGESCOPE_ORIGIN_ERRORS_URL',
} as const;

async function serve(kind: string): Promise<void> {
  const scene = sceneOf(kind, Number(values.seed), Date.now());
  const answer = answererOf(scene);
  const first = Number(values.port);
  const open = (host: Asked['host'], port: number) =>
    new Promise<string>((ready) => {
      const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const headers = Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
          );
          const body = chunks.length === 0 ? null : Buffer.concat(chunks).toString();
          const asked: Asked = {
            method: request.method ?? 'GET',
            host,
            path: request.url ?? '/',
            headers,
            body,
          };
          const { status, headers: said, body: text } = answer(asked, Date.now());
          response.writeHead(status, said).end(text);
        });
      });
      server.listen(port, '127.0.0.1', () =>
        ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    });
  for (const [i, host] of (['main', 'logging', 'originErrors'] as const).entries()) {
    console.log(`export ${PAST[host]}=${await open(host, first === 0 ? 0 : first + i)}`);
  }
  console.log('export EDGESCOPE_ACCESS_KEY=any-key-will-do');
  console.log(`: '${JSON.stringify(scene, null, 1).replaceAll("'", '’')}'`);
}

if (values.kind === undefined || !KINDS.includes(values.kind)) {
  console.error(`--kind is one of ${KINDS.join(', ')}`);
  process.exitCode = 2;
} else await serve(values.kind);
