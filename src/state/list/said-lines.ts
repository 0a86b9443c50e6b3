import { fitWords, wrapText } from '../../text/fit.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { type Notice, type State, shownRemark } from '../model.ts';

/** What is told at the foot of the screen whole: a mistake in the line that is edited, the answer to a key, or a remark. */
type Said = { tone: Notice['tone']; lines: string[] };

/** Signs of a sentence that are told: a mistake quotes what was pasted, and a failure what a server wrote. */
const MOST_SIGNS = 400;

/** Rows of the screen that stay for other things: the title, a list of two, and the line that is edited. */
const OTHER_ROWS = 5;

/** What is to be said, broken between words into lines of the screen; null = nothing. */
export function saidOf(state: State): Said | null {
  const { columns, rows } = state.size;
  const mistake = state.prompt?.error;
  const said: Notice | null = mistake
    ? { tone: 'error', text: `${mistake.message}; ${mistake.hint}` }
    : (state.notice ?? remarkOf(state));
  if (said === null) return null;
  const lines = wrapText(` ${sanitise(said.text, 'text', MOST_SIGNS)}`, columns);
  const most = Math.max(1, rows - OTHER_ROWS);
  const last = lines[most - 1];
  if (lines.length > most && last !== undefined)
    lines.splice(most - 1, Infinity, fitWords(`${last} ...`, columns, '...'));
  return { tone: said.tone, lines };
}

function remarkOf(state: State): Notice | null {
  const shown = shownRemark(state);
  if (shown === null) return null;
  const waiting = state.remarks.length - 1;
  return { tone: shown.tone, text: `${waiting > 0 ? `(1 of ${count(waiting + 1)}) ` : ''}${shown.remark}` };
}
