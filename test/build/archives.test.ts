import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { debOf } from '../../src/build/packages/deb.ts';
import { mappedPart } from '../../src/build/packages/node-program.ts';
import { gzipped, xzipped } from '../../src/build/packages/program-files.ts';
import { type ArchiveEntry, tarOf, textEntry } from '../../src/build/packages/tar.ts';
import { unlessInstalled } from '../support/installed.ts';
import { ROOT } from '../support/source.ts';

const TIME = Date.UTC(2026, 10, 19, 12) / 1000;
const ENTRIES: readonly ArchiveEntry[] = [
  textEntry('b/two', 'two'),
  { path: 'b/bin/run', mode: 0o755, content: Buffer.from('#!/bin/sh\n') },
  { path: 'b/link', link: 'bin/run' },
  textEntry('a', 'x'.repeat(513)),
];

/** What the system's tar lists, a line an entry: mode, owner, size, time, name. */
function listed(t: TestContext, archive: Buffer): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-archive-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'archive');
  writeFileSync(file, archive);
  const text = execFileSync('tar', ['-tvf', file], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '));
}

test('a tar archive is the same in any order of its entries: sorted, of root, of one time', (t) => {
  const archive = tarOf(ENTRIES, TIME);
  assert.deepEqual(listed(t, archive), [
    '-rw-r--r-- root/root 513 2026-11-19 12:00 a',
    'drwxr-xr-x root/root 0 2026-11-19 12:00 b/',
    'drwxr-xr-x root/root 0 2026-11-19 12:00 b/bin/',
    '-rwxr-xr-x root/root 10 2026-11-19 12:00 b/bin/run',
    'lrwxrwxrwx root/root 0 2026-11-19 12:00 b/link -> bin/run',
    '-rw-r--r-- root/root 3 2026-11-19 12:00 b/two',
  ]);
  assert.ok(archive.equals(tarOf(ENTRIES.toReversed(), TIME)));
  assert.ok(!archive.equals(tarOf(ENTRIES, TIME + 1)));
  assert.throws(() => tarOf([textEntry('a', ''), textEntry('a', '')], TIME), /one path/);
  assert.throws(() => tarOf([textEntry('x'.repeat(101), '')], TIME), /too long/);
});

test('compressed bytes tell no time, no name and no machine', { skip: unlessInstalled('xz') }, () => {
  const content = tarOf(ENTRIES, TIME);
  const packed = gzipped(content);
  assert.deepEqual([...packed.subarray(3, 8)], [0, 0, 0, 0, 0]);
  assert.ok(gunzipSync(packed).equals(content));
  assert.ok(xzipped(content).equals(xzipped(content)));
  assert.ok(execFileSync('xz', ['-dc'], { input: xzipped(content) }).equals(content));
});

test('a package of Debian has its version, its control files and its data, in this order', {
  skip: unlessInstalled('xz'),
}, (t) => {
  const deb = debOf(debContent());
  assert.ok(deb.equals(debOf(debContent())));
  const members = membersOf(deb);
  assert.deepEqual([...members.keys()], ['debian-binary', 'control.tar.gz', 'data.tar.xz']);
  assert.equal(String(members.get('debian-binary')), '2.0\n');
  const control = listed(t, members.get('control.tar.gz') ?? Buffer.alloc(0));
  assert.deepEqual(
    control.map((line) => line.split(' ').at(-1)),
    ['./control', './md5sums'],
  );
  const data = listed(t, members.get('data.tar.xz') ?? Buffer.alloc(0)).filter(
    (line) => !line.startsWith('d'),
  );
  assert.deepEqual(
    data.map((line) => line.replace(/ root.* 12:00 /, ' ')),
    [
      'lrwxrwxrwx ./usr/bin/edgescope -> ../lib/edgescope/edgescope',
      '-rwxr-xr-x ./usr/lib/edgescope/edgescope',
      '-rwxr-xr-x ./usr/lib/edgescope/node',
      '-rw-r--r-- ./usr/lib/systemd/system/edgescope-keep.service',
      '-rw-r--r-- ./usr/lib/sysusers.d/edgescope-keep.conf',
      '-rw-r--r-- ./usr/share/bash-completion/completions/edgescope',
      '-rw-r--r-- ./usr/share/doc/edgescope/LICENSE.node.gz',
      '-rw-r--r-- ./usr/share/doc/edgescope/copyright',
      '-rw-r--r-- ./usr/share/edgescope/edgescope.lnav.json',
      '-rw-r--r-- ./usr/share/fish/vendor_completions.d/edgescope.fish',
      '-rw-r--r-- ./usr/share/man/man1/edgescope.1.gz',
      '-rw-r--r-- ./usr/share/zsh/vendor-completions/_edgescope',
    ],
  );
});

