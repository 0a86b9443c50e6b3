import {
  type Decision,
  decide,
  EMPTY_LANE,
  type LaneView,
  type Limits,
  type Priority,
} from './quota-rule.ts';

/** When to ask for a slot again (monotonic ms), and whether a server's refusal stops all requests until then. */
export type HeldBack = { retryAt: number; isFrozen: boolean };
/** A slot taken, or not. */
export type SlotOutcome = { ok: true; slot: string } | ({ ok: false } & HeldBack);

/** The sliding log behind a quota. Times are monotonic ms. Shared between processes, or of one alone. */
export type SlotStore = {
  take(lane: string, limits: Limits, priority: Priority, now: number): SlotOutcome;
  /** Moves the end of a slot's lease; it is settled or dropped all the same. */
  renew(slot: string, freeAt: number): void;
  /** The slot becomes free at this time, before or after the end of its lease. */
  settle(slot: string, freeAt: number): void;
  /** The slot was never used. */
  drop(slot: string): void;
  freeze(lane: string, until: number, now: number): void;
  view(lane: string, now: number): LaneView;
  readonly degraded: boolean;
  close(): void;
};

/** A slot that is not free yet. */
export type QuotaSlot = { lane: string; freeAt: number; background: boolean };
type Lane = Pick<LaneView, 'frozenUntil' | 'lastBackground' | 'userWaitingUntil'>;

/** The sliding log of one process, in memory. */
export class MemorySlots implements SlotStore {
  readonly degraded: boolean = false;
  readonly #slots = new Map<string, QuotaSlot>();
  readonly #lanes = new Map<string, Lane>();
  #next = 1;

  take(lane: string, limits: Limits, priority: Priority, now: number): SlotOutcome {
    const decision: Decision = decide(this.view(lane, now), limits, priority, now);
    if (!decision.admit) {
      if (priority === 'user') this.#lane(lane).userWaitingUntil = waitingUntil(limits, now);
      return { ok: false, retryAt: decision.retryAt, isFrozen: decision.isFrozen };
    }
    const slot = String(this.#next++);
    this.put(slot, lane, now + limits.lease, priority, now);
    return { ok: true, slot };
  }

  /** Records a slot granted elsewhere. */
  put(slot: string, lane: string, freeAt: number, priority: Priority, now: number): void {
    const background = priority === 'background';
    this.#slots.set(slot, { lane, freeAt, background });
    if (background) this.#lane(lane).lastBackground = now;
    else this.#lane(lane).userWaitingUntil = Number.NEGATIVE_INFINITY;
  }

  renew(slot: string, freeAt: number): void {
    this.settle(slot, freeAt);
  }

  settle(slot: string, freeAt: number): void {
    const found = this.#slots.get(slot);
    if (found !== undefined) found.freeAt = freeAt;
  }

  drop(slot: string): void {
    this.#slots.delete(slot);
  }

  freeze(lane: string, until: number): void {
    const found = this.#lane(lane);
    found.frozenUntil = Math.max(found.frozenUntil, until);
  }

  view(lane: string, now: number): LaneView {
    const view = { ...EMPTY_LANE, ...this.#lanes.get(lane) };
    for (const [id, slot] of this.#slots) {
      if (slot.freeAt <= now) this.#slots.delete(id);
      else if (slot.lane === lane) {
        view.used += 1;
        view.nextFree = Math.min(view.nextFree ?? slot.freeAt, slot.freeAt);
        if (!slot.background) continue;
        view.usedBackground += 1;
        view.nextBackgroundFree = Math.min(view.nextBackgroundFree ?? slot.freeAt, slot.freeAt);
      }
    }
    return view;
  }

  /** The slots that are not free at this time. */
  held(now: number): [id: string, slot: QuotaSlot][] {
    return [...this.#slots].filter(([, { freeAt }]) => freeAt > now);
  }

  /** The lanes that are frozen at this time, and until when. */
  frozen(now: number): [lane: string, until: number][] {
    return [...this.#lanes].flatMap(([lane, { frozenUntil }]) =>
      frozenUntil > now ? [[lane, frozenUntil]] : [],
    );
  }

  close(): void {
    this.#slots.clear();
  }

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? { ...EMPTY_LANE };
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** A waiting user is remembered a little longer than the longest pause between two of its tries. */
export function waitingUntil(limits: Limits, now: number): number {
  return now + limits.window / 20;
}
