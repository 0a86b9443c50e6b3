/** Bytes of a value on the heap beside its text: its head, and its places in a Map and a list. */
const HEAP_ENTRY = 100;

/** A memo of one yes/no question about the values of a dictionary, by code. */
export const UNKNOWN = 0;
export const NO = 1;
export const YES = 2;

/**
 * What is kept by code for the values of a dictionary, e.g. whether a term matches them. The dictionary grows it and
 * sets an entry back to UNKNOWN when its code is given to another value.
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
 * Values and their codes, counted: a code lives as long as rows refer to it, and is given to another value after that.
 * Code 0 is never given out; a column uses it for null.
 */
export type Dictionary<V extends string | number> = {
  /** The code of this value; the caller holds one reference more. */
  intern(value: V): number;
  /**
   * The same for a text that stands in these bytes, which are printable ASCII, for a caller who will hold this many
   * references. Dictionaries of texts only.
   */
  internBytes(bytes: Buffer, start: number, end: number, uses: number): number;
  /** The caller holds one more reference to a code. */
  retain(code: number): void;
  /** Gives one reference back. */
  release(code: number): void;
  value(code: number): V;
  /** References held to this code: 0 = free. */
  uses(code: number): number;
  /** Live values. */
  readonly size: number;
  /** What the live texts take, about. */
  readonly bytes: number;
  /** All codes are below it. */
  readonly limit: number;
  /** Bumps when a code loses its value: whoever remembers codes must look again. */
  readonly freed: number;
  watch(memo: Memo): void;
  unwatch(memo: Memo): void;
  /** Visits every live value, in no order. Nothing may be interned or released meanwhile. */
  each(visit: (code: number, value: V) => void): void;
  /** Visits the texts that hold this needle of printable ASCII, ASCII case ignored; numbers hold nothing. */
  eachContaining(needle: string, visit: (code: number) => void): void;
};

/** A search for a needle of printable ASCII from `lastIndex` on. */
export function containing(needle: string): RegExp {
  return new RegExp(RegExp.escape(needle), 'gi');
}

/** Hands out codes, those given back first, and tells the memos of those given back. */
export class CodeBook {
  limit = 1;
  size = 0;
  freed = 0;
  readonly #free: number[] = [];
  #memos: Memo[] = [];

  take(): number {
    this.size++;
    return this.#free.pop() ?? this.limit++;
  }

  free(code: number): void {
    this.size--;
    this.freed++;
    this.#free.push(code);
    for (const memo of this.#memos) memo.forget(code);
  }

  watch(memo: Memo): void {
    this.#memos.push(memo);
  }

  unwatch(memo: Memo): void {
    this.#memos = this.#memos.filter((other) => other !== memo);
  }
}

/** For columns of few values: strings stay on the heap, found through a Map. */
export class HeapDictionary<V extends string | number> implements Dictionary<V> {
  readonly #codes = new Map<V, number>();
  readonly #values: (V | undefined)[] = [undefined];
  readonly #book = new CodeBook();
  #uses = new Uint32Array(64);
  #lastValue: V | undefined;
  #lastCode = 0;
  #bytes = 0;

  get size(): number {
    return this.#book.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get limit(): number {
    return this.#book.limit;
  }

  get freed(): number {
    return this.#book.freed;
  }

  intern(value: V): number {
    if (value === this.#lastValue) {
      this.#uses[this.#lastCode] = (this.#uses[this.#lastCode] as number) + 1;
      return this.#lastCode;
    }
    let code = this.#codes.get(value);
    if (code === undefined) {
      const own = typeof value === 'string' ? (ownCopy(value) as V) : value;
      code = this.#book.take();
      this.#codes.set(own, code);
      this.#values[code] = own;
      this.#bytes += bytesOnHeap(own);
      if (code >= this.#uses.length) this.#uses = twiceAsLong(this.#uses);
      this.#uses[code] = 0;
    }
    this.#uses[code] = (this.#uses[code] as number) + 1;
    this.#lastValue = this.#values[code];
    this.#lastCode = code;
    return code;
  }

  internBytes(bytes: Buffer, start: number, end: number, uses: number): number {
    const code = this.intern(bytes.toString('latin1', start, end) as V);
    this.#uses[code] = (this.#uses[code] as number) + uses - 1;
    return code;
  }

  retain(code: number): void {
    this.#uses[code] = (this.#uses[code] as number) + 1;
  }

  release(code: number): void {
    const left = (this.#uses[code] as number) - 1;
    this.#uses[code] = left;
    if (left > 0) return;
    this.#codes.delete(this.#values[code] as V);
    this.#bytes -= bytesOnHeap(this.#values[code] as V);
    this.#values[code] = undefined;
    if (code === this.#lastCode) this.#lastValue = undefined;
    this.#book.free(code);
  }

  value(code: number): V {
    return this.#values[code] as V;
  }

  uses(code: number): number {
    return this.#uses[code] ?? 0;
  }

  watch(memo: Memo): void {
    this.#book.watch(memo);
  }

  unwatch(memo: Memo): void {
    this.#book.unwatch(memo);
  }

  each(visit: (code: number, value: V) => void): void {
    for (const [value, code] of this.#codes) visit(code, value);
  }

  eachContaining(needle: string, visit: (code: number) => void): void {
    const pattern = containing(needle);
    for (const [value, code] of this.#codes) {
      pattern.lastIndex = 0;
      if (typeof value === 'string' && pattern.test(value)) visit(code);
    }
  }
}

/** What a text and its two places in tables take, about; a number takes next to nothing. */
export function bytesOnHeap(value: string | number): number {
  return typeof value === 'string' ? Buffer.byteLength(value) + HEAP_ENTRY : 0;
}

export function twiceAsLong(list: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(list.length * 2);
  grown.set(list);
  return grown;
}

/** A string cut out of a longer one keeps all of that alive; a copy does not. Short ones are always copies. */
function ownCopy(value: string): string {
  return value.length < 13 ? value : Buffer.from(value, 'utf16le').toString('utf16le');
}
