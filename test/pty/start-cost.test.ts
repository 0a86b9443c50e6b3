// The built program: what its process loads and writes at a start.
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startProgram } from '../cli/support.ts';
import { logRows, ZONE } from '../session/log-screen.ts';
import { ownFolder } from '../support/own-folder.ts';
import { startSimulator } from '../support/simulator/server.ts';
import { openSession } from './support.ts';

/** What a process loaded in its life: Node's own modules, and whether the engine that lays out screens was started. */
type Loaded = { modules: string[]; hasLayout: boolean };

/** What no look at a screen and no printed command needs; together they take as long as the first painting. */
const COSTLY = [
  'assert',
  'child_process',
  'crypto',
  'http',
  'http2',
  'internal/deps/undici/undici',
  'readline',
  'tls',
  'worker_threads',
];

/** Runs in the program before it: only Ink's layout is instantiated, other WebAssembly is constructed. */
const REPORTER = `
const { instantiate } = WebAssembly;
let hasLayout = false;
WebAssembly.instantiate = (...given) => {
  hasLayout = true;
  return instantiate(...given);
};
process.on('exit', () => {
  const modules = process.moduleLoadList
    .filter((name) => name.startsWith('NativeModule '))
    .map((name) => name.slice('NativeModule '.length));
  process.getBuiltinModule('node:fs').writeFileSync(process.env.LOADED, JSON.stringify({ modules, hasLayout }));
});`;

test('a session that only looks at the zones and a log loads none of the costly modules of Node', async (t) => {
  const { env, loaded } = reporting(t);
  const { terminal } = await openSession({ t, env });
  await terminal.waitFor(/shop-frontend/);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => logRows(screen).length > 3);
  await terminal.type('qqq');
  await terminal.exit();
  const { modules, hasLayout } = loaded();
  assert.deepEqual(
    COSTLY.filter((name) => modules.includes(name)),
    [],
  );
  assert.equal(hasLayout, true);
});

test('the first screen waits for neither React nor its layout, and a key before any answer brings both', async (t) => {
  const { env, loaded } = reporting(t);
  for (const key of [null, '?']) {
    const { terminal } = await openSession({
      ...{ t, env },
      simulator: { faults: [{ match: {}, fault: { kind: 'hang' } }] },
    });
    await terminal.waitFor(/zones/);
    if (key !== null) {
      await terminal.type(key);
      await terminal.waitFor(/what you want/);
    }
    terminal.kill('SIGTERM');
    assert.equal((await terminal.exit()).code, 143);
    assert.equal(loaded().hasLayout, key !== null);
  }
});

test('a printed command loads neither React and its layout nor the costly modules of Node', async (t) => {
  const { env, home, loaded } = reporting(t);
  const simulator = await startSimulator({ seed: 7 });
  t.after(() => simulator.close());
  const child = startProgram(home, simulator, ['zones', '--format', 'ndjson'], { env });
  child.stdout?.resume();
  assert.deepEqual(await once(child, 'close'), [0, null]);
  const { modules, hasLayout } = loaded();
  assert.deepEqual(
    [...COSTLY, 'perf_hooks'].filter((name) => modules.includes(name)),
    [],
  );
  assert.equal(hasLayout, false);
});

test('the code that a printed command was compiled to serves the next one', async (t) => {
  const { home } = reporting(t);
  const simulator = await startSimulator({ seed: 7 });
  t.after(() => simulator.close());
  const folder = join(home, '.cache', 'edgescope');
  const kept = [];
  for (let run = 0; run < 3; run += 1) {
    const child = startProgram(home, simulator, ['zones', '--format', 'ndjson'], {
      env: { XDG_CACHE_HOME: undefined },
    });
    child.stdout?.resume();
    assert.deepEqual(await once(child, 'close'), [0, null]);
    // What V8 refuses is compiled and written anew.
    kept.push(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mtimeMs]));
  }
  assert.equal(kept[0]?.length, 1);
  assert.deepEqual(kept.slice(1), [kept[0], kept[0]]);
});

test('a log that is named at the start is asked for next after the list, over a connection that is there', async (t) => {
  const seen: string[] = [];
  const note = (what: string) => {
    seen.push(what);
  };
  subscribe('net.server.socket', () => note('connection'));
  subscribe('http.server.request.start', (message) => {
    note(new URL((message as { request: IncomingMessage }).request.url ?? '', 'http://localhost').pathname);
  });
  const { terminal } = await openSession({ t, args: ['logs', ZONE] });
  await terminal.waitFor((screen) => logRows(screen).length > 3);
  const asked = seen.filter((what) => what !== 'connection');
  const log = seen.findIndex((what) => what.startsWith('/v2/pullzones/'));
  assert.match(asked.slice(0, 2).join(' '), /^\/pullzone \/v2\/pullzones\/\d+\/logs$/);
  assert.deepEqual(seen.slice(0, log).toSorted(), ['/pullzone', 'connection', 'connection']);
});

function reporting(t: TestContext) {
  const home = ownFolder(t);
  const file = join(home, 'loaded.json');
  const script = `data:text/javascript;base64,${Buffer.from(REPORTER).toString('base64')}`;
  return {
    home,
    env: { NODE_OPTIONS: `--import=${script}`, LOADED: file },
    loaded: (): Loaded => JSON.parse(readFileSync(file, 'utf8')),
  };
}
