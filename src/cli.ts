import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import pkg from '../package.json' with { type: 'json' };
import { createClient } from './api/client.ts';
import {
  accountFlags,
  answerOf,
  type CommandLine,
  epochOf,
  isAlwaysPrinted,
  readCommandLine,
  trafficOf,
  USAGE_HINT,
  wantedZone,
} from './config/command/command-line.ts';
import { type Directories, directoriesOf } from './config/directories.ts';
import {
  claimPlace,
  type LostPlace,
  placeFile,
  placesIn,
  resumedLine,
  tidyPlaces,
} from './config/kept/session-places.ts';
import { hostOf, isAsciiLocale, THEME_NAMES, terminalProblem, themeOf } from './config/settings/settings.ts';
import { type Trace, traced } from './config/trace.ts';
import { type Connection, connect, journalOf } from './connect.ts';
import { causeRefused } from './domain/query/cause-terms.ts';
import type { Query } from './domain/query/query.ts';
import { markedLines, parseQuery, type QueryError } from './domain/query/query-text.ts';
import { parseShieldQuery } from './domain/shield/shield-window.ts';
import { parseAccountWatch, parseWatch, type Watch } from './domain/watch/watch.ts';
import type { OpenedLogs } from './effects/saved/saved-ahead.ts';
import type { SavedInput } from './effects/saved/saved-input.ts';
import { LIST_KINDS } from './lists/account-lists.ts';
import { createOutput, unwritten } from './print/output.ts';
import { withRequestNotices } from './print/request-notices.ts';
import { say, sayDefect } from './text/say.ts';
import { systemClock } from './time/clock.ts';

const WRONG_USAGE = 2;
const INTERRUPTED = 130;
const FAILED = 1;

// Left to Node, the signal opens a debugger that any process of the machine may attach to, and the key is in memory.
process.on('SIGUSR1', () => {});

/** The only reader of argv and the environment, and the only one that ends the process. */
process.exit(await main().catch((error) => sayDefect(process.stderr, error)));

/** A start, read and understood. */
type Start = {
  line: CommandLine;
  /** The session to reopen. */
  lost: LostPlace | null;
  query: Query;
  watch: Watch | null;
  /** When the history of the simulator begins, Unix ms. */
  epoch: number;
  directories: Directories;
};

async function main(): Promise<number> {
  const asked = process.argv.slice(2);
  if (asked[0] === 'completion' && asked[1] === '--') {
    const { offersText } = await import('./shell/offers.ts');
    return written(offersText(asked.slice(2)), 0);
  }
  const answer = answerOf(asked, pkg);
  if (answer !== null) return answer.ok ? written(answer.text, 0) : complain(answer.message, USAGE_HINT);
  const start = await startOf(asked);
  if (typeof start === 'number') return start;
  const { line, epoch } = start;
  if (line.command === 'sim') {
    const { runSimulator } = await import('./sim.ts');
    return runSimulator({ ...trafficOf(line, epoch), port: line.port ?? 0 });
  }
  const told = await (await import('./offline.ts')).toldBy(line, {
    env: process.env,
    clock: systemClock,
    directories: start.directories,
    version: pkg.version,
    screen: process.stdout,
  });
  if (told) return written(told.text, told.exit);
  if (line.command === 'store' || line.import)
    return (await import('./stores.ts')).aboutStore(printing(start), process.env);
  const isPrinted = !process.stdout.isTTY || isAlwaysPrinted(line);
  if (isPrinted && line.exec !== null && line.until === null)
    return complain('--exec runs a command with what --until finds: add --until');
  const terminal = isPrinted ? null : terminalProblem(process.env);
  if (terminal) return complain(...terminal);
  const saved = line.files.length > 0 ? await openedLogs(line) : null;
  if (typeof saved === 'number') return saved;
  if (saved !== null && isPrinted)
    return (await import('./headless.ts')).printOpened({ ...printing(start), inputs: saved });
  // The files are read while the screen is loaded and drawn.
  const ahead = saved && (await import('./effects/saved/saved-ahead.ts')).startAhead(saved, systemClock);
  const connected = await connect({ line, epoch, env: process.env, keyboard: () => process });
  if (!connected.ok) {
    if (connected.error === 'interrupted') return INTERRUPTED;
    complain(connected.error.message, connected.error.hint);
    return connected.error.exit;
  }
  try {
    const refused = resumeRefused(start, connected.value);
    if (refused !== null) return complain(...refused);
    return await traced(line.debug, process.stderr, (trace) =>
      line.command === 'mcp'
        ? serveAgents(start, connected.value)
        : isPrinted
          ? printData(start, connected.value, trace)
          : showScreen(start, connected.value, trace, saved && { inputs: saved, ahead }),
    );
  } finally {
    await connected.value.close();
  }
}

