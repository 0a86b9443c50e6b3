import { type LogRecord, TEXT_NAMES, type TextName } from '../../domain/log.ts';
import { type CodedRows, createCodedReader, ID_BYTES } from '../../domain/logs/columns/coded-rows.ts';
import { isDerivedUrl } from '../../domain/logs/columns/log-columns.ts';
import { isBatch, type LogRows, recordsOf } from '../../domain/logs/log-rows.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { COLUMN_NAMES, type COLUMNS, type ColumnType, isNumber } from './columns.ts';
import {
  isId,
  MAY_LACK,
  type StoredRow,
  shapeOfPath,
  storedAddress,
  storedId,
  storedSize,
  textOf,
} from './stored-row.ts';

/** Rows of one source in its order; `numbered` tells those apart that are equal and have no request id. */
export type ArrivingRows = { rows: LogRows; numbered: (record: LogRecord) => string };

type Named<T extends ColumnType> = {
  [N in keyof StoredRow]: (typeof COLUMNS)[N] extends T ? N : never;
}[keyof StoredRow];
export type StoredText = Named<'text' | 'word' | 'address'>;
export type StoredNumber = Exclude<keyof StoredRow, StoredText | 'id'>;

/** Texts, each once, of which the first is '', and for each row the place of its own. */
class Words {
  readonly words: string[] = [''];
  readonly codes: Uint32Array;
  readonly #places = new Map([['', 0]]);

  constructor(rows: number) {
    this.codes = new Uint32Array(rows);
  }

  placeOf(word: string): number {
    const known = this.#places.get(word);
    if (known !== undefined) return known;
    this.#places.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

type Texts = { words: readonly string[]; codes: ArrayLike<number> };

/** Rows as they arrive, whoever read them: numbers as coded rows have them, and texts by name. */
type Source = Omit<CodedRows, 'bytes' | 'texts' | 'ids'> & {
  ids: Buffer;
  textsOf: (name: Exclude<TextName | 'raw', 'requestId'>) => Texts;
  /** Its url is not scheme://host + path, and a text. */
  hasOwnUrl: (row: number) => boolean;
  /** Of a row whose id is no 16 bytes. */
  recordOf: (row: number) => LogRecord;
};

const URL = TEXT_NAMES.indexOf('url');

function codedSource(rows: CodedRows): Source {
  const bytes = Buffer.from(rows.bytes.buffer, rows.bytes.byteOffset, rows.bytes.byteLength);
  return {
    ...rows,
    ids: Buffer.from(rows.ids.buffer, rows.ids.byteOffset, rows.ids.byteLength),
    textsOf(name) {
      const coded = name === 'raw' ? null : rows.texts[TEXT_NAMES.indexOf(name)];
      if (coded == null) return { words: [''], codes: new Uint8Array(rows.count) };
      const words = [''];
      for (let at = 0; at < coded.spans.length; at += 2)
        words.push(bytes.toString('latin1', coded.spans[at], coded.spans[at + 1]));
      return { words, codes: coded.codes };
    },
    hasOwnUrl: (row) => (rows.texts[URL]?.codes[row] ?? 0) > 0,
    recordOf: createCodedReader(rows),
  };
}

function recordSource(records: readonly LogRecord[]): Source {
  const ids = Buffer.alloc(records.length * ID_BYTES);
  records.forEach(({ requestId }, row) => {
    if (isId(requestId)) ids.write(requestId, row * ID_BYTES, 'hex');
  });
  return {
    count: records.length,
    times: Float64Array.from(records, ({ timestamp }) => timestamp),
    statuses: Uint16Array.from(records, ({ statusCode }) => statusCode),
    sent: Float64Array.from(records, ({ bytesSent }) => bytesSent),
    bodies: Float64Array.from(records, ({ bodyBytesSent }) => bodyBytesSent ?? Number.NaN),
    authorized: Uint8Array.from(records, ({ authorizationHeader: sent }) => ((sent ?? '') === '' ? 0 : 1)),
    ids,
    hasId: Uint8Array.from(records, ({ requestId }) => (isId(requestId) ? 1 : 0)),
    textsOf(name) {
      const texts = new Words(records.length);
      records.forEach((record, row) => {
        if (name !== 'url' || !isDerivedUrl(record)) texts.codes[row] = texts.placeOf(textOf(record[name]));
      });
      return texts;
    },
    hasOwnUrl: (row) => !isDerivedUrl(records[row] as LogRecord),
    recordOf: (row) => records[row] as LogRecord,
  };
}

function sourceOf(rows: LogRows): Source {
  const [first, ...others] = rows;
  return first !== undefined && isBatch(first) && others.length === 0
    ? codedSource(first)
    : recordSource(recordsOf(rows));
}

/** From the first row of each zone to its last, of those that have a shape that is known. */
export function zoneSpans(rows: LogRows): Map<string, TimeRange> {
  const { count, times, textsOf } = sourceOf(rows);
  const [zones, raw] = [textsOf('pullZoneId'), textsOf('raw')];
  const spans: TimeRange[] = [];
  for (let row = 0; row < count; row++) {
    if ((raw.codes[row] as number) > 0) continue;
    const [zone, time] = [zones.codes[row] as number, times[row] as number];
    spans[zone] = stretched(spans[zone], time);
  }
  return new Map(spans.flatMap((span, zone) => [[zones.words[zone] as string, span]]));
}

function stretched(span: TimeRange | undefined, time: number): TimeRange {
  if (span === undefined) return { from: time, to: time + 1 };
  if (time < span.from) span.from = time;
  if (time >= span.to) span.to = time + 1;
  return span;
}

/** Texts of a record that are stored under their name, as they are. */
const PLAIN = [...TEXT_NAMES, 'raw' as const].filter(
  (name) => name !== 'requestId' && name !== 'url' && name !== 'remoteIp',
);

/**
 * Rows as they are stored, column by column: `StoredRow` says what each holds. Rows of a file come from its bytes to an engine without an
 * object for each, and what is derived of a text is derived once for all rows of a part that have it.
 */
export class StoredColumns {
  count = 0;
  readonly capacity: number;
  readonly ids: Buffer;
  readonly texts = {} as Record<StoredText, Words>;
  readonly numbers = {} as Record<StoredNumber, Float64Array>;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.ids = Buffer.allocUnsafeSlow(capacity * ID_BYTES);
    for (const name of COLUMN_NAMES) {
      if (isNumber(name)) this.numbers[name as StoredNumber] = new Float64Array(capacity);
      else if (name !== 'id') this.texts[name as StoredText] = new Words(capacity);
    }
  }

  get zones(): readonly string[] {
    const { words, codes } = this.texts.pullZoneId;
    return [...new Set(codes.subarray(0, this.count))].map((code) => words[code] as string);
  }

  /** From the first to behind the last; null = there is none. */
  get span(): TimeRange | null {
    const times = this.numbers.timestamp.subarray(0, this.count);
    return times.reduce<TimeRange | null>((span, time) => stretched(span ?? undefined, time), null);
  }

  /** Takes rows from one on, as many as there is room for; how many. */
  take({ rows, numbered }: ArrivingRows, from = 0): number {
    const source = sourceOf(rows);
    const count = Math.min(source.count - from, this.capacity - this.count);
    const run = { first: this.count, from, count };
    for (const name of PLAIN) {
      const texts = source.textsOf(name);
      this.#put(name, texts, run);
      if (name === 'path') this.#put('shape', { ...texts, words: texts.words.map(shapeOfPath) }, run);
      if (MAY_LACK.has(name)) this.#add('detail', texts, run, isSaid);
    }
    this.#put('ownUrl', source.textsOf('url'), run);
    const logged = source.textsOf('remoteIp');
    const stored = logged.words.map(storedAddress);
    this.#put('address', { ...logged, words: stored.map(({ address }) => address) }, run);
    this.#put('remoteIp', { ...logged, words: stored.map(({ remoteIp }) => remoteIp) }, run);
    this.#add('prefix', logged, run, (_, code) => stored[code]?.prefix ?? 0);
    this.#add('detail', logged, run, isSaid);
    for (let at = 0; at < count; at++) this.#putRest(source, from + at, numbered);
    return count;
  }

  #put(name: StoredText, { words, codes: taken }: Texts, { first, from, count }: Run): void {
    const { [name]: column } = this.texts;
    const places = words.map((word) => column.placeOf(word));
    for (let at = 0; at < count; at++)
      column.codes[first + at] = places[taken[from + at] as number] as number;
  }

