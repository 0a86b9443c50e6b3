import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import type { ReadProgress } from './saved-input.ts';

/** Compressed bytes unpacked at once: their output, a thousand times as much at worst, is held in memory. */
const PACKED_CHUNK = 32 * 1024;
/** The most that zlib drops where a stream is damaged in its middle. */
const UNPACKED_CHUNK = 32 * 1024;

/** The layout of a gzip file (RFC 1952): members, each with a head, a deflate stream, checksum and length. */
const MAGIC = [0x1f, 0x8b] as const;
const DEFLATE = 8;
const HEAD = 10;
const TRAILER = 8;
const FLAGS = { headSum: 2, extra: 4, name: 8, comment: 16 } as const;

const CUT_OFF = 'is cut off: the gzip stream has no end; what is there was read';
const DAMAGED = 'is damaged: the gzip stream cannot be unpacked further; everything before that was read';
const WRONG_SUM = 'is damaged: what was unpacked and read does not match its checksum';
const FOLLOWED = 'goes on behind its gzip stream with something else; the stream was read, and that was not';
const TOO_MUCH = 'unpacks to more than any part holds; what was unpacked until then was read';

/** Whether bytes begin as gzip does. */
export function isGzip(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte);
}

/**
 * Unpacks gzip a member at a time, so that each is complete before the next is read: zlib's own way through a file
 * drops what it has just unpacked where the next bytes are not gzip. What is wrong is reported as `trouble`.
 */
export async function* gunzipped(
  chunks: AsyncGenerator<Buffer>,
  progress: ReadProgress,
): AsyncGenerator<Buffer> {
  const source = new ByteSource(chunks);
  let left = progress.most ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const fault = await headFault(source);
    if (fault !== null) {
      progress.trouble ??= fault;
      return;
    }
    let sum = 0;
    let size = 0;
    const member = inflated(source);
    for (;;) {
      const { value, done } = await member.next();
      if (done === true) {
        if (value !== null) {
          progress.trouble ??= value;
          return;
        }
        break;
      }
      sum = crc32(value, sum);
      size = (size + value.length) >>> 0;
      left -= value.length;
      yield value;
      if (left >= 0) continue;
      progress.trouble ??= TOO_MUCH;
      await member.return(null);
      return;
    }
    const trailer = await source.exactly(TRAILER);
    if (trailer.length < TRAILER) progress.trouble ??= CUT_OFF;
    else if (trailer.readUInt32LE(0) !== sum || trailer.readUInt32LE(4) !== size)
      progress.trouble ??= WRONG_SUM;
    const next = await behindPadding(source);
    if (next === null) return;
    if (isGzip(next)) continue;
    progress.trouble ??= FOLLOWED;
    return;
  }
}

/** Skips the head of a member; returns why that cannot be done, or null. */
async function headFault(source: ByteSource): Promise<string | null> {
  const head = await source.exactly(HEAD);
  if (head.length < HEAD) return CUT_OFF;
  if (head[2] !== DEFLATE) return DAMAGED;
  const flags = head[3] as number;
  if (flags & FLAGS.extra) {
    const length = await source.exactly(2);
    if (length.length < 2 || !(await source.skip(length.readUInt16LE(0)))) return CUT_OFF;
  }
  for (const flag of [FLAGS.name, FLAGS.comment])
    if (flags & flag && !(await source.skipBehind(0))) return CUT_OFF;
  return flags & FLAGS.headSum && !(await source.skip(2)) ? CUT_OFF : null;
}

/** The first bytes that are no padding, which stay in the source; null = none. */
async function behindPadding(source: ByteSource): Promise<Buffer | null> {
  for (;;) {
    const bytes = await source.some();
    if (bytes === null) return null;
    const at = bytes.findIndex((byte) => byte !== 0);
    if (at < 0) continue;
    source.giveBack(bytes.subarray(at));
    const next = Buffer.from(await source.exactly(MAGIC.length));
    source.giveBack(next);
    return next;
  }
}

/** The bytes of a deflate stream; returns why it has no end, or null, with the source behind it. */
async function* inflated(source: ByteSource): AsyncGenerator<Buffer, string | null> {
  const inflate = createInflateRaw({ chunkSize: UNPACKED_CHUNK });
  const stream = heard(inflate);
  try {
    for (;;) {
      const bytes = await source.some();
      if (bytes === null) return CUT_OFF;
      const before = inflate.bytesWritten;
      for (let at = 0; at < bytes.length; at += PACKED_CHUNK) {
        await stream.write(bytes.subarray(at, at + PACKED_CHUNK));
        yield* stream.taken();
        if (stream.end === 'damaged') return DAMAGED;
        if (stream.end === null) continue;
        source.giveBack(bytes.subarray(inflate.bytesWritten - before));
        return null;
      }
    }
  } finally {
    inflate.destroy();
  }
}

/**
 * The output of a zlib stream, and how it ended. A write is over when it was taken, or when the stream ended within
 * it.
 */
function heard(inflate: InflateRaw) {
  let ready: Buffer[] = [];
  let wake = () => {};
  const stream = {
    end: null as 'whole' | 'damaged' | null,
    write: (part: Buffer) =>
      new Promise<void>((resolve) => {
        wake = resolve;
        inflate.write(part, () => resolve());
      }),
    taken(): Buffer[] {
      const parts = ready;
      ready = [];
      return parts;
    },
  };
  const ended = (how: 'whole' | 'damaged') => () => {
    stream.end = how;
    wake();
  };
  inflate.on('data', (data: Buffer) => ready.push(data));
  inflate.on('end', ended('whole'));
  inflate.on('error', ended('damaged'));
  return stream;
}

/** Bytes taken as they come, or in a wanted number. */
class ByteSource {
  readonly #chunks: AsyncGenerator<Buffer>;
  /** A part of the last chunk, or a copy from the chunks before. */
  #held: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer>) {
    this.#chunks = chunks;
  }

  /** The next bytes, valid until more are asked for; null = none. */
  async some(): Promise<Buffer | null> {
    while (this.#held.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return null;
      this.#held = value;
    }
    const bytes = this.#held;
    this.#held = Buffer.alloc(0);
    return bytes;
  }

  /** This many bytes, or fewer where there are no more. */
  async exactly(count: number): Promise<Buffer> {
    const taken = Buffer.alloc(count);
    let length = 0;
    while (length < count) {
      const bytes = await this.some();
      if (bytes === null) break;
      const part = bytes.subarray(0, count - length);
      taken.set(part, length);
      length += part.length;
      this.giveBack(bytes.subarray(part.length));
    }
    return taken.subarray(0, length);
  }

  /** Whether there were so many. */
  async skip(count: number): Promise<boolean> {
    return (await this.exactly(count)).length === count;
  }

  /** Skips past the next byte of this value; false = there is none. */
  async skipBehind(value: number): Promise<boolean> {
    for (;;) {
      const bytes = await this.some();
      if (bytes === null) return false;
      const at = bytes.indexOf(value);
      if (at < 0) continue;
      this.giveBack(bytes.subarray(at + 1));
      return true;
    }
  }

  /** Puts bytes just taken back before those that follow. */
  giveBack(bytes: Buffer): void {
    if (bytes.length > 0) this.#held = this.#held.length > 0 ? Buffer.concat([bytes, this.#held]) : bytes;
  }
}
