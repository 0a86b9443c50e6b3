import type { Look } from './theme.ts';

/** Levels of 0…1; null, of which nothing is known, must look neither like a low one nor like a fault of the screen. */
export function sparkline(values: readonly (number | null)[], look: Look): string {
  const { spark, unread } = look.glyph;
  return values
    .map((value) =>
      value === null
        ? unread
        : (spark[Math.min(spark.length - 1, Math.floor(value * spark.length))] ?? unread),
    )
    .join('');
}
