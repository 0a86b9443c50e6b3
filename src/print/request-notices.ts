import type { Writable } from 'node:stream';
import type { Quota } from '../api/quota/quota.ts';
import { type RequestEvent, waitReason } from '../domain/request-event.ts';
import { sentStrays } from '../domain/strays.ts';
import { say } from '../text/say.ts';
import { duration, isoSecond } from '../text/units.ts';
import type { Clock } from '../time/clock.ts';
import { eraseProgress } from './progress.ts';

const NO_LEDGER =
  'the ledger by which all edgescopes of this user share the quota cannot be used: this one keeps to an eighth';

/** Nobody wonders about a shorter wait, ms. */
const TOLD_FROM = 3_000;

/**
 * Passes each request on to `next`, and says on standard error what a screen shows: that a request waits, until when
 * and why, once for each end of a wait; that an answer has what nobody asked for; that the ledger cannot be used.
 * `told` gets it, too.
 */
export function withRequestNotices(
  o: {
    quota: Pick<Quota, 'snapshot'>;
    stderr: Pick<Writable, 'write'>;
    clock: Clock;
    told?: (words: string) => void;
  },
  next: (event: RequestEvent) => void,
): (event: RequestEvent) => void {
  let isLedgerTold = false;
  let isQuotaTold = false;
  let toldUntil = Number.NEGATIVE_INFINITY;
  const tell = (words: string) => {
    eraseProgress();
    say(o.stderr, words);
    o.told?.(words);
  };
  return (event) => {
    const { degraded } = o.quota.snapshot('');
    if (degraded && !isLedgerTold) tell(NO_LEDGER);
    isLedgerTold = degraded;
    const { wait, host, strays } = event;
    if (strays) tell(sentStrays(`an answer of ${host}`, strays));
    const left = wait === null ? 0 : wait.until - o.clock.now();
    if (wait !== null && left >= TOLD_FROM) {
      const isQuota = wait.because === 'quota';
      // Whoever reads much waits for the quota again and again, and others until the same end.
      const isTold = isQuota ? isQuotaTold : wait.until - toldUntil < TOLD_FROM;
      if (!isTold) {
        const more = isQuota ? '; it is not said again for the quota' : '';
        tell(`waiting until ${isoSecond(wait.until)} (${duration(left)}): ${waitReason(wait, host)}${more}`);
      }
      if (isQuota) isQuotaTold = true;
      else toldUntil = Math.max(toldUntil, wait.until);
    }
    next(event);
  };
}
