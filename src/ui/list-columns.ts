import { fit } from '../text/fit.ts';
import type { Strip } from './row.ts';
import type { Look, ThemeSlot } from './theme.ts';

/** A column of a list: its title, its cells, and what stands of an item in exactly so many, painted. */
export type ListColumn<T> = {
  title: string;
  cells: number;
  align?: 'left' | 'right';
  paint: (item: T, isCursor: boolean) => string;
};

/** The titles over the columns, behind the cell of the cursor's sign; at the right end where the cursor stands. */
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

/** A column of texts, which are cut or filled up to its cells. */
export function textColumn<T>(
  column: Omit<ListColumn<T>, 'paint'>,
  text: (item: T) => string,
  slot: ThemeSlot | ((item: T) => ThemeSlot),
  look: Look,
): ListColumn<T> {
  const slotOf = typeof slot === 'string' ? () => slot : slot;
  const { cells, align } = column;
  return {
    ...column,
    paint: (item) => look.paint(slotOf(item), fit(text(item), cells, align, look.glyph.cut)),
  };
}
