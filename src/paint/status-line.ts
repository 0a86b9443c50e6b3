import { width } from '../text/fit.ts';
import { count, counted, shortCount } from '../text/units.ts';
import { stripped } from './row.ts';
import type { Look } from './theme.ts';

/** The number of gaps; none is said, too. */
export function gapsPart(missing: number, look: Look): string {
  return missing > 0 ? look.paint('gap', counted(missing, 'gap')) : 'no gaps';
}

/** The number of requests read, long and short. */
export function requestWords(n: number): { long: string; short: string } {
  return { long: counted(n, 'request'), short: `${shortCount(n)} requests` };
}

/** The number of what should not be; no part where there is none. */
export function warnedPart(n: number, words: string, look: Look): string[] {
  return n > 0 ? [look.paint('warning', `${count(n)} ${words}`)] : [];
}

/** The first form whose parts fit; else the last, since a gap is named even where nothing else is. */
export function fittingForm(forms: readonly (readonly string[])[], room: number, { glyph }: Look): string {
  const texts = forms.map((parts) => parts.join(` ${glyph.dot} `));
  return texts.find((text) => stripped(text).length <= room) ?? texts.at(-1) ?? '';
}

/** A line with a text at either end. */
export function withEnds(left: string, right: string, columns: number): string {
  const blank = columns - 2 - width(stripped(left)) - width(stripped(right));
  return ` ${left}${' '.repeat(Math.max(1, blank))}${right} `;
}
