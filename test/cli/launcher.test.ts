import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { type IPty, spawn } from '@lydell/node-pty';
import { writeExecutable } from '../../src/build/bundle.ts';
import { executableOf } from '../../src/build/launcher.ts';

// A program that takes the terminal over as the real one does, and does what it is told by its arguments and keys.
const STUB = `
const [what = '', ...rest] = process.argv.slice(2);
if (what === 'print') {
  process.stdout.write(JSON.stringify({ rest, pid: process.pid }));
} else if (what === 'dumps') {
  const { readFileSync } = await import('node:fs');
  const limit = /^Max core file size +(.*?) *bytes/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  process.stdout.write('DUMPS ' + limit + ' ' + readFileSync('/proc/self/coredump_filter', 'utf8') + 'END');
} else if (what === 'libraries') {
  const { execFileSync } = await import('node:child_process');
  const { OF_NODE, LD_LIBRARY_PATH = 'none' } = process.env;
  const ofChild = execFileSync('sh', ['-c', 'echo "\${LD_LIBRARY_PATH-none}"'], { encoding: 'utf8' }).trim();
  process.stdout.write('LIBRARIES ' + [OF_NODE, LD_LIBRARY_PATH, ofChild].join(' ') + ' END');
} else if (what === 'exit') {
  process.exitCode = Number(rest[0]);
} else if (what === 'raw') {
  process.stdin.setRawMode(true);
  process.kill(process.pid, 'SIGUSR2');
  setInterval(() => {}, 1000);
} else if (what === 'read') {
  for await (const chunk of process.stdin) process.stdout.write('<' + chunk + '>');
} else if (what === 'memory') {
  // What is large goes, what is small stays between it: without the launcher's bound all of it would stay.
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--expose-gc');
  const collect = (await import('node:vm')).runInNewContext('gc');
  const swept = async () => { collect(); await new Promise((done) => setTimeout(done, 100)); collect(); };
  for (let n = 0; n < 64; n++) Buffer.alloc(2 ** 20, 1);
  await swept();
  const before = process.memoryUsage.rss();
  const held = () => Math.round((process.memoryUsage.rss() - before) / 2 ** 20);
  const kept = [];
  let large = [];
  for (let n = 0; n < 128; n++) {
    large.push(Buffer.alloc(2 ** 20, 1));
    kept.push(Buffer.alloc(2 ** 16, 1));
  }
  const most = held();
  large = [];
  await swept();
  process.stdout.write('MEMORY ' + most + ' ' + held() + ' ' + kept.length + ' END');
} else if (what === 'rows') {
  await new Promise((done) => setTimeout(done, 3100));
  // The start is over. A hundred megabytes of texts, each of which gives way to another.
  const [kept, size] = [3200, 2 ** 15];
  let [texts, most] = [[], 0];
  for (let n = 0; n < kept * 8; n++) {
    texts[n % kept] = Buffer.alloc(size, n % 251).toString('latin1');
    if (n % 50 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  process.stdout.write('ROWS ' + most / (texts.length * size) + ' END');
} else {
  process.stdin.setRawMode(true);
  process.stdout.write('\\x1b[?1049h\\x1b[?25l\\x1b[?2004h');
  const leave = (code) => {
    process.stdin.setRawMode(false);
    process.stdout.write('\\x1b[?2004l\\x1b[?25h\\x1b[?1049l');
    process.exit(code);
  };
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']) {
    process.on(name, () => { process.stdout.write('GOT-' + name + ' '); if (what !== 'stay') leave(7); });
  }
  process.on('SIGCONT', () => { process.stdin.setRawMode(true); process.stdout.write('RESUMED '); });
  process.stdin.on('data', (keys) => {
    for (const key of String(keys)) {
      if (key === 'q') leave(0);
      if (key === 'a') process.abort();
      if (key === 'z') { process.stdin.setRawMode(false); process.kill(0, 'SIGTSTP'); }
      else process.stdout.write('KEY-' + key + ' ');
    }
  });
  process.stdout.write('READY:' + process.pid + ': ');
}`;
const RESET = [
  '\x1b[?2026l',
  '\x1b[0m',
  '\x1b[r',
  '\x1b[<u',
  '\x1b[?1049l',
  '\x1b[?7h',
  '\x1b[?25h',
  '\x1b[?1007r',
  '\x1b[?2004l',
  '\x1b]8;;\x1b\\',
];