test('dpkg reads the package of Debian', {
  skip: unlessInstalled('dpkg-deb') || unlessInstalled('xz'),
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-deb-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'edgescope.deb');
  writeFileSync(file, debOf(debContent()));
  const told = (...words: string[]) => execFileSync('dpkg-deb', words, { encoding: 'utf8' });
  assert.equal(
    told('--field', file, 'Package', 'Version', 'Architecture'),
    'Package: edgescope\nVersion: 1.2.3\nArchitecture: arm64\n',
  );
  told('--raw-extract', file, join(folder, 'root'));
  const sums = execFileSync('md5sum', ['-c', 'DEBIAN/md5sums'], {
    cwd: join(folder, 'root'),
    encoding: 'utf8',
  });
  assert.equal(sums.match(/: OK$/gm)?.length, 11);
});

const UNIT = join(ROOT, 'src/build/packages/edgescope-keep.service');
/** On systemd's scale from 0 to 100. What is left is the network, JIT, and the process that tells systemd. */
const MOST_EXPOSED = 15;

test('the unit of a keep is one that systemd reads, and leaves little to who breaks into it', {
  skip: unlessInstalled('systemd-analyze'),
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-unit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'edgescope-keep.service');
  // Nothing of the package is installed here.
  writeFileSync(file, readFileSync(UNIT, 'utf8').replace('/usr/bin/edgescope', process.execPath));
  const analyze = (...words: string[]) =>
    spawnSync('systemd-analyze', [...words, file], { encoding: 'utf8' });
  const verified = analyze('verify', '--man=no');
  assert.equal(verified.status, 0, verified.stderr);
  assert.doesNotMatch(verified.stderr, /edgescope-keep/);
  const exposed = analyze('security', '--offline=true', `--threshold=${MOST_EXPOSED}`);
  assert.equal(exposed.status, 0, exposed.stdout.split('\n').slice(-3).join('\n'));
});

test('the unit of a keep runs the program of the package, as the user that it brings, and may be ended by its watchdog', () => {
  const unit = readFileSync(UNIT, 'utf8');
  const of = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
  assert.deepEqual(of('ExecStart'), ['/usr/bin/edgescope keep $KEEP']);
  assert.deepEqual([of('Type'), of('NotifyAccess'), of('WatchdogSec')], [['notify'], ['all'], ['5min']]);
  const users = readFileSync(join(ROOT, 'src/build/packages/edgescope-keep.sysusers'), 'utf8');
  assert.match(users, new RegExp(`^u ${of('User')[0]} - ".*" /var/lib/${of('StateDirectory')[0]}$`, 'm'));
  // What only somebody can change is not tried again and again.
  assert.deepEqual(of('RestartPreventExitStatus'), ['2 3']);
});

test('of a program the part that is mapped is kept, without its table of sections', () => {
  const program = Buffer.alloc(400, 0xee);
  program.write('\x7fELF\x02\x01', 'latin1');
  program.writeBigUInt64LE(64n, 32);
  program.writeBigUInt64LE(336n, 40);
  program.writeUInt16LE(2, 56);
  for (const [at, offset, size] of [
    [64, 0n, 200n],
    [120, 200n, 64n],
  ] as const) {
    program.writeBigUInt64LE(offset, at + 8);
    program.writeBigUInt64LE(size, at + 32);
  }
  const kept = mappedPart(program);
  assert.equal(kept.byteLength, 264);
  assert.deepEqual([kept.readBigUInt64LE(40), kept.readUInt16LE(60), kept.readUInt16LE(62)], [0n, 0, 0]);
  assert.ok(kept.subarray(64).equals(program.subarray(64, 264)));
  assert.throws(() => mappedPart(Buffer.from('#!/bin/sh\n')), /not a 64-bit ELF/);
});

function debContent() {
  return {
    version: '1.2.3',
    architecture: 'arm64' as const,
    description: 'for a test',
    executable: '#!/bin/sh\n',
    texts: {
      manual: '.TH EDGESCOPE 1\n',
      completions: { bash: 'bash', zsh: 'zsh', fish: 'fish' },
      lnav: '{}',
      license: 'MIT',
      notices: 'others',
    },
    node: { version: '24.0.0', program: Buffer.from('node'), license: Buffer.from('of Node') },
    time: TIME,
  };
}

function membersOf(archive: Buffer): Map<string, Buffer> {
  assert.equal(archive.subarray(0, 8).toString('latin1'), '!<arch>\n');
  const members = new Map<string, Buffer>();
  for (let at = 8; at < archive.byteLength; ) {
    const head = archive.subarray(at, at + 60).toString('latin1');
    assert.match(head, /^.{16}1795089600 {2}0 {5}0 {5}100644 {2}\d+ +`\n$/);
    const size = Number(head.slice(48, 58));
    members.set(head.slice(0, 16).trimEnd(), archive.subarray(at + 60, at + 60 + size));
    at += 60 + size + (size % 2);
  }
  return members;
}
