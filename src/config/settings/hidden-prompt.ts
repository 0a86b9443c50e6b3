import type { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { inScreenText } from '../../text/sanitise.ts';
import type { Clock } from '../../time/clock.ts';
import type { Environment } from '../config-error.ts';
import { type Credentials, LONGEST_SECRET, NO_CREDENTIALS, secretOf } from './credentials.ts';
import { cliFile, OF_KEY, OF_TOKEN } from './least-key.ts';

/** With none the user goes on without one; `interrupted`: Ctrl-C. */
type Prompted = Credentials | 'interrupted';

/** The part of a terminal that the prompt needs. */
export type Keyboard = Pick<ReadStream, 'setRawMode' | 'resume' | 'pause' | 'on' | 'off'>;

type Step = 'more' | 'enter' | 'leave' | 'interrupt';

/** Lines of at most 80 cells, but for a long path. `cli`: a file of the platform's own CLI, which has a key. */
function wordsFor(cli: string | null): string {
  const lines = [
    'edgescope: no credential is set.',
    `  Enough for ${OF_TOKEN}:`,
    '    EDGESCOPE_TOKEN, a logging token; then: edgescope logs 123456',
    `  for ${OF_KEY}:`,
    '    EDGESCOPE_ACCESS_KEY, or a profile of config.json',
    ...(cli === null ? [] : [`    edgescope --profile bunny:default, with the key in ${cli}`]),
    '  to look around without any: edgescope --demo',
    'Or type or paste either here: it is not shown, not stored, and used by this',
    'process alone. Enter or Esc continues without one, Ctrl-C leaves.',
  ];
  return lines.map((line) => `${inScreenText(line)}\n`).join('');
}

const ASK = '  token or key: ';
/** What a token looks like, and no key. */
const JWT = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
/** The rest of a multi-byte key comes at once; Esc comes alone. */
const AFTER_ESC = 50;

/**
 * Reads a token or a key from the terminal without showing it. One with an invalid character is refused in words that do not
 * quote it, and asked for again. The terminal is restored when this resolves, and what was typed after the Enter is
 * dropped: it was meant for something else.
 */
export async function promptForKey(
  keyboard: Keyboard,
  output: Writable,
  clock: Clock,
  env: Environment,
): Promise<Prompted> {
  // Before a word is said: a fast answer or a paste must not be echoed either.
  keyboard.setRawMode(true);
  try {
    output.write(wordsFor(cliFile(env)));
    for (;;) {
      output.write(ASK);
      const { step, typed } = await readLine(keyboard, clock);
      output.write('\n');
      if (step === 'interrupt') return 'interrupted';
      if (step === 'leave' || typed === '') return NO_CREDENTIALS;
      const key = secretOf('key', typed, 'the prompt');
      if (key.ok) return { ...NO_CREDENTIALS, [JWT.test(typed) ? 'token' : 'accessKey']: key.value };
      output.write(`  ${key.error.message} ${key.error.hint}\n`);
    }
  } finally {
    keyboard.setRawMode(false);
  }
}

function readLine(keyboard: Keyboard, clock: Clock): Promise<{ step: Exclude<Step, 'more'>; typed: string }> {
  const decoder = new TextDecoder();
  const { promise, resolve } = Promise.withResolvers<{ step: Exclude<Step, 'more'>; typed: string }>();
  let typed = '';
  let isEscaped = false;
  let cancelLeave = () => {};

  const end = (step: Exclude<Step, 'more'>) => {
    cancelLeave();
    keyboard.off('data', read);
    keyboard.off('end', gone);
    keyboard.pause();
    resolve({ step, typed });
  };
  const gone = () => end('leave');
  const read = (chunk: Buffer) => {
    cancelLeave();
    const text = (isEscaped ? '\x1b' : '') + decoder.decode(chunk, { stream: true });
    isEscaped = text.endsWith('\x1b');
    for (const character of keysOf(isEscaped ? text.slice(0, -1) : text)) {
      const step = stepOf(character);
      if (step !== 'more') return end(step);
      typed = edited(typed, character);
    }
    if (isEscaped) cancelLeave = clock.after(AFTER_ESC, () => end('leave'));
  };
  keyboard.on('data', read);
  keyboard.on('end', gone);
  keyboard.resume();
  return promise;
}

/** Characters, without what arrows and other keys send; an Esc before anything else stands alone. */
function keysOf(text: string): string[] {
  return [...text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/g, '')];
}

function stepOf(character: string): Step {
  if (character === '\r' || character === '\n') return 'enter';
  if (character === '\x1b' || character === '\x04') return 'leave';
  return character === '\x03' ? 'interrupt' : 'more';
}

/** Backspace removes the last character, Ctrl-U all; anything else is part of the key, refused as a whole. */
function edited(typed: string, character: string): string {
  if (character === '\x7f' || character === '\b') return typed.slice(0, -1);
  if (character === '\x15') return '';
  // One more than the longest, so that it is refused for its length.
  return typed.length > LONGEST_SECRET ? typed : typed + character;
}
