import type { Look } from './theme.ts';

/** Levels of 0…1; null draws a blank, so that "nothing was asked" does not look like "nothing was hit". */
export function sparkline(values: readonly (number | null)[], look: Look): string {
  const { spark } = look.glyph;
  return values
    .map((value) =>
      value === null ? ' ' : (spark[Math.min(spark.length - 1, Math.floor(value * spark.length))] ?? ' '),
    )
    .join('');
}
