import type { TermOp } from '../../domain/query/query.ts';
import { ALIENS, type Dialect } from './dialect.ts';
import { allOf, among, anyOf, type Sql, sql, text } from './sql.ts';

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

/** The whole text is one of these, or with `wildcard` like one of them. Case counts. */
export function exactly(value: Sql, op: TermOp, wanted: readonly string[], dialect: Dialect): Sql {
  if (op !== 'wildcard') return among(value, wanted.map(text));
  return anyOf(wanted.map((pattern) => likePattern(value, pattern, dialect)));
}

/** The same in any case, for texts of ASCII. */
export function inAnyCase(value: Sql, op: TermOp, wanted: readonly string[], dialect: Dialect): Sql {
  const small = wanted.map((each) => each.toLowerCase());
  return exactly(folded(value, small), op, small, dialect);
}

export function containsSql(value: Sql, wanted: readonly string[], dialect: Dialect): Sql {
  return anyOf(wanted.map((each) => dialect.holds(value, each.toLowerCase())));
}

/** `*` is any run; all else stands for itself. */
function likePattern(value: Sql, pattern: string, dialect: Dialect): Sql {
  if (!pattern.includes('*')) return sql`${value} = ${text(pattern)}`;
  return dialect.like(value, pattern.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%'));
}

/** The part of a URL from its host on. */
export function fromHost(url: Sql, dialect: Dialect): Sql {
  const scheme = dialect.place(sql`'://'`, url);
  return dialect.choose(sql`${scheme} = 0`, url, dialect.from(url, sql`${scheme} + 3`));
}

/**
 * The URL has the form of each value: the path alone where that begins with a slash, all of it where it names a scheme, else
 * from the host on.
 */
export function likeUrl(url: Sql, op: TermOp, wanted: readonly string[], dialect: Dialect): Sql {
  const rest = fromHost(url, dialect);
  return anyOf(
    wanted.map((value) => {
      if (value.includes('://')) return inAnyCase(url, op, [value], dialect);
      if (!value.startsWith('/')) return inAnyCase(rest, op, [value], dialect);
      const slash = dialect.place(sql`'/'`, rest);
      return allOf([sql`${slash} > 0`, inAnyCase(dialect.from(rest, slash), op, [value], dialect)]);
    }),
  );
}
