import { type Cut, type KeptLog, withinKept } from '../domain/log-retention.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { Call } from './caller.ts';

/** A call about a range of time: each try begins where the log is still kept by then. Null when `make` makes none. */
export function keptCall<R extends TimeRange, T extends Cut>(
  request: R,
  log: KeptLog,
  make: (request: R) => Call<T> | null,
): Call<T> | null {
  const call = make(request);
  if (call === null) return null;
  return {
    ...call,
    renewed(now) {
      const kept = withinKept(request, now, log);
      const later = kept === request ? null : make(kept);
      if (later === null) return call;
      const gone = { from: request.from, to: kept.from };
      return {
        ...later,
        async read(answer, rest) {
          const read = await later.read(answer, rest);
          return read.ok ? { ok: true, value: { ...read.value, gone } } : read;
        },
      };
    },
  };
}
