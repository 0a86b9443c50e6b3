import { counted, joined } from '../text/units.ts';

/**
 * What a server sent that was not asked for: from outside the time or the folder, or of another zone. None of it
 * counts, and what should have come instead may be missing, so the answer is incomplete. An answer without strays has
 * none of these.
 */
export type Strays = { outside: number; ofOthers: number };

/** How far out a row is no stray, ms: some servers send seconds, and an end may be included. */
const EDGE = 1_000;

/** Separates what belongs to a time, and to the zone that `zoneOf` must name, from strays. `zoneOf`: null = unsaid. */
export function withoutStrays<T>(
  items: readonly T[],
  { from, to, zone = null }: { from: number; to: number; zone?: string | null },
  of: { time: (item: T) => number | null; zone?: (item: T) => string | null },
): { kept: T[]; strays?: Strays } {
  const strays: Strays = { outside: 0, ofOthers: 0 };
  const kept = items.filter((item) => {
    const time = of.time(item);
    const own = zone === null ? null : (of.zone?.(item) ?? null);
    if (own !== null && own !== zone) strays.ofOthers += 1;
    else if (time !== null && (time < from - EDGE || time > to + EDGE)) strays.outside += 1;
    else return true;
    return false;
  });
  return { kept, ...someStrays(strays) };
}

/** Omitted from an answer without strays. */
export function someStrays(strays: Strays): { strays?: Strays } {
  return strays.outside + strays.ofOthers === 0 ? {} : { strays };
}

/** The strays of any answer. */
export function straysIn(answer: unknown): Strays | null {
  return (answer as { strays?: Strays } | null)?.strays ?? null;
}

export function sumOfStrays(one: Strays | null, other: Strays | null): Strays | null {
  if (one === null || other === null) return one ?? other;
  return { outside: one.outside + other.outside, ofOthers: one.ofOthers + other.ofOthers };
}

/** How many they are. */
export function countOfStrays({ outside, ofOthers }: Strays): number {
  return outside + ofOthers;
}

/** What is said of an answer with strays. */
export function sentStrays(who: string, strays: Strays): string {
  return `${who} had ${strayWords(strays)}: left out, and the answer is not whole`;
}

/** What answers lack because of their strays: a phrase for a coverage, or none. */
export function missingForStrays(answers: Iterable<unknown>): string[] {
  const strays = [...answers].reduce<Strays | null>(
    (sum, answer) => sumOfStrays(sum, straysIn(answer)),
    null,
  );
  return strays === null ? [] : [`${strayWords(strays)} left out`];
}

/** `3 entries from outside what was asked about and 1 entry of another zone` */
function strayWords({ outside, ofOthers }: Strays): string {
  return joined(
    [
      outside > 0 ? `${counted(outside, 'entry', 'entries')} from outside what was asked about` : '',
      ofOthers > 0 ? `${counted(ofOthers, 'entry', 'entries')} of another zone` : '',
    ],
    ' and ',
  );
}
