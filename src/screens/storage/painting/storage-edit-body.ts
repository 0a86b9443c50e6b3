import {
  addedRegions,
  issuesOf,
  patchOf,
  STORAGE_FIELDS,
  type StorageField,
  valueIn,
  wantedIn,
} from '../../../domain/storage/storage-edit.ts';
import {
  type Area,
  cursorSign,
  cut,
  headerLine,
  listLine,
  listLines,
  type Strip,
  textLine,
} from '../../../paint/row.ts';
import type { ThemeSlot } from '../../../paint/theme.ts';
import type { StorageEditView } from '../../../state/account-model.ts';
import { listHeight } from '../../../state/list/layout.ts';
import { clamp } from '../../../state/list.ts';
import type { State } from '../../../state/model.ts';
import { fit } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { counted } from '../../../text/units.ts';
import { type EditRow, editRows } from '../storage-edit.ts';
import { storagePage } from '../storage-page.ts';

const NAME_WIDTH = 19;

/** The form: a row a field or region, and beside it what is wrong, what is for ever, and what the API said. */
export function storageEditBody(state: State, view: StorageEditView, area: Area): string[] {
  const general = view.refusal !== null && view.refusal.field === null ? view.refusal.message : null;
  const head =
    general === null
      ? headerLine(`${fit('SETTING', NAME_WIDTH)} VALUE`, area)
      : textLine(` the API: ${general}`, area, 'error');
  const line = (row: EditRow, isCursor: boolean) => rowLine(view, row, isCursor, area);
  return [head, ...listLines(editRows(view), view, listHeight(state), line)];
}

function rowLine(view: StorageEditView, row: EditRow, isCursor: boolean, { columns, look }: Strip): string {
  const mark = cursorSign(isCursor, look);
  const { name, value, note, slot } = rowWords(view, row);
  const room = columns - NAME_WIDTH - 2;
  const shown = sanitise(value, 'strict', room * 2);
  const most =
    note === '' ? room : Math.min(room, Math.max(14, Math.min(shown.length, Math.floor(room / 2))));
  const text = look.paint(isCursor ? 'cursor' : 'text', cut(shown, most, look));
  const rest = room - most;
  const said = rest > 2 ? `  ${look.paint(slot, cut(sanitise(note, 'text'), rest - 2, look))}` : '';
  return `${mark}${look.paint('dim', fit(name, NAME_WIDTH))} ${text}${said}`;
}

type RowWords = { name: string; value: string; note: string; slot: ThemeSlot };

function rowWords(view: StorageEditView, row: EditRow): RowWords {
  switch (row.kind) {
    case 'field': {
      const { field } = row;
      const before = valueIn(view.zone, field);
      const present = before === null ? 'unknown' : before === '' ? 'none' : before;
      const isTouched = patchOf(view.zone, view.draft)[field] !== undefined;
      const value = isTouched ? `${present} -> ${wantedIn(view.draft, field)}` : present;
      return { name: field, value, ...noteOf(view, field, isTouched) };
    }
    case 'region':
      return regionWords(view, row);
    case 'otherRegion':
      return { name: '', value: '+ another region code', note: '', slot: 'dim' };
    case 'preview': {
      const changes = Object.keys(patchOf(view.zone, view.draft)).length;
      const value = changes === 0 ? 'nothing changed yet' : `preview ${counted(changes, 'change')}`;
      return { name: '', value, note: '', slot: 'dim' };
    }
  }
}

function regionWords(view: StorageEditView, row: Extract<EditRow, { kind: 'region' }>): RowWords {
  const isFirst = row.code === view.zone.region;
  const name = isFirst ? 'ReplicationZones' : '';
  switch (row.standing) {
    case 'main':
      return { name, value: `[=] ${row.code}`, note: 'the main region', slot: 'dim' };
    case 'replica':
      return { name, value: `[x] ${row.code}`, note: 'a replica, for ever', slot: 'dim' };
    case 'offered':
      return { name, value: `[ ] ${row.code}`, note: '', slot: 'dim' };
    case 'added': {
      const only = { ReplicationZones: [row.code] };
      const issue = issuesOf(view.zone, only)[0]?.message ?? '';
      const refused = view.refusal?.field === 'ReplicationZones' ? `the API: ${view.refusal.message}` : '';
      const isAdded = addedRegions(view.zone, view.draft).includes(row.code);
      const note = refused || issue || (isAdded ? 'IRREVERSIBLE: can never be removed' : '');
      return { name, value: `[+] ${row.code}`, note, slot: refused ? 'error' : 'warning' };
    }
  }
}

/** What the API refused goes first, then what is wrong or odd, then what the field is. */
function noteOf(
  view: StorageEditView,
  field: StorageField,
  isTouched: boolean,
): { note: string; slot: ThemeSlot } {
  if (view.refusal?.field === field) return { note: `the API: ${view.refusal.message}`, slot: 'error' };
  const issue = issuesOf(view.zone, view.draft).find((each) => each.field === field);
  if (issue) return { note: issue.message, slot: issue.severity === 'error' ? 'error' : 'warning' };
  return { note: STORAGE_FIELDS[field].note, slot: isTouched ? 'warning' : 'dim' };
}

/** The page of an edit that is not its form. Scrolls. */
export function storageChangeBody(state: State, view: StorageEditView, area: Area): string[] {
  const { height } = area;
  const lines = storagePage(state, view).map(({ tone, text }) => listLine(text, false, area, tone));
  const top = clamp(view.top, 0, Math.max(0, lines.length - height));
  const rest = lines.length - top - height;
  const page = lines.slice(top);
  if (rest > 0) page[height - 1] = textLine(` ${rest + 1} more lines: j scrolls`, area, 'dim');
  return page;
}
