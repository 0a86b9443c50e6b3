import type { Steps } from './steps.ts';

/** Counts by steps of time. */
export type SteppedCounts = { steps: Steps; counts: readonly (readonly number[])[] };

/** At most `most` steps: neighbours become one. The last one stands for no more time than there was, where that is possible. */
export function folded({ steps, counts }: SteppedCounts, most: number): SteppedCounts {
  if (steps.count <= most) return { steps, counts };
  const least = Math.ceil(steps.count / most);
  const sizes = Array.from({ length: least }, (_, i) => least + i);
  const size = sizes.find((each) => steps.count % each === 0) ?? least;
  const count = Math.ceil(steps.count / size);
  return {
    steps: { from: steps.from, step: steps.step * size, count },
    counts: Array.from({ length: count }, (_, at) => summed(counts.slice(at * size, (at + 1) * size))),
  };
}

function summed(counts: readonly (readonly number[])[]): readonly number[] {
  return counts.reduce((all, parts) => all.map((sum, part) => sum + (parts[part] as number)));
}
