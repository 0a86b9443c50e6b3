import { openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import pkg from '../package.json' with { type: 'json' };
import { createClient } from './api/client.ts';
import { createQuota, type Quota } from './api/quota.ts';
import { SharedSlots } from './api/quota-ledger.ts';
import { type CommandLine, readCommandLine } from './config/command-line.ts';
import type { ConfigError } from './config/config-error.ts';
import { loadSettings } from './config/load.ts';
import { OPTIONS } from './config/program.ts';
import { type Settings, settingsOf } from './config/settings.ts';
import { openTrace } from './config/trace.ts';
import type { Query } from './domain/query.ts';
import { parseQuery } from './domain/query-text.ts';
import type { RequestEvent } from './domain/request-event.ts';
import { parseShieldQuery } from './domain/shield-window.ts';
import { width } from './text/fit.ts';
import { sanitise } from './text/sanitise.ts';

/** Where to ask and with what, from the environment and a profile or from the embedded simulator. */
type Connection = {
  settings: Settings;
  quota: Quota;
  close: () => Promise<void>;
};

type Started<T> = { ok: true; value: T } | { ok: false; code: number };

const WRONG_USAGE = 2;
const USUAL_SEED = 1;
const THEMES = OPTIONS.theme.choices;

/** The only reader of argv and the environment, and the only one that ends the process. */
process.exit(await main());

async function main(): Promise<number> {
  const usage = readCommandLine(process.argv.slice(2), import.meta, pkg);
  if (!usage.ok) return complain(`${usage.message}\n  edgescope --help lists commands and options`);
  const line = usage.value;
  const query =
    line.command === 'shield'
      ? parseShieldQuery(line.query, Date.now())
      : parseQuery(line.query, 'logs', Date.now());
  if (!query.ok) {
    const { column, length, message, hint } = query.error;
    // What was pasted into a query may hold anything; the caret stands below what is shown of it.
    const shown = (from: number, to?: number) => sanitise(line.query.slice(from, to), 'text');
    const caret = `${' '.repeat(width(shown(0, column)))}${'^'.repeat(Math.max(1, width(shown(column, column + length))))}`;
    return complain(`${message}\n  ${shown(0)}\n  ${caret}\n  ${hint}`);
  }
  if (line.command === 'sim') {
    const { runSimulator } = await import('./sim.ts');
    return runSimulator({ port: line.port ?? 0, seed: line.seed ?? USUAL_SEED, rate: line.rate });
  }
  const isPrinted =
    !process.stdout.isTTY ||
    line.format !== null ||
    line.command === 'keys' ||
    line.v1 ||
    line.resume !== null;
  const terminal = isPrinted ? null : terminalProblem();
  if (terminal) return complain(terminal);
  const connected = await connect(line);
  if (!connected.ok) return connected.code;
  const { settings, quota, close } = connected.value;
  try {
    if (isPrinted) {
      const { print } = await import('./headless.ts');
      const trace = openTrace(line.debug);
      if (trace === null) return complain(`cannot write to '${line.debug}', the file of --debug`);
      const onRequest = (event: RequestEvent) => trace.write({ type: 'requestSeen', event });
      const client = createClient({ ...settings, quota, allowWrites: false, onRequest });
      const code = await print({
        stdout: process.stdout,
        stderr: process.stderr,
        format: line.format ?? (process.stdout.isTTY ? 'table' : 'ndjson'),
        client,
        line,
        query: query.query,
      });
      trace.close();
      return code;
    }
    const theme = themeOf(line, settings);
    if (theme === null)
      return complain(`there is no theme '${line.theme ?? settings.theme}'; themes: ${THEMES.join(', ')}`);
    const { runTui } = await import('./tui.tsx');
    const trace = openTrace(line.debug);
    if (trace === null) return complain(`cannot write to '${line.debug}', the file of --debug`);
    const code = await runTui({
      stdin: process.stdin.isTTY ? process.stdin : new ReadStream(openSync('/dev/tty', 'r')),
      stdout: process.stdout,
      settings,
      quota,
      theme,
      ascii: line.ascii || isAsciiLocale(),
      utc: line.utc,
      demo: line.demo,
      wanted: wantedZone(line, settings, query.query),
      onAction: trace.write,
    });
    trace.close();
    return code;
  } finally {
    await close();
  }
}

/** The embedded simulator for `--demo`, else what the environment and the profile say. */
async function connect(line: CommandLine): Promise<Started<Connection>> {
  const flags = { theme: line.theme };
  if (line.demo) {
    const { startDemo } = await import('./sim.ts');
    const demo = await startDemo({ seed: line.seed ?? USUAL_SEED, rate: line.rate });
    const settings = settingsOf({ env: process.env, profile: {}, flags, credentials: demo.credentials });
    if (!settings.ok) return refused(settings.error);
    const quota = createQuota();
    const close = async () => {
      quota.close();
      await demo.close();
    };
    const { baseUrl, loggingUrl } = demo;
    return {
      ok: true,
      value: { settings: { ...settings.value, baseUrl, loggingUrl, proxy: null }, quota, close },
    };
  }
  const settings = await loadSettings({ env: process.env, profile: line.profile, flags });
  if (!settings.ok) return refused(settings.error);
  const quota = createQuota({
    store: new SharedSlots({ runtimeDirectory: settings.value.runtimeDirectory }),
  });
  return { ok: true, value: { settings: settings.value, quota, close: async () => quota.close() } };
}

function wantedZone(line: CommandLine, settings: Settings, query: Query) {
  const word = line.zone ?? (line.implicit ? settings.zone : null);
  const screen = line.command === 'shield' ? ('shield' as const) : ('logs' as const);
  return word === null ? null : { word, query, screen };
}

/** Why no screen can be drawn here; null = it can. */
function terminalProblem(): string | null {
  if (process.env['TERM'] === 'dumb') {
    return 'this terminal cannot place text (TERM=dumb).\n  Use another terminal, or print the data: edgescope zones --format table';
  }
  return null;
}

function themeOf(line: CommandLine, settings: Settings): (typeof THEMES)[number] | null {
  if (!settings.colour && line.theme === null) return 'mono';
  return THEMES.find((name) => name === settings.theme) ?? null;
}

/** True where the locale says that the terminal does not read UTF-8; an unset locale is taken for UTF-8. */
function isAsciiLocale(): boolean {
  const locale = process.env['LC_ALL'] || process.env['LC_CTYPE'] || process.env['LANG'] || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}

function complain(message: string): number {
  process.stderr.write(`edgescope: ${message}\n`);
  return WRONG_USAGE;
}

function refused(error: ConfigError): { ok: false; code: number } {
  process.stderr.write(`edgescope: ${error.message}\n  ${error.hint}\n`);
  return { ok: false, code: error.exit };
}
