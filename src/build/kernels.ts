import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import asc from 'assemblyscript/asc';

const FOLDER = join(import.meta.dirname, '..', 'kernel');

/** By the name of a kernel the modules, in the folder of sources, whose exports are its own. */
const KERNELS = {
  'row-kernel': ['rows/batch.ts', 'rows/layout.ts', 'rows/lines-v1.ts'],
  'tally-kernel': ['tally.ts'],
};
const OPTIONS = ['-O3', '--converge', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];

/**
 * What the program runs of the kernels, by file: kept in the repository, so that only who changes a kernel compiles it.
 * Rejects with what the compiler says of a mistake.
 */
export async function kernelCodes(): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  for (const [name, entries] of Object.entries(KERNELS))
    codes.set(join(FOLDER, `${name}-code.ts`), moduleOf(name, await compiled(entries)));
  return codes;
}

async function compiled(entries: readonly string[]): Promise<Uint8Array> {
  let binary: Uint8Array | null = null;
  const said = asc.createMemoryStream();
  const { error } = await asc.main(
    [...entries, '--baseDir', join(FOLDER, 'assembly'), '--outFile', 'kernel.wasm', ...OPTIONS],
    {
      writeFile: (_, contents) => {
        binary = contents as Uint8Array;
      },
      stderr: said,
    },
  );
  if (error !== null || binary === null) throw new Error(said.toString() || String(error));
  return binary;
}

function moduleOf(name: string, binary: Uint8Array): string {
  return [
    '// Made from the folder beside it by `npm run kernels`: not to be edited.',
    '',
    '/** A WebAssembly module, as base64. */',
    `export const ${name.toUpperCase().replaceAll('-', '_')} =`,
    `  '${Buffer.from(binary).toString('base64')}';`,
    '',
  ].join('\n');
}

if (import.meta.main)
  for (const [file, code] of await kernelCodes()) {
    writeFileSync(file, code);
    console.log(relative(process.cwd(), file));
  }