const home = mkdtempSync(join(tmpdir(), 'edgescope launcher '));
const program = join(home, 'bin with spaces', 'edgescope');
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: home,
  PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
};
for (const name of [
  'CI',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'NODE_TEST_CONTEXT',
  'XDG_CACHE_HOME',
])
  delete environment[name];
writeExecutable(program, executableOf(STUB));
const terminals: IPty[] = [];
after(() => {
  for (const terminal of terminals) terminal.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

test('a child that is killed leaves a sane terminal, and the launcher says so', async () => {
  const t = open('sh', ['-c', '"$@"; echo "CODE=$?"; stty -a; echo END', 'sh', program, 'screen']);
  process.kill(await t.childId(), 'SIGKILL');
  const seen = await t.until(/\nEND/);
  for (const sequence of RESET) assert.ok(seen.includes(sequence), JSON.stringify(sequence));
  assert.match(seen, /edgescope: was killed \(KILL\); the terminal was restored\./);
  assert.match(seen, /CODE=137/);
  assert.doesNotMatch(seen, /Killed/);
  assert.match(seen, / icanon\b/);
  assert.match(seen, / echo\b/);
});

test('a crash is told apart from a kill', async () => {
  const t = open('sh', [
    '-c',
    'ulimit -c 0; "$@"; echo "CODE=$?"; stty -a; echo END',
    'sh',
    program,
    'screen',
  ]);
  await t.childId();
  t.type('a');
  const seen = await t.until(/\nEND/);
  assert.match(seen, /edgescope: crashed \(ABRT: out of memory, or a fault of Node itself\)/);
  assert.match(seen, /CODE=134/);
  assert.match(seen, / icanon\b/);
});

test('a terminal that was left raw is restored whatever the end was', async () => {
  const t = open('sh', ['-c', '"$@"; echo "CODE=$?"; stty -a; echo END', 'sh', program, 'raw']);
  const seen = await t.until(/\nEND/);
  assert.match(seen, /edgescope: was ended by a signal \(USR2\); the terminal was restored\./);
  assert.match(seen, /CODE=140/);
  assert.match(seen, / icanon\b/);
});

test('a normal end adds nothing to what the program wrote', async () => {
  const t = open(program, ['screen']);
  await t.childId();
  t.type('q');
  assert.equal(await t.exitCode(), 0);
  assert.ok(t.seen().endsWith(': \x1b[?2004l\x1b[?25h\x1b[?1049l'), JSON.stringify(t.seen()));
  assert.equal(t.seen().split('\x1b[?1049l').length, 2);
  assert.doesNotMatch(t.seen(), /restored/);
});

test('exit codes pass through, on a terminal and in a pipe', async () => {
  for (const code of [0, 1, 2, 3, 4, 130]) {
    assert.equal(run(program, ['exit', String(code)]).status, code);
    assert.equal(await open(program, ['exit', String(code)]).exitCode(), code);
  }
});

test('signals sent to the launcher reach the program, and its code comes back', async () => {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const) {
    const t = open(program, ['screen']);
    await t.childId();
    process.kill(t.id, signal);
    assert.equal(await t.exitCode(), 7, signal);
    assert.match(t.seen(), new RegExp(`GOT-${signal}`));
    assert.doesNotMatch(t.seen(), /restored/);
  }
});

test('a program that stays after a signal is waited for until its real end', async () => {
  const t = open(program, ['stay']);
  await t.childId();
  process.kill(t.id, 'SIGTERM');
  await t.until(/GOT-SIGTERM/);
  process.kill(t.id, 'SIGINT');
  await t.until(/GOT-SIGINT/);
  t.type('xq');
  assert.equal(await t.exitCode(), 0);
  assert.match(t.seen(), /KEY-x/);
});

test('Ctrl-Z stops shell and program together, and both go on after fg', async () => {
  const t = open('bash', ['--norc', '--noprofile', '-i']);
  t.type(`${JSON.stringify(program)} screen\n`);
  await t.childId();
  t.type('z');
  await t.until(/Stopped/);
  t.type('fg; echo "CODE=$?"\n');
  await t.until(/RESUMED/);
  t.type('q');
  await t.until(/CODE=0/);
  t.type('exit\n');
  assert.equal(await t.exitCode(), 0);
});

test('a program on a terminal gives memory back that it took for a moment', async () => {
  const t = open(program, ['memory']);
  const [, most = '', left = ''] = /MEMORY (\d+) (\d+) 128 END/.exec(await t.until(/END/)) ?? [];
  assert.ok(Number(most) >= 128, most);
  assert.ok(Number(left) < Number(most) / 4, `${left} of ${most} MB`);
});

test('on a terminal the memory of rows that went does not pile up to several times that of the rows kept', async () => {
  const t = open(program, ['rows']);
  const [, most = ''] = /ROWS ([\d.]+) END/.exec(await t.until(/END/)) ?? [];
  assert.ok(Number(most) >= 1 && Number(most) < 3, `${most} times`);
});

test('with its output in a pipe the shell becomes Node', () => {
  const { stdout, pid } = run(program, ['print']);
  const printed = JSON.parse(stdout);
  assert.equal(printed.pid, pid);
});

test('arguments, spaces in the path and a link to the file pass through unharmed', () => {
  const link = join(home, 'a link');
  symlinkSync(program, link);
  for (const file of [program, link]) {
    const printed = JSON.parse(run(file, ['print', 'a  b', '', '$HOME', '*', '-x', '--', '"\'']).stdout);
    assert.deepEqual(printed.rest, ['a  b', '', '$HOME', '*', '-x', '--', '"\'']);
  }
});

test('the file runs whatever the package.json beside it says', () => {
  for (const type of ['commonjs', 'module']) {
    const folder = join(home, type);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
    writeExecutable(join(folder, 'edgescope'), executableOf(STUB));
    assert.deepEqual(JSON.parse(run(join(folder, 'edgescope'), ['print', type]).stdout).rest, [type]);
  }
});

test('piped input reaches the program while its output is a terminal', async () => {
  const t = open('sh', ['-c', 'printf data | "$@"', 'sh', program, 'read']);
  assert.equal(await t.exitCode(), 0);
  assert.match(t.seen(), /<data>/);
});

test('a crash leaves no dump, and a dump that is made holds nothing private, on a terminal and in a pipe', {
  skip: existsSync('/proc/self/coredump_filter') ? false : 'only Linux tells',
}, async () => {
  const none = /DUMPS 0 +0\s+0+\s+END/;
  assert.match(run(program, ['dumps']).stdout, none);
  assert.match(await open(program, ['dumps']).until(/END/), none);
});

test('without Node in PATH there is one clear sentence and code 1', () => {
  const { status, stdout, stderr } = run(program, [], { PATH: join(home, 'nothing') });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^edgescope: needs Node 24 or newer, and there is no node in PATH\..*\n$/);
});

