import { exportWords } from '../across/handover/export-menu.ts';
import { brushAside, brushLine } from '../across/timeline/painting/brush-words.ts';
import { hints } from '../keymap/resolve.ts';
import { cut, NO_ASIDE, stripped } from '../paint/row.ts';
import type { Look, ThemeSlot, Words } from '../paint/theme.ts';
import { paintingOf } from '../screens/screens.ts';
import { saidOf } from '../state/list/said-lines.ts';
import type { Notice, State } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';
import { watchWords } from '../state/watching.ts';
import { fit, fitWords } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';

const TONE_SLOTS = {
  info: 'accent',
  warning: 'warning',
  error: 'error',
} as const satisfies Record<Notice['tone'], ThemeSlot>;

/** The last lines: what there is to say, whole, or the keys that matter here. Over a line that is edited, only the first. */
export function bottomLines(state: State, look: Look): string[] {
  const said = saidOf(state);
  if (said !== null)
    return said.lines.map((line) => look.paint(TONE_SLOTS[said.tone], fit(line, state.size.columns)));
  return state.prompt === null ? [statusOf(state, look)] : [];
}

/** What goes on, or the keys that matter. */
function statusOf(state: State, look: Look): string {
  const { columns } = state.size;
  const status = pressingOf(state);
  if (status) return look.paint(status.slot, fitWords(` ${status.text}`, columns, look.glyph.cut));
  const view = topView(state);
  // Where the line under the title tells of the timeline, this one has its keys.
  const ofBrush = brushLine(state, look) === null ? brushAside(state, look) : NO_ASIDE;
  const aside = ofBrush ?? paintingOf(view).aside(state, view);
  const watch = state.watching ? watchWords(state.watching) : '';
  const until = cut(watch, Math.min(watch.length, columns >> 1), look);
  let line = aside.text === '' ? ' ' : ` ${look.paint(aside.slot, aside.text)}  `;
  if (until !== '') line += `${look.paint('accent', until)}  `;
  let room = columns - stripped(line).length;
  let between = '';
  for (const { key, word } of hints(state)) {
    const length = between.length + key.length + 1 + word.length;
    if (room < length) break;
    line += `${between}${look.paint('key', key)} ${look.paint('dim', word)}`;
    room -= length;
    between = '  ';
  }
  return line;
}

/** What takes the whole line but for a notice, the most pressing of it; null = nothing. */
function pressingOf(state: State): Words | null {
  const { watching } = state;
  const { columns } = state.size;
  const clean = (text: string) => sanitise(text, 'text', columns * 2);
  if (watching?.told) return { slot: 'warning', text: clean(watching.told) };
  const { exporting } = state.handover;
  if (exporting) return { slot: 'accent', text: clean(exportWords(exporting)) };
  const view = topView(state);
  const trouble = paintingOf(view).trouble(state, view, columns - 1);
  return trouble === null ? null : { slot: 'warning', text: trouble };
}
