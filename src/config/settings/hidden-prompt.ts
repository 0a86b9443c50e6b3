import type { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import type { Secret } from '../../text/secret.ts';
import type { Clock } from '../../time/clock.ts';
import { LONGEST_SECRET, secretOf } from './credentials.ts';

/** `none`: the user goes on without a key; `interrupted`: Ctrl-C. */
type Prompted = { kind: 'key'; key: Secret } | { kind: 'none' } | { kind: 'interrupted' };

/** The part of a terminal that the prompt needs. */
export type Keyboard = Pick<ReadStream, 'setRawMode' | 'resume' | 'pause' | 'on' | 'off'>;

type Step = 'more' | 'enter' | 'leave' | 'interrupt';

const WORDS = [
  'edgescope: no access key is set.',
  '  Set EDGESCOPE_ACCESS_KEY or a profile (edgescope config check), or look around without one: edgescope --demo',
  '  Or type or paste the key here: it is not shown, not stored, and used by this process alone.',
  '  Enter or Esc continues without a key, Ctrl-C leaves.',
];
const ASK = '  key: ';
/** The rest of a multi-byte key comes at once; Esc comes alone. */
const AFTER_ESC = 50;

/**
 * Reads a key from the terminal without showing it. A key with an invalid character is refused in words that do not
 * quote it, and asked for again. The terminal is restored when this resolves, and what was typed after the Enter is
 * dropped: it was meant for something else.
 */
export async function promptForKey(keyboard: Keyboard, output: Writable, clock: Clock): Promise<Prompted> {
  // Before a word is said: a fast answer or a paste must not be echoed either.
  keyboard.setRawMode(true);
  try {
    output.write(`${WORDS.join('\n')}\n`);
    for (;;) {
      output.write(ASK);
      const { step, typed } = await readLine(keyboard, clock);
      output.write('\n');
      if (step === 'interrupt') return { kind: 'interrupted' };
      if (step === 'leave' || typed === '') return { kind: 'none' };
      const key = secretOf('key', typed, 'the prompt');
      if (key.ok) return { kind: 'key', key: key.value };
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
