import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { createQuota } from '../../src/api/quota/quota.ts';
import { accountFlags, readCommandLine } from '../../src/config/command/command-line.ts';
import { directoriesOf } from '../../src/config/directories.ts';
import { viewStore } from '../../src/config/kept/saved-views.ts';
import { hostOf, settingsOf, themeOf } from '../../src/config/settings/settings.ts';
import type { LogHistory } from '../../src/domain/logs/log-history.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';
import { parseWatch } from '../../src/domain/watch/watch.ts';
import { openJournal } from '../../src/effects/journal.ts';
import type { SavedInput } from '../../src/effects/saved/saved-input.ts';
import { LIST_KINDS } from '../../src/lists/account-lists.ts';
import { Secret } from '../../src/text/secret.ts';
import { runTui, type TuiOptions } from '../../src/tui.ts';
import { FakeStdout } from '../terminal/fakes.ts';
import { feed, newEmulator } from '../terminal/frames.ts';
import type { Cell, Emulator, Grid, TerminalEvent } from './emulator.ts';
import { keyPresses } from './keys.ts';
import { openPlatform, type Platform, type PlatformOptions } from './platform.ts';

export type VirtualSessionOptions = {
  args?: readonly string[];
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
  /** HOME; without it a new folder that is removed at the end. */
  home?: string;
  simulator?: PlatformOptions;
  /** Where it asks; a platform of its own without it. */
  platform?: Platform;
  /** The files of `open`, open. */
  saved?: readonly SavedInput[];
  /** A store behind the platform's logs. */
  history?: (platform: Platform) => LogHistory;
  t: { after(close: () => Promise<void>): void };
};

type Condition = string | RegExp | ((screen: string[]) => boolean);

const PROGRAM = { name: 'edgescope', version: '0.0.0', description: '' };
/** As kitty's keyboard protocol has it: a bare Esc is told from the start of a sequence by real time alone. */
const ESC = '\x1b[27u';
/** How much time may pass until what is waited for is on the screen, ms. */
const PATIENCE = 120_000;

/**
 * The program as `tui.ts` puts it together, in this process: on an emulator instead of a terminal, over the simulator
 * without a socket, in time that passes only while something is waited for.
 */
