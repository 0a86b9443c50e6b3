import { createHash, type Hash } from 'node:crypto';
import { createReadStream, fdatasyncSync, fstatSync, ftruncateSync } from 'node:fs';
import { loadResumeState, type ResumeState, saveResumeState } from '../../config/kept/resume-file.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { counted } from '../../text/units.ts';
import { type Printer, wrongUsage } from '../printer.ts';

export type Checkpoints = Exclude<Awaited<ReturnType<typeof openCheckpoints>>, number>;

type ResumeQuestion = ResumeState['question'];

/** Something else writes the output at the same time. */
export class SharedOutput extends Error {}

/** Pieces between two notes that also survive a power cut. */
const LASTING_EVERY = 10;

/**
 * A read of a window that can be gone on with: every piece is written, then noted in the file, which is opened, or started. What a killed run wrote after its last note is cut off again where standard output is
 * a regular file, which must hold what was written to it; where it is a pipe it may be printed twice, and standard error says which time it is of.
 */
export async function openCheckpoints(o: Printer, path: string, question: ResumeQuestion, range: TimeRange) {
  const loaded = await loadResumeState(path);
  if (!loaded.ok) return wrongUsage(o, loaded.error.message, loaded.error.hint);
  const before = loaded.value;
  const isOther = before !== null && JSON.stringify(before.question) !== JSON.stringify(question);
  if (isOther) {
    const { zone, query, format } = before.question;
    return wrongUsage(
      o,
      `${path} belongs to another question: zone ${shown(zone)}, '${shown(query)}', as ${shown(format)}.`,
      'Repeat that command, or name another file.',
    );
  }
  const isOpen = before !== null && !before.isFinished;
  const { output = null, pending = null } = isOpen ? before : {};
  const continued = await continuedFile(o.descriptor ?? null, output, pending?.bytes ?? 0);
  if (typeof continued === 'string') return wrongUsage(o, continued);
  const { file, remarks } = continued;
  for (const remark of remarks) say(o.stderr, remark);
  if (isOpen && (output === null || file === null)) sayTwice(o, before);

  const started = file?.written() ?? null;
  let state: ResumeState = before ?? {
    edgescope: 'resume',
    version: 2,
    question,
    from: iso(range.from),
    to: iso(range.to),
    doneTo: iso(range.from),
    rows: 0,
    bytes: 0,
    output: started,
    pending: null,
    isFinished: false,
  };
  let pieces = 0;
  const isLasting = () => pieces % LASTING_EVERY === 0;
  const save = (changes: Partial<ResumeState>, lasting: boolean) => {
    state = { ...state, ...changes };
    saveResumeState(path, state, lasting);
  };
  try {
    save({ output: started, pending: null }, true);
  } catch (error) {
    return wrongUsage(o, `${path} cannot be written (${(error as { code?: string }).code ?? 'unknown'})`);
  }

  return {
    /** The window of the first run, less what is written. */
    range: { from: Date.parse(state.doneTo), to: Date.parse(state.to) } as TimeRange,
    /** Something is written, and so is the head. */
    isGoingOn: state.bytes > 0,
    isFinished: state.isFinished,
    /** Rows written so far, by all runs. */
    rows: state.rows,
    async put(text: string, to: number, rows: number, write: (text: string) => Promise<void>): Promise<void> {
      const bytes = Buffer.byteLength(text);
      pieces += 1;
      if (bytes > 0) {
        save({ pending: { to: iso(to), bytes } }, isLasting());
        await write(text);
        if (file?.add(text) === false) throw new SharedOutput();
        if (isLasting()) file?.sync();
      }
      save(
        {
          doneTo: iso(to),
          rows: state.rows + rows,
          bytes: state.bytes + bytes,
          output: file?.written() ?? null,
          pending: null,
        },
        isLasting(),
      );
    },
    finish(): void {
      file?.sync();
      save({ isFinished: true }, true);
    },
    /** Says how to go on. */
    sayHow: () => say(o.stderr, `the same command resumes there: ${path} has the place`),
  };
}

/** A pipe cannot be cut back: what a killed run wrote after its last note may come once more. */
function sayTwice(o: Printer, { output, pending, doneTo }: ResumeState): void {
  if (pending === null) return;
  const times = `${doneTo} to ${pending.to}`;
  const twice =
    output === null
      ? 'rows of that time may be there twice'
      : `cut its file to ${output.size} bytes, or rows of that time are there twice`;
  say(o.stderr, `the run before was killed while it wrote ${times}: ${twice}`);
}

/** The file may hold whatever somebody wrote into it. */
function shown(text: string): string {
  return sanitise(text, 'text', 200);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

/** What was written to an output, by the bytes of the file: from which to which, and their digest. */
type Written = NonNullable<ResumeState['output']>;

type WrittenFile = ReturnType<typeof writtenFile>;

type Continued = { file: WrittenFile | null; remarks: readonly string[] };

const CHUNK = 1 << 20;

/**
 * Resumes an output where it stands as it was left: it is compared byte by byte, and what a killed run wrote after
 * its last note, at most `pending` bytes, is cut off. A text says why it cannot be resumed.
 */
async function continuedFile(
  descriptor: number | null,
  before: Written | null,
  pending: number,
): Promise<Continued | string> {
  const size = sizeOf(descriptor);
  if (descriptor === null || size === null) return { file: null, remarks: [] };
  if (before === null) return { file: writtenFile(descriptor, size, createHash('sha256')), remarks: [] };
  const surplus = size - before.size;
  if (surplus < 0)
    return `the output is shorter than what was written to it; append to it with >> (${counted(-surplus, 'byte is', 'bytes are')} missing from it)`;
  const remarks: string[] = [];
  const hash = createHash('sha256');
  let from = before.from;
  const unreadable = await readInto(hash, descriptor, before);
  if (unreadable !== null) {
    remarks.push(`the output cannot be read back (${unreadable}): only its length was looked at`);
    from = before.size;
  } else if (hash.copy().digest('hex') !== before.digest) {
    return 'the output is not what was written to it: something else has changed or replaced it\n  Append to the file of before, or begin again with another place.';
  }
  if (surplus > pending)
    return `the output has grown by something else since; it must end after byte ${before.size} to go on`;
  if (surplus > 0) {
    ftruncateSync(descriptor, before.size);
    remarks.push(`cut off ${counted(surplus, 'byte')} that the run before wrote after its last note`);
  }
  const known = unreadable === null ? hash : createHash('sha256');
  return { file: writtenFile(descriptor, before.size, known, from), remarks };
}

/** A regular file behind standard output, which can be read and cut back, unlike a pipe. */
function writtenFile(descriptor: number, end: number, hash: Hash, from = end) {
  let size = end;
  return {
    written: (): Written => ({ from, size, digest: hash.copy().digest('hex') }),
    /** Notes what was written; false where the file did not grow by just that. */
    add(text: string): boolean {
      hash.update(text);
      size += Buffer.byteLength(text);
      return sizeOf(descriptor) === size;
    },
    /** From then on it survives a power cut. */
    sync: () => fdatasyncSync(descriptor),
  };
}

/** Why the file cannot be read, or null. A file opened for appending is not open for reading, so it is opened again. */
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
