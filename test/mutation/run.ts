import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PLANTED, type PlantedDefect } from './defects.ts';

type Found = 'found' | 'survived' | 'stale';

const ROOT = join(import.meta.dirname, '..', '..');
/** What the tests need of the tree; the packages are only linked. */
const COPIED = [
  'src',
  'test',
  'dist',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'tsconfig.json',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'Containerfile',
  'docs',
  '.github',
  'LICENSE',
];
const ENGINES = 'test/engines';
const LANES = 2;
const MAKERS = { program: 'src/build/bundle.ts', kernel: 'src/build/kernels.ts' };
/** A defect that hangs a test is found as well; longer than any of the named files takes, ms. */
const MOST_TIME = 180_000;

const { values } = parseArgs({
  options: { only: { type: 'string' }, lanes: { type: 'string', default: String(LANES) } },
});
const wanted = PLANTED.filter(({ name, file }) => `${file} ${name}`.includes(values.only ?? ''));
const names = new Set(PLANTED.map(({ file, name }) => `${file} ${name}`));
if (names.size < PLANTED.length) throw new Error('two planted defects of one name');
const needsEngines = wanted.some(({ tests }) => tests.some((file) => file.startsWith(ENGINES)));
if (needsEngines && !existsSync(join(ROOT, ENGINES, 'node_modules')))
  throw new Error('some are looked for by the engines, which are not installed: npm run test:engines');
const results = new Map<PlantedDefect, Found>();
const queue = [...wanted];
const lanes = Array.from({ length: Number(values.lanes) }, async () => {
  const copy = copyOfTree();
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const started = performance.now();
      const found = await plant(copy, next);
      results.set(next, found);
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      console.log(`${found.padEnd(8)} ${next.file}: ${next.name} (${seconds} s)`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
await Promise.all(lanes);
const found = wanted.filter((each) => results.get(each) === 'found');
console.log(`\nplanted defects found ${found.length}/${wanted.length}`);
for (const each of wanted) {
  if (results.get(each) !== 'found') console.log(`${results.get(each)}: ${each.file}: ${each.name}`);
}
process.exit(found.length === wanted.length ? 0 : 1);

function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'edgescope-planted-'));
  const filter = (source: string) => basename(source) !== 'node_modules';
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter });
  // The engines are there once `npm run test:engines` has installed them.
  for (const folder of ['.', ENGINES])
    symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

/** Takes the guard out of the copy, runs its tests there, and puts it back. */
async function plant(copy: string, defect: PlantedDefect): Promise<Found> {
  const path = join(copy, defect.file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(defect.find).length !== 2) return 'stale';
  writeFileSync(
    path,
    sound.replace(defect.find, () => defect.put),
  );
  try {
    // A defect that does not compile would be found by anything: a test must fail, not a build.
    if (defect.made && (await run(copy, [MAKERS[defect.made]])) !== 0) return 'stale';
    const code = await run(copy, [
      '--import',
      './test/support/register.mjs',
      '--test',
      '--test-timeout=60000',
      ...defect.tests,
    ]);
    return code === 0 ? 'survived' : 'found';
  } finally {
    writeFileSync(path, sound);
    if (defect.made)
      for (const made of ['dist', 'src/kernel'])
        cpSync(join(ROOT, made), join(copy, made), { recursive: true });
  }
}

function run(cwd: string, args: readonly string[]): Promise<number | null> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), MOST_TIME);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code);
    }),
  );
}
