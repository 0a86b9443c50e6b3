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

/** µs, at least one. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(user + system, 1);
}
