import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ownFolder } from '../support/own-folder.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/edgescope', import.meta.url));

/** The program in a pipe, without an account. */
function run(t: TestContext, args: readonly string[]): { code: number | null; out: string; err: string } {
  const home = ownFolder(t);
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    NODE_DISABLE_COMPILE_CACHE: '1',
  };
  const { status, stdout, stderr } = spawnSync(PROGRAM, args, { env, encoding: 'utf8', input: '' });
  return { code: status, out: stdout, err: stderr };
}

test('--help and --version print on standard output and end with 0, wherever they stand', (t) => {
  for (const args of [['--help'], ['open', '--no-such-flag', '-h'], ['help', 'logs']]) {
    const { code, out, err } = run(t, args);
    assert.deepEqual([code, err], [0, ''], args.join(' '));
    assert.match(out, /^\n {2}\S[\s\S]* {4}130 interrupted\n$/);
  }
  const { code, out } = run(t, ['logs', '-V']);
  assert.match(
    out,
    /^edgescope \d+\.\d+\.\d+(?:\+\d{14}\.[0-9a-f]{7}(?:\.changed)?)? on Node \d+\.\d+\.\d+\n$/,
  );
  assert.equal(code, 0);
});

test('a simulator on a port that is taken says so', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  const { code, out, err } = run(t, ['sim', '--port', String(address.port)]);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^edgescope: port \d+: another program listens there \(EADDRINUSE\)\n {2}.*--port.*\n$/);
});
