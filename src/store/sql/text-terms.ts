import type { TermOp } from '../../domain/query/query.ts';
import { commonText, regexOf } from '../../domain/query/regex.ts';
import { ALIENS, type Dialect } from './dialect.ts';
import { allOf, among, anyOf, FALSE, type Sql, sql, text } from './sql.ts';

/** Texts that a term can ask an engine for: what it makes of the case of other letters is not what we do. */
export function isAscii(value: string): boolean {
  return /^[\0-\x7f]*$/.test(value);
}

/** A text in small letters, as far as texts of ASCII that are `wanted` can tell: what other letters become is each engine's own. */
function folded(value: Sql, wanted: readonly string[]): Sql {
  const plain = [...ALIENS].reduce(
    (of, [alien, { letter, small }]) =>
      wanted.some((each) => each.includes(letter)) ? sql`replace(${of}, ${text(alien)}, ${text(small)})` : of,
    value,
  );
  return sql`lower(${plain})`;
}

/** The whole text is one of these, in any case. */
export function sameSql(value: Sql, wanted: readonly string[]): Sql {
  const small = wanted.map((each) => each.toLowerCase());
  return among(folded(value, small), small.map(text));
}

/** The text is one of these, or what the operator makes of them; `isFolded`: in any case. */
export function textSql(
  value: Sql,
  op: TermOp,
  wanted: readonly string[],
  isFolded: boolean,
  dialect: Dialect,
): Sql {
  if (op === 'eq') return isFolded ? sameSql(value, wanted) : among(value, wanted.map(text));
  return anyOf(
    wanted.map((each) => {
      if (op === 'contains' && isAscii(each)) return dialect.holds(value, each.toLowerCase());
      const regex = regexOf(op, each, isFolded);
      if (regex === null) return FALSE;
      const found = dialect.matches(value, text(regex.re2()));
      // An engine has an index of what a text holds, and none for expressions.
      const held = commonText([regex.held.texts]).toLowerCase();
      return held === '' ? found : allOf([dialect.holds(value, held), found]);
    }),
  );
}

/** The part of a URL from its host on. */
function fromHost(url: Sql, dialect: Dialect): Sql {
  const scheme = dialect.place(sql`'://'`, url);
  return dialect.choose(sql`${scheme} = 0`, url, dialect.from(url, sql`${scheme} + 3`));
}

/**
 * The same of the part of a URL that each value names: the path alone where that begins with a slash, all of it where it names
 * a scheme, else from the host on, which is what is searched.
 */
export function urlSql(url: Sql, op: TermOp, wanted: readonly string[], dialect: Dialect): Sql {
  const rest = fromHost(url, dialect);
  const isWhole = op === 'eq' || op === 'wildcard';
  return anyOf(
    wanted.map((value) => {
      const whole = isWhole && value.includes('://') ? url : rest;
      if (!isWhole || !value.startsWith('/')) return textSql(whole, op, [value], true, dialect);
      const slash = dialect.place(sql`'/'`, rest);
      return allOf([sql`${slash} > 0`, textSql(dialect.from(rest, slash), op, [value], true, dialect)]);
    }),
  );
}
