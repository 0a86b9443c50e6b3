import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/** What a file of tests needs of the machine besides a core. */
export type Lane = 'inside' | 'program' | 'terminal';

/** Files that run one after the other in one process. */
export type Job = { lane: Lane; files: readonly string[] };

export const ROOT = join(import.meta.dirname, '..', '..');

/**
 * `inside`: tests of functions and of sessions in virtual time, many files to a process, because to start one costs more
 * than most files take; they leave no global changed. `program`: tests that start programs; `terminal`: programs on a
 * pseudo-terminal. Both have a process a file.
 */
export const LANES = {
  api: 'inside',
  bench: 'inside',
  build: 'program',
  causes: 'inside',
  cli: 'program',
  config: 'inside',
  doctor: 'inside',
  domain: 'inside',
  files: 'program',
  effects: 'inside',
  fuzz: 'inside',
  interop: 'program',
  keymap: 'inside',
  mcp: 'inside',
  print: 'inside',
  pty: 'terminal',
  runner: 'program',
  session: 'inside',
  shell: 'program',
  store: 'inside',
  simulator: 'inside',
  state: 'inside',
  support: 'terminal',
  terminal: 'terminal',
  text: 'inside',
  time: 'inside',
  ui: 'inside',
} as const satisfies Record<string, Lane>;

/** Bytes of source in one process of the lane `inside`: thirty files or so, whose memory goes back at the end. */
const MOST_SOURCE = 160_000;

/** Folders whose tests keep whole simulators or hours of rows: a byte of their source stands for two of others in memory. */
const HEAVY: readonly string[] = ['test/fuzz/', 'test/session/', 'test/domain/questions/'];

/** Files of the lane `inside` that take eight seconds and more: they begin early, so that none is left alone at the end. */
export const LONG: readonly string[] = [
  'test/session/stories.test.ts',
  'test/print/keep.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/print/keep-stored.test.ts',
  'test/effects/nth.test.ts',
  'test/print/logs.test.ts',
  'test/session/shield-faults.test.ts',
  'test/print/followed-zones.test.ts',
];

/** All files of tests, as paths from the root of the project. */
export function testFiles(): string[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => join('test', name))
    .sort();
}

export function laneOf(file: string): Lane {
  const [, folder = ''] = file.split(sep);
  if (folder.includes('.test.')) return 'inside';
  if (!Object.hasOwn(LANES, folder))
    throw new Error(`${file}: test/runner/jobs.ts has no lane for test/${folder}`);
  return LANES[folder as keyof typeof LANES];
}

/** The files below a path, or, where there is no such path, those whose own path holds the word. */
export function filesNamed(word: string, files: readonly string[], from: string): string[] {
  const path = relative(ROOT, resolve(from, word));
  const below = files.filter((file) => file === path || file.startsWith(path === '' ? '' : `${path}${sep}`));
  return below.length > 0 ? below : files.filter((file) => file.includes(word));
}

/** The files in which words stand as they are; all of them where none has them, because names can be put together. */
export function filesWith(words: string, files: readonly string[]): readonly string[] {
  const found = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes(words));
  return found.length > 0 ? found : files;
}

/** What takes long alone comes first, so that no core is idle at the end. */
export function jobsOf(files: readonly string[]): Job[] {
  const inside: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const file of files.filter((each) => laneOf(each) === 'inside')) {
    const isHeavy = HEAVY.some((folder) => file.startsWith(folder));
    const own = statSync(join(ROOT, file)).size * (isHeavy ? 2 : 1);
    if (size + own > MOST_SOURCE) {
      inside.push([]);
      size = 0;
    }
    inside.at(-1)?.push(file);
    size += own;
  }
  const alone = files
    .filter((file) => laneOf(file) !== 'inside')
    .sort((a, b) => testsIn(b) - testsIn(a))
    .map((file) => ({ lane: laneOf(file), files: [file] }));
  const isLong = (job: readonly string[]) => job.some((file) => LONG.includes(file));
  const ordered = inside.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  return [...alone, ...ordered.map((each) => ({ lane: 'inside' as const, files: each }))];
}

function testsIn(file: string): number {
  return readFileSync(join(ROOT, file), 'utf8').split(/\b(?:test|it)\(/).length;
}
