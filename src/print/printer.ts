import type { Writable } from 'node:stream';
import type { ReadingClient } from '../api/client.ts';
import type { Format } from '../config/command/command-line.ts';
import type { Configured } from '../config/config-error.ts';
import { exitCodeOf, explain, type Failure } from '../domain/failure.ts';
import { csvLine, ndjsonLine, tableLines, valuesOf } from '../domain/handover/line-formats.ts';
import type { Sheet } from '../domain/handover/sheet.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Spool } from '../effects/saved/stored-parts.ts';
import type { Engine } from '../store/engines/engine.ts';
import { say } from '../text/say.ts';
import type { Clock } from '../time/clock.ts';
import type { ServiceManager } from './keep/service-manager.ts';
import type { ZoneFailure } from './logs/merged-parts.ts';

/** Opens the store that a command names. Throws a StoreFailure. */
export type StoreOpener = (isWritten: boolean) => Promise<Engine>;

/** How much a command read of what it was asked about: figures alone, for whoever hands its data on with them. */
export type Coverage = {
  of: 'rows' | 'groups' | 'events' | 'zones' | 'requests';
  /** The time that was asked about, as far as it is kept, Unix ms; null: it is no matter of time. */
  range: TimeRange | null;
  /** What was read, and of how many; null: not known. */
  read: number;
  total: number | null;
  /** The lines of data, gaps among them, and how many of those are gaps. */
  given: number;
  gaps: number;
  /** Nothing is missing of what was asked about. */
  isWhole: boolean;
};

/** Where a printed command writes and whom it asks. Data goes out by `write`, everything else to `stderr`. */
export type Printer = {
  stderr: Writable;
  /** Told, in the place of standard error, what this program says of its own: nothing in it was written by a stranger. */
  remarked?: (words: string) => void;
  format: Format;
  client: ReadingClient;
  clock: Clock;
  /** Resolves when the reader keeps up; a reader that went away ends the program with 0. */
  write: (text: string) => Promise<void>;
  /** Called with the exit code when a signal or the reader ends the program. */
  onEnd: (callback: (code: number) => void) => void;
  /** Whether somebody watches: standard error is a terminal of its own, where progress disturbs no data. */
  isWatched?: boolean;
  /** Whether somebody may read what standard error says by the way. */
  isStderrTerminal?: boolean;
  /** The store that answers for time that the platform keeps no more; null = there is none. */
  history?: () => Promise<Configured<StoreOpener> | null>;
  /** Where files that the platform stores are fetched from, and put down while they are loaded; null or absent = nowhere. */
  stored?: Spool | null;
  /** What started the program as a service and wants to hear of it; null or absent = nothing. */
  serviceManager?: ServiceManager | null;
  /** Ids of zones whose health was read for earlier commands: one that may not ask for all goes on behind them, and adds its own. */
  readBefore?: Set<string>;
  /** Told once, where the command comes to an end of its own. */
  covered?: (coverage: Coverage) => void;
  /** The descriptor behind `write`, for those who must know how much of a file is written. */
  descriptor?: number | null;
};

/** Whether a signal or the reader has ended the program, and with which exit code. */
type End = {
  readonly signal: AbortSignal;
  readonly code: number | null;
  /** The exit code of a program that has ended; one that was interrupted says what that leaves undone. */
  told: (...words: string[]) => number | null;
};

export function endOf(o: Pick<Printer, 'onEnd' | 'stderr'>): End {
  const stopper = new AbortController();
  let ended: number | null = null;
  o.onEnd((code) => {
    ended = code;
    stopper.abort();
  });
  return {
    signal: stopper.signal,
    get code() {
      return ended;
    },
    told(...words) {
      // A reader that went away asks nothing any more.
      if (ended !== null && ended !== 0) say(o.stderr, ...words);
      return ended;
    },
  };
}

/** Work that goes on until it stops itself, or the program is ended: with which exit code. */
export function createStop(o: Pick<Printer, 'onEnd' | 'stderr'>) {
  const end = endOf(o);
  const stopper = new AbortController();
  const ended = Promise.withResolvers<number>();
  const stop = (code: number | Promise<number>) => {
    stopper.abort();
    ended.resolve(code);
  };
  end.signal.addEventListener('abort', () => stop(end.code ?? 0), { once: true });
  return { end, signal: stopper.signal, stop, ended: ended.promise, failed: ended.reject };
}

