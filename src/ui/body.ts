import { detailPanel, valuesPanel } from '../across/beside/painting/beside-lines.ts';
import { valuesHeight, valuesTitle } from '../across/beside/top-values.ts';
import {
  copyMenuBody,
  exportMenuBody,
  findingBody,
  markListBody,
  viewListBody,
} from '../across/handover/painting/handover-bodies.ts';
import { formBody } from '../across/input/painting/form-body.ts';
import { PICKERS, PICKING, pickerItems } from '../across/input/pickers.ts';
import { timeCells } from '../domain/logs/pane-columns.ts';
import { type RequestEvent, waitWords } from '../domain/request-event.ts';
import { countOfStrays } from '../domain/strays.ts';
import { viewPlace } from '../keymap/conditions.ts';
import { type HelpLine, helpCells, helpLines } from '../keymap/help.ts';
import { type Offer, paletteChosen, paletteOffers, paletteUsage } from '../keymap/palette.ts';
import type { CommandId } from '../keys/bindings.ts';
import { PLACE_TITLES } from '../keys/places.ts';
import type { ItemColumn } from '../lists/account-lists.ts';
import { howLines } from '../loop/figures.ts';
import { itemLines } from '../paint/list-columns.ts';
import {
  type Area,
  filled,
  headerLine,
  listLine,
  listLines,
  padLines,
  type Strip,
  textLine,
  timeCell,
  timeText,
  todayOf,
} from '../paint/row.ts';
import { inSigns, type Look } from '../paint/theme.ts';
import { paintingOf, plainOnTop } from '../screens/screens.ts';
import {
  hasDetailBeside,
  hasValuesBeside,
  isTooSmall,
  layoutOf,
  listColumns,
  listHeight,
  panelColumns,
  requestsHeight,
  rowsBelow,
  SMALLEST,
} from '../state/list/screen-layout.ts';
import { clamp, type ListPlace } from '../state/list.ts';
import type { Overlay, Picker, State } from '../state/model.ts';
import { topOf, topView } from '../state/view-stack.ts';
import { fit, fitWords, wrapText } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { bytes, count, counted, duration, joined, shortCount } from '../text/units.ts';

/**
 * The list part of the screen as styled lines, each within the terminal's width. They go past React to the cell
 * writer, because a key that moves one row must not pay for a layout of the whole tree. Null: Ink draws the body.
 */
export function bodyLines(state: State, look: Look): string[] | null {
  const { columns, rows } = state.size;
  const { height } = layoutOf(state).body;
  if (isTooSmall(state)) {
    const text = `edgescope needs ${SMALLEST.columns}x${SMALLEST.rows}; this is ${columns}x${rows}`;
    return [fit(text, columns)];
  }
  return linesIn(state, { columns, height, look })?.slice(0, height) ?? null;
}

function linesIn(state: State, area: Area): string[] | null {
  const { overlay } = state;
  const view = topView(state);
  switch (overlay?.kind) {
    case 'help':
      return helpBody(state, overlay, area);
    case 'palette':
      return paletteBody(state, area);
    case 'groupPick':
    case 'columnPick':
      return pickerBody(state, overlay, area);
    case 'queryForm':
      return formBody(state, overlay, area);
    case 'copyMenu':
      return copyMenuBody(state, overlay, area);
    case 'exportMenu':
      return exportMenuBody(state, overlay, area);
    case 'marks':
      return markListBody(state, overlay, area);
    case 'viewList':
      return viewListBody(state, overlay, area);
    case 'finding':
      return findingBody(state, overlay, area);
    case 'how':
      return howBody(state, overlay, area);
    case 'requests':
      return requestsBody(state, overlay, area);
    case 'plain':
      return plainBody(state, plainOnTop(state), area);
    case 'topValues':
      if (!hasValuesBeside(state)) return valuesPanel(state, area);
      break;
    default:
  }
  const below = rowsBelow(state);
  const height = area.height - below;
  const { body } = paintingOf(view);
  if (typeof body !== 'function') return null;
  const list = body(state, view, { ...area, columns: listColumns(state), height });
  if (below > 0) return [...padLines(list, height), ...detailPanel(state, { ...area, height: below })];
  return panelColumns(state) === 0 ? list : withPanel(state, list, area);
}

