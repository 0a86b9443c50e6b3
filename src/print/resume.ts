import { fdatasyncSync, fstatSync, ftruncateSync } from 'node:fs';
import { loadResumeState, type ResumeState, saveResumeState } from '../config/resume-file.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { count } from '../text/units.ts';
import { type Printer, WRONG_USAGE } from './printer.ts';

/** A read of a window that can be gone on with: every piece is written, then noted in the file. */
export type Checkpoints = {
  /** The window as the first run took it, less what is written. */
  range: TimeRange;
  /** Something is written, and so the head is. */
  isGoingOn: boolean;
  isFinished: boolean;
  /** Rows written so far, by all runs. */
  rows: number;
  put: (text: string, to: number, rows: number, write: (text: string) => Promise<void>) => Promise<void>;
  finish: () => void;
  /** Says how to go on. */
  sayHow: (doneTo: number) => void;
};

export type ResumeQuestion = ResumeState['question'];

/** A regular file behind standard output can be cut back to what was noted; a pipe cannot. */
type OutputFile = NonNullable<ResumeState['output']>;

/** Pieces between two notes that also outlive a loss of power. */
const LASTING_EVERY = 10;

/**
 * Opens the file, or starts it. What a killed run wrote after its last note is cut off again where standard output is
 * the same regular file; where it is a pipe it may be printed twice, and standard error says which time it is of.
 */
export async function openCheckpoints(
  o: Printer,
  path: string,
  question: ResumeQuestion,
  range: TimeRange,
): Promise<Checkpoints | number> {
  const loaded = await loadResumeState(path);
  if (!loaded.ok) return said(o, loaded.error.message, loaded.error.hint);
  const before = loaded.value;
  const isOther = before !== null && JSON.stringify(before.question) !== JSON.stringify(question);
  if (isOther) {
    const { zone, query, format } = before.question;
    return said(
      o,
      `${path} belongs to another question: zone ${shown(zone)}, '${shown(query)}', as ${shown(format)}.`,
      'Repeat that command, or name another file.',
    );
  }
  const descriptor = o.descriptor ?? null;
  const file = outputFile(descriptor);
  const trouble = before === null || before.isFinished ? null : cutBack(o, before, descriptor, file);
  if (trouble !== null) return said(o, trouble);

  const started = outputFile(descriptor);
  let state: ResumeState = before ?? {
    edgescope: 'resume',
    version: 1,
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
    return said(o, `${path} cannot be written (${(error as { code?: string }).code ?? 'unknown'})`);
  }

  return {
    range: { from: Date.parse(state.doneTo), to: Date.parse(state.to) },
    isGoingOn: state.bytes > 0,
    isFinished: state.isFinished,
    rows: state.rows,
    async put(text, to, rows, write) {
      const bytes = Buffer.byteLength(text);
      pieces += 1;
      if (bytes > 0) {
        save({ pending: { to: iso(to), bytes } }, isLasting());
        await write(text);
        if (file !== null && descriptor !== null && isLasting()) fdatasyncSync(descriptor);
      }
      const { output } = state;
      save(
        {
          doneTo: iso(to),
          rows: state.rows + rows,
          bytes: state.bytes + bytes,
          output: output === null ? null : { ...output, size: output.size + bytes },
          pending: null,
        },
        isLasting(),
      );
    },
    finish: () => save({ isFinished: true }, true),
    sayHow: () => say(o.stderr, `the same command goes on from there: ${path} has the place`),
  };
}

/** Makes the output end where the file says; why that cannot be done, or null. */
function cutBack(
  o: Printer,
  before: ResumeState,
  descriptor: number | null,
  now: OutputFile | null,
): string | null {
  const { output, pending } = before;
  if (output !== null && now !== null && isSame(output, now)) {
    const surplus = now.size - output.size;
    if (surplus < 0) {
      return `the output is shorter than what was written to it; append to it with >> (${count(output.size)} bytes are missing from it)`;
    }
    if (surplus > (pending?.bytes ?? 0)) {
      return `the output has grown by something else since; it must end after byte ${output.size} to go on`;
    }
    if (surplus > 0 && descriptor !== null) ftruncateSync(descriptor, output.size);
    return null;
  }
  if (pending === null) return null;
  const stretch = `${before.doneTo} to ${pending.to}`;
  const twice =
    output === null
      ? 'rows of that time may be there twice'
      : `cut its file to ${output.size} bytes, or rows of that time are there twice`;
  say(o.stderr, `the run before was killed while it wrote ${stretch}: ${twice}`);
  return null;
}

function outputFile(descriptor: number | null): OutputFile | null {
  if (descriptor === null) return null;
  const found = fstatSync(descriptor, { bigint: true });
  if (!found.isFile()) return null;
  return { device: String(found.dev), inode: String(found.ino), size: Number(found.size) };
}

function isSame(a: OutputFile, b: OutputFile): boolean {
  return a.device === b.device && a.inode === b.inode;
}

/** What the file says is whatever somebody wrote into it. */
function shown(text: string): string {
  return sanitise(text, 'text', 200);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function said(o: Printer, ...lines: readonly string[]): number {
  say(o.stderr, ...lines);
  return WRONG_USAGE;
}
