/** A value that is bound: it travels beside the text of a statement, never in it. Whole numbers are 64 bits wide. */
export type Param = { kind: 'text'; value: string } | { kind: 'whole'; value: number };

/**
 * A piece of SQL. Its texts are literals of this source, checked names and digits: nothing outside of this file can make one of
 * a text that came from elsewhere.
 */
export type Sql = { readonly parts: readonly (Literal | Param)[] };

class Literal {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }
}

/** A statement with its parameters named `p0`, `p1` … in their order. */
export type Statement = { text: string; params: readonly Param[] };

/** A name of a database, a table or a cluster. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

export function sql(texts: TemplateStringsArray, ...pieces: readonly (Sql | Param)[]): Sql {
  const parts: (Literal | Param)[] = [];
  texts.forEach((text, at) => {
    if (text !== '') parts.push(new Literal(text));
    const piece = pieces[at];
    if (piece !== undefined) parts.push(...('parts' in piece ? piece.parts : [piece]));
  });
  return { parts };
}

export function text(value: string): Param {
  return { kind: 'text', value };
}

/** Throws a RangeError for a number that is not whole, or beyond 2^53. */
export function whole(value: number): Param {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no whole number`);
  return { kind: 'whole', value };
}

/** A name from the configuration or a table of this source. Throws a RangeError for one that would need quotes. */
export function name(of: string): Sql {
  if (!isName(of)) throw new RangeError('not a plain name');
  return { parts: [new Literal(of)] };
}

/** A count where a definition takes no parameter. Throws a RangeError for any other number. */
export function literalCount(count: number): Sql {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no count`);
  return { parts: [new Literal(String(count))] };
}

/** Hex digits as a literal. Throws a RangeError for any other text. */
export function literalHex(digits: string): Sql {
  if (!/^[0-9a-f]*$/.test(digits)) throw new RangeError('no hex digits');
  return { parts: [new Literal(`'${digits}'`)] };
}

function isName(text: string): boolean {
  return NAME.test(text);
}

export function joinedSql(pieces: readonly Sql[], between: Sql): Sql {
  return {
    parts: pieces.flatMap((piece, at) => (at === 0 ? piece.parts : [...between.parts, ...piece.parts])),
  };
}

export const listedSql = (pieces: readonly Sql[]): Sql => joinedSql(pieces, sql`, `);

export const TRUE = sql`1 = 1`;
export const FALSE = sql`1 = 0`;

/** None: true. */
export function allOf(conditions: readonly Sql[]): Sql {
  return connected(conditions, sql` AND `) ?? TRUE;
}

/** None: false. */
export function anyOf(conditions: readonly Sql[]): Sql {
  return connected(conditions, sql` OR `) ?? FALSE;
}

function connected(conditions: readonly Sql[], by: Sql): Sql | undefined {
  if (conditions.length <= 1) return conditions[0];
  const each = conditions.map((condition) => sql`(${condition})`);
  return joinedSql(each, by);
}

export function not(condition: Sql): Sql {
  return sql`NOT (${condition})`;
}

/** `value IN (…)`; a single one as an equality, which engines read an index for. */
export function among(value: Sql, wanted: readonly (Sql | Param)[]): Sql {
  const [only] = wanted;
  if (only === undefined) return FALSE;
  if (wanted.length === 1) return sql`${value} = ${only}`;
  return sql`${value} IN (${listedSql(wanted.map((each) => sql`${each}`))})`;
}

/** The statement; `written` is how the engine writes the place of a parameter, by its number from 0 on. */
export function statementOf(of: Sql, written: (param: Param, at: number) => string): Statement {
  const params: Param[] = [];
  const texts = of.parts.map((part) => {
    if (part instanceof Literal) return part.text;
    params.push(part);
    return written(part, params.length - 1);
  });
  return { text: texts.join(''), params };
}
