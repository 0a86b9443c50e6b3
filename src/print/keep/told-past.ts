import { say } from '../../text/say.ts';
import { counted, duration } from '../../text/units.ts';
import type { Printer } from '../printer.ts';

/** That a zone reads so much of what was, ms, and why. */
export type TellPast = (name: string, length: number, why: string) => void;

/** Zones that each have a line. */
const MOST_TOLD = 5;
/** Of more, those that begin within so long have one together, ms. */
const GATHERED = 1_000;

/** Says what zones read of the past, of many of them once for all that begin together. */
export function createPastTelling(o: Pick<Printer, 'stderr' | 'clock'>, zones: number): TellPast {
  const waiting = new Map<string, number[]>();
  return (name, length, why) => {
    if (zones <= MOST_TOLD) {
      say(o.stderr, `${name}: reading ${duration(length)} ${why}`);
      return;
    }
    const lengths = waiting.get(why);
    lengths?.push(length);
    if (lengths !== undefined) return;
    waiting.set(why, [length]);
    o.clock.after(GATHERED, () => {
      const all = waiting.get(why) ?? [];
      waiting.delete(why);
      say(o.stderr, `${counted(all.length, 'zone')}: reading up to ${duration(Math.max(...all))} ${why}`);
    });
  };
}