  #add(
    name: StoredNumber,
    { words, codes }: Texts,
    { first, from, count }: Run,
    of: (word: string, code: number) => number,
  ): void {
    const { [name]: column } = this.numbers;
    const values = words.map(of);
    for (let at = 0; at < count; at++)
      column[first + at] = (column[first + at] as number) + (values[codes[from + at] as number] as number);
  }

  /** All of the next row that is no text of few. */
  #putRest(source: Source, row: number, numbered: ArrivingRows['numbered']): void {
    const { numbers } = this;
    const at = this.count++;
    const body = source.bodies?.[row] ?? Number.NaN;
    const hasId = source.hasId[row] as number;
    numbers.timestamp[at] = source.times[row] as number;
    numbers.statusCode[at] = source.statuses[row] as number;
    numbers.bytesSent[at] = storedSize(source.sent[row] as number);
    numbers.bodyBytesSent[at] = Number.isNaN(body) ? -1 : storedSize(body);
    numbers.hasOwnUrl[at] = source.hasOwnUrl(row) ? 1 : 0;
    numbers.hasAuthorization[at] = source.authorized?.[row] ?? 0;
    numbers.hasId[at] = hasId;
    if (!Number.isNaN(body)) numbers.detail[at] = (numbers.detail[at] as number) + 1;
    if (hasId === 1) {
      source.ids.copy(this.ids, at * ID_BYTES, row * ID_BYTES, (row + 1) * ID_BYTES);
      return;
    }
    const record = source.recordOf(row);
    const id = textOf(record.requestId);
    this.texts.requestId.codes[at] = this.texts.requestId.placeOf(id);
    this.ids.write(storedId(id || numbered(record)), at * ID_BYTES, 'hex');
  }
}

function isSaid(word: string): number {
  return word === '' ? 0 : 1;
}

/** Rows of a source from one on, and where they go. */
type Run = { first: number; from: number; count: number };
