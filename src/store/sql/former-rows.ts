import { isV4, printed } from './addresses.ts';
import { COLUMN_NAMES, column } from './columns.ts';
import { DIALECTS, type Dialect, inTime } from './dialect.ts';
import { formerRows, type Place, tableSql } from './schema.ts';
import { allOf, listedSql, literalHex, name, type Param, type Sql, sql, text } from './sql.ts';
import { FIRST_PLAIN, MAPPED, NO_ADDRESS, type StoredRow } from './stored-row.ts';

/**
 * Rows of versions up to 4 as they are stored now: their ids were texts, `twin` told those apart that had none, and an address stood there three
 * times: as it was logged, and as texts that sort like the first and the last of its network, with its family before them.
 */
export function formerInto(place: Place, { from, to }: { from: number; to: number }): Sql {
  const dialect: Dialect = DIALECTS[place.dialect];
  const now = storedNow(dialect);
  const columns = COLUMN_NAMES.map((each) => now[each] ?? column(each));
  const names = listedSql(COLUMN_NAMES.map(column));
  const isThen = inTime(dialect, column('timestamp'), from, to);
  const rows = dialect.settled(formerRows(place));
  return sql`INSERT INTO ${tableSql(place, 'requests')} (${names}) SELECT ${listedSql(columns)} FROM (SELECT *, ${firstOf(dialect)} AS first FROM ${rows}) AS former WHERE ${isThen}`;
}

/** The first address of the network that was logged. */
function firstOf(dialect: Dialect): Sql {
  const of = (digits: Sql | Param) => dialect.bytesOf(digits, 'address');
  const behind = sql`substring(address, 2)`;
  return dialect.choose(
    sql`address LIKE '4%'`,
    of(sql`concat(${literalHex(MAPPED)}, ${behind})`),
    dialect.choose(sql`address LIKE '6%'`, of(behind), of(literalHex(NO_ADDRESS))),
  );
}

function storedNow(dialect: Dialect): Partial<Record<keyof StoredRow, Sql>> {
  const id = sql`requestId`;
  const isId = dialect.matches(id, text('^[0-9a-f]{32}$'));
  const first = name('first');
  const isWhole = sql`(address LIKE '4%' OR address LIKE '6%') AND addressTo = ''`;
  const isPlain = sql`(${isV4(first, dialect)}) OR ${first} >= ${dialect.bytesOf(literalHex(FIRST_PLAIN), 'address')}`;
  const isWrittenSo = allOf([isWhole, isPlain, sql`${printed(first, dialect)} = remoteIp`]);
  const starred = (bits: string, rest: Sql) =>
    sql`CASE WHEN addressTo LIKE ${text(`%${'f'.repeat(bits.length)}`)} AND address LIKE ${text(`%${bits}`)} THEN ${rest}`;
  const stars = sql`${starred('000000', sql`104`)} ELSE ${starred('0000', sql`112`)} ELSE 120 END END`;
  return {
    id: dialect.bytesOf(
      dialect.choose(isId, id, dialect.hashOf(dialect.choose(sql`${id} = ''`, sql`twin`, id))),
      'id',
    ),
    hasId: dialect.choose(isId, sql`1`, sql`0`),
    requestId: dialect.choose(isId, sql`''`, id),
    address: first,
    prefix: dialect.choose(isWhole, sql`128`, dialect.choose(sql`addressTo = ''`, sql`0`, stars)),
    remoteIp: dialect.choose(isWrittenSo, sql`''`, sql`remoteIp`),
  };
}
