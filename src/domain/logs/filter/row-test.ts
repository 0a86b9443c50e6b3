import type { LogRecord } from '../../log.ts';
import { logField } from '../../query/fields.ts';
import { compileTerm } from '../../query/match.ts';
import type { Term } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Anonymisation } from '../../zone.ts';
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

/** A term passes when any of its sources does; the other way round when it is negated. */
type Clause = { sources: readonly ColumnQuestion[]; negated: boolean };

/** Terms, AND-ed, asked of rows in columns: each term once for each distinct value, then by code. */
export class RowTest {
  readonly #columns: LogColumns;
  readonly #clauses: readonly Clause[];
  readonly #range: TimeRange | null;

  /** `range`: only rows of this time pass. */
  constructor(
    columns: LogColumns,
    terms: readonly Term[],
    anonymisation: Anonymisation,
    range: TimeRange | null = null,
  ) {
    this.#columns = columns;
    this.#range = range;
    this.#clauses = terms.map((term) => clauseOf(columns, term, anonymisation));
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
   * Asks all distinct values at once; what it gives sets or clears this bit in the states of the rows of a chunk. Good for
   * the rows that there are now.
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

  /** Ends the memory of it; it must not be asked again. */
  close(): void {
    for (const { sources } of this.#clauses) for (const source of sources) source.close();
  }
}

/** Those of which some row may pass. */
function likeliestFirst(sources: readonly ColumnQuestion[]): ColumnQuestion[] {
  return sources
    .map((source) => ({ source, share: source.share() }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share)
    .map(({ source }) => source);
}

function clauseOf(columns: LogColumns, term: Term, anonymisation: Anonymisation): Clause {
  const { fields, test, negated } = compileTerm(term, anonymisation);
  // Of a derived field the column holds more than what is compared: only the test knows which part.
  const isDerived = term.kind === 'field' && logField(term.field)?.derive !== undefined;
  const only = !isDerived && term.kind === 'field' && term.op === 'eq' ? term.values : null;
  const needle = isDerived ? null : needleOf(term);
  return { sources: sourcesOf(columns, fields, { test, needle, only }), negated };
}

/** The text that a term does nothing but search for, when all of it is printable ASCII. */
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

/** For rows whose answer is the wanted one; for the others the bit is cleared. */
function setBit(states: Uint8Array, bit: number, answers: Uint8Array, wanted: number): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    const state = states[row] as number;
    const set = ((answers[row] as number) & YES) === wanted ? bit : 0;
    if ((state & LIVE) !== 0) states[row] = (state & ~bit) | set;
  }
}

/** The same question of several columns; a row passes when any of them does. */
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

/** Asked once for each row: numbers of which nearly every row has another. */
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
