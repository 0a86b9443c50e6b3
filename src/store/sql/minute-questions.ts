import type { RowsAsked } from '../../domain/logs/log-history.ts';
import { type LogFieldId, logField } from '../../domain/query/fields.ts';
import { joinedRanges, shared, type TimeRange, without } from '../../domain/tail/coverage.ts';
import { HOUR, MINUTE } from '../../text/units.ts';
import { column } from './columns.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { type Amounts, type Asking, countedBytesSql, rowsFound } from './questions.ts';
import { type Place, tableSql } from './schema.ts';
import { allOf, among, anyOf, listedSql, name, type Sql, sql, text, whole } from './sql.ts';

/** What rows of a minute are added up by. */
const KEPT = ['pullZoneId', 'statusCode', 'cacheStatus', 'countryCode'] as const;
const COLUMNS = listedSql([
  ...['pullZoneId', 'timestamp', 'statusCode', 'cacheStatus', 'countryCode'].map(name),
  ...['amount', 'sent', 'since', 'till', 'seal'].map(name),
]);

/** Days that are added up as their rows are now: by what seal, and from when to when, Unix ms. */
export type SealedDay = TimeRange & { seal: string };

/** Of a time what is added up by minute, and what is not. */
export type AddedUp = { seals: readonly string[]; spans: readonly TimeRange[]; rest: readonly TimeRange[] };

/** Whether terms and groups are about what minutes are added up by alone. */
export function isOfMinutes({ terms }: RowsAsked, by: readonly string[]): boolean {
  const fields = [...by, ...terms.map((term) => (term.kind === 'field' ? term.field : ''))];
  return fields.every((id) => {
    const field = logField(id as LogFieldId);
    return field !== null && field.derive === undefined && KEPT.some((each) => each === field.column);
  });
}

/** Null: nothing of the time is added up. Only whole minutes are taken from what is. */
export function addedUp({ range, but = [] }: RowsAsked, days: readonly SealedDay[]): AddedUp | null {
  const inner = { from: Math.ceil(range.from / MINUTE) * MINUTE, to: Math.floor(range.to / MINUTE) * MINUTE };
  const whole = but.reduce(
    (left, { from, to }) =>
      without(left, { from: Math.floor(from / MINUTE) * MINUTE, to: Math.ceil(to / MINUTE) * MINUTE }),
    joinedRanges(shared(inner, days)),
  );
  if (whole.length === 0) return null;
  const rest = whole.reduce((left: TimeRange[], span) => without(left, span), [range]);
  return { seals: days.map(({ seal }) => seal), spans: whole, rest };
}

/** The mark of each day that has rows: another one, once a row was written to it. */
export function marksOf({ dialect, database }: Place): Sql {
  if (dialect === 'duckdb') return sql`SELECT day, concat(day, ' ', amount) AS seal FROM puts`;
  // The number of its newest block, which merges keep, and that of the last change by hand.
  return sql`SELECT toUInt32(partition) AS day, concat(partition, ' ', toString(max(max_block_number)), '.', toString(max(toUInt64OrZero(splitByChar('_', name)[5])))) AS seal FROM system.parts WHERE active AND rows > 0 AND database = ${text(database)} AND table = 'requests' GROUP BY partition`;
}

/** Adds up the minutes of a day under its mark; it counts once all of these statements are through. */
export function sealing(place: Place, day: TimeRange, number: number, seal: string): Sql[] {
  const dialect: Dialect = DIALECTS[place.dialect];
  const [time, minutes] = [column('timestamp'), tableSql(place, 'minutes')];
  const minute =
    place.dialect === 'duckdb' ? sql`date_trunc('minute', ${time})` : sql`toStartOfMinute(${time})`;
  const ms = dialect.ms(time);
  const keys = [column('pullZoneId'), minute, ...KEPT.slice(1).map(column)];
  const sums = [sql`count(*)`, dialect.sum(countedBytesSql(dialect)), sql`min(${ms})`, sql`max(${ms})`];
  const table = dialect.settled(tableSql(place, 'requests'));
  const inDay = dialect.within(time, day.from, day.to);
  // Of a day that was begun and not ended under this mark: ClickHouse keeps one of two copies.
  const first = place.dialect === 'duckdb' ? [sql`DELETE FROM minutes WHERE ${inDay}`] : [];
  const hours = Array.from({ length: (day.to - day.from) / HOUR }, (_, at) => day.from + at * HOUR);
  return [
    ...first,
    ...hours.map(
      (from) =>
        sql`INSERT INTO ${minutes} (${COLUMNS}) SELECT ${listedSql([...keys, ...sums])}, ${text(seal)} FROM ${table} WHERE ${dialect.within(time, from, from + HOUR)} GROUP BY ${listedSql(keys)}`,
    ),
    sql`INSERT INTO ${tableSql(place, 'sealed')} (day, seal) SELECT ${whole(number)}, ${text(seal)}`,
  ];
}

/** What is added up by minute of some rows, and those that are in no minute. */
export function minuteAmounts(asked: RowsAsked, asking: Asking, minutes: Sql, added: AddedUp): Amounts {
  const { dialect, derivedAsNow } = asking;
  const source = sql`(${amounts(asked, asking, minutes, added)}) AS amounts`;
  return {
    dialect,
    derivedAsNow,
    from: (...conditions) => (conditions.length === 0 ? source : sql`${source} WHERE ${allOf(conditions)}`),
    rows: dialect.sum(sql`amount`),
    bytes: dialect.sum(sql`sent`),
    first: sql`min(since)`,
    last: sql`max(till)`,
    rowsIf: (condition) => dialect.sum(dialect.choose(condition, sql`amount`, sql`0`)),
    step: ({ from, step }) => dialect.quotient(sql`since - ${whole(from)}`, whole(step)),
    inSteps: ({ from, to }) => sql`since >= ${whole(from)} AND since < ${whole(to)}`,
  };
}

/** Rows and minutes alike: how many rows each stands for, and from when to when. */
function amounts(asked: RowsAsked, asking: Asking, minutes: Sql, { seals, spans, rest }: AddedUp): Sql {
  const { dialect, table } = asking;
  const kept = listedSql(KEPT.map(column));
  const within = (ranges: readonly TimeRange[], but: readonly TimeRange[]) =>
    anyOf(ranges.map((range) => rowsFound({ ...asked, but, range }, asking).where));
  const sealed = allOf([within(spans, []), among(sql`seal`, seals.map(text))]);
  const added = sql`SELECT ${kept}, amount, sent, since, till FROM ${dialect.settled(minutes)} WHERE ${sealed}`;
  if (rest.length === 0) return added;
  const ms = dialect.ms(column('timestamp'));
  return sql`${added} UNION ALL SELECT ${kept}, 1 AS amount, ${countedBytesSql(dialect)} AS sent, ${ms} AS since, ${ms} AS till FROM ${dialect.settled(table)} WHERE ${within(rest, asked.but ?? [])}`;
}
