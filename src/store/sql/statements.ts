import { CACHE_STATUSES } from '../../domain/log.ts';
import type { PageAsked, RowPlace, RowsAsked } from '../../domain/logs/log-history.ts';
import { MOST_ROW_BYTES } from '../../domain/logs/sums/traffic.ts';
import { type LogFieldId, logField } from '../../domain/query/fields.ts';
import type { Term } from '../../domain/query/query.ts';
import { type LogSeriesId, partOfCache, partOfStatus, SERIES } from '../../domain/timeline/series.ts';
import type { Steps } from '../../domain/timeline/steps.ts';
import {
  column,
  type GroupKey,
  groupedBy,
  groupKeyOf,
  KEY,
  plainColumn,
  READ_NAMES,
  STORED_FIELD,
} from './columns.ts';
import { type Dialect, inTime } from './dialect.ts';
import { allOf, among, anyOf, listedSql, name, not, type Sql, sql, TRUE, text, whole } from './sql.ts';
import { conditionOf } from './term-conditions.ts';

/** What decides what can be asked of an engine. */
export type Asking = { dialect: Dialect; table: Sql; derivedAsNow: boolean };

/** `here`: the terms that the engine does not decide, and why; its rows are then more than are asked for. */
type RowsFound = { where: Sql; here: readonly { term: Term; why: string }[] };

export function rowsFound(
  { zones, range, but = [], terms }: RowsAsked,
  { dialect, derivedAsNow }: Asking,
): RowsFound {
  const ways = zones.length === 0 ? [{ ids: [], anonymisation: 'none' as const }] : zones;
  const here = new Map<Term, string>();
  const time = column('timestamp');
  const decided = ways.map(({ ids, anonymisation }) => {
    const conditions = terms.flatMap((term) => {
      const condition = conditionOf(term, { dialect, anonymisation, derivedAsNow });
      if (condition.ok) return [condition.where];
      here.set(term, condition.why);
      return [];
    });
    const ofZones = ids.length === 0 ? [] : [among(column('pullZoneId'), ids.map(text))];
    return allOf([...ofZones, ...conditions]);
  });
  return {
    where: allOf([
      inTime(dialect, time, range.from, range.to),
      ...but.map(({ from, to }) =>
        anyOf([sql`${time} < ${dialect.time(from)}`, sql`${time} >= ${dialect.time(to)}`]),
      ),
      anyOf(decided),
    ]),
    here: [...here].map(([term, why]) => ({ term, why })),
  };
}

/** At most `limit` rows, newest first or oldest first, from behind the row `after` on. */
export function pageOfRows(where: Sql, { dialect, table }: Asking, page: PageAsked): Sql {
  const isBack = page.order === 'desc';
  const way = isBack ? sql` DESC` : sql``;
  const order = listedSql(KEY.map((each) => sql`${column(each)}${way}`));
  const from = page.after === null ? [] : [behind(page.after, isBack, dialect)];
  const columns = listedSql(
    READ_NAMES.map((each, at) => sql`${plainColumn(each, dialect)} AS ${name(`c${at}`)}`),
  );
  return sql`SELECT ${columns} FROM ${dialect.settled(table)} WHERE ${allOf([where, ...from])} ORDER BY ${order} LIMIT ${whole(page.limit)}`;
}

/** Rows behind a place: the first of its values that differs decides. The time stands alone too, for the engine's index. */
function behind(place: RowPlace, isBack: boolean, dialect: Dialect): Sql {
  const values = KEY.map((each) => {
    if (each === 'timestamp') return dialect.time(place.timestamp);
    if (each === 'id') return dialect.bytesOf(text(place.id), 'id');
    const value = place[each];
    return typeof value === 'string' ? sql`${text(value)}` : sql`${whole(value)}`;
  });
  const sides = [listedSql(KEY.map(column)), listedSql(values)] as const;
  const time = column('timestamp');
  const [first] = values as [Sql];
  return isBack
    ? sql`${time} <= ${first} AND (${sides[0]}) < (${sides[1]})`
    : sql`${time} >= ${first} AND (${sides[0]}) > (${sides[1]})`;
}

/**
 * Groups by these fields: the largest, by bytes where they are equal, then by the earlier first row, then by their values. Behind the
 * values are the figures of `LogGroup`, how many groups there are, and how many rows in all of them. `texts`: of each field, how its
 * text is made of what stands there. Null: a field is not stored.
 */
