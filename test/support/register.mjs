/**
 * Lets Node run the tests from the source: `node --import ./test/support/register.mjs --test …`. Node strips the types
 * of `.ts` by itself; `.tsx` goes through esbuild, and ink-table is made loadable beside Ink 8.
 */
import { readFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INK_TABLE_FILE, inkTableAsModule } from '../../src/build/ink-table-module.ts';

// React reads it once, when it is first loaded; its development build is up to twice as slow.
process.env.NODE_ENV ??= 'production';

// Each file of tests is a process of its own: what was stripped and compiled for one serves the next.
enableCompileCache(join(import.meta.dirname, '..', '..', '.cache', 'node'));

registerHooks({ load });

const require = createRequire(import.meta.url);

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
  // Loaded by the few that want it: it is not small, and starts a program of its own.
  const { code } = require('esbuild').transformSync(readFileSync(file, 'utf8'), {
    loader: 'tsx',
    format: 'esm',
    target: 'node24',
    jsx: 'automatic',
    sourcemap: 'inline',
    sourcefile: file,
  });
  return code;
}
