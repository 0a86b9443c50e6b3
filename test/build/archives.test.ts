import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ArchiveEntry, tarball, textEntry } from '../../src/build/packages/archive.ts';
import { debOf } from '../../src/build/packages/deb.ts';
import { mappedPart } from '../../src/build/packages/pinned.ts';
import { unlessInstalled } from '../support/installed.ts';
import { ownFolder } from '../support/own-folder.ts';
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
  const folder = ownFolder(t);
  const file = join(folder, 'archive');
  writeFileSync(file, archive);
  const text = execFileSync('tar', ['-tvf', file], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +/g, ' '));
}

/** What `make` makes for people who let others read nothing that they write, or everything. */
function underMask<T>(mask: number, make: () => T): T {
  const before = process.umask(mask);
  try {
    return make();
  } finally {
    process.umask(before);
  }
}

test('an archive tells no order, owner, time, name or mask of the machine', (t) => {
  const archive = underMask(0o077, () => tarball(ENTRIES, TIME));
  assert.deepEqual(listed(t, archive), [
    '-rw-r--r-- root/root 513 2026-11-19 12:00 a',
    'drwxr-xr-x root/root 0 2026-11-19 12:00 b/',
    'drwxr-xr-x root/root 0 2026-11-19 12:00 b/bin/',
    '-rwxr-xr-x root/root 10 2026-11-19 12:00 b/bin/run',
    'lrwxrwxrwx root/root 0 2026-11-19 12:00 b/link -> bin/run',
    '-rw-r--r-- root/root 3 2026-11-19 12:00 b/two',
  ]);
  assert.deepEqual([...archive.subarray(3, 8)], [0, 0, 0, 0, 0], 'the head of gzip');
  assert.ok(archive.equals(underMask(0, () => tarball(ENTRIES.toReversed(), TIME))));
  assert.ok(!archive.equals(tarball(ENTRIES, TIME + 1)));
});

test('a package of Debian is the same twice, with sums of its files; lintian finds no error', {
  skip: unlessInstalled('dpkg-deb'),
}, (t) => {
  const folder = ownFolder(t);
  const file = join(folder, 'edgescope.deb');
  const deb = underMask(0o077, () => debOf(debContent()));
  assert.ok(deb.equals(underMask(0, () => debOf(debContent()))));
  writeFileSync(file, deb);
  const told = (...words: string[]) =>
    execFileSync('dpkg-deb', words, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });
  assert.equal(
    told('--field', file, 'Package', 'Version', 'Architecture', 'Depends', 'Homepage'),
    [
      'Package: edgescope',
      'Version: 1.2.3',
      'Architecture: arm64',
      'Depends: libatomic1, libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 7)',
      'Homepage: https://edge.example.com\n',
    ].join('\n'),
  );
  const contents = told('--contents', file);
  assert.match(
    contents,
    /^lrwxrwxrwx root\/root .* \.\/usr\/bin\/edgescope -> \.\.\/lib\/edgescope\/edgescope$/m,
  );
  assert.match(contents, /^-rwxr-xr-x root\/root .* 2026-11-19 12:00 \.\/usr\/lib\/edgescope\/node$/m);
  told('--raw-extract', file, join(folder, 'root'));
  const sums = execFileSync('md5sum', ['-c', 'DEBIAN/md5sums'], {
    cwd: join(folder, 'root'),
    encoding: 'utf8',
  });
  assert.equal(sums.match(/: OK$/gm)?.length, 15);
  const copyright = readFileSync(join(folder, 'root/usr/share/doc/edgescope/copyright'), 'utf8');
  assert.match(
    copyright,
    /^Copyright 2026 the authors\nbefore\nThe Apache License.*common-licenses\/Apache-2\.0\.\nafter\n$/,
  );
  if (unlessInstalled('lintian') !== false) return t.diagnostic('lintian is not installed');
  // Overrides name what only the true program and Node have.
  const words = ['--suppress-tags', 'mismatched-override', '--fail-on', 'error', file];
  const { status, stdout } = spawnSync('lintian', words, { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

const UNIT = join(ROOT, 'src/build/packages/edgescope-keep.service');
/** On systemd's scale from 0 to 100. What is left is the network, JIT, and the process that tells systemd. */
const MOST_EXPOSED = 15;

test('the unit of a keep is one that systemd reads, and leaves little to who breaks into it', {
  skip: unlessInstalled('systemd-analyze'),
}, (t) => {
  const folder = ownFolder(t);
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
    architecture: 'arm64',
    homepage: 'https://edge.example.com',
    description: 'for a test',
    executable: { launcher: '#!/bin/sh\n', program: '', place: 'edgescope.js' },
    texts: {
      manual: '.TH EDGESCOPE 1 2026-11-19\n.SH NAME\nedgescope \\- explore\n',
      completions: { bash: 'bash', zsh: 'zsh', fish: 'fish' },
      lnav: '{}',
      license: 'Copyright 2026 the authors',
      changes: '# Changelog\n',
      notices: 'before\n  Apache License\nlong\nEND OF TERMS AND CONDITIONS\nafter\n',
    },
    node: {
      version: '26.0.0',
      program: Buffer.from('#!/bin/sh\n'),
      notice: Buffer.from('of Node'),
      library: { name: 'libatomic', version: '1', content: Buffer.from('for systems without packages') },
    },
    time: TIME,
  };
}
