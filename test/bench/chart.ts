/** One subject's cost over another's. */
export type Ratio = { label: string; value: number };

/** Columns on each side of the line that stands for the same cost, and how many of them a doubling takes. */
const SIDE = 20;
const DOUBLING = 4;

/** Bars on a scale of powers of two: to the left of the line is cheaper, to the right dearer. */
export function ratioChart(ratios: readonly Ratio[]): string {
  const width = Math.max(...ratios.map(({ label }) => label.length), 0);
  return ratios
    .map(({ label, value }) => `${label.padEnd(width)}  ${bar(value)}  ${Number(value.toPrecision(2))}×`)
    .join('\n');
}

function bar(ratio: number): string {
  const length = Math.min(SIDE, Math.round(Math.abs(Math.log2(ratio)) * DOUBLING));
  const blocks = '█'.repeat(length);
  return ratio < 1
    ? `${blocks.padStart(SIDE)}│${' '.repeat(SIDE)}`
    : `${' '.repeat(SIDE)}│${blocks.padEnd(SIDE)}`;
}
