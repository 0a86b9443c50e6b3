/**
 * `npm test`: all tests, or those below the paths that are named, or whose name holds `--name 'words'`. As many jobs that
 * compute run at once as the machine has cores (`--at-once N` for another number), and half as many that wait.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
  filesNamed,
  filesWith,
  type Job,
  jobsOf,
  type Lane,
  laneOf,
  ROOT,
  testFiles,
} from './runner/jobs.ts';
import { watchTree } from './runner/process-tree.ts';
import { type JobEnd, startWorker, type TestEnd, type Worker } from './runner/worker.ts';

const WRONG_USAGE = 2;
const LOOK_MS = 500;

const { values, positionals } = parseArgs({
  options: { name: { type: 'string' }, 'at-once': { type: 'string' } },
  allowPositionals: true,
});
const all = testFiles();
// npm starts a script in the root and tells where it was called.
const from = process.env['INIT_CWD'] ?? process.cwd();
const wanted = positionals.map((word) => ({ word, files: filesNamed(word, all, from) }));
for (const { word, files } of wanted) {
  if (files.length > 0) continue;
  console.error(`no file of tests is at or below '${word}', and none has it in its name; see test/`);
  process.exit(WRONG_USAGE);
}
const below =
  wanted.length === 0 ? all : all.filter((file) => wanted.some((each) => each.files.includes(file)));
const files = values.name === undefined ? below : filesWith(values.name, below);
const queue = jobsOf(files);
// The built program is what the tests of programs start.
if (files.some((file) => laneOf(file) !== 'inside')) {
  const { status } = spawnSync(process.execPath, ['src/build/bundle.ts'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const startedAt = performance.now();
const tree = watchTree();
const looking = setInterval(() => tree?.look(), LOOK_MS);
const underway = new Map<Worker, Lane>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const worker of underway.keys()) worker.kill();
    process.exit(1);
  });
}
const tests: TestEnd[] = [];
const troubles: string[] = [];
const atOnce = Number(values['at-once'] ?? availableParallelism());
// A program waits for the clock and a terminal for its program: beside them there is time for a job that computes.
const waiting = Math.max(1, Math.floor(atOnce / 2));
const room: Readonly<Record<Lane, number>> = { inside: atOnce, program: waiting, terminal: waiting };
const lanes = Array.from({ length: atOnce + waiting }, async () => {
  for (let job = nextJob(); job !== undefined; job = nextJob()) {
    const begunAt = performance.now();
    const worker = startWorker(job, values.name === undefined ? null : literally(values.name));
    underway.set(worker, job.lane);
    const end = await worker.ended;
    underway.delete(worker);
    worker.kill();
    tests.push(...end.tests);
    tell(job, end, performance.now() - begunAt);
  }
});
await Promise.all(lanes);
clearInterval(looking);
for (const { pid, name } of tree?.end() ?? []) troubles.push(`${name} (${pid}) outlived the tests`);

const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map(
  (outcome) => tests.filter((test) => test.outcome === outcome).length,
) as [number, number, number];
if (failed > 0 || troubles.length > 0) console.log('\nwhat failed:');
for (const { file, name, why } of tests.filter(({ outcome }) => outcome === 'failed')) {
  console.log(`\n✖ ${file}: ${name}\n${indented(why)}`);
}
for (const trouble of troubles) console.log(`✖ ${trouble}`);
for (const { name, why } of tests.filter(({ outcome }) => outcome === 'skipped')) {
  console.log(`skipped: ${name}${why === '' ? '' : `: ${why}`}`);
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
const memory = tree === null ? '' : `, at most ${Math.round(tree.most() / 1_000_000)} MB at once`;
console.log(`\n${seconds} s${memory}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
if (passed + failed === 0) console.error('no test has that name');
process.exitCode = failed + troubles.length === 0 && passed > 0 ? 0 : 1;

/** The first job whose lane has room; none where those that run will take the rest. */
function nextJob(): Job | undefined {
  const inLane = Map.groupBy(underway.values(), (lane) => lane);
  const at = queue.findIndex(({ lane }) => (inLane.get(lane)?.length ?? 0) < room[lane]);
  return at < 0 ? undefined : queue.splice(at, 1)[0];
}

/** A line for each job, and what it printed where it failed. */
function tell(job: Job, { tests: ended, trouble, output }: JobEnd, took: number): void {
  const bad = ended.filter(({ outcome }) => outcome === 'failed').length;
  const [file = ''] = job.files;
  const what = job.files.length === 1 ? file : `${file} and ${job.files.length - 1} more`;
  if (trouble !== null) troubles.push(`${what}: ${trouble}`);
  if (ended.length === 0 && trouble === null) return;
  const mark = bad > 0 || trouble !== null ? '✖' : '✔';
  console.log(`${mark} ${what}: ${ended.length} tests, ${(took / 1000).toFixed(1)} s`);
  if (mark === '✖' && output.trim() !== '') console.log(indented(output.trimEnd()));
}

/** A pattern of the test runner that finds the words as they stand. */
function literally(words: string): string {
  return `/${words.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}/i`;
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
