import { type State, topView } from '../state/model.ts';
import { fit, width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { screenOf } from './screens.ts';
import type { Look } from './theme.ts';

/** The first line: where the user is, and how the tail stands. */
export function titleLine(state: State, look: Look): string {
  const crumbs = state.views.map((view, index) => screenOf(view).crumb(state, view, index));
  const onTop = topView(state);
  const start = ` edgescope${state.demo ? ' demo' : state.replayed ? ' replay' : ''} ${look.glyph.crumb} `;
  const badge = screenOf(onTop).badge(state, onTop);
  const text = sanitise(badge.text, 'text', 60);
  const room = Math.max(0, state.size.columns - width(text) - 2);
  const left = start + shortened(crumbs, room - width(start), look);
  return `${look.paint('title', fit(left, room, 'left', look.glyph.cut))} ${look.paint(badge.slot, text)} `;
}

/** A long way loses its middle first: where it began and where it led say most. */
function shortened(crumbs: readonly string[], room: number, look: Look): string {
  const joint = ` ${look.glyph.crumb} `;
  const all = crumbs.join(joint);
  for (let gone = 1; width(all) > room && gone < crumbs.length - 2; gone++) {
    const text = [...crumbs.slice(0, 1), look.glyph.cut, ...crumbs.slice(1 + gone)].join(joint);
    if (width(text) <= room) return text;
  }
  return all;
}
