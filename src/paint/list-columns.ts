import { fit } from '../text/fit.ts';
import { cell, cutLine, type Strip } from './row.ts';
import type { Look, ThemeSlot } from './theme.ts';

/** A column of a list: its title, its cells, and an item's text in exactly so many cells, painted. */
export type ListColumn<T> = {
  title: string;
  cells: number;
  align?: 'left' | 'right';
  paint: (item: T, isCursor: boolean) => string;
};

/** The titles behind the cell of the line's sign; at the right end the cursor's place. */
export function titlesLine(
  list: readonly Omit<ListColumn<never>, 'paint'>[],
  { columns, look }: Strip,
  place = '',
): string {
  const titles = list.map(({ title, cells, align }) => fit(title, cells, align, look.glyph.cut));
  return look.paint('header', fit(` ${titles.join(' ')}`, columns - place.length, 'left', ' ') + place);
}

/** An item in its columns, behind the sign of its line. */
export function columnsLine<T>(list: readonly ListColumn<T>[], item: T, isCursor: boolean): string {
  return list.map(({ paint }) => paint(item, isCursor)).join(' ');
}

/** Makes columns of untrusted texts, truncated or padded to their cells. */
export function textColumns<T>(look: Look) {
  return (
    title: string,
    cells: number,
    text: (item: T) => string,
    slot: ThemeSlot | ((item: T) => ThemeSlot) = 'dim',
    align: 'left' | 'right' = 'left',
  ): ListColumn<T> => {
    const slotOf = typeof slot === 'string' ? () => slot : slot;
    const paint = (item: T) => look.paint(slotOf(item), cell(text(item), cells, look, 'strict', align));
    return { title, cells, align, paint };
  };
}

/** A column of a small table; its texts are truncated or padded to its cells. */
export type TextColumn<T> = Omit<ListColumn<T>, 'paint'> & { text: (item: T) => string };

/** A small table of plain texts with titles, one or two blanks between columns. `chosen`: the item under the cursor. */
export function smallTable<T>(
  list: readonly TextColumn<T>[],
  items: readonly T[],
  chosen: number,
  strip: Strip,
): string[] {
  const { columns, look } = strip;
  const isRoom = list.reduce((sum, { cells }) => sum + cells + 2, 2) <= columns;
  const gap = isRoom ? '  ' : ' ';
  const lineOf = (sign: string, cells: string[]) => ` ${[sign, ...cells].join(gap)}${gap.slice(1)}`;
  const titles = list.map(({ title, cells }) => fit(title, cells));
  const lines = items.map((item, at) => {
    const cells = list.map(({ cells, align, text }) => fit(text(item), cells, align, look.glyph.cut));
    return lineOf(at === chosen ? look.glyph.cursor : ' ', cells);
  });
  return [look.paint('header', lineOf(' ', titles)), ...lines].map((line) => cutLine(line, strip));
}
