/**
 * Lets Node run the tests from the source: `node --import ./test/support/register.mjs --test …`. Node strips the types
 * of `.ts` by itself; `.tsx` goes through esbuild, and ink-table is made loadable beside Ink 8.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { INK_TABLE_FILE, inkTableAsModule } from '../../src/build/ink-table-module.ts';

// React reads it once, when it is first loaded; its development build is up to twice as slow.
process.env.NODE_ENV ??= 'production';

registerHooks({ load });

function load(url, context, nextLoad) {
  if (!url.startsWith('file:')) return nextLoad(url, context);
  const path = url.split('?')[0];
  if (path.endsWith('.tsx')) return asModule(compiled(fileURLToPath(path)));
  if (INK_TABLE_FILE.test(path)) return asModule(inkTableAsModule(readFileSync(fileURLToPath(path), 'utf8')));
  return nextLoad(url, context);
}

function asModule(source) {
  return { format: 'module', source, shortCircuit: true };
}

function compiled(file) {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    loader: 'tsx',
    format: 'esm',
    target: 'node24',
    jsx: 'automatic',
    sourcemap: 'inline',
    sourcefile: file,
  });
  return code;
}
