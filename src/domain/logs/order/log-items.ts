import type { Gap } from '../../tail/coverage.ts';

export type BookItem = { kind: 'row'; id: number } | { kind: 'gap'; gap: Gap };

/** Where a reader is: at an item, or at the newest one. */
export type ReadingPlace = BookItem | 'newest';

type Items = { at(index: number): BookItem | null; has(id: number): boolean; readonly length: number };

/** Items of a view by index, as they stand when it begins; rows that go meanwhile are left out. */
export function* itemsOf(view: Items, from: number, to: number): Generator<BookItem> {
  const first = Math.max(0, from);
  const ids = new Float64Array(Math.max(0, Math.min(to, view.length) - first));
  const gaps: Gap[] = [];
  for (let i = 0; i < ids.length; i++) {
    const item = view.at(first + i);
    ids[i] = item?.kind === 'row' ? item.id : -gaps.push((item as { gap: Gap }).gap);
  }
  for (const id of ids) {
    if (id < 0) yield { kind: 'gap', gap: gaps[-id - 1] as Gap };
    else if (view.has(id)) yield { kind: 'row', id };
  }
}
