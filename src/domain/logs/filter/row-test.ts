import type { LogRecord } from '../../log.ts';
import { type CauseOf, NO_CAUSES } from '../../origin-cause.ts';
import { logField } from '../../query/fields.ts';
import { compileTerm, type Predicate, searchTest } from '../../query/match.ts';
import type { Term } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { AddressCuts } from '../../zone.ts';
import { LIVE, type LogColumns } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_ROWS, type CodedColumn, type Codes } from '../columns/value-columns.ts';
import { type Dictionary, Memo, NO, UNKNOWN, YES } from '../dictionary/dictionary.ts';

/** Pairs of scheme and host whose answers are kept; beyond these rows are tested one by one. */
const MOST_PREFIXES = 64;

/** Answers by path under one scheme and host. */
type Prefix = { memo: Memo; isOwn: boolean };

/**
 * Most URLs are scheme://host + path and have no code of their own: each path is tested once per scheme and host. A
 * search tests the path alone, unless the needle may begin before it. `beside`: the same search in the path, where
 * the term has one.
 */
function urlSource(columns: LogColumns, predicate: Predicate, beside: CodedSource | null): ColumnQuestion {
  const { scheme, host, path, url } = columns.coded;
  const { test } = predicate;
  const needle = predicate.needle?.isAll ? predicate.needle.text : null;
  const stored = codedSource(url, { ...predicate, needle: null });
  const paths = beside ?? (needle === null ? null : codedSource(path, searchFor(needle)));
  const prefixes = new Map<number, Prefix>();
  let freed = -1;
  let isPathAlone = false;

  const prefixOf = (schemeCode: number, hostCode: number): Prefix | null => {
    if (freed !== scheme.dictionary.freed + host.dictionary.freed) {
      forget();
      freed = scheme.dictionary.freed + host.dictionary.freed;
    }
    const key = hostCode * 0x10000 + schemeCode;
    const known = prefixes.get(key);
    if (known !== undefined) return known;
    if (prefixes.size >= MOST_PREFIXES) return null;
    const prefix = newPrefix(`${nameOf(scheme, schemeCode)}://${nameOf(host, hostCode)}`);
    prefixes.set(key, prefix);
    return prefix;
  };
  const newPrefix = (text: string): Prefix => {
    if (paths !== null && !mayBeginIn(text, needle ?? '')) return { memo: paths.memo, isOwn: false };
    const isEvery = needle !== null && test(text);
    const memo = new Memo((code) => (isEvery || test(text + nameOf(path, code)) ? YES : NO));
    path.dictionary.watch(memo);
    return { memo, isOwn: true };
  };
  const forget = () => {
    for (const { memo, isOwn } of prefixes.values()) if (isOwn) path.dictionary.unwatch(memo);
    prefixes.clear();
  };
  const areAllPathAlone = (): boolean => {
    if (paths === null || url.dictionary.size > 0) return false;
    if (scheme.dictionary.size * host.dictionary.size > MOST_PREFIXES) return false;
    let isOwn = false;
    scheme.dictionary.each((schemeCode) => {
      host.dictionary.each((hostCode) => {
        isOwn ||= prefixOf(schemeCode, hostCode)?.isOwn ?? true;
      });
    });
    return !isOwn;
  };
  const passes = (slot: number): boolean => {
    if (url.code(slot) !== 0) return stored.passes(slot);
    const prefix = prefixOf(scheme.code(slot), host.code(slot));
    return prefix === null ? test(columns.url(slot)) : prefix.memo.of(path.code(slot)) === YES;
  };
  return {
    passes,
    share: () => {
      stored.share();
      isPathAlone = areAllPathAlone();
      const inPath = beside === null ? (paths?.share() ?? UNKNOWN_SHARE) : 0;
      return isPathAlone ? inPath : UNKNOWN_SHARE;
    },
    mark: (chunk, hits) => {
      if (isPathAlone && paths !== null) {
        markCodes(path.chunks[chunk] as Codes, paths.memo.data, hits);
        return;
      }
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      const states = columns.states[chunk] as Uint8Array;
      const [urls, under] = [url.chunks[chunk] as Codes, path.chunks[chunk] as Codes];
      const [schemes, hosts] = [scheme.chunks[chunk] as Codes, host.chunks[chunk] as Codes];
      // Neighbours mostly share scheme and host.
      let [schemeCode, hostCode] = [-1, -1];
      let memo: Memo | null = null;
      for (let row = 0; row < end; row++) {
        if (states[row] === 0 || hits[row] === YES) continue;
        if (schemes[row] !== schemeCode || hosts[row] !== hostCode) {
          [schemeCode, hostCode] = [schemes[row] as number, hosts[row] as number];
          memo = prefixOf(schemeCode, hostCode)?.memo ?? null;
        }
        const isPassed =
          memo === null || urls[row] !== 0 ? passes(first + row) : memo.of(under[row] as number) === YES;
        if (isPassed) hits[row] = YES;
      }
    },
    close: () => {
      forget();
      stored.close();
      if (beside === null) paths?.close();
    },
  };
}

