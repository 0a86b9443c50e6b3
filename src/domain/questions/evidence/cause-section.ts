import { counted, dayMinute, percent } from '../../../text/units.ts';
import type { OriginError } from '../../evidence/origin-error.ts';
import { originMatcher } from '../../evidence/origin-match.ts';
import type { OriginTally } from '../../evidence/origin-tally.ts';
import type { LogRecord } from '../../log.ts';
import { causeRow } from '../../origin-cause.ts';
import { type Query, termOfAny, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import {
  figures,
  isoTimes,
  onScreen,
  rest,
  sectionOf,
  shares,
  within,
  words,
} from '../inquiry/answer-section.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';
import type { Facts, Leads } from '../inquiry/findings.ts';
import { codeWord, meaningOf } from './origin-reading.ts';

/** So long before and after a run Enter looks for its rows, ms. */
const AROUND = 10_000;

/** The codes that origin errors have, and what each means; Enter: the rows of the query in its newest run that it is the cause of. */
export function causeSection(
  { causes, total }: OriginTally,
  query: Query,
  title = 'by cause',
): AnswerSection {
  const [first] = causes;
  return sectionOf('causes', title, causes, {
    sentence: ({ code, count, run }) =>
      `${counted(count, 'origin error')}, ${percent(count / total)} of all, ${count === 1 ? 'is' : 'are'} ${codeWord(code)} (${meaningOf(code)}); its newest run began at ${dayMinute(run.from)} UTC`,
    columns: [
      words('code', 'CODE', 24, ({ code }) => codeWord(code)),
      figures('errors', 'ERRORS', 7, ({ count }) => count),
      shares('share', 'SHARE', 6, ({ count }) => count / total),
      onScreen('SINCE', 11, ({ run }) => dayMinute(run.from)),
      rest('means', 'WHAT IT MEANS', ({ code }) => meaningOf(code)),
    ],
    also: runFacts,
    row: ({ code, run, isOf5xx }, at) => ({
      tone: at === 0 ? 'bad' : 'plain',
      isSubject: at === 0,
      leads: ledByCause(
        within(query, { from: run.from - AROUND, to: run.to + AROUND }),
        isOf5xx ? codeWord(code) : undefined,
      ),
    }),
    note:
      first === undefined
        ? 'an origin error is reported where the platform got no answer; a 5xx that the origin sent is none'
        : `what to do: ${causeRow(first.code)?.next ?? 'look at the log of the origin at that time'}`,
    aside: first === undefined ? '' : 'SINCE: where its newest run begins, UTC',
  });
}

/** The newest run of a cause: so many of all errors between its first and its last. */
function runFacts({ run }: OriginTally['causes'][number]): Facts {
  return { run: { ...isoTimes(run), errors: run.count, errorsOfAll: run.of } };
}

/** Rows that were answered 5xx, by the code of the origin error nearest to each: no id joins the two logs. */
export function rowsSection(
  rows: readonly LogRecord[],
  errors: readonly OriginError[],
  query: Query,
): AnswerSection {
  const match = originMatcher(errors);
  const groups = [...Map.groupBy(rows, (row) => match(row)?.error.code ?? null)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([code, own]) => ({
      cause: code === null ? null : codeWord(code),
      count: own.length,
      statuses: [...new Set(own.map(({ statusCode }) => statusCode))].sort((a, b) => a - b),
    }));
  return sectionOf('rows', 'rows in memory answered 5xx, by cause', groups, {
    sentence: ({ cause, count, statuses }) =>
      `${counted(count, 'row')} answered ${statuses.join(', ')}: ${cause ?? 'no origin error is near'}`,
    columns: [
      words('code', 'CODE', 24, ({ cause }) => cause, { shown: ({ cause }) => cause ?? 'none near' }),
      figures('rows', 'ROWS', 7, ({ count }) => count),
      shares('share', 'SHARE', 6, ({ count }) => count / rows.length),
      rest('statuses', 'STATUS', ({ statuses }) => statuses, {
        shown: ({ statuses }) => statuses.join(', '),
      }),
    ],
    row: ({ cause, statuses }) => {
      const answered = withTerms({ ...query, groupBy: [] }, termOfAny('status', statuses.map(String)));
      return { leads: ledByCause(answered, cause) };
    },
    note: 'matched by time, path and edge: the nearest error, which need not be its own; none near: the origin itself may have answered so',
  });
}

/** Where a cause leads, null: none near; undefined: to all rows of the query, since none of them can be told to have it. */
function ledByCause(query: Query, cause: string | null | undefined): Leads {
  const term = cause === undefined ? null : termForValue('logs', 'cause', cause, false);
  return { subject: 'logs', query: withTerms(query, term) };
}
