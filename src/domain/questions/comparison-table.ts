import { count, percent } from '../../text/units.ts';
import { EMPTY_QUERY, type Query, type QuerySubject } from '../query/query.ts';
import { printQuery } from '../query/query-text.ts';
import { termForValue } from '../query/terms.ts';
import type { AnswerColumn, AnswerRow, AnswerSection, AnswerTable } from './answer-table.ts';
import { type Comparison, type ComparisonRow, outstanding, STANDS_OUT_IN_WORDS } from './comparison.ts';

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

/** What rose, over all dimensions, and then dimension by dimension. */
export function comparisonTable(o: {
  subject: QuerySubject;
  query: Query;
  /** Field ids of the dimensions, in the order of their sections. */
  dimensions: readonly string[];
  /** Those whose both windows were read. */
  comparisons: ReadonlyMap<string, Comparison>;
  against: string;
  coverage: string;
}): AnswerTable {
  const { comparisons } = o;
  const first = outstanding(comparisons);
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
      note: first.length === 0 ? 'nothing so far' : STANDS_OUT_IN_WORDS,
    },
    ...o.dimensions.flatMap((dimension): AnswerSection[] => {
      const comparison = comparisons.get(dimension);
      if (!comparison) return [{ title: dimension, columns: [values], rows: [], note: 'not read yet' }];
      const { rows, totalNow, totalBefore } = comparison;
      return [
        {
          title: `${dimension}: ${count(totalNow)} now, ${count(totalBefore)} before`,
          columns: [values, ...NUMBERS],
          rows: rows.slice(0, ROWS_EACH).map((row) => rowOf(dimension, row)),
          ...(rows.length > ROWS_EACH
            ? { note: `and ${count(rows.length - ROWS_EACH)} more that rose` }
            : rows.length === 0
              ? { note: 'no value rose' }
              : {}),
        },
      ];
    }),
  ];
  const top = first[0];
  return {
    headline: top
      ? headlineOf(top.dimension, top.row)
      : comparisons.size === 0
        ? 'what is more frequent now than before?'
        : `nothing stands out against ${o.against} so far`,
    tone: top ? 'notable' : 'plain',
    sections,
    coverage: o.coverage,
  };
}

function headlineOf(dimension: string, row: ComparisonRow): string {
  const { value, countNow, countBefore, explains, isNew, isAtMost } = row;
  const before = isNew ? 'new' : `${isAtMost ? 'at most ' : ''}${count(countBefore)} before`;
  return `${nameOf(dimension, value)} explains ${percent(explains)} of the rise: ${count(countNow)} now, ${before}`;
}

/** `explains` is a share of the rise, which can be worked out again from the counts beside it. */
function rowCells(
  o: { subject: QuerySubject; query: Query },
  dimension: string,
  row: ComparisonRow,
): AnswerRow {
  const { value, isNew, isAtMost, standsOut } = row;
  const term = termForValue(o.subject, dimension, value, false);
  return {
    cells: [
      value ?? '(none)',
      percent(row.explains),
      count(row.countNow),
      isNew ? 'new' : `${isAtMost ? '<=' : ''}${count(row.countBefore)}`,
      percent(row.shareNow),
      percent(row.shareBefore),
      row.g2 === null ? '-' : count(Math.round(row.g2)),
    ],
    tone: standsOut ? 'notable' : 'plain',
    ...(term
      ? { leads: { subject: o.subject, query: { ...o.query, groupBy: [], terms: [...o.query.terms, term] } } }
      : {}),
    ...(value === null ? {} : { value: { field: dimension, value } }),
  };
}

function nameOf(dimension: string, value: string | null): string {
  return printQuery({
    ...EMPTY_QUERY,
    terms: [{ kind: 'field', field: dimension, op: 'eq', values: [value ?? ''], negated: false }],
  });
}
