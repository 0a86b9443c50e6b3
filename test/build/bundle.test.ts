import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { bundled, writeExecutable } from '../../src/build/bundle.ts';
import { withLauncher } from '../../src/build/launcher.ts';
import { screen } from './entry-screen.tsx';

const folder = mkdtempSync(join(tmpdir(), 'edgescope-bundle-'));
const file = join(folder, 'program');
let program = '';

before(async () => {
  ({ text: program } = await bundled(join(import.meta.dirname, 'entry.ts')));
  writeExecutable(file, withLauncher(program));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the bundle is a script: no declaration of an import or export, no import.meta', () => {
  assert.doesNotThrow(() => new Script(`(async () => {${program}})`));
});

test('what is imported dynamically is not evaluated, nor are the Node modules it wants, until it is asked for', () => {
  const { stdout } = run();
  assert.deepEqual(JSON.parse(stdout), { url: pathToFileURL(file).href, isLoaded: false });
});

test('Ink and ink-table work in the one file', () => {
  const { stdout, stderr } = run(['screen']);
  assert.equal(stderr, '');
  assert.match(
    stdout,
    /^function\n┌──────┬────┐\n│ name │ id │\n├──────┼────┤\n│ a {4}│ 1 {2}│\n└──────┴────┘$/,
  );
});

test("a screen loads neither Node's own fetch nor its cryptography", () => {
  const report = "process.on('exit',()=>process._rawDebug(process.moduleLoadList.join()))";
  const { stdout, stderr } = run(['plain'], { NODE_OPTIONS: `--import=data:text/javascript,${report}` });
  assert.equal(stdout, 'plain');
  const loaded = stderr.split(',');
  assert.ok(loaded.includes('NativeModule readline'));
  for (const costly of ['internal/deps/undici/undici', 'crypto', 'http2']) {
    assert.ok(!loaded.includes(`NativeModule ${costly}`), costly);
  }
});

test('Ink and ink-table give the same from the source, under the hooks of the tests', () => {
  assert.equal(screen(), run(['screen']).stdout);
  assert.equal(process.env['NODE_ENV'], 'production');
});

function run(args: string[] = [], env: Record<string, string> = {}) {
  const PATH = `${join(process.execPath, '..')}:/usr/bin:/bin`;
  return spawnSync(file, args, {
    encoding: 'utf8',
    env: { PATH, NODE_DISABLE_COMPILE_CACHE: '1', ...env },
  });
}
