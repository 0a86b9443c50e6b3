import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '../pty/support.ts';
import { ZONE } from '../session/log-screen.ts';
import { cleanEnvironment } from '../support/environment.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../support/simulator/server.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../support/terminal.ts';
import { until } from '../support/until.ts';

/** One run of the built program with its output in pipes. */
export type Run = {
  child: ChildProcess;
  home: string;
  startedAt: number;
  stdout: () => string;
  stderr: () => string;
  /** Lines of standard output that are whole, parsed. */
  lines: () => Record<string, unknown>[];
  exit: Promise<number | null>;
};

export type RunOptions = {
  args: readonly string[];
  simulator?: Pick<Simulator, 'accessKey' | 'baseUrl' | 'loggingUrl' | 'originErrorsUrl'>;
  env?: Readonly<Record<string, string | undefined>>;
  home?: string;
  /** Given as standard output instead of a pipe. */
  stdout?: number;
};

export const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'edgescope');
export { ZONE };

/** Rows come a moment late and never later: what is missing after that is lost, without six minutes of waiting. */
export const PROMPT_ROWS = [{ share: 1, least: 50, most: 400 }];

/** What one scene has opened, and how it is closed; and what the scene has measured. */
export class Scene {
  readonly seed: number;
  readonly notes: string[] = [];
  /** Everything of which the common checks look at the secrets: outputs, and the files of the homes. */
  readonly seen: { what: string; text: () => string }[] = [];
  readonly simulators: Simulator[] = [];
  #closing: (() => unknown)[] = [];

  constructor(seed: number) {
    this.seed = seed;
  }

  after = (close: () => unknown): void => {
    this.#closing.push(close);
  };

  note(text: string): void {
    this.notes.push(text);
  }

  home(): string {
    const home = mkdtempSync(join(tmpdir(), 'edgescope-fault-'));
    this.seen.push({ what: 'a file of the home', text: () => textOfFiles(home) });
    this.after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }));
    return home;
  }

  async simulate(o: SimulatorOptions = {}): Promise<Simulator> {
    const simulator = await startSimulator({
      seed: this.seed,
      rate: 40,
      incidents: false,
      lateness: PROMPT_ROWS,
      ...o,
    });
    this.simulators.push(simulator);
    this.after(() => simulator.close());
    return simulator;
  }

  run(o: RunOptions): Run {
    const home = o.home ?? this.home();
    const env = cleanEnvironment(home, {
      ...(o.simulator === undefined ? {} : credentials(o.simulator)),
      ...o.env,
    });
    const startedAt = Date.now();
    const child = spawn(PROGRAM, o.args, { env, cwd: home, stdio: ['ignore', o.stdout ?? 'pipe', 'pipe'] });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (data: string) => {
        text[name] += data;
      });
      this.seen.push({ what: name, text: () => text[name] });
    }
    const exit = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
    this.after(() => child.kill('SIGKILL'));
    const parsed: Record<string, unknown>[] = [];
    let read = 0;
    const lines = () => {
      const end = text.stdout.lastIndexOf('\n') + 1;
      for (const line of text.stdout.slice(read, end).split('\n'))
        if (line !== '') parsed.push(JSON.parse(line));
      read = Math.max(read, end);
      return parsed;
    };
    return { child, home, startedAt, stdout: () => text.stdout, stderr: () => text.stderr, lines, exit };
  }

  async screen(o: Partial<TerminalOptions> & { simulator?: Simulator }): Promise<Terminal> {
    const { simulator, ...options } = o;
    const terminal = await openTerminal({
      args: [],
      home: this.home(),
      ...options,
      env: { ...(simulator === undefined ? {} : credentials(simulator)), ...o.env },
    });
    this.after(() => terminal.close());
    this.seen.push({ what: 'the screen', text: () => terminal.output() });
    return terminal;
  }

  async close(): Promise<void> {
    for (const close of this.#closing.reverse()) await close();
  }
}

export async function ended(run: Run): Promise<number | null> {
  let code: number | null | undefined;
  void run.exit.then((value) => {
    code = value;
  });
  await until(() => code !== undefined, `the end of the program; it said ${JSON.stringify(run.stderr())}`);
  return code ?? null;
}

function textOfFiles(folder: string): string {
  let text = '';
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    try {
      if (statSync(path).isFile() && !name.startsWith('secret')) text += readFileSync(path, 'latin1');
    } catch {
      // Gone between the listing and the reading, as lock files are.
    }
  }
  return text;
}
