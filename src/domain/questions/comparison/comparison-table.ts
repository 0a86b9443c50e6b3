import { joined } from '../../../text/joined.ts';
import { count, percent } from '../../../text/units.ts';
import { EMPTY_QUERY, type Query, type QuerySubject, termOfAny } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { figures, ledBy, rest, sectionOf, shares, words } from '../inquiry/answer-section.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import {
  type Comparison,
  type ComparisonRow,
  FALLS_OUT_IN_WORDS,
  outstanding,
  STANDS_OUT_IN_WORDS,
} from './comparison.ts';

/** Rows of one dimension: what comes after explains next to nothing, and the whole list is one key away. */
const ROWS_EACH = 8;
const ROWS_FIRST = 12;

type Shown = {
  subject: QuerySubject;
  /** Over the times that are compared. */
  query: Query;
  /** Field ids of the dimensions, in the order of their sections. */
  dimensions: readonly string[];
  /** Those whose both windows were read. */
  comparisons: ReadonlyMap<string, Comparison>;
  /** How a value of a dimension is shown. */
  nameOf: (dimension: string, value: string) => string;
  against: string;
  /** `of the 22.7% read: `; empty where all was. */
  hedge: string;
  coverage: string;
};

type Found = { dimension: string; row: ComparisonRow };

/** What rose, or of a total that fell what moved, over all dimensions, and then dimension by dimension. */
export function comparisonTable(o: Shown): AnswerTable {
  const { comparisons } = o;
  const first = outstanding(comparisons);
  const hasFallen = [...comparisons.values()].some(({ way }) => way === 'fell');
  const columns = [
    rest('VALUE', ({ dimension, row: { value } }: Found) =>
      value === null ? '(none)' : o.nameOf(dimension, value),
    ),
    // A share of all that moved as the total did, which can be worked out again from the counts beside it.
    figures('EXPLAINS', 8, ({ row }: Found) => (row.isAgainst ? 'against' : percent(row.explains))),
    figures('NOW', 9, ({ row }: Found) => `${row.isAtMostNow ? '<=' : ''}${count(row.countNow)}`),
    figures('BEFORE', 9, ({ row }: Found) =>
      row.isNew ? 'new' : `${row.isAtMost ? '<=' : ''}${count(row.countBefore)}`,
    ),
    shares('SHARE', 6, ({ row }: Found) => row.shareNow),
    shares('WAS', 6, ({ row }: Found) => row.shareBefore),
    figures('G2', 8, ({ row: { g2 } }: Found) => g2 ?? '-', 100),
  ];
  const row = ({ dimension, row: { standsOut, value } }: Found) => ({
    tone: standsOut ? ('notable' as const) : ('plain' as const),
    ...ledBy(o.subject, o.query, dimension, value),
  });
  const sections = [
    sectionOf(`what stands out against ${o.against}`, first.slice(0, ROWS_FIRST), {
      columns: [words('FIELD', 8, ({ dimension }) => dimension), ...columns],
      row,
      note: `${first.length === 0 ? 'nothing so far; ' : ''}${hasFallen ? FALLS_OUT_IN_WORDS : STANDS_OUT_IN_WORDS}`,
    }),
    ...o.dimensions.map((dimension) => {
      const comparison = comparisons.get(dimension);
      if (!comparison)
        return sectionOf(dimension, [], { columns: columns.slice(0, 1), note: 'not read yet' });
      const listed = comparison.rows.slice(0, ROWS_EACH).map((each) => ({ dimension, row: each }));
      const note = noteOf(comparison);
      return sectionOf(`${dimension}: ${totalsOf(comparison)}`, listed, { columns, row, note });
    }),
  ];
  const top = first[0];
  const question = 'what is more frequent now than before?';
  return {
    headline:
      comparisons.size === 0
        ? question
        : `${o.hedge}${top ? headlineOf(o, top.dimension, top.row) : `nothing stands out against ${o.against}${o.hedge === '' ? '' : ' so far'}`}`,
    tone: top ? 'notable' : 'plain',
    sections,
    coverage: o.coverage,
  };
}

/** The total before is told as of as long a time where the two were not read alike. */
function totalsOf({ totalNow, totalBefore, totalExpected }: Comparison): string {
  const scaled =
    Math.abs(totalExpected - totalBefore) >= 0.01 * totalBefore && totalBefore > 0
      ? `, ${count(Math.round(totalExpected))} in as much time`
      : '';
  return `${count(totalNow)} now, ${count(totalBefore)} before${scaled}`;
}

function noteOf({ rows, way, against }: Comparison): string {
  const more = rows.length - ROWS_EACH;
  const others = more > 0 ? `and ${count(more)} more that ${way === 'fell' ? 'moved' : 'rose'}` : '';
  return joined(
    [
      rows.length === 0 ? 'no value rose' : others,
      way === 'rose' && against > 0 ? `${count(against)} fell` : '',
    ],
    ', ',
  );
}

function headlineOf(o: Shown, dimension: string, row: ComparisonRow): string {
  const comparison = o.comparisons.get(dimension);
  const { value, countNow, countBefore, explains, isNew, isAtMost, isAtMostNow, isAgainst } = row;
  const before = isNew ? 'new' : `${isAtMost ? 'at most ' : ''}${count(countBefore)} before`;
  const counts = `${isAtMostNow ? 'at most ' : ''}${count(countNow)} now, ${before}`;
  const term = termOfAny(dimension, [value === null ? '' : o.nameOf(dimension, value)]);
  const name = printQuery({ ...EMPTY_QUERY, terms: [term] });
  if (comparison?.way !== 'fell') return `${name} explains ${percent(explains)} of what rose: ${counts}`;
  const fall = `the total fell ${percent(1 - comparison.totalNow / comparison.totalExpected)}`;
  return isAgainst
    ? `${name} rose while ${fall}: ${counts}`
    : `${fall}: ${name} explains ${percent(explains)} of what fell: ${counts}`;
}
