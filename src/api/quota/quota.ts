import type { QuotaSnapshot } from '../../domain/request-event.ts';
import { type Clock, systemClock } from '../../time/clock.ts';
import { type HeldBack, MemorySlots, type SlotStore } from './memory-slots.ts';
import { decide, type Limits, limitsOf, type Priority } from './quota-rule.ts';

/**
 * Permission to send one request. `answered`: its response came, or surely nothing more reaches the server.
 * `abandoned`: sent, then given up. `unsent`: never left this machine, so it costs nothing.
 */
export type Permit = {
  /** ms spent waiting for it. */
  readonly waited: number;
  /** The request leaves now, long after the permit was given: its lease starts again. */
  renew(): void;
  release(outcome: 'answered' | 'abandoned' | 'unsent'): void;
};

export type Quota = {
  /**
   * Waits for a slot; rejects with the signal's reason when that fires first. `held` is called at each look while it
   * waits.
   */
  acquire(lane: string, priority: Priority, signal?: AbortSignal, held?: HeldTold): Promise<Permit>;
  /** The same for a user's requests that must follow each other at once: takes all their slots together. */
  acquireTogether(lane: string, count: number, signal?: AbortSignal): Promise<readonly Permit[]>;
  snapshot(lane: string): QuotaSnapshot;
  /** Nothing is sent in this lane, by any process, before `until` (Unix ms). */
  freeze(lane: string, until: number): void;
  close(): void;
};

/** `until`: Unix ms, at the latest; `isFrozen`: a server's refusal stops all requests. */
type HeldTold = (wait: { until: number; isFrozen: boolean }) => void;

type Waiter = {
  priority: Priority;
  /** Requests that go together. */
  count: number;
  since: number;
  grant: (permits: readonly Permit[]) => void;
  held: HeldTold | undefined;
};
type Queue = Record<Priority, Waiter[]> & { cancelTimer: AbortController | null };

/** The order in which waiters of one process are served. */
const TURNS = ['user', 'background', 'guest'] as const satisfies readonly Priority[];

/** How long after it was given up an abandoned request may still reach the server, ms. */
const STRAGGLER = 1_000;
const HOST_PREFIX = 'host ';

/** The lane of one pull zone's logs, shared by both versions of the logging API. */
export function logLane(loggingUrl: string, pullZoneId: string): string {
  return `${new URL(loggingUrl).host} ${pullZoneId}`;
}

/** The lane of everything else on a host. */
export function hostLane(baseUrl: string): string {
  return `${HOST_PREFIX}${new URL(baseUrl).host}`;
}

/**
 * A queue per lane before a sliding log. Users go before background requests, and guests last, each kind in its
 * order. `factor` scales all times of the limits, for tests.
 */
export function createQuota(o: { store?: SlotStore; clock?: Clock; factor?: number } = {}): Quota {
  const clock = o.clock ?? systemClock;
  const store = o.store ?? new MemorySlots();
  const factor = o.factor ?? 1;
  const queues = new Map<string, Queue>();
  const limits = { log: limitsOf('log', factor), host: limitsOf('host', factor) };
  const limitsFor = (lane: string): Limits => (lane.startsWith(HOST_PREFIX) ? limits.host : limits.log);

  function pump(lane: string): void {
    const queue = queues.get(lane);
    if (queue === undefined) return;
    queue.cancelTimer?.abort();
    queue.cancelTimer = null;
    const now = clock.monotonic();
    // Users first; the background's reserve stays its own while they wait.
    const blocked = TURNS.flatMap((priority) => grantAll(lane, queue[priority], now));
    if (blocked.length === 0) queues.delete(lane);
    else wakeAt(lane, queue, Math.min(...blocked), now);
  }

  /** Grants as many as may go; returns when the next may, if any is left. */
  function grantAll(lane: string, waiters: Waiter[], now: number): number[] {
    for (let head = waiters[0]; head !== undefined; head = waiters[0]) {
      const { since } = head;
      const slots = slotsFor(lane, head, now);
      if (!Array.isArray(slots)) {
        const { retryAt, isFrozen } = slots;
        const until = clock.now() + (retryAt - now);
        for (const { held } of waiters) held?.({ until, isFrozen });
        return [retryAt];
      }
      waiters.shift();
      head.grant(slots.map((slot) => permitFor(lane, slot, now - since)));
    }
    return [];
  }

  /** As many slots as a waiter needs, or none. */
  function slotsFor(lane: string, waiter: Waiter, now: number): string[] | HeldBack {
    const slots: string[] = [];
    while (slots.length < waiter.count) {
      const taken = store.take(lane, limitsFor(lane), waiter.priority, now);
      if (!taken.ok) {
        for (const slot of slots) store.drop(slot);
        return taken;
      }
      slots.push(taken.slot);
    }
    return slots;
  }

  /** Other processes return slots without notice, so a blocked queue looks again a few times per window. */
  function wakeAt(lane: string, queue: Queue, retryAt: number, now: number): void {
    const longest = limitsFor(lane).window / 40;
    const pause = Math.max(1, Math.min(retryAt - now, longest));
    const timer = new AbortController();
    queue.cancelTimer = timer;
    void clock.sleep(pause, timer.signal).then(() => {
      if (!timer.signal.aborted) pump(lane);
    });
  }

  function permitFor(lane: string, slot: string, waited: number): Permit {
    let open = true;
    return {
      waited,
      renew() {
        if (open) store.renew(slot, clock.monotonic() + limitsFor(lane).lease);
      },
      release(outcome) {
        if (!open) return;
        open = false;
        if (outcome === 'unsent') store.drop(slot);
        else {
          const late = outcome === 'abandoned' ? STRAGGLER * factor : 0;
          store.settle(slot, clock.monotonic() + limitsFor(lane).window + late);
        }
        pump(lane);
      },
    };
  }

  function wait(
    lane: string,
    { priority, count, held }: Pick<Waiter, 'priority' | 'count' | 'held'>,
    signal?: AbortSignal,
  ): Promise<readonly Permit[]> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = queues.get(lane) ?? { user: [], background: [], guest: [], cancelTimer: null };
      queues.set(lane, queue);
      const leave = () => {
        const at = queue[priority].indexOf(waiter);
        if (at >= 0) queue[priority].splice(at, 1);
        reject(signal?.reason);
        pump(lane);
      };
      const waiter: Waiter = {
        priority,
        count,
        since: clock.monotonic(),
        held,
        grant: (permits) => {
          signal?.removeEventListener('abort', leave);
          resolve(permits);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue[priority].push(waiter);
      if (queue[priority].length === 1 || queue.cancelTimer === null) pump(lane);
    });
  }

  return {
    async acquire(lane, priority, signal, held) {
      const [permit] = await wait(lane, { priority, count: 1, held }, signal);
      return permit as Permit;
    },

    acquireTogether: (lane, count, signal) =>
      wait(lane, { priority: 'user', count, held: undefined }, signal),

    snapshot(lane) {
      const now = clock.monotonic();
      const view = store.view(lane, now);
      const frozen = view.frozenUntil > now;
      const limits = limitsFor(lane);
      return {
        used: view.used,
        cap: limits.shown,
        isSpent: !decide(view, limits, 'user', now).admit,
        frozenUntil: frozen ? clock.now() + (view.frozenUntil - now) : null,
        degraded: store.degraded,
      };
    },

    freeze(lane, until) {
      const now = clock.monotonic();
      store.freeze(lane, now + (until - clock.now()), now);
    },

    close() {
      for (const queue of queues.values()) queue.cancelTimer?.abort();
      queues.clear();
      store.close();
    },
  };
}
