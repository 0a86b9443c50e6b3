import {
  type CountedField,
  type CountedQueries,
  type CountedTime,
  type CountedValue,
  type Counts,
  type NotCounted,
  type OneCounts,
  partOfCounts,
} from '../counts.ts';
import { joinedGroups } from '../groups/log-group.ts';
import { addCacheSums, noCacheSums } from '../sums/traffic.ts';
import { byDistinct } from './query-strings.ts';

type Of<K extends Counts['kind']> = Extract<Counts, { kind: K }>;

/** Whether a field has other values than these; of values asked for by name some may be absent. */
export function isCut({ values, distinct }: CountedField): boolean {
  return distinct === null || distinct > values.reduce((sum, { count }) => sum + (count > 0 ? 1 : 0), 0);
}

/**
 * Counts of several lots of rows as one. A part that one of them gave up is unknown for all. Null: there is nothing
 * to join.
 */
export function joinedCounts(all: readonly Counts[]): Counts | null {
  const [first, ...more] = all;
  if (first === undefined || more.length === 0) return first ?? null;
  if (first.kind !== 'several') return joinedOnes(all as readonly OneCounts[]);
  const lots = all.filter((each) => each.kind === 'several');
  return {
    kind: 'several',
    parts: first.parts.map((_, at): OneCounts | NotCounted => {
      const parts = lots.flatMap(({ parts: own }) => own[at] ?? []);
      const lost = parts.find((part) => part.kind === 'none');
      return lost ?? joinedOnes(parts as OneCounts[]);
    }),
  };
}

function joinedOnes(all: readonly OneCounts[]): OneCounts {
  const of = <K extends OneCounts['kind']>(kind: K) => all.flatMap((each) => partOfCounts(each, kind) ?? []);
  const [first] = all as readonly [OneCounts];
  if (all.length === 1) return first;
  switch (first.kind) {
    case 'values':
      return joinedValues(of('values'));
    case 'times':
      return { kind: 'times', times: joinedTimes(of('times').flatMap(({ times }) => times)) };
    case 'groups':
      return of('groups').reduce((sum, more) => ({
        kind: 'groups',
        ...joinedGroups(
          sum,
          more,
          Object.keys([...sum.groups, ...more.groups][0]?.key ?? {}),
          Number.POSITIVE_INFINITY,
        ),
      }));
    case 'queryStrings':
      return joinedQueries(of('queryStrings'));
    case 'parameters':
      return { kind: 'parameters', parameters: of('parameters').flatMap(({ parameters }) => parameters) };
  }
}

/** A field without a column in one of them is in none. */
function joinedValues(all: readonly Of<'values'>[]): Of<'values'> {
  const [first] = all as readonly [Of<'values'>];
  const fields = [...first.fields.keys()].flatMap((id) => {
    const lists = all.flatMap(({ fields: own }) => own.get(id) ?? []);
    return lists.length < all.length ? [] : [[id, joinedField(lists)] as const];
  });
  return { kind: 'values', rows: all.reduce((sum, { rows }) => sum + rows, 0), fields: new Map(fields) };
}

/** A value that a cut list leaves out is unknown there, and so in none of the joined list. */
function joinedField(lists: readonly CountedField[]): CountedField {
  const known = new Map<string | null, CountedValue>();
  for (const { values } of lists)
    for (const each of values) known.set(each.value, sumOf(known.get(each.value), each));
  const cut = lists.filter(isCut);
  for (const { values } of cut) {
    const listed = new Set(values.map(({ value }) => value));
    for (const value of known.keys()) if (!listed.has(value)) known.delete(value);
  }
  return {
    values: [...known.values()].sort((a, b) => b.count - a.count),
    distinct: cut.length > 0 ? null : known.size,
    blank: lists.reduce((sum, { blank }) => sum + blank, 0),
  };
}

function sumOf(known: CountedValue | undefined, more: CountedValue): CountedValue {
  if (known === undefined) return more;
  const sums = known.sums && { ...known.sums };
  if (sums !== null && more.sums !== null) addCacheSums(sums, more.sums);
  return { value: known.value, count: known.count + more.count, sums };
}

function joinedTimes(all: readonly CountedTime[]): CountedTime[] {
  return [...Map.groupBy(all, ({ at }) => at)].map(([at, own]) => {
    const sums = noCacheSums();
    for (const each of own) addCacheSums(sums, each.sums);
    return { at, sums };
  });
}

/** Nobody knows which query strings two lots share: there are at least as many as one has, at most the sum. */
function joinedQueries(all: readonly Of<'queryStrings'>[]): Of<'queryStrings'> {
  const lots = all.map(({ pages, unlisted }) => ({
    of: new Map(pages.map((each) => [each.page, each])),
    unlisted,
  }));
  const names = new Set(all.flatMap(({ pages }) => pages.map(({ page }) => page)));
  const pages = [...names].map((page): CountedQueries => {
    const found = lots.flatMap(({ of }) => of.get(page) ?? []);
    const distinct = Math.max(...found.map((each) => each.distinct));
    const mostDistinct = lots.reduce((sum, { of, unlisted }) => {
      const own = of.get(page);
      return sum + (own?.mostDistinct ?? own?.distinct ?? unlisted);
    }, 0);
    const requests = found.reduce((sum, each) => sum + each.requests, 0);
    return { page, requests, distinct, ...(mostDistinct > distinct ? { mostDistinct } : {}) };
  });
  const unlisted = all.reduce((sum, each) => sum + each.unlisted, 0);
  return { kind: 'queryStrings', pages: pages.sort(byDistinct), total: pages.length, unlisted };
}
