import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join } from 'node:path/posix';
import { test } from 'node:test';
import { build, stop } from 'esbuild';
import {
  importsOf,
  ROOT,
  type SourceFile,
  sourceFiles,
  targetOf,
  trackedFiles,
  withoutComments,
} from './support/source.ts';

type Layer = {
  folders: Map<string, 'all' | 'types'>;
  packages: Map<string, 'all' | 'types'>;
  isRoot: boolean;
};

// A file that one table fills may be as long as its table.
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/domain/query/fields.ts': 'the table of every field of the two query languages',
  'src/keys/bindings.ts': 'the one table of keys',
};
const LONGEST_FILE = 500;
// More names than these are read through, not seen at once: they want folders that say what is in them.
const FULLEST_FOLDER = 25;
// Whoever else waits or looks at the time asks the clock that it was handed.
const TIMEKEEPERS: Readonly<Record<string, string>> = {
  'src/time/clock.ts': 'the clock itself',
  'src/terminal/modes.ts': 'restores the terminal of a process that is dying, whose event loop turns no more',
  'src/simulator/logs/scan.ts':
    'gives the thread back after a slice of real time, whatever the time of the server',
};
const TIMERS =
  /\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\btimers\/promises\b|\bnode:timers\b|\bAtomics\.wait|\bAbortSignal\.timeout\b/;
