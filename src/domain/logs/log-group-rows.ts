import { CHUNK_BITS, CHUNK_ROWS } from './column-codes.ts';
import { isChosen, type LogColumns, type RowChoice } from './log-columns.ts';
import { dimensionsOf } from './log-dimensions.ts';
import { fieldCalled, keyFrom, type LogGroup } from './log-group.ts';
import { groupIndexOf } from './log-group-index.ts';
import type { Parts } from './log-work.ts';

/** What it costs to tell of a row whether it is taken, beside its codes: see `Part`. */
const CHOICE_COST = 2;

/**
 * Ids of rows of these groups, at most about `most` of each, spread evenly over the rows that the group has. Costs one
 * pass over the codes of all rows. Between its parts rows may be added, and are not looked at; none may go.
 */
export function* sampleParts(
  columns: LogColumns,
  fields: readonly string[],
  groups: readonly LogGroup[],
  most: number,
  choice: RowChoice,
): Parts<number[][]> {
  const parts = fields.map((field) => dimensionsOf(columns, fieldCalled(field)));
  const index = groupIndexOf(parts.flat(), columns.states);
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
    const states = columns.states[chunk] as Uint8Array;
    index.number(chunk, choice, numbers);
    for (let row = 0; row < CHUNK_ROWS; row++) {
      if (!isChosen(states[row] as number, choice)) continue;
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
    yield { cost: columns.rowsUsed(chunk) * (index.cost + CHOICE_COST), share: (done + 1) / (last + 1) };
  }
  return ids;
}
