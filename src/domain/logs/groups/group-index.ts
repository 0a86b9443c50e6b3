import { isChosen, type RowChoice } from '../columns/log-columns.ts';
import { CHUNK_ROWS } from '../columns/value-columns.ts';
import { twiceAsLong } from '../dictionary/dictionary.ts';
import type { LogDimension } from './log-dimensions.ts';

/** Codes of two dimensions are multiplied while the product stays this small: the sums of its groups fit a cache. */
const MOST_MULTIPLIED = 1 << 15;

/** The cost of looking up the number of two codes, mostly a cache miss. */
const HASH_COST = 15;

/** Numbers the combinations of codes that occur, from 0 on; only below MOST_MULTIPLIED may numbers be unused. */
type GroupIndex = {
  /** Fills `groups` with the number of each chosen row of a chunk; other rows may get any. */
  number(chunk: number, choice: RowChoice, groups: Uint32Array): void;
  /** All numbers given so far are below it. */
  limit(): number;
  /** The codes behind a number, one for each dimension. */
  codes(group: number): number[];
  /** The cost of a row of the chunk numbered last: see `Part`. */
  readonly cost: number;
};

/** Every row is in group 0. */
const ALL_ROWS: LogDimension = {
  codes: () => new Uint8Array(CHUNK_ROWS),
  limit: () => 1,
  value: () => null,
  cost: 1,
};

/**
 * Without dimensions every row is in group 0. `states` of the rows, by chunk. The dimensions must not change while it is used.
 */
export function groupIndexOf(dimensions: readonly LogDimension[], states: readonly Uint8Array[]): GroupIndex {
  const [first = ALL_ROWS, ...rest] = dimensions;
  return rest.reduce<GroupIndex>((before, dimension) => {
    const [width, height] = [dimension.limit(), before.limit()];
    const isKnown = width > 0 && height > 0;
    return isKnown && width * height <= MOST_MULTIPLIED
      ? multiplied(before, dimension, width)
      : hashed(before, dimension, states);
  }, single(first));
}

function single(dimension: LogDimension): GroupIndex {
  return {
    number: (chunk, _choice, groups) => groups.set(dimension.codes(chunk)),
    limit: () => dimension.limit(),
    codes: (group) => [group],
    get cost() {
      return dimension.cost;
    },
  };
}

function multiplied(before: GroupIndex, dimension: LogDimension, width: number): GroupIndex {
  return {
    number: (chunk, choice, groups) => {
      before.number(chunk, choice, groups);
      const codes = dimension.codes(chunk);
      for (let row = 0; row < CHUNK_ROWS; row++) {
        groups[row] = (groups[row] as number) * width + (codes[row] as number);
      }
    },
    limit: () => before.limit() * width,
    codes: (group) => [...before.codes(Math.floor(group / width)), group % width],
    get cost() {
      return before.cost + dimension.cost / 4;
    },
  };
}

function hashed(before: GroupIndex, dimension: LogDimension, states: readonly Uint8Array[]): GroupIndex {
  let table = new Int32Array(1 << 12).fill(-1);
  let lefts = new Uint32Array(1 << 11);
  let rights = new Uint32Array(1 << 11);
  let size = 0;

  const grow = () => {
    lefts = twiceAsLong(lefts);
    rights = twiceAsLong(rights);
    table = new Int32Array(table.length * 2).fill(-1);
    for (let group = 0; group < size; group++) {
      let at = mixed(lefts[group] as number, rights[group] as number) & (table.length - 1);
      while (table[at] !== -1) at = (at + 1) & (table.length - 1);
      table[at] = group;
    }
  };
  const numberOf = (left: number, right: number): number => {
    let at = mixed(left, right) & (table.length - 1);
    for (;;) {
      const group = table[at] as number;
      if (group === -1) break;
      if (lefts[group] === left && rights[group] === right) return group;
      at = (at + 1) & (table.length - 1);
    }
    table[at] = size;
    lefts[size] = left;
    rights[size] = right;
    if (++size === lefts.length) grow();
    return size - 1;
  };
  return {
    number: (chunk, choice, groups) => {
      before.number(chunk, choice, groups);
      const codes = dimension.codes(chunk);
      const own = states[chunk] as Uint8Array;
      for (let row = 0; row < CHUNK_ROWS; row++) {
        if (isChosen(own[row] as number, choice))
          groups[row] = numberOf(groups[row] as number, codes[row] as number);
      }
    },
    limit: () => size,
    codes: (group) => [...before.codes(lefts[group] as number), rights[group] as number],
    get cost() {
      return before.cost + dimension.cost + HASH_COST;
    },
  };
}

function mixed(left: number, right: number): number {
  const product = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b);
  return (product ^ (product >>> 15)) >>> 0;
}
