import type { LogRecord } from '../log.ts';

/** Numbers below 2^53 stay exact in a double. */
const HIGH_BITS = 0x1fffff;

/**
 * A 53-bit key of the row: its time with its request id, or with all of its fields where it has no id. Time belongs to
 * it, because a slice of time must be able to count the rows of its own without those of its neighbours. Two rows of
 * one key are told apart by their place among the equal ones of an answer, so a collision loses nothing.
 */
export function rowKey(record: LogRecord): number {
  const name = record.requestId ?? record.raw ?? JSON.stringify(record);
  return keyOf(name, record.timestamp);
}

/** The key of the n-th row (from 0) among those with the same key in one answer. */
export function occurrenceKey(key: number, n: number): number {
  return n === 0 ? key : keyOf(`#${n}`, key);
}

function keyOf(text: string, number: number): number {
  let a = 0x2f0b4f27 ^ Math.imul(number % 0x7fffffff, 0x9e3779b1);
  let b = 0x51ed270b ^ Math.imul(Math.floor(number / 0x7fffffff), 0x85ebca77);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 13;
  }
  a = spread(a ^ (b >>> 7));
  b = spread(b ^ a);
  // 0 marks an empty place in the tables of keys.
  return (b & HIGH_BITS) * 0x100000000 + (a >>> 0) || 1;
}

/** Lets every bit of the input reach every bit of the output (the finish of MurmurHash3, public domain). */
function spread(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