test('an older Node, and one of Windows, say one clear sentence and do not run the program', () => {
  const file = join(home, 'old.js');
  // What they say of themselves is all that the check reads.
  for (const [pretence, expected] of [
    [
      'process.versions, "node", { value: "20.19.0" }',
      /^edgescope: needs Node 24 or newer, and the node in PATH is v.*\n$/,
    ],
    ['process, "platform", { value: "win32" }', /^edgescope: runs on Linux and macOS; on Windows: wsl .*\n$/],
  ] as const) {
    const script = executableOf(STUB).launcher.replace(/^#!.*\n/, '');
    writeFileSync(file, `Object.defineProperty(${pretence});\n${script}`);
    const { status, stdout, stderr } = run(process.execPath, [file, 'print']);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, expected);
  }
});

test('compiled code is kept in the cache folder of the user, and the next start takes it from there', () => {
  const folder = join(home, '.cache', 'edgescope');
  rmSync(folder, { recursive: true, force: true });
  const first = run(program, ['print', 'first']).stdout;
  const [name = '', ...more] = readdirSync(folder);
  assert.match(name, /^print\.[0-9a-f]{16}$/);
  assert.deepEqual(more, []);
  const { ino, mode } = statSync(join(folder, name));
  assert.equal(mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(first).rest, ['first']);
  assert.deepEqual(JSON.parse(run(program, ['print', 'second']).stdout).rest, ['second']);
  assert.equal(statSync(join(folder, name)).ino, ino);
});

