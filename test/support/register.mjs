/**
 * Lets Node run the tests from the source: `node --import ./test/support/register.mjs --test …`. Node strips the types
 * of `.ts` by itself; `.tsx` goes through esbuild, and ink-table is made loadable beside Ink 8.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INK_TABLE_FILE, inkTableAsModule } from '../../src/build/ink-table-module.ts';

// React reads it once, when it is first loaded; its development build is up to twice as slow.
process.env.NODE_ENV ??= 'production';

const KEPT = join(import.meta.dirname, '..', '..', '.cache');
// What was stripped and compiled for one process serves the next.
enableCompileCache(join(KEPT, 'node'));

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

/** esbuild is a program of its own that takes some hundred megabytes: each source goes through it once. */
function compiled(file) {
  const source = readFileSync(file, 'utf8');
  const options = {
    loader: 'tsx',
    format: 'esm',
    target: 'node24',
    jsx: 'automatic',
    sourcemap: 'inline',
    sourcefile: file,
  };
  const esbuild = require('esbuild/package.json').version;
  const key = createHash('sha256')
    .update(JSON.stringify([esbuild, options, source]))
    .digest('hex');
  const kept = join(KEPT, 'tsx', `${key}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = require('esbuild').transformSync(source, options);
    mkdirSync(dirname(kept), { recursive: true });
    // Another process may be writing the same.
    const own = `${kept}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, kept);
    return code;
  }
}
