import assert from 'node:assert/strict';
import { mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerDirectory } from '../../src/api/quota/ledger-file.ts';
import { until } from '../support/until.ts';
import { checkRows, idsOf, newestOf } from './checks.ts';
import { ended, type Run, type Scene, ZONE } from './scene.ts';

const NAME = 'video-masters';

const CANARY = 'canary-0123456789abcdef';

export async function brokenLedger(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const damage of ['garbage', 'SQLite format 3\u0000 and then nothing', '']) {
    // The one place of this user: whoever else runs makes the ledger anew as well, which is what this is about.
    const file = join(ledgerDirectory({}), 'quota-3.sqlite');
    for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
    writeFileSync(file, damage, { mode: 0o600 });
    const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '5s'] });
    const started = Date.now();
    await until(
      () => newestOf(run) > started + 2_000,
      `rows beside ${JSON.stringify(damage)}: ${run.stderr()}`,
    );
    run.child.kill('SIGINT');
    assert.equal(await ended(run), 130, run.stderr());
  }
}

export async function proxies(scene: Scene): Promise<void> {
  const heard: string[] = [];
  const port = await listen(scene, (socket) =>
    socket.once('data', (data) => {
      heard.push(String(data));
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    }),
  );
  for (const proxy of [`http://127.0.0.1:${port}`, 'http://127.0.0.1:9', 'not a url']) {
    const run = scene.run({
      args: ['zones'],
      env: { EDGESCOPE_ACCESS_KEY: CANARY, EDGESCOPE_BASE_URL: 'https://api.example', HTTPS_PROXY: proxy },
    });
    const code = await ended(run);
    assert.ok(code === 1 || code === 2, `${proxy}: ${code} ${run.stderr()}`);
    assert.match(run.stderr(), /prox/i);
  }
  assert.ok(heard.length > 0);
  assert.doesNotMatch(heard.join(), /canary/);
}

export async function tlsFaults(scene: Scene): Promise<void> {
  const heard: string[] = [];
  const port = await listen(scene, (socket) =>
    socket.once('data', (data) => {
      heard.push(String(data));
      socket.end('HTTP/1.1 200 OK\r\n\r\n');
    }),
  );
  const env = { EDGESCOPE_ACCESS_KEY: CANARY, EDGESCOPE_BASE_URL: `https://127.0.0.1:${port}` };
  const plain = scene.run({ args: ['zones'], env });
  assert.equal(await ended(plain), 1, plain.stderr());
  const unverified = scene.run({ args: ['zones'], env: { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
  assert.equal(await ended(unverified), 2, unverified.stderr());
  const bare = scene.run({ args: ['zones'], env: { ...env, EDGESCOPE_BASE_URL: 'http://api.example' } });
  assert.equal(await ended(bare), 2, bare.stderr());
  assert.equal(heard.length, 1, 'one hello, and nothing where verification was switched off');
  assert.doesNotMatch(heard.join(), /canary/);
}

export async function badKeys(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const key of [
    `${CANARY}\nx: y`,
    `${CANARY} `,
    `"${CANARY}\u00e9"`,
    `${CANARY}\u001b[2J`,
    'x'.repeat(9_000),
  ]) {
    const run = scene.run({ simulator, args: ['zones'], env: { EDGESCOPE_ACCESS_KEY: key } });
    assert.equal(await ended(run), 3, run.stderr());
    assert.doesNotMatch(run.stderr(), /\x1b|xxxx/);
  }
  for (const make of [
    (path: string) => writeFileSync(path, simulator.accessKey, { mode: 0o644 }),
    (path: string) => {
      writeFileSync(`${path}.real`, simulator.accessKey, { mode: 0o600 });
      symlinkSync(`${path}.real`, path);
    },
    (path: string) => mkdirSync(path),
    () => {},
  ]) {
    const home = scene.home();
    const folder = join(home, '.config/edgescope');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    make(join(home, 'secret-key'));
    const profile = { profiles: { default: { key_file: join(home, 'secret-key') } } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(profile), { mode: 0o600 });
    const run = scene.run({ simulator, home, args: ['zones'], env: { EDGESCOPE_ACCESS_KEY: undefined } });
    const code = await ended(run);
    assert.ok(code === 3 || code === 2, `${code}: ${run.stderr()}`);
    assert.equal(run.stdout(), '');
  }
  assert.equal(simulator.stats().requests, 0);
}

/** The key is on no command line, and no other process of the machine can look into the program. */
export async function looksInside(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  const flag = scene.run({ simulator, args: ['zones', '--key', 'secret-of-a-flag'] });
  assert.equal(await ended(flag), 2);
  assert.doesNotMatch(flag.stderr() + flag.stdout(), /secret-of-a-flag/);
  const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '10s'] });
  await until(() => idsOf(run).length > 0, 'the first rows');
  const line = readFileSync(`/proc/${run.child.pid}/cmdline`, 'utf8');
  assert.ok(!line.includes(simulator.accessKey));
  run.child.kill('SIGUSR1');
  const told = newestOf(run);
  await until(() => newestOf(run) > told + 2_000 || run.child.exitCode !== null, 'rows after SIGUSR1');
  assert.doesNotMatch(run.stderr(), /[Dd]ebugger/, 'SIGUSR1 opens no inspector');
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130);
}

