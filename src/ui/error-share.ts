import { wilsonLeast } from '../domain/questions/rules/false-positives.ts';
import { count, percent } from '../text/units.ts';
import type { ThemeSlot } from './theme.ts';

/** Server errors alarm from this many on, when of so many requests surely this share failed (Wilson, 95 %). */
const ALARM = { errors: 5, share: 0.01 } as const;

/** Of fewer requests a share is told by its numbers. */
const SMALL = 100;

/** `2.4%`, or `1 of 3` where that is all: one error among three requests is no third of the traffic. */
export function errorShare(errors: number, requests: number): { text: string; slot: ThemeSlot } {
  const share = requests === 0 ? null : errors / requests;
  const text = errors > 0 && requests < SMALL ? `${count(errors)} of ${count(requests)}` : percent(share);
  const isAlarm = errors >= ALARM.errors && (wilsonLeast(errors, requests) ?? 0) >= ALARM.share;
  return { text, slot: isAlarm ? 'error' : errors > 0 ? 'text' : 'dim' };
}
