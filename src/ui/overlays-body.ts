import { PICKERS, pickerItems } from '../across/input/pickers.ts';
import { viewPlace } from '../keymap/conditions.ts';
import { type HelpLine, helpCells, helpLines } from '../keymap/help.ts';
import { type Offer, paletteChosen, paletteOffers, paletteUsage } from '../keymap/palette.ts';
import type { CommandId } from '../keys/bindings.ts';
import { PLACE_TITLES } from '../keys/places.ts';
import { howLines } from '../loop/how.ts';
import { type Area, headerLine, listLine, listLines, padLines, textLine } from '../paint/row.ts';
import { listHeight } from '../state/list/layout.ts';
import { clamp, type ListPlace } from '../state/list.ts';
import type { Overlay, Picker, State } from '../state/model.ts';
import { fit, fitWords, wrapText } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';

/** What can be done in the view underneath, by what one wants; the line of text narrows it, and Enter does what is under the cursor. */
export function helpBody(state: State, overlay: Extract<Overlay, { kind: 'help' }>, area: Area): string[] {
  const lines = helpLines(state, overlay.find);
  const room = area.height - 1;
  const commands = [...new Set(lines.flatMap((line) => (line.kind === 'command' ? [line.command] : [])))];
  const chosen = commands[overlay.cursor];
  const end = lines.findLastIndex((line) => line.kind === 'command' && line.command === chosen);
  // With the first command stands what comes before it.
  const top = overlay.cursor === 0 ? 0 : clamp(end - room + 1, 0, Math.max(0, lines.length - room));
  const place = commands.length === 0 ? '' : ` ${overlay.cursor + 1}/${commands.length}`;
  const shown = lines.slice(top, top + room).map((line) => helpText(line, chosen, area));
  if (lines.length === 0)
    shown.push(textLine(' no command has these words; Esc leaves the help', area, 'dim'));
  return [headerLine(`WHAT CAN BE DONE in ${PLACE_TITLES[viewPlace(state)]}`, area, place), ...shown];
}

/** How the figures of the view underneath come about. */
export function howBody(state: State, place: ListPlace, area: Area): string[] {
  const line = (text: string, isCursor: boolean) => listLine(text, isCursor, area);
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

/** Cells of the key beside a command, and the lines kept for a text that the list cuts. */
const PALETTE_KEY = 7;
const PALETTE_TOLD = 2;

/** Cells of a command with what it takes, and in a narrow window of its word alone. */
const PALETTE_WORDS = { wide: 26, narrow: 16 };
const NARROW = 60;

/** What could stand in the command line. Nothing is marked before an arrow chose it, because nothing else runs but what is typed. */
export function paletteBody(state: State, area: Area): string[] {
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
  // Where a text is cut, that of the chosen line stands whole below the list.
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

/** An offer whole, as far as the lines for it go; in a narrow window the list has only the first word of it. */
function toldUnder({ label, help }: Offer, columns: number): string[] {
  const text = columns < NARROW ? `${label}  ${help}` : help;
  return wrapText(`  ${sanitise(text, 'strict', columns * PALETTE_TOLD)}`, columns - 1).slice(
    0,
    PALETTE_TOLD,
  );
}

/** Cells of the names before what they mean. */
const PICKED_CELLS = 14;

/** A list out of which some are chosen; what was narrowed away stays chosen. */
export function pickerBody(state: State, picker: Picker, area: Area): string[] {
  const { columns, look } = area;
  const { label, help, isOrdered, keys } = PICKERS[picker.kind];
  const { chosen, find } = picker;
  const by = chosen.map((id) => label(id)).join(', then ');
  const name = !isOrdered ? 'COLUMNS' : by === '' ? 'GROUP BY' : `by ${by}`;
  const title = find === '' ? name : `${name}  /${sanitise(find, 'strict', columns)}`;
  const lines = [look.paint('header', fitWords(` ${title}`, columns, look.glyph.cut))];
  const items = pickerItems(picker);
  const line = (id: string, isCursor: boolean) => {
    const order = chosen.indexOf(id);
    const mark = order < 0 ? ' ' : isOrdered ? String(order + 1) : 'x';
    return listLine(`[${mark}] ${fit(label(id), PICKED_CELLS)} ${help(id)}`, isCursor, area);
  };
  lines.push(...listLines(items, picker, listHeight(state), line));
  if (items.length === 0) lines.push(textLine('   nothing has this text; / and Esc show all', area, 'dim'));
  return [...lines, look.paint('dim', fitWords(`   ${keys}`, columns, look.glyph.cut))];
}
