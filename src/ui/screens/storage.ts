import { explain } from '../../domain/failure.ts';
import type { StorageZone } from '../../domain/storage/storage.ts';
import { tierName } from '../../domain/storage/storage-edit.ts';
import type { StorageView } from '../../state/account/account-model.ts';
import { listHeight } from '../../state/list/layout.ts';
import type { State } from '../../state/model.ts';
import { fit } from '../../text/fit.ts';
import { bytes, count, duration } from '../../text/units.ts';
import { cell, cursorSign, emptyListWords, listLine, listLines, padLines, paragraphs } from '../row.ts';
import type { Look } from '../theme.ts';

/** The storage zones, one line each; what does not fit a small window is left out from the right. */
export function storageBody(state: State, view: StorageView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const { items, loading } = state.storage;
  const titles = cellsOf(columns).map(({ title, width, align }) => fit(title, width, align));
  const lines = [look.paint('header', fit(` ${titles.join(' ')}`, columns, 'left', ' '))];
  const line = (zone: StorageZone, isCursor: boolean) => zoneLine(zone, isCursor, columns, look);
  lines.push(...listLines(items, view, listHeight(state), line));
  const words = emptyListWords(state.storage, 'storage zones', state.now);
  if (items.length === 0) lines.push(...paragraphs(words, columns, look, 'text'));
  else if (loading.kind === 'loading' && lines.length < height) {
    const words = `reading, ${duration(state.now - loading.since)}; Esc cancels`;
    lines.push(listLine(words, false, columns, look, 'dim'));
  } else if (loading.kind === 'failed' && lines.length < height) {
    const { what, next } = explain(loading.failure, state.now);
    lines.push(listLine(`this list is old or not complete: ${what} ${next}`, false, columns, look, 'error'));
  }
  return padLines(lines, columns, height);
}

type Cell = {
  title: string;
  width: number;
  align?: 'right';
  text: (zone: StorageZone) => string;
};

/** The name takes what the others leave; the last ones go first where the window is narrow. */
function cellsOf(columns: number): Cell[] {
  const others: Cell[] = [
    { title: 'ID', width: 8, align: 'right', text: (zone) => zone.id },
    { title: 'REGION', width: 6, text: (zone) => zone.region },
    { title: 'REPLICATION', width: 14, text: (zone) => zone.replicationRegions.join(' ') },
    { title: 'TIER', width: 8, text: tierName },
    { title: 'USED', width: 5, align: 'right', text: (zone) => bytes(zone.storageUsed) },
    { title: 'FILES', width: 9, align: 'right', text: (zone) => count(zone.filesStored) },
  ];
  const least = 12;
  const taken = () => others.reduce((sum, each) => sum + each.width + 1, 1);
  while (others.length > 1 && columns - taken() < least) others.pop();
  const width = Math.min(40, Math.max(1, columns - taken()));
  return [{ title: 'NAME', width, text: (zone) => zone.name }, ...others];
}

function zoneLine(zone: StorageZone, isCursor: boolean, columns: number, look: Look): string {
  const mark = cursorSign(isCursor, look);
  const cells = cellsOf(columns);
  const painted = cells.map(({ width, align, text }, index) =>
    look.paint(
      index > 0 ? 'dim' : isCursor ? 'cursor' : 'text',
      cell(text(zone), width, look, index > 0 ? 'strict' : 'text', align),
    ),
  );
  const used = cells.reduce((sum, each) => sum + each.width + 1, 0);
  return mark + painted.join(' ') + ' '.repeat(Math.max(0, columns - used));
}
