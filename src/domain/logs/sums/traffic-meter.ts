import { cacheStatusRow } from '../../log.ts';
import { type LogColumns, MATCHES } from '../columns/log-columns.ts';
import { CHUNK_BITS, CHUNK_MASK, type CodedColumn, type Codes } from '../columns/value-columns.ts';
import { Memo } from '../dictionary/dictionary.ts';
import { addRow, countedBytes, isServerError, type Traffic } from './traffic.ts';

/** What the tables say of a code; other numbers are none of it, and a memo's 0 is not known yet. */
const SIDES = [undefined, null, 'edge', 'origin'] as const;
export const NEITHER = 1;
export const EDGE = 2;
export const ORIGIN = 3;
export const ERROR = 2;

/** By code of a cache status, who served it; by code of a status, whether it is 5xx. */
export type TrafficTables = { sides: Uint8Array; errors: Uint8Array };

/** Adds up rows of the columns. */
export class TrafficMeter {
  readonly #columns: LogColumns;
  readonly #sides: Memo;
  readonly #errors: Memo;
  #tables: TrafficTables | null = null;
  /** The version of the dictionaries that the tables are from. */
  #version = -1;

  constructor(columns: LogColumns) {
    this.#columns = columns;
    const { cacheStatus, statusCode } = columns.coded;
    this.#sides = new Memo((code) =>
      SIDES.indexOf(code === 0 ? null : cacheStatusRow(cacheStatus.dictionary.value(code)).served),
    );
    this.#errors = new Memo((code) => (isServerError(statusCode.dictionary.value(code)) ? ERROR : 1));
    cacheStatus.dictionary.watch(this.#sides);
    statusCode.dictionary.watch(this.#errors);
  }

  /** Adds the row to the sum, or subtracts it with `sign` -1. */
  count(sum: Traffic, slot: number, sign: 1 | -1): void {
    const { bytesSent, coded } = this.#columns;
    const served = SIDES[this.#sides.of(coded.cacheStatus.code(slot))] ?? null;
    const isError = this.#errors.of(coded.statusCode.code(slot)) === ERROR;
    addRow(sum, served, isError, countedBytes(bytesSent.value(slot)), sign);
  }

  /**
   * Adds the matching rows of consecutive slots in one chunk: the same as `count` for each, but fast enough for a million rows in a
   * frame.
   */
  addRun(sum: Traffic, slot: number, count: number): void {
    const { sides, errors } = this.tables();
    const { bytesSent, coded } = this.#columns;
    const [chunk, from] = [slot >>> CHUNK_BITS, slot & CHUNK_MASK];
    const states = this.#columns.states[chunk] as Uint8Array;
    const sizes = bytesSent.chunks[chunk] as Uint32Array | Float64Array;
    const caches = coded.cacheStatus.chunks[chunk] as Codes;
    const statuses = coded.statusCode.chunks[chunk] as Codes;
    for (let row = from; row < from + count; row++) {
      if (((states[row] as number) & MATCHES) === 0) continue;
      const served = SIDES[sides[caches[row] as number] as number] ?? null;
      addRow(sum, served, errors[statuses[row] as number] === ERROR, countedBytes(sizes[row] as number));
    }
  }

  /** The tables as the dictionaries are now. */
  tables(): TrafficTables {
    const { cacheStatus, statusCode } = this.#columns.coded;
    // How many codes were ever given to a value, live and freed.
    const [a, b] = [cacheStatus.dictionary, statusCode.dictionary];
    const version = a.size + a.freed + b.size + b.freed;
    if (this.#tables === null || version !== this.#version)
      this.#tables = { sides: byCode(cacheStatus, this.#sides), errors: byCode(statusCode, this.#errors) };
    this.#version = version;
    return this.#tables;
  }
}

function byCode<V extends string | number>({ dictionary }: CodedColumn<V>, memo: Memo): Uint8Array {
  return Uint8Array.from({ length: dictionary.limit }, (_, code) =>
    dictionary.uses(code) > 0 ? memo.of(code) : NEITHER,
  );
}