const CLOCKS = /\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bhrtime\b|\bperf_hooks\b/;
// Whoever else has something to say says it by `text/say`, from which no control character leaves.
const STANDARD_ERROR_WRITERS: Readonly<Record<string, string>> = {
  'src/text/say.ts': 'the door itself',
  'src/text/notification.ts': 'a sequence of our own, of which no text is a part but as letters',
  'src/headless.ts': 'hands on what came through the door, until the reader is gone',
  'src/print/progress.ts': 'numbers of our own, written over themselves',
  'src/build/launcher.ts': 'runs on a Node that is too old to load the program',
  'src/build/bundle.ts': 'tells who builds the program, on standard output',
  'src/build/packages/build.ts': 'the same',
};
const STANDARD_ERROR =
  /\bstderr\s*(?:\?\.|\.)\s*write\b|=\s*process\.stderr\b|\bconsole\.|\bemitWarning\(|\bwriteSync\(2\b/;
const EXPORTED = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type) (\w+)/gm;
/** Packages whose folders still need each other. */
const ROUND_FOLDERS: Readonly<Record<string, string>> = {
  'src/api': 'masking and timestamps stand beside the calls, and the schemas use them',
  'src/domain/logs': 'a block of the order holds its sums, and what arrives passes the filter',
  'src/domain/questions': 'the table of questions stands in the folder of what each of them is made of',
  'src/print': 'what every command prints with stands beside the commands',
  'src/simulator': 'the world that each part makes rows of stands beside the server',
};
const SHAPELESS_FOLDERS = ['utils', 'util', 'common', 'types', 'helpers', 'shared', 'misc', 'lib'];

const files = sourceFiles('src');
const TOUR = readFileSync(join(ROOT, 'src/README.md'), 'utf8');
const layers = readLayers(TOUR);

test('every law of src/README.md is the title of a test, and every test that it names is there', () => {
  const [, section = ''] = /^## Laws\n([\s\S]*?)\n## /m.exec(TOUR) ?? [];
  const laws = [...section.matchAll(/^- (.*?)(?: \(`(test\/[\w/.-]+)`\))?$/gm)];
  const titled = (file: string, title: string) => {
    const text = trackedFiles().includes(file) ? readFileSync(join(ROOT, file), 'utf8') : '';
    return text.includes(`test('${title}'`);
  };
  assert.ok(laws.length > 10, `${laws.length} laws found`);
  assert.deepEqual(
    laws
      .map(([, law = '', file = 'test/architecture.test.ts']) => ({ law, file }))
      .filter(({ law, file }) => !titled(file, law)),
    [],
  );
});

test('every npm package that a layer names has its reason in src/README.md', () => {
  const named = [...layers.values()]
    .filter(({ isRoot }) => !isRoot)
    .flatMap(({ packages }) => [...packages.keys()]);
  const [, section = ''] = /^## npm packages[^\n]*\n([\s\S]*)/m.exec(TOUR) ?? [];
  const reasons = [...section.matchAll(/^- (.+?): ./gm)].flatMap(([, names = '']) => names.split(', '));
  const installed = named.filter((name) => !/^node(?::|$)/.test(name));
  assert.deepEqual(reasons.toSorted(), [...new Set(installed)].sort());
});

test('every folder of src has a layer in the table of src/README.md, and every layer a folder', () => {
  const folders = new Set(files.map(layerName));
  assert.deepEqual(
    [...folders].filter((name) => !layers.has(name)),
    [],
  );
  assert.deepEqual(
    [...layers.keys()].filter((name) => !folders.has(name)),
    [],
  );
});

test('a file imports only from its own folder and the layers below it', () => {
  assert.deepEqual(
    offences((file, layer, { specifier, typeOnly }) => {
      const target = targetOf(file, specifier);
      if (target === null || layer.isRoot) return null;
      const folder = target.split('/')[1] ?? '';
      if (target.startsWith('src/') && folder === layerName(file)) return null;
      return isAllowed(layer.folders.get(folder), typeOnly) && target.startsWith('src/') ? null : target;
    }),
    [],
  );
});

test('a file imports only the npm packages of its layer', () => {
  assert.deepEqual(
    offences((file, layer, { specifier, typeOnly }) => {
      if (targetOf(file, specifier) !== null || layer.isRoot) return null;
      const name = packageName(specifier);
      const rule =
        layer.packages.get(specifier) ?? layer.packages.get(name.startsWith('node:') ? 'node' : name);
      return isAllowed(rule, typeOnly) ? null : specifier;
    }),
    [],
  );
});

test('every import names a file that exists, with its extension', () => {
  const known = new Set(trackedFiles());
  assert.deepEqual(
    offences((file, _, { specifier }) => {
      const target = targetOf(file, specifier);
      return target === null || known.has(target) ? null : target;
    }),
    [],
  );
});

test('no import goes round in a circle, type imports included', () => {
  const targets = files.map((file) => {
    const all = file.imports.flatMap((i) => targetOf(file, i.specifier) ?? []);
    return [file.path, all] as const;
  });
  assert.deepEqual(circles(new Map(targets)), []);
});

test('a package of the domain imports only those above it in the table, and the top level of the domain none of them', () => {
  const inOrder = ['', ...[...TOUR.matchAll(/^\| domain\/([a-z]+) \|/gm)].map(([, name = '']) => name)];
  const packageOf = (path: string) => dirname(path).split('/')[2] ?? '';
  const inDomain = files.filter(({ path }) => path.startsWith('src/domain/'));
  assert.deepEqual([...new Set(inDomain.map(({ path }) => packageOf(path)))].sort(), inOrder.toSorted());
  assert.deepEqual(
    inDomain.flatMap((file) =>
      file.imports
        .map((i) => targetOf(file, i.specifier))
        .filter((target) => target?.startsWith('src/domain/'))
        .filter((target) => inOrder.indexOf(packageOf(target ?? '')) > inOrder.indexOf(packageOf(file.path)))
        .map((target) => `${file.path} imports ${target}`),
    ),
    [],
  );
});

test('a question sees no row of the log', () => {
  const seeing = files.filter(
    ({ path, text }) =>
      path.startsWith('src/domain/questions/') && /\b(?:LogRecord|records?)\b/.test(withoutComments(text)),
  );
  assert.deepEqual(paths(seeing), []);
});

test('a folder holds no more files than are seen at once', () => {
  const held = Map.groupBy(sourceFiles('src'), ({ path }) => dirname(path));
  assert.deepEqual(
    [...held].filter(([, own]) => own.length > FULLEST_FOLDER).map(([folder]) => folder),
    [],
  );
});

test('folders go round in no circle, but for packages that are named with a reason', () => {
  const folders = [...Map.groupBy(files, ({ path }) => dirname(path))].map(([folder, own]) => {
    const targets = own.flatMap((file) => file.imports.flatMap((i) => targetOf(file, i.specifier) ?? []));
    return [folder, targets.map(dirname).filter((target) => target !== folder)] as const;
  });
  const round = circles(new Map(folders)).map((circle) => packageAround(circle[0] ?? ''));
  assert.deepEqual(round.sort(), Object.keys(ROUND_FOLDERS).sort());
});

test('a screen imports of another only what opens it', () => {
  const screenOf = (path: string) => /^src\/screens\/([a-z]+)\//.exec(path)?.[1] ?? null;
  assert.deepEqual(
    offences((file, _, { specifier }) => {
      const target = targetOf(file, specifier);
      const [from, to] = [screenOf(file.path), target === null ? null : screenOf(target)];
      if (target === null || from === null || to === null || from === to) return null;
      return target.endsWith('-open.ts') ? null : target;
    }),
    [],
  );
});

test('only what paints, `ui`, the roots and the table of screens import what paints', () => {
  const isPainting = (path: string) => /^src\/paint\/|\/painting\//.test(path);
  assert.deepEqual(
    offences((file, _, { specifier }) => {
      const target = targetOf(file, specifier);
      if (target === null || !isPainting(target) || isPainting(file.path)) return null;
      return /^src\/(?:ui\/|[a-z]+\.tsx?$|screens\/screens\.ts$)/.test(file.path) ? null : target;
    }),
    [],
  );
});

test('no file is a barrel', () => {
  const barrels = files.filter((file) => {
    const code = withoutComments(file.text).trim();
    const statements = code.split(/;\s*\n/).filter((s) => s.trim() !== '');
    return (
      /^index\.tsx?$/.test(basename(file.path)) ||
      statements.every((s) => /^export\s[\s\S]*\sfrom\s/.test(s.trim()))
    );
  });
  assert.deepEqual(paths(barrels), []);
});

test('every export has a name', () => {
  const nameless = files.filter(({ text }) =>
    /^export\s+default\b|\bas\s+default\b.*\}/m.test(withoutComments(text)),
  );
  assert.deepEqual(paths(nameless), []);
});

