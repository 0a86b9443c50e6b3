import { count, percent, timeOfDay } from '../../../text/units.ts';
import type { OriginError } from '../../evidence/origin-error.ts';
import { originMatcher } from '../../evidence/origin-match.ts';
import type { OriginTally } from '../../evidence/origin-tally.ts';
import type { LogRecord } from '../../log.ts';
import { causeRow } from '../../origin-cause.ts';
import type { Query } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { figures, rest, words } from '../inquiry/answer-columns.ts';
import { type AnswerRow, type AnswerSection, within } from '../inquiry/answer-table.ts';
import { codeWord, meaningOf } from './origin-reading.ts';

/** So long before and after a run Enter looks for its rows, ms. */
const AROUND = 10_000;

/** The codes that origin errors have, and what each means; Enter: the rows of the query in its newest run that it is the cause of. */
export function causeSection({ causes, total }: OriginTally, query: Query): AnswerSection {
  const [first] = causes;
  return {
    title: 'by cause',
    columns: [
      words('CODE', 24),
      figures('ERRORS', 7),
      figures('SHARE', 6),
      words('SINCE', 11),
      rest('WHAT IT MEANS'),
    ],
    rows: causes.map(
      ({ code, count: n, run, isOf5xx }, at): AnswerRow => ({
        cells: [
          codeWord(code),
          count(n),
          percent(n / total),
          timeOfDay(run.from, { zone: 'utc', date: true }).slice(5, 16),
          meaningOf(code),
        ],
        tone: at === 0 ? 'bad' : 'plain',
        isSubject: at === 0,
        leads: ledByCause(
          within(query, { from: run.from - AROUND, to: run.to + AROUND }),
          isOf5xx ? codeWord(code) : undefined,
        ),
      }),
    ),
    note:
      first === undefined
        ? 'an origin error is told where the platform got no answer; a 5xx that the origin sent is none'
        : `what to do: ${causeRow(first.code)?.next ?? 'look at the log of the origin at that time'}. SINCE: where its newest run begins, UTC`,
  };
}

/** Rows that were answered 5xx, by the code of the origin error nearest to each: no id joins the two logs. */
export function rowsSection(
  rows: readonly LogRecord[],
  errors: readonly OriginError[],
  query: Query,
): AnswerSection {
  const match = originMatcher(errors);
  const groups = [...Map.groupBy(rows, (row) => match(row)?.error.code ?? null)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return {
    title: 'rows in memory answered 5xx, by cause',
    columns: [words('CODE', 24), figures('ROWS', 7), figures('SHARE', 6), rest('STATUS')],
    rows: groups.map(([code, own]): AnswerRow => {
      const statuses = [...new Set(own.map(({ statusCode }) => statusCode))].sort((a, b) => a - b);
      return {
        cells: [
          code === null ? 'none near' : codeWord(code),
          count(own.length),
          percent(own.length / rows.length),
          statuses.join(', '),
        ],
        leads: ledByCause(ofStatuses(query, statuses), code === null ? null : codeWord(code)),
      };
    }),
    note: 'matched by time, path and edge: the nearest error, which need not be its own; none near: the origin itself may have answered so',
  };
}

/** Where a cause leads, null: none near; undefined: to all rows of the query, since none of them can be told to have it. */
function ledByCause(query: Query, cause: string | null | undefined): NonNullable<AnswerRow['leads']> {
  const term = cause === undefined ? null : termForValue('logs', 'cause', cause, false);
  return { subject: 'logs', query: term ? { ...query, terms: [...query.terms, term] } : query };
}

function ofStatuses(query: Query, statuses: readonly number[]): Query {
  const values = statuses.map(String);
  const term = { kind: 'field', field: 'status', op: 'eq', values, negated: false } as const;
  return { ...query, groupBy: [], terms: [...query.terms, term] };
}
