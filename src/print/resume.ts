import { loadResumeState, type ResumeState, saveResumeState } from '../config/resume-file.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import { sanitise } from '../text/sanitise.ts';
import { say } from '../text/say.ts';
import { type Printer, WRONG_USAGE } from './printer.ts';
import { continuedFile } from './written-file.ts';

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

/** The output is being written by something else at the same time. */
export class SharedOutput extends Error {}

/** Pieces between two notes that also outlive a loss of power. */
const LASTING_EVERY = 10;

/**
 * Opens the file, or starts it. What a killed run wrote after its last note is cut off again where standard output is
 * a regular file, which must hold what was written to it; where it is a pipe it may be printed twice, and standard error says which time it is of.
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
  const isOpen = before !== null && !before.isFinished;
  const { output = null, pending = null } = isOpen ? before : {};
  const continued = await continuedFile(o.descriptor ?? null, output, pending?.bytes ?? 0);
  if (!continued.ok) return said(o, continued.trouble);
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
    finish() {
      file?.sync();
      save({ isFinished: true }, true);
    },
    sayHow: () => say(o.stderr, `the same command goes on from there: ${path} has the place`),
  };
}

/** A pipe cannot be cut back: what a killed run wrote after its last note may come once more. */
function sayTwice(o: Printer, { output, pending, doneTo }: ResumeState): void {
  if (pending === null) return;
  const stretch = `${doneTo} to ${pending.to}`;
  const twice =
    output === null
      ? 'rows of that time may be there twice'
      : `cut its file to ${output.size} bytes, or rows of that time are there twice`;
  say(o.stderr, `the run before was killed while it wrote ${stretch}: ${twice}`);
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
