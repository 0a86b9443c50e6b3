import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'kernel');
const SOURCES = join(FOLDER, 'assembly');

/** The file of the kernel's code. */
const KERNEL_FILE = join(FOLDER, 'row-kernel-code.ts');

/** The modules, in the folder of sources, whose exports are the kernel's own, and options. */
const WORDS = [
  ...['batch.ts', 'layout.ts', 'lines-v1.ts', '-O3', '--converge', '--runtime', 'stub'],
  ...['--noAssert', '--enable', 'simd'],
];

/** Fetched when the kernel is compiled: it takes 100 MB, and few people change it. */
const COMPILER = 'assemblyscript@0.28.20';

/**
 * What ties the code of the kernel to what it was made of: the SHA-256 of all sources, the compiler, its options and the
 * code. It stands in the head of the file, so that a test needs no compiler to see that one of them has changed.
 */
export function sealOf(code: string): string {
  const hash = createHash('sha256').update(JSON.stringify([COMPILER, WORDS, code]));
  for (const name of readdirSync(SOURCES).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(SOURCES, name)));
  return hash.digest('hex');
}

/** The code in the file of the kernel, base64, and the seal in its head. */
export function keptKernel(): { code: string; seal: string } {
  const text = readFileSync(KERNEL_FILE, 'utf8');
  const [, seal = ''] = /^\/\/ Seal: ([0-9a-f]{64})\.$/m.exec(text) ?? [];
  const [, code = ''] = /^ {2}'([\w+/=]+)';$/m.exec(text) ?? [];
  return { code, seal };
}

function compiled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgescope-kernel-'));
  const file = join(folder, 'kernel.wasm');
  try {
    const words = [...WORDS, '--baseDir', SOURCES, '--outFile', file];
    execFileSync('npm', ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc', ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readFileSync(file).toString('base64');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const code = compiled();
  const head = `// Made from the folder beside it by \`npm run kernel\`: not to be edited.\n// Seal: ${sealOf(code)}.\n\n`;
  const kept = `/** A WebAssembly module, as base64. */\nexport const ROW_KERNEL =\n  '${code}';\n`;
  writeFileSync(KERNEL_FILE, head + kept);
  console.log(relative(process.cwd(), KERNEL_FILE));
}
