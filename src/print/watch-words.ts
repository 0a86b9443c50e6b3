import { explain, type Failure } from '../domain/failure.ts';
import type { WatchVerdict } from '../domain/questions/watcher.ts';
import { say } from '../text/say.ts';
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
        say(o.stderr, verdict.reason);
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
      say(o.stderr, said);
    },
    failure(failure) {
      if (troubled) return;
      troubled = true;
      const { what, next } = explain(failure);
      say(o.stderr, `${what} Still watching. ${next}`);
    },
  };
}
