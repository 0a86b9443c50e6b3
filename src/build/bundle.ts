import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin, stop } from 'esbuild';
import { replaceFileNow } from '../files/durable-files.ts';
import { sourceTime, versionOf } from './commit.ts';
import { INK_TABLE_FILE, inkTableAsModule } from './ink-table-module.ts';
import { type Executable, executableOf, IMPORT_META_NAME } from './launcher.ts';
import { lighterPackages } from './lighter-packages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUT = join(ROOT, 'dist', 'edgescope');

/** The format of the printed data, for other programs. */
const LNAV_FORMAT = 'edgescope.lnav.json';

const LAZY_SEGMENTER = join(import.meta.dirname, 'lazy-segmenter.ts');

/** The module with a thread's code, and that code. */
const WORKER_CODE = /[\\/]effects[\\/]saved[\\/]saved-worker-code\.ts$/;
const WORKER = join(ROOT, 'src', 'effects', 'saved', 'saved-worker.ts');

/** The module with the protocol of agents. */
const PROTOCOL = join(ROOT, 'src', 'mcp', 'protocol.ts');

const BUILTINS = new Set(builtinModules);

/** Node modules that a start does not call: 6 ms to load together. */
const UNCALLED_AT_START = new Set(['node:child_process', 'node:crypto', 'node:fs/promises', 'node:zlib']);

