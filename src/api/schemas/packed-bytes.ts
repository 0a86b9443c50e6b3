import { maskUrlSecrets } from '../../text/mask.ts';

/** What a byte means to a reader of log lines that takes nothing but printable ASCII without escapes. */
export const PLAIN = 0;
/** Without one of these a URL holds no secret: see `maskUrlSecrets`. */
export const SUSPICIOUS = 1;
export const QUOTE = 2;
/** A control character, a backslash or a byte that is not ASCII: such a line is left to the schema. */
export const ODD = 3;

export const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e || byte === 0x5c) return ODD;
  const sign = String.fromCharCode(byte);
  if (sign === '"') return QUOTE;
  return '=%@'.includes(sign) ? SUSPICIOUS : PLAIN;
});

/** 0 for two bytes, the first of them the lower, that are both plain: most of a line is read two bytes at a time. */
export const PAIR_KINDS = new Uint8Array(1 << 16);
for (let second = 0; second < 256; second++)
  for (let first = 0; first < 256; first++)
    PAIR_KINDS[(second << 8) | first] = BYTE_KINDS[first] === PLAIN && BYTE_KINDS[second] === PLAIN ? 0 : 1;

/** The first place from here on that may hold another byte than a plain one; it is at most one too early. */
export function plainEnd(view: DataView, start: number, end: number): number {
  let at = start;
  while (at + 1 < end && PAIR_KINDS[view.getUint16(at, true)] === 0) at += 2;
  return at;
}

const ZERO = 0x30;
/** Longer numbers may not be exact. */
const MOST_DIGITS = 15;

/** The number that decimal digits stand for; -1 for anything else and for more than 15 digits. */
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

/** Whether a text that holds a suspicious sign would be printed as it is. */
export function isClean(bytes: Buffer, start: number, end: number): boolean {
  const text = bytes.toString('latin1', start, end);
  return maskUrlSecrets(text) === text;
}