export class VirtualSession {
  readonly platform: Platform;
  readonly #emulator: Emulator;
  readonly #stdout: FakeStdout;
  readonly #stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    isRaw: true,
    setRawMode: () => {},
    ref: () => {},
    unref: () => {},
  });
  readonly #home: string;
  readonly #ownsHome: boolean;
  readonly #ended: Promise<number>;
  #code: number | null = null;
  #written = '';

  constructor(o: VirtualSessionOptions) {
    this.#ownsHome = o.home === undefined;
    this.#home = o.home ?? mkdtempSync(join(tmpdir(), 'edgescope-session-'));
    const size = { columns: o.columns ?? 80, rows: o.rows ?? 24 };
    this.#emulator = newEmulator(size.columns, size.rows);
    this.#emulator.onReply(() => {});
    this.#stdout = new FakeStdout(size.columns, size.rows);
    const options = optionsOf(o, this.#home);
    this.platform = options.platform;
    this.#ended = runTui({
      ...options.tui,
      stdin: this.#stdin as unknown as ReadStream,
      stdout: this.#stdout as unknown as WriteStream,
    });
    void this.#ended.then((code) => {
      this.#code = code;
    });
  }

  get simulator(): Platform {
    return this.platform;
  }

  get home(): string {
    return this.#home;
  }

  /** The exit code, or null while it runs. */
  get ended(): number | null {
    return this.#code;
  }

  get events(): readonly TerminalEvent[] {
    return this.#emulator.events;
  }

  /** The text that the clipboard was asked to take last. */
  get copied(): string {
    const asked = this.events.findLast(({ kind, text }) => kind === 'osc' && text.startsWith('52;c;'));
    return Buffer.from(asked?.text.slice('52;c;'.length) ?? '', 'base64').toString();
  }

  screen(): string[] {
    return this.#emulator.lines();
  }

  text(): string {
    return this.screen().join('\n');
  }

  find(text: string): { x: number; y: number } | null {
    return this.#emulator.find(text);
  }

  cell(x: number, y: number): Cell {
    return this.#emulator.cell(x, y);
  }

  grid(): Grid {
    return this.#emulator.grid();
  }

  /** Everything written so far. */
  output(): string {
    return this.#written;
  }

  /** Key presses as of one read of the terminal, and all that comes of them at once. */
  async type(keys: string): Promise<void> {
    this.#stdin.write(pressesOf(keys).join(''));
    await this.idle();
  }

  /** The same one by one, so many ms apart. */
  async typeSlowly(keys: string, stroke: number): Promise<void> {
    for (const press of pressesOf(keys)) {
      this.#stdin.write(press);
      await this.pass(stroke);
    }
  }

  /** A report of the mouse: 0 is a click, 64 and 65 are the wheel. */
  async point({ x, y }: { x: number; y: number }, button = 0): Promise<void> {
    this.#stdin.write(`\x1b[<${button};${x + 1};${y + 1}M\x1b[<${button};${x + 1};${y + 1}m`);
    await this.idle();
  }

  async paste(text: string): Promise<void> {
    this.#stdin.write(`\x1b[200~${text}\x1b[201~`);
    await this.idle();
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.#emulator.resize(columns, rows);
    this.#stdout.resize(columns, rows);
    await this.idle();
  }

  /** Until nothing is being answered, read or written, no timer is due, and every frame that is due has left. */
  async idle(): Promise<void> {
    await this.platform.rest();
    await this.#show();
  }

  /** Lets `ms` pass, and everything happen that is due by then. */
  async pass(ms: number): Promise<void> {
    const { clock } = this.platform;
    const end = clock.real + ms;
    await this.platform.rest();
    while (clock.next(end)) await this.platform.rest();
    clock.pass(end - clock.real);
    await this.idle();
  }

  /** Lets time pass from one timer to the next until the screen is so, for two minutes at most. */
  async waitFor(condition: Condition, { what = String(condition), timeout = PATIENCE } = {}): Promise<void> {
    const { clock } = this.platform;
    const end = clock.real + timeout;
    for (;;) {
      await this.idle();
      if (this.#holds(condition)) return;
      if (this.#code !== null) throw this.#failure(`the program ended before ${what}`);
      if (!clock.next(end)) throw this.#failure(`${timeout} ms passed without ${what}`);
    }
  }

  /** Lets time pass until nothing has been written for `quiet` ms. */
  async settled(quiet = 100): Promise<void> {
    for (let before = -1; before !== this.#written.length; ) {
      before = this.#written.length;
      await this.pass(quiet);
    }
  }

  /** How it ended, once it has. */
  async exit(): Promise<{ code: number }> {
    const { clock } = this.platform;
    while (this.#code === null) {
      await this.idle();
      if (this.#code === null && !clock.next()) throw this.#failure('nothing is left that could end it');
    }
    return { code: this.#code };
  }

  async close(): Promise<void> {
    if (this.#code === null) {
      this.#stdin.write('\x03');
      await this.exit();
    }
    this.#emulator.dispose();
    if (this.#ownsHome) rmSync(this.#home, { recursive: true, force: true });
  }

  async #show(): Promise<void> {
    const text = this.#stdout.take();
    if (text === '') return;
    this.#written += text;
    await feed(this.#emulator, text);
  }

  #holds(condition: Condition): boolean {
    if (typeof condition === 'function') return condition(this.screen());
    return typeof condition === 'string' ? this.text().includes(condition) : condition.test(this.text());
  }

  #failure(message: string): Error {
    const edge = '-'.repeat(this.#emulator.columns);
    return new Error([message, edge, ...this.screen(), edge].join('\n'));
  }
}

function pressesOf(keys: string): string[] {
  return keyPresses(keys).map((press) => (press === '\x1b' ? ESC : press));
}

/** A session that has painted its first screen. */
export async function openVirtualSession(o: VirtualSessionOptions): Promise<VirtualSession> {
  const session = new VirtualSession(o);
  o.t.after(() => session.close());
  await session.idle();
  return session;
}

/** What `cli.ts` makes of a command line and the environment. */
function optionsOf(
  { args = [], simulator, platform: given, env: more, saved, history }: VirtualSessionOptions,
  home: string,
): { tui: Omit<TuiOptions, 'stdin' | 'stdout'>; platform: Platform } {
  const usage = readCommandLine(args, import.meta, PROGRAM);
  if (!usage.ok) throw new Error(usage.message);
  const line = usage.value;
  const platform = given ?? openPlatform({ seed: 7, rate: 10, incidents: false, ...simulator });
  const { clock } = platform;
  const now = Math.floor(clock.now());
  const subject = line.command === 'shield' ? 'shield' : 'logs';
  const query =
    subject === 'shield' ? parseShieldQuery(line.query, now) : parseQuery(line.query, 'logs', now);
  if (!query.ok) throw new Error(query.error.message);
  const watch = line.until === null ? null : parseWatch(line.until, subject);
  if (watch?.ok === false) throw new Error(watch.error.message);
  const env = {
    HOME: home,
    EDGESCOPE_BASE_URL: platform.baseUrl,
    EDGESCOPE_LOGGING_URL: platform.loggingUrl,
    EDGESCOPE_ORIGIN_ERRORS_URL: platform.originErrorsUrl,
    ...more,
  };
  const credentials = { accessKey: new Secret(platform.accessKey), token: null };
  const settings = settingsOf(env, {}, credentials);
  if (!settings.ok) throw new Error(settings.error.message);
  const theme = themeOf(line.theme, settings.value);
  if (theme === null) throw new Error(`there is no theme ${line.theme}`);
  const directories = directoriesOf(env, home, { demo: false });
  const listed = LIST_KINDS.find((kind) => kind === line.command);
  return {
    platform,
    tui: {
      settings: settings.value,
      quota: createQuota({ clock }),
      theme,
      ascii: line.ascii,
      utc: line.utc,
      demo: line.demo,
      clock,
      over: platform.over,
      wanted:
        line.zone === null || line.command === 'storage'
          ? null
          : { word: line.zone, query: query.query, screen: subject, rows: line.rows },
      resumed: null,
      place: null,
      saved: saved ? { inputs: saved, ahead: null, follow: line.follow, query: query.query } : null,
      history: history?.(platform) ?? null,
      watch: watch?.watch ?? null,
      exec: line.exec,
      env,
      flags: accountFlags(line, now),
      views: viewStore(directories.config, { clock: platform.clock, shared: line.views }),
      directories,
      opening: listed === undefined ? null : { screen: listed, word: line.zone },
      journal: openJournal({ directory: directories.state, host: hostOf(settings.value) }),
      mayWrite: line.write,
      onAction: () => {},
    },
  };
}
