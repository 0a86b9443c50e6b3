import { spawn } from 'node:child_process';
import { chmodSync, createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { inspect } from 'node:util';
import { createClient } from '../../src/api/client.ts';
import { MemorySlots } from '../../src/api/quota/memory-slots.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { accountFlags } from '../../src/config/command/account-flags.ts';
import { answerOf, type CommandLine, readCommandLine } from '../../src/config/command/command-line.ts';
import { directoriesOf } from '../../src/config/directories.ts';
import { traced } from '../../src/config/trace.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { parseAccountWatch } from '../../src/domain/questions/watch/account-watch.ts';
import { parseWatch } from '../../src/domain/questions/watch/watch.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';
import { openJournal } from '../../src/effects/journal.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { print, printOpened } from '../../src/headless.ts';
import { Secret } from '../../src/text/secret.ts';
import { toldBy } from '../../src/told.ts';
import { cleanEnvironment } from './environment.ts';
import type { Platform } from './platform.ts';

/** A call of the program: its words, its exit code, and what it said on standard error. */
export type Call = { words: readonly string[]; code: number; said: string };
export type ShellRan = { code: number | null; stdout: string; stderr: string; calls: readonly Call[] };

const PACKAGE = { name: 'edgescope', version: '0.1.0', description: '' };

/** How long a command that follows is left alone before it is interrupted, ms of the platform's time. */
const FOLLOWED = 2.5 * 60_000;

/** The exit code of a call that threw, as a process has it that ends by an error nobody catches. */
const CRASHED = 7;

/** What stands in the place of the program: hands its words to the test over descriptor 3, and prints what comes back. */
const STAND_IN = `#!/bin/sh
call=$(mktemp -d "$CALLS/XXXXXX") && mkfifo "$call/code" || exit 70
for word; do if [ "$word" = - ]; then cat >"$call/in"; fi; done
printf '%s\\0' "$@" >"$call/words"
echo "$call" >&3
read -r code <"$call/code"
cat "$call/err" >&2
cat "$call/out"
exit "$code"
`;

/**
 * Runs scripts in a real shell, in which `edgescope` is the piped twin of this process over a platform in virtual time: quotes,
 * pipes and files are the shell's, and a command costs what it computes. `home` has to be the working directory.
 */
export function callingShell(platform: Platform, home: string) {
  const calls = join(home, '.calls');
  const bin = join(home, '.bin');
  for (const folder of [calls, bin]) mkdirSync(folder);
  writeFileSync(join(bin, 'edgescope'), STAND_IN);
  chmodSync(join(bin, 'edgescope'), 0o755);
  // An engine may be a Python package of whoever runs the tests.
  const { PATH = '', ...clean } = cleanEnvironment(home, { PYTHONPATH: process.env['PYTHONPATH'] });
  const base = {
    ...clean,
    PATH: [bin, process.env['PATH'], PATH].join(delimiter),
    EDGESCOPE_BASE_URL: platform.baseUrl,
    EDGESCOPE_LOGGING_URL: platform.loggingUrl,
    EDGESCOPE_ORIGIN_ERRORS_URL: platform.originErrorsUrl,
    EDGESCOPE_STORAGE_URL: platform.storageUrl,
    EDGESCOPE_ACCESS_KEY: platform.accessKey,
    CALLS: calls,
  };

  const slots = new MemorySlots();

  async function run(script: string, more: Record<string, string | undefined> = {}): Promise<ShellRan> {
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: home,
      env: { ...base, ...more },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const done: Call[] = [];
    const answers: Promise<void>[] = [];
    const asked = createInterface({ input: child.stdio[3] as Readable });
    asked.on('line', (call) => {
      answers.push(answer(call).then((each) => void done.push(each)));
    });
    const [stdout, stderr] = await Promise.all([textOfStream(child.stdout), textOfStream(child.stderr)]);
    const code = await new Promise<number | null>((resolve) => {
      if (child.exitCode === null) child.on('exit', resolve);
      else resolve(child.exitCode);
    });
    await Promise.all(answers);
    return { code, stdout, stderr, calls: done };
  }

  async function answer(call: string): Promise<Call> {
    const words = readFileSync(join(call, 'words'), 'utf8').split('\0').slice(0, -1);
    const given = join(call, 'in');
    const texts = { out: '', err: '' };
    const code = await called(words, {
      platform,
      slots,
      env: base,
      stdin: existsSync(given) ? createReadStream(given) : null,
      stdout: taking((text) => {
        texts.out += text;
      }),
      stderr: taking((text) => {
        texts.err += text;
      }),
    }).catch((error: unknown) => {
      // The shell waits for a code, whatever happens here.
      texts.err += `${inspect(error)}\n`;
      return CRASHED;
    });
    writeFileSync(join(call, 'out'), texts.out);
    writeFileSync(join(call, 'err'), texts.err);
    await writeFile(join(call, 'code'), `${code}\n`);
    return { words, code, said: texts.err };
  }

  return { run };
}

type Surroundings = {
  platform: Platform;
  /** The ledger of the quota, which all processes of a user share. */
  slots: MemorySlots;
  env: Readonly<Record<string, string>>;
  stdin: Readable | null;
  stdout: Writable;
  stderr: Writable;
};

/** What `cli.ts` makes of a command line in a pipe. */
async function called(words: readonly string[], o: Surroundings): Promise<number> {
  const { platform, env, stdin, stdout, stderr } = o;
  const { clock } = platform;
  const answered = answerOf(words, PACKAGE);
  if (answered !== null) return written(stdout, answered.ok ? answered.text : answered.message, answered.ok);
  const usage = readCommandLine(words, import.meta, PACKAGE);
  if (!usage.ok) return written(stderr, usage.message, false);
  const line = usage.value;
  const directories = directoriesOf(env, process.cwd(), line);
  const start = { env, clock, directories, version: PACKAGE.version, screen: {} };
  const told = await toldBy(line.command === 'doctor' ? { ...line, offline: true } : line, start);
  if (told !== null) {
    stdout.write(told.text);
    return told.exit;
  }
  const now = Math.floor(clock.now());
  const parse =
    line.subject === 'shield' ? parseShieldQuery : (text: string) => parseQuery(text, 'logs', now);
  const query = parse(line.query, now);
  if (!query.ok) return written(stderr, query.error.message, false);
  const watch = watchOf(line);
  if (watch?.ok === false) return written(stderr, watch.error.message, false);
  const format = line.format ?? 'ndjson';
  const flags = accountFlags(line, now);
  const printing = { stdout, stderr, clock, line, query: query.query, format, flags };
  if (line.files.length > 0) {
    const opened = await openInputs(line.files, stdin);
    if (!opened.ok) return written(stderr, opened.message, false);
    return interruptible(line, platform, () => printOpened({ ...printing, inputs: opened.inputs }));
  }
  const client = createClient({
    baseUrl: platform.baseUrl,
    loggingUrl: platform.loggingUrl,
    originErrorsUrl: platform.originErrorsUrl,
    storageUrl: platform.storageUrl,
    credentials: { accessKey: new Secret(platform.accessKey), token: null },
    allowWrites: line.write && line.edit !== null,
    quota: createQuota({ clock, store: o.slots }),
    clock,
    over: platform.over,
  });
  const journal = async () => openJournal({ directory: directories.state, host: 'simulator' });
  const history = async () => null;
  const spool = `${directories.state}/parts`;
  const work = () => print({ ...printing, client, watch: watch?.watch ?? null, journal, history, spool });
  return traced(line.debug, stderr, () => interruptible(line, platform, work));
}

/** Time passes until the command is done; one that follows is interrupted after a while. */
async function interruptible(
  line: CommandLine,
  platform: Platform,
  work: () => Promise<number>,
): Promise<number> {
  const before = new Set(process.listeners('SIGINT'));
  const ending = work();
  const interrupt = () => {
    for (const listener of process.listeners('SIGINT')) if (!before.has(listener)) listener('SIGINT');
  };
  const cancel = line.follow ? platform.clock.after(FOLLOWED, interrupt) : () => {};
  return platform.ended(ending).finally(cancel);
}

function watchOf({ until, command }: CommandLine) {
  if (until === null) return null;
  return command === 'health'
    ? parseAccountWatch(until)
    : parseWatch(until, command === 'shield' ? 'shield' : 'logs');
}

function written(stream: Writable, text: string, isFine: boolean): number {
  stream.write(text.endsWith('\n') ? text : `${text}\n`);
  return isFine ? 0 : 2;
}

function taking(take: (text: string) => void): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}

async function textOfStream(stream: Readable | null): Promise<string> {
  let text = '';
  for await (const chunk of stream?.setEncoding('utf8') ?? []) text += chunk;
  return text;
}
