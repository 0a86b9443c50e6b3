import { exitCodeOf, explain, type Failure } from '../../domain/failure.ts';
import { say } from '../../text/say.ts';
import type { Printer } from '../printer.ts';
import type { ZoneFailure } from './merged-parts.ts';

/** Exit code where zones failed for causes that have different ones. */
const MIXED = 1;

/** What standard error says of zones that failed, and the exit code that comes of it; 0 = none has. */
export function createFailures(o: Pick<Printer, 'stderr'>): {
  say: (failures: readonly ZoneFailure[]) => void;
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
        const { what, meaning, next } = explain(failure);
        const first = zone === null ? what : `${zone}: ${what}`;
        if (explained.has(failure.kind)) say(o.stderr, first);
        else say(o.stderr, first, meaning, next);
        explained.add(failure.kind);
      }
    },
    get code() {
      const [only = 0] = codes;
      return codes.size > 1 ? MIXED : only;
    },
  };
}
