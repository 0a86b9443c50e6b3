import { type Dice, diceOf, hash, hashOfText } from './random.ts';
import type { Swell } from './streams.ts';
import type { Effect, Stream } from './traffic.ts';
import type { Change, TruthCause } from './truth.ts';
import { type Wish, type Zone, zoneOf } from './zone.ts';

export const SECOND = 1000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** What a kind is made from: the account, the dice, and the window that will be asked about. */
export type Setting = {
  readonly seed: number;
  readonly account: number;
  readonly index: number;
  readonly now: number;
  readonly asked: { readonly from: number; readonly to: number };
  readonly dice: Dice;
  readonly zone: (wish: Wish) => Zone;
  /** A whole second some minutes before the end of the asked window. */
  readonly ago: (low: number, high: number) => number;
  /** Null while it is still on, or an end between the window and now. */
  readonly end: () => number | null;
  /** Rates at which so small a part of the requests can be told from chance at all. */
  readonly rates: (share: number, from: number, most?: number) => [number, number];
};
export type Part = {
  readonly cause: TruthCause | null;
  readonly effects: readonly Effect[];
  readonly streams: readonly Stream[];
  readonly changes: readonly Change[];
};
export type Story = {
  readonly zone: Zone;
  readonly parts: readonly Part[];
  /** Changes that have nothing to do with it. */
  readonly innocent?: readonly Change[];
  readonly swell?: Swell;
};
export type Kind = {
  readonly window: 'any' | 'quarter' | 'hour' | 'newest' | 'days';
  readonly tell: (s: Setting) => Story;
};

const whole = (t: number) => Math.floor(t / SECOND) * SECOND;

function askedOf(dice: Dice, kind: Kind, now: number): { from: number; to: number } {
  if (kind.window === 'days') return { from: now - 3 * DAY + 2 * HOUR, to: now };
  const u = dice.next();
  const back = dice.int(20, 240) * MINUTE;
  const hour = kind.window === 'hour' || (kind.window !== 'quarter' && dice.chance(0.4));
  const length = hour ? HOUR : 15 * MINUTE;
  const to = u < 0.18 && kind.window !== 'newest' ? Math.floor((now - back) / MINUTE) * MINUTE : now;
  return { from: to - length, to };
}

export function settingOf(name: string, kind: Kind, seed: number, now: number): Setting {
  const account = hash(hashOfText(name), seed);
  const dice = diceOf(hash(account, 1));
  const asked = askedOf(dice, kind, now);
  const index = hash(account, 2) % (3 + (hash(account, 3) % 6));
  return {
    seed,
    account,
    index,
    now,
    asked,
    dice,
    zone: (wish) => zoneOf(account, index, wish),
    ago: (low, high) => whole(asked.to - dice.between(low, high) * MINUTE),
    end: () => {
      const room = now - asked.to;
      return room < 10 * MINUTE || dice.chance(0.5) ? null : whole(asked.to + room * dice.between(0.1, 0.8));
    },
    rates: (share, from, most = 300) => {
      const seconds = (asked.to - Math.max(from, asked.from)) / SECOND;
      const least = Math.max(1.5, 90 / (share * Math.max(seconds, 60)));
      return [Math.min(least, most), most];
    },
  };
}

export const zonesOf = (account: number): number => 3 + (hash(account, 3) % 6);

/** The mean of a shape over the time that it was on. */
export function meanOf(from: number, to: number, shape: (t: number) => number): number {
  let total = 0;
  for (let i = 0; i < 600; i += 1) total += shape(from + ((to - from) * (i + 0.5)) / 600);
  return total / 600;
}
