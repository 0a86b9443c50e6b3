import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { sanitise } from '../../src/text/sanitise.ts';

export type Hostile = { input: string; strict: string };
/** A string, or a text that is repeated after a prefix; the strict rendering of the latter is long and left out. */
type Written = { input?: string; strict?: string; repeat?: { prefix: string; text: string; times: number } };

/** An answer on its way, to be changed; `body` is its JSON. */
export type Passing = { readonly path: string; status: number; body: Record<string, never> };

/** What the project keeps of strings that act on terminals, each with what is shown instead. */
export const HOSTILE: readonly Hostile[] = (
  JSON.parse(
    readFileSync(join(import.meta.dirname, '..', 'data', 'hostile-strings.json'), 'utf8'),
  ) as Written[]
).map(({ input, strict, repeat }): Hostile => {
  const written = input ?? `${repeat?.prefix}${repeat?.text.repeat(repeat.times)}`;
  return { input: written, strict: strict ?? sanitise(written, 'strict') };
});

/** Moves of rows and of the cursor that the writer chooses where they are cheaper: which a walk needs is chance. */
export const ROW_MOVES: readonly string[] = [
  'CSI A',
  'CSI B',
  'CSI C',
  'CSI D',
  'CSI d',
  'CSI G',
  'CSI H',
  'CSI K',
  'C0 08',
  'CSI L',
  'CSI M',
  'CSI r',
  'CSI S',
  'CSI T',
  'ESC D',
  'ESC E',
  'ESC M',
];

/** A server before `origin` that changes the bodies of requests and the JSON of answers. */
export async function rewriting(
  t: TestContext,
  origin: string,
  ask: (sent: Buffer) => Buffer,
  rewrite: (answer: Passing) => void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const sent = await buffer(request);
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(sent.length > 0 ? { body: new Uint8Array(ask(sent)) } : {}),
    }).catch(() => null);
    // The simulator is gone before the program at the end of the test.
    if (answer === null) return void response.destroy();
    const body = (await answer.json()) as Record<string, never>;
    const passing = { path: request.url ?? '', status: answer.status, body };
    rewrite(passing);
    response.writeHead(passing.status, {
      'content-type': 'application/json',
      date: answer.headers.get('date') ?? new Date().toUTCString(),
    });
    response.end(JSON.stringify(passing.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