/** A write whose answer is lost is sent once, read back, and called by what is there. */
export async function ambiguousPosts(scene: Scene): Promise<void> {
  for (const [kind, verdict] of [
    ['resetAfter', 'APPLIED'],
    ['errorAfter', 'APPLIED'],
    ['reset', 'UNKNOWN'],
    ['serverError', 'NOT APPLIED'],
    ['truncatedLength', 'APPLIED'],
  ] as const) {
    const simulator = await scene.simulate({ faults: [{ match: { method: 'POST' }, fault: { kind } }] });
    const run = change(scene, simulator);
    const code = await ended(run);
    assert.equal(JSON.parse(run.stdout()).verdict, verdict, `${kind}: ${run.stderr()}`);
    assert.equal(code, verdict === 'APPLIED' ? 0 : 1, kind);
    assert.deepEqual(Object.values(simulator.stats().posts), [1], `${kind}: one POST for a confirm`);
  }
  const simulator = await scene.simulate({
    faults: [{ match: { method: 'POST' }, fault: { kind: 'resetAfter' } }],
    onRequest: ({ method }) => {
      if (method === 'POST') void simulator.setFaults([{ fault: { kind: 'bare' } }]);
    },
  });
  const run = change(scene, simulator);
  assert.equal(await ended(run), 1, run.stderr());
  assert.equal(JSON.parse(run.stdout()).verdict, 'UNKNOWN');
  assert.deepEqual(Object.values(simulator.stats().posts), [1]);
}

export async function wrongConfirm(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const words of [['--confirm', 'video-master', '--write'], ['--write'], ['--confirm', NAME]]) {
    const run = scene.run({ simulator, args: ['storage', NAME, 'set', 'Rewrite404To200=true', ...words] });
    assert.equal(await ended(run), 2, run.stderr());
  }
  assert.deepEqual(simulator.stats().posts, {});
}

/** No room for undo or audit: nothing is sent. The state directory is a device that is always full, or a file. */
export async function noRoomForUndo(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const state of ['/dev/full', '/proc', '/dev/null']) {
    const run = change(scene, simulator, { XDG_STATE_HOME: state });
    assert.equal(await ended(run), 1, run.stderr());
  }
  assert.deepEqual(simulator.stats().posts, {});
}

/** Rows that the disk did not take are not passed off as written. */
export async function fullDisk(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  const full = openSync('/dev/full', 'w');
  for (const args of [['zones'], ['logs', ZONE, 'last:2m'], ['logs', ZONE, '-f', '--since', '5s'], ['man']]) {
    const run = scene.run({ simulator, args, stdout: full });
    assert.equal(await ended(run), 1, `${args.join(' ')}: ${run.stderr()}`);
    assert.match(run.stderr(), /no space|ENOSPC/i, args.join(' '));
  }
}

/** Somebody pipes into a program that reads slowly: memory has a bound, and no line is cut. */
export async function slowPipe(scene: Scene): Promise<void> {
  const simulator = await scene.simulate({ rate: 1_500 });
  const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '5s'] });
  await until(() => idsOf(run).length > 100, 'the first rows');
  run.child.stdout?.pause();
  await sleep(5_000);
  const before = memory(run);
  await sleep(45_000);
  const grown = memory(run) - before;
  scene.note(`${Math.round(grown)} MB more after 45 s without a reader`);
  run.child.stdout?.resume();
  const resumed = Date.now();
  await until(() => newestOf(run) > resumed, 'rows of the present');
  const end = newestOf(run) - 5_000;
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130);
  checkRows(run, simulator, { from: run.startedAt - 3_000, to: end });
  assert.ok(grown < 100, `${grown} MB`);
}

export async function badConfig(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const [text, mode] of [
    ['{', 0o600],
    ['[]', 0o600],
    ['{"profiles":{"default":{"key_cmd":["x"]}}}', 0o600],
    ['{"profiles":{"default":{"key_command":"rm -rf"}}}', 0o600],
    ['{"profiles":{"default":{}}}', 0o644],
    ['\u0000\u0001', 0o600],
  ] as const) {
    const home = scene.home();
    const folder = join(home, '.config/edgescope');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'config.json'), text, { mode });
    const run = scene.run({ simulator, home, args: ['zones'] });
    const code = await ended(run);
    assert.ok(code === 2 || code === 3, `${JSON.stringify(text)}: ${code} ${run.stderr()}`);
    assert.match(run.stderr(), /config\.json/);
  }
  assert.equal(simulator.stats().requests, 0);
}

function change(scene: Scene, simulator: Parameters<Scene['run']>[0]['simulator'], env = {}): Run {
  const args = ['storage', NAME, 'set', 'Rewrite404To200=true', '--confirm', NAME, '--write'];
  return scene.run({ ...(simulator ? { simulator } : {}), args, env });
}

function memory(run: Run): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${run.child.pid}/status`, 'utf8'))?.[1]) / 1024;
}

async function listen(scene: Scene, on: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    on(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scene.after(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