test('no two files of src have one name', () => {
  const named = Map.groupBy(files, ({ path }) => stem(path));
  assert.deepEqual(
    [...named].filter(([, of]) => of.length > 1).map(([name, of]) => [name, ...paths(of)]),
    [],
  );
});

test('an exported name means one thing', () => {
  const named = exportedNames();
  const twice = [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, of]) => [name, ...new Set(of.map(({ path }) => path))])
    .filter(([, ...of]) => of.length > 1);
  assert.ok(named.length > 2000, `${named.length} names found`);
  assert.deepEqual(twice, []);
});

test('what a file exports is used by another', () => {
  const words = sourceFiles('src')
    .concat(sourceFiles('test'))
    .map(({ path, text }) => ({ path, words: new Set(text.match(/\w+/g)) }));
  assert.deepEqual(
    exportedNames().filter(
      ({ name, path }) => !words.some((other) => other.path !== path && other.words.has(name)),
    ),
    [],
  );
});

test('files and folders are in kebab case, and no folder is called utils', () => {
  const parts = trackedFiles()
    .filter((path) => /^(src|test)\//.test(path) && /\.tsx?$/.test(path))
    .flatMap((path) => path.split('/').map((part) => ({ path, part })));
  assert.deepEqual(
    parts
      .filter(
        ({ part }) =>
          !/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?(\.tsx?)?$/.test(part) || SHAPELESS_FOLDERS.includes(part),
      )
      .map(({ path }) => path),
    [],
  );
});

test('every property of the tests has the seed of the run', () => {
  const direct = sourceFiles('test').filter(({ imports }) =>
    imports.some(({ specifier }) => specifier === 'fast-check'),
  );
  assert.deepEqual(paths(direct), ['test/support/properties.ts']);
});

test('only `cli.ts` reads the arguments and the environment and ends the process', () => {
  const readers = files
    .filter(({ path }) => path !== 'src/cli.ts' && !path.startsWith('src/build/'))
    .filter(({ text }) => {
      const code = withoutComments(text);
      return (
        /\bprocess\s*(\?\.|\.)\s*(argv0?|env|exit|reallyExit|abort)\b/.test(code) ||
        /\{[^}]*\b(argv|env|exit)\b[^}]*\}\s*from\s*['"](node:)?process['"]/.test(code) ||
        /\{[^}]*\b(argv|env|exit)\b[^}]*\}\s*=\s*(globalThis\.)?process\b/.test(code)
      );
    });
  assert.deepEqual(paths(readers), []);
});

test('only the clock sets a timer or reads the time, but for files that are named with a reason', () => {
  const timekeepers = files.filter(({ text }) => {
    const code = withoutComments(text);
    return TIMERS.test(code) || CLOCKS.test(code);
  });
  assert.deepEqual(paths(timekeepers).sort(), Object.keys(TIMEKEEPERS).sort());
});

