import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../runner/jobs.ts';
import { watchTree } from '../runner/process-tree.ts';
import { startWorker, type Worker } from '../runner/worker.ts';
import { PLANTED, type PlantedDefect } from './defects.ts';

type Found = 'found' | 'survived' | 'stale';

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
/** A defect that hangs a test, or fills the memory, is found as well: more than all that one names takes, ms and bytes. */
const MOST_TIME = 180_000;
const MOST_MEMORY = 1_500_000_000;
/** MB: room for what all of its files keep, so that no defect is found by a heap that is too small. */
const HEAP = 1_000;
const LOOK_MS = 500;

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
const copies = new Set<string>();
const underway = new Set<() => void>();
process.once('exit', () => {
  for (const end of underway) end();
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
const lanes = Array.from({ length: Number(values.lanes) }, async () => {
  const copy = copyOfTree();
  for (let next = queue.shift(); next; next = queue.shift()) {
    const started = performance.now();
    const { found, by } = await plant(copy, next);
    results.set(next, found);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`${found.padEnd(8)} ${next.file}: ${next.name} (${seconds} s)${by && `\n         by ${by}`}`);
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
  copies.add(copy);
  const filter = (source: string) => basename(source) !== 'node_modules';
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter });
  // The engines are there once `npm run test:engines` has installed them.
  for (const folder of ['.', ENGINES])
    symlinkSync(join(ROOT, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  return copy;
}

/** Takes the guard out of the copy, runs its tests there, and puts it back. */
async function plant(copy: string, defect: PlantedDefect): Promise<{ found: Found; by: string }> {
  const path = join(copy, defect.file);
  const sound = readFileSync(path, 'utf8');
  if (sound.split(defect.find).length !== 2) return { found: 'stale', by: '' };
  writeFileSync(
    path,
    sound.replace(defect.find, () => defect.put),
  );
  try {
    // A defect that does not compile would be found by anything: a test must fail, not a build.
    if (defect.isBuilt && !isBuilt(copy)) return { found: 'stale', by: '' };
    const by = await noticedBy(copy, defect.tests);
    return by === null ? { found: 'survived', by: '' } : { found: 'found', by };
  } finally {
    writeFileSync(path, sound);
    if (defect.isBuilt) cpSync(join(ROOT, 'dist'), join(copy, 'dist'), { recursive: true });
  }
}

function isBuilt(cwd: string): boolean {
  return spawnSync(process.execPath, ['src/build/bundle.ts'], { cwd, stdio: 'ignore' }).status === 0;
}

/** The test that fails, or how all of them end without; null: nobody notices. */
async function noticedBy(cwd: string, files: readonly string[]): Promise<string | null> {
  const job = { lane: 'inside', files } as const;
  const worker = startWorker(job, null, { cwd, heap: HEAP, mostMs: MOST_TIME, endsWithFirst: true });
  const end = endOf(worker);
  underway.add(end.now);
  const { tests, trouble } = await worker.ended;
  end.now();
  underway.delete(end.now);
  const failed = tests.find(({ outcome }) => outcome === 'failed');
  return failed === undefined ? trouble : `${failed.file}: ${failed.name}`;
}

/** Ends a worker that takes too much memory, and, `now`, all that it has started, which may have left its group. */
function endOf(worker: Worker): { now: () => void } {
  const tree = watchTree(worker.pid);
  const looking = setInterval(() => {
    if ((tree?.look() ?? 0) > MOST_MEMORY) worker.kill();
  }, LOOK_MS);
  return {
    now() {
      clearInterval(looking);
      worker.kill();
      tree?.end();
    },
  };
}
