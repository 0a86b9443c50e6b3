import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import asc from 'assemblyscript/asc';

const KERNEL = join(import.meta.dirname, '..', 'kernel');

/** What the program runs of it: kept in the repository, so that only who changes the kernel compiles it. */
const CODE = join(KERNEL, 'row-kernel-code.ts');

/** Modules whose exports are those of the kernel. */
const ENTRIES = ['batch.ts', 'layout.ts', 'lines-v1.ts'];
const OPTIONS = ['-O3', '--converge', '--runtime', 'stub', '--noAssert', '--enable', 'simd'];
const BINARY = 'row-kernel.wasm';

/** What `row-kernel-code.ts` should be; rejects with what the compiler says of a mistake. */
export async function rowKernelCode(): Promise<string> {
  let binary: Uint8Array | null = null;
  const said = asc.createMemoryStream();
  const { error } = await asc.main(
    [...ENTRIES, '--baseDir', join(KERNEL, 'assembly'), '--outFile', BINARY, ...OPTIONS],
    {
      writeFile: (_, contents) => {
        binary = contents as Uint8Array;
      },
      stderr: said,
    },
  );
  if (error !== null || binary === null) throw new Error(said.toString() || String(error));
  return [
    '// Made from the folder beside it by `npm run kernel`: not to be edited.',
    '',
    '/** A WebAssembly module, as base64. */',
    'export const ROW_KERNEL_CODE =',
    `  '${Buffer.from(binary).toString('base64')}';`,
    '',
  ].join('\n');
}

if (import.meta.main) {
  writeFileSync(CODE, await rowKernelCode());
  console.log(relative(process.cwd(), CODE));
}
