import type { LogRecord } from '../../log.ts';
import { type CauseOf, NO_CAUSES } from '../../origin-cause.ts';
import { logField } from '../../query/fields.ts';
import { compileTerm, type Value } from '../../query/match.ts';
import type { Term } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { AddressCuts, Anonymisation } from '../../zone.ts';
import { LIVE, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS } from '../columns/value-columns.ts';
import { UNKNOWN, YES } from '../dictionary/dictionary.ts';
import {
  type ColumnQuestion,
  codedSource,
  type Question,
  requestIdSource,
  UNKNOWN_SHARE,
} from './column-question.ts';
import { urlSource } from './url-question.ts';

/** Passes when any of its sources does; the other way round when negated. */
type Clause = { sources: readonly ColumnQuestion[]; negated: boolean };

/** AND-ed terms as a test of rows in columns: each term tests each distinct value once, then rows by their codes. */
export class RowTest {
  readonly #columns: LogColumns;
  readonly #clauses: readonly Clause[];
  readonly #range: TimeRange | null;

  /** `range`: only rows of this time pass. `causeOf`: what origin errors tell. */
  constructor(
    columns: LogColumns,
    terms: readonly Term[],
    cuts: AddressCuts,
    range: TimeRange | null = null,
    causeOf: CauseOf = NO_CAUSES,
  ) {
    this.#columns = columns;
    this.#range = range;
    this.#clauses = terms.map((term) => clauseOf(columns, term, cuts, causeOf));
  }

  passes(slot: number): boolean {
    if (this.#range !== null && !isWithin(this.#columns.time(slot), this.#range)) return false;
    for (const { sources, negated } of this.#clauses) {
      let isHit = false;
      for (let i = 0; i < sources.length && !isHit; i++) isHit = (sources[i] as ColumnQuestion).passes(slot);
      if (isHit === negated) return false;
    }
    return true;
  }

  /** Sets or clears this bit in the state of every row. */
  markAll(bit: number): void {
    const mark = this.marker(bit);
    for (let chunk = 0; chunk < this.#columns.states.length; chunk++) mark(chunk);
  }

  /**
   * Tests all distinct values at once. The returned function sets or clears this bit in the states of a chunk, for the rows
   * that exist now.
   */
  marker(bit: number): (chunk: number) => void {
    const asked = this.#clauses.map(({ sources, negated }) => ({
      sources: likeliestFirst(sources),
      negated,
    }));
    const [only] = asked;
    const [source] = only?.sources ?? [];
    const isOne = asked.length === 1 && only?.sources.length === 1 && this.#range === null;
    const passed = new Uint8Array(CHUNK_ROWS);
    const hits = new Uint8Array(CHUNK_ROWS);
    return (chunk) => {
      const states = this.#columns.states[chunk] as Uint8Array;
      if (isOne && source) {
        hits.fill(0);
        source.mark(chunk, hits);
        setBit(states, bit, hits, only.negated ? 0 : YES);
        return;
      }
      passed.fill(YES);
      if (this.#range !== null) keepWithin(passed, this.#columns.times[chunk] as Float64Array, this.#range);
      for (const { sources, negated } of asked) {
        hits.fill(0);
        for (const source of sources) {
          source.mark(chunk, hits);
          // A letter that is in each host need not be looked for in each path.
          if (!hits.includes(UNKNOWN)) break;
        }
        keepWhere(passed, hits, negated ? 0 : YES);
      }
      setBit(states, bit, passed, YES);
    };
  }

