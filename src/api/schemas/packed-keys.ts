import { BYTE_KINDS, ODD, QUOTE } from './packed-bytes.ts';

/**
 * What stands between two values of a line, such as `,"path":`, as words of four bytes, the last of which overlap; and
 * which field it names, -1 = one to skip.
 */
export type Key = { length: number; words: Uint32Array; field: number; next: Successors };

type Successors = { keys: Key[] };

/** Lines are written by programs, so that few keys follow each other; what varies more is left to the schema. */
const MOST_KEYS = 512;
const MOST_AFTER_ONE = 32;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACE = 0x7b;

/** Learns which keys follow which in the lines of a log, so that most of a line is compared and not looked up. */
export class KeyBook {
  readonly #fields: ReadonlyMap<string, number>;
  readonly #refused: ReadonlySet<string>;
  readonly #first: Successors = { keys: [] };
  #known = 0;
  #bytes: Buffer | null = null;
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** The number of each field by its name; a line with one of the refused names is none for a fast reader. */
  constructor(fields: ReadonlyMap<string, number>, refused: ReadonlySet<string>) {
    this.#fields = fields;
    this.#refused = refused;
  }

  /** The key that begins here, after the key before or at the start of a line; null = none that can be taken. */
  keyAt(bytes: Buffer, at: number, end: number, before: Key | null): Key | null {
    const { keys } = before?.next ?? this.#first;
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const view = this.#view;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as Key;
      if (!startsWith(view, at, key)) continue;
      // What came last comes again: it is compared first.
      if (i > 0) [keys[i - 1], keys[i]] = [key, keys[i - 1] as Key];
      return key;
    }
    return this.#learnt(bytes, at, end, keys);
  }

  #learnt(bytes: Buffer, at: number, end: number, keys: Key[]): Key | null {
    if (this.#known >= MOST_KEYS || keys.length >= MOST_AFTER_ONE) return null;
    if (bytes[at] !== COMMA && bytes[at] !== BRACE) return null;
    const open = spaced(bytes, at + 1);
    if (BYTE_KINDS[bytes[open] as number] !== QUOTE) return null;
    let close = open + 1;
    for (; close < end; close++) {
      const kind = BYTE_KINDS[bytes[close] as number] as number;
      if (kind === ODD) return null;
      if (kind === QUOTE) break;
    }
    const colon = spaced(bytes, close + 1);
    if (colon >= end || bytes[colon] !== COLON) return null;
    const name = bytes.toString('latin1', open + 1, close);
    if (this.#refused.has(name)) return null;
    const length = spaced(bytes, colon + 1) - at;
    const key = {
      length,
      words: wordsOf(this.#view, at, length),
      field: this.#fields.get(name) ?? -1,
      next: { keys: [] },
    };
    keys.push(key);
    this.#known++;
    return key;
  }
}

/** The first place from here on that is no space. */
function spaced(bytes: Buffer, at: number): number {
  let place = at;
  while (bytes[place] === SPACE) place++;
  return place;
}

/** A key is never shorter than a word: it has a brace or a comma, two quotes and a colon. */
function wordsOf(view: DataView, at: number, length: number): Uint32Array {
  return Uint32Array.from({ length: Math.ceil(length / 4) }, (_, i) =>
    view.getUint32(at + Math.min(i * 4, length - 4), true),
  );
}

function startsWith(view: DataView, at: number, { length, words }: Key): boolean {
  if (at + length > view.byteLength) return false;
  const last = words.length - 1;
  if (view.getUint32(at + length - 4, true) !== words[last]) return false;
  for (let i = 0; i < last; i++) if (view.getUint32(at + i * 4, true) !== words[i]) return false;
  return true;
}
