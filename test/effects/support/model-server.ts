import type { CallOptions, LogSlice, LogSliceRequest } from '../../../src/api/client.ts';
import type { Priority } from '../../../src/api/quota/quota-rule.ts';
import { type Failure, type FailureKind, failureOf, type Result } from '../../../src/domain/failure.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import type { CodedRows } from '../../../src/domain/logs/columns/coded-rows.ts';
import type { LogRows } from '../../../src/domain/logs/log-rows.ts';
import { batchOf } from '../../support/coded.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';

/** A row of the log; it can be read from `visibleAt` on. Times are the server's, Unix ms. */
export type ModelRow = { time: number; visibleAt: number; record: LogRecord };

/**
 * What goes wrong from `from` to `to`, server's time. `lag`: answers are `ms` old; `short`: pages of
 * any length; `date`: the header is `ms` ahead, or with `spread` by any time up to that, and absent where both are null.
 */
export type ModelFault = { from: number; to: number } & (
  | { kind: 'failure'; failure: FailureKind; retryIn: number | null }
  | { kind: 'hang' }
  | { kind: 'lag'; ms: number }
  | { kind: 'short' }
  | { kind: 'date'; ms: number | null; spread?: number }
);

export type ModelOptions = {
  rows: readonly ModelRow[];
  clock: VirtualClock;
  random: () => number;
  /** Most rows of an answer. */
  limit: number;
  hasDate: boolean;
  faults: readonly ModelFault[];
  latency?: number;
  /** Answers 400 to windows that end after now. */
  refusesFuture?: boolean;
  /** Gives rows in any order, and those at the end of a window too. */
  isSloppy?: boolean;
};

export type ModelRequest = LogSliceRequest & {
  at: number;
  priority: Priority;
  hasMore: boolean;
};

/** How long a request hangs before the client gives up, ms. */
const TIMEOUT = 20_000;

/** A log server in virtual time. Its order among equal times is another in every answer. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];
  readonly #o: ModelOptions;
  readonly #rows: ModelRow[];

  constructor(o: ModelOptions) {
    this.#o = o;
    this.#rows = [...o.rows].sort((a, b) => a.time - b.time);
  }

  readonly fetch = async (r: LogSliceRequest, c: CallOptions): Promise<Result<LogSlice>> => {
    const { clock, random } = this.#o;
    const sentAt = clock.now();
    const request = { ...r, at: clock.real, priority: c.priority ?? 'user', hasMore: false };
    this.requests.push(request);
    const latency = (this.#o.latency ?? 40) * (0.5 + random());
    await clock.sleep(latency / 2, c.signal);
    const fault = this.#fault('failure') ?? this.#fault('hang');
    if (fault?.kind === 'hang') await clock.sleep(TIMEOUT, c.signal);
    const answer = fault === undefined ? this.#answer(r, sentAt) : this.#failure(fault);
    await clock.sleep(latency / 2, c.signal);
    if (c.signal?.aborted) return { ok: false, failure: failureOf('cancelled') };
    if (answer.ok) {
      answer.value.receivedAt = clock.now();
      request.hasMore = answer.value.hasMore;
    }
    return answer;
  };

  #failure(fault: ModelFault): { ok: false; failure: Failure } {
    if (fault.kind !== 'failure') return { ok: false, failure: failureOf('timeout') };
    const retryAt = fault.retryIn === null ? null : this.#o.clock.now() + fault.retryIn;
    return { ok: false, failure: failureOf(fault.failure, { retryAt }) };
  }

  #answer(r: LogSliceRequest, sentAt: number): Result<LogSlice> {
    const { clock, hasDate, refusesFuture, random } = this.#o;
    const now = clock.real;
    if (refusesFuture && r.to > now) return { ok: false, failure: failureOf('invalidRequest') };
    const lag = this.#fault('lag');
    const asOf = lag?.kind === 'lag' ? now - lag.ms : now;
    const found = this.#between(r.from, this.#o.isSloppy ? r.to + 1 : r.to).filter(
      (row) => row.visibleAt <= asOf,
    );
    this.#shuffleTies(found);
    if (r.order === 'desc') found.reverse();
    const offset = r.offset ?? 0;
    const most = Math.min(r.limit, this.#o.limit);
    const isShort = this.#fault('short') !== undefined && random() < 0.5;
    const returned = isShort ? Math.floor(random() * Math.min(most, found.length + 1)) : most;
    const page = found.slice(offset, offset + returned);
    if (this.#o.isSloppy) page.sort(() => random() - 0.5);
    const value: LogSlice = {
      rows: answered(page.map((row) => row.record)),
      hasMore: isShort || found.length > offset + page.length,
      serverNow: hasDate ? this.#date(now) : null,
      sentAt,
      receivedAt: 0,
    };
    return { ok: true, value };
  }

  #date(now: number): number | null {
    const fault = this.#fault('date');
    if (fault?.kind !== 'date') return cutToSecond(now);
    if (fault.spread !== undefined) return cutToSecond(now + (this.#o.random() * 2 - 1) * fault.spread);
    return fault.ms === null ? null : cutToSecond(now + fault.ms);
  }

  #fault(kind: ModelFault['kind']): ModelFault | undefined {
    const now = this.#o.clock.real;
    return this.#o.faults.find((f) => f.kind === kind && now >= f.from && now < f.to);
  }

  #between(from: number, to: number): ModelRow[] {
    return this.#rows.slice(this.#firstAt(from), this.#firstAt(to));
  }

  #firstAt(time: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle]?.time ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #shuffleTies(rows: ModelRow[]): void {
    for (let i = 1; i < rows.length; i += 1) {
      const a = rows[i - 1];
      const b = rows[i];
      if (a === undefined || b === undefined || a.time !== b.time || this.#o.random() < 0.5) continue;
      rows[i - 1] = b;
      rows[i] = a;
    }
  }
}

function cutToSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

const BATCH = 500;

/** An answer as it is read where it is short, or long: every other one has batches, and records between them. */
function answered(records: readonly LogRecord[]): LogRows {
  if (records.length % 2 === 0 || records.some(({ raw }) => raw !== null)) return records;
  const rows: (LogRecord | CodedRows)[] = [];
  for (let at = 0; at < records.length; at += BATCH + 1)
    rows.push(batchOf(records.slice(at, at + BATCH)), ...records.slice(at + BATCH, at + BATCH + 1));
  return rows;
}
