import { count, percent } from '../../../text/units.ts';
import type { Differing, DifferingValue } from '../../differing.ts';
import { EMPTY_QUERY, type Query, type QuerySubject, termOfAny } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { figures, ledBy, rest, sectionOf, shares, words } from '../inquiry/answer-section.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';

/** Rows of one dimension: what comes after differs by next to nothing, and the whole list is one key away. */
const ROWS_EACH = 8;
const ROWS_FIRST = 12;

type Shown = {
  subject: QuerySubject;
  /** Over the times that are compared. */
  query: Query;
  /** Field ids of the dimensions, in the order of their sections. */
  dimensions: readonly string[];
  /** Those whose both windows were read. */
  comparisons: ReadonlyMap<string, Differing>;
  /** How a value of a dimension is shown. */
  nameOf: (dimension: string, value: string) => string;
  against: string;
  /** `of the 22.7% read: `; empty where all was. */
  hedge: string;
  /** Every value of both windows was counted: that nothing stands out is sure. */
  isWhole: boolean;
  coverage: string;
};

type Found = { dimension: string; row: DifferingValue };

const MORE_IN_WORDS =
  'more frequent: its share and its number grew, and too much to be chance; above usual: more than its share before gives';

/** What is more frequent over all dimensions, then what is less, and then dimension by dimension. */
export function comparisonTable(o: Shown): AnswerTable {
  const { comparisons } = o;
  const [more, less] = [leading(foundOf(comparisons, 'more')), foundOf(comparisons, 'less')];
  const named = ({ dimension, row: { value } }: Found) =>
    value === null ? null : o.nameOf(dimension, value);
  const columns = [
    rest('value', 'VALUE', named, { shown: (found) => named(found) ?? '(none)' }),
    figures('excess', 'ABOVE USUAL', 11, ({ row }: Found) => Math.round(row.excess)),
    figures('count', 'NOW', 9, ({ row }: Found) => row.countNow, {
      shown: ({ row }) => `${row.isAtMostNow ? '<=' : ''}${count(row.countNow)}`,
    }),
    figures('countBefore', 'BEFORE', 9, ({ row }: Found) => row.countUsual, {
      shown: ({ row }) => (row.isNew ? 'new' : `${row.isAtMostUsual ? '<=' : ''}${count(row.countUsual)}`),
    }),
    shares('share', 'SHARE', 6, ({ row }: Found) => row.shareNow),
    shares('shareBefore', 'WAS', 6, ({ row }: Found) => row.shareUsual),
  ];
  const told = {
    sentence: (found: Found) => foundWords(o, found),
    first: ({ dimension }: Found) => ({ field: dimension }),
    also: ({ row }: Found) => ({
      countIsAtMost: row.isAtMostNow,
      countBeforeIsAtMost: row.isAtMostUsual,
      isNew: row.isNew,
      frequent: row.way,
    }),
    row: ({ dimension, row: { way, value } }: Found) => ({
      tone: way === 'more' ? ('notable' as const) : ('plain' as const),
      ...ledBy(o.subject, o.query, dimension, value),
    }),
  };
  const byField = {
    ...told,
    most: ROWS_FIRST,
    columns: [words('field', 'FIELD', 8, ({ dimension }: Found) => dimension), ...columns],
  };
  const sections = [
    sectionOf('moreFrequent', `more frequent against ${o.against}`, more, {
      ...byField,
      note: `${more.length === 0 ? 'nothing so far; ' : ''}${MORE_IN_WORDS}`,
    }),
    ...(less.length === 0 ? [] : [sectionOf('lessFrequent', 'less frequent', less, byField)]),
    ...o.dimensions.map((dimension) => {
      const comparison = comparisons.get(dimension);
      if (!comparison)
        return sectionOf('values', dimension, [], {
          ...told,
          columns: columns.slice(0, 1),
          note: 'not read yet',
        });
      const found = comparison.values.map((row) => ({ dimension, row }));
      const aside = othersOf(comparison);
      const title = `${dimension}: ${totalsOf(comparison)}`;
      return sectionOf('values', title, found, { ...told, most: ROWS_EACH, columns, aside });
    }),
  ];
  return {
    headline:
      comparisons.size === 0 ? 'what is more frequent now than before?' : headlineOf(o, more[0], less[0]),
    ...(more.length + less.length > 0
      ? { verdict: 'wrong', tone: 'notable' }
      : { verdict: o.isWhole ? 'calm' : 'unknown' }),
    sections,
    coverage: o.coverage,
    isWhole: o.isWhole,
  };
}

