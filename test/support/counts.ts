import { type LogRecord, pageOf } from '../../src/domain/log.ts';
import { ROW_MARKS } from '../../src/domain/logs/counted/row-marks.ts';
import type {
  CountedField,
  Counting,
  Counts,
  CountsAsked,
  OneCounting,
  OneCounts,
} from '../../src/domain/logs/counts.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../src/domain/logs/sums/traffic.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { logField } from '../../src/domain/query/fields.ts';
import { matcher } from '../../src/domain/query/match.ts';
import type { TimeRange } from '../../src/domain/tail/coverage.ts';
import type { EngineAnswer } from '../../src/store/engines/engine.ts';
import { TALLY_SUM_NAMES } from '../../src/store/sql/tallies.ts';

/** What a store counts of rows in some times, by the plainest way there is. */
export function countsOf(
  rows: readonly LogRecord[],
  covered: readonly TimeRange[],
  { terms, anonymisation, of }: CountsAsked,
): Counts {
  if (of.kind === 'several') {
    const parts = of.parts.map((part) => ({ terms: part.terms ?? terms, anonymisation, of: part.of }));
    return { kind: 'several', parts: parts.map((part) => countsOf(rows, covered, part) as OneCounts) };
  }
  const matches = matcher(terms, anonymisation);
  const found = rows.filter(
    (row) => matches(row) && covered.some(({ from, to }) => row.timestamp >= from && row.timestamp < to),
  );
  return counted(found, of);
}

function counted(rows: readonly LogRecord[], of: OneCounting): OneCounts {
  switch (of.kind) {
    case 'values':
      return {
        kind: 'values',
        rows: rows.length,
        fields: new Map(of.fields.map((field) => [field, fieldOf(rows, field, of)])),
      };
    case 'times': {
      const lots = Map.groupBy(rows, ({ timestamp }) => of.times.findIndex(({ to }) => timestamp < to));
      return { kind: 'times', times: [...lots].map(([at, own]) => ({ at, sums: sumsOf(own) })) };
    }
    case 'groups': {
      const book = new LogBook({ capacity: rows.length });
      book.append(rows.map((record) => ({ record, late: false })));
      return { kind: 'groups', ...book.groupBy(of.by, of.most) };
    }
    case 'queryStrings': {
      const pages = [...Map.groupBy(rows, ({ path }) => pageOf(path))]
        .map(([page, own]) => ({ page, requests: own.length, distinct: stringsOf(own).size }))
        .filter(({ distinct }) => distinct > 0)
        .sort((a, b) => b.distinct - a.distinct || (a.page < b.page ? -1 : 1));
      const { length: total } = pages;
      const unlisted = total > of.most ? (pages[of.most - 1]?.distinct ?? 0) : 0;
      return { kind: 'queryStrings', pages: pages.slice(0, of.most), total, unlisted };
    }
    case 'parameters': {
      const parameters = of.pages.flatMap((page) => {
        const strings = stringsOf(rows.filter(({ path }) => pageOf(path) === page));
        const parts = new Set([...strings].flatMap((each) => each.split('&')));
        const named = Map.groupBy(parts, (part) => part.split('=', 1)[0] ?? '');
        return [...named].flatMap(([name, { length }]) =>
          name === '' ? [] : [{ page, name, distinct: length }],
        );
      });
      return {
        kind: 'parameters',
        parameters: parameters.sort((a, b) => b.distinct - a.distinct || (a.name < b.name ? -1 : 1)),
      };
    }
  }
}

/** The different query strings of rows of one page. */
function stringsOf(rows: readonly LogRecord[]): ReadonlySet<string> {
  return new Set(
    rows.flatMap(({ path }) => (path === pageOf(path) ? [] : [path.slice(pageOf(path).length + 1)])),
  );
}

/** The same as an engine tells it; values alone. */
export function engineRows(
  counts: Counts,
  { sums, fields }: Extract<Counting, { kind: 'values' }>,
): EngineAnswer['rows'] {
  if (counts.kind !== 'values') return [];
  return fields.flatMap((field, at) => {
    const { values, distinct, blank } = counts.fields.get(field) ?? { values: [], distinct: 0, blank: 0 };
    const mark = 2 ** fields.length - 1 - 2 ** (fields.length - 1 - at);
    return values.map((each) => [
      ...[mark, each.value ?? '', each.count, distinct ?? 0, counts.rows, blank],
      ...(sums ? TALLY_SUM_NAMES.map((name) => each.sums?.[name] ?? 0) : []),
    ]);
  });
}

function fieldOf(
  rows: readonly LogRecord[],
  field: string,
  { most, sums, only }: Extract<Counting, { kind: 'values' }>,
): CountedField {
  const isWanted = (value: string) => only === undefined || (only.get(field)?.includes(value) ?? false);
  const all = [...Map.groupBy(rows, (row) => ownValue(row, field))]
    .filter(([value]) => isWanted(value))
    .map(([value, own]) => ({
      value: value === '' ? null : value,
      count: own.length,
      sums: sums ? sumsOf(own) : null,
    }))
    .toSorted((a, b) => b.count - a.count);
  const blank = all.find(({ value }) => value === null)?.count ?? 0;
  return { values: all.slice(0, most), distinct: all.length, blank };
}

/** The value of a field, or what an engine makes of a row; '' = none. */
export function ownValue(row: LogRecord, field: string): string {
  if (field === 'loginPath') return ROW_MARKS.loginPath.pattern.test(pageOf(row.path)) ? '1' : '';
  if (field === 'botNamed') return ROW_MARKS.botNamed.pattern.test(row.userAgent ?? '') ? '1' : '';
  return String(logField(field)?.get(row, NO_CAUSES) ?? '');
}

function sumsOf(rows: readonly LogRecord[]): CacheSums {
  const sums = noCacheSums();
  for (const row of rows) addRecord(sums, row);
  return sums;
}
