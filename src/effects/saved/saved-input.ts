import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A log to be read: a file that is open, or standard input. `size`: bytes, null where it is not known. */
export type SavedInput =
  | { kind: 'file'; name: string; path: string; handle: FileHandle; size: number | null }
  | { kind: 'stream'; name: string; stream: Readable; size: null };

type OpenedInputs = { ok: true; inputs: SavedInput[] } | { ok: false; message: string; hint: string };

/** The word that stands for standard input. */
const STANDARD_INPUT = '-';

/** Opens all files before anything of them is read; `stdin` is what `-` stands for, null = it is the terminal. */
export async function openInputs(words: readonly string[], stdin: Readable | null): Promise<OpenedInputs> {
  const inputs: SavedInput[] = [];
  const refused = async (message: string, hint: string): Promise<OpenedInputs> => {
    await closeInputs(inputs);
    return { ok: false, message, hint };
  };
  for (const word of words) {
    if (word === STANDARD_INPUT) {
      if (inputs.some((input) => input.kind === 'stream')) {
        return refused('standard input is named twice', 'give - once');
      }
      if (stdin === null) {
        return refused(
          'standard input is the terminal: there is no log in it',
          'pipe one in, as in zcat day.log.gz | edgescope open -',
        );
      }
      inputs.push({ kind: 'stream', name: 'standard input', stream: stdin, size: null });
      continue;
    }
    try {
      const handle = await open(word, 'r');
      const stat = await handle.stat();
      if (stat.isDirectory()) {
        await handle.close();
        return refused(`'${word}' is a directory`, 'name the files in it, as in edgescope open logs/*.log');
      }
      inputs.push({ kind: 'file', name: word, path: word, handle, size: stat.isFile() ? stat.size : null });
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      return refused(sentenceOf(word, code), hintOf(code, inputs.length === 0));
    }
  }
  return { ok: true, inputs };
}

export async function closeInputs(inputs: readonly SavedInput[]): Promise<void> {
  for (const input of inputs) {
    if (input.kind === 'file') await input.handle.close().catch(() => {});
    else input.stream.destroy();
  }
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

const CHUNK = 1 << 20;
/** The first is small, so that the first rows are there soon. */
const FIRST_CHUNK = 1 << 18;
/** Compressed bytes unpacked at once: what they unpack to, a thousand times as much at worst, is held in memory. */
const PACKED_CHUNK = 32 * 1024;
/** What zlib drops at most where a stream is damaged in its middle. */
const UNPACKED_CHUNK = 64 * 1024;
/** Checksum and length at the end of a gzip stream. */
const TRAILER = 8;

/**
 * Follows what has been read of an input; `trouble` = why the rest of it cannot be read, in words. `most`: bytes that it may
 * unpack to, where it is not the user who named it.
 */
export type ReadProgress = { bytesRead: number; isGzip: boolean; trouble: string | null; most?: number };

export function newProgress(most?: number): ReadProgress {
  return { bytesRead: 0, isGzip: false, trouble: null, ...(most === undefined ? {} : { most }) };
}

/**
 * The bytes of an input from where its reading stands, unpacked where they begin as gzip does. A chunk is good until
 * the next is asked for. Ends at the end of the input, at what cannot be read, or when the signal fires.
 */
export async function* bytesOf(
  input: SavedInput,
  progress: ReadProgress,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const plain = counted(input, progress, signal);
  const first = await beginning(plain);
  if (first === null) return;
  progress.isGzip = first[0] === 0x1f && first[1] === 0x8b;
  const whole = withFirst(first, plain);
  yield* progress.isGzip ? unpacked(whole, progress) : whole;
}

async function* counted(
  input: SavedInput,
  progress: ReadProgress,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const source = input.kind === 'file' ? fileChunks(input.handle) : (input.stream as AsyncIterable<Buffer>);
  try {
    for await (const chunk of source) {
      if (signal.aborted) return;
      progress.bytesRead += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) return;
    const code = (error as { code?: string }).code ?? 'unknown error';
    progress.trouble = `cannot be read any further (${code})`;
  }
}

/** Reads ahead by one chunk: the disk and the parser work side by side. */
async function* fileChunks(handle: FileHandle): AsyncGenerator<Buffer> {
  let [now, next] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
  let reading = handle.read(now, 0, FIRST_CHUNK, null);
  for (;;) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) return;
    const chunk = now.subarray(0, bytesRead);
    [now, next] = [next, now];
    reading = handle.read(now, 0, CHUNK, null);
    // Whoever stops here must not leave an error unheard.
    reading.catch(() => {});
    yield chunk;
  }
}

/** Enough bytes to tell gzip by; null = the input is empty. */
async function beginning(chunks: AsyncGenerator<Buffer>): Promise<Buffer | null> {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < 2) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first = first.length === 0 ? value : Buffer.concat([first, value]);
  }
  return first.length === 0 ? null : first;
}

/**
 * The same bytes, of which the last come by themselves: what a gzip stream ends with is a checksum, and where that is
 * wrong zlib drops what it has just unpacked.
 */
async function* trailerApart(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (chunk.length < TRAILER) {
      const both = Buffer.concat([kept, chunk]);
      yield both.subarray(0, -TRAILER);
      kept = both.subarray(-TRAILER);
      continue;
    }
    yield kept;
    kept = Buffer.from(chunk.subarray(-TRAILER));
    yield chunk.subarray(0, -TRAILER);
  }
  yield kept;
}

async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** A stream that is cut off or damaged gives what came before. */
async function* unpacked(chunks: AsyncIterable<Buffer>, progress: ReadProgress): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: UNPACKED_CHUNK });
  const fault: { code: string | null; isCheck: boolean; wake: () => void } = {
    code: null,
    isCheck: false,
    wake() {},
  };
  let ready: Buffer[] = [];
  unzip.on('data', (data: Buffer) => ready.push(data));
  unzip.on('error', (error) => {
    fault.code ??= (error as { code?: string }).code ?? 'unknown error';
    fault.isCheck = /^incorrect (data|length) check$/.test(error.message);
    fault.wake();
  });
  /** Resolves when it is done, or when the stream fails, after which it would never be. */
  const settled = (act: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      fault.wake = resolve;
      act(resolve);
    });
  let left = progress.most ?? Number.POSITIVE_INFINITY;
  const taken = () => {
    const parts = ready;
    left -= parts.reduce((sum, { length }) => sum + length, 0);
    if (left < 0)
      progress.trouble ??= 'unpacks to more than any part holds; what was unpacked until then was read';
    ready = [];
    return parts;
  };
  try {
    for await (const chunk of trailerApart(chunks)) {
      for (let at = 0; at < chunk.length && fault.code === null && left >= 0; at += PACKED_CHUNK) {
        const part = chunk.subarray(at, at + PACKED_CHUNK);
        await settled((done) => unzip.write(part, () => done()));
        yield* taken();
      }
      if (fault.code !== null || left < 0) break;
    }
    if (fault.code === null && left >= 0) {
      await settled((done) => {
        unzip.once('end', done);
        unzip.end();
      });
    }
    yield* taken();
  } finally {
    unzip.destroy();
  }
  if (fault.code === null || progress.trouble !== null) return;
  if (fault.code === 'Z_BUF_ERROR')
    progress.trouble = 'is cut off: the gzip stream has no end; what is there was read';
  else if (fault.isCheck)
    progress.trouble = 'is damaged: what was unpacked and read does not match its checksum';
  else
    progress.trouble =
      'is damaged: the gzip stream cannot be unpacked further; everything before that was read';
}
