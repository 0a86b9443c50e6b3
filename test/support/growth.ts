/**
 * How many times the processor time of `work(small)` goes into that of `work(large)`: about `large / small` for what is
 * linear, its square for what is not. Time that other programs took does not count; the least of three rounds is told,
 * because a pause of the collector falls into one of them.
 */
export function growth(work: (size: number) => void, small: number, large: number): number {
  work(small);
  const rounds = [1, 2, 3].map(() => processorTime(() => work(large)) / processorTime(() => work(small)));
  return Math.min(...rounds);
}

/** So much is measured at once, µs: what takes microseconds drowns in a pause of the collector. */
const LEAST = 5_000;

/** µs, at least one; the mean of as many runs as take a while. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    work();
    const { user, system } = process.cpuUsage(before);
    if (user + system >= LEAST) return Math.max((user + system) / runs, 1);
  }
}
