import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';

const MOST = 256 * 1024 * 1024;
/** Two threads at least make blocks, and then how many there are does not show in the bytes. */
const XZ = ['--compress', '--stdout', '-3', '--threads=2', '--block-size=24MiB'];

/** Without a name or a time in its head. */
export function gzipped(content: Buffer): Buffer {
  return gzipSync(content, { level: 9 });
}

/** By the system's `xz`: Node has none. Throws where it is not installed. */
export function xzipped(content: Buffer): Buffer {
  try {
    return execFileSync('xz', XZ, { input: content, maxBuffer: MOST, stdio: ['pipe', 'pipe', 'inherit'] });
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
    throw new Error('xz is not installed: on Debian, apt-get install xz-utils');
  }
}