/** Reads the arguments and what they name; or the exit code after saying what is wrong with them. */
async function startOf(argv: readonly string[]): Promise<Start | number> {
  const usage = readCommandLine(argv, import.meta, pkg);
  if (!usage.ok) return complain(usage.message, USAGE_HINT);
  const isResuming = usage.value.implicit && usage.value.resume !== null;
  if (isResuming && !process.stdout.isTTY)
    return complain('--resume opens a screen, and this is no terminal');
  const directories = directoriesOf(process.env, process.cwd(), usage.value);
  // The last session that was cut off, of the demo where the demo is asked for.
  const resumed = isResuming
    ? await resumedLine(usage.value, {
        directory: placesIn(directories.state),
        now: Math.floor(systemClock.now()),
        read: (words) => readCommandLine(words, import.meta, pkg),
      })
    : null;
  if (resumed?.ok === false) return complain(resumed.error.message, resumed.error.hint);
  const line = resumed?.value.line ?? usage.value;
  const now = Math.floor(systemClock.now());
  const { subject } = line;
  const query =
    subject === 'shield' ? parseShieldQuery(line.query, now) : parseQuery(line.query, 'logs', now);
  if (!query.ok) return complainAt(line.query, query.error);
  const refused = causeRefused(query.query, line);
  if (refused !== null) return complain(...refused);
  const parse = line.command === 'health' ? parseAccountWatch : (text: string) => parseWatch(text, subject);
  const watched = line.until === null ? null : parse(line.until);
  if (watched?.ok === false) return complainAt(line.until ?? '', watched.error);
  const epoch = epochOf(line, now);
  if (!epoch.ok) return complain(epoch.message);
  return {
    line,
    lost: resumed?.value.lost ?? null,
    query: query.query,
    watch: watched?.watch ?? null,
    epoch: epoch.value,
    directories,
  };
}

/** Why a lost session cannot be resumed over this connection; null where it can, or none is asked for. */
function resumeRefused({ line, lost }: Start, { settings }: Connection): readonly string[] | null {
  const host = hostOf(settings);
  if (lost === null || line.demo || lost.place.host === host) return null;
  return [
    `the lost session asked ${lost.place.host}, and this one would ask ${host}`,
    'set EDGESCOPE_BASE_URL, or the profile, as it was then',
  ];
}

async function serveAgents({ line, epoch }: Start, connection: Connection): Promise<number> {
  const { serve } = await import('./agents.ts');
  const { stdin, stdout, stderr } = process;
  const flags = accountFlags(line, epoch);
  return serve({ stdin, stdout, stderr, clock: systemClock, line, flags, version: pkg.version }, connection);
}

