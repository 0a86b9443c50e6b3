import { FAILURES, type Failure, failureOf, mayHaveArrived, type Result } from '../domain/failure.ts';
import type { RequestEvent } from '../domain/request-event.ts';
import { maskUrlSecrets } from '../text/mask.ts';
import { sanitise } from '../text/sanitise.ts';
import type { Clock } from '../time/clock.ts';
import { type Answer, parsedAhead } from './answer.ts';
import { answered, asked, type Circuit, CLOSED, mayAsk } from './breaker.ts';
import type { HostName } from './origin.ts';
import type { Permit, Quota } from './quota.ts';
import type { Priority } from './quota-rule.ts';
import type { OpenAnswer } from './receive.ts';
import { jitter } from './retry-after.ts';
import type { HttpRequest, Transport } from './transport.ts';

export type CallOptions = {
  signal?: AbortSignal;
  priority?: Priority;
  /** Tries after the first, 0…3; GET only. Default: 3 for a user, 0 in the background, where the caller has a plan. */
  retries?: number;
  /** A turn that was waited for before, for the first try. Who waited for it gives it back where it was not used. */
  permit?: Permit;
};

/**
 * A request with the lane of its quota, and what makes an answer into a value. `renewed`: the same as it is to be sent
 * now, the server's time in Unix ms, where it depends on that; asked at each try.
 */
export type Call<T> = HttpRequest & {
  lane: string;
  /** What is asked for at most in one list; what an answer has beyond that is not parsed. Absent: no list is. */
  list?: { most: number; keepsKeys?: boolean };
  read: (answer: Answer) => Result<T>;
  renewed?: (now: number) => Call<T>;
};

export type CallerOptions = {
  transport: Transport;
  quota: Quota;
  clock: Clock;
  /** The time on a host as its answers tell it, Unix ms. */
  toldNow: (host: HostName) => number;
  random: () => number;
  onRequest: (event: RequestEvent) => void;
  /** Scales the pauses between tries, for tests. */
  factor: number;
};

export type Caller = {
  call<T>(call: Call<T>, options?: CallOptions): Promise<Result<T>>;
  /** Like `call`, but for a body that is read as it comes: `read` sees the status alone. */
  stream(call: Call<null>, options?: CallOptions): Promise<Result<OpenAnswer>>;
};

type Settled<T> = { result: Result<T>; status: number; bytes: number };

const MOST_RETRIES = 3;
const PATH_LENGTH = 2_000;

