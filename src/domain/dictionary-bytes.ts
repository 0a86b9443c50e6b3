/** Entries remembered before all are forgotten: what comes in more values than this is looked up as strings. */
const MOST_ENTRIES = 1 << 13;

/**
 * Codes of short texts by their bytes, so that a value seen before costs no string. Forgets everything when it gets
 * full. The bytes are ASCII.
 */
export class ByteMemo {
  /** Entry + 1 by hash, 0 = empty. */
  readonly #table = new Uint16Array(MOST_ENTRIES * 2);
  readonly #codes = new Uint32Array(MOST_ENTRIES);
  readonly #ends = new Uint32Array(MOST_ENTRIES + 1);
  #store = new Uint8Array(1 << 12);
  #entries = 0;
  #slot = 0;

  /** The code that was put for these bytes; 0 = none, and `put` may follow. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#table.length - 1;
    let hash = end - start;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    let at = (hash ^ (hash >>> 15)) & mask;
    for (let entry = this.#table[at] as number; entry !== 0; entry = this.#table[at] as number) {
      if (this.#isEntry(entry - 1, bytes, start, end)) return this.#codes[entry - 1] as number;
      at = (at + 1) & mask;
    }
    this.#slot = at;
    return 0;
  }

  /** Remembers the bytes that were not found just now. */
  put(bytes: Uint8Array, start: number, end: number, code: number): void {
    if (this.#entries === MOST_ENTRIES) {
      this.clear();
      return;
    }
    const from = this.#ends[this.#entries] as number;
    const to = from + end - start;
    if (to > this.#store.length) {
      const grown = new Uint8Array(Math.max(to, this.#store.length * 2));
      grown.set(this.#store);
      this.#store = grown;
    }
    this.#store.set(bytes.subarray(start, end), from);
    this.#codes[this.#entries] = code;
    this.#ends[++this.#entries] = to;
    this.#table[this.#slot] = this.#entries;
  }

  clear(): void {
    if (this.#entries === 0) return;
    this.#table.fill(0);
    this.#entries = 0;
  }

  #isEntry(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#ends[entry] as number;
    if ((this.#ends[entry + 1] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (bytes[i] !== this.#store[j]) return false;
    return true;
  }
}
