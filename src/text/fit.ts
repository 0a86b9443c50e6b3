import stringWidth from 'string-width';

export type Align = 'left' | 'right';

/** Printable ASCII and the signs this program draws itself: one cell each in every terminal, so length is width. */
const ONE_CELL_EACH = /^[ -~\u00b7\u2026\u2500-\u259f]*$/;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cells that an already sanitised text takes; East-Asian wide letters take two. */
export function width(s: string): number {
  return ONE_CELL_EACH.test(s) ? s.length : stringWidth(s);
}

/**
 * An already sanitised text in exactly `columns` cells: padded with spaces, or cut at its end with `mark` as the last
 * sign (`…`, or one ASCII sign where the terminal is ASCII). A wide letter that would straddle the edge leaves a space.
 */
export function fit(s: string, columns: number, align: Align = 'left', mark = '…'): string {
  if (columns <= 0) return '';
  const cells = width(s);
  if (cells === columns) return s;
  if (cells < columns) {
    const blank = ' '.repeat(columns - cells);
    return align === 'left' ? s + blank : blank + s;
  }
  if (cells === s.length && ONE_CELL_EACH.test(s)) return s.slice(0, columns - 1) + mark;
  return cutGraphemes(s, columns - 1) + mark;
}

/** As much of the text as fits, then spaces up to exactly `room` cells. */
function cutGraphemes(s: string, room: number): string {
  let kept = '';
  let left = room;
  for (const { segment } of graphemes.segment(s)) {
    const cells = stringWidth(segment);
    if (cells > left) break;
    kept += segment;
    left -= cells;
  }
  return kept + ' '.repeat(left);
}
