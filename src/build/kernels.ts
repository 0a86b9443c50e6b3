import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'kernel');
const SOURCES = join(FOLDER, 'assembly');

/** By the name of a kernel the modules, in the folder of sources, whose exports are its own. */
const KERNELS = {
  'row-kernel': ['rows/batch.ts', 'rows/layout.ts', 'rows/lines-v1.ts'],
};
const OPTIONS = ['-O3', '--converge', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];

/** Fetched when a kernel is compiled: it takes 100 MB, and few people change a kernel. */
const COMPILER = 'assemblyscript@0.28.20';

/** The files of the kernels' code, in `src/kernel`. */
export const KERNEL_FILES = Object.keys(KERNELS).map((name) => join(FOLDER, `${name}-code.ts`));

/**
 * What ties the code of a kernel to what it was made of: the SHA-256 of all sources, the compiler, its options and the
 * code. It stands in the head of the file, so that a test needs no compiler to see that one of them has changed.
 */
export function sealOf(code: string): string {
  const hash = createHash('sha256').update(JSON.stringify([COMPILER, OPTIONS, KERNELS, code]));
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => each.endsWith('.ts')).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(SOURCES, name)));
  return hash.digest('hex');
}

/** The code in a file of a kernel, base64, and the seal in its head. */
export function keptKernel(text: string): { code: string; seal: string } {
  const [, seal = ''] = /^\/\/ Seal: ([0-9a-f]{64})\.$/m.exec(text) ?? [];
  const [, code = ''] = /^ {2}'([\w+/=]+)';$/m.exec(text) ?? [];
  return { code, seal };
}

function compiled(entries: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-kernel-'));
  const file = join(folder, 'kernel.wasm');
  try {
    const words = [...entries, '--baseDir', SOURCES, '--outFile', file, ...OPTIONS];
    execFileSync('npm', ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc', ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readFileSync(file).toString('base64');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function moduleOf(name: string, code: string): string {
  return [
    '// Made from the folder beside it by `npm run kernels`: not to be edited.',
    `// Seal: ${sealOf(code)}.`,
    '',
    '/** A WebAssembly module, as base64. */',
    `export const ${name.toUpperCase().replaceAll('-', '_')} =`,
    `  '${code}';`,
    '',
  ].join('\n');
}

if (import.meta.main)
  for (const [name, entries] of Object.entries(KERNELS)) {
    const file = join(FOLDER, `${name}-code.ts`);
    writeFileSync(file, moduleOf(name, compiled(entries)));
    console.log(relative(process.cwd(), file));
  }
