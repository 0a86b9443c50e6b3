import { FAILURES, type Failure, failureOf, mayHaveArrived, type Result } from '../domain/failure.ts';
import { type RequestEvent, UNSENT, type Wait } from '../domain/request-event.ts';
import { straysIn } from '../domain/strays.ts';
import { maskUrlSecrets } from '../text/mask.ts';
import { sanitise } from '../text/sanitise.ts';
import type { Clock } from '../time/clock.ts';
import type { HostName } from './http/origin.ts';
import { type Answer, jitter, parsedAhead } from './http/response.ts';
import type { OpenAnswer } from './http/response-body.ts';
import { type HttpRequest, isWrite, type Transport } from './http/transport.ts';
import type { Permit, Quota } from './quota/quota.ts';
import type { Priority } from './quota/quota-rule.ts';

export type CallOptions = {
  signal?: AbortSignal;
  priority?: Priority;
  /** Further tries, 0…3, of a GET only. Default: 3 for a user, 0 in the background, whose callers have a plan. */
  retries?: number;
  /** A permit acquired beforehand for the first try. Whoever acquired it releases it if it was not used. */
  permit?: Permit;
};

/**
 * A request, and how its answer becomes a value; `rest` lets keys pass. `renewed`: remakes it for a try at this server
 * time, Unix ms.
 */
export type Call<T> = HttpRequest & {
  /** The most items of one list; further items are not parsed. Absent: the answer is no list. */
  list?: { most: number; keepsKeys?: boolean };
  read: (answer: Answer, rest: () => Promise<void>) => Result<T> | Promise<Result<T>>;
  renewed?: (now: number) => Call<T>;
};

type CallerOptions = {
  transport: Transport;
  quota: Quota;
  clock: Clock;
  /** A host's time by its answers, Unix ms. */
  toldNow: (host: HostName) => number;
  random: () => number;
  onRequest: (event: RequestEvent) => void;
  nextId: () => number;
  /** Scales the pauses between tries, for tests. */
  factor: number;
};

type Caller = {
  /** `lane`: the quota that the request counts to. */
  call<T>(call: Call<T>, lane: string, options: CallOptions): Promise<Result<T>>;
  /** Like `call`, but the body is streamed: `read` sees the status alone. */
  stream(call: Call<null>, lane: string, options: CallOptions): Promise<Result<OpenAnswer>>;
};

/** A call with its options, how it is sent, and how its answer is read. */
type Order<A, T> = {
  call: Call<T>;
  lane: string;
  options: CallOptions & { priority: Priority; retries: number };
  send: (call: Call<T>) => Promise<Result<A>>;
  settle: (sent: A, call: Call<T>) => Settled<T> | Promise<Settled<T>>;
  /** The pause before it, after a failed try. */
  pause: Wait | null;
};

type Settled<T> = { result: Result<T>; status: number; bytes: number };

const MOST_RETRIES = 3;
const PATH_LENGTH = 2_000;
/** A shorter wait, or a smaller change of its end, is not reported, ms. */
const TOLD_FROM = 1_000;

