/** A column of a timeline: from the bottom up the part that each cell shows, and how full the last one is, in eighths. */
export type Column = { parts: readonly number[]; eighths: number };

export const EMPTY_COLUMN: Column = { parts: [], eighths: 0 };

/** A cell that stands alone shows the worst part with at least this share of it. */
const WORTH = 1 / 8;

/**
 * The counts of parts, the worst first, in a column of `height` cells, filled by `level` (0…1). Anything is at least
 * an eighth of a cell, and each part has a whole cell as long as there are cells: the largest part first, then the
 * worst.
 */
export function stacked(counts: readonly number[], level: number, height: number): Column {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return EMPTY_COLUMN;
  const eighths = Math.max(1, Math.round(level * height * 8));
  const cells = Math.ceil(eighths / 8);
  const given = cells === 1 ? alone(counts, total) : shared(counts, total, cells);
  const parts = given.flatMap((many, part) => Array.from({ length: many }, () => part));
  return { parts, eighths: eighths - 8 * (cells - 1) };
}

/** One cell, for one part. */
function alone(counts: readonly number[], total: number): number[] {
  const shown = counts.findIndex((count) => count >= WORTH * total);
  return counts.map((_, part) => (part === shown ? 1 : 0));
}

/** Cells for each part: one at least while there are any, the others by size. */
function shared(counts: readonly number[], total: number, cells: number): number[] {
  const present = [...counts.keys()].filter((part) => (counts[part] as number) > 0);
  const largest = present.reduce((best, part) =>
    (counts[part] as number) > (counts[best] as number) ? part : best,
  );
  const chosen = [largest, ...present.filter((part) => part !== largest)].slice(0, cells);
  const given = counts.map((_, part) => (chosen.includes(part) ? 1 : 0) as number);
  for (let left = cells - chosen.length; left > 0; left--) {
    // The part furthest below its due.
    const next = chosen.reduce((best, part) => (due(part) > due(best) ? part : best));
    given[next] = (given[next] as number) + 1;
  }
  return given;

  function due(part: number): number {
    return ((counts[part] as number) / total) * cells - (given[part] as number);
  }
}