function searchFor(needle: string): Predicate {
  const found = searchTest('contains', [needle]);
  return {
    test: (value) => typeof value === 'string' && found(value),
    needle: { text: needle, isAll: true },
  };
}

/** Whether a URL under this scheme and host may contain the needle though its path does not. */
function mayBeginIn(prefix: string, needle: string): boolean {
  const text = prefix.toLowerCase();
  const wanted = needle.toLowerCase();
  for (let at = 0; at < text.length; at++) {
    const length = Math.min(wanted.length, text.length - at);
    if (text.startsWith(wanted.slice(0, length), at)) return true;
  }
  return false;
}

function nameOf(column: CodedColumn<string>, code: number): string {
  return code === 0 ? '' : column.dictionary.value(code);
}

/** Passes when any of its sources does; negated when none does. */
type Clause = { sources: readonly ColumnQuestion[]; negated: boolean };

/** AND-ed terms as a test of rows in columns: each term tests each distinct value once, then rows by their codes. */
export class RowTest {
  readonly #columns: LogColumns;
  readonly #clauses: readonly Clause[];
  readonly #range: TimeRange | null;

  /** `range`: only rows of this time pass. `causeOf`: the known origin errors. */
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
          // A letter that every host has need not be looked for in each path.
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

/** A term about addresses differs for zones that truncate them differently. */
function clauseOf(columns: LogColumns, term: Term, cuts: AddressCuts, causeOf: CauseOf): Clause {
  const { isTold, test, negated } = compileTerm(term);
  if (isTold) return { sources: [rowSource(columns, (slot) => test(columns.told(slot, causeOf)))], negated };
  const isAboutAddress = term.kind === 'field' && logField(term.field)?.compare === 'address';
  if (typeof cuts === 'string' || !isAboutAddress)
    return {
      sources: sourcesOf(columns, compileTerm(term, typeof cuts === 'string' ? cuts : 'none')),
      negated,
    };
  const { pullZoneId, remoteIp } = columns.coded;
  const ways = new Map(
    ['none' as const, ...cuts.values()].map((way) => [way, codedSource(remoteIp, compileTerm(term, way))]),
  );
  const passes = (slot: number) =>
    ways.get(cuts.get(pullZoneId.value(slot) ?? '') ?? 'none')?.passes(slot) ?? false;
  const close = () => {
    for (const source of ways.values()) source.close();
  };
  return { sources: [{ ...rowSource(columns, passes), close }], negated };
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

/** The same predicate for several columns; a row passes when any of them does. */
function sourcesOf(columns: LogColumns, term: ReturnType<typeof compileTerm>): ColumnQuestion[] {
  const isSearchInPath = term.needle?.isAll === true && term.fields.includes('path');
  const path = isSearchInPath ? codedSource(columns.coded.path, term) : null;
  return term.fields.map((field) => {
    if (field === 'path' && path !== null) return path;
    return field === 'url' ? urlSource(columns, term, path) : sourceOf(columns, field, term);
  });
}

function sourceOf(
  columns: LogColumns,
  column: Exclude<keyof LogRecord, 'url'>,
  predicate: Predicate,
): ColumnQuestion {
  const { test } = predicate;
  switch (column) {
    case 'timestamp':
      return rowSource(columns, (slot) => test(columns.time(slot)));
    case 'bytesSent':
    case 'bodyBytesSent':
      return rowSource(columns, (slot) => test(columns[column].value(slot)));
    case 'requestId':
      return requestIdSource(columns, predicate);
    case 'statusCode':
      return codedSource(columns.coded.statusCode, predicate);
    default:
      return codedSource(columns.coded[column], predicate);
  }
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

/** One question about one column of the rows. */
type ColumnQuestion = {
  passes(slot: number): boolean;
  /**
   * Tests all values: the approximate share that passes, 0…1. 0 = no kept row passes, and `mark` need not be called.
   */
  share(): number;
  /** After `share`: sets `hits` to YES for each row of a chunk that passes; free slots may get anything. */
  mark(chunk: number, hits: Uint8Array): void;
  /** Frees its memo. */
  close(): void;
};

/** The assumed share where only the rows can tell. */
const UNKNOWN_SHARE = 0.1;

type CodedSource = ColumnQuestion & { memo: Memo };

/** Tests each value of a dictionary once. */
function codedSource<V extends string | number>(column: CodedColumn<V>, predicate: Predicate): CodedSource {
  const { dictionary } = column;
  const memo = new Memo((code) => (predicate.test(code === 0 ? null : dictionary.value(code)) ? YES : NO));
  dictionary.watch(memo);
  return {
    memo,
    passes: (slot) => memo.of(column.code(slot)) === YES,
    share: () => {
      memo.reserve(dictionary.limit);
      answerAll(column.dictionary, predicate, memo);
      return countOf(memo.data, YES) / (dictionary.size + 1);
    },
    mark: (chunk, hits) => markCodes(column.chunks[chunk] as Codes, memo.data, hits),
    close: () => dictionary.unwatch(memo),
  };
}

/** Sets `hits` to YES where the answer to the code is. */
function markCodes(codes: Codes, answers: Uint8Array, hits: Uint8Array): void {
  for (let row = 0; row < CHUNK_ROWS; row++) {
    hits[row] = (hits[row] as number) | ((answers[codes[row] as number] as number) & YES);
  }
}

function countOf(data: Uint8Array, answer: number): number {
  let count = 0;
  for (let at = data.indexOf(answer); at >= 0; at = data.indexOf(answer, at + 1)) count++;
  return count;
}

function answerAll<V extends string | number>(
  dictionary: Dictionary<V>,
  predicate: Predicate,
  memo: Memo,
): void {
  const { test, needle } = predicate;
  const { data } = memo;
  data[0] = test(null) ? YES : NO;
  if (needle === null) {
    dictionary.each((code, value) => {
      if (data[code] === UNKNOWN) data[code] = test(value) ? YES : NO;
    });
    return;
  }
  dictionary.eachContaining(needle.text, (code, value) => {
    if (data[code] === UNKNOWN) data[code] = needle.isAll || test(value) ? YES : NO;
  });
  for (let code = 1; code < dictionary.limit; code++) {
    if (data[code] === UNKNOWN && dictionary.uses(code) > 0) data[code] = NO;
  }
}

/** Request ids have no codes: what they hold is searched for in the hex text of a chunk. */
function requestIdSource(columns: LogColumns, predicate: Predicate): ColumnQuestion {
  const { test, needle } = predicate;
  const { requestId } = columns;
  const odd = codedSource(requestId.odd, predicate);
  const hex = needle?.text.toLowerCase() ?? '';
  const mayBePacked = /^[0-9a-f]*$/.test(hex);
  const passes = (slot: number) =>
    columns.hasPackedId(slot) ? test(columns.idOfRequest(slot)) : odd.passes(slot);
  return {
    passes,
    share: () => odd.share() || (mayBePacked ? UNKNOWN_SHARE : 0),
    mark: (chunk, hits) => {
      const first = chunk << CHUNK_BITS;
      const end = Math.min(columns.limit - first, CHUNK_ROWS);
      for (let row = 0; row < end; row++) {
        const slot = first + row;
        if ((hex === '' || !columns.hasPackedId(slot)) && passes(slot)) hits[row] = YES;
      }
      if (hex === '' || !mayBePacked) return;
      requestId.eachContaining(chunk, hex, (row) => {
        const isPacked = row < end && columns.hasPackedId(first + row);
        if (isPacked && (needle?.isAll || passes(first + row))) hits[row] = YES;
      });
    },
    close: () => odd.close(),
  };
}
