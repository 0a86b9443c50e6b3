import width from 'string-width';

/** Cells that an allowed code point takes; 0 means that it is refused and something visible stands in its place. */
type GlyphCells = 0 | 1 | 2;

/** `?`, for what is refused. */
export const REPLACEMENT = 0x3f;

/** Letters written left to right that stand alone in their cells, and the signs and numbers of the basic plane. */
const ALLOWED =
  /^[[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Lm}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\p{Emoji_Presentation}\p{Bidi_M}]]$/v;

/** Written right to left, joined to a neighbour, or drawn with widths that terminals disagree about. */
const REFUSED =
  /[\u0590-\u08ff\u0d4e\u0e33\u0eb3\u1100-\u11ff\u1840-\u18af\u2630-\u2637\u268a-\u268f\u2ff0-\u2fff\u302a-\u302f\u3164\u31e4-\u31ef\u3248-\u324f\u4dc0-\u4dff\ua960-\ua97f\ud7b0-\ud7ff\ufb1d-\ufdff\ufe70-\ufeff\uff9e-\uffa0]/;

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
  const character = String.fromCodePoint(codePoint);
  if (codePoint < 0xa1 || REFUSED.test(character) || !ALLOWED.test(character)) return 0;
  const cells = width(character);
  return cells === 1 || cells === 2 ? cells : 0;
}
