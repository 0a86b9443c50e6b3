import { explain, type Failure } from '../domain/failure.ts';
import type { WatchVerdict } from '../domain/questions/watcher.ts';
import type { Printer } from './printer.ts';

/** Exit code of a watch that was met. */
export const MET = 10;

export type WatchTeller = { verdict: (verdict: WatchVerdict) => void; failure: (failure: Failure) => void };

/** What standard error says of a watch: why it was met always, why nothing was judged yet where somebody reads it. */
export function createWatchTeller(o: Pick<Printer, 'stderr' | 'isStderrTerminal'>): WatchTeller {
  let isJudged = false;
  let said = '';
  let troubled = false;
  return {
    verdict(verdict) {
      if (verdict.kind === 'met') {
        o.stderr.write(`edgescope: ${verdict.reason}\n`);
        return;
      }
      if (verdict.kind === 'no') {
        isJudged = true;
        troubled = false;
        return;
      }
      // Between two judgements there is always a minute that is not over; that is said of the first one only.
      const isIdle = verdict.why.startsWith('not enough data yet') && (isJudged || said !== '');
      if (!o.isStderrTerminal || isIdle || verdict.why === said) return;
      said = verdict.why;
      o.stderr.write(`edgescope: ${said}\n`);
    },
    failure(failure) {
      if (troubled) return;
      troubled = true;
      const { what, next } = explain(failure);
      o.stderr.write(`edgescope: ${what} Still watching. ${next}\n`);
    },
  };
}
