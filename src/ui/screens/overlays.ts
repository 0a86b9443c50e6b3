import { COLUMN_IDS, LOG_COLUMNS } from '../../domain/logs/columns.ts';
import { viewPlace } from '../../keymap/bindings.ts';
import { HELP_CELLS, type HelpLine, helpLines } from '../../keymap/help.ts';
import { type Offer, paletteChosen, paletteOffers, paletteUsage } from '../../keymap/palette.ts';
import { PLACE_TITLES } from '../../keymap/place-titles.ts';
import { listHeight } from '../../state/layout.ts';
import { clamp } from '../../state/list.ts';
import type { Overlay, State } from '../../state/model.ts';
import { fieldTitle, GROUP_FIELDS } from '../../state/overlays.ts';
import { fit } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { fitWords, wrapText } from '../../text/wrap.ts';
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

/** Cells of the key beside a command, and the lines kept for a text that the list cuts. */
const PALETTE_KEY = 7;
const PALETTE_TOLD = 2;

/** Cells of a command with what it takes, and in a narrow window of its word alone. */
const PALETTE_WORDS = { wide: 26, narrow: 16 };
const NARROW = 60;

/** What could stand in the command line. Nothing is marked before an arrow chose it, because nothing else runs but what is typed. */
export function paletteBody(state: State, look: Look, height: number): string[] {
  const { columns } = state.size;
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
  const listed = Math.max(1, height - 1 - (isCut ? PALETTE_TOLD : 0));
  const top = clamp(chosen - listed + 1, 0, Math.max(0, offers.length - listed));
  const title = usage ?? 'COMMANDS OF THIS VIEW';
  const how = isNarrow ? '' : 'Tab completes, arrows choose, Enter runs ';
  const lines = [look.paint('header', fit(` ${title}`, columns - how.length) + how)];
  offers.slice(top, top + listed).forEach((offer, index) => {
    const slot = offer.acts ? 'text' : 'dim';
    lines.push(listLine(line(offer), top + index === chosen, columns, look, slot));
  });
  if (offers.length === 0) {
    const none = usage === null ? 'no command begins so; :help lists them' : 'nothing to complete';
    lines.push(look.paint('dim', fit(` ${none}`, columns)));
  }
  const list = padLines(lines, columns, height - told.length);
  return [...list, ...told.map((text) => look.paint('dim', fit(text, columns)))];
}

/** An offer whole, as far as the lines for it go; in a narrow window the list has only the first word of it. */
function toldUnder({ label, help }: Offer, columns: number): string[] {
  const text = columns < NARROW ? `${label}  ${help}` : help;
  return wrapText(`  ${sanitise(text, 'strict', columns * PALETTE_TOLD)}`, columns - 1).slice(
    0,
    PALETTE_TOLD,
  );
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
  lines.push(
    look.paint(
      'dim',
      fitWords('   Space chooses in order, Enter groups, Esc leaves', columns, look.glyph.cut),
    ),
  );
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
  lines.push(
    look.paint(
      'dim',
      fitWords('   Space chooses, Enter shows them, Esc leaves it as it was', columns, look.glyph.cut),
    ),
  );
  return padLines(lines, columns, height);
}