test('compiled code that is damaged, of another build or of a failed run is not used', () => {
  const folder = join(home, '.cache', 'edgescope');
  run(program, ['print']);
  const kept = () => readdirSync(folder).filter((name) => name.startsWith('print.'));
  const file = join(folder, kept()[0] ?? '');
  const sound = readFileSync(file);
  for (const damage of [Buffer.alloc(0), sound.subarray(0, 99), Buffer.from(sound).fill(7, 200, 260)]) {
    writeFileSync(file, damage);
    assert.deepEqual(JSON.parse(run(program, ['print', 'x']).stdout).rest, ['x']);
    assert.deepEqual(readFileSync(file).length, sound.length);
  }
  const other = join(home, 'other build');
  writeExecutable(other, executableOf(`${STUB};1`));
  run(other, ['print']);
  assert.equal(kept().length, 1);
  assert.notEqual(join(folder, kept()[0] ?? ''), file);
  run(program, ['exit', '4']);
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('exit.')));
});

test('the cache goes where the environment says, and nowhere when it says so', () => {
  const keeps = (env: NodeJS.ProcessEnv, folder: string) => {
    assert.equal(run(program, ['print'], env).status, 0);
    return existsSync(join(home, folder, 'edgescope'));
  };
  assert.ok(keeps({ XDG_CACHE_HOME: join(home, 'xdg') }, 'xdg'));
  assert.ok(!keeps({ XDG_CACHE_HOME: join(home, 'no'), NODE_DISABLE_COMPILE_CACHE: '1' }, 'no'));
});

test('a cache folder that cannot be, or that others may write, is no reason to fail or to make a home', () => {
  const file = join(home, 'a file');
  const open = join(home, 'open');
  writeFileSync(file, '');
  mkdirSync(join(open, 'edgescope'), { recursive: true });
  chmodSync(join(open, 'edgescope'), 0o777);
  for (const folder of [file, open, '/proc/1', 'relative']) {
    assert.equal(run(program, ['print'], { XDG_CACHE_HOME: folder }).status, 0);
  }
  assert.deepEqual(readdirSync(join(open, 'edgescope')), []);
  for (const HOME of [join(home, 'no home'), '', undefined])
    assert.equal(run(program, ['print'], { HOME }).status, 0);
  assert.ok(!existsSync(join(home, 'no home')));
});

