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
import type { Notifier } from '../text/notification.ts';
import { say } from '../text/say.ts';
import type { Clock } from '../time/clock.ts';
import type { ServiceManager } from './keep/service-manager.ts';
import type { ZoneFailure } from './logs/merged-parts.ts';

/** Opens the store that a command names. Throws a StoreFailure. */
export type StoreOpener = (isWritten: boolean) => Promise<Engine>;

/** How much of its question a command read: figures alone, for callers that pass its data on with them. */
export type Coverage = {
  of: 'rows' | 'groups' | 'events' | 'zones' | 'requests';
  /** The time asked about, as far as it is kept, Unix ms; null: time does not matter. */
  range: TimeRange | null;
  /** What was read, and of how many; null: unknown. */
  read: number;
  total: number | null;
  /** The lines of data, and how many of them are gaps. */
  given: number;
  gaps: number;
  /** Nothing asked about is missing. */
  isWhole: boolean;
};

/** Where a printed command writes and whom it asks. Data goes to `write`, all else to `stderr`. */
export type Printer = {
  stderr: Writable;
  /** Gets, in place of standard error, what this program says of its own: no stranger wrote any of it. */
  remarked?: (words: string) => void;
  format: Format;
  client: ReadingClient;
  clock: Clock;
  /** Resolves when the reader keeps up; a reader that went away ends the program with 0. */
  write: (text: string) => Promise<void>;
  /** Called with the exit code when a signal or the reader ends the program. */
  onEnd: (callback: (code: number) => void) => void;
  /** Whether somebody watches: standard error is a separate terminal, where progress disturbs no data. */
  isWatched?: boolean;
  /** Whether somebody may read what standard error says on the way. */
  isStderrTerminal?: boolean;
  /** The command line of `--exec`, which takes what a watch finds; null or absent = none. */
  exec?: string | null;
  /** How that terminal takes notifications. */
  notifier?: Notifier;
  /** The store for time that the platform no longer keeps; null = there is none. */
  history?: () => Promise<Configured<StoreOpener> | null>;
  /** Where stored files are fetched from, and spooled while they are loaded; null or absent = nowhere. */
  stored?: Spool | null;
  /** The service manager that started the program; null or absent = none. */
  serviceManager?: ServiceManager | null;
  /**
   * Zones whose health earlier commands read: a command that may not ask for all goes on behind them, and adds its
   * own.
   */
  readBefore?: Set<string>;
  /** Called once, where the command ends by itself. */
  covered?: (coverage: Coverage) => void;
  /** The descriptor behind `write`, for callers that must know how much of a file is written. */
  descriptor?: number | null;
};

/** Whether a signal or the reader has ended the program, and with which exit code. */
type End = {
  readonly signal: AbortSignal;
  readonly code: number | null;
  /** The exit code of a program that has ended; an interrupted one says what that leaves undone. */
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
      // Nobody reads what a reader that went away would be told.
      if (ended !== null && ended !== 0) say(o.stderr, ...words);
      return ended;
    },
  };
}

/** Work that goes on until it stops itself or the program is ended: with its exit code. */
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

/** Exit codes: the data asked for was not had; wrong usage, such as an unknown or ambiguous zone. */
export const FAILED = 1;
export const WRONG_USAGE = 2;

type Speaker = Pick<Printer, 'stderr' | 'remarked'>;

/**
 * Says a sentence and the lines under it, in which nothing is a stranger's: words of this program, figures, times,
 * and the command line. All else goes to `say`.
 */
export function remark(o: Speaker, ...lines: readonly string[]): void {
  remarkWith(o, '', ...lines);
}

/** `quoted`: a stranger's words behind the first line; apart from it where it matters whose they are. */
function remarkWith(o: Speaker, quoted: string, ...[first = '', ...more]: readonly string[]): void {
  if (o.remarked === undefined) say(o.stderr, `${first}${quoted}`, ...more);
  else {
    o.remarked([first, ...more].join(' '));
    if (quoted !== '') say(o.stderr, quoted.replace(/^[:;,.]? /, ''));
  }
}

/** Says why nothing is done, and what to do instead; returns the exit code. */
export function wrongUsage(o: Speaker, ...why: readonly string[]): number {
  remark(o, ...why);
  return WRONG_USAGE;
}

/** The same with names behind it that strangers gave. */
export function wrongUsageWith(o: Speaker, quoted: string, why: string): number {
  remarkWith(o, quoted, why);
  return WRONG_USAGE;
}

/** Says, behind words of our own, what failed, and what to do next where that is wanted. */
export function remarkFailure(o: Speaker, begin: string, failure: Failure, ...next: readonly string[]): void {
  const { own, said } = explain(failure);
  remarkWith(o, said, `${begin}${own}`, ...next);
}

/** Says what failed, what it means and what to do next; returns the exit code. */
export function failed(o: Speaker, failure: Failure): number {
  const failures = createFailures(o);
  failures.say([{ zone: null, failure }]);
  return failures.code;
}

/** What standard error says of failed zones, and the exit code; 0 = none failed. */
export function createFailures(o: Speaker): {
  say: (failures: readonly ZoneFailure[]) => void;
  /** The code of a failure reported elsewhere. */
  add: (code: number) => void;
  readonly code: number;
} {
  const codes = new Set<number>();
  const explained = new Set<Failure['kind']>();
  return {
    say(failures) {
      for (const { zone, failure } of failures) {
        codes.add(exitCodeOf(failure));
        // Whoever interrupted it knows.
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
      // Causes with different codes give none of them.
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
