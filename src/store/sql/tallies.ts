import { type MarkId, ROW_MARKS } from '../../domain/logs/counted/row-marks.ts';
import type { Counting } from '../../domain/logs/counts.ts';
import type { CacheSums } from '../../domain/logs/sums/traffic.ts';
import { regexOf } from '../../domain/query/regex.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { column, type GroupKey, groupedBy, keyOf, pageText } from './columns.ts';
import type { Dialect } from './dialect.ts';
import {
  allOf,
  among,
  anyOf,
  FALSE,
  listedSql,
  literalCount,
  name,
  type Param,
  type Sql,
  sql,
  text,
  whole,
} from './sql.ts';
import { type Asking, countedBytesSql, groupKey, isServedBy, isServerErrorSql } from './statements.ts';

/** The sums of a value behind its rows, in the order of their columns. */
const SUMS = {
  bytes: (dialect) => dialect.sum(countedBytesSql(dialect)),
  edgeRequests: (dialect) => dialect.countIf(isServedBy('edge', dialect)),
  edgeBytes: (dialect) => bytesOf('edge', dialect),
  originRequests: (dialect) => dialect.countIf(isServedBy('origin', dialect)),
  originBytes: (dialect) => bytesOf('origin', dialect),
  errors: (dialect) => dialect.countIf(isServerErrorSql()),
  stale: (dialect) => dialect.countIf(isStale()),
} satisfies Partial<Record<keyof CacheSums, (dialect: Dialect) => Sql>>;

export const TALLY_SUM_NAMES = Object.keys(SUMS) as (keyof typeof SUMS)[];

/**
 * The values of several fields, of each the `most` with most rows: the place of the field, the value, its rows, how many values and how
 * many rows there are of the field, and how many of these have none; with `sums` the traffic of the value. Null: a field is not stored as it is derived now.
 */
export function topValuesSql(
  where: Sql,
  asking: Asking,
  { fields, most, sums, only }: Omit<Extract<Counting, { kind: 'values' }>, 'kind'>,
): Sql | null {
  const all = keysOf(fields, asking);
  if (all === null) return null;
  const { dialect } = asking;
  const wanted = fields.map((id) => only?.get(id)?.map(text) ?? []);
  const keys = only === undefined ? all : all.map((key, at) => keyAmong(key, wanted[at] ?? [], dialect));
  const found =
    only === undefined ? [] : [anyOf(all.map((key, at) => among(rowText(key), wanted[at] ?? [])))];
  const of = sql`PARTITION BY mark`;
  const counted = countedByEach(allOf([where, ...found]), asking, keys, sums);
  const blank = sql`sum(${dialect.choose(sql`v = ''`, sql`n`, sql`0`)}) OVER (${of})`;
  const placed = sql`SELECT *, row_number() OVER (${of} ORDER BY n DESC, v) AS place, count(*) OVER (${of}) AS d, sum(n) OVER (${of}) AS total, ${blank} AS blank FROM (${counted}) AS counted`;
  const columns = listedSql([sql`mark, v, n, d, total, blank`, ...(sums ? [SUMMED] : [])]);
  return sql`SELECT ${columns} FROM (${placed}) AS placed WHERE place <= ${whole(most)} ORDER BY mark, place`;
}

/** The traffic of each of these times, which follow on each other: the number of the time, its rows, and their sums. */
export function timeSums(where: Sql, { dialect, table }: Asking, times: readonly TimeRange[]): Sql {
  const ends = times.slice(0, -1).map(({ to }) => sql`${column('timestamp')} < ${dialect.time(to)}`);
  const place = ends.reduceRight<Sql>(
    (later, isBefore, at) => dialect.choose(isBefore, sql`${whole(at)}`, later),
    sql`${whole(ends.length)}`,
  );
  const sums = TALLY_SUM_NAMES.map((each) => SUMS[each](dialect));
  const columns = listedSql([sql`${place} AS place`, sql`count(*) AS n`, ...sums]);
  return sql`SELECT ${columns} FROM ${dialect.settled(table)} WHERE ${where} GROUP BY place ORDER BY place`;
}

