import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IPty, spawn } from '@lydell/node-pty';
import { type Cell, Emulator, type EmulatorModes, type Grid, type TerminalEvent } from './emulator.ts';
import { cleanEnvironment } from './environment.ts';
import { keyPresses } from './keys.ts';
import { leafOf, restOf, sessionProcesses, sessionUsage, sleepsOf, type Usage } from './processes.ts';
import { type LinkRate, SlowLink } from './slow-link.ts';

export type TerminalOptions = {
  args: readonly string[];
  /** The program; without it the built one, `dist/edgescope`. */
  command?: string;
  /** Added to a clean environment; undefined takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
  columns?: number;
  rows?: number;
  cwd?: string;
  /** HOME and the parent of the XDG folders; without it a new folder that is removed at the end. */
  home?: string;
  /**
   * Run under a shell that outlives the program, so that the terminal it leaves behind can be looked at; the last
   * output is then the harness's own OSC 7788.
   */
  shell?: boolean;
  /** A line between the program and the emulator, which is as fast as the machine without it. */
  link?: LinkRate;
  /** The test this terminal belongs to: it is closed when the test ends. */
  t?: { after(close: () => Promise<void>): void };
};
export type Exit = { code: number; signal: number | null };
export type Mark = { bytes: number; at: number; chunks: number };
export type Since = { bytes: number; chunks: number; firstMs: number | null; lastMs: number | null };
export type Modes = EmulatorModes & {
  /** Keys reach the program one by one (no line editing); null once the terminal is gone. */
  raw: boolean | null;
  echo: boolean | null;
};
export type Wait = { timeout?: number; what?: string };

const ROOT = join(import.meta.dirname, '..', '..');
const MARK_OSC = 7788;
// The shell ignores what the keyboard sends to the whole group, reports the status and stays.
const OUTLIVING_SHELL = `trap : INT QUIT; "$@"; printf '\\033]${MARK_OSC};%s\\007' "$?"; while read -r line; do :; done`;
// Esc before one of these is the start of a sequence, unless the program has dealt with it before they come.
const SEQUENCE_STARTS: ReadonlySet<string> = new Set(['[', 'O']);
// A guard against what never comes, not a wait: just below that of the test runner, so that the screen is told.
const HANGS_MS = 240_000;
const LOOK_MS = 5;
const STILL_LOOKS = 3;
const living = new Set<Terminal>();
process.once('exit', () => {
  for (const terminal of living) terminal.killAll();
});

/** Starts a program on a real pseudo-terminal whose other end is an xterm emulator. */
export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const terminal = new Terminal(options);
  options.t?.after(() => terminal.close());
  return terminal;
}

/** One program on one terminal. Positions are cells from 0,0 at the top left; times are milliseconds. */
export class Terminal {
  #pty: IPty;
  #emulator: Emulator;
  #home: string;
  #ownsHome: boolean;
  #shell: boolean;
  #chunks: Buffer[] = [];
  #arrivals: number[] = [];
  #bytes = 0;
  #unparsed = 0;
  #exit: Exit | null = null;
  #closed = false;
  #isEscaped = false;
  #sleepsAtWrite = -1;
  readonly #link: SlowLink | null;
  #watchers = new Set<() => void>();
  readonly startedAt: number;

