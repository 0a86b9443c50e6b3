import type { StorageEditView } from '../../state/account/storage-model.ts';
import { storagePage } from '../../state/account/storage-page.ts';
import { clamp } from '../../state/list/list.ts';
import type { State } from '../../state/model.ts';
import { listLine, padLines, textLine } from '../row.ts';
import type { Look } from '../theme.ts';

/** The page of an edit that is not its form. Scrolls. */
export function storageChangeBody(state: State, view: StorageEditView, look: Look, height: number): string[] {
  const { columns } = state.size;
  const lines = storagePage(state, view).map(({ tone, text }) => listLine(text, false, columns, look, tone));
  const top = clamp(view.top, 0, Math.max(0, lines.length - height));
  const rest = lines.length - top - height;
  const page = padLines(lines.slice(top), columns, height);
  if (rest > 0) page[height - 1] = textLine(` ${rest + 1} more lines: j scrolls`, columns, look, 'dim');
  return page;
}
