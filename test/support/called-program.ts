import { spawn } from 'node:child_process';
import { chmodSync, createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { inspect } from 'node:util';
import { createClient } from '../../src/api/client.ts';
import { MemorySlots } from '../../src/api/quota/memory-slots.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import {
  accountFlags,
  answerOf,
  type CommandLine,
  readCommandLine,
} from '../../src/config/command/command-line.ts';
import { directoriesOf } from '../../src/config/directories.ts';
import { traced } from '../../src/config/trace.ts';
import { causeRefused } from '../../src/domain/query/cause-terms.ts';
import { markedLines, parseQuery, type QueryError } from '../../src/domain/query/query-text.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';
import { parseAccountWatch, parseWatch } from '../../src/domain/watch/watch.ts';
import { openJournal } from '../../src/effects/journal.ts';
import { openInputs } from '../../src/effects/saved/saved-input.ts';
import { print, printOpened } from '../../src/headless.ts';
import { toldBy } from '../../src/offline.ts';
import { say } from '../../src/text/say.ts';
import { Secret } from '../../src/text/secret.ts';
import { cleanEnvironment } from './environment.ts';
import type { Platform } from './platform.ts';
import { textTaker } from './text-taker.ts';

/** A call of the program: its words, its exit code, and what it said on standard error. */
export type Call = { words: readonly string[]; code: number; said: string };
/** What a call printed, and its exit code. */
export type Ran = { code: number; stdout: string; stderr: string };
export type ShellRan = { code: number | null; stdout: string; stderr: string; calls: readonly Call[] };

const PACKAGE = { name: 'edgescope', version: '0.1.0', description: '' };

/** How long a command that follows is left alone before it is interrupted, ms of the platform's time. */
const FOLLOWED = 2.5 * 60_000;

/** What a process listens to until it ends, and a call until it is done. */
const HEARD = ['SIGINT', 'SIGTERM', 'uncaughtException'];
type Listener = (signal: string) => void;

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
 * The piped twin in this process over a platform in virtual time: a command costs what it computes. All calls have one home and
 * one ledger of the quota.
 */
export function callingProgram(
  platform: Platform,
  home: string,
  more: Readonly<Record<string, string | undefined>> = {},
) {
  const env: Record<string, string> = {
    ...cleanEnvironment(home, more),
    EDGESCOPE_BASE_URL: platform.baseUrl,
    EDGESCOPE_LOGGING_URL: platform.loggingUrl,
    EDGESCOPE_ORIGIN_ERRORS_URL: platform.originErrorsUrl,
    EDGESCOPE_STORAGE_URL: platform.storageUrl,
    EDGESCOPE_ACCESS_KEY: platform.accessKey,
  };
  const slots = new MemorySlots();
  async function call(words: readonly string[], stdin: Readable | null = null): Promise<Ran> {
    const ran: Ran = { code: 0, stdout: '', stderr: '' };
    const stdout = textTaker((text) => {
      ran.stdout += text;
    });
    const stderr = textTaker((text) => {
      ran.stderr += text;
    });
    ran.code = await called(words, { platform, slots, env, stdin, stdout, stderr });
    return ran;
  }
  return { env, call };
}

/**
 * Runs scripts in a real shell, in which `edgescope` is such a call: quotes, pipes and files are the shell's. `home` has to be
 * the working directory.
 */
