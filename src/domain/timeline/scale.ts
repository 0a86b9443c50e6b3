/** Heads of numbers that people read at a glance. */
const HEADS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** A total counts as a peak from this many times the ordinary high on, of so many steps with anything in them. */
const PEAK = 4;
const PEAK_LEAST = 8;

/** The share of steps below the ordinary high, and how far above that the top is where peaks are cut. */
const ORDINARY = 0.9;
const HEADROOM = 2;

/**
 * The number at the top of a timeline with these totals. Where a few tower over the rest it follows the rest: those are cut,
 * and show their numbers.
 */
export function scaleTop(totals: readonly number[]): number {
  const some = Float64Array.from(totals.filter((total) => total > 0)).sort();
  const most = some.at(-1) ?? 0;
  const high = some[Math.ceil(some.length * ORDINARY) - 1] ?? 0;
  const hasPeak = some.length >= PEAK_LEAST && most > PEAK * high;
  return roundUp(hasPeak ? HEADROOM * high : most);
}

/** How high a total stands, 0…1; more than the top is 1. */
export function levelOf(total: number, top: number): number {
  return Math.min(1, Math.max(0, total / top));
}

/** The next number that is easy to read, at least 1. */
function roundUp(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const head = HEADS.find((each) => each * power >= value) ?? 10;
  return Math.max(1, Math.ceil(head * power));
}
