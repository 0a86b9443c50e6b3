import { pageOf } from '../../log.ts';
import type { CountedQueries, Counts } from '../../logs/counts.ts';

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

type CountedStrings = Extract<Counts, { kind: 'queryStrings' }>;
type CountedParameters = Extract<Counts, { kind: 'parameters' }>;

type Entry = { requests: number; strings: Set<string>; isFull: boolean };

export type QueryStringCounter = ReturnType<typeof createQueryStrings>;

/**
 * Counts different query strings path by path, exactly up to the bounds and as `at least` beyond. Masked secrets are
 * alike. `pathsMost`: paths that are told apart; requests of later ones are not counted.
 */
export function createQueryStrings(pathsMost: number): {
  add(path: string): void;
  /** Query strings of other rows, which somebody else counted. */
  addCounts(counts: CountedStrings): void;
  addParameters(counts: CountedParameters): void;
  of(path: string): QueryStrings | null;
  all(): QueryStrings[];
  /** How many different query strings a path has at most, as far as rows were told. */
  mostOf(path: string): number;
  /** Whether those of one path are of several sources, of which nobody knows what they have in common. */
  readonly isApart: boolean;
  /** Of the query strings that were kept, or were counted elsewhere; the parameter with the most values first. */
  parameters(path: string): QueryParameter[];
} {
  const entries = new Map<string, Entry>();
  const elsewhere: { pages: ReadonlyMap<string, CountedQueries>; least: number }[] = [];
  const counted: CountedParameters['parameters'][number][] = [];
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
    addCounts({ pages, total }) {
      const known = new Map(pages.map((each) => [each.page, each]));
      // Of a list that was cut a page that is not in it has no more than the last one.
      elsewhere.push({ pages: known, least: total > pages.length ? (pages.at(-1)?.distinct ?? 0) : 0 });
    },
    addParameters: ({ parameters }) => counted.push(...parameters),
    of,
    all() {
      const paths = new Set([...entries.keys(), ...elsewhere.flatMap(({ pages }) => [...pages.keys()])]);
      return [...paths].flatMap((path) => of(path) ?? []);
    },
    mostOf: (path) =>
      elsewhere.reduce(
        (sum, { pages, least }) => sum + (pages.get(path)?.distinct ?? least),
        entries.get(path)?.strings.size ?? 0,
      ),
    get isApart() {
      return elsewhere.length + Math.min(1, entries.size) > 1;
    },
    parameters(path) {
      const own = counted.filter(({ page }) => page === path);
      return own.length > 0 ? own : parametersOf(entries.get(path)?.strings ?? new Set());
    },
  };

  /** Of several sources nobody knows which query strings they have in common: there are at least as many as one has. */
  function of(path: string): QueryStrings | null {
    const entry = entries.get(path);
    const told = elsewhere.flatMap(({ pages }) => pages.get(path) ?? []);
    const all = [
      ...(entry ? [read(path, entry)] : []),
      ...told.map(({ page, ...each }): QueryStrings => ({ path: page, ...each, isAtLeast: false })),
    ];
    const [first, ...more] = all.filter(({ distinct }, at) => distinct > 0 || at === 0);
    if (first === undefined) return null;
    return {
      path,
      requests: all.reduce((sum, { requests }) => sum + requests, 0),
      distinct: Math.max(...all.map(({ distinct }) => distinct)),
      isAtLeast: first.isAtLeast || more.length > 0,
    };
  }
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