export function groupsOf(
  where: Sql,
  asking: Asking,
  by: readonly string[],
  limit: number,
): { question: Sql; texts: ((value: string) => string)[] } | null {
  const { dialect, table } = asking;
  const keys = by.map((id) => groupKey(id, asking));
  if (!keys.every((key) => key !== null)) return null;
  const { selected, names, sets } = groupedBy(keys);
  const time = column('timestamp');
  const counted = [
    ...selected,
    sql`count(*) AS n`,
    sql`${dialect.sum(countedBytesSql(dialect))} AS bytes`,
    // The time of each row is not turned into a number for it.
    sql`${dialect.ms(sql`min(${time})`)} AS first`,
    sql`${dialect.ms(sql`max(${time})`)} AS last`,
    sql`${dialect.countIf(isServedBy('edge', dialect))} AS edge`,
    sql`${dialect.countIf(isServedBy('origin', dialect))} AS origin`,
    sql`${dialect.countIf(isServerErrorSql())} AS errors`,
  ];
  const grouped = sets.length === 0 ? sql`` : sql` GROUP BY ${listedSql(sets.flat())}`;
  const groups = sql`SELECT ${listedSql(counted)} FROM ${dialect.settled(table)} WHERE ${where}${grouped}`;
  const order = sql`ORDER BY ${listedSql([sql`n DESC`, sql`bytes DESC`, sql`first`, ...names.flat()])}`;
  const largest = sql`SELECT *, count(*) OVER () AS d, sum(n) OVER () AS total FROM (${groups}) AS grouped ${order} LIMIT ${whole(limit)}`;
  // Of these alone are texts made.
  const values = keys.map(({ textOf, bare }, at) => (bare?.of ?? textOf)(names[at] ?? []));
  const figures = sql`n, bytes, first, last, edge, origin, errors, d, total`;
  return {
    question: sql`SELECT ${listedSql([...values, figures])} FROM (${largest}) AS largest ${order}`,
    texts: keys.map(({ bare }) => bare?.text ?? ((value) => value)),
  };
}

/** Null: the field is not stored, or was derived by another function. */
export function groupKey(id: string, { dialect, derivedAsNow }: Asking): GroupKey | null {
  const field = logField(id as LogFieldId);
  if (field === null || (id === STORED_FIELD && !derivedAsNow)) return null;
  return groupKeyOf(id, field, dialect);
}

/** A row that claims to be larger than any answer counts as nothing. */
export function countedBytesSql(dialect: Dialect): Sql {
  const bytes = column('bytesSent');
  return dialect.choose(sql`${bytes} <= ${whole(MOST_ROW_BYTES)}`, bytes, sql`0`);
}

export function isServedBy(side: 'edge' | 'origin', dialect: Dialect): Sql {
  const words = Object.entries(CACHE_STATUSES).filter(([, { served }]) => served === side);
  return dialect.isOneOf(
    column('cacheStatus'),
    words.map(([word]) => word),
  );
}

export function isServerErrorSql(): Sql {
  return sql`${column('statusCode')} >= 500 AND ${column('statusCode')} <= 599`;
}

/** Rows by steps of time: the number of the step, then the rows of each part of the series. Steps without rows are left out. */
export function stepsSql(where: Sql, { dialect, table }: Asking, steps: Steps, series: LogSeriesId): Sql {
  const { from, step, count } = steps;
  const inSteps = inTime(dialect, column('timestamp'), from, from + step * count);
  const parts = SERIES[series].map((_, part) => dialect.countIf(partOf(series, part)));
  return sql`SELECT ${stepNumberSql(dialect, steps)} AS step, ${listedSql(parts)} FROM ${dialect.settled(table)} WHERE ${allOf([where, inSteps])} GROUP BY step ORDER BY step`;
}

/** The number of the step that a row lies in. */
function stepNumberSql(dialect: Dialect, { from, step }: Steps): Sql {
  return dialect.quotient(sql`${dialect.ms(column('timestamp'))} - ${whole(from)}`, whole(step));
}

/** Rows that lie in a part of a series; all that is in no other is in the one called `other`, or for caches in `-`. */
function partOf(series: LogSeriesId, part: number): Sql {
  if (series === 'status') {
    const status = column('statusCode');
    const hundreds = [2, 3, 4, 5].find((each) => partOfStatus(each * 100) === part);
    return hundreds === undefined
      ? not(sql`${status} >= 200 AND ${status} < 600`)
      : sql`${status} >= ${whole(hundreds * 100)} AND ${status} < ${whole(hundreds * 100 + 100)}`;
  }
  const cache = column('cacheStatus');
  const words = Object.keys(CACHE_STATUSES);
  const isRest = partOfCache('') === part;
  const chosen = words.filter((word) => (partOfCache(word) === part) !== isRest).map(text);
  return isRest ? (chosen.length === 0 ? TRUE : not(among(cache, chosen))) : among(cache, chosen);
}
