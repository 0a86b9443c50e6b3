import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLive } from '../session/log-screen.ts';
import type { Terminal } from '../support/terminal.ts';

type Step = readonly [keys: string, comes: RegExp | ((screen: readonly string[]) => boolean)];

const title = (screen: readonly string[]): string => screen[0] ?? '';
const isPaused = (screen: readonly string[]) => /PAUSED/.test(title(screen));
const isBack = (screen: readonly string[]) => isLive(screen) || /shop-frontend +(\S.*)?$/.test(title(screen));
const isAnswered = (screen: readonly string[]) =>
  /(READ|PARTIAL, .*|FAILED|CANCELLED .*)$/.test(title(screen));
const isShieldRead = (screen: readonly string[]) =>
  /(COMPLETE|PARTIAL|FAILED|RATE LIMITED|OFFLINE|UNREADABLE|STALE|CANCELLED)/.test(title(screen)) &&
  /last:/.test(screen[1] ?? '');

/** What somebody does who looks at a log for a while: each key, and how the screen shows that it was heard. */
const STEPS: readonly Step[] = [
  ['k', isPaused],
  ['<PgUp><PgUp>', isPaused],
  ['G', isBack],
  ['<Space>', isPaused],
  ['g', isPaused],
  ['<Space>', isBack],
  ['?', /WHAT CAN BE DONE in the log pane/],
  ['<Esc>', isBack],
  ['b', /GROUP BY/],
  ['<Enter>', /> by page/],
  ['js', /> by page/],
  ['<Enter>', /> page:/],
  ['<Esc>', / > by page/],
  ['<Esc>', isBack],
  ['G', isBack],
  ['<Enter>', /> row/],
  ['j<Esc>', isPaused],
  ['G', isBack],
  ['/bot<Enter>', isBack],
  ['n', isBack],
  ['G', isBack],
  ['3', isShieldRead],
  ['j<Enter>', isShieldRead],
  ['<:view-before>', isShieldRead],
  ['2', isBack],
  ['<:misses>', isAnswered],
  ['j', isAnswered],
  ['<Esc>', isBack],
  ['<:compare>', /COST/],
  ['<Esc>', isBack],
  ['<:requests>', /TIME +ASKED/],
  ['q', isBack],
  ['G', isBack],
];

/** An answer to a key may wait for a request that a fault has met, and for the tries after it. */
const PATIENCE = { timeout: 90_000 };
const PROBES = 20;
const DAY = 86_400_000;

/** Presses one key after another; what was not heard is kept with the screen of that moment. */
export class Person {
  readonly unheard: string[] = [];
  pressed = 0;
  #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  async press(): Promise<void> {
    const [keys, comes] = STEPS[this.pressed % STEPS.length] as Step;
    this.pressed += 1;
    await this.#terminal.type(keys);
    await this.#terminal
      .waitFor(typeof comes === 'function' ? comes : (screen) => comes.test(screen.join('\n')), PATIENCE)
      .catch((error: Error) => this.unheard.push(`${keys}: ${error.message}`));
    if (/zones {2,}/.test(title(this.#terminal.screen())))
      throw new Error(`${keys} led out of the log, whose rows are to be counted`);
  }

  /** The rest of the steps, the last of which is back in the live log. */
  async home(): Promise<void> {
    while (this.pressed % STEPS.length !== 0) await this.press();
    await this.#terminal.waitFor(isLive, PATIENCE);
  }

  /** From a key to the screen that it opens, ms, shortest first. */
  async waits(): Promise<number[]> {
    const waits: number[] = [];
    for (let n = 0; n < PROBES; n += 1) {
      const begun = performance.now();
      await this.#terminal.type('?');
      await this.#terminal.waitFor('WHAT CAN BE DONE in the log pane', PATIENCE);
      waits.push(performance.now() - begun);
      await this.#terminal.type('<Esc>');
      await this.#terminal.waitFor(
        (screen) => !screen.join('\n').includes('WHAT CAN BE DONE in the log pane'),
        PATIENCE,
      );
    }
    return waits.sort((a, b) => a - b);
  }

  /** Up to when the screen says that nothing is missing, Unix ms. */
  completeTo(): number {
    const [, time = ''] = /complete until (\d\d:\d\d:\d\d)/.exec(this.#terminal.text()) ?? [];
    const now = new Date();
    const at = Date.parse(`${now.toISOString().slice(0, 10)}T${time}Z`);
    return at > now.getTime() ? at - DAY : at;
  }

  /** Every row that the session holds, and every gap, as its own export has them. */
  async exported(name: string): Promise<Record<string, unknown>[]> {
    await this.#terminal.type('<:export>');
    await this.#terminal.waitFor(/EXPORT the [\d,]+ /, PATIENCE);
    await this.#terminal.type('<Enter>');
    await this.#terminal.waitFor(/^ file: /m, PATIENCE);
    await this.#terminal.type(`<C-u>${name}<Enter>`);
    await this.#terminal.waitFor((screen) => /wrote ([\d,]+) of [\d,]+ /.test(screen.at(-1) ?? ''), PATIENCE);
    return readFileSync(join(this.#terminal.home, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }
}
