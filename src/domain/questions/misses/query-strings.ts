import { pageOf } from '../../log.ts';

/** How many different query strings a path was asked for with. */
export type QueryStrings = {
  path: string;
  requests: number;
  distinct: number;
  /** There may be more: the bound was reached. */
  isAtLeast: boolean;
};

/** A parameter and how many different values it had. */
export type QueryParameter = { name: string; distinct: number };

/** Query strings kept of one path, and characters of them kept in all. */
const MOST_OF_PATH = 20_000;
const MOST_CHARACTERS = 8_000_000;

type Entry = { requests: number; strings: Set<string>; isFull: boolean };

export type QueryStringCounter = ReturnType<typeof createQueryStrings>;

/**
 * Counts different query strings path by path, exactly up to the bounds and as `at least` beyond. Masked secrets are
 * alike. `pathsMost`: paths that are told apart; requests of later ones are not counted.
 */
export function createQueryStrings(pathsMost: number): {
  add(path: string): void;
  of(path: string): QueryStrings | null;
  all(): QueryStrings[];
  /** Of the query strings that were kept; the parameter with the most values first. */
  parameters(path: string): QueryParameter[];
} {
  const entries = new Map<string, Entry>();
  let characters = 0;
  const read = (path: string, { requests, strings, isFull }: Entry): QueryStrings => ({
    path,
    requests,
    distinct: strings.size,
    isAtLeast: isFull,
  });
  return {
    add(whole) {
      const path = pageOf(whole);
      let entry = entries.get(path);
      if (entry === undefined) {
        if (entries.size >= pathsMost) return;
        entry = { requests: 0, strings: new Set(), isFull: false };
        entries.set(path, entry);
      }
      entry.requests++;
      if (whole.length === path.length) return;
      const query = whole.slice(path.length + 1);
      if (entry.strings.has(query)) return;
      if (entry.strings.size >= MOST_OF_PATH || characters + query.length > MOST_CHARACTERS) {
        entry.isFull = true;
        return;
      }
      characters += query.length;
      entry.strings.add(query);
    },
    of(path) {
      const entry = entries.get(path);
      return entry ? read(path, entry) : null;
    },
    all: () => [...entries].map(([path, entry]) => read(path, entry)),
    parameters: (path) => parametersOf(entries.get(path)?.strings ?? new Set()),
  };
}

function parametersOf(queries: ReadonlySet<string>): QueryParameter[] {
  const values = new Map<string, Set<string>>();
  for (const query of queries) {
    for (const part of query.split('&')) {
      const name = part.split('=', 1)[0] ?? '';
      if (name === '') continue;
      const known = values.get(name) ?? new Set();
      known.add(part);
      values.set(name, known);
    }
  }
  return [...values]
    .map(([name, { size }]) => ({ name, distinct: size }))
    .sort((a, b) => b.distinct - a.distinct || (a.name < b.name ? -1 : 1));
}
