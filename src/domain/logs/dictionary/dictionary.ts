/** Heap bytes of a value besides its text: its head, and its places in a Map and a list. */
const HEAP_ENTRY = 100;

/** A memo of one yes/no question about the values of a dictionary, by code. */
export const UNKNOWN = 0;
export const NO = 1;
export const YES = 2;

/**
 * Remembers an answer for each code of a dictionary, e.g. whether a term matches its value. The dictionary resets an entry to UNKNOWN
 * when its code gets another value.
 */
export class Memo {
  data = new Uint8Array(64);
  readonly #answer: (code: number) => number;

  constructor(answer: (code: number) => number) {
    this.#answer = answer;
  }

  of(code: number): number {
    const known = this.data[code] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    if (code >= this.data.length) this.reserve(code + 1);
    const answer = this.#answer(code);
    this.data[code] = answer;
    return answer;
  }

  /** Makes `data[code]` readable for every code below `limit`. */
  reserve(limit: number): void {
    if (limit <= this.data.length) return;
    const grown = new Uint8Array(Math.max(limit, this.data.length * 2));
    grown.set(this.data);
    this.data = grown;
  }

  forget(code: number): void {
    if (code < this.data.length) this.data[code] = UNKNOWN;
  }
}

/**
 * Values and their codes, with reference counts: a code lives as long as rows refer to it, and is then reused. Code 0
 * is never given out; columns use it for null. Values live on the heap and are found through a Map, which suits
 * columns of few.
 */
export class Dictionary<V extends string | number> {
  /** All codes are below it. */
  limit = 1;
  /** Live values. */
  size = 0;
  /** Bumps when a code loses its value: remembered codes are then stale. */
  freed = 0;
  readonly lengths = new TextLengths();
  readonly #codes = new Map<V, number>();
  readonly #values: (V | undefined)[] = [];
  #uses = new Uint32Array(64);
  #bytes = 0;
  readonly #free: number[] = [];
  #memos: Memo[] = [];

  /** Approximate memory of the live texts. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The code of this value, with one more reference for the caller. */
  intern(value: V): number {
    const known = this.#codes.get(value);
    if (known !== undefined) {
      this.retain(known);
      return known;
    }
    const own = typeof value === 'string' ? (ownCopy(value) as V) : value;
    const code = this.take(typeof own === 'string' ? own.length : 0);
    this.#codes.set(own, code);
    this.#values[code] = own;
    this.#bytes += bytesOnHeap(own);
    return code;
  }

  /** The same for a text in these bytes, which is printable ASCII, with this many references. For texts only. */
  internBytes(bytes: Buffer, start: number, end: number, uses: number): number {
    const code = this.intern(bytes.toString('latin1', start, end) as V);
    this.retain(code, uses - 1);
    return code;
  }

  /** Adds references. */
  retain(code: number, more = 1): void {
    this.#uses[code] = (this.#uses[code] as number) + more;
  }

  /** Drops a reference. */
  release(code: number): void {
    const left = (this.#uses[code] as number) - 1;
    this.#uses[code] = left;
    if (left > 0) return;
    this.forget(code);
    this.size--;
    this.freed++;
    this.#free.push(code);
    for (const memo of this.#memos) memo.forget(code);
  }

  value(code: number): V {
    return this.#values[code] as V;
  }

  /** References to this code: 0 = free. */
  uses(code: number): number {
    return this.#uses[code] ?? 0;
  }

  /** Visits every live value, in no order. Do not intern or release meanwhile. */
  each(visit: (code: number, value: V) => void): void {
    for (const [value, code] of this.#codes) visit(code, value);
  }

  /** Visits the texts that contain this needle of printable ASCII, ignoring ASCII case; numbers contain nothing. */
  eachContaining(needle: string, visit: (code: number, value: V) => void): void {
    const pattern = containing(needle);
    for (const [value, code] of this.#codes) {
      pattern.lastIndex = 0;
      if (typeof value === 'string' && pattern.test(value)) visit(code, value);
    }
  }

  watch(memo: Memo): void {
    this.#memos.push(memo);
  }

  unwatch(memo: Memo): void {
    this.#memos = this.#memos.filter((other) => other !== memo);
  }

  protected isOnHeap(value: V): boolean {
    return this.#codes.has(value);
  }

  /** A code for a new value of so many letters, with one reference: a freed one, or the next. */
  protected take(length: number): number {
    this.size++;
    this.lengths.add(length);
    const code = this.#free.pop() ?? this.limit++;
    if (code >= this.#uses.length) this.#uses = twiceAsLong(this.#uses);
    this.#uses[code] = 1;
    return code;
  }

  /** Forgets the value of a code that nothing refers to any more. */
  protected forget(code: number): void {
    const value = this.#values[code] as V;
    this.#bytes -= bytesOnHeap(value);
    this.#codes.delete(value);
    this.#values[code] = undefined;
  }
}

/** A search for a needle of printable ASCII from `lastIndex` on. */
export function containing(needle: string): RegExp {
  return new RegExp(RegExp.escape(needle), 'gi');
}

/** Approximate memory of a text and its two table entries; a number takes next to nothing. */
function bytesOnHeap(value: string | number): number {
  return typeof value === 'string' ? Buffer.byteLength(value) + HEAP_ENTRY : 0;
}

export function twiceAsLong(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(list.length * 2);
  grown.set(list);
  return grown;
}

/** A slice of a longer string keeps all of that alive, a copy does not. V8 always copies short ones. */
function ownCopy(value: string): string {
  return value.length < 13 ? value : Buffer.from(value, 'utf16le').toString('utf16le');
}

/** Lengths of texts in steps: a need changes with the step alone, not with each new text. */
const STEPS = [8, 16, 24, 32, 48, 64, 96, 128] as const;

/** The lengths of a dictionary's texts, each as often as it came in anew; texts that left still count. */
export class TextLengths {
  readonly #counts = new Float64Array(STEPS.length);
  #total = 0;

  add(length: number): void {
    let step = 0;
    while (step < STEPS.length - 1 && length > (STEPS[step] as number)) step++;
    this.#counts[step] = (this.#counts[step] as number) + 1;
    this.#total++;
  }

  /**
   * The letters that this share of the texts fits in, rounded up to a step; longer than the last step counts as that.
   * 0 = there was no text.
   */
  within(share: number): number {
    if (this.#total === 0) return 0;
    let fitting = 0;
    const step = STEPS.findIndex((_, at) => {
      fitting += this.#counts[at] as number;
      return fitting >= this.#total * share;
    });
    return STEPS[step] as number;
  }
}
