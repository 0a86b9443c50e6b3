import { type LogRecord, WIRE_NAMES } from '../log.ts';
import type { TimeRange } from './coverage.ts';

/** ms of event time in a bucket, the unit in which keys are forgotten. Fits the 16-bit offsets below. */
const BUCKET = 1_000;
const FIRST_PLACES = 8;
/** The most of a table that may be taken. */
const LOAD = 0.75;

/** Open addressing; a key of 0 is an empty place. `at` is the row's time within the bucket, ms. */
type Bucket = { keys: Float64Array; at: Uint16Array; size: number };

/**
 * The keys of the rows that came, by event time: 10 bytes a place, 13 to 27 bytes a row, whatever the row's length.
 * Times are whole Unix ms.
 */
export class SeenKeys {
  readonly #buckets = new Map<number, Bucket>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(time: number, key: number): boolean {
    const bucket = this.#buckets.get(Math.floor(time / BUCKET));
    return bucket !== undefined && bucket.keys[placeOf(bucket.keys, key)] === key;
  }

  add(time: number, key: number): void {
    const index = Math.floor(time / BUCKET);
    let bucket = this.#buckets.get(index);
    if (bucket === undefined) {
      bucket = emptyBucket(FIRST_PLACES);
      this.#buckets.set(index, bucket);
    } else if (bucket.size + 1 > bucket.keys.length * LOAD) {
      bucket = doubled(bucket);
      this.#buckets.set(index, bucket);
    }
    if (put(bucket, key, time - index * BUCKET)) this.#size += 1;
  }

  /** Rows seen with a time in the range. */
  count(range: TimeRange): number {
    const first = Math.floor(range.from / BUCKET);
    const last = Math.floor((range.to - 1) / BUCKET);
    // Whichever are fewer: the buckets of the range, or all.
    const indexes =
      last - first < this.#buckets.size
        ? Array.from({ length: last - first + 1 }, (_, at) => first + at)
        : [...this.#buckets.keys()].filter((index) => index >= first && index <= last);
    return indexes.reduce((sum, index) => sum + this.#countIn(index, range), 0);
  }

  #countIn(index: number, { from, to }: TimeRange): number {
    const bucket = this.#buckets.get(index);
    const start = index * BUCKET;
    if (bucket === undefined || (from <= start && start + BUCKET <= to)) return bucket?.size ?? 0;
    let count = 0;
    for (let i = 0; i < bucket.keys.length; i += 1) {
      const time = start + (bucket.at[i] ?? 0);
      if (bucket.keys[i] !== 0 && time >= from && time < to) count += 1;
    }
    return count;
  }

  /** Forgets every bucket that `mayForget` allows. */
  prune(mayForget: (range: TimeRange) => boolean): void {
    for (const [index, bucket] of this.#buckets) {
      if (!mayForget(bucketOf(index * BUCKET))) continue;
      this.#size -= bucket.size;
      this.#buckets.delete(index);
    }
  }

  /** Forgets the oldest buckets until at most `most` keys are left, and returns the time before which all is forgotten. */
  evict(most: number): number {
    let before = Number.NEGATIVE_INFINITY;
    for (const index of [...this.#buckets.keys()].sort((a, b) => a - b)) {
      if (this.#size <= most) break;
      this.#size -= this.#buckets.get(index)?.size ?? 0;
      this.#buckets.delete(index);
      before = (index + 1) * BUCKET;
    }
    return before;
  }
}

/** The bucket of a time: its keys are kept and forgotten together. */
export function bucketOf(time: number): TimeRange {
  const from = Math.floor(time / BUCKET) * BUCKET;
  return { from, to: from + BUCKET };
}

function emptyBucket(places: number): Bucket {
  return { keys: new Float64Array(places), at: new Uint16Array(places), size: 0 };
}

function doubled(bucket: Bucket): Bucket {
  const larger = emptyBucket(bucket.keys.length * 2);
  for (let i = 0; i < bucket.keys.length; i += 1) {
    const key = bucket.keys[i] ?? 0;
    if (key !== 0) put(larger, key, bucket.at[i] ?? 0);
  }
  return larger;
}

function put(bucket: Bucket, key: number, at: number): boolean {
  const place = placeOf(bucket.keys, key);
  if (bucket.keys[place] === key) return false;
  bucket.keys[place] = key;
  bucket.at[place] = at;
  bucket.size += 1;
  return true;
}

/** The place of the key, or the empty place where it belongs. Tables are never full, and their lengths are powers of two. */
function placeOf(keys: Float64Array, key: number): number {
  const mask = keys.length - 1;
  let place = (key >>> 0) & mask;
  while (keys[place] !== 0 && keys[place] !== key) place = (place + 1) & mask;
  return place;
}

/** Numbers below 2^53 stay exact in a double. */
const HIGH_BITS = 0x1fffff;

/**
 * A 53-bit key of a row: its time and request id, or its time and all fields where it has no id. It includes the time
 * so that a slice can count its own rows without those of its neighbours. Rows with equal keys are told apart by
 * their order in an answer, so a collision loses nothing.
 */
export function rowKey(record: LogRecord): number {
  const name = record.requestId ?? record.raw ?? JSON.stringify(WIRE_NAMES.map((field) => record[field]));
  return seenKey(name, record.timestamp);
}

/** The key of the n-th row (from 0) among those with the same key in one answer. */
export function occurrenceKey(key: number, n: number): number {
  return n === 0 ? key : seenKey(`#${n}`, key);
}

/** The same of a row by its id, a part of this text, and its time. */
export function seenKey(text: string, number: number, from = 0, to = text.length): number {
  let a = 0x2f0b4f27 ^ Math.imul(number % 0x7fffffff, 0x9e3779b1);
  let b = 0x51ed270b ^ Math.imul(Math.floor(number / 0x7fffffff), 0x85ebca77);
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 13;
  }
  a = spread(a ^ (b >>> 7));
  b = spread(b ^ a);
  // 0 marks an empty place in the tables.
  return (b & HIGH_BITS) * 0x100000000 + (a >>> 0) || 1;
}

/** Mixes every input bit into every output bit (the finaliser of MurmurHash3, public domain). */
function spread(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