/** The values of all dimensions that are more frequent, or less; those first that differ by most events. */
function foundOf(comparisons: Shown['comparisons'], way: 'more' | 'less'): Found[] {
  return [...comparisons]
    .flatMap(([dimension, { values }]) =>
      values.filter((row) => row.way === way).map((row) => ({ dimension, row })),
    )
    .sort((a, b) => Math.abs(b.row.excess) - Math.abs(a.row.excess));
}

/** A value with at least this share of the largest excess may be told before it. */
const ALIKE = 0.5;

/** The same events are told by many fields. Of those that are about as many the trouble comes first, then what was never there. */
function leading(found: readonly Found[]): Found[] {
  const least = ALIKE * (found[0]?.row.excess ?? 0);
  const rankOf = ({ dimension, row }: Found) =>
    row.excess < least ? 3 : isTrouble(dimension, row.value ?? '') ? 0 : row.isNew ? 1 : 2;
  return found.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function isTrouble(dimension: string, value: string): boolean {
  return dimension === 'status'
    ? value.startsWith('5')
    : dimension === 'cache' && /^(?:STALE|UPDATING)$/.test(value);
}

/** The total before is told as of as long a time where the two were not read alike. */
function totalsOf({ totalNow, totalUsual, totalExpected }: Differing): string {
  const scaled =
    Math.abs(totalExpected - totalUsual) >= 0.01 * totalUsual && totalUsual > 0
      ? `, ${count(Math.round(totalExpected))} in as much time`
      : '';
  return `${count(totalNow)} now, ${count(totalUsual)} before${scaled}`;
}

function othersOf({ values }: Differing): string {
  const more = values.length - ROWS_EACH;
  return values.length === 0 ? 'no value differs' : more > 0 ? `and ${count(more)} more that differ` : '';
}

/** What is more frequent, and how all of it together changed; a "nothing" is said of what was read alone. */
function headlineOf(o: Shown, more: Found | undefined, less: Found | undefined): string {
  const soFar = o.hedge === '' ? '' : ' so far';
  const nothing = less
    ? `nothing is more frequent against ${o.against}${soFar}; ${foundWords(o, less)}`
    : `nothing stands out against ${o.against}${soFar}`;
  const found = more ?? less;
  const [any] = o.comparisons.values();
  const total = totalWords((found && o.comparisons.get(found.dimension)) ?? any);
  return `${o.hedge}${more ? foundWords(o, more) : nothing}${total}`;
}

function foundWords(o: Shown, { dimension, row }: Found): string {
  const { value, countNow, countUsual, shareNow, shareUsual, isNew, isAtMostNow, isAtMostUsual, way } = row;
  const term = termOfAny(dimension, [value === null ? '' : o.nameOf(dimension, value)]);
  const name = printQuery({ ...EMPTY_QUERY, terms: [term] });
  const now = `${isAtMostNow ? 'at most ' : ''}${count(countNow)}`;
  if (isNew) return `${name} is new: ${percent(shareNow)} (${now})`;
  const before = `${isAtMostUsual ? 'at most ' : ''}${count(countUsual)}`;
  return `${name} is ${way} frequent: ${percent(shareNow)} now, ${percent(shareUsual)} before (${now} and ${before})`;
}

function totalWords(of: Differing | undefined): string {
  if (of === undefined || of.totalExpected <= 0) return '';
  const change = of.totalNow / of.totalExpected - 1;
  if (Math.abs(change) < LEAST_TOLD) return '; the total is as before';
  return `; the total ${change > 0 ? 'rose' : 'fell'} ${percent(Math.abs(change))}`;
}

/** A smaller change of the total is none: it would be told as 0.0%. */
const LEAST_TOLD = 0.0005;
