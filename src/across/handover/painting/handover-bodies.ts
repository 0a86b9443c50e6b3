import { byTime, type Mark } from '../../../domain/handover/marks.ts';
import type { ListedView } from '../../../domain/handover/place.ts';
import { withPseudonyms } from '../../../domain/handover/pseudonyms.ts';
import { SHEET_FORMATS } from '../../../domain/handover/sheet-formats.ts';
import { timeCells } from '../../../domain/logs/pane-columns.ts';
import {
  type Area,
  cell,
  cursorSign,
  cut,
  headerLine,
  listLine,
  listLines,
  paragraphs,
  textLine,
  timeCell,
  todayOf,
} from '../../../paint/row.ts';
import type { CopyId, HandoverOverlay } from '../../../state/handover-model.ts';
import { listHeight } from '../../../state/list/screen-layout.ts';
import type { State } from '../../../state/model.ts';
import { fit, width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, dayOf } from '../../../text/units.ts';
import { exportOffer, FORMAT_IDS } from '../export-menu.ts';
import { entryOf } from '../note-entry.ts';

type Shown<K extends HandoverOverlay['kind']> = Extract<HandoverOverlay, { kind: K }>;

const COPY_TITLES: Record<CopyId, string> = {
  value: 'value',
  row: 'row, JSON',
  command: 'command',
  curl: 'curl',
  panel: 'dashboard',
};

/**
 * What can be copied, each with the beginning of its text; the chosen one stands whole below. The texts were escaped
 * when they were offered, and are shown as they will be copied.
 */
export function copyMenuBody(_: State, menu: Shown<'copyMenu'>, area: Area): string[] {
  const { columns, height, look } = area;
  const lines = [headerLine('COPY TO THE CLIPBOARD OF YOUR TERMINAL', area)];
  menu.offers.forEach((offer, index) => {
    const isCursor = index === menu.cursor;
    const room = Math.max(0, columns - 12);
    const text =
      offer.text === null ? fit(offer.whyNot, room) : cut(offer.text.slice(0, room + 1), room, look);
    const mark = cursorSign(isCursor, look);
    const slot = offer.text === null ? 'dim' : isCursor ? 'title' : 'text';
    lines.push(`${mark}${fit(COPY_TITLES[offer.id], 10)} ${look.paint(slot, text)}`);
  });
  lines.push('');
  const chosen = menu.offers[menu.cursor];
  if (chosen?.text) {
    const size = `${count(chosen.text.length)} characters`;
    const remark = chosen.remark === '' ? '' : `; ${sanitise(chosen.remark, 'text')}`;
    lines.push(textLine(` ${size}${remark}`, area, 'dim'));
    lines.push(...whole(chosen.text, { ...area, height: height - lines.length }));
  }
  return lines;
}

/** The formats for the rows, and what is known of their completeness. */
export function exportMenuBody(state: State, menu: Shown<'exportMenu'>, area: Area): string[] {
  const { words, notes } = exportOffer(state, menu.of);
  const formats = FORMAT_IDS.map((id, index) => {
    const { title, says } = SHEET_FORMATS[id];
    return listLine(`${fit(title, 9)} ${says}`, index === menu.cursor, area);
  });
  const said = notes.map((note) => sanitise(note, 'text', 400));
  return [headerLine(`EXPORT ${words}`, area), ...formats, '', ...paragraphs(said, area, 'dim')];
}

/** The marked rows of both logs: when, of which zone, and what the row says. */
export function markListBody(state: State, list: Shown<'marks'>, area: Area): string[] {
  const { columns, look } = area;
  const marks = byTime(state.handover.marks);
  const place = ` ${count(list.cursor + 1)}/${count(marks.length)}`;
  const today = todayOf(state, look);
  const isDated = marks.some(({ at }) => dayOf(at, look.zone) !== today);
  const time = timeCells(columns, isDated);
  const zone = Math.min(20, Math.max(...marks.map((mark) => mark.zone.length)));
  const line = (mark: Mark, isCursor: boolean) => {
    const words = sanitise(markWords(mark), 'strict', columns);
    const cells = [timeCell(mark.at, time, today, look), cell(mark.zone, zone, look, 'text'), words];
    return listLine(cells.join(' '), isCursor, area);
  };
  return [headerLine('MARKED ROWS', area, place), ...listLines(marks, list, listHeight(state), line)];
}

function markWords(mark: Mark): string {
  if (mark.kind === 'row') {
    const { raw, statusCode, cacheStatus, remoteIp, path, userAgent } = mark.record;
    return raw ?? [statusCode, cacheStatus, remoteIp, path, userAgent].filter(Boolean).join(' ');
  }
  const { raw, fields } = mark.row;
  return (
    raw ??
    ['action', 'ruleId', 'ip', 'url', 'ua']
      .map((name) => fields[name])
      .filter(Boolean)
      .join(' ')
  );
}

/** The saved views, oldest first: the name, its zone and its query. */
export function viewListBody(state: State, list: Shown<'viewList'>, area: Area): string[] {
  const { columns, look } = area;
  const { items, isRead, trouble, sharedTrouble } = state.handover.views;
  const place = items.length > 0 ? ` ${count(list.cursor + 1)}/${count(items.length)}` : '';
  const name = Math.min(24, Math.max(12, Math.floor(columns / 4)));
  const line = (view: ListedView, isCursor: boolean) => {
    const text = [
      cell(view.name, name, look, 'text'),
      cell(view.screen, 6, look),
      cell(view.zoneName, name, look, 'text'),
      (view.isShared ? look.paint('dim', 'shared ') : '') + sanitise(view.query, 'text', 400),
    ].join(' ');
    return listLine(text, isCursor, area, list.asked?.name === view.name ? 'warning' : 'text');
  };
  const words =
    trouble !== null
      ? [trouble, 'Nothing is written to it.']
      : !isRead
        ? ['reading']
        : items.length === 0
          ? ['no view is saved yet; + saves the one underneath']
          : [];
  const all = sharedTrouble === null ? words : [...words, sharedTrouble];
  const said = all.map((text) => sanitise(text, 'text'));
  return [
    headerLine('SAVED VIEWS', area, place),
    ...listLines(items, list, listHeight(state), line),
    ...paragraphs(said, area, trouble === null ? 'dim' : 'warning'),
  ];
}

/** The entry as it will stand in the notebook, already escaped, with the note being typed. */
export function findingBody(state: State, { finding }: Shown<'finding'>, area: Area): string[] {
  const { columns, look } = area;
  const how = finding.isMasked
    ? 'addresses as pseudonyms; Tab: as they are'
    : 'addresses as they are; Tab: as pseudonyms';
  const note = state.prompt?.field.text.trim() ?? '';
  const { lines } = entryOf(finding, note, state.now);
  const shown = finding.isMasked ? withPseudonyms(lines, () => '?') : lines;
  return [
    headerLine(`INTO THE NOTEBOOK  ${how}`, area),
    ...shown.map((line) => cut(` ${line.slice(0, columns)}`, columns, look)),
  ];
}

/** A text on as many lines as it needs or there are. */
function whole(text: string, { columns, height, look }: Area): string[] {
  const lines: string[] = [];
  const wide = Math.max(1, columns - 2);
  for (let rest = text; rest !== '' && lines.length < height; ) {
    let part = rest.slice(0, wide);
    while (width(part) > wide) part = part.slice(0, -1);
    lines.push(look.paint('text', fit(` ${part}`, columns)));
    rest = rest.slice(part.length);
  }
  return lines;
}
