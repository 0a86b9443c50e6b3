import width from 'string-width';
import { BLANK, codePointOf, isContinuation, packCell, styleId, styleIdOf, TRUE_COLOUR } from './cells.ts';
import { FLAG_CODES } from './sgr.ts';

/** The current style in a line; SGR changes it on the way. */
type TextStyle = { foreground: number; flags: number };

const ESCAPE = 0x1b;
const SGR = /\x1b\[([0-9;]{0,96})m/y;
const OSC = /(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/y;
const ESCAPES = /[\x1b\x9d]/g;
const BOX_OR_BLANK = /^[ \u2500-\u259f]/;

let graphemes: Intl.Segmenter | null = null;

/** Longer lines are truncated: no terminal is wider, and a hostile line must not cost memory. */
const MAX_CELLS = 2048;

/**
 * One line of SGR-styled text as cells; each line starts in the default style.
 *
 * This is the egress filter: from here on there are only code points of the allow-list and styles of our own, so that
 * nothing untrusted can reach the wire even if it was never sanitised. Refused text becomes `?`, in as many cells as Ink
 * counts for it, so that a border to its right stays in its column. `columns` is the width of the screen. Of SGR only
 * bold, dim, italic, underline, inverse, strikethrough and the foreground colour count: backgrounds, blinking and hidden
 * text have no effect.
 */
export function parseStyledLine(line: string, columns = MAX_CELLS): Uint32Array {
  const running: TextStyle = { foreground: 0, flags: 0 };
  const cells: number[] = [];
  let style = 0;
  for (let at = 0; at < line.length && cells.length < MAX_CELLS; ) {
    const code = line.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) {
      cells.push(packCell(code, style));
      at += 1;
      continue;
    }
    if (code === ESCAPE) {
      SGR.lastIndex = at;
      const sgr = SGR.exec(line);
      if (sgr === null) return parseRefusedLine(line, columns);
      applySgr(sgr[1] ?? '', running);
      style = styleId(running.foreground, running.flags);
      at = SGR.lastIndex;
      continue;
    }
    const point = line.codePointAt(at) ?? 0;
    const size = glyphCells(point);
    if (size === 0) return parseRefusedLine(line, columns);
    cells.push(packCell(point, style));
    if (size === 2) cells.push(packCell(0, style));
    at += point > 0xffff ? 2 : 1;
  }
  return Uint32Array.from(cells);
}

/** The slow way, for a line with something refused in it: by graphemes, as Ink counts them. */
function parseRefusedLine(line: string, columns: number): Uint32Array {
  const running: TextStyle = { foreground: 0, flags: 0 };
  const cells: number[] = [];
  const spare: number[] = [];
  // Made only here: it costs milliseconds of the start.
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let hidden = false;
  for (let at = 0; at < line.length && cells.length < MAX_CELLS; ) {
    SGR.lastIndex = at;
    const sgr = SGR.exec(line);
    if (sgr !== null) {
      applySgr(sgr[1] ?? '', running);
      at = SGR.lastIndex;
      continue;
    }
    OSC.lastIndex = at;
    if (OSC.test(line)) {
      hidden = !markLast(cells);
      at = OSC.lastIndex;
      continue;
    }
    ESCAPES.lastIndex = at + 1;
    const end = ESCAPES.exec(line)?.index ?? line.length;
    const start = cells.length;
    const style = styleId(running.foreground, running.flags);
    for (const { segment } of graphemes.segment(line.slice(at, end))) {
      if (cells.length >= MAX_CELLS) break;
      const room = pushCluster(cells, segment, style);
      for (let cell = 1; cell < room; cell += 1) spare.push(cells.length - cell);
    }
    if (hidden && start < cells.length && markAt(cells, start)) hidden = false;
    at = end;
  }
  if (hidden) cells.push(REPLACEMENT);
  // The maker of a line fitted it to the screen, so it counted one of the clusters shorter.
  while (cells.length > columns && spare.length > 0) cells.splice(spare.pop() ?? 0, 1);
  return Uint32Array.from(cells);
}

/** The number of `?` that replace the cluster. */
function pushCluster(cells: number[], cluster: string, style: number): number {
  const point = cluster.codePointAt(0) ?? 0;
  const isSingle = cluster.length === (point > 0xffff ? 2 : 1);
  const size = glyphCells(point);
  if (isSingle && size > 0) {
    cells.push(packCell(point, style));
    if (size === 2) cells.push(packCell(0, style));
    return 0;
  }
  // A mark behind a border joined it only in this string: it was untrusted text in a cell of its own.
  const isAfterBorder = !isSingle && point > 0x7f && BOX_OR_BLANK.test(cluster);
  if (isAfterBorder) cells.push(packCell(point, style));
  const room = isAfterBorder ? 1 : Math.max(1, width(cluster));
  for (let cell = 0; cell < room; cell += 1) cells.push(packCell(REPLACEMENT, style));
  return room;
}

/** A sequence without a cell shows as `?` in place of the letter before it; false without such a letter. */
function markLast(cells: number[]): boolean {
  const last = cells.length - (isContinuation(cells.at(-1) ?? BLANK) ? 2 : 1);
  return last >= 0 && markAt(cells, last);
}

function markAt(cells: number[], index: number): boolean {
  const cell = cells[index] ?? BLANK;
  const point = codePointOf(cell);
  if (BOX_OR_BLANK.test(String.fromCodePoint(point))) return false;
  const isWide = glyphCells(point) === 2;
  cells[index] = packCell(REPLACEMENT, styleIdOf(cell));
  if (isWide) cells[index + 1] = packCell(REPLACEMENT, styleIdOf(cell));
  return true;
}

function applySgr(parameters: string, running: TextStyle): void {
  const list = parameters.split(';');
  for (let index = 0; index < list.length; index += 1) {
    const value = Number(list[index] || 0);
    for (const { flag, on, off } of FLAG_CODES) {
      if (value === on) running.flags |= flag;
      else if (value === off) running.flags &= ~flag;
    }
    if (value === 0) {
      running.flags = 0;
      running.foreground = 0;
    } else if (value >= 30 && value <= 37) running.foreground = value - 29;
    else if (value >= 90 && value <= 97) running.foreground = value - 81;
    else if (value === 39) running.foreground = 0;
    else if (value === 38 || value === 48) {
      const colour = extendedColour(list, index);
      if (value === 38 && colour.foreground !== null) running.foreground = colour.foreground;
      index += colour.length;
    }
  }
}

/** `5;n` or `2;r;g;b` after 38 or 48; a value out of range changes nothing. */
function extendedColour(
  list: readonly string[],
  index: number,
): { foreground: number | null; length: number } {
  const form = list[index + 1];
  const isWhole = form === '5' || form === '2';
  const length = form === '5' ? 2 : form === '2' ? 4 : 0;
  const numbers = list.slice(index + 2, index + 1 + length).map(Number);
  if (!isWhole || numbers.length !== length - 1 || numbers.some((n) => n > 255))
    return { foreground: null, length };
  const [first = 0, green = 0, blue = 0] = numbers;
  if (form === '5') return { foreground: first + 1, length };
  return { foreground: TRUE_COLOUR | (first << 16) | (green << 8) | blue, length };
}

/** Cells of an allowed code point; 0 means that it is refused and something visible replaces it. */
type GlyphCells = 0 | 1 | 2;

/** `?`, in place of what is refused. */
const REPLACEMENT = 0x3f;

/** Letters written left to right that stand alone in their cells, and the signs and numbers of the basic plane. */
const ALLOWED =
  /^[[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{Lm}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\p{Emoji_Presentation}\p{Bidi_M}]]$/v;

/** Written right to left, joined to a neighbour, or of widths that terminals disagree about. */
const REFUSED =
  /[\u0590-\u08ff\u0d4e\u0e33\u0eb3\u1100-\u11ff\u1840-\u18af\u2630-\u2637\u268a-\u268f\u2ff0-\u2fff\u302a-\u302f\u3164\u31e4-\u31ef\u3248-\u324f\u4dc0-\u4dff\ua960-\ua97f\ud7b0-\ud7ff\ufb1d-\ufdff\ufe70-\ufeff\uff9e-\uffa0]/;

/** Beyond the basic plane only Han characters pass: all of them are wide everywhere. */
const ASTRAL_HAN = /^\p{Script=Han}$/u;

/** `·…↑↓○●`, which the program draws: the rules below would agree, after building tables for 14 ms. */
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