/** Exit codes: what was asked for was not had; it was asked for wrongly, as with an unknown or ambiguous zone. */
export const FAILED = 1;
export const WRONG_USAGE = 2;

type Speaker = Pick<Printer, 'stderr' | 'remarked'>;

/**
 * Says a sentence, and the lines under it, in which nothing was written by a stranger: words of this program, figures, times, and what
 * the command line itself says. All else is said by `say`.
 */
export function remark(o: Speaker, ...lines: readonly string[]): void {
  remarkWith(o, '', ...lines);
}

/** `quoted`: what a stranger wrote, and stands behind the first line; apart from it where it matters whose words they are. */
function remarkWith(o: Speaker, quoted: string, ...[first = '', ...more]: readonly string[]): void {
  if (o.remarked === undefined) say(o.stderr, `${first}${quoted}`, ...more);
  else {
    o.remarked([first, ...more].join(' '));
    if (quoted !== '') say(o.stderr, quoted.replace(/^[:;,.]? /, ''));
  }
}

/** Says why nothing is done, and what to do instead; gives the exit code of it. */
export function wrongUsage(o: Speaker, ...why: readonly string[]): number {
  remark(o, ...why);
  return WRONG_USAGE;
}

/** The same with names behind it that strangers gave. */
export function wrongUsageWith(o: Speaker, quoted: string, why: string): number {
  remarkWith(o, quoted, why);
  return WRONG_USAGE;
}

/** Says, behind words of our own, what failed, and what to do next where that is asked for. */
export function remarkFailure(o: Speaker, begin: string, failure: Failure, ...next: readonly string[]): void {
  const { own, said } = explain(failure);
  remarkWith(o, said, `${begin}${own}`, ...next);
}

/** Says what failed, what it means and what to do next; gives the exit code of it. */
export function failed(o: Speaker, failure: Failure): number {
  const failures = createFailures(o);
  failures.say([{ zone: null, failure }]);
  return failures.code;
}

/** What standard error says of zones that failed, and the exit code that comes of it; 0 = none has. */
export function createFailures(o: Speaker): {
  say: (failures: readonly ZoneFailure[]) => void;
  /** Of what was told elsewhere. */
  add: (code: number) => void;
  readonly code: number;
} {
  const codes = new Set<number>();
  const explained = new Set<Failure['kind']>();
  return {
    say(failures) {
      for (const { zone, failure } of failures) {
        codes.add(exitCodeOf(failure));
        // Who interrupted it knows.
        if (failure.kind === 'cancelled') continue;
        const { what, own, said, meaning, next } = explain(failure);
        const more = explained.has(failure.kind) ? [] : [meaning, next];
        if (zone === null) remarkWith(o, said, own, ...more);
        else say(o.stderr, `${zone}: ${what}`, ...more);
        explained.add(failure.kind);
      }
    },
    add: (code) => void codes.add(code),
    get code() {
      const [only = 0] = codes;
      // Of causes that have different ones it is none of theirs.
      return codes.size > 1 ? FAILED : only;
    },
  };
}

/** The widest cell of a printed table. */
const TABLE_CELL = 60;

/** Prints the rows of a sheet in the format asked for. */
export async function printSheet(o: Pick<Printer, 'format' | 'write'>, sheet: Sheet): Promise<number> {
  await o.write(sheetText(o.format, sheet));
  return 0;
}

/** The rows of a sheet as text of a format; `hasHead`: with the names of the columns, where the format has them. */
export function sheetText(format: Format, sheet: Sheet, hasHead = true): string {
  return sheetLines(format, sheet)
    .slice(hasHead || format === 'ndjson' ? 0 : 1)
    .map((line) => `${line}\n`)
    .join('');
}

function sheetLines(format: Format, { lines, columns }: Sheet): string[] {
  const items = [...lines()].filter((line) => line.kind === 'row');
  if (format === 'ndjson') return items.map((item) => ndjsonLine(item.shape()));
  const rows = items.map((item) => item.row());
  if (format === 'table') return tableLines(rows, TABLE_CELL, columns);
  return [csvLine(columns), ...rows.map((row) => csvLine(valuesOf(row, columns)))];
}