/** A list with its panel. */
function withPanel(state: State, list: readonly string[], { height, look }: Area): string[] {
  const columns = panelColumns(state);
  const detail = hasDetailBeside(state) ? valuesHeight(state) + valuesTitle(state) : height;
  const values = hasValuesBeside(state) ? detail : 0;
  const panel = [
    ...(values > 0 ? valuesPanel(state, { columns, height: values, look }) : []),
    ...(height > values ? detailPanel(state, { columns, height: height - values, look }) : []),
  ];
  return padLines(list, height).map(
    (line, at) => filled(line, listColumns(state)) + look.paint('dim', look.glyph.beside) + (panel[at] ?? ''),
  );
}

/**
 * The commands of the view beneath, by what a user wants; the edited line narrows them, and Enter runs the one under
 * the cursor.
 */
function helpBody(state: State, overlay: Extract<Overlay, { kind: 'help' }>, area: Area): string[] {
  const lines = helpLines(state, overlay.find);
  const room = area.height - 1;
  const commands = [...new Set(lines.flatMap((line) => (line.kind === 'command' ? [line.command] : [])))];
  const chosen = commands[overlay.cursor];
  const end = lines.findLastIndex((line) => line.kind === 'command' && line.command === chosen);
  // The first command brings the lines before it.
  const top = overlay.cursor === 0 ? 0 : clamp(end - room + 1, 0, Math.max(0, lines.length - room));
  const place = commands.length === 0 ? '' : ` ${overlay.cursor + 1}/${commands.length}`;
  const shown = lines.slice(top, top + room).map((line) => helpText(line, chosen, area));
  if (lines.length === 0)
    shown.push(textLine(' no command has these words; Esc leaves the help', area, 'dim'));
  return [headerLine(`WHAT CAN BE DONE in ${PLACE_TITLES[viewPlace(state)]}`, area, place), ...shown];
}

/** How the figures of the view beneath are computed. */
function howBody(state: State, place: ListPlace, area: Area): string[] {
  const line = (text: string, isCursor: boolean) => listLine(inSigns(text, area.look), isCursor, area);
  return [
    headerLine(`HOW THE FIGURES COME ABOUT in ${PLACE_TITLES[viewPlace(state)]}`, area),
    ...listLines(howLines(state), place, listHeight(state), line),
  ];
}

function helpText(line: HelpLine, chosen: CommandId | undefined, area: Area): string {
  const { columns, look } = area;
  switch (line.kind) {
    case 'text':
      return ` ${look.paint('key', fit(line.text, columns - 1))}`;
    case 'group':
      return look.paint('title', fit(` ${line.group}`, columns));
    case 'command': {
      const { keys, word } = helpCells(columns);
      const isFirst = line.keys !== '' || line.word !== '';
      const left = keys > 0 ? `${fit(line.keys, keys)} ${fit(line.word, word)}` : fit(line.word, word);
      return listLine(`${left} ${line.does}`, line.command === chosen && isFirst, area);
    }
  }
}

/** Cells of the key beside a command, and lines kept for a text that the list truncates. */
const PALETTE_KEY = 7;
const PALETTE_TOLD = 2;

/** Cells of a command with its argument, and in a narrow window of its word. */
const PALETTE_WORDS = { wide: 26, narrow: 16 };
const NARROW = 60;

