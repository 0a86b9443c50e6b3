import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { cleanEnvironment } from '../support/environment.ts';
import type { LinkRate } from '../support/slow-link.ts';
import { ROOT } from '../support/source.ts';
import { measured } from './app.ts';

/** A program that the measurements can start on a terminal and know when it shows what it is for. */
export type Program = {
  name: string;
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  ready: RegExp;
  /** A home that is used again, with what the program keeps there; without it each start is the first. */
  home?: string;
  /** The line to its terminal. */
  link?: LinkRate;
};
export type Feed = {
  baseUrl: string;
  loggingUrl: string;
  accessKey: string;
  zone: string;
  zoneId: string;
  stop(): Promise<void>;
};
export type Baselines = {
  nodeHello: Program;
  nodeEcho: Program;
  inkHello: Program;
  /** The same list with each of Ink's two ways to write a frame: the whole of it, or the lines that changed. */
  inkLists(args: string[]): [Program, Program];
};

const INK_LIST_READY = /^rows \d+-[1-9]\d* of/m;
const BASELINES = join(import.meta.dirname, 'baseline');

/** Bundles the baselines as the program itself is bundled: one minified file each, React in production mode. */
export async function bundleBaselines(folder: string): Promise<Baselines> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: ['node-hello.ts', 'node-echo.ts', 'ink-hello.tsx', 'ink-list.tsx'].map((f) =>
      join(BASELINES, f),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: { js: "import{createRequire as __c}from'node:module';const require=__c(import.meta.url);" },
    plugins: [
      {
        name: 'no-devtools',
        setup(bundle) {
          bundle.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'empty' }));
          bundle.onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: 'export default {};' }));
        },
      },
    ],
  });
  const program = (name: string, file: string, ready: RegExp, args: string[] = []): Program => ({
    name,
    command: process.execPath,
    args: [join(folder, `${file}.mjs`), ...args],
    ready,
  });
  return {
    nodeHello: program('bare Node', 'node-hello', /hello-ready/),
    nodeEcho: program('bare Node', 'node-echo', /hello-ready/),
    inkHello: program('Ink hello', 'ink-hello', /hello-ready/),
    inkLists: (args) => [
      program('plain Ink', 'ink-list', INK_LIST_READY, ['whole', ...args]),
      program('incremental Ink', 'ink-list', INK_LIST_READY, ['incremental', ...args]),
    ],
  };
}

/** A simulator that speaks for `rate` rows a second of its busiest zone. */
export function startFeed(rate: number): Promise<Feed> {
  return fed('simulator-process', [rate]);
}

/** So many zones of the same steady rate each, rows that cost their server next to nothing; `zone` names all of them. */
export function startEvenZones(zones: number, rate: number): Promise<Feed> {
  return fed('even-zones', [zones, rate]);
}

async function fed(script: string, args: readonly number[]): Promise<Feed> {
  const file = join(ROOT, 'test/bench', `${script}.ts`);
  const child = spawn(process.execPath, [file, ...args.map(String)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const urls = await firstLine(child);
  return {
    ...(JSON.parse(urls) as Omit<Feed, 'stop'>),
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

/** A pager or log viewer of this machine over a file; null when it is not installed. */
export function installed(name: string, args: string[], ready: RegExp): Program | null {
  if (measured.isAlone) return null;
  try {
    const { PATH } = cleanEnvironment('/nonexistent');
    const command = execFileSync('which', [name], { encoding: 'utf8', env: { PATH } }).trim();
    return { name, command, args, ready };
  } catch {
    return null;
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the simulator has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the simulator ended without a word');
}
