import type { PackedRows } from '../../domain/logs/columns/coded-rows.ts';
import { BYTE_KINDS, ODD, PLAIN, QUOTE } from '../../domain/logs/columns/row-coder.ts';
import { maskUrlSecrets } from '../../text/mask.ts';

/** 0 for two plain bytes, the first of them the lower: most of a line is read two bytes at a time. */
const PAIR_KINDS = new Uint8Array(1 << 16);
for (let second = 0; second < 256; second++)
  for (let first = 0; first < 256; first++)
    PAIR_KINDS[(second << 8) | first] = BYTE_KINDS[first] === PLAIN && BYTE_KINDS[second] === PLAIN ? 0 : 1;

/** The first place from here on that may hold a byte that is not plain; at most one too early. */
export function plainEnd(view: DataView, start: number, end: number): number {
  let at = start;
  while (at + 1 < end && PAIR_KINDS[view.getUint16(at, true)] === 0) at += 2;
  return at;
}

const ZERO = 0x30;
/** Longer numbers may not be exact. */
const MOST_DIGITS = 15;

/** The number of decimal digits; -1 for anything else and for more than 15 digits. */
export function digitsAt(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 1 || end - start > MOST_DIGITS) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] as number) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Texts that were clean: most that have a suspicious character come again, and a look at one takes a microsecond. */
const clean = new Set<string>();
const MOST_CLEAN = 1 << 12;

/** Whether a text with a suspicious character needs no masking. */
export function isClean(bytes: Buffer, start: number, end: number): boolean {
  const text = bytes.toString('latin1', start, end);
  if (clean.has(text)) return true;
  if (maskUrlSecrets(text) !== text) return false;
  if (clean.size === MOST_CLEAN) clean.clear();
  clean.add(text);
  return true;
}

const COLON = 0x3a;
const SLASH = 0x2f;

/** Where the first `://` begins, -1 = there is none. */
export function schemeEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end - 2; i++) {
    if (bytes[i] === COLON && bytes[i + 1] === SLASH && bytes[i + 2] === SLASH) return i;
  }
  return -1;
}

/** Where the path, the query or the fragment begins. */
export function hostEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte === SLASH || byte === 0x3f || byte === 0x23) return i;
  }
  return end;
}

/**
 * The bytes between two values of a line, such as `,"path":`, as four-byte words, the last of which may overlap; and
 * the field named there, -1 = one to skip.
 */
export type Key = { length: number; words: Uint32Array; field: number; next: Successors };

type Successors = { keys: Key[] };

/** Programs write lines with few sequences of keys; lines that vary more go to the slow reader. */
const MOST_KEYS = 512;
const MOST_AFTER_ONE = 32;
const SPACE = 0x20;
const COMMA = 0x2c;
const BRACE = 0x7b;

/** Learns which keys follow which in the lines of a log, so that most keys are compared and not looked up. */
export class KeyBook {
  readonly #fields: ReadonlyMap<string, number>;
  readonly #refused: ReadonlySet<string>;
  readonly #first: Successors = { keys: [] };
  #known = 0;

  /** `fields`: numbers by name; a line with a `refused` name is left to the slow reader. */
  constructor(fields: ReadonlyMap<string, number>, refused: ReadonlySet<string>) {
    this.#fields = fields;
    this.#refused = refused;
  }

  /** The key that begins here, after the given key or at the start of a line; null = not readable here. */
  keyAt({ bytes, view }: PackedRows, at: number, end: number, before: Key | null): Key | null {
    const { keys } = before?.next ?? this.#first;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as Key;
      if (!startsWith(view, at, key)) continue;
      // Moved forward: the last key comes again.
      if (i > 0) [keys[i - 1], keys[i]] = [key, keys[i - 1] as Key];
      return key;
    }
    return this.#learnt(bytes, view, at, end, keys);
  }

  #learnt(bytes: Buffer, view: DataView, at: number, end: number, keys: Key[]): Key | null {
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
      words: wordsOf(view, at, length),
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

/** A key is at least as long as a word: it has a brace or a comma, two quotes and a colon. */
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
