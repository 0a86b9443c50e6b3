import type { Failure } from '../../domain/failure.ts';
import type { GapReason } from '../../domain/tail/coverage.ts';
import { pauseAfter, tailFaultOf } from '../../domain/tail/tail-pace.ts';
import type { TailStatus } from '../../domain/tail/tail-report.ts';

/** The longest wait a server may ask for, as its `Retry-After` is clamped, ms. */
const HOLD_MOST = 120_000;

/** The tail's state with the server. All times are of our own clock, Unix ms. */
export class Health {
  failure: Failure | null = null;
  retryAt: number | null = null;
  /** The server asked for nothing to be sent before this. */
  holdUntil = Number.NEGATIVE_INFINITY;
  status: TailStatus = 'connecting';
  since: number;
  #failures = 0;

  constructor(now: number) {
    this.since = now;
  }

  get isFailing(): boolean {
    return this.failure !== null;
  }

  /** The head was answered. `silentSince`: when the last new row came, or the first answer. */
  answered(now: number, silentSince: number, quietAfter: number): void {
    this.failure = null;
    this.retryAt = null;
    this.#failures = 0;
    const isQuiet = now - silentSince >= quietAfter;
    this.#become(isQuiet ? 'quiet' : 'live', isQuiet ? silentSince : now);
  }

  /** The head was not answered; returns the ms until the next try. */
  failed(now: number, failure: Failure): number {
    this.#failures += 1;
    const pause = pauseAfter(failure.kind, this.#failures);
    this.failure = failure;
    this.retryAt = now + Math.min(HOLD_MOST, Math.max(pause, (failure.retryAt ?? now) - now));
    const { status } = tailFaultOf(failure.kind);
    if (status === 'rateLimited') this.holdUntil = this.retryAt;
    this.#become(status, now);
    return this.retryAt - now;
  }

  /** Another request than the head's was rate limited: the limit is the zone's, so all of them wait. */
  limited(now: number, failure: Failure): void {
    this.holdUntil = now + Math.min(HOLD_MOST, Math.max(1_000, (failure.retryAt ?? now) - now));
  }

  stopped(now: number): void {
    this.retryAt = null;
    this.#become('stopped', now);
  }

  #become(status: TailStatus, since: number): void {
    if (status === this.status) return;
    this.status = status;
    this.since = since;
  }
}

/** The gap's reason for time that the failure kept from being read. */
export function reasonOf(failure: Failure): GapReason {
  return tailFaultOf(failure.kind).reason;
}