  /** Frees its memos; it must not be used again. */
  close(): void {
    for (const { sources } of this.#clauses) for (const source of sources) source.close();
  }
}

/** Drops sources that no row can pass. */
function likeliestFirst(sources: readonly ColumnQuestion[]): ColumnQuestion[] {
  return sources
    .map((source) => ({ source, share: source.share() }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .map(({ source }) => source);
}

/** A term about addresses is another one in the rows of each zone that cuts them in another way. */
function clauseOf(columns: LogColumns, term: Term, cuts: AddressCuts, causeOf: CauseOf): Clause {
  const { isTold, test, negated } = compileTerm(term);
  if (isTold) return { sources: [rowSource(columns, (slot) => test(columns.told(slot, causeOf)))], negated };
  if (typeof cuts === 'string') return plainClause(columns, term, cuts);
  const isAboutAddress = term.kind === 'field' && logField(term.field)?.compare === 'address';
  if (!isAboutAddress) return plainClause(columns, term, 'none');
  const ways = new Set<Anonymisation>(['none', ...cuts.values()]);
  const sources = [...ways].flatMap((way) => {
    const isCutSo = (zone: Value) => (cuts.get(String(zone)) ?? 'none') === way;
    const ofZone = codedSource(columns.coded.pullZoneId, { test: isCutSo, needle: null, only: null });
    return plainClause(columns, term, way).sources.map((source) => bothSource(ofZone, source));
  });
  return { sources, negated: term.negated };
}

function plainClause(columns: LogColumns, term: Term, anonymisation: Anonymisation): Clause {
  const { fields, test, negated } = compileTerm(term, anonymisation);
  // Of a derived field the column holds more than what is compared: only the test knows which part.
  const isDerived = term.kind === 'field' && logField(term.field)?.derive !== undefined;
  const only = !isDerived && term.kind === 'field' && term.op === 'eq' ? term.values : null;
  const needle = isDerived ? null : needleOf(term);
  return { sources: sourcesOf(columns, fields, { test, needle, only }), negated };
}

/** The text of a plain substring search, when it is printable ASCII; null for any other term. */
function needleOf(term: Term): string | null {
  const values = term.kind === 'text' ? [term.value] : term.values;
  const [needle] = values;
  if (needle === undefined || values.length > 1 || !/^[ -~]+$/.test(needle)) return null;
  return term.kind === 'text' || term.op === 'contains' ? needle : null;
}

function isWithin(time: number, { from, to }: TimeRange): boolean {
  return time >= from && time < to;
}

function keepWithin(passed: Uint8Array, times: Float64Array, range: TimeRange): void {
  for (let row = 0; row < CHUNK_ROWS; row++) if (!isWithin(times[row] as number, range)) passed[row] = 0;
}

function keepWhere(passed: Uint8Array, hits: Uint8Array, wanted: number): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    if (((hits[row] as number) & YES) !== wanted) passed[row] = 0;
  }
}

/** Sets the bit for rows with the wanted answer and clears it for the others. */
function setBit(states: Uint8Array, bit: number, answers: Uint8Array, wanted: number): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    const state = states[row] as number;
    const set = ((answers[row] as number) & YES) === wanted ? bit : 0;
    if ((state & LIVE) !== 0) states[row] = (state & ~bit) | set;
  }
}

/** The same question for several columns; a row passes when any of them does. */
function sourcesOf(
  columns: LogColumns,
  fields: readonly (keyof LogRecord)[],
  question: Question,
): ColumnQuestion[] {
  const isSearchInPath = question.needle !== null && fields.includes('path');
  const path = isSearchInPath ? codedSource(columns.coded.path, question) : null;
  return fields.map((field) => {
    if (field === 'path' && path !== null) return path;
    return field === 'url' ? urlSource(columns, question, path) : sourceOf(columns, field, question);
  });
}

function sourceOf(
  columns: LogColumns,
  column: Exclude<keyof LogRecord, 'url'>,
  question: Question,
): ColumnQuestion {
  const { test } = question;
  switch (column) {
    case 'timestamp':
      return rowSource(columns, (slot) => test(columns.time(slot)));
    case 'bytesSent':
    case 'bodyBytesSent':
      return rowSource(columns, (slot) => test(columns[column].value(slot)));
    case 'requestId':
      return requestIdSource(columns, question);
    case 'statusCode':
      return codedSource(columns.coded.statusCode, question);
    default:
      return codedSource(columns.coded[column], question);
  }
}

/** Passes where both do. */
function bothSource(one: ColumnQuestion, other: ColumnQuestion): ColumnQuestion {
  const [ones, others] = [new Uint8Array(CHUNK_ROWS), new Uint8Array(CHUNK_ROWS)];
  return {
    passes: (slot) => one.passes(slot) && other.passes(slot),
    share: () => Math.min(one.share(), other.share()),
    mark: (chunk, hits) => {
      ones.fill(0);
      others.fill(0);
      one.mark(chunk, ones);
      other.mark(chunk, others);
      for (let row = 0; row < CHUNK_ROWS; row++) {
        hits[row] = (hits[row] as number) | ((ones[row] as number) & (others[row] as number) & YES);
      }
    },
    close: () => {
      one.close();
      other.close();
    },
  };
}

/** Tests row by row: numbers that differ in nearly every row. */
function rowSource(columns: LogColumns, passes: (slot: number) => boolean): ColumnQuestion {
  return {
    passes,
    share: () => UNKNOWN_SHARE,
    mark: (chunk, hits) => {
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      for (let row = 0; row < end; row++) if (passes(first + row)) hits[row] = YES;
    },
    close: () => {},
  };
}
