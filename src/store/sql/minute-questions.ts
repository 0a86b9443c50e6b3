import type { RowsAsked } from '../../domain/logs/log-history.ts';
import { type LogFieldId, logField } from '../../domain/query/fields.ts';
import { type TimeRange, without } from '../../domain/tail/coverage.ts';
import { type LogSeriesId, SERIES } from '../../domain/timeline/series.ts';
import type { Steps } from '../../domain/timeline/steps.ts';
import { column } from './columns.ts';
import { DIALECTS, type Dialect } from './dialect.ts';
import { type Asking, countedBytes, keyOf, partOf, rowsFound, servedBy } from './questions.ts';
import { type Place, tableOf } from './schema.ts';
import { allOf, among, anyOf, listed, name, type Sql, sql, text, whole } from './sql.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** What rows of a minute are added up by. */
const KEPT = ['pullZoneId', 'statusCode', 'cacheStatus', 'countryCode'] as const;
const COLUMNS = listed([
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
  const spans: TimeRange[] = [];
  for (const day of days.toSorted((a, b) => a.from - b.from)) {
    const own = { from: Math.max(day.from, inner.from), to: Math.min(day.to, inner.to) };
    const last = spans.at(-1);
    if (own.from >= own.to) continue;
    if (last?.to === own.from) last.to = own.to;
    else spans.push(own);
  }
  const whole = but.reduce(
    (left: TimeRange[], { from, to }) =>
      without(left, { from: Math.floor(from / MINUTE) * MINUTE, to: Math.ceil(to / MINUTE) * MINUTE }),
    spans,
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
  const [time, minutes] = [column('timestamp'), tableOf(place, 'minutes')];
  const minute =
    place.dialect === 'duckdb' ? sql`date_trunc('minute', ${time})` : sql`toStartOfMinute(${time})`;
  const ms = dialect.ms(time);
  const keys = [column('pullZoneId'), minute, ...KEPT.slice(1).map(column)];
  const sums = [sql`count(*)`, dialect.sum(countedBytes(dialect)), sql`min(${ms})`, sql`max(${ms})`];
  const table = dialect.settled(tableOf(place, 'requests'));
  const inDay = dialect.within(time, day.from, day.to);
  // Of a day that was begun and not ended under this mark: ClickHouse keeps one of two copies.
  const first = place.dialect === 'duckdb' ? [sql`DELETE FROM minutes WHERE ${inDay}`] : [];
  const hours = Array.from({ length: (day.to - day.from) / HOUR }, (_, at) => day.from + at * HOUR);
  return [
    ...first,
    ...hours.map(
      (from) =>
        sql`INSERT INTO ${minutes} (${COLUMNS}) SELECT ${listed([...keys, ...sums])}, ${text(seal)} FROM ${table} WHERE ${dialect.within(time, from, from + HOUR)} GROUP BY ${listed(keys)}`,
    ),
    sql`INSERT INTO ${tableOf(place, 'sealed')} (day, seal) SELECT ${whole(number)}, ${text(seal)}`,
  ];
}

/** As `groupsOf`, of minutes and of the rows that are in none. */
export function groupsOfMinutes(
  asked: RowsAsked,
  asking: Asking,
  minutes: Sql,
  o: { added: AddedUp; by: readonly string[]; limit: number },
): Sql | null {
  const { dialect } = asking;
  const keys = o.by.map((id) => keyOf(id, dialect, asking.derivedAsNow));
  if (!keys.every((key) => key !== null)) return null;
  const names = o.by.map((_, at) => name(`k${at}`));
  const amountIf = (condition: Sql) => dialect.sum(dialect.choose(condition, sql`amount`, sql`0`));
  const status = column('statusCode');
  const selected = [
    ...keys.map((key, at) => sql`${key} AS ${names[at] as Sql}`),
    sql`${dialect.sum(sql`amount`)} AS n`,
    sql`${dialect.sum(sql`sent`)} AS bytes`,
    sql`min(since) AS first`,
    sql`max(till) AS last`,
    amountIf(among(column('cacheStatus'), servedBy('edge').map(text))),
    amountIf(among(column('cacheStatus'), servedBy('origin').map(text))),
    amountIf(sql`${status} >= 500 AND ${status} <= 599`),
    sql`count(*) OVER ()`,
    sql`sum(sum(amount)) OVER ()`,
  ];
  const order = listed([sql`n DESC`, sql`bytes DESC`, sql`first`, ...names]);
  const grouped = names.length === 0 ? sql`` : sql` GROUP BY ${listed(names)}`;
  const from = amounts(asked, asking, minutes, o.added);
  return sql`SELECT ${listed(selected)} FROM (${from}) AS amounts${grouped} HAVING sum(amount) > 0 ORDER BY ${order} LIMIT ${whole(o.limit)}`;
}

/** As `stepsOfTime`; the steps are of whole minutes. */
export function stepsOfMinutes(
  asked: RowsAsked,
  asking: Asking,
  minutes: Sql,
  { added, steps, series }: { added: AddedUp; steps: Steps; series: LogSeriesId },
): Sql {
  const { dialect } = asking;
  const at = dialect.quotient(sql`since - ${whole(steps.from)}`, whole(steps.step));
  const parts = SERIES[series].map((_, part) =>
    dialect.sum(dialect.choose(partOf(series, part), sql`amount`, sql`0`)),
  );
  const end = steps.from + steps.step * steps.count;
  const inSteps = sql`since >= ${whole(steps.from)} AND since < ${whole(end)}`;
  return sql`SELECT ${at} AS step, ${listed(parts)} FROM (${amounts(asked, asking, minutes, added)}) AS amounts WHERE ${inSteps} GROUP BY step ORDER BY step`;
}

/** Rows and minutes alike: how many rows each stands for, and from when to when. */
function amounts(asked: RowsAsked, asking: Asking, minutes: Sql, { seals, spans, rest }: AddedUp): Sql {
  const { dialect, table } = asking;
  const kept = listed(KEPT.map(column));
  const within = (ranges: readonly TimeRange[], but: readonly TimeRange[]) =>
    anyOf(ranges.map((range) => rowsFound({ ...asked, but, range }, asking).where));
  const sealed = allOf([within(spans, []), among(sql`seal`, seals.map(text))]);
  const added = sql`SELECT ${kept}, amount, sent, since, till FROM ${dialect.settled(minutes)} WHERE ${sealed}`;
  if (rest.length === 0) return added;
  const ms = dialect.ms(column('timestamp'));
  return sql`${added} UNION ALL SELECT ${kept}, 1 AS amount, ${countedBytes(dialect)} AS sent, ${ms} AS since, ${ms} AS till FROM ${dialect.settled(table)} WHERE ${within(rest, asked.but ?? [])}`;
}
