import type { TimeRange } from './coverage.ts';

/** ms of event time in one bucket: the unit in which keys are forgotten. Fits the 16-bit offsets below. */
const BUCKET = 1_000;
const FIRST_PLACES = 8;
/** Share of the places of a table that may be taken. */
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
    let total = 0;
    const first = Math.floor(range.from / BUCKET);
    const last = Math.floor((range.to - 1) / BUCKET);
    const countBucket = (index: number, bucket: Bucket) => {
      const start = index * BUCKET;
      if (range.from <= start && start + BUCKET <= range.to) {
        total += bucket.size;
        return;
      }
      for (let i = 0; i < bucket.keys.length; i += 1) {
        const time = start + (bucket.at[i] ?? 0);
        if (bucket.keys[i] !== 0 && time >= range.from && time < range.to) total += 1;
      }
    };
    if (last - first < this.#buckets.size) {
      for (let index = first; index <= last; index += 1) {
        const bucket = this.#buckets.get(index);
        if (bucket !== undefined) countBucket(index, bucket);
      }
    } else {
      for (const [index, bucket] of this.#buckets)
        if (index >= first && index <= last) countBucket(index, bucket);
    }
    return total;
  }

  /** Forgets every bucket of which `mayForget` says so. */
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

/** The bucket that holds the time: keys are kept and forgotten for all of it at once. */
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

/** Where the key is, or the empty place where it belongs. Tables are never full and their lengths are powers of two. */
function placeOf(keys: Float64Array, key: number): number {
  const mask = keys.length - 1;
  let place = (key >>> 0) & mask;
  while (keys[place] !== 0 && keys[place] !== key) place = (place + 1) & mask;
  return place;
}