  constructor(o: TerminalOptions) {
    this.#ownsHome = o.home === undefined;
    this.#home = o.home ?? mkdtempSync(join(tmpdir(), 'edgescope-terminal-'));
    this.#shell = o.shell === true;
    const [columns, rows] = [o.columns ?? 80, o.rows ?? 24];
    this.#emulator = new Emulator(columns, rows, MARK_OSC, (status) =>
      this.#ended(shellExit(Number(status))),
    );
    const command = o.command ?? join(ROOT, 'dist', 'edgescope');
    const [file, args] = this.#shell
      ? ['/bin/sh', ['-c', OUTLIVING_SHELL, 'sh', command, ...o.args]]
      : [command, [...o.args]];
    this.startedAt = performance.now();
    const env = cleanEnvironment(this.#home, o.env);
    this.#pty = spawn(file, args, {
      // The library would put a terminal of its own choice into the environment.
      name: env['TERM'] ?? '',
      cols: columns,
      rows,
      cwd: o.cwd ?? this.#home,
      env,
      encoding: null,
    });
    living.add(this);
    this.#emulator.onReply((reply) => this.write(reply));
    // The library's type says string; with `encoding: null` each chunk is a Buffer.
    this.#link =
      o.link === undefined
        ? null
        : new SlowLink(o.link, {
            deliver: (data) => this.#arrived(data),
            hold: () => this.#pty.pause(),
            release: () => this.#pty.resume(),
          });
    this.#pty.onData((data) => {
      const bytes = data as unknown as Buffer;
      if (this.#link === null) this.#arrived(bytes);
      else this.#link.down(bytes);
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      if (this.#closed) return;
      // An empty write comes back after all before it, so the screen is whole when the end is announced.
      this.#emulator.write(new Uint8Array(), () => this.#ended({ code: exitCode, signal: signal || null }));
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get home(): string {
    return this.#home;
  }

  /** Bytes the program has written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How the program ended, or null while it runs. */
  get ended(): Exit | null {
    return this.#exit;
  }

  /** Titles, bells, replies and OSC texts that a real terminal would have acted on, oldest first. */
  get events(): readonly TerminalEvent[] {
    return this.#emulator.events;
  }

  get cursor(): { x: number; y: number } {
    return this.#emulator.cursor;
  }

  screen(): string[] {
    return this.#emulator.lines();
  }

  text(): string {
    return this.screen().join('\n');
  }

  mainScreen(): string[] {
    return this.#emulator.mainLines();
  }

  cell(x: number, y: number): Cell {
    return this.#emulator.cell(x, y);
  }

  /** The first cell of the first place where `text` stands. */
  styleAt(text: string): Cell {
    const at = this.#emulator.find(text);
    if (at === null) throw new Error(`"${text}" is not on the screen\n${this.#picture()}`);
    return this.cell(at.x, at.y);
  }

  grid(): Grid {
    return this.#emulator.grid();
  }

  find(text: string): { x: number; y: number } | null {
    return this.#emulator.find(text);
  }

  /** Everything the program wrote, as it came. */
  output(since?: Mark): string {
    return Buffer.concat(this.#chunks.slice(since?.chunks ?? 0)).toString('utf8');
  }

  /** Sends key presses in one write: text, and names such as `<Enter>` or `<C-d>`. */
  async type(keys: string): Promise<void> {
    let run = '';
    for (const press of keyPresses(keys)) {
      if (SEQUENCE_STARTS.has(press)) {
        if (run !== '') this.write(run);
        run = '';
        if (this.#isEscaped) await this.settled();
      }
      run += press;
      this.#isEscaped = press === '\x1b';
    }
    if (run !== '') this.write(run);
  }

  /** Sends text as a terminal sends a paste: bracketed when the program asked for it. */
  paste(text: string): void {
    this.write(this.#emulator.modes().bracketedPaste ? `\x1b[200~${text}\x1b[201~` : text);
  }

  write(raw: string): void {
    if (this.#closed) return;
    this.#sleepsAtWrite = sleepsOf(this.#program());
    if (this.#link === null) this.#pty.write(raw);
    else this.#link.up(() => this.#pty.write(raw));
  }

  /**
   * Resolves at the first whole frame for which `condition` holds: a text, a pattern over the screen's lines, or a
   * predicate. Rejects with the screen where it never comes, or the program ends without it.
   */
  waitFor(
    condition: string | RegExp | ((screen: string[], terminal: Terminal) => boolean),
    wait: Wait = {},
  ): Promise<void> {
    const holds = () => {
      if (this.#emulator.modes().synchronised) return false;
      if (typeof condition === 'function') return condition(this.screen(), this);
      return typeof condition === 'string' ? this.text().includes(condition) : condition.test(this.text());
    };
    return this.#until(holds, wait.what ?? String(condition), wait.timeout ?? HANGS_MS);
  }

  /**
   * Resolves when the program has dealt with all that it was sent: it has run since then, sleeps, wakes by itself no
   * sooner than `forMs`, and what it wrote is on the screen. Its frames are at most a tenth of a second apart.
   */
  async settled(forMs = 120): Promise<void> {
    const guard = performance.now() + HANGS_MS;
    let before = { sleeps: -1, bytes: -1 };
    for (let looks = 0; looks < STILL_LOOKS; ) {
      if (this.#exit !== null || this.#closed) return;
      if (performance.now() > guard) throw this.#failure('the program never came to rest');
      // The kernel hands bytes from one end of the terminal to the other in a thread of its own.
      await sleep(LOOK_MS);
      const rest = restOf(this.#program());
      const now = { sleeps: rest?.sleeps ?? -1, bytes: this.#bytes };
      const isDone =
        now.sleeps > this.#sleepsAtWrite && (rest?.wakesIn ?? forMs) >= forMs && this.#unparsed === 0;
      looks = isDone && now.sleeps === before.sleeps && now.bytes === before.bytes ? looks + 1 : 0;
      before = now;
    }
  }

  /** Resolves when the program has settled and then woken by itself `times` times, or only waits for what comes from outside. */
  async idled(times = 3): Promise<void> {
    await this.settled();
    const from = sleepsOf(this.#program());
    while (sleepsOf(this.#program()) < from + times) {
      const rest = restOf(this.#program());
      if (rest !== null && rest.wakesIn === null) return;
      await sleep(LOOK_MS);
    }
  }

  /** Resolves when the program has written nothing for `quietMs`: for what is measured, of any program. */
  async quiet(quietMs: number): Promise<void> {
    for (;;) {
      const quietFor = performance.now() - (this.#arrivals.at(-1) ?? this.startedAt);
      if (quietFor >= quietMs && this.#unparsed === 0) return;
      await sleep(Math.max(1, quietMs - quietFor));
    }
  }

  mark(): Mark {
    return { bytes: this.#bytes, at: performance.now(), chunks: this.#chunks.length };
  }

  /** What was written after a mark; times count from the mark. */
  since(mark: Mark): Since {
    const first = this.#arrivals[mark.chunks];
    const last = this.#arrivals.at(-1);
    const none = first === undefined || last === undefined;
    return {
      bytes: this.#bytes - mark.bytes,
      chunks: this.#chunks.length - mark.chunks,
      firstMs: none ? null : first - mark.at,
      lastMs: none ? null : last - mark.at,
    };
  }

  /** Tells the program, as a window does. A size of 0 is possible, and leaves the emulator as it was. */
  resize(columns: number, rows: number): void {
    if (columns > 0 && rows > 0) {
      this.#emulator.resize(columns, rows);
      this.#pty.resize(columns, rows);
    } else {
      execFileSync('stty', ['-F', this.#device, 'cols', String(columns), 'rows', String(rows)]);
    }
  }

  modes(): Modes {
    return { ...this.#emulator.modes(), ...this.#lineModes() };
  }

  /** Stops reading, as an SSH connection that stalls: the kernel's buffer fills and the program's writes block. */
  pause(): void {
    this.#pty.pause();
  }

  resume(): void {
    this.#pty.resume();
  }

  /** CPU and memory of the program and its children. */
  usage(): Usage {
    return sessionUsage(this.pid);
  }

  /** Signals the program (the last process behind any launcher), or the first with `of: 'launcher'`. */
  kill(signal: NodeJS.Signals, of: 'program' | 'launcher' = 'program'): void {
    process.kill(of === 'launcher' ? this.#first() : this.#program(), signal);
  }

  /** What was started, which is the launcher of the built program. */
  #first(): number {
    if (!this.#shell) return this.pid;
    return sessionProcesses(this.pid).find((p) => p.parent === this.pid)?.pid ?? this.pid;
  }

  #program(): number {
    return leafOf(this.pid, this.#first());
  }

  /** Closes the window under the program: the kernel hangs up, and nothing can be read or written any more. */
  hangUp(): void {
    (this.#pty as unknown as { _socket: { destroy(): void } })._socket.destroy();
  }

  /** Resolves when the program has ended and all it wrote is on the screen. */
  async exit(timeout = HANGS_MS): Promise<Exit> {
    await this.#until(() => this.#exit !== null, 'the program to end', timeout);
    return this.#exit as Exit;
  }

  /** Hangs up; kills what does not end by itself. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#link?.close();
    this.killAll();
    living.delete(this);
    (this.#pty as unknown as { destroy(): void }).destroy();
    this.#emulator.dispose();
    this.#changed();
    if (this.#ownsHome) rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Kills every process of the terminal's session at once. */
  killAll(): void {
    for (const { pid } of sessionProcesses(this.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself meanwhile.
      }
    }
  }

  get #device(): string {
    return (this.#pty as unknown as { ptsName: string }).ptsName;
  }

  #arrived(data: Buffer): void {
    if (this.#closed) return;
    this.#arrivals.push(performance.now());
    this.#chunks.push(data);
    this.#bytes += data.length;
    this.#unparsed += data.length;
    this.#emulator.write(data, () => {
      this.#unparsed -= data.length;
      this.#changed();
    });
  }

  #ended(exit: Exit): void {
    this.#exit ??= exit;
    this.#changed();
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #until(holds: () => boolean, what: string, timeout: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const finish = (error?: Error) => {
      clearTimeout(timer);
      this.#watchers.delete(check);
      if (error === undefined) resolve();
      else reject(error);
    };
    const check = () => {
      try {
        if (holds()) finish();
        else if (this.#exit !== null || this.#closed)
          finish(this.#failure(`the program ended before ${what}`));
      } catch (error) {
        finish(error as Error);
      }
    };
    const timer = setTimeout(() => finish(this.#failure(`waited ${timeout} ms for ${what}`)), timeout);
    this.#watchers.add(check);
    check();
    return promise;
  }

  #lineModes(): { raw: boolean | null; echo: boolean | null } {
    try {
      const settings = execFileSync('stty', ['-F', this.#device, '-a'], { encoding: 'utf8', stdio: 'pipe' });
      return { raw: /(^|\s)-icanon\b/.test(settings), echo: /(^|\s)echo\b/.test(settings) };
    } catch {
      return { raw: null, echo: null };
    }
  }

  #failure(message: string): Error {
    return new Error(`${message}\n${this.#picture()}`);
  }

  #picture(): string {
    const state = this.#exit === null ? 'running' : `ended with ${JSON.stringify(this.#exit)}`;
    const edge = '-'.repeat(this.#emulator.columns);
    return [`${state}, ${this.#bytes} bytes written`, edge, ...this.screen(), edge].join('\n');
  }
}

// A shell reports death by a signal as 128 plus its number.
function shellExit(status: number): Exit {
  return status > 128 ? { code: status, signal: status - 128 } : { code: status, signal: null };
}
