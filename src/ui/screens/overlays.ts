import { COLUMN_IDS, LOG_COLUMNS } from '../../domain/logs/columns.ts';
import { type Place, viewPlace } from '../../keymap/bindings.ts';
import { HELP_CELLS, type HelpLine, helpLines } from '../../keymap/help.ts';
import { paletteRows } from '../../keymap/palette.ts';
import { listHeight } from '../../state/layout.ts';
import { clamp } from '../../state/list.ts';
import type { Overlay, State } from '../../state/model.ts';
import { fieldTitle, GROUP_FIELDS } from '../../state/overlays.ts';
import { fit } from '../../text/fit.ts';
import { wrapText } from '../../text/wrap.ts';
import { listLine, padLines } from '../row.ts';
import type { Look } from '../theme.ts';

/** The keys of the view underneath, by group; `/` narrows them. */
export function helpBody(
  state: State,
  overlay: Extract<Overlay, { kind: 'help' }>,
  look: Look,
  height: number,
): string[] {
  const { columns } = state.size;
  const lines = helpLines(state, overlay.find).map((line) => helpText(line, columns, look));
  if (lines.length === 0)
    lines.push(look.paint('dim', fit(' no key is described by these words; Esc shows all', columns)));
  const top = clamp(overlay.top, 0, Math.max(0, lines.length - (height - 1)));
  const title = `keys of ${PLACE_TITLES[viewPlace(state)]}`;
  const more = lines.length > height - 1 ? ` ${top + 1}/${lines.length}` : '';
  return padLines(
    [
      look.paint('header', fit(` ${title}`, columns - more.length) + more),
      ...lines.slice(top, top + height - 1),
    ],
    columns,
    height,
  );
}

function helpText(line: HelpLine, columns: number, look: Look): string {
  switch (line.kind) {
    case 'blank':
      return fit('', columns);
    case 'group':
      return look.paint('title', fit(` ${line.group}`, columns));
    case 'key': {
      const { keys, around } = HELP_CELLS;
      return ` ${look.paint('key', fit(line.keys, keys))} ${fit(line.does, columns - keys - around)}`;
    }
  }
}

const PLACE_TITLES: Record<Place, string> = {
  zones: 'the zone picker',
  log: 'the log pane',
  groups: 'the groups',
  record: 'the row detail',
  help: 'the help',
  requests: 'the request log',
  groupPick: 'the choice of groups',
  columnPick: 'the choice of columns',
  plain: 'the plain text',
  shieldGroups: 'the Shield groups',
  shieldRows: 'the Shield events',
  shieldEvent: 'the Shield event',
  answer: 'an answer',
  shieldPick: 'the choice of dimensions',
  shieldColumns: 'the choice of columns',
  shieldForm: 'the query form',
  copyMenu: 'the copy menu',
  exportMenu: 'the export',
  viewList: 'the saved views',
  finding: 'the notebook entry',
  storage: 'the storage zones',
  storageZone: 'the storage zone',
  storageEdit: 'the form of a storage zone',
  storageChange: 'the change of a storage zone',
  keys: 'the API keys',
};

/** Cells of the keys, and the lines kept for a text that the list cuts. */
const PALETTE_KEYS = 14;
const PALETTE_TOLD = 2;

export function paletteBody(state: State, look: Look, height: number): string[] {
  const { columns } = state.size;
  const rows = paletteRows(state);
  const cursor = Math.min(state.prompt?.cursor ?? 0, Math.max(0, rows.length - 1));
  const isCut = rows.some(({ does }) => PALETTE_KEYS + does.length + 2 > columns);
  // Where a text is cut, that under the cursor stands whole below the list.
  const told =
    isCut && rows[cursor] ? wrapText(`  ${rows[cursor].does}`, columns - 1).slice(0, PALETTE_TOLD) : [];
  const listed = Math.max(1, height - 1 - (told.length > 0 ? PALETTE_TOLD : 0));
  const top = clamp(cursor - listed + 1, 0, Math.max(0, rows.length - listed));
  const lines = [look.paint('header', fit(' COMMANDS OF THIS VIEW', columns))];
  rows.slice(top, top + listed).forEach((row, index) => {
    lines.push(listLine(`${fit(row.keys, PALETTE_KEYS)} ${row.does}`, top + index === cursor, columns, look));
  });
  if (rows.length === 0)
    lines.push(look.paint('dim', fit(' no command has these letters; Esc leaves', columns)));
  const list = padLines(lines, columns, height - told.length);
  return [...list, ...told.map((text) => look.paint('dim', fit(text, columns)))];
}

export function groupPickBody(
  state: State,
  overlay: Extract<Overlay, { kind: 'groupPick' }>,
  look: Look,
  height: number,
): string[] {
  const { columns } = state.size;
  const title =
    overlay.chosen.length > 0 ? `by ${overlay.chosen.map(fieldTitle).join(', then ')}` : 'GROUP BY';
  const lines = [look.paint('header', fit(` ${title}`, columns))];
  GROUP_FIELDS.slice(overlay.top, overlay.top + listHeight(state)).forEach((field, index) => {
    const order = overlay.chosen.indexOf(field);
    const mark = order < 0 ? '[ ]' : `[${order + 1}]`;
    lines.push(
      listLine(`${mark} ${fieldTitle(field)}`, overlay.top + index === overlay.cursor, columns, look),
    );
  });
  lines.push(look.paint('dim', fit('   Space chooses in order, Enter groups, Esc leaves', columns)));
  return padLines(lines, columns, height);
}

export function columnPickBody(
  state: State,
  overlay: Extract<Overlay, { kind: 'columnPick' }>,
  look: Look,
  height: number,
): string[] {
  const { columns } = state.size;
  const lines = [look.paint('header', fit(' COLUMNS', columns))];
  COLUMN_IDS.slice(overlay.top, overlay.top + listHeight(state)).forEach((id, index) => {
    const mark = overlay.chosen.includes(id) ? '[x]' : '[ ]';
    const text = `${mark} ${fit(LOG_COLUMNS[id].title, 12)} ${LOG_COLUMNS[id].help}`;
    lines.push(listLine(text, overlay.top + index === overlay.cursor, columns, look));
  });
  lines.push(look.paint('dim', fit('   Space chooses, Enter shows them, Esc leaves it as it was', columns)));
  return padLines(lines, columns, height);
}
