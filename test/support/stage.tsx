import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { render } from 'ink';
import { Profiler } from 'react';
import { update } from '../../src/loop/update.ts';
import { createLook, type Look } from '../../src/paint/theme.ts';
import { layoutOf } from '../../src/state/list/screen-layout.ts';
import type { Action, Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { TerminalScreen } from '../../src/terminal/cell-screen.ts';
import { App, type Stage as AppStage } from '../../src/ui/app.tsx';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { promptWindow } from '../../src/ui/components/prompt-window.ts';
import { createFrames } from '../../src/ui/frames.ts';
import { FakeStdout } from '../terminal/fakes.ts';
import { feed, newEmulator } from '../terminal/frames.ts';
import type { Emulator } from './emulator.ts';
import { keyPresses } from './keys.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What one press of a key has cost so far. */
export type Costs = {
  /** Changes of the tree that React carried out. */
  commits: number;
  /** Whole frames that Ink laid out. */
  layouts: number;
  /** Bodies made past React. */
  bodies: number;
  /** Frames that were written to the terminal. */
  frames: number;
};

/**
 * The program's screen in this process, as `tui.ts` puts it together, without requests: keys go in as bytes, frames
 * come out on an emulator, and whatever else happens is told by `dispatch`.
 */
export class Stage {
  readonly emulator: Emulator;
  readonly look: Look;
  readonly effects: Effect[] = [];
  readonly costs: Costs = { commits: 0, layouts: 0, bodies: 0, frames: 0 };
  /** Everything written so far. */
  written = '';
  state: State;
  /** Moves from one callback to the next, with a turn of the event loop between them, as the real time has. */
  readonly #clock = new VirtualClock();
  readonly #stdout: FakeStdout;
  readonly #stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => {},
    ref: () => {},
    unref: () => {},
  });
  readonly #screen;
  readonly #frames;
  readonly #ink;

  constructor(state: State, o: { stdout?: FakeStdout; onGone?: () => void } = {}) {
    const { columns, rows } = state.size;
    this.state = state;
    this.look = createLook('default', false, true);
    this.emulator = newEmulator(columns, rows);
    this.emulator.onReply(() => {});
    this.#stdout = o.stdout ?? new FakeStdout(columns, rows);
    this.#screen = new TerminalScreen({
      stdout: this.#stdout.asStdout(),
      clock: this.#clock,
      ...(o.onGone ? { onGone: o.onGone } : {}),
    });
    this.#frames = createFrames({
      current: () => this.state,
      sink: this.#screen,
      paintChrome: (now) => this.#paintChrome(now),
      paintBody: (now) => this.#paintBody(now),
      placeCursor: (now) => this.#placeCursor(now),
      clock: this.#clock,
    });
    this.#screen.start();
    const write = this.#screen.inkStdout.write.bind(this.#screen.inkStdout);
    this.#screen.inkStdout.write = ((...args: Parameters<typeof write>) => {
      this.costs.layouts += 1;
      return write(...args);
    }) as typeof write;
    const stage: AppStage = {
      painted: this.#frames,
      look: () => this.look,
      current: () => this.state,
      dispatch: (action) => this.dispatch(action),
    };
    this.#ink = render(
      <Profiler
        id="app"
        onRender={() => {
          this.costs.commits += 1;
        }}
      >
        <App stage={stage} />
      </Profiler>,
      {
        stdout: this.#screen.inkStdout,
        stdin: this.#stdin as unknown as ReadStream,
        debug: true,
        exitOnCtrlC: false,
        patchConsole: false,
        interactive: true,
      },
    );
  }

  dispatch(action: Action): void {
    const [next, effects] = update(this.state, action, this.state.now);
    this.state = next;
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.type === 'copy') this.#screen.copy(effect.text);
      if (effect.type === 'notify') this.#screen.notify('\x07');
    }
    this.#frames.changed(action);
  }

  /** Another state altogether, drawn from nothing. */
  async show(state: State): Promise<void> {
    this.state = state;
    this.#screen.redraw();
    await this.settle();
  }

  /** One press, and everything that comes of it. */
  press(keys: string): Promise<Costs> {
    return this.costOf(async () => {
      for (const bytes of keyPresses(keys)) {
        this.#stdin.write(bytes);
        // A lone Esc is told from the start of a sequence by time alone.
        if (bytes === '\x1b') await new Promise((resolve) => setTimeout(resolve, ESC_MS));
      }
    });
  }

  /** What it costs until everything that comes of it is on the screen. */
  async costOf(work: () => unknown): Promise<Costs> {
    const before = { ...this.costs, frames: this.#screen.stats.frames };
    await work();
    await this.settle();
    const { commits, layouts, bodies } = this.costs;
    return {
      commits: commits - before.commits,
      layouts: layouts - before.layouts,
      bodies: bodies - before.bodies,
      frames: this.#screen.stats.frames - before.frames,
    };
  }

  /** Lets React commit and frames leave until neither has anything left. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#clock.next()) quiet = 0;
    }
    const text = this.#stdout.take();
    this.written += text;
    await feed(this.emulator, text);
  }

  async close(): Promise<void> {
    this.#ink.unmount();
    let isStopped = false;
    const stopping = this.#screen.stop().finally(() => {
      isStopped = true;
    });
    // A terminal that takes nothing is waited for, and in this clock time passes by itself nowhere.
    while (!isStopped) {
      await new Promise((resolve) => setImmediate(resolve));
      this.#clock.next();
    }
    await stopping;
    this.emulator.dispose();
  }

  #paintChrome(state: State): void {
    const { link, ...parts } = chromeLines(state, this.look);
    this.#screen.setLink(link);
    for (const [id, { y, lines }] of Object.entries(parts)) {
      const rect = { x: 0, y, width: state.size.columns, height: lines.length };
      this.#screen.setRegion(id, rect, lines);
    }
  }

  #paintBody(state: State): void {
    this.costs.bodies += 1;
    const { body } = layoutOf(state);
    const lines = bodyLines(state, this.look);
    const rect = { x: 0, y: body.y, width: state.size.columns, height: body.height };
    if (lines) this.#screen.setRegion('body', rect, lines);
    else this.#screen.clearRegion('body');
  }

  #placeCursor(state: State): void {
    this.#screen.setCursor(
      state.prompt
        ? {
            x: Math.min(promptWindow(state.prompt, state.size.columns).cursor, state.size.columns - 1),
            y: layoutOf(state).bottom,
          }
        : null,
    );
  }
}

/** Longer than Ink waits for the second byte of an escape sequence. */
const ESC_MS = 60;
/** Turns of the event loop in which nothing was left to do. */
const QUIET_TURNS = 4;