test('every way to a timer or the time is seen in a source', () => {
  const ways = [
    'setTimeout(run, 1);',
    'globalThis.setInterval(run, 1);',
    'const { setImmediate } = globalThis;',
    "import { setTimeout as after } from 'node:timers/promises';",
    "import timers from 'node:timers';",
    'AbortSignal.timeout(5)',
    'Atomics.wait(cell, 0, 0, 5);',
    'Date.now()',
    'new Date().toISOString()',
    'performance.now()',
    'process.hrtime.bigint()',
    "import { monitorEventLoopDelay } from 'node:perf_hooks';",
  ];
  assert.deepEqual(
    ways.filter((code) => !TIMERS.test(code) && !CLOCKS.test(code)),
    [],
  );
  const harmless = [
    'new Date(now).toISOString()',
    'Date.parse(text)',
    'clock.after(5, run)',
    'Date.UTC(2026, 1)',
  ];
  assert.deepEqual(
    harmless.filter((code) => TIMERS.test(code) || CLOCKS.test(code)),
    [],
  );
});

test('only `text/say` writes to standard error, but for files that are named with a reason', () => {
  const writers = files.filter(({ text }) => STANDARD_ERROR.test(withoutComments(text)));
  assert.deepEqual(paths(writers).sort(), Object.keys(STANDARD_ERROR_WRITERS).sort());
});

test('every way to standard error is seen in a source', () => {
  const ways = [
    'process.stderr.write(text)',
    'o.stderr\n    .write(text)',
    'stderr?.write(text)',
    'const { write } = process.stderr;',
    'console.error(text)',
    'process.emitWarning(text)',
    'writeSync(2, text)',
  ];
  assert.deepEqual(
    ways.filter((code) => !STANDARD_ERROR.test(code)),
    [],
  );
  const harmless = ['say(o.stderr, text)', 'const { stdin, stderr } = process;', 'writeSync(file, text)'];
  assert.deepEqual(
    harmless.filter((code) => STANDARD_ERROR.test(code)),
    [],
  );
});

test(`no file is longer than ${LONGEST_FILE} lines, but for tables that are named with a reason`, () => {
  const long = files.filter(({ text }) => text.split('\n').length > LONGEST_FILE + 1);
  assert.deepEqual(paths(long).sort(), Object.keys(LONG_FILES).sort());
});

test('each package is installed by its hash and runs no script, and the Node of every platform is one of them', () => {
  type Locked = {
    integrity?: string;
    hasInstallScript?: true;
    os?: string;
    cpu?: string;
    bin?: { node?: string };
    link?: true;
  };
  const locked = ['package-lock.json', 'test/engines/package-lock.json'].map((path) => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as {
      packages: Record<string, Locked>;
    };
    // What is a folder of the checkout comes with it.
    return Object.entries(packages).filter(
      ([at, { link }]) => at.startsWith('node_modules/') && link !== true,
    );
  });
  const [installed = []] = locked;
  const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const unpinned = locked
    .flat()
    .filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  assert.deepEqual(
    unpinned.map(([path]) => path),
    [],
  );
  assert.deepEqual(
    Object.values(allowScripts).filter((allowed) => allowed !== false),
    [],
  );
  const platforms = installed.flatMap(([, { bin, os, cpu }]) => (bin?.node ? [`${os} ${cpu}`] : []));
  assert.deepEqual(platforms.sort(), ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']);
});

test('no tracked file names a package registry or a mirror', () => {
  const host =
    /\b(registr(y|ies)|mirrors?|artifactory|nexus|verdaccio|npmmirror)(\.[a-z0-9-]+)*\.[a-z]{2,}[:/]|"resolved"\s*:\s*"(?!src\/)/i;
  const naming = trackedFiles().filter((path) => host.test(readFileSync(join(ROOT, path), 'latin1')));
  assert.deepEqual(naming, []);
  // Anything else in there could name one, or hold a password for it.
  const settings = readFileSync(join(ROOT, '.npmrc'), 'utf8').split('\n');
  assert.deepEqual(
    settings.filter((line) => line !== '' && !line.startsWith('#')),
    ['loglevel=error'],
  );
});

