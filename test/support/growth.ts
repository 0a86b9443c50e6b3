/** Over eight times the length, linear work grows eight times, and quadratic work 64 times. */
const [TIMES, MOST] = [8, 24];

/** What is over sooner, µs, is not judged: quadratic work over thousands of letters takes several times as long. */
const SOON = 20_000;

/**
 * How many times the processor time of `work(large / 8)` goes into that of `work(large)`, where that is more than linear work takes;
 * null for linear work. Time that other programs took does not count; the least of three rounds is told, because a pause of the
 * collector falls into one of them.
 */
export function excessGrowth(work: (size: number) => void, large: number): number | null {
  const before = process.cpuUsage();
  work(large);
  if (elapsed(before) < SOON) return null;
  const small = large / TIMES;
  work(small);
  const rounds = [1, 2, 3].map(() => processorTime(() => work(large)) / processorTime(() => work(small)));
  const least = Math.min(...rounds);
  return least > MOST ? least : null;
}

/** So much is measured at once, µs: what takes microseconds drowns in a pause of the collector. */
const LEAST = 5_000;

/** µs, at least one; the mean of as many runs as take a while. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    work();
    const taken = elapsed(before);
    if (taken >= LEAST) return Math.max(taken / runs, 1);
  }
}

function elapsed(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
