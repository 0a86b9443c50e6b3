import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyPresses } from '../support/keys.ts';
import type { Platform, PlatformOptions } from '../support/platform.ts';
import { logRows } from './log-screen.ts';

/** How the program is started. */
export type Start = {
  args?: readonly string[];
  columns?: number;
  rows?: number;
  simulator?: PlatformOptions;
  /** A saved log of its own, which is opened. */
  saved?: (world: Platform) => string;
};

/** What a responder comes for, from the first screen or the command line to the answer. */
export type Story = {
  /** In the words of who asks. */
  title: string;
  /** The keys that it took on the tree that `test/README.md` names; null where it could not be done. */
  before: number | null;
  start: Start;
  /** The sentence of README.md that says what to press. */
  told?: string;
  steps: readonly Step[];
};

export type Step =
  | { press: string }
  | { expect: readonly Expectation[] }
  | { meanwhile: (world: Platform) => unknown }
  | { startAgain: Start };

/** What there is to look at: the screen, the truth behind it, what was copied and where files are written. */
export type Scene = { screen: readonly string[]; world: Platform; copied: string; home: string };
export type Expectation = { says: (scene: Scene) => string; holds: (scene: Scene) => boolean };

/** A text that stands by itself, a number as people write it, or what the simulator knows of either. */
export type Word = string | number | RegExp | ((world: Platform) => string | number);

/** Keys, each of which is one press: `keyPresses` says how they are written. */
export const press = (keys: string): Step => ({ press: keys });
export const expect = (...expectations: readonly Expectation[]): Step => ({ expect: expectations });
/** What happens while nobody presses anything. */
export const meanwhile = (does: (world: Platform) => unknown): Step => ({ meanwhile: does });
/** The program is left and started anew by the same user. */
export const startAgain = (start: Start = {}): Step => ({ startAgain: start });

export function story(
  title: string,
  { before, told, ...start }: Start & Pick<Story, 'before' | 'told'>,
  ...steps: readonly Step[]
): Story {
  return { title, before, start, steps, ...(told && { told }) };
}

export function keysOf({ steps }: Story): number {
  return steps.reduce((sum, step) => sum + ('press' in step ? keyPresses(step.press).length : 0), 0);
}

export const titleSays = inLines('the title', ({ screen }) => screen.slice(0, 1));
export const querySays = inLines('the query', ({ screen }) => screen.slice(1, 2));
export const headlineSays = inLines('the headline', ({ screen }) => [headlineOf(screen)]);
export const statusSays = inLines('the status line', ({ screen }) => screen.slice(-2, -1));
export const lastLineSays = inLines('the last line', ({ screen }) => screen.slice(-1));
export const cursorOn = inLines('the cursor', ({ screen }) => screen.filter((line) => line.startsWith('▌')));
export const rowWith = inLines('a row', ({ screen }) => screen.slice(2, -2));
/** Sentences go on in the next line. */
export const screenSays = inLines('the screen', ({ screen }) => [
  screen.map((line) => line.trim()).join(' '),
]);
export const copied = inLines('the clipboard', ({ copied: text }) => [text]);

/** The answer in one sentence, whose first line ends with the place of the cursor. */
export function headlineOf(screen: readonly string[]): string {
  const at = screen.findIndex((line) => / \d[\d,]*\/\d[\d,]* *$/.test(line));
  const end = screen.findIndex((line, n) => n > at && line.trim() === '');
  const lines = at < 0 ? [] : screen.slice(at, end < 0 ? at + 1 : end);
  return lines.map((line) => line.replace(/^▌| +\d[\d,]*\/\d[\d,]* *$/g, '').trim()).join(' ');
}

/** Requests are listed, and all of them have these. */
export const everyRequestHas = (...words: readonly Word[]): Expectation => ({
  says: ({ world }) => `every request has ${told(words, world)}`,
  holds: ({ screen, world }) => {
    const rows = logRows(screen);
    return rows.length > 0 && rows.every((row) => hasAll(row, words, world));
  },
});

/** A file below the home whose name ends so has all of these. */
export const fileHas = (name: string, ...words: readonly Word[]): Expectation =>
  inLines(`a file ${name}`, ({ home }) =>
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith(name))
      .map((path) => readFileSync(join(home, path), 'utf8')),
  )(...words);

/** What needs a sentence of its own. */
export const that = (says: string, holds: (scene: Scene) => boolean): Expectation => ({
  says: () => says,
  holds,
});

/** One line has all the words. */
function inLines(where: string, lines: (scene: Scene) => readonly string[]) {
  return (...words: readonly Word[]): Expectation => ({
    says: ({ world }) => `${where} with ${told(words, world)}`,
    holds: (scene) => lines(scene).some((line) => hasAll(line, words, scene.world)),
  });
}

function hasAll(line: string, words: readonly Word[], world: Platform): boolean {
  return words.every((word) => patternOf(word, world).test(line));
}

function told(words: readonly Word[], world: Platform): string {
  return words.map((word) => `'${typeof word === 'function' ? word(world) : word}'`).join(', ');
}

function patternOf(word: Word, world: Platform): RegExp {
  if (word instanceof RegExp) return word;
  const value = typeof word === 'function' ? word(world) : word;
  const text = typeof value === 'number' ? value.toLocaleString('en') : value;
  // `23` is not said by `1,230` nor by `2.23`.
  const [before, after] = [
    /^\w/.test(text) ? '(?<![\\w]|\\d[,.])' : '',
    /\w$/.test(text) ? '(?!\\w|[,.]\\d)' : '',
  ];
  return new RegExp(`${before}${RegExp.escape(text)}${after}`);
}
