import { NO_CAUSES } from '../../origin-cause.ts';
import { IN_BOOK, type LogColumns } from '../columns/log-columns.ts';
import type { CodedColumn } from '../columns/value-columns.ts';
import type { TrafficMeter } from '../sums/traffic-meter.ts';
import { allWork } from './book-work.ts';
import { fieldCalled, groupParts } from './log-group.ts';

export type DistinctValue = { value: string; count: number };

/** Chunks read for a field without a dictionary: its values are offered while a word is typed. */
const LOOKED_AT = 1;

/**
 * Values of a field in the kept rows with their counts, most frequent first. Most fields have a dictionary that counts them anyway,
 * whatever the number of rows; for the others a sample of the rows is read.
 */
export function distinctValues(
  columns: LogColumns,
  meter: TrafficMeter,
  field: string,
  limit: number,
): DistinctValue[] {
  const { column, derive } = fieldCalled(field);
  // Causes are offered by their published codes.
  if (column === null) return [];
  const coded = (columns.coded as Partial<Record<string, CodedColumn<string | number>>>)[column];
  if (coded !== undefined && column !== 'url' && derive === undefined) return counted(coded, limit);
  // Two groups may stand for no value: null, and the empty text.
  const { groups } = allWork(
    groupParts(columns, meter, [field], limit + 2, IN_BOOK, NO_CAUSES, { chunks: LOOKED_AT }),
  );
  return groups
    .flatMap(({ key, count }) => {
      const value = key[field] ?? '';
      return value === '' ? [] : [{ value, count }];
    })
    .slice(0, limit);
}

function counted({ dictionary }: CodedColumn<string | number>, limit: number): DistinctValue[] {
  const most: number[] = [];
  const order = (a: number, b: number) => dictionary.uses(b) - dictionary.uses(a) || a - b;
  // One more, as the empty text is no value.
  const room = limit + 1;
  let least = 0;
  for (let code = 1; code < dictionary.limit; code++) {
    if (dictionary.uses(code) <= least) continue;
    most.push(code);
    if (most.length < 2 * room) continue;
    most.sort(order).splice(room);
    least = dictionary.uses(most.at(-1) as number);
  }
  return most
    .sort(order)
    .map((code) => ({ value: String(dictionary.value(code)), count: dictionary.uses(code) }))
    .filter(({ value }) => value !== '')
    .slice(0, limit);
}
