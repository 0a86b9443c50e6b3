import { type LogRecord, pageOf } from '../../log.ts';
import { matcher } from '../../query/match.ts';
import type { Counting, Counts, CountsAsked, OneCounting, OneCounts } from '../counts.ts';
import { countGroups, countTimes } from './count-parts.ts';
import { countValues } from './count-values.ts';
import type { PartCounter } from './part-counter.ts';
import { QueryStrings } from './query-strings.ts';

/** Counts rows as they come, in any order, and keeps none. */
export type RowTally = {
  add(record: LogRecord): void;
  counts(): Counts;
  /** Query strings, where these are counted. */
  readonly queries: QueryStrings | null;
};

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
  const isOfQuestion = matcher({ terms, window: null, groupBy: [] }, anonymisation);
  const others = parts.map((part) =>
    part.terms ? matcher({ terms: part.terms, window: null, groupBy: [] }, anonymisation) : null,
  );
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