test('compiled code runs only from a file of the user, in folders that nobody else can change', (t) => {
  const call = 'JSON.stringify({ rest, pid: process.pid })';
  // V8 takes compiled code for that of a source of the same length.
  const poison = STUB.replace(call, "'poison'".padEnd(call.length));
  const poisonous = join(home, 'poisonous');
  writeExecutable(poisonous, executableOf(poison));
  const base = join(home, 'poisoned');
  const folder = join(base, 'edgescope');
  const elsewhere = join(home, 'elsewhere');
  const keptBy = (file: string) => {
    rmSync(base, { recursive: true, force: true });
    run(file, ['print'], { XDG_CACHE_HOME: base });
    return join(folder, readdirSync(folder).find((name) => name.startsWith('print.')) ?? '');
  };
  const code = readFileSync(keptBy(poisonous));
  const planted = () => {
    const file = keptBy(program);
    writeFileSync(file, code, { mode: 0o600 });
    return file;
  };
  const isRun = () => run(program, ['print'], { XDG_CACHE_HOME: base }).stdout === 'poison';
  planted();
  assert.ok(isRun(), 'what lies in the right place is run, or this test shows nothing');
  const places: Record<string, (file: string) => void> = {
    'a file that others may write': (file) => chmodSync(file, 0o666),
    'a link': (file) => {
      writeFileSync(elsewhere, code, { mode: 0o600 });
      rmSync(file);
      symlinkSync(elsewhere, file);
    },
    'a file with a second name': (file) => linkSync(file, `${elsewhere}-${basename(file)}`),
    'a folder that others may write': () => chmodSync(folder, 0o777),
    'a folder above that others may write': () => chmodSync(base, 0o777),
  };
  if (process.geteuid?.() === 0) {
    places['a file of another user'] = (file) => chownSync(file, 65_534, 65_534);
    places['a folder of another user'] = () => chownSync(folder, 65_534, 65_534);
    places['a folder above of another user'] = () => chownSync(base, 65_534, 65_534);
  } else t.diagnostic('files of another user are left out: only root can make some');
  for (const [where, put] of Object.entries(places)) {
    put(planted());
    assert.ok(!isRun(), where);
  }
});

test('the compile cache of Node itself, which takes code from anybody, is not used', () => {
  const folder = join(home, 'of node');
  assert.equal(run(program, ['print'], { NODE_COMPILE_CACHE: folder }).status, 0);
  assert.ok(!existsSync(folder));
});

test('a program that is gone, of another build or of another user is not run, and one sentence says so', (t) => {
  const folder = join(home, 'two files');
  const file = join(folder, 'edgescope');
  const beside = join(folder, 'edgescope.js');
  const spoil: Record<string, () => void> = {
    'of another build': () => writeFileSync(beside, executableOf(`${STUB};1`).program),
    'a link': () => {
      rmSync(beside);
      symlinkSync(join(dirname(program), 'edgescope.js'), beside);
    },
    gone: () => rmSync(beside),
  };
  if (process.getuid?.() === 0) spoil['of another user'] = () => chownSync(beside, 65_534, 65_534);
  else t.diagnostic('a file of another user is left out: only root can make one');
  for (const [what, act] of Object.entries(spoil)) {
    writeExecutable(file, executableOf(STUB));
    assert.match(run(file, ['print', 'hello']).stdout, /"rest":\["hello"\]/);
    act();
    const { status, stdout, stderr } = run(file, ['print', 'hello']);
    assert.deepEqual([status, stdout], [1, ''], what);
    assert.match(
      stderr,
      /^edgescope: its program is not at \/.*two files\/edgescope\.js, or .*Install edgescope again\.\n$/,
    );
  }
});

test('in a checkout the Node that it installed is used', () => {
  const checkout = join(home, 'checkout');
  const own = join(checkout, 'node_modules/.bin/node');
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, `#!/bin/sh\necho own "$2"\n`);
  chmodSync(own, 0o755);
  writeExecutable(join(checkout, 'dist/edgescope'), executableOf(STUB));
  assert.equal(run(join(checkout, 'dist/edgescope'), ['hello']).stdout, 'own hello\n');
});

/** A program with a Node of its own that tells which one it is, as a portable package has them. */
function portable(name: string): { program: string; node: string } {
  const folder = join(home, name);
  const node = join(folder, 'lib/edgescope/node');
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, '#!/bin/sh\necho brought "$2"\n', { mode: 0o755 });
  const file = join(folder, 'bin/edgescope');
  writeExecutable(file, executableOf(STUB, { node: '../lib/edgescope/node' }));
  return { program: file, node };
}

