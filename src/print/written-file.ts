import { createHash, type Hash } from 'node:crypto';
import { createReadStream, fdatasyncSync, fstatSync, ftruncateSync } from 'node:fs';
import type { ResumeState } from '../config/resume-file.ts';
import { count } from '../text/units.ts';

/** What was written to an output, in terms of the file: from which byte to which, and what they were. */
type Written = NonNullable<ResumeState['output']>;

/** A regular file behind standard output, which can be looked through and cut back; a pipe cannot. */
export type WrittenFile = {
  written: () => Written;
  /** Notes what was written; false where the file is not longer by just that. */
  add: (text: string) => boolean;
  /** Resolves when it also outlives a loss of power. */
  sync: () => void;
};

export type Continued =
  | { ok: true; file: WrittenFile | null; remarks: readonly string[] }
  | { ok: false; trouble: string };

const CHUNK = 1 << 20;

/**
 * Takes up an output again where it stands as it was left: it is compared byte by byte, and what a killed run wrote
 * after its last note, at most `pending` bytes, is cut off.
 */
export async function continuedFile(
  descriptor: number | null,
  before: Written | null,
  pending: number,
): Promise<Continued> {
  const size = sizeOf(descriptor);
  if (descriptor === null || size === null) return { ok: true, file: null, remarks: [] };
  if (before === null)
    return { ok: true, file: writtenFile(descriptor, size, createHash('sha256')), remarks: [] };
  const surplus = size - before.size;
  if (surplus < 0) {
    return {
      ok: false,
      trouble: `the output is shorter than what was written to it; append to it with >> (${count(-surplus)} bytes are missing from it)`,
    };
  }
  const remarks: string[] = [];
  const hash = createHash('sha256');
  let from = before.from;
  const unreadable = await readInto(hash, descriptor, before);
  if (unreadable !== null) {
    remarks.push(`the output cannot be read back (${unreadable}): only its length was looked at`);
    from = before.size;
  } else if (hash.copy().digest('hex') !== before.digest) {
    return {
      ok: false,
      trouble:
        'the output is not what was written to it: something else has changed or replaced it\n  Append to the file of before, or begin again with another place.',
    };
  }
  if (surplus > pending) {
    return {
      ok: false,
      trouble: `the output has grown by something else since; it must end after byte ${before.size} to go on`,
    };
  }
  if (surplus > 0) {
    ftruncateSync(descriptor, before.size);
    remarks.push(`${count(surplus)} bytes that the run before wrote after its last note were cut off`);
  }
  const known = unreadable === null ? hash : createHash('sha256');
  return { ok: true, file: writtenFile(descriptor, before.size, known, from), remarks };
}

function writtenFile(descriptor: number, end: number, hash: Hash, from = end): WrittenFile {
  let size = end;
  return {
    written: () => ({ from, size, digest: hash.copy().digest('hex') }),
    add(text) {
      hash.update(text);
      size += Buffer.byteLength(text);
      return sizeOf(descriptor) === size;
    },
    sync: () => fdatasyncSync(descriptor),
  };
}

/** Why the file cannot be read, or null. What is appended to is not open for reading, and so it is opened again. */
async function readInto(hash: Hash, descriptor: number, { from, size }: Written): Promise<string | null> {
  if (size === from) return null;
  try {
    const file = createReadStream(`/dev/fd/${descriptor}`, {
      start: from,
      end: size - 1,
      highWaterMark: CHUNK,
    });
    for await (const chunk of file) hash.update(chunk as Buffer);
    return null;
  } catch (error) {
    return (error as { code?: string }).code ?? 'unknown';
  }
}

function sizeOf(descriptor: number | null): number | null {
  if (descriptor === null) return null;
  const found = fstatSync(descriptor);
  return found.isFile() ? found.size : null;
}