test('the reader of imports finds static, dynamic, re-exporting and type imports', () => {
  const text = [
    "import './a.ts';",
    "import type { B } from './b.ts';",
    "import { type C, type D } from './c.ts';",
    'import {\n  type E,\n  f,\n} from "./e.ts";',
    "export * from './g.ts';",
    "export type { H } from './h.ts';",
    "const lazy = await import('./i.ts');",
    "type J = import('./j.ts').J;",
    "// import './no.ts';",
    "/* import './no.ts'; */",
  ].join('\n');
  assert.deepEqual(
    importsOf(text).map((i) => `${i.specifier} ${i.typeOnly ? 'type' : 'value'}`),
    [
      './a.ts value',
      './b.ts type',
      './c.ts type',
      './e.ts value',
      './g.ts value',
      './h.ts type',
      './i.ts value',
      './j.ts type',
    ],
  );
});

test('the reader of imports misses none that the bundler finds', async () => {
  const bundle = await build({
    // One entry: as many entries are as many outputs, each with all that is behind it, and 1.4 GB.
    stdin: { contents: files.map(({ path }) => `import './${path}';`).join('\n'), resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    jsx: 'automatic',
    outfile: 'nowhere.js',
    write: false,
    metafile: true,
    logLevel: 'silent',
  }).finally(stop);
  const missed = files.flatMap((file) =>
    (bundle.metafile.inputs[file.path]?.imports ?? [])
      .map((i) => i.original ?? i.path)
      .filter((path) => path !== 'react/jsx-runtime' && !file.imports.some((i) => i.specifier === path))
      .map((path) => `${file.path}: ${path}`),
  );
  assert.deepEqual(missed, []);
});

function exportedNames(): { name: string; path: string }[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ name, path })),
  );
}

function readLayers(readme: string): Map<string, Layer> {
  const table =
    /\| package \| may import \| npm packages \| what it is \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/.exec(
      readme,
    )?.[1] ?? '';
  const rows = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows
      .filter(([names = '']) => !names.includes('/'))
      .flatMap(([names = '', folders = '', packages = '']) => {
        const layer = {
          folders: readRules(folders),
          packages: readRules(packages),
          isRoot: folders === 'anything',
        };
        return names.split(', ').map((name) => [name, layer] as const);
      }),
  );
}

// `a, b (remark), ink (types only), wire types of `c/d`` - a dash or `none` is nothing.
function readRules(cell: string): Map<string, 'all' | 'types'> {
  const names = cell
    .replace(/\((?!types only)[^)]*\)/g, '')
    .split(',')
    .map((name) => name.trim());
  return new Map(
    names
      .filter((name) => !['', '–', 'none', 'anything'].includes(name))
      .map((name) => {
        const isTypes = /\(types only\)|\btypes of\b/.test(name);
        const id = name
          .replace('(types only)', '')
          .replace(/^.*types of/, '')
          .replaceAll('`', '')
          .trim();
        return [id.split('/')[0] === 'api' ? 'api' : id, isTypes ? 'types' : 'all'] as const;
      }),
  );
}

function layerName(file: SourceFile): string {
  const [, folder = '', ...rest] = file.path.split('/');
  return rest.length === 0 ? stem(folder) : folder;
}

function isAllowed(rule: 'all' | 'types' | undefined, typeOnly: boolean): boolean {
  return rule === 'all' || (rule === 'types' && typeOnly);
}

function offences(
  find: (file: SourceFile, layer: Layer, i: SourceFile['imports'][number]) => string | null,
): string[] {
  return files.flatMap((file) => {
    const layer = layers.get(layerName(file));
    if (layer === undefined) return [];
    return file.imports.flatMap((i) => {
      const offence = find(file, layer, i);
      return offence === null ? [] : [`${file.path} imports ${offence}`];
    });
  });
}

/** The strongly connected parts of more than one node, each as its sorted members, and nodes that lead to themselves. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    stack.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!graph.has(target)) continue;
      if (target === node) found.push([node]);
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(node, Math.min(low.get(node) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    if (members.length > 1) found.push(members.sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/** The layer of a folder, or its package of the domain. */
function packageAround(folder: string): string {
  return folder
    .split('/')
    .slice(0, folder.startsWith('src/domain/') ? 3 : 2)
    .join('/');
}

function packageName(specifier: string): string {
  if (builtinModules.includes(specifier)) return `node:${specifier}`;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function stem(path: string): string {
  return basename(path).replace(/\.tsx?$/, '');
}

function paths(some: readonly SourceFile[]): string[] {
  return some.map((file) => file.path);
}
