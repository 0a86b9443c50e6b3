import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownFolder } from '../support/own-folder.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { startProgram } from './support.ts';

const ZONE = 'shop-frontend';

type Ended = { code: number | null; stdout: string; stderr: string };

/** What a program in a pipe has said at its end; `look` sees all of its output so far each time that some comes. */
function ended(child: ReturnType<typeof startProgram>, look: (stdout: string) => void = () => {}) {
  const said: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
    look(said.stdout);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  return new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ ...said, code })));
}

test('a reader that closes the pipe ends the program quietly with 0', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  t.after(() => simulator.close());
  const child = startProgram(ownFolder(t), simulator, ['logs', ZONE, '-f']);
  const { code, stderr } = await ended(child, (stdout) => {
    if (stdout.split('\n').length > 2) child.stdout?.destroy();
  });
  assert.deepEqual([code, stderr], [0, '']);
});

test('a followed log prints what comes, and an interrupt ends it with 130 after whole lines', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  t.after(() => simulator.close());
  const started = Date.now();
  const isNew = (line: string) => Date.parse(JSON.parse(line).timestamp) > started;
  const child = startProgram(ownFolder(t), simulator, ['logs', ZONE, '-f', '--since', '1s']);
  const { code, stdout } = await ended(child, (text) => {
    if (text.split('\n').slice(0, -1).filter(Boolean).some(isNew)) child.kill('SIGINT');
  });
  assert.equal(code, 130);
  assert.ok(stdout.endsWith('\n'));
});

test('what --until finds goes to a command as a line of JSON, and what that prints to standard error, scrubbed', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  t.after(() => simulator.close());
  const handed = (...words: string[]) =>
    ended(
      startProgram(ownFolder(t), simulator, [...words, '--exec', `printf 'a\\033]0;b\\007\\n'; cat; exit 3`]),
    );
  const log = await handed('logs', ZONE, '--since', '4m', '--until', 'rate>1/h');
  assert.equal(log.code, 10);
  assert.ok(
    log.stdout
      .trimEnd()
      .split('\n')
      .every((line) => 'statusCode' in JSON.parse(line)),
  );
  assert.match(
    log.stderr,
    /\nedgescope: a\\x1b\]0;b\\x07\n.*\nedgescope: --exec failed with exit code 3\n$/s,
  );
  const found = JSON.parse(/^edgescope: (\{.*\})$/m.exec(log.stderr)?.[1] ?? '');
  assert.deepEqual(
    [found.condition, found.zones, found.metric, found.unit],
    ['rate>1/h', [ZONE], 'rate', '/h'],
  );
  const health = await handed('health', ZONE, '--until', 'any rate>1/h');
  assert.equal(health.code, 10);
  assert.match(health.stderr, /\{"condition":"any rate>1\/h","zones":\["shop-frontend"\],"query":null,/);
  const alone = await handed('logs', ZONE);
  assert.deepEqual([alone.code, alone.stdout], [2, '']);
});

test('no key and a refused key end with 3, and the key is not in the text', async (t) => {
  const simulator = await startSimulator({ seed: 7, rate: 20 });
  t.after(() => simulator.close());
  const zones = (key: string | undefined) =>
    ended(startProgram(ownFolder(t), simulator, ['zones'], { env: { EDGESCOPE_ACCESS_KEY: key } }));
  const none = await zones(undefined);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /EDGESCOPE_ACCESS_KEY/);
  const refused = await zones('canary-5f1c9b');
  assert.equal(refused.code, 3);
  assert.doesNotMatch(refused.stdout + refused.stderr, /canary-5f1c9b/);
});