/** Sends calls through the quota, and tries again where that is safe. */
export function createCaller(o: CallerOptions): Caller {
  const circuits = new Map<string, Circuit>();
  const refusals = new Map<string, number>();
  let lastId = 0;
  const rest = () => o.clock.sleep(0);

  async function attempt<A, T>(
    call: Call<T>,
    options: Required<Pick<CallOptions, 'priority' | 'retries'>> & CallOptions,
    send: (call: Call<T>) => Promise<Result<A>>,
    settle: (sent: A, call: Call<T>) => Settled<T> | Promise<Settled<T>>,
  ): Promise<{ sent: A | null; result: Result<T> }> {
    const host = o.transport.hostOf(call.host);
    let event = eventFor(call, host);
    o.onRequest(event);
    const end = (result: Result<T>, sent: A | null = null, more: Partial<RequestEvent> = {}) => {
      o.onRequest({ ...event, ...more, phase: 'done', outcome: result.ok ? 'ok' : result.failure.kind });
      return { sent, result };
    };
    const permit = await permitFor(call, host, options);
    if (!permit.ok) return end({ ok: false, failure: permit.failure });
    const { waited, release, renew } = permit.value;
    const circuit = circuits.get(host) ?? CLOSED;
    if (!mayAsk(circuit, options.priority, o.clock.now())) {
      release('unsent');
      return end({ ok: false, failure: openCircuit(host, circuit) }, null, { waited });
    }
    circuits.set(host, asked(circuit));
    if (options.permit !== undefined) renew();
    const started = o.clock.now();
    const current = call.renewed?.(o.toldNow(call.host)) ?? call;
    event = { ...event, path: shownPath(current) };
    o.onRequest({ ...event, phase: 'sent', waited });
    const sent = await send(current);
    const settled: { result: Result<T>; status: number | null; bytes: number | null } = sent.ok
      ? await settle(sent.value, current)
      : { result: { ok: false, failure: sent.failure }, status: sent.failure.status, bytes: null };
    const { result, status, bytes } = settled;
    const failure = result.ok ? null : result.failure;
    const lost = failure === null || mayHaveArrived(failure) ? 'abandoned' : 'unsent';
    release(status === null ? lost : 'answered');
    circuits.set(host, answered(circuits.get(host) ?? CLOSED, failure, o.clock.now(), o.random()));
    const noted = noteRefusal(call.lane, failure);
    const final: Result<T> = noted === null ? result : { ok: false, failure: noted };
    return end(final, sent.ok ? sent.value : null, { waited, status, bytes, took: o.clock.now() - started });
  }

  async function permitFor(
    call: Call<unknown>,
    host: string,
    options: { priority: Priority; retries: number } & CallOptions,
  ): Promise<Result<Permit>> {
    const refused = o.transport.objection(call);
    if (refused !== null) return { ok: false, failure: refused };
    const circuit = circuits.get(host) ?? CLOSED;
    if (!mayAsk(circuit, options.priority, o.clock.now())) {
      return { ok: false, failure: openCircuit(host, circuit) };
    }
    const { frozenUntil } = o.quota.snapshot(call.lane);
    // Who may not try again does not sit out a freeze either: it is told until when.
    if (frozenUntil !== null && options.retries === 0) {
      return { ok: false, failure: failureOf('rateLimited', { host, retryAt: frozenUntil }) };
    }
    if (options.permit !== undefined) return { ok: true, value: options.permit };
    try {
      return { ok: true, value: await o.quota.acquire(call.lane, options.priority, options.signal) };
    } catch {
      return { ok: false, failure: failureOf('cancelled', { host }) };
    }
  }

  /** A 429 stops every process; without a usable `Retry-After` the pause grows with each one in a row. */
  function noteRefusal(lane: string, failure: Failure | null): Failure | null {
    if (failure === null) refusals.delete(lane);
    if (failure === null || FAILURES[failure.kind].call.retry !== 'freeze') return failure;
    const before = refusals.get(lane) ?? 0;
    refusals.set(lane, before + 1);
    const now = o.clock.now();
    const pause = failure.retryAt === null ? jitter(before, o.random()) : failure.retryAt - now;
    const until = now + pause * o.factor;
    o.quota.freeze(lane, until);
    return { ...failure, retryAt: until };
  }

  function eventFor(call: Call<unknown>, host: string): RequestEvent {
    lastId += 1;
    const path = shownPath(call);
    const { method } = call;
    const empty = { status: null, waited: 0, took: null, bytes: null, outcome: null };
    return { id: lastId, at: o.clock.now(), method, host, path, phase: 'queued', ...empty };
  }

  function shownPath(call: HttpRequest): string {
    return sanitise(maskUrlSecrets(o.transport.scrub(call.path)), 'strict', PATH_LENGTH);
  }

  async function repeat<A, T>(
    call: Call<T>,
    options: CallOptions,
    send: (call: Call<T>) => Promise<Result<A>>,
    settle: (sent: A, call: Call<T>) => Settled<T> | Promise<Settled<T>>,
  ): Promise<{ sent: A | null; result: Result<T> }> {
    const priority = options.priority ?? 'user';
    const wanted = options.retries ?? (priority === 'user' ? MOST_RETRIES : 0);
    const most = call.method === 'GET' ? Math.min(MOST_RETRIES, Math.max(0, wanted)) : 0;
    for (let tries = 0; ; tries += 1) {
      if (options.signal?.aborted)
        return { sent: null, result: { ok: false, failure: failureOf('cancelled') } };
      const { permit: held, ...others } = options;
      const own = tries === 0 && held !== undefined ? { permit: held } : {};
      const done = await attempt(call, { ...others, ...own, priority, retries: most }, send, settle);
      if (done.result.ok) return done;
      const { retry } = FAILURES[done.result.failure.kind].call;
      if (tries === most || retry === 'never') return done;
      // The quota itself makes a refused request wait until it is allowed again.
      if (retry === 'freeze') continue;
      const asked = done.result.failure.retryAt;
      const pause = asked === null ? jitter(tries, o.random()) : asked - o.clock.now();
      await o.clock.sleep(pause * o.factor, options.signal);
    }
  }

  return {
    async call(call, options = {}) {
      const settle = async (answer: Answer, sent: typeof call) => {
        const ready = sent.list === undefined ? answer : await parsedAhead(answer, sent.list, rest);
        return { result: sent.read(ready), status: answer.status, bytes: answer.bytes.byteLength };
      };
      const send = (current: typeof call) => o.transport.send(current, options.signal);
      return (await repeat(call, options, send, settle)).result;
    },

    async stream(call, options = {}) {
      const settle = ({ answer, hangUp }: OpenAnswer) => {
        const result = call.read(answer);
        if (!result.ok) hangUp();
        return { result, status: answer.status, bytes: 0 };
      };
      const open = () => o.transport.open(call, options.signal);
      const { sent, result } = await repeat(call, options, open, settle);
      if (!result.ok) return result;
      return sent === null ? { ok: false, failure: failureOf('cancelled') } : { ok: true, value: sent };
    },
  };
}

function openCircuit(host: string, circuit: Circuit): Failure {
  const { lastFailure } = circuit;
  return failureOf('circuitOpen', {
    host,
    detail: lastFailure?.detail || lastFailure?.kind || '',
    retryAt: circuit.openUntil,
  });
}
