import { type LogRecord, pageOf } from '../../log.ts';
import { matcher } from '../../query/match.ts';
import type {
  CountedField,
  CountedValue,
  Counting,
  Counts,
  CountsAsked,
  OneCounting,
  OneCounts,
} from '../counts.ts';
import type { LogGroup } from '../groups/log-group.ts';
import { addRecord, type CacheSums, noCacheSums } from '../sums/traffic.ts';
import { QueryStrings } from './query-strings.ts';
import { countedReader } from './row-marks.ts';

/** Counts rows as they come, in any order, and keeps none. */
export type RowTally = {
  add(record: LogRecord): void;
  counts(): Counts;
  /** Query strings, where these are counted. */
  readonly queries: QueryStrings | null;
};

/** One count of rows. A result stays as it is while more rows come. */
type PartCounter = { add(record: LogRecord): void; counts(): OneCounts };

/** Values and groups kept apart where fewer are asked for, so that the largest are known of nearly all rows. */
const ROOM_LEAST = 1_000;

/**
 * Counts rows here as a store does. Each list has room for as many values as are asked for; later ones have no name.
 */
export function createRowCounter({ terms, anonymisation, of }: CountsAsked): RowTally {
  const asked = of.kind === 'several' ? of.parts : [{ of }];
  const parts = asked.map((part) => ({
    terms: 'terms' in part ? part.terms : undefined,
    counter: partCounter(part.of),
  }));
  const isOfQuestion = matcher(terms, anonymisation);
  const others = parts.map((part) => (part.terms ? matcher(part.terms, anonymisation) : null));
  const queries = parts.map(({ counter }) => counter).find((counter) => counter instanceof QueryStringsPart);
  return {
    add(record) {
      const isCounted = isOfQuestion(record);
      parts.forEach(({ counter }, at) => {
        if (others[at]?.(record) ?? isCounted) counter.add(record);
      });
    },
    counts() {
      const counts = parts.map(({ counter }) => counter.counts());
      return of.kind === 'several' ? { kind: 'several', parts: counts } : (counts[0] as OneCounts);
    },
    queries: queries?.strings ?? null,
  };
}

function partCounter(of: OneCounting): PartCounter {
  switch (of.kind) {
    case 'values':
      return countValues(of, Math.max(of.most, ROOM_LEAST));
    case 'times':
      return countTimes(of);
    case 'groups':
      return countGroups(of, Math.max(of.most, ROOM_LEAST));
    case 'queryStrings':
      return new QueryStringsPart(of);
    case 'parameters':
      return countParameters(of);
  }
}

class QueryStringsPart implements PartCounter {
  readonly strings: QueryStrings;
  readonly #most: number;

  constructor({ most }: Extract<Counting, { kind: 'queryStrings' }>) {
    this.strings = new QueryStrings(Math.max(most, ROOM_LEAST));
    this.#most = most;
  }

  add({ path }: LogRecord): void {
    this.strings.add(path);
  }

  counts(): OneCounts {
    return this.strings.counts(this.#most);
  }
}

function countParameters({ pages }: Extract<Counting, { kind: 'parameters' }>): PartCounter {
  const strings = new QueryStrings(Number.POSITIVE_INFINITY);
  const isWanted = new Set(pages);
  return {
    add({ path }) {
      if (isWanted.has(pageOf(path))) strings.add(path);
    },
    counts: () => ({
      kind: 'parameters',
      parameters: pages
        .flatMap((page) => strings.parameters(page))
        .sort((a, b) => b.distinct - a.distinct || (a.name < b.name ? -1 : 1)),
    }),
  };
}

type TimesAsked = Extract<Counting, { kind: 'times' }>;
type GroupsAsked = Extract<Counting, { kind: 'groups' }>;

/** Rows behind the last of the times belong to that. */
function countTimes({ times }: TimesAsked): PartCounter {
  const found = new Map<number, CacheSums>();
  return {
    add(record) {
      const before = times.findIndex(({ to }) => record.timestamp < to);
      const at = before < 0 ? times.length - 1 : before;
      const sums = found.get(at) ?? noCacheSums();
      found.set(at, sums);
      addRecord(sums, record);
    },
    counts: () => ({ kind: 'times', times: [...found].map(([at, sums]) => ({ at, sums: { ...sums } })) }),
  };
}

/** `room`: groups kept apart; rows of later ones count in the total alone. */
export function countGroups({ by, most }: GroupsAsked, room: number): PartCounter {
  const readers = by.map((id) => countedReader(id, room));
  const groups = new Map<string, { sums: CacheSums; key: LogGroup['key']; first: number; last: number }>();
  let rows = 0;
  return {
    add(record) {
      rows++;
      const values = readers.map((read) => read(record) || null);
      const name = values.length === 1 ? String(values[0] ?? '') : JSON.stringify(values);
      const { timestamp } = record;
      let group = groups.get(name);
      if (group === undefined) {
        if (groups.size >= room) return;
        const key = Object.fromEntries(by.map((id, at) => [id, values[at] ?? null]));
        group = { sums: noCacheSums(), key, first: timestamp, last: timestamp };
        groups.set(name, group);
      }
      group.first = Math.min(group.first, timestamp);
      group.last = Math.max(group.last, timestamp);
      addRecord(group.sums, record);
    },
    counts: () => ({
      kind: 'groups',
      groups: [...groups.values()]
        .map(
          ({ key, sums, first, last }): LogGroup => ({
            key,
            count: sums.requests,
            bytes: sums.bytes,
            firstSeen: first,
            lastSeen: last,
            hits: sums.edgeRequests,
            misses: sums.originRequests,
            errors: sums.errors,
          }),
        )
        .sort(byCount)
        .slice(0, most),
      total: groups.size,
      rows,
    }),
  };
}

function byCount(a: LogGroup, b: LogGroup): number {
  return b.count - a.count || b.bytes - a.bytes || a.firstSeen - b.firstSeen;
}

type ValuesAsked = Extract<Counting, { kind: 'values' }>;
type Entry = { count: number; sums: CacheSums | null };

/** `room`: values kept apart of each field. */
function countValues(of: ValuesAsked, room: number): PartCounter {
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
    return all.length > this.#most ? all.sort(byCountAndText).slice(0, this.#most) : all.sort(fallingCount);
  }
}

function fallingCount([, a]: [string, Entry], [, b]: [string, Entry]): number {
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
