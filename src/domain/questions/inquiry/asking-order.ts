/** Requests of a price that each of several has, when they share it; no fewer than `least`, where one alone had as many. */
export function splitOver(price: number, sharers: number, least: number): number {
  return Math.max(Math.min(price, least), Math.ceil(price / Math.max(1, sharers)));
}

/** The item at the half, those at the quarters, the eighths: any number of first ones lies evenly (van der Corput). */
export function spread<T>(items: readonly T[]): T[] {
  if (items.length === 0) return [];
  const bits = Math.ceil(Math.log2(items.length));
  const fractions = Array.from({ length: 1 << bits }, (_, at) =>
    Array.from({ length: bits }, (_, bit) => ((at >> bit) & 1) / 2 ** (bit + 1)).reduce(
      (sum, each) => sum + each,
      0,
    ),
  );
  const places = new Set(fractions.map((fraction) => Math.floor(fraction * items.length)));
  return [...places].map((place) => items[place] as T);
}

/** The first of each list, then the second of each: any number of first ones is as many of each as of any other. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const most = lists.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
