import { exitCodeOf, explain, FAILURES, type Failure } from '../../domain/failure.ts';
import type { LogPart } from '../../domain/storage/log-parts.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { bytes, counted } from '../../text/units.ts';
import { FAILED, type Printer } from '../printer.ts';

/** Why a part was not read to its end. */
export type LostPart = { part: LogPart; what: string | Failure };

/** What is stored of a zone in a time, before it is read. */
export function storedWords(name: string, parts: readonly LogPart[]): string {
  const size = bytes(totalLength(parts));
  return `STORED FILES: ${counted(parts.length, 'part')} of ${name}, ${size}; completeness is not promised by the platform`;
}

export function totalLength(parts: readonly LogPart[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** Says why the parts of a zone are not read; the exit code, 0 where there are none, or nobody could be asked. */
export function sayUnread(o: Pick<Printer, 'stderr'>, name: string, failure: Failure): number {
  const { what, next } = explain(failure);
  const isNone = failure.kind === 'noStoredFiles';
  say(o.stderr, isNone ? what : `STORED FILES of ${name} were not read: ${what}`, next);
  return !isNone && FAILURES[failure.kind].traits.arrived !== 'no' ? exitCodeOf(failure) : 0;
}

/** Names the parts that were not read to their end, a cause once; the exit code. */
export function sayLost(o: Pick<Printer, 'stderr'>, lost: readonly LostPart[]): number {
  const causes = Map.groupBy(lost, ({ what }) => (typeof what === 'string' ? what : explain(what).what));
  for (const [why, [first, ...others]] of causes) {
    const rest = others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`;
    say(o.stderr, `GAP stored file ${sanitise(first?.part.name ?? '', 'text', 100)}${rest}: ${why}`);
  }
  const [first] = lost;
  if (first === undefined) return 0;
  return typeof first.what === 'string' ? FAILED : exitCodeOf(first.what);
}

/** Whether a failure is not about one file: a file that has gone or is damaged says nothing of the others. */
export function isOfAll({ kind }: Failure): boolean {
  const { arrived } = FAILURES[kind].traits;
  return kind === 'cancelled' || (arrived !== 'maybe' && kind !== 'notFound');
}
