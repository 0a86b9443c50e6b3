/** So many of so many. */
export type Share = { part: number; of: number };

/**
 * How unlikely it is that two shares are of one kind, in decades: 3 = about one in a thousand. By the likelihood ratio of two
 * samples (Dunning 1993), which for a small sample on either side stays small.
 */
export function decadesApart(now: Share, before: Share): number {
  const of = now.of + before.of;
  if (now.of <= 0 || before.of <= 0) return 0;
  const pooled = (now.part + before.part) / of;
  return (divergence(now, pooled) + divergence(before, pooled)) / Math.LN10;
}

/** The same of a factor between two amounts, which by chance differ as `spread` says: the standard deviation of its logarithm. */
export function decadesOfFactor(factor: number, spread: number): number {
  const deviation = Math.log(factor) / spread;
  return deviation ** 2 / 2 / Math.LN10;
}

/** Kullback-Leibler divergence of a share from a probability, times the size of its sample; in nats. */
function divergence({ part, of }: Share, p: number): number {
  const term = (n: number, q: number) => (n > 0 ? n * Math.log(n / of / q) : 0);
  return term(part, p) + term(of - part, 1 - p);
}
