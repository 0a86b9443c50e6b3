import width from 'string-width';

/** Cells that an allowed code point takes; 0 means that it is refused and something visible stands in its place. */
export type GlyphCells = 0 | 1 | 2;

/** `?`, for what is refused. */
export const REPLACEMENT = 0x3f;

/** Letters written left to right that stand alone in their cells, and the signs and numbers of the basic plane. */
const ALLOWED =
  /^[[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Lm}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\p{Emoji_Presentation}\p{Bidi_M}]]$/v;

/** Written right to left, joined to a neighbour, or drawn with widths that terminals disagree about. */
const REFUSED_RANGES = [
  [0x590, 0x8ff],
  [0xd4e, 0xd4e],
  [0xe33, 0xe33],
  [0xeb3, 0xeb3],
  [0x1100, 0x11ff],
  [0x1840, 0x18af],
  [0x2630, 0x2637],
  [0x268a, 0x268f],
  [0x2ff0, 0x2fff],
  [0x302a, 0x302f],
  [0x3164, 0x3164],
  [0x31e4, 0x31ef],
  [0x3248, 0x324f],
  [0x4dc0, 0x4dff],
  [0xa960, 0xa97f],
  [0xd7b0, 0xd7ff],
  [0xfb1d, 0xfdff],
  [0xfe70, 0xfeff],
  [0xff9e, 0xffa0],
] as const;

/** Beyond the basic plane only Han characters pass: all of them are wide everywhere. */
const ASTRAL_HAN = /^\p{Script=Han}$/u;

/** `·…↑↓○●`, which the program itself draws: the rules below would say the same, after building tables for 14 ms. */
const OWN_SIGNS: readonly number[] = [0xb7, 0x2026, 0x2191, 0x2193, 0x25cb, 0x25cf];

const UNKNOWN = 3;
const basicPlane = new Uint8Array(0x10000).fill(UNKNOWN);

/**
 * The egress rule of one code point: 1 or 2 cells for one on the allow-list, 0 for all else (controls, escape, C1, DEL,
 * bidi controls, zero-width and combining signs, emoji, private use, lone surrogates).
 */
export function glyphCells(codePoint: number): GlyphCells {
  if (codePoint > 0xffff) return ASTRAL_HAN.test(String.fromCodePoint(codePoint)) ? 2 : 0;
  const known = basicPlane[codePoint];
  if (known !== UNKNOWN) return known as GlyphCells;
  const found = classify(codePoint);
  basicPlane[codePoint] = found;
  return found;
}

function classify(codePoint: number): GlyphCells {
  const isAscii = codePoint >= 0x20 && codePoint < 0x7f;
  const isBox = codePoint >= 0x2500 && codePoint <= 0x259f;
  if (isAscii || isBox || OWN_SIGNS.includes(codePoint)) return 1;
  if (codePoint < 0xa1 || REFUSED_RANGES.some(([from, to]) => codePoint >= from && codePoint <= to)) return 0;
  const character = String.fromCodePoint(codePoint);
  if (!ALLOWED.test(character)) return 0;
  const cells = width(character);
  return cells === 1 || cells === 2 ? cells : 0;
}
