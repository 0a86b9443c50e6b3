import type { LogRecord } from '../../log.ts';
import type { CountedField, CountedValue, Counting } from '../counts.ts';
import { addRecord, type CacheSums, noCacheSums } from '../sums/traffic.ts';
import type { PartCounter } from './part-counter.ts';
import { countedReader } from './row-marks.ts';

type ValuesAsked = Extract<Counting, { kind: 'values' }>;
type Entry = { count: number; sums: CacheSums | null };

/** `room`: values kept apart of each field. */
export function countValues(of: ValuesAsked, room: number): PartCounter {
  const fields = of.fields.map((id) => [id, new FieldCounter(id, of, room)] as const);
  let rows = 0;
  return {
    add(record) {
      rows++;
      for (const [, field] of fields) field.add(record);
    },
    counts: () => ({
      kind: 'values',
      rows,
      fields: new Map(fields.map(([id, field]) => [id, field.counts()])),
    }),
  };
}

class FieldCounter {
  readonly #read: (record: LogRecord) => string;
  readonly #only: ReadonlySet<string> | null;
  readonly #most: number;
  readonly #room: number;
  readonly #hasSums: boolean;
  readonly #found = new Map<string, Entry>();
  #isCut = false;
  /** The last result, until another row comes. */
  #told: CountedField | null = null;

  constructor(id: string, { most, sums, only }: ValuesAsked, room: number) {
    this.#read = countedReader(id, room);
    this.#only = only === undefined ? null : new Set(only.get(id));
    this.#most = most;
    this.#room = room;
    this.#hasSums = sums;
  }

  add(record: LogRecord): void {
    const value = this.#read(record);
    if (this.#only !== null && !this.#only.has(value)) return;
    this.#told = null;
    let entry = this.#found.get(value);
    if (entry === undefined) {
      if (this.#found.size >= this.#room) {
        this.#isCut = true;
        return;
      }
      entry = { count: 0, sums: this.#hasSums ? noCacheSums() : null };
      this.#found.set(value, entry);
    }
    entry.count++;
    if (entry.sums !== null) addRecord(entry.sums, record);
  }

  counts(): CountedField {
    this.#told ??= {
      values: this.#listed().map(countedOf),
      distinct: this.#isCut ? null : this.#found.size,
      blank: this.#found.get('')?.count ?? 0,
    };
    return this.#told;
  }

  #listed(): [string, Entry][] {
    const all = [...this.#found];
    return all.length > this.#most ? all.sort(byCountAndText).slice(0, this.#most) : all.sort(byCount);
  }
}

function byCount([, a]: [string, Entry], [, b]: [string, Entry]): number {
  return b.count - a.count;
}

/** The order of arrival must not decide which of equal values are listed. */
function byCountAndText([a, { count: ofA }]: [string, Entry], [b, { count: ofB }]: [string, Entry]): number {
  return ofB - ofA || (a < b ? -1 : 1);
}

/** The sums as of now: rows go on being added. */
function countedOf([value, { count, sums }]: [string, Entry]): CountedValue {
  return { value: value === '' ? null : value, count, sums: sums && { ...sums } };
}