async function printData(
  start: Start,
  { settings, quota }: Connection,
  trace: Trace['write'],
): Promise<number> {
  const { line, directories } = start;
  const client = createClient({
    ...settings,
    quota,
    allowWrites: line.write && line.edit !== null,
    onRequest: withRequestNotices({ quota, stderr: process.stderr, clock: systemClock }, (event) =>
      trace({ type: 'requestSeen', event }),
    ),
  });
  const { print } = await import('./headless.ts');
  return print({
    ...printing(start),
    client,
    history: () => import('./stores.ts').then((stores) => stores.historyStore(line, process.env)),
    spool: `${directories.state}/parts`,
    serviceManager:
      line.command === 'keep'
        ? (await import('./print/keep/service-manager.ts')).serviceManagerOf(process.env)
        : null,
    journal: () => journalOf(directories.state, settings),
  });
}

async function showScreen(
  { line, lost, query, watch, epoch, directories }: Start,
  { settings, quota }: Connection,
  trace: Trace['write'],
  saved: OpenedLogs | null,
): Promise<number> {
  const listed = LIST_KINDS.find((kind) => kind === line.command);
  const theme = themeOf(line.theme, settings);
  if (theme === null)
    return complain(`there is no theme '${line.theme ?? settings.theme}'; themes: ${THEME_NAMES.join(', ')}`);
  const history = await (await import('./stores.ts')).sessionHistory(line, process.env);
  if (history?.ok === false && line.store !== null)
    return complain(history.error.message, history.error.hint);
  const { runTui } = await import('./tui.ts');
  const { viewStore } = await import('./config/kept/saved-views.ts');
  const places = placesIn(directories.state);
  tidyPlaces(places, Math.floor(systemClock.now()));
  if (lost !== null && !claimPlace(places, lost.path))
    return complain('another start has already resumed that session', 'edgescope --resume finds the next');
  return runTui({
    resumed: lost?.place ?? null,
    place: saved === null ? placeFile(places, hostOf(settings)) : null,
    stdin: process.stdin.isTTY ? process.stdin : new ReadStream(openSync('/dev/tty', 'r')),
    stdout: process.stdout,
    settings,
    quota,
    journal: await journalOf(directories.state, settings),
    mayWrite: line.write,
    theme,
    ascii: line.ascii || isAsciiLocale(process.env),
    utc: line.utc,
    demo: line.demo,
    clock: systemClock,
    watch,
    exec: line.exec,
    env: process.env,
    wanted: wantedZone(line, settings, query),
    saved: saved && { ...saved, follow: line.follow, query },
    history: history?.ok ? history.value : null,
    remark: history?.ok === false ? `${history.error.message} ${history.error.hint}` : null,
    flags: accountFlags(line, epoch),
    views: viewStore(directories.config, { clock: systemClock, shared: line.views ?? settings.views }),
    directories,
    opening: listed === undefined ? null : { screen: listed, word: line.zone },
    onAction: trace,
  });
}

function printing({ line, query, watch, epoch }: Start) {
  const { stdout, stderr } = process;
  const format = line.format ?? (stdout.isTTY ? 'table' : 'ndjson');
  const flags = accountFlags(line, epoch);
  return { stdout, stderr, clock: systemClock, line, query, watch, format, flags, env: process.env };
}

/** The exit code, after saying why the output did not take everything; a reader that went away is no error of ours. */
function written(text: string, exit: number): Promise<number> {
  return new Promise((resolve) => {
    const output = createOutput(process.stdout, systemClock, (fault) => {
      if (fault !== null) say(process.stderr, unwritten(fault));
      resolve(fault === null ? exit : FAILED);
    });
    void output.write(text).then(() => resolve(exit));
  });
}

/** The open files of `open`, or the exit code after saying which one cannot be opened. */
async function openedLogs(line: CommandLine): Promise<SavedInput[] | number> {
  const { openInputs } = await import('./effects/saved/saved-input.ts');
  const opened = await openInputs(line.files, process.stdin.isTTY ? null : process.stdin);
  return opened.ok ? opened.inputs : complain(opened.message, opened.hint);
}

function complain(...lines: readonly string[]): number {
  say(process.stderr, ...lines);
  return WRONG_USAGE;
}

function complainAt(text: string, error: QueryError): number {
  return complain(error.message, ...markedLines(text, error), error.hint);
}