/**
 * Node's own modules, each loaded when the first module that imports it runs: a piped command never loads TLS, and
 * the bundle needs no `import` declaration. To an import each export is a constant, so that the bundler can drop
 * unused ones, or a function that loads the module when called; to a `require` or an `import()` the module is what it
 * is.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(bundle) {
    bundle.onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) => {
      if (!path.startsWith('node:') && !BUILTINS.has(path)) return null;
      const isWhole = kind !== 'import-statement';
      return { path: path.replace(/^(node:)?/, 'node:'), namespace: isWhole ? 'whole-builtin' : 'imported' };
    });
    // Packages assert all the time, and nothing has to be loaded for what holds.
    bundle.onLoad({ filter: /^node:assert$/, namespace: 'whole-builtin' }, ({ path }) => ({
      contents: `const whole = () => process.getBuiltinModule('${path}');
        const assert = (...given) => given[0] || whole()(...given);
        const equal = (...given) => given[0] === given[1] || whole().equal(...given);
        module.exports = new Proxy(assert, { get: (_, name) => (name === 'equal' ? equal : whole()[name]) });`,
    }));
    bundle.onLoad({ filter: /^node:/, namespace: 'whole-builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
    bundle.onLoad({ filter: /^node:/, namespace: 'imported' }, ({ path }) => ({
      contents: [
        `const builtin = /* @__PURE__ */ process.getBuiltinModule('${path}');`,
        'export default builtin;',
        ...Object.keys(process.getBuiltinModule(path) ?? {})
          .filter((name) => name !== 'default')
          .map((name, n) => `const e${n} = ${exportOf(path, name)}; export { e${n} as ${name} };`),
      ].join('\n'),
    }));
  },
};

/** The expression for an export of a Node module; a class or a constant cannot wait for a call. */
function exportOf(path: string, name: string): string {
  const own = Object.getOwnPropertyDescriptor(process.getBuiltinModule(path), name);
  const isFunction = typeof own?.value === 'function' && /^[a-z]/.test(name);
  if (!UNCALLED_AT_START.has(path) || !isFunction) return `/* @__PURE__ */ (() => builtin.${name})()`;
  return `(...args) => process.getBuiltinModule('${path}').${name}(...args)`;
}

/** Replaces the modules whose path fits. */
function standIn(name: string, filter: RegExp, contents: (path: string) => string | Promise<string>): Plugin {
  return {
    name,
    setup(bundle) {
      bundle.onLoad({ filter }, async ({ path }) => ({ contents: await contents(path) }));
    },
  };
}

const inkTable = standIn('ink-table', INK_TABLE_FILE, (path) => inkTableAsModule(readFileSync(path, 'utf8')));

/** A thread starts from a text of its own: it must not load all of the program. */
const threads = (files: Set<string>) =>
  standIn('threads', WORKER_CODE, async () => `export const WORKER_CODE = ${await asText(WORKER, files)};`);

/**
 * The protocol of agents is a tenth of the program: as a text only they have it parsed, 5 ms of a first start. It has a
 * zod of its own: of one for both, every start would evaluate what only the protocol's package takes of it.
 */
const protocolOfAgents = (files: Set<string>) =>
  standIn('protocol-of-agents', /[\\/]mcp[\\/]protocol\.ts$/, async () =>
    [
      "import { runInThisContext } from 'node:vm';",
      `const text = ${await asText(PROTOCOL, files)};`,
      "export const { protocol } = runInThisContext('(() => {' + text + 'return own; })()');",
    ].join('\n'),
  );

/** A module and what it imports as the text of a script, whose variable `own` has its exports. */
async function asText(entry: string, files: Set<string>): Promise<string> {
  const script = { format: 'iife', globalName: 'own', target: 'node24' } as const;
  return JSON.stringify(await textOf(entry, files, { ...script, plugins: [lighterPackages, lazyBuiltins] }));
}

/** The module at `entry` and what it imports as one text; adds the files that it was made of. */
async function textOf(entry: string, files: Set<string>, how: BuildOptions): Promise<string> {
  const { outputFiles, metafile } = await build({
    ...how,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    // Of a package in both forms, the one whose unused parts can be left out.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  for (const name of Object.keys(metafile.inputs)) files.add(name);
  return outputFiles[0]?.text ?? '';
}

/** A program as one text, and the files that it was made of; those of a package have `node_modules/` in their path. */
export type Bundle = { text: string; files: ReadonlySet<string> };

/**
 * The program as JavaScript without imports: everything in one text, and what is imported dynamically is still evaluated
 * only when it is asked for.
 */
export async function bundledProgram(): Promise<Bundle> {
  const files = new Set<string>();
  const day = new Date(sourceTime(ROOT) * 1000).toISOString().slice(0, 10);
  const text = await textOf(join(ROOT, 'src', 'cli.ts'), files, {
    format: 'esm',
    // Syntax of Node 18 and top-level await, so that an older Node reads far enough to say that it is too old.
    target: 'node18',
    supported: { 'top-level-await': true },
    jsx: 'automatic',
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
      'import.meta': IMPORT_META_NAME,
      // undici's own switch for bundles: without its second parser of HTTP, which is an experiment.
      esbuildDetection: 'true',
      'Intl.Segmenter': 'LazySegmenter',
      // Nothing here calls it, but yoga-layout would for its own data URL, and Node then loads its HTTP client: 17
      // ms.
      fetch: 'undefined',
      // What the program says of itself.
      BUILD: JSON.stringify({ version: versionOf(ROOT), day }),
    },
    inject: [LAZY_SEGMENTER],
    plugins: [lighterPackages, lazyBuiltins, inkTable, threads(files), protocolOfAgents(files)],
  });
  await stop(); // It waits for more with 250 MB.
  return { text, files };
}

/** Writes an executable, its program first: a start finds both old or both new, or says that they do not fit. */
export function writeExecutable(file: string, { launcher, program, place }: Executable): void {
  const beside = resolve(dirname(file), place);
  for (const each of [beside, file]) mkdirSync(dirname(each), { recursive: true });
  replaceFileNow(beside, program, { mode: 0o644 });
  replaceFileNow(file, launcher, { mode: 0o755 });
}

/** Builds `dist/edgescope`, puts the format file for lnav beside it, and says so in one line. */
export async function buildExecutable(): Promise<string> {
  const executable = executableOf((await bundledProgram()).text);
  writeExecutable(OUTPUT, executable);
  copyFileSync(join(ROOT, 'src', 'interop', LNAV_FORMAT), join(dirname(OUTPUT), LNAV_FORMAT));
  const bytes = Buffer.byteLength(executable.launcher) + Buffer.byteLength(executable.program);
  return `${relative(process.cwd(), OUTPUT)}  ${(bytes / 1000).toFixed(0)} kB`;
}

if (import.meta.main) console.log(await buildExecutable());
