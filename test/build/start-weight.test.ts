// What a start evaluates before the first frame is counted in bytes, which no machine changes: a start costs about as much.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'esbuild';
import { lighterPackages } from '../../src/build/lighter-packages.ts';
import { ROOT } from '../support/source.ts';

/** Bytes, minified. What makes one of them larger names what it is for in CHANGELOG, and what leaves for it. */
const MOST = { print: 366_400, screen: 1_070_800 };

test('a start evaluates no more than it did', async () => {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'src', 'cli.ts')],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    outdir: '.',
    external: ['*/protocol.ts'], // In the bundle it is a text, which only agents evaluate.
    plugins: [lighterPackages],
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  const evaluated = (entries: readonly string[]) => {
    const seen = new Set<string>();
    const next = [...entries];
    for (let file = next.pop(); file !== undefined; file = next.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const { imports = [] } = metafile.inputs[file] ?? {};
      next.push(
        ...imports
          .filter(({ kind, external }) => kind !== 'dynamic-import' && !external)
          .map(({ path }) => path),
      );
    }
    return [...seen].reduce((sum, file) => sum + (output?.inputs[file]?.bytesInOutput ?? 0), 0);
  };
  const bytes = { print: evaluated(['src/cli.ts']), screen: evaluated(['src/cli.ts', 'src/tui.ts']) };
  for (const kind of ['print', 'screen'] as const) {
    assert.ok(bytes[kind] > 100_000, `${kind}: the modules of a start were found`);
    assert.ok(bytes[kind] <= MOST[kind], `${kind}: ${bytes[kind]} bytes are evaluated, ${MOST[kind]} may be`);
  }
});
