import type { SheetLine } from '../../domain/handover/sheet.ts';
import type { ListPlace } from '../list.ts';
import { withCursorShown } from '../list.ts';
import type { State } from '../model.ts';
import type { CellUnder, Under } from '../screen.ts';
import { listHeight } from './layout.ts';

/** What lists of things that are no part of a log have in common. */
export const OF_LIST = {
  resized: <V extends ListPlace>(state: State, view: V): V => withCursorShown(view, listHeight(state)),
  about: () => null,
  coverage: () => [],
  moment: () => null,
  oldest: () => null,
  work: () => null,
  columns: null,
  search: null,
  same: () => null,
  requeried: null,
} as const;

/** The cell of a list whose values no query asks for. */
export function listCell(text: string | null | undefined): CellUnder {
  return { text: text ?? null, asked: 'this list holds no values of a log' };
}

/** A line that is no part of a log. */
export function plainLine(line: SheetLine): Under {
  return { line, one: null, seen: null };
}