export function callingShell(platform: Platform, home: string) {
  const calls = join(home, '.calls');
  const bin = join(home, '.bin');
  for (const folder of [calls, bin]) mkdirSync(folder);
  writeFileSync(join(bin, 'edgescope'), STAND_IN);
  chmodSync(join(bin, 'edgescope'), 0o755);
  const paths = [bin, process.env['PATH'], cleanEnvironment(home)['PATH']];
  const { env, call } = callingProgram(platform, home, {
    // An engine may be a Python package of whoever runs the tests.
    PYTHONPATH: process.env['PYTHONPATH'],
    PATH: paths.join(delimiter),
    CALLS: calls,
  });

  async function run(script: string, more: Record<string, string | undefined> = {}): Promise<ShellRan> {
    const child = spawn('/bin/sh', ['-c', script], {
      cwd: home,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    const done: Call[] = [];
    const answers: Promise<void>[] = [];
    const asked = createInterface({ input: child.stdio[3] as Readable });
    asked.on('line', (place) => {
      answers.push(answer(place).then((each) => void done.push(each)));
    });
    const [stdout, stderr] = await Promise.all([textOfStream(child.stdout), textOfStream(child.stderr)]);
    const code = await new Promise<number | null>((resolve) => {
      if (child.exitCode === null) child.on('exit', resolve);
      else resolve(child.exitCode);
    });
    await Promise.all(answers);
    return { code, stdout, stderr, calls: done };
  }

  async function answer(place: string): Promise<Call> {
    const words = readFileSync(join(place, 'words'), 'utf8').split('\0').slice(0, -1);
    const given = join(place, 'in');
    const ran = await call(words, existsSync(given) ? createReadStream(given) : null).catch(
      // The shell waits for a code, whatever happens here.
      (error: unknown): Ran => ({ code: CRASHED, stdout: '', stderr: `${inspect(error)}\n` }),
    );
    writeFileSync(join(place, 'out'), ran.stdout);
    writeFileSync(join(place, 'err'), ran.stderr);
    await writeFile(join(place, 'code'), `${ran.code}\n`);
    return { words, code: ran.code, said: ran.stderr };
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
  if (answered?.ok === true) return written(stdout, answered.text);
  if (answered !== null) return complain(stderr, answered.message);
  const usage = readCommandLine(words, import.meta, PACKAGE);
  if (!usage.ok) return complain(stderr, usage.message);
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
  if (!query.ok) return complainAt(stderr, line.query, query.error);
  const refused = causeRefused(query.query, line);
  if (refused !== null) return complain(stderr, ...refused);
  const watch = watchOf(line);
  if (watch?.ok === false) return complainAt(stderr, line.until ?? '', watch.error);
  const format = line.format ?? 'ndjson';
  const flags = accountFlags(line, now);
  const printing = { stdout, stderr, clock, line, query: query.query, format, flags };
  if (line.files.length > 0) {
    const opened = await openInputs(line.files, stdin);
    if (!opened.ok) return complain(stderr, opened.message, opened.hint);
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
  const work = () =>
    print({ ...printing, client, watch: watch?.watch ?? null, journal, history, spool, env: {} });
  return traced(line.debug, stderr, () => interruptible(line, platform, work));
}

/** Time passes until the command is done; one that follows is interrupted after a while. */
async function interruptible(
  line: CommandLine,
  platform: Platform,
  work: () => Promise<number>,
): Promise<number> {
  const heard: NodeJS.EventEmitter = process;
  const before = HEARD.flatMap((name) => heard.listeners(name));
  const ending = work();
  const added = HEARD.flatMap((name) =>
    (heard.listeners(name) as Listener[]).flatMap((hear) => (before.includes(hear) ? [] : [{ name, hear }])),
  );
  const interrupt = () => {
    for (const { name, hear } of added) if (name === 'SIGINT') hear(name);
  };
  const cancel = line.follow ? platform.clock.after(FOLLOWED, interrupt) : () => {};
  return platform.ended(ending).finally(() => {
    cancel();
    for (const { name, hear } of added) heard.off(name, hear);
  });
}

function watchOf({ until, command }: CommandLine) {
  if (until === null) return null;
  return command === 'health'
    ? parseAccountWatch(until)
    : parseWatch(until, command === 'shield' ? 'shield' : 'logs');
}

function written(stdout: Writable, text: string): number {
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}

function complain(stderr: Writable, ...lines: readonly string[]): number {
  say(stderr, ...lines);
  return 2;
}

function complainAt(stderr: Writable, text: string, error: QueryError): number {
  return complain(stderr, error.message, ...markedLines(text, error), error.hint);
}

async function textOfStream(stream: Readable | null): Promise<string> {
  let text = '';
  for await (const chunk of stream?.setEncoding('utf8') ?? []) text += chunk;
  return text;
}
