import { count, percent } from '../../../text/units.ts';
import { EMPTY_QUERY, type Query, type QuerySubject } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import {
  type AnswerColumn,
  type AnswerRow,
  type AnswerSection,
  type AnswerTable,
  ledBy,
} from '../inquiry/answer-table.ts';
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

const NUMBERS: readonly AnswerColumn[] = [
  { title: 'EXPLAINS', cells: 8, align: 'right' },
  { title: 'NOW', cells: 9, align: 'right' },
  { title: 'BEFORE', cells: 9, align: 'right' },
  { title: 'SHARE', cells: 6, align: 'right' },
  { title: 'WAS', cells: 6, align: 'right' },
  { title: 'G2', cells: 8, align: 'right', from: 100 },
];

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

/** What rose, or of a total that fell what moved, over all dimensions, and then dimension by dimension. */
export function comparisonTable(o: Shown): AnswerTable {
  const { comparisons } = o;
  const first = outstanding(comparisons);
  const hasFallen = [...comparisons.values()].some(({ way }) => way === 'fell');
  const values: AnswerColumn = { title: 'VALUE', cells: 'rest' };
  const rowOf = (dimension: string, row: ComparisonRow): AnswerRow => rowCells(o, dimension, row);
  const sections: AnswerSection[] = [
    {
      title: `what stands out against ${o.against}`,
      columns: [{ title: 'FIELD', cells: 8 }, values, ...NUMBERS],
      rows: first.slice(0, ROWS_FIRST).map(({ dimension, row }) => {
        const line = rowOf(dimension, row);
        return { ...line, cells: [dimension, ...line.cells] };
      }),
      note: `${first.length === 0 ? 'nothing so far; ' : ''}${hasFallen ? FALLS_OUT_IN_WORDS : STANDS_OUT_IN_WORDS}`,
    },
    ...o.dimensions.flatMap((dimension): AnswerSection[] => {
      const comparison = comparisons.get(dimension);
      if (!comparison) return [{ title: dimension, columns: [values], rows: [], note: 'not read yet' }];
      const { rows } = comparison;
      return [
        {
          title: `${dimension}: ${totalsOf(comparison)}`,
          columns: [values, ...NUMBERS],
          rows: rows.slice(0, ROWS_EACH).map((row) => rowOf(dimension, row)),
          ...noteOf(comparison),
        },
      ];
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

function noteOf({ rows, way, against }: Comparison): { note?: string } {
  const more = rows.length - ROWS_EACH;
  const parts = [
    rows.length === 0
      ? 'no value rose'
      : more > 0
        ? `and ${count(more)} more that ${way === 'fell' ? 'moved' : 'rose'}`
        : '',
    way === 'rose' && against > 0 ? `${count(against)} fell` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? { note: parts.join(', ') } : {};
}

function headlineOf(o: Shown, dimension: string, row: ComparisonRow): string {
  const comparison = o.comparisons.get(dimension);
  const { value, countNow, countBefore, explains, isNew, isAtMost, isAtMostNow, isAgainst } = row;
  const before = isNew ? 'new' : `${isAtMost ? 'at most ' : ''}${count(countBefore)} before`;
  const counts = `${isAtMostNow ? 'at most ' : ''}${count(countNow)} now, ${before}`;
  const name = termText(dimension, value === null ? '' : o.nameOf(dimension, value));
  if (comparison?.way !== 'fell') return `${name} explains ${percent(explains)} of what rose: ${counts}`;
  const fall = `the total fell ${percent(1 - comparison.totalNow / comparison.totalExpected)}`;
  return isAgainst
    ? `${name} rose while ${fall}: ${counts}`
    : `${fall}: ${name} explains ${percent(explains)} of what fell: ${counts}`;
}

/** `explains` is a share of all that moved as the total did, which can be worked out again from the counts beside it. */
function rowCells(o: Shown, dimension: string, row: ComparisonRow): AnswerRow {
  const { value, isNew, isAtMost, isAtMostNow, isAgainst, standsOut } = row;
  return {
    cells: [
      value === null ? '(none)' : o.nameOf(dimension, value),
      isAgainst ? 'against' : percent(row.explains),
      `${isAtMostNow ? '<=' : ''}${count(row.countNow)}`,
      isNew ? 'new' : `${isAtMost ? '<=' : ''}${count(row.countBefore)}`,
      percent(row.shareNow),
      percent(row.shareBefore),
      row.g2 === null ? '-' : count(Math.round(row.g2)),
    ],
    tone: standsOut ? 'notable' : 'plain',
    ...ledBy(o.subject, o.query, dimension, value),
  };
}

function termText(dimension: string, value: string): string {
  return printQuery({
    ...EMPTY_QUERY,
    terms: [{ kind: 'field', field: dimension, op: 'eq', values: [value], negated: false }],
  });
}
