import type { LogRecord } from '../log.ts';
import { CHUNK_BITS, CHUNK_ROWS } from './column-codes.ts';
import { isChosen, type LogColumns, type RowChoice } from './log-columns.ts';
import { dimensionsOf } from './log-dimensions.ts';
import { fieldCalled, keyFrom, type LogGroup } from './log-group.ts';
import { groupIndexOf } from './log-group-index.ts';

/**
 * Rows of these groups, at most about `most` of each, spread evenly over the rows that the group has. Costs one
 * pass over the codes of all rows, and nothing for the rows that are not taken.
 */
export function sampledRows(
  columns: LogColumns,
  fields: readonly string[],
  groups: readonly LogGroup[],
  most: number,
  choice: RowChoice,
): LogRecord[][] {
  const parts = fields.map((field) => dimensionsOf(columns, fieldCalled(field)));
  const index = groupIndexOf(parts.flat(), columns.states);
  const nameOf = (key: LogGroup['key']) => JSON.stringify(fields.map((field) => key[field]));
  const places = new Map(groups.map(({ key }, place) => [nameOf(key), place]));
  const steps = groups.map(({ count }) => Math.max(1, Math.ceil(count / most)));
  const seen = new Uint32Array(groups.length);
  const slots: number[][] = groups.map(() => []);
  const placeOfNumber: number[] = [];
  const numbers = new Uint32Array(CHUNK_ROWS);
  columns.states.forEach((states, chunk) => {
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
      if (before % (steps[place] as number) === 0) slots[place]?.push((chunk << CHUNK_BITS) + row);
    }
  });
  return slots.map((found) => found.map((slot) => columns.record(slot)));
}
