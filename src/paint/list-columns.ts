import { explain } from '../domain/failure.ts';
import { ACCOUNT_LISTS, type ItemColumn, type ListKind } from '../lists/account-lists.ts';
import type { AccountLists, ListView } from '../state/account-model.ts';
import { listHeight } from '../state/list/screen-layout.ts';
import type { ListPlace } from '../state/list.ts';
import type { State } from '../state/model.ts';
import { readingTold } from '../state/request-log.ts';
import { fit } from '../text/fit.ts';
import { count, joined } from '../text/units.ts';
import type { Painting } from './painting.ts';
import {
  type Area,
  cell,
  cursorSign,
  emptyListWords,
  listLine,
  listLines,
  paragraphs,
  readingBadge,
  type Strip,
  textLine,
} from './row.ts';
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

/**
 * How a list of the account looks, by its row. `told`: what is said of it besides its length; `below`: lines under it,
 * which take rows of it.
 */
export function listPainting<K extends ListKind>(
  kind: K,
  own: { told?: (state: State) => string; below?: (state: State, area: Area) => string[] } = {},
) {
  const { called, columns } = ACCOUNT_LISTS[kind];

  function body(state: State, { cursor, top: first }: ListPlace, area: Area): string[] {
    const pages: AccountLists[K] = state[kind];
    const { items, loading } = pages;
    if (items.length === 0) return paragraphs(emptyListWords(pages, called, state), area, 'text');
    const below = own.below?.(state, area) ?? [];
    const room = Math.max(1, listHeight(state) - below.length);
    // The cursor stays in what is left.
    const top = Math.max(first, cursor - room + 1);
    const lines = [...itemLines(columns, items, { cursor, top }, room, pages, area), ...below];
    if (loading.kind === 'loading') {
      lines.push(listLine(readingTold('reading', loading.since, state), false, area, 'dim'));
    } else if (loading.kind === 'failed') {
      const { what, next } = explain(loading.failure, state.now);
      lines.push(listLine(`this list is old or not complete: ${what} ${next}`, false, area, 'error'));
    }
    return lines;
  }

  return {
    body,
    crumb: () => kind,
    badge: (state: State) => readingBadge(state, state[kind].loading, kind.toUpperCase()),
    head: (state: State, { cursor }: ListPlace, strip: Strip) => {
      const { items, total, nextPage } = state[kind];
      const read = nextPage === null ? 'all read' : 'more on the way down';
      const place = `${count(cursor + 1)} of ${count(total ?? items.length)} ${called}, ${read}`;
      const told = joined([items.length > 0 ? place : '', own.told?.(state) ?? '']);
      return textLine(` ${told}`, strip, 'dim');
    },
  } satisfies Painting<ListView<K>>;
}

/** The titles and the items in view, in the columns that have room: the last go first, and one takes what is left. */
export function itemLines<T, Held>(
  columns: readonly ItemColumn<T, Held>[],
  items: readonly T[],
  place: ListPlace,
  rows: number,
  held: Held,
  area: Area,
): string[] {
  const { look } = area;
  const shown = [...columns];
  const taken = () => shown.reduce((sum, { cells }) => sum + cells + 1, 0);
  while (shown.length > 1 && taken() > area.columns) shown.pop();
  const spare = Math.max(0, area.columns - taken());
  const table = shown.map(({ title, cells: least, most, align, text, mode }): ListColumn<T> => {
    const cells = most === undefined ? least : Math.min(most, least + spare);
    const paint = (item: T, isCursor: boolean) => {
      const value = text(item, held);
      const slot = most === undefined ? 'dim' : isCursor ? 'cursor' : 'text';
      const shownAs = value === null ? fit(look.glyph.dash, cells) : cell(value, cells, look, mode, align);
      return look.paint(slot, shownAs);
    };
    return { title, cells, ...(align && { align }), paint };
  });
  const line = (item: T, isCursor: boolean) =>
    cursorSign(isCursor, look) + columnsLine(table, item, isCursor);
  return [titlesLine(table, area), ...listLines(items, place, rows, line)];
}