function rowText({ parts, textOf }: GroupKey): Sql {
  return textOf(parts.map((part) => ('groupedBy' in part ? part.groupedBy : part.ofRow)));
}

/** A field of which these values alone count. */
function keyAmong(key: GroupKey, values: readonly Param[], dialect: Dialect): GroupKey {
  const of = rowText(key);
  // What is always '' would be no key to an engine.
  const found = among(of, [text(''), ...values]);
  return keyOf(dialect.choose(found, of, sql`''`));
}

/** The field that a row is counted by, by its `mark`, as its place among `count` fields. */
export function placeOfMark(mark: number, count: number): number {
  return Array.from({ length: count }, (_, at) => (mark >> (count - 1 - at)) & 1).indexOf(0);
}

/**
 * One reading of the rows, counted by each of the keys. Of two million rows it takes both engines less time than a question for each: with sums
 * a fifth to a half of it. Counted where the rows are, so that a cluster adds up what its nodes have counted.
 */
function countedByEach(
  where: Sql,
  { dialect, table }: Asking,
  keys: readonly GroupKey[],
  sums: boolean,
): Sql {
  const { selected: parts, names, sets } = groupedBy(keys);
  const firsts = names.map(([first]) => first as Sql);
  const selected = [
    ...parts,
    sql`grouping(${listedSql(firsts)}) AS mark`,
    sql`count(*) AS n`,
    ...(sums ? TALLY_SUM_NAMES.map((each, at) => sql`${SUMS[each](dialect)} AS ${sumName(at)}`) : []),
  ];
  const counted = sql`SELECT ${listedSql(selected)} FROM ${dialect.settled(table)} WHERE ${where} GROUP BY GROUPING SETS (${listedSql(sets.map((set) => sql`(${listedSql(set)})`))})`;
  // Of those that a set is without engines say null, or something else.
  const value = keys.reduceRight<Sql>(
    (others, key, at) =>
      dialect.choose(
        sql`mark = ${literalCount(markOf(at, keys.length))}`,
        key.textOf(names[at] ?? []),
        others,
      ),
    sql`''`,
  );
  return sql`SELECT mark, ${value} AS v, n${sums ? sql`, ${SUMMED}` : sql``} FROM (${counted}) AS found`;
}

/** What `grouping` says of rows that are counted by the field at a place: a bit for each that they are not counted by, the last first. */
function markOf(place: number, count: number): number {
  return 2 ** count - 1 - 2 ** (count - 1 - place);
}

/** The fields that are stored; all, where those that are were derived by other functions: then none is to be had by leaving some out. */
export function storedOf(fields: readonly string[], asking: Asking): readonly string[] {
  return asking.derivedAsNow ? fields.filter((id) => keysOf([id], asking) !== null) : fields;
}

/** Null: a field is not stored, or was derived by another function. */
function keysOf(fields: readonly string[], asking: Asking): GroupKey[] | null {
  const keys = fields.map((id) => markOfRow(id, asking.dialect) ?? groupKey(id, asking));
  return keys.every((key) => key !== null) ? keys : null;
}

/** '1' where a row says so of itself; null for a field of rows. */
function markOfRow(id: string, dialect: Dialect): GroupKey | null {
  if (!(id in ROW_MARKS)) return null;
  const { column: of, pattern } = ROW_MARKS[id as MarkId];
  const said = of === 'page' ? pageText(dialect) : column(of);
  const regex = regexOf('regex', `/${pattern.source}/i`, true);
  const isSaid = regex === null ? FALSE : dialect.matches(said, text(regex.re2()));
  return keyOf(dialect.choose(isSaid, sql`'1'`, sql`''`));
}

function sumName(at: number): Sql {
  return name(`s${at}`);
}

const SUMMED = listedSql(TALLY_SUM_NAMES.map((_, at) => sumName(at)));

function bytesOf(side: 'edge' | 'origin', dialect: Dialect): Sql {
  return dialect.sum(dialect.choose(isServedBy(side, dialect), countedBytesSql(dialect), sql`0`));
}

function isStale(): Sql {
  return sql`${column('cacheStatus')} IN ('STALE', 'UPDATING')`;
}
