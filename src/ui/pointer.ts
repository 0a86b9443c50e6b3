import { eventFields } from '../domain/shield/shield-rows.ts';
import type { MouseReport } from '../keymap/chord.ts';
import { viewPlace } from '../keymap/conditions.ts';
import { hints, resolve } from '../keymap/resolve.ts';
import { BINDINGS } from '../keys/bindings.ts';
import { update } from '../loop/update.ts';
import { stripped } from '../paint/row.ts';
import type { Look } from '../paint/theme.ts';
import { shieldTop } from '../screens/shield/shield-ask.ts';
import { GUTTER, isTooSmall, layoutOf, listColumns, saidOf } from '../state/list/screen-layout.ts';
import type { Action } from '../state/messages.ts';
import type { State } from '../state/model.ts';
import type { PromptKind } from '../state/prompt-kind.ts';
import { topView } from '../state/view-stack.ts';
import { width } from '../text/fit.ts';
import { bodyLines } from './body.ts';
import { bottomLines } from './chrome.ts';

/** Rows of a notch of the wheel. */
const NOTCH = 3;

/** Lists that an edited line drives; in all other lines a click would be an answer that nobody typed. */
const LISTING: readonly PromptKind[] = ['palette', 'help', 'listFind'];

/**
 * What the mouse does, as the keys that do it. What stands on the screen is the only table of places: no screen says where it
 * painted what.
 */
export function pointed(state: State, look: Look, { does, x, y }: MouseReport): Action[] {
  const { overlay, prompt } = state;
  const isElsewhere = overlay?.kind === 'plain' || (prompt !== null && !LISTING.includes(prompt.kind));
  if (!state.hasMouse || isElsewhere || isTooSmall(state)) return [];
  if (does === 'wheelUp') return new Presses(state).press('Up', NOTCH).actions;
  if (does === 'wheelDown') return new Presses(state).press('Down', NOTCH).actions;
  if (does !== 'press') return [];
  const { head, timeline, body, bottom } = layoutOf(state);
  if (y === bottom && prompt === null) return hintPressed(state, look, x);
  if (y < head && y >= head - timeline)
    return prompt === null && x >= GUTTER ? [{ type: 'stepPointed', cell: x - GUTTER }] : [];
  if (y < body.y || y >= body.y + body.height || x >= listColumns(state)) return [];
  const isSorted = overlay === null && BINDINGS.sort.where.includes(viewPlace(state));
  return y === body.y && isSorted ? titlePressed(state, look, x) : linePressed(state, look, y);
}

/** Presses of keys, and the state that each finds. */
class Presses {
  readonly actions: Action[] = [];
  state: State;

  constructor(state: State) {
    this.state = state;
  }

  press(chord: string, times = 1): this {
    for (let n = 0; n < times; n++) this.act(resolve(this.state, chord));
    return this;
  }

  act(action: Action): this {
    this.actions.push(action);
    [this.state] = update(this.state, action, this.state.now);
    return this;
  }
}

/** Lines that no cursor stands on are stepped over, so that the first try may be off by some. */
const TRIES = 4;

/** The cursor to this line of the screen; on the line where it is already, what Enter does. */
function linePressed(state: State, look: Look, y: number): Action[] {
  if (cursorLine(state, look) === y) return [resolve(state, 'Enter')];
  const presses = new Presses(state);
  for (let n = 0; n < TRIES; n++) {
    const at = cursorLine(presses.state, look);
    if (at === y) break;
    // A live log has no cursor before it is paused, the command line none before an arrow.
    if (at === null) presses.press(topView(state).kind === 'log' && state.overlay === null ? 'Up' : 'Down');
    else presses.press(y > at ? 'Down' : 'Up', Math.abs(y - at));
  }
  return presses.actions;
}

function cursorLine(state: State, look: Look): number | null {
  const { y } = layoutOf(state).body;
  const lines = bodyLines(state, look);
  if (lines !== null) {
    const at = lines.findIndex((line) => stripped(line).startsWith(look.glyph.cursor));
    return at < 0 ? null : y + at;
  }
  // Ink draws the fields of one thing, a line each under their titles.
  const view = topView(state);
  if (view.kind === 'shieldEvent')
    return (
      y + 1 + view.cursor - shieldTop(state, view, eventFields(view.row, state.shield?.rules ?? null).length)
    );
  return 'top' in view ? y + 1 + view.cursor - view.top : null;
}

/** The hint at this cell. */
function hintPressed(state: State, look: Look, x: number): Action[] {
  const [line = ''] =
    saidOf(state) === null ? bottomLines(state, look).map((each) => stripped(each).trimEnd()) : [];
  const all = hints(state).map((hint) => ({ ...hint, text: `${hint.key} ${hint.word}` }));
  for (let shown = all.length; shown > 0; shown--) {
    const texts = all.slice(0, shown).map(({ text }) => text);
    if (!line.endsWith(texts.join('  '))) continue;
    let from = width(line) - width(texts.join('  '));
    for (const { text, command } of all.slice(0, shown)) {
      if (x >= from && x < from + text.length) return [{ type: 'commanded', command }];
      from += text.length + 2;
    }
    break;
  }
  return [];
}

/** More columns have no list. */
const MOST_SORTS = 16;

/** The list by the column with this title; by the one that it is sorted by already, the other way round. */
function titlePressed(state: State, look: Look, x: number): Action[] {
  const arrowOf = (of: State) => {
    const title = titleOf(of, look);
    return Math.max(title.indexOf(look.glyph.down), title.indexOf(look.glyph.up));
  };
  const title = titleOf(state, look);
  const presses = new Presses(state);
  // Where the arrow stands after so many presses.
  const arrows = [arrowOf(state)];
  for (let n = 1; n < MOST_SORTS; n++) {
    const arrow = arrowOf(presses.act({ type: 'commanded', command: 'sort' }).state);
    if (arrow === arrows[0]) break;
    arrows.push(arrow);
  }
  // A title ends below its arrow, behind single blanks alone; the order without an arrow has the first title.
  const behind = arrows.filter((arrow) => arrow >= x && !/ {2}/.test(title.slice(x, arrow)));
  const isFirst = !/ {2}/.test(title.slice(0, x + 1).trimStart());
  const wanted = behind.length > 0 ? Math.min(...behind) : isFirst ? -1 : null;
  const times = wanted === null || title[x] === ' ' ? -1 : arrows.indexOf(wanted);
  if (times < 0) return [{ type: 'refused', why: 'there is no order by this' }];
  return times === 0 ? [{ type: 'commanded', command: 'reverse' }] : presses.actions.slice(0, times);
}

function titleOf(state: State, look: Look): string {
  return stripped(bodyLines(state, look)?.[0] ?? '');
}
