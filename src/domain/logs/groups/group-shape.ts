import { sharedDirectory } from '../../query/directory.ts';
import type { LogGroup } from './log-group.ts';

/** The step in which cells grow. */
const STEP = 8;

/**
 * What the keys of groups need of the screen. Groups are recounted as rows come, and nobody can read a moving table:
 * while the same rows are asked for cells only grow, by steps, and a shared directory only gets shorter.
 */
export type GroupShape = {
  /** Of the longest key. */
  cells: number;
  /** By field; '' = its keys share none. */
  directories: Readonly<Record<string, string>>;
};

export const NO_SHAPE: GroupShape = { cells: 0, directories: {} };

/** The shape with these groups. `shown`: a value as it is written. */
export function grownShape(
  known: GroupShape,
  by: readonly string[],
  groups: readonly LogGroup[],
  shown: (field: string, value: string | null) => string | null,
): GroupShape {
  if (groups.length === 0) return known;
  let { cells } = known;
  const directories: Record<string, string> = {};
  for (const field of by) {
    const texts = groups.map(({ key }) => shown(field, key[field] ?? null));
    cells = texts.reduce((most, text) => Math.max(most, inSteps(text?.length ?? 0)), cells);
    const before = known.directories[field];
    directories[field] = sharedDirectory(before === undefined ? texts : [before, ...texts]);
  }
  return { cells, directories };
}

/** Cells for a text of so many letters, rounded up so that one letter more moves nothing. */
export function inSteps(letters: number): number {
  return Math.ceil(letters / STEP) * STEP;
}
