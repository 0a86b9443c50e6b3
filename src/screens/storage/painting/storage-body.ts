import { explain } from '../../../domain/failure.ts';
import type { StorageZone } from '../../../domain/storage/storage.ts';
import { tierName } from '../../../domain/storage/storage-edit.ts';
import { columnsLine, type ListColumn, textColumns, titlesLine } from '../../../paint/list-columns.ts';
import {
  type Area,
  cell,
  cursorSign,
  emptyListWords,
  listLine,
  listLines,
  paragraphs,
  type Strip,
} from '../../../paint/row.ts';
import type { StorageView } from '../../../state/account-model.ts';
import { listHeight } from '../../../state/list/layout.ts';
import type { State } from '../../../state/model.ts';
import { readingTold } from '../../../state/request-log.ts';
import { bytes, count } from '../../../text/units.ts';

/** The storage zones, one line each; what does not fit a small window is left out from the right. */
export function storageBody(state: State, view: StorageView, area: Area): string[] {
  const { items, loading } = state.storage;
  const table = columnsOf(area);
  const line = (zone: StorageZone, isCursor: boolean) =>
    cursorSign(isCursor, area.look) + columnsLine(table, zone, isCursor);
  const lines = [titlesLine(table, area), ...listLines(items, view, listHeight(state), line)];
  if (items.length === 0)
    return [...lines, ...paragraphs(emptyListWords(state.storage, 'storage zones', state), area, 'text')];
  if (loading.kind === 'loading') {
    lines.push(listLine(readingTold('reading', loading.since, state), false, area, 'dim'));
  } else if (loading.kind === 'failed') {
    const { what, next } = explain(loading.failure, state.now);
    lines.push(listLine(`this list is old or not complete: ${what} ${next}`, false, area, 'error'));
  }
  return lines;
}

/** The name takes what the others leave; the last ones go first where the window is narrow. */
function columnsOf({ columns, look }: Strip): ListColumn<StorageZone>[] {
  const other = textColumns<StorageZone>(look);
  const others = [
    other('ID', 8, ({ id }) => id, 'dim', 'right'),
    other('REGION', 6, ({ region }) => region),
    other('REPLICATION', 14, ({ replicationRegions }) => replicationRegions.join(' ')),
    other('TIER', 8, tierName),
    other('USED', 5, ({ storageUsed }) => bytes(storageUsed), 'dim', 'right'),
    other('FILES', 9, ({ filesStored }) => count(filesStored), 'dim', 'right'),
  ];
  const least = 12;
  const taken = () => others.reduce((sum, each) => sum + each.cells + 1, 1);
  while (others.length > 1 && columns - taken() < least) others.pop();
  const cells = Math.min(40, Math.max(1, columns - taken()));
  const paint = ({ name }: StorageZone, isCursor: boolean) =>
    look.paint(isCursor ? 'cursor' : 'text', cell(name, cells, look, 'text'));
  return [{ title: 'NAME', cells, paint }, ...others];
}