test('a package runs with the Node that it brought: from any folder, by a link, with nothing in PATH', () => {
  const { program: file } = portable('portable 1');
  const link = join(home, 'linked');
  symlinkSync(file, link);
  for (const name of [file, link]) {
    assert.equal(run(name, ['hello']).stdout, 'brought hello\n');
    assert.equal(run(name, ['hello'], { PATH: '/nonexistent', HOME: undefined }).stdout, 'brought hello\n');
  }
  const beside = spawnSync('./edgescope', ['hello'], { cwd: dirname(file), encoding: 'utf8' });
  assert.equal(beside.stdout, 'brought hello\n');
});

test('a package of another user runs with its own Node, but not with one that a third user put there', {
  skip: process.getuid?.() === 0 ? false : 'only root gives files away',
}, () => {
  const { program: file, node } = portable('portable 2');
  for (const each of [file, `${file}.js`, dirname(node), node]) chownSync(each, 65_534, 65_534);
  assert.equal(run(file, ['print', 'hello']).stdout, 'brought print\n');
  for (const each of [dirname(node), node]) {
    chownSync(each, 65_533, 65_533);
    assert.match(run(file, ['print', 'hello']).stdout, /"rest":\["hello"\]/);
    chownSync(each, 65_534, 65_534);
  }
});

test('the library that a package brings is found by its Node, and by nothing that the program starts', async () => {
  const { program: file, node } = portable('portable 4');
  writeFileSync(node, `#!/bin/sh\nOF_NODE="\${LD_LIBRARY_PATH-none}" exec '${process.execPath}' "$@"\n`);
  const seen = (LD_LIBRARY_PATH?: string) => run(file, ['libraries'], { LD_LIBRARY_PATH }).stdout;
  assert.equal(seen('/users'), 'LIBRARIES /users /users /users END', 'without a library nothing changes');
  writeFileSync(join(dirname(node), 'libatomic.so.1'), '');
  assert.equal(seen(), 'LIBRARIES $ORIGIN none none END');
  assert.equal(seen('/users:/own'), 'LIBRARIES $ORIGIN:/users:/own /users:/own /users:/own END');
  assert.match(await open(file, ['libraries']).until(/END/), /LIBRARIES \$ORIGIN none none END/);
});

test('a package that is installed in one place has its Node at a path of its own', () => {
  const { node } = portable('portable 3');
  const plain = join(mkdtempSync(join(tmpdir(), 'edgescope-')), 'node');
  symlinkSync(node, plain);
  const file = join(home, 'installed');
  writeExecutable(file, executableOf(STUB, { node: plain }));
  assert.equal(run(file, ['hello']).stdout, 'brought hello\n');
  rmSync(dirname(plain), { recursive: true });
  assert.match(run(file, ['print', 'hello']).stdout, /"rest":\["hello"\]/);
  assert.throws(() => executableOf(STUB, { node: "it's" }), /no place/);
});

function run(file: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(file, args, { env: { ...environment, ...env }, encoding: 'utf8' });
}

function open(file: string, args: string[]) {
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  const pty = spawn(file, args, { name: 'xterm', cols: 200, rows: 24, cwd: home, env });
  terminals.push(pty);
  let seen = '';
  let code: number | null = null;
  let check = () => {};
  pty.onData((data) => {
    seen += data;
    check();
  });
  pty.onExit(({ exitCode }) => {
    code = exitCode;
    terminals.splice(terminals.indexOf(pty), 1);
    check();
  });
  const until = (isThere: () => boolean) =>
    new Promise<void>((resolve) => {
      check = () => {
        if (isThere()) resolve();
      };
      check();
    });
  return {
    id: pty.pid,
    type: (keys: string) => pty.write(keys),
    seen: () => seen,
    until: async (pattern: RegExp) => {
      await until(() => pattern.test(seen));
      return seen;
    },
    childId: async () => {
      await until(() => /READY:\d+:/.test(seen));
      return Number(/READY:(\d+):/.exec(seen)?.[1]);
    },
    exitCode: async () => {
      await until(() => code !== null);
      return code;
    },
  };
}