/** Sends calls through the quota, and tries again where that is safe. */
export function createCaller(o: CallerOptions): Caller {
  const circuits = new Map<string, Circuit>();
  const refusals = new Map<string, number>();
  const rest = () => o.clock.sleep(0);

  async function attempt<A, T>(order: Order<A, T>): Promise<{ sent: A | null; result: Result<T> }> {
    const { call, lane, options, send, settle } = order;
    const host = o.transport.hostOf(call);
    let event = eventFor(call, host);
    o.onRequest(event);
    const end = (result: Result<T>, sent: A | null = null, more: Partial<RequestEvent> = {}) => {
      o.onRequest({ ...event, ...more, phase: 'done', outcome: result.ok ? 'ok' : result.failure.kind });
      return { sent, result };
    };
    const held = (wait: Wait) => {
      const isTold =
        event.wait?.because === wait.because && Math.abs(event.wait.until - wait.until) < TOLD_FROM;
      if (isTold || wait.until - o.clock.now() < TOLD_FROM) return;
      event = { ...event, wait };
      o.onRequest(event);
    };
    if (order.pause !== null) {
      held(order.pause);
      await o.clock.sleep(order.pause.until - o.clock.now(), options.signal);
      if (options.signal?.aborted) return end({ ok: false, failure: failureOf('cancelled', { host }) });
    }
    const permit = await permitFor(order, host, held);
    event = { ...event, wait: null };
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
    const noted = noteRefusal(lane, failure);
    const strays = result.ok ? straysIn(result.value) : null;
    const final: Result<T> = noted === null ? result : { ok: false, failure: noted };
    return end(final, sent.ok ? sent.value : null, {
      waited,
      status,
      bytes,
      took: o.clock.now() - started,
      ...(strays === null ? {} : { strays }),
    });
  }

  async function permitFor<A, T>(
    { call, lane, options }: Order<A, T>,
    host: string,
    held: (wait: Wait) => void,
  ): Promise<Result<Permit>> {
    const refused = o.transport.objection(call);
    if (refused !== null) return { ok: false, failure: refused };
    const circuit = circuits.get(host) ?? CLOSED;
    if (!mayAsk(circuit, options.priority, o.clock.now())) {
      return { ok: false, failure: openCircuit(host, circuit) };
    }
    const { frozenUntil } = o.quota.snapshot(lane);
    // A call without retries does not wait out a freeze: it fails, and says until when.
    if (frozenUntil !== null && options.retries === 0) {
      return { ok: false, failure: failureOf('rateLimited', { host, retryAt: frozenUntil }) };
    }
    if (options.permit !== undefined) return { ok: true, value: options.permit };
    try {
      const permit = await o.quota.acquire(lane, options.priority, options.signal, ({ until, isFrozen }) =>
        held(
          isFrozen
            ? { until, because: 'rateLimited', status: 429 }
            : { until, because: 'quota', status: null },
        ),
      );
      return { ok: true, value: permit };
    } catch {
      return { ok: false, failure: failureOf('cancelled', { host }) };
    }
  }

  /** A 429 stops every process; without a usable `Retry-After` the pause grows with each consecutive one. */
  function noteRefusal(lane: string, failure: Failure | null): Failure | null {
    if (failure === null) refusals.delete(lane);
    if (failure === null || FAILURES[failure.kind].traits.retry !== 'freeze') return failure;
    const before = refusals.get(lane) ?? 0;
    refusals.set(lane, before + 1);
    const now = o.clock.now();
    const pause = failure.retryAt === null ? jitter(before, o.random()) : failure.retryAt - now;
    const until = now + pause * o.factor;
    o.quota.freeze(lane, until);
    return { ...failure, retryAt: until };
  }

  function eventFor(call: Call<unknown>, host: string): RequestEvent {
    const path = shownPath(call);
    const { method } = call;
    return { id: o.nextId(), at: o.clock.now(), method, host, path, phase: 'waiting', ...UNSENT };
  }

  function shownPath(call: HttpRequest): string {
    return sanitise(maskUrlSecrets(o.transport.scrub(call.path)), 'strict', PATH_LENGTH);
  }

  async function repeat<A, T>(
    order: Omit<Order<A, T>, 'options' | 'pause'> & { options: CallOptions },
  ): Promise<{ sent: A | null; result: Result<T> }> {
    const { call, options } = order;
    const priority = options.priority ?? 'user';
    const wanted = options.retries ?? (priority === 'user' ? MOST_RETRIES : 0);
    const most = isWrite(call) ? 0 : Math.min(MOST_RETRIES, Math.max(0, wanted));
    let pause: Wait | null = null;
    for (let tries = 0; ; tries += 1) {
      if (options.signal?.aborted)
        return { sent: null, result: { ok: false, failure: failureOf('cancelled') } };
      const { permit: held, ...others } = options;
      const own = tries === 0 && held !== undefined ? { permit: held } : {};
      const done: { sent: A | null; result: Result<T> } = await attempt({
        ...order,
        pause,
        options: { ...others, ...own, priority, retries: most },
      });
      if (done.result.ok) return done;
      const { kind, status, retryAt } = done.result.failure;
      const { retry } = FAILURES[kind].traits;
      if (tries === most || retry === undefined) return done;
      const now = o.clock.now();
      const longest = retryAt === null ? jitter(tries, o.random()) : retryAt - now;
      // The quota makes the next try wait until requests are allowed again.
      pause = retry === 'freeze' ? null : { until: now + longest * o.factor, because: kind, status };
    }
  }

  return {
    async call(call, lane, options) {
      const settle = async (answer: Answer, sent: typeof call) => {
        const ready = sent.list === undefined ? answer : await parsedAhead(answer, sent.list, rest);
        return {
          result: await sent.read(ready, rest),
          status: answer.status,
          bytes: answer.bytes.byteLength,
        };
      };
      const send = (current: typeof call) => o.transport.send(current, options.signal);
      return (await repeat({ call, lane, options, send, settle })).result;
    },

    async stream(call, lane, options) {
      const settle = async ({ answer, hangUp }: OpenAnswer) => {
        const result = await call.read(answer, rest);
        if (!result.ok) hangUp();
        return { result, status: answer.status, bytes: 0 };
      };
      const send = () => o.transport.open(call, options.signal);
      const { sent, result } = await repeat({ call, lane, options, send, settle });
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

/** State of the circuit breaker of one host. Times are Unix ms. */
type Circuit = {
  /** Consecutive failures of the host or of the way to it. */
  failures: number;
  openUntil: number;
  probing: boolean;
  lastFailure: Failure | null;
};

/** Consecutive failures that open the circuit. */
const TOLERATED = 5;
const FIRST_BREAK = 2_000;
const LONGEST_BREAK = 30_000;

export const CLOSED: Circuit = { failures: 0, openUntil: 0, probing: false, lastFailure: null };

/** While the circuit is open one request at a time may probe it: after the break, or at once when a user asks. */
export function mayAsk(circuit: Circuit, priority: Priority, now: number): boolean {
  if (circuit.failures < TOLERATED) return true;
  return !circuit.probing && (now >= circuit.openUntil || priority === 'user');
}

export function asked(circuit: Circuit): Circuit {
  return circuit.failures < TOLERATED ? circuit : { ...circuit, probing: true };
}

/** `failure: null` = the host answered sensibly. `random` in [0, 1) keeps several processes from probing together. */
export function answered(circuit: Circuit, failure: Failure | null, now: number, random: number): Circuit {
  if (failure === null) return CLOSED;
  const { blames } = FAILURES[failure.kind].traits;
  if (blames === 'nothing') return { ...circuit, probing: false };
  // A gateway that cannot reach the service counts as a lost link; a 500 may concern a single request.
  const isGateway = blames === 'server' && (failure.status ?? 0) >= 502;
  if (blames !== 'address' && blames !== 'link' && !isGateway) return CLOSED;
  const failures = circuit.failures + 1;
  const longest = Math.min(LONGEST_BREAK, FIRST_BREAK * 2 ** Math.min(10, failures - TOLERATED));
  const openUntil = failures < TOLERATED ? 0 : now + longest * (0.5 + random / 2);
  return { failures, openUntil, probing: false, lastFailure: failure };
}
