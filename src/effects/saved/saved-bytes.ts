import type { FileHandle } from 'node:fs/promises';
import { gunzipped, isGzip } from './saved-gzip.ts';
import { type ReadProgress, type SavedInput, unreadable } from './saved-input.ts';

const CHUNK = 1 << 20;
/** The first chunk is small, so that the first rows come soon. */
const FIRST_CHUNK = 1 << 18;

/**
 * The bytes of an input from where its reading stands, unpacked where they begin as gzip. A chunk is valid until the
 * next is asked for. Ends at the end of the input, at what cannot be read, or when the signal fires.
 */
export async function* bytesOf(
  input: SavedInput,
  progress: ReadProgress,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const plain = counted(input, progress, signal);
  // Its beginning was looked at by whoever read it so far.
  if (progress.bytesRead > 0) {
    yield* plain;
    return;
  }
  const first = await beginning(plain);
  if (first === null) return;
  progress.isGzip = isGzip(first);
  const whole = withFirst(first, plain);
  yield* progress.isGzip ? gunzipped(whole, progress) : whole;
}

async function* counted(
  input: SavedInput,
  progress: ReadProgress,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const source =
    input.kind === 'file'
      ? fileChunks(input.handle, progress.bytesRead)
      : (input.stream as AsyncIterable<Buffer>);
  // The writer of a stream may be silent for ever.
  const hangUp = () => input.kind === 'stream' && input.stream.destroy();
  signal.addEventListener('abort', hangUp);
  try {
    for await (const chunk of source) {
      if (signal.aborted) return;
      progress.bytesRead += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) return;
    progress.trouble = unreadable(error);
  } finally {
    signal.removeEventListener('abort', hangUp);
  }
}

/**
 * Reads ahead by one chunk: the disk and the parser work side by side. `from`: bytes that were read otherwise; what is no file on a disk has
 * no places, and is read as it comes.
 */
async function* fileChunks(handle: FileHandle, from: number): AsyncGenerator<Buffer> {
  let [now, next] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)];
  let at = from;
  const read = (size: number) => handle.read(now, 0, size, from === 0 ? null : at);
  let reading = read(FIRST_CHUNK);
  for (;;) {
    const { bytesRead } = await reading;
    if (bytesRead === 0) return;
    at += bytesRead;
    const chunk = now.subarray(0, bytesRead);
    [now, next] = [next, now];
    reading = read(CHUNK);
    // An error must be heard although the reading stops here.
    reading.catch(() => {});
    yield chunk;
  }
}

/** Enough bytes to recognise gzip; null = the input is empty. */
async function beginning(chunks: AsyncGenerator<Buffer>): Promise<Buffer | null> {
  let first: Buffer = Buffer.alloc(0);
  while (first.length < 2) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first = first.length === 0 ? value : Buffer.concat([first, value]);
  }
  return first.length === 0 ? null : first;
}

async function* withFirst(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
