import {
  addedRegions,
  issuesOf,
  patchOf,
  STORAGE_FIELDS,
  type StorageField,
  settingsOfZone,
  valueIn,
  wantedIn,
} from '../../../domain/storage/storage-edit.ts';
import { VERDICTS } from '../../../domain/storage/storage-verdict.ts';
import { listPainting } from '../../../paint/list-columns.ts';
import type { Painting } from '../../../paint/painting.ts';
import {
  type Area,
  cursorSign,
  cut,
  FAILED_BADGE,
  headerLine,
  listLine,
  listLines,
  readingBadge,
  type Strip,
  sinceBadge,
  textLine,
  wholeSeconds,
} from '../../../paint/row.ts';
import type { ThemeSlot, Words } from '../../../paint/theme.ts';
import type { StorageEditView, StorageZoneView } from '../../../state/account-model.ts';
import { listHeight } from '../../../state/list/screen-layout.ts';
import { clamp } from '../../../state/list.ts';
import type { State } from '../../../state/model.ts';
import { fit } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { counted } from '../../../text/units.ts';
import { type EditRow, editRows } from '../edit-commands.ts';
import { storagePage } from '../storage-page.ts';

// For each view its crumb, its badge, and the second line: how much there is, and what can be done.

export const STORAGE_PAINTING = listPainting('storage', { told: modeWords });

export const STORAGE_ZONE_PAINTING = {
  // What nobody can know is called unknown, never left empty.
  body: {
    fields: ({ size }, { zone }) => ({
      fields: settingsOfZone(zone).map(({ field, name, value }) => ({
        name: `${field === null ? ' ' : '*'} ${name}`,
        value: value ?? 'unknown: the API does not disclose it',
      })),
      names: size.columns < 60 ? 20 : 29,
      finds: [],
    }),
  },
  crumb: (_: State, { zone }: StorageZoneView) => sanitise(zone.name, 'text', 40),
  badge: (state: State, { loading }: StorageZoneView) =>
    readingBadge(state, loading, state.mayWrite ? 'WRITE' : 'READ-ONLY'),
  head: (state: State, { loading }: StorageZoneView, strip: Strip) =>
    loading.kind === 'failed'
      ? textLine(' it could not be read again: these settings are old', strip, 'error')
      : textLine(` * can be changed; ${modeWords(state)}`, strip, 'dim'),
} as const satisfies Painting<StorageZoneView>;

export const STORAGE_EDIT_PAINTING = {
  body: (state, view, area) =>
    (view.stage.kind === 'editing' ? storageEditBody : storageChangeBody)(state, view, area),
  crumb: (_: State, { undo }: StorageEditView) => (undo === null ? 'edit' : 'undo'),
  badge: (state: State, { stage }: StorageEditView) =>
    EDIT_STAGES[stage.kind].badge ?? changeBadge(state, stage),
  head: (_: State, { zone, stage }: StorageEditView, strip: Strip) =>
    textLine(` ${sanitise(zone.name, 'text', 60)}: ${EDIT_STAGES[stage.kind].words}`, strip, 'dim'),
} as const satisfies Painting<StorageEditView>;

type Stage = StorageEditView['stage'];

/** Without a badge where the change says more than its stage: see `changeBadge`. */
const EDIT_STAGES: Record<Stage['kind'], { words: string; badge?: Words }> = {
  opening: { words: 'read afresh before it is edited' },
  unopened: { words: 'it could not be read, so nothing can be edited', badge: FAILED_BADGE },
  editing: {
    words: 'Enter or Space changes a row, x takes a change back, P previews',
    badge: { text: 'EDITING', slot: 'warning' },
  },
  preview: {
    words: 'before, after, and the request; nothing is sent yet',
    badge: { text: 'PREVIEW', slot: 'warning' },
  },
  confirming: {
    words: 'type its name; pasted text does not count',
    badge: { text: 'CONFIRM', slot: 'paused' },
  },
  writing: { words: 'the change is under way' },
  ended: { words: 'how it ended' },
};

function modeWords(state: State): string {
  return state.mayWrite ? 'this session may change settings' : 'read-only: start edgescope with --write';
}

function changeBadge(state: State, stage: Stage): Words {
  const { job } = state.storage;
  if (stage.kind === 'opening') return sinceBadge(state, stage.since);
  if (stage.kind === 'writing' && job)
    return { text: `${job.step.toUpperCase()} ${wholeSeconds(state.now - job.since)}`, slot: 'paused' };
  if (stage.kind !== 'ended') return { text: '', slot: 'dim' };
  if (stage.end.kind !== 'verdict') return { text: 'NOTHING SENT', slot: 'error' };
  const { kind } = stage.end.verdict;
  return {
    text: VERDICTS[kind],
    slot: kind === 'applied' ? 'success' : kind === 'sideEffects' ? 'warning' : 'down',
  };
}

const NAME_WIDTH = 19;

/** The form: a row a field or region; beside it what is wrong, what is irreversible, and what the API said. */
function storageEditBody(state: State, view: StorageEditView, area: Area): string[] {
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

/** The page of an edit outside its form. Scrolls. */
function storageChangeBody(state: State, view: StorageEditView, area: Area): string[] {
  const { height } = area;
  const lines = storagePage(state, view).map(({ tone, text }) => listLine(text, false, area, tone));
  const top = clamp(view.top, 0, Math.max(0, lines.length - height));
  const rest = lines.length - top - height;
  const page = lines.slice(top);
  if (rest > 0) page[height - 1] = textLine(` ${rest + 1} more lines: j scrolls`, area, 'dim');
  return page;
}
