import { exitCodeOf, explain, FAILURES, type Failure } from '../../domain/failure.ts';
import { type FileHistory, type FilesRead, NOT_PROMISED } from '../../domain/logs/log-history.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { type LostPart, lostWords } from '../../effects/saved/parts-on-disk.ts';
import { storedFiles } from '../../effects/saved/stored-files.ts';
import type { Spool } from '../../effects/saved/stored-parts.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { bytes, count, counted } from '../../text/units.ts';
import { FAILED, type Printer } from '../printer.ts';

export type PrintedFiles = ReturnType<typeof printedFiles>;

/** The files that the platform stores of printed logs. */
export function printedFiles(o: Pick<Printer, 'stderr' | 'clock'>, spool: Spool) {
  const lost: LostPart[] = [];
  /** Why a zone has none, which is asked once. */
  const without = new Map<string, Failure>();
  const said = new Set<string>();
  let read: FilesRead | null = null;
  let code = 0;
  const files = storedFiles({
    spool,
    clock: o.clock,
    onRead: (now) => {
      read = now;
    },
    onLost: (part) => lost.push(part),
  });

  /** What a zone has, said once. */
  async function listed(id: string, name: string, range: TimeRange, signal?: AbortSignal) {
    const known = without.get(id);
    if (known) return { ok: false, failure: known } as const;
    const answer = await files.list(id, range, signal);
    if (said.has(id) || (!answer.ok && answer.failure.kind === 'cancelled')) return answer;
    said.add(id);
    if (answer.ok) {
      const { of, ofBytes } = answer.value;
      say(o.stderr, storedWords(name, of, ofBytes));
      return answer;
    }
    without.set(id, answer.failure);
    code ||= sayUnread(o, name, answer.failure);
    return answer;
  }

  const history: FileHistory = {
    ...files,
    async page(rows, page, signal) {
      const [id = ''] = rows.zones.flatMap(({ ids }) => ids);
      // Where a store has most of a window, they are looked for when it lacks something.
      const answer = said.has(id) ? null : await listed(id, `zone ${id}`, rows.range, signal);
      const failure = without.get(id) ?? (answer?.ok === false ? answer.failure : null);
      return failure ? { ok: false, failure } : files.page(rows, page, signal);
    },
  };
  return {
    history,
    /** Says what there is of a window and how much that is; false: there is none, and nothing else can be said of it. */
    async announce(zones: readonly PullZone[], range: TimeRange, signal: AbortSignal): Promise<boolean> {
      let hasAny = false;
      for (const { id, name } of zones) {
        const answer = await listed(id, sanitise(name, 'text', 100), range, signal);
        if (signal.aborted) return false;
        hasAny ||= answer.ok || isAnswered(answer.failure);
      }
      return hasAny;
    },
    /** `3 of 12 stored files, 8.1M of 30M`; null before the first is looked for. */
    progress: () => read && filesText(read),
    /** Whether this failure was said by `announce`. */
    isSaid: (failure: Failure) => [...without.values()].includes(failure),
    /** Says what the rows do not show of the files that they were read from; the exit code. */
    conclude(): number {
      const doubles = files.doubles();
      if (doubles > 0)
        say(
          o.stderr,
          `${counted(doubles, 'row')} of stored files came twice and ${doubles === 1 ? 'is' : 'are'} there once`,
        );
      return sayLost(o, lost) || code;
    },
  };
}

/** What a zone has of a window, before it is read. */
export function storedWords(name: string, parts: number, size: number): string {
  return `STORED FILES: ${counted(parts, 'part')} of ${name}, ${bytes(size)}; ${NOT_PROMISED}`;
}

/** Says why the files of a zone were not read; the exit code, 0 where there are none, or nobody could be asked. */
export function sayUnread(o: Pick<Printer, 'stderr'>, name: string, failure: Failure): number {
  const { what, next } = explain(failure);
  const isNone = failure.kind === 'noStoredFiles';
  say(o.stderr, isNone ? what : `STORED FILES of ${name} were not read: ${what}`, next);
  return !isNone && isAnswered(failure) ? exitCodeOf(failure) : 0;
}

/** Whether anybody may have heard what failed. */
function isAnswered({ kind }: Failure): boolean {
  return FAILURES[kind].traits.arrived !== 'no';
}

function filesText({ parts, of, bytes: got, ofBytes }: FilesRead): string {
  return `${count(parts)} of ${counted(of, 'stored file')}, ${bytes(got)} of ${bytes(ofBytes)}`;
}

/** Names the parts that were not read to their end, a cause once; the exit code. */
export function sayLost(o: Pick<Printer, 'stderr'>, lost: readonly LostPart[]): number {
  const causes = Map.groupBy(lost, ({ what }) => (typeof what === 'string' ? what : explain(what).what));
  for (const of of causes.values()) say(o.stderr, lostWords(of as [LostPart, ...LostPart[]]));
  const [first] = lost;
  if (first === undefined) return 0;
  return typeof first.what === 'string' ? FAILED : exitCodeOf(first.what);
}