/** The offers of the command line. None is marked until an arrow chooses it: Enter runs only what is typed. */
function paletteBody(state: State, area: Area): string[] {
  const { columns, height } = area;
  const offers = paletteOffers(state);
  const chosen = paletteChosen(state, offers);
  const usage = paletteUsage(state);
  const isNarrow = columns < NARROW;
  const line = ({ label, key, help }: Offer) => {
    const text = isNarrow && usage === null ? (label.split(' ')[0] ?? '') : label;
    const words = fit(
      sanitise(text, 'strict', PALETTE_WORDS.wide),
      PALETTE_WORDS[isNarrow ? 'narrow' : 'wide'],
    );
    const beside = usage === null ? `${fit(key, PALETTE_KEY)} ` : '';
    return `${words} ${beside}${sanitise(help, 'strict', columns * PALETTE_TOLD)}`;
  };
  const isCut = offers.some((offer) => line(offer).length + 1 > columns);
  const under = offers[chosen];
  // A truncated text of the chosen line stands whole below the list.
  const told = isCut && under ? toldUnder(under, columns) : [];
  const rows = Math.max(1, height - 1 - (isCut ? PALETTE_TOLD : 0));
  const top = clamp(chosen - rows + 1, 0, Math.max(0, offers.length - rows));
  const title = usage ?? 'COMMANDS OF THIS VIEW';
  const how = isNarrow ? '' : 'Tab completes, arrows choose, Enter runs ';
  const lines = [headerLine(title, area, how)];
  const offerLine = (offer: Offer, isCursor: boolean) =>
    listLine(line(offer), isCursor, area, offer.acts ? 'text' : 'dim');
  lines.push(...listLines(offers, { cursor: chosen, top }, rows, offerLine));
  if (offers.length === 0) {
    const none = usage === null ? 'no command begins so; :help lists them' : 'nothing to complete';
    lines.push(textLine(` ${none}`, area, 'dim'));
  }
  return [...padLines(lines, height - told.length), ...told.map((text) => textLine(text, area, 'dim'))];
}

/** A whole offer, as far as its lines go; in a narrow window the list has only its first word. */
function toldUnder({ label, help }: Offer, columns: number): string[] {
  const text = columns < NARROW ? `${label}  ${help}` : help;
  return wrapText(`  ${sanitise(text, 'strict', columns * PALETTE_TOLD)}`, columns - 1).slice(
    0,
    PALETTE_TOLD,
  );
}

/** Cells of the names before what they mean. */
const PICKED_CELLS = 14;

/** A list to choose several from; what is narrowed away stays chosen. */
function pickerBody(state: State, picker: Picker, area: Area): string[] {
  const { columns, look } = area;
  const { label, help = () => '' } = PICKERS[picker.kind][picker.subject];
  const { isOrdered, keys } = PICKING[picker.kind];
  const { chosen, find } = picker;
  const by = chosen.map((id) => label(id)).join(', then ');
  const name = !isOrdered ? 'COLUMNS' : by === '' ? 'GROUP BY' : `by ${by}`;
  const title = find === '' ? name : `${name}  /${sanitise(find, 'strict', columns)}`;
  const lines = [look.paint('header', fitWords(` ${title}`, columns, look.glyph.cut))];
  const items = pickerItems(picker);
  const line = (id: string, isCursor: boolean) => {
    const order = chosen.indexOf(id);
    const mark = order < 0 ? ' ' : isOrdered ? String(order + 1) : 'x';
    const picked = fit(label(id), PICKED_CELLS, 'left', look.glyph.cut);
    return listLine(`[${mark}] ${picked} ${help(id)}`, isCursor, area);
  };
  lines.push(...listLines(items, picker, listHeight(state), line));
  if (items.length === 0) lines.push(textLine('   nothing has this text; / and Esc show all', area, 'dim'));
  return [...lines, look.paint('dim', fitWords(`   ${keys}`, columns, look.glyph.cut))];
}

