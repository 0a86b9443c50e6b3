/**
 * `user`: somebody waits for it. `background`: the tail, re-reads, prefetching. `guest`: a program that works beside
 * people, whose own views and tails go first.
 */
export type Priority = 'user' | 'background' | 'guest';

/** Times are ms. The window is the server's; everything else is ours. */
export type Limits = {
  /** The server's limit per window, as shown to the user. */
  shown: number;
  /** What all sessions of the user together may use of it. */
  cap: number;
  /** How many of those may be background requests. */
  background: number;
  /** How many are reserved for background requests, so that a tail never stands still. */
  floor: number;
  /** A guest starts nothing while this many of all are used: the rest is for people alone. */
  guest: number;
  window: number;
  /** Shortest time between the starts of two background requests, so that they do not leave in one burst. */
  spacing: number;
  /** A slot that nobody settled is free after this: its owner was killed. */
  lease: number;
  /** What is allowed beside requests of others that a new ledger does not know yet. */
  unknowing: number;
};

/** The state of a lane at one moment; all times in ms of the same monotonic clock. */
export type LaneView = {
  used: number;
  usedBackground: number;
  /** When the next slot, and the next background one, becomes free at the latest. */
  nextFree: number | null;
  nextBackgroundFree: number | null;
  frozenUntil: number;
  lastBackground: number;
  /** Until then others may have sent requests that this log does not hold. */
  unknowingUntil: number;
  /** Until then a user's request waits in some process, and background requests stand back. */
  userWaitingUntil: number;
};

export type Decision = { admit: true } | { admit: false; retryAt: number; isFrozen: boolean };

export const EMPTY_LANE: LaneView = {
  used: 0,
  usedBackground: 0,
  nextFree: null,
  unknowingUntil: Number.NEGATIVE_INFINITY,
  nextBackgroundFree: null,
  frozenUntil: Number.NEGATIVE_INFINITY,
  lastBackground: Number.NEGATIVE_INFINITY,
  userWaitingUntil: Number.NEGATIVE_INFINITY,
};

/** The longest time a request can be under way, ms. */
const TOTAL_TIMEOUT = 20_000;

const COUNTS = {
  /** CDN logs: the platform states 30 per 10 s and pull zone; four stay unused for other programs of the account. */
  log: { shown: 30, cap: 26, background: 14, floor: 2, guest: 16, unknowing: 4 },
  /** Main API and Shield: no limit is stated, so a mild one of our own, 20 per 10 s and host. */
  host: { shown: 20, cap: 20, background: 10, floor: 1, guest: 12, unknowing: 4 },
} as const;

/** `factor` scales every time, for tests. */
export function limitsOf(lane: keyof typeof COUNTS, factor = 1): Limits {
  const counts = COUNTS[lane];
  const window = 10_000 * factor;
  return {
    ...counts,
    window,
    spacing: window / (2 * counts.background),
    lease: TOTAL_TIMEOUT * factor + window,
  };
}

/** Processes that may exist beside one that cannot see them, itself included. */
const MOST_PROCESSES = 8;

/** What a process allows itself when it cannot see the others. */
export function shareOf(limits: Limits): Limits {
  const background = Math.max(1, Math.floor(limits.background / MOST_PROCESSES));
  return {
    ...limits,
    cap: Math.floor(limits.cap / MOST_PROCESSES),
    background,
    floor: Math.min(limits.floor, background),
    guest: Math.floor(limits.guest / MOST_PROCESSES),
    spacing: limits.spacing * MOST_PROCESSES,
  };
}

/**
 * Whether one more request may start now. A slot is taken at the start and becomes free one window after the
 * *response*: the server counted the request somewhere in between, so it never counts more than `cap` in a window of
 * its own.
 */
export function decide(view: LaneView, limits: Limits, priority: Priority, now: number): Decision {
  const at = (retryAt: number): Decision => ({ admit: false, retryAt, isFrozen: view.frozenUntil > now });
  const { used, usedBackground } = view;
  const nextFree = view.nextFree ?? now + limits.window;
  if (view.frozenUntil > now) return at(view.frozenUntil);
  const isUnknowing = view.unknowingUntil > now;
  const cap = isUnknowing ? Math.min(limits.cap, limits.unknowing) : limits.cap;
  if (used >= cap) return at(isUnknowing ? Math.min(nextFree, view.unknowingUntil) : nextFree);
  if (priority === 'user') return used - usedBackground < cap - limits.floor ? { admit: true } : at(nextFree);
  const isUserWaiting = view.userWaitingUntil > now;
  if (priority === 'guest') {
    if (isUserWaiting) return at(view.userWaitingUntil);
    return used < Math.min(cap, limits.guest) ? { admit: true } : at(nextFree);
  }
  if (isUserWaiting && usedBackground >= limits.floor) return at(view.userWaitingUntil);
  if (usedBackground >= limits.background) return at(view.nextBackgroundFree ?? now + limits.window);
  const paced = view.lastBackground + limits.spacing;
  return paced > now ? at(paced) : { admit: true };
}
