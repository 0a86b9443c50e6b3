import type { LogRecord } from '../../domain/log.ts';
import { type LogField, logField, type ValueComparison } from '../../domain/query/fields.ts';
import { numbersOf, TEXT_COLUMNS } from '../../domain/query/match.ts';
import type { FieldTerm, Term, TextTerm } from '../../domain/query/query.ts';
import type { Anonymisation } from '../../domain/zone.ts';
import { addressCondition } from './addresses.ts';
import { column, isThere, STORED_FIELD, textOfColumn, textOfField } from './columns.ts';
import type { Dialect } from './dialect.ts';
import { allOf, among, anyOf, FALSE, not, type Sql, sql, text, whole } from './sql.ts';
import { isId } from './stored-row.ts';
import { isAscii, sameSql, textSql, urlSql } from './text-terms.ts';

/** A term as a condition that holds of exactly the rows that it matches, or why an engine cannot decide it. */
type Condition = { ok: true; where: Sql } | { ok: false; why: string };

/** What the terms are decided by besides the rows. */
type Terms = {
  dialect: Dialect;
  anonymisation: Anonymisation;
  /** False where fields were derived by other functions when the rows were stored. */
  derivedAsNow: boolean;
};

export function conditionOf(term: Term, how: Terms): Condition {
  const odd = values(term).find((value) => !isDecidable(value, term));
  if (odd !== undefined) return here('the engine compares letters beyond ASCII in its own way');
  const found = term.kind === 'text' ? freeText(term, how) : fieldCondition(term, how);
  return found.ok && term.negated ? { ok: true, where: not(found.where) } : found;
}

function values(term: Term): readonly string[] {
  return term.kind === 'text' ? [term.value] : term.values;
}

/** Equality in any case is the same for ASCII alone: all else compares letter by letter. */
function isDecidable(value: string, term: Term): boolean {
  if (isAscii(value) || !value.isWellFormed()) return isAscii(value);
  if (term.kind === 'text' || term.op !== 'eq') return true;
  const field = logField(term.field);
  return field?.compare === 'exact' || (field?.compare === 'capitals' && value !== value.toLowerCase());
}

function freeText({ value, isRegex }: TextTerm, { dialect }: Terms): Condition {
  const op = isRegex ? 'regex' : 'contains';
  return {
    ok: true,
    where: anyOf(TEXT_COLUMNS.map((of) => textSql(textOfColumn(of, dialect), op, [value], true, dialect))),
  };
}

function fieldCondition(term: FieldTerm, how: Terms): Condition {
  const field = logField(term.field);
  if (field === null) return { ok: true, where: FALSE };
  if (term.field === STORED_FIELD && !how.derivedAsNow)
    return here(`${term.field} was derived in another way when these rows were stored`);
  const { compare } = field;
  const wanted = term.values.filter((value) => value !== '');
  if (compare === 'status' || compare === 'amount')
    return numberCondition(field, term.op === 'eq' ? wanted : ['>=0']);
  const of = textOfField(term.field, field, how.dialect);
  if (of === null)
    return here(
      `${term.field} is not stored: ${field.column === null ? 'origin errors tell it' : 'it is derived here'}`,
    );
  const isAbsent = term.op === 'eq' && wanted.length < term.values.length;
  const compared = field.column === 'requestId' && term.op === 'eq' ? idCondition : TEXTS[compare];
  const present = wanted.length === 0 ? FALSE : compared(of, { ...term, values: wanted }, how);
  const is = field.derive === undefined ? isThere(field.column as keyof LogRecord, of) : sql`${of} <> ''`;
  return { ok: true, where: isAbsent ? anyOf([not(is), present]) : allOf([is, present]) };
}

/** A comparison of texts that are not empty. */
type TextCondition = (of: Sql, term: FieldTerm, how: Terms) => Sql;

const TEXTS: Record<Exclude<ValueComparison, 'status' | 'amount'>, TextCondition> = {
  text: (of, { op, values }, { dialect }) => textSql(of, op, values, true, dialect),
  exact: (of, { op, values }, { dialect }) => textSql(of, op, values, false, dialect),
  capitals: (of, { op, values }, { dialect }) =>
    anyOf(values.map((value) => textSql(of, op, [value], value === value.toLowerCase(), dialect))),
  url: (of, { op, values }, { dialect }) => urlSql(of, op, values, dialect),
  asn: (of, { op, values }, { dialect }) =>
    textSql(
      dialect.withoutAs(of),
      op,
      values.map((value) => value.replace(/^as/i, '')),
      true,
      dialect,
    ),
  address: (of, { op, values }, { dialect, anonymisation }) =>
    op === 'eq' || op === 'cidr'
      ? addressCondition(values, anonymisation, dialect)
      : textSql(of, op, values, true, dialect),
};

/** Each id by its bytes, for which engines have an index; those that are none are texts. */
function idCondition(_: Sql, { values }: FieldTerm, { dialect }: Terms): Sql {
  const ids = values.map((value) => value.toLowerCase()).filter(isId);
  return anyOf([
    ...(ids.length === 0
      ? []
      : [
          allOf([
            sql`${column('hasId')} = 1`,
            among(
              column('id'),
              ids.map((id) => dialect.bytesOf(text(id), 'id')),
            ),
          ]),
        ]),
    sameSql(column('requestId'), values),
  ]);
}

function numberCondition({ column: of }: LogField, values: readonly string[]): Condition {
  const number = column(of as 'statusCode' | 'bytesSent');
  const numbers = numbersOf(values);
  if (numbers.flat().some((each) => Number.isFinite(each) && !Number.isSafeInteger(each)))
    return here('the engine does not count as far');
  const [singles, ranges] = [true, false].map((is) => numbers.filter(([from, to]) => (from === to) === is));
  const isWithin = ranges?.map(([from, to]) =>
    to === Number.POSITIVE_INFINITY
      ? sql`${number} >= ${whole(from)}`
      : sql`${number} >= ${whole(from)} AND ${number} <= ${whole(to)}`,
  );
  const one = singles?.length
    ? [
        among(
          number,
          singles.map(([only]) => whole(only)),
        ),
      ]
    : [];
  return { ok: true, where: anyOf([...one, ...(isWithin ?? [])]) };
}

function here(why: string): Condition {
  return { ok: false, why };
}
