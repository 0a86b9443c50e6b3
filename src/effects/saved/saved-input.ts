import { constants, fstatSync, openSync, statSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/**
 * A log to read: an open file, or what others write meanwhile: standard input, a pipe, a socket. `size`: bytes, null
 * where unknown.
 */
export type SavedInput =
  | { kind: 'file'; name: string; path: string; handle: FileHandle; size: number | null }
  | { kind: 'stream'; name: string; stream: Readable; size: null };

/**
 * The progress of an input; `trouble` = why the rest cannot be read, in words. `most`: bytes that it may unpack to,
 * where the user did not name it.
 */
export type ReadProgress = { bytesRead: number; isGzip: boolean; trouble: string | null; most?: number };

export function newProgress(most?: number): ReadProgress {
  return { bytesRead: 0, isGzip: false, trouble: null, ...(most === undefined ? {} : { most }) };
}

/** Why the rest of an input is not read. */
export function unreadable(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return `cannot be read any further (${code ?? message ?? 'unknown error'})`;
}

type OpenedInputs = { ok: true; inputs: SavedInput[] } | { ok: false; message: string; hint: string };

/** The word that stands for standard input. */
const STANDARD_INPUT = '-';

/** Opens all files before reading any; `stdin` is what `-` stands for, null = it is the terminal. */
export async function openInputs(words: readonly string[], stdin: Readable | null): Promise<OpenedInputs> {
  const inputs: SavedInput[] = [];
  for (const word of words) {
    const isTwice = word === STANDARD_INPUT && words.indexOf(word) !== words.lastIndexOf(word);
    const input = isTwice ? TWICE : await opened(word, stdin, inputs.length === 0);
    if (!('message' in input)) {
      inputs.push(input);
      continue;
    }
    await closeInputs(inputs);
    return { ok: false, ...input };
  }
  return { ok: true, inputs };
}

export async function closeInputs(inputs: readonly SavedInput[]): Promise<void> {
  for (const input of inputs) {
    if (input.kind === 'file') await input.handle.close().catch(() => {});
    else input.stream.destroy();
  }
}

/**
 * A file opened for reading. If something else has taken its name, neither this nor a read waits for a writer that
 * may never come: that would hold a thread, without which the program cannot end. No terminal becomes ours by it.
 */
export function openFile(path: string): Promise<FileHandle> {
  return open(path, WITHOUT_WAITING);
}

const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Why a word cannot be opened, and what to do. */
type Refusal = { message: string; hint: string };

const TWICE: Refusal = { message: 'standard input is named twice', hint: 'give - once' };

async function opened(word: string, stdin: Readable | null, isFirst: boolean): Promise<SavedInput | Refusal> {
  try {
    return word === STANDARD_INPUT ? standardInput(stdin) : await named(word);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return { message: sentenceOf(word, code), hint: hintOf(code, isFirst) };
  }
}

function standardInput(stdin: Readable | null): SavedInput | Refusal {
  if (stdin === null)
    return {
      message: 'standard input is the terminal: there is no log in it',
      hint: 'pipe one in, as in zcat day.log.gz | edgescope open -',
    };
  // A stream of a file that is not open yet has no descriptor.
  const { fd } = stdin as { fd?: number | null };
  const found = typeof fd === 'number' ? fstatSync(fd) : undefined;
  if (found?.isCharacterDevice() && !isNull(found)) return endless('standard input');
  return { kind: 'stream', name: 'standard input', stream: stdin, size: null };
}

async function named(word: string): Promise<SavedInput | Refusal> {
  const found = await stat(word);
  if (found.isDirectory())
    return {
      message: `'${word}' is a directory`,
      hint: 'name the files in it, as in edgescope open logs/*.log',
    };
  if (found.isCharacterDevice() && !isNull(found)) return endless(`'${word}'`);
  if (found.isFIFO() || found.isSocket()) {
    const fd = found.isFIFO() ? openSync(word, WITHOUT_WAITING) : descriptorOf(word);
    if (fd === null)
      return {
        message: `'${word}' is a socket, which can only be connected to`,
        hint: 'let another program do that, as in nc -U SOCKET | edgescope open -',
      };
    return {
      kind: 'stream',
      name: word,
      stream: new Socket({ fd, readable: true, writable: false }),
      size: null,
    };
  }
  return {
    kind: 'file',
    name: word,
    path: word,
    handle: await openFile(word),
    size: found.isFile() ? found.size : null,
  };
}

/** The one device that ends. */
function isNull({ rdev }: { rdev: number }): boolean {
  return rdev === statSync('/dev/null').rdev;
}

function endless(name: string): Refusal {
  return {
    message: `${name} is a device, which does not end: there is no log in it`,
    hint: 'name a file, or pipe in a part of it, as in head -n 1000 DEVICE | edgescope open -',
  };
}

/** The descriptor that a path names: that of a socket cannot be opened. Null = none. */
function descriptorOf(word: string): number | null {
  const [, fd] = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(word) ?? (word === '/dev/stdin' ? ['', '0'] : []);
  return fd === undefined ? null : Number(fd);
}

function sentenceOf(word: string, code: string): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return `there is no file '${word}'`;
  if (code === 'EACCES' || code === 'EPERM') return `'${word}' may not be read by you`;
  return `'${word}' cannot be opened (${code || 'unknown error'})`;
}

function hintOf(code: string, isFirst: boolean): string {
  if (code === 'EACCES' || code === 'EPERM') return 'ls -l shows who may';
  return isFirst
    ? 'edgescope open takes files, then the query'
    : "words before the first term are files; free text goes after --, as in: open day.log -- 'union select'";
}
