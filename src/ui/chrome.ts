import { isTooSmall, layoutOf } from '../state/layout.ts';
import { type State, topView } from '../state/model.ts';
import { bottomLines } from './bottom-line.ts';
import { markLine } from './components/prompt-line.tsx';
import { footLineWithClock, queryLineWithClock } from './evidence-line.ts';
import { cutLine } from './row.ts';
import { headLine, queryLine } from './screens.ts';
import type { Look } from './theme.ts';
import { titleLine } from './title-line.ts';

/** Lines around the body, the first of them in row `y` of the screen. */
type ChromePart = { y: number; lines: string[] };

/**
 * The lines above and below the body. They go past React to the cell writer as the body does: they change with what
 * arrives, and a layout of the whole tree costs more than all of them. A line that is being edited is Ink's.
 */
export function chromeLines(state: State, look: Look): { head: ChromePart; foot: ChromePart } {
  const { columns, head, foot, body, bottom } = layoutOf(state);
  const isSmall = isTooSmall(state);
  const above = [titleLine, head > 2 ? headLine : onlyLine, queryLineWithClock].slice(0, isSmall ? 0 : head);
  const isCovered = body.y + body.height > bottom;
  const end = bottom + (state.prompt === null && !isCovered ? 1 : 0);
  const rows = isCovered ? 0 : end - bottom + (isSmall ? 0 : foot);
  const below = rows === 0 ? [] : bottomLines(state, look);
  if (rows > 0 && state.prompt?.error) below.push(markLine(state.prompt, columns, look));
  if (below.length < rows) below.unshift(footLineWithClock(state, look));
  const painted = (lines: readonly string[]) => lines.map((line) => cutLine(line, columns, look));
  return {
    head: { y: 0, lines: painted(above.map((line) => line(state, look))) },
    foot: { y: end - rows, lines: painted(below.slice(0, rows)) },
  };
}

/** Where there is room for one line: a filter must not hide rows unseen, so it goes before the rates. */
function onlyLine(state: State, look: Look): string {
  const view = topView(state);
  return 'query' in view && view.query.terms.length > 0 ? queryLine(state, look) : headLine(state, look);
}
