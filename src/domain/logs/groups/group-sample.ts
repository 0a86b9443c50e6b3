import type { CauseOf } from '../../origin-cause.ts';
import { IN_VIEW, isChosen, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS, type Codes } from '../columns/value-columns.ts';
import { Memo, NO, YES } from '../dictionary/dictionary.ts';
import type { Parts } from './book-work.ts';
import { groupIndexOf } from './group-index.ts';
import { dimensionsOf, type LogDimension } from './log-dimensions.ts';
import { fieldCalled, keyFrom, type LogGroup } from './log-group.ts';

/** The cost of deciding whether to take a row, besides its codes: see `Part`. */
const CHOICE_COST = 2;

/**
 * Row ids of these groups, about `most` of each, spread evenly over the group, in one pass over the codes of all
 * rows. Rows added between the parts are ignored; none may be removed.
 */
export function* sampleParts(
  columns: LogColumns,
  fields: readonly string[],
  groups: readonly LogGroup[],
  most: number,
  causeOf: CauseOf,
): Parts<number[][]> {
  const parts = fields.map((field) => dimensionsOf(columns, fieldCalled(field), causeOf));
  const dimensions = parts.flat();
  const tests = fields.flatMap((field, i) =>
    wantedCodes(parts[i] as readonly LogDimension[], new Set(groups.map(({ key }) => key[field] ?? null))),
  );
  // States of the current chunk, 0 for rows that cannot be wanted: their codes need not be combined.
  const candidates: Uint8Array[] = [];
  const index = groupIndexOf(dimensions, candidates);
  const nameOf = (key: LogGroup['key']) => JSON.stringify(fields.map((field) => key[field]));
  const places = new Map(groups.map(({ key }, place) => [nameOf(key), place]));
  const steps = groups.map(({ count }) => Math.max(1, Math.ceil(count / most)));
  const seen = new Uint32Array(groups.length);
  const ids: number[][] = groups.map(() => []);
  const placeOfNumber: number[] = [];
  const numbers = new Uint32Array(CHUNK_ROWS);
  const last = columns.states.length - 1;
  for (let done = 0; done <= last; done++) {
    // The last one first: the others are full, and stay as they are.
    const chunk = done === 0 ? last : done - 1;
    const states = (columns.states[chunk] as Uint8Array).slice();
    if (dimensions.length > 1)
      for (const [i, each] of dimensions.entries()) keepWanted(states, each.codes(chunk), tests[i]);
    candidates[chunk] = states;
    index.number(chunk, IN_VIEW, numbers);
    for (let row = 0; row < CHUNK_ROWS; row++) {
      if (!isChosen(states[row] as number, IN_VIEW)) continue;
      const number = numbers[row] as number;
      let place = placeOfNumber[number];
      if (place === undefined) {
        place = places.get(nameOf(keyFrom(fields, parts, index.codes(number)))) ?? -1;
        placeOfNumber[number] = place;
      }
      if (place < 0) continue;
      const before = seen[place] as number;
      seen[place] = before + 1;
      if (before % (steps[place] as number) === 0)
        ids[place]?.push(columns.idOf((chunk << CHUNK_BITS) + row));
    }
    delete candidates[chunk];
    yield { cost: columns.rowsUsed(chunk) * (index.cost + CHOICE_COST), share: (done + 1) / (last + 1) };
  }
  return ids;
}

/**
 * For each dimension of a field, whether a code stands for one of these values; the parts of a URL alone do not show
 * it.
 */
function wantedCodes(dimensions: readonly LogDimension[], values: ReadonlySet<string | null>): Memo[] {
  const isPart = dimensions.length > 1;
  return dimensions.map(
    (dimension) => new Memo((code) => (isPart || values.has(dimension.value(code)) ? YES : NO)),
  );
}

function keepWanted(states: Uint8Array, codes: Codes, test: Memo | undefined): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    if (states[row] !== 0 && test?.of(codes[row] as number) === NO) states[row] = 0;
  }
}
