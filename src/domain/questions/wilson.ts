/** Normal quantile of a one in twenty chance, both sides. */
const Z = 1.96;

/**
 * The lower end of the 95 % score interval of `part` in `whole`, so that 3 of 3 stand below 150 of 180. With p = part ÷
 * whole, n = whole, z = 1.96: (p + z²/2n − z √(p(1−p)/n + z²/4n²)) ÷ (1 + z²/n). Source: E. B. Wilson, "Probable
 * Inference, the Law of Succession, and Statistical Inference", JASA 22, 1927. Null for nothing.
 */
export function wilsonLeast(part: number, whole: number): number | null {
  if (whole <= 0) return null;
  const p = part / whole;
  const half = Z * Math.sqrt((p * (1 - p)) / whole + Z ** 2 / (4 * whole ** 2));
  const least = (p + Z ** 2 / (2 * whole) - half) / (1 + Z ** 2 / whole);
  // Rounding may leave a trace on the wrong side of either end.
  return Math.min(p, Math.max(0, least));
}