/** The whole screen as bare text: rows with their whole path, address and agent, wrapped. `rows`: not sanitised yet. */
function plainBody(state: State, rows: readonly string[], { columns, height, look }: Area): string[] {
  const given = state.overlay?.kind === 'plain' ? state.overlay.text : null;
  // A given text was escaped when it was offered, and is shown as it was copied.
  const texts = given === null ? rows.map((text) => sanitise(text, 'strict')) : [given];
  const lines = texts.flatMap((text) => wrapped(text, columns));
  // The newest rows at the live end; a paused reader stands on the row chosen.
  const isLive = topOf(state, 'log')?.paused === false && given === null;
  const shown = isLive ? lines.slice(-(height - 1)) : lines.slice(0, height - 1);
  const more = lines.length > shown.length ? `${lines.length - shown.length} more lines do not fit; ` : '';
  return [...padLines(shown, height - 1), look.paint('dim', fit(`${more}any key returns`, columns))];
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < Math.max(1, text.length); at += columns)
    lines.push(fit(text.slice(at, at + columns), columns));
  return lines;
}

/** Cells of a time of today, and the width from which wait and bytes have room. */
const TIME_CELLS = 8;
const WIDE_FROM = 100;

/**
 * The requests to the API and to a store, newest last: method, path, status, wait for the quota, time. No secret is
 * in it.
 */
function requestsBody(state: State, place: ListPlace, area: Area): string[] {
  const { requests } = state;
  if (requests.length === 0) return [area.look.paint('dim', ' nothing was asked of the API yet')];
  return [
    area.look.paint('dim', fitWords(` ${totalsOf(state)}`, area.columns, area.look.glyph.cut)),
    ...itemLines(columnsOf(state, area), requests, place, requestsHeight(state), state, area),
  ];
}

/** The totals of the session, and how many requests are listed; an unanswered one counts in no other figure. */
function totalsOf({ requests, requestTotals }: State): string {
  const { asked, ok, cancelled, failed, waited } = requestTotals;
  const open = asked - ok - cancelled - failed;
  return [
    `${counted(asked, 'request')} of this session${asked > requests.length ? `, the last ${count(requests.length)} listed` : ''}: ${count(ok)} ok`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(cancelled > 0 ? [`${count(cancelled)} cancelled`] : []),
    ...(open > 0 ? [`${count(open)} under way`] : []),
    `${bytes(requestTotals.bytes)} read`,
    ...(waited > 0 ? [`waited ${duration(waited)} for the quota`] : []),
  ].join(', ');
}

function columnsOf(state: State, { columns, look }: Strip): ItemColumn<RequestEvent, State>[] {
  const isWide = columns >= WIDE_FROM;
  const today = todayOf(state, look);
  const isDated = state.requests.some(({ at }) => timeText(at, today, look).length > TIME_CELLS);
  const time = timeCells(columns, isDated);
  const right = { cells: 6, align: 'right' } as const;
  const waited = ({ waited: pause }: RequestEvent) => (pause > 0 ? duration(pause) : '');
  const read = (event: RequestEvent) => (event.bytes === null ? '' : bytes(event.bytes));
  const took = (event: RequestEvent) =>
    event.took === null ? '' : event.took < 1 ? '<1ms' : duration(event.took);
  return [
    { title: 'TIME', cells: time, text: ({ at }) => timeCell(at, time, today, look) },
    { title: 'ASKED', cells: 10, most: Infinity, text: ({ method, path }) => `${method} ${path}` },
    { title: 'STATUS', cells: 15, text: (event, { now }) => statusWords(event, now) },
    ...(isWide ? [{ title: 'WAITED', ...right, text: waited }] : []),
    { title: 'TOOK', ...right, text: took },
    ...(isWide ? [{ title: 'BYTES', ...right, cells: 5, text: read }] : []),
  ];
}

function statusWords({ phase, wait, status, outcome, rows, strays }: RequestEvent, now: number): string {
  const waiting = wait === null ? 'waiting' : waitWords(wait, now);
  const how = phase === 'waiting' ? waiting : phase === 'sent' ? 'under way' : strays ? '' : (outcome ?? '');
  return joined(
    [
      String(status ?? ''),
      how,
      rows === undefined ? '' : `${shortCount(rows)} rows`,
      strays ? `${shortCount(countOfStrays(strays))} strays` : '',
    ],
    ' ',
  );
}
