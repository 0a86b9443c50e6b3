import { valuesOpened } from '../across/beside/top-values.ts';
import { copyMenuOpened } from '../across/handover/copy-menu.ts';
import { exportCancelled, exportMenuOpened } from '../across/handover/export-menu.ts';
import { markListOpened, markToggled } from '../across/handover/mark-list.ts';
import { findingOpened } from '../across/handover/note-entry.ts';
import { panelOpened } from '../across/handover/panel-page.ts';
import { viewListOpened } from '../across/handover/view-list.ts';
import { formOfPrompt, formOpened } from '../across/input/form.ts';
import { PROMPTS } from '../across/input/prompts.ts';
import { toLogs, toShield } from '../across/neighbours.ts';
import { QUESTION_KEYS, questioned } from '../across/questions/question-keys.ts';
import { brushOpened, selectionBegun, seriesChanged, timelineResized } from '../across/timeline/brush.ts';
import { type CommandId, TOGGLES, type Toggle } from '../keys/bindings.ts';
import { eachOpener } from '../lists/account-lists.ts';
import { explored } from '../screens/explorer.ts';
import { stoppedToChoose } from '../screens/log/log-commands.ts';
import { savedRefusal } from '../screens/log/saved.ts';
import { queryOnTop, screenOf } from '../screens/screens.ts';
import { lookingStopped } from '../screens/zones/zones-screen.ts';
import { columnsOf, openList, pageAsked, sidewaysOf } from '../state/list/list-screen.ts';
import { type Acted, asStep, type Done, type Step } from '../state/messages.ts';
import { mouseTaken, noticed, type State, toggled } from '../state/model.ts';
import type { ColumnUnder } from '../state/screen.ts';
import { unwound } from '../state/sessions/session.ts';
import { topOf, topView, withTop } from '../state/view-stack.ts';
import { watchDismissed, watchEnded } from '../state/watching.ts';
import { width } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { OVERLAYS, overlayCommanded } from './overlays.ts';

/** What a command does everywhere; null: nothing. */
type Global = (state: State, command: CommandId) => Acted;

/** Commands of the program, which nothing on screen handles. */
const OF_PROGRAM: Partial<Record<CommandId, Global>> = {
  exit: left,
  quit: left,
  redraw: (state) => [state, [{ type: 'redraw' }]],
  suspend: (state) => [state, [{ type: 'suspend' }]],
};

/** Commands that mean the same in every view without one of that name. */
const GLOBAL: Partial<Record<CommandId, Global>> = {
  ...PROMPTS,
  ...OVERLAYS,
  ...each(QUESTION_KEYS, (state, command) => questioned(state, command)),
  ...each(Object.keys(TOGGLES) as Toggle[], toggled),
  mouse: (state) => mouseTaken(state, !state.hasMouse),
  ...each(['scrollLeft', 'scrollRight'], scrolledSideways),
  leave: (state) => back(state, false),
  back: (state) => back(state, true),
  zonesScreen: (state) => unwound(state, 1),
  logsScreen: toLogs,
  shieldScreen: toShield,
  ...eachOpener((kind) => (state: State) => openList(state, kind)),
  timeline: brushOpened,
  selectLeft: selectionBegun,
  selectRight: selectionBegun,
  topValues: valuesOpened,
  timelineSize: timelineResized,
  timelineSeries: seriesChanged,
  copy: copyMenuOpened,
  export: (state) => exportMenuOpened(state, 'view'),
  mark: markToggled,
  marks: markListOpened,
  panel: panelOpened,
  tell: watchEnded,
  savedViews: viewListOpened,
  note: findingOpened,
  switchForm: (state) => {
    const own = queryOnTop(state);
    return own && formOpened(state, own.query);
  },
};

/** What Esc removes before it goes back, one thing at a time; null: it is not there. */
const TAKEN_BY_ESC: readonly Global[] = [
  watchDismissed,
  (state) => (state.handover.exporting ? exportCancelled(state) : null),
  lookingStopped,
];

/** What a command does in the overlay, in the view, or everywhere, in this order. */
export function commanded(state: State, command: CommandId): Step {
  const { overlay, prompt } = state;
  const done =
    OF_PROGRAM[command]?.(state, command) ??
    (prompt !== null && command === 'switchForm' ? formOfPrompt(state) : null) ??
    (overlay === null ? inView(state, command) : overlayCommanded(state, overlay, command)) ??
    GLOBAL[command]?.(state, command) ??
    state;
  return asStep(done);
}

function inView(state: State, command: CommandId): Acted {
  if (command === 'leave')
    for (const take of TAKEN_BY_ESC) {
      const taken = take(state, command);
      if (taken) return taken;
    }
  const refusal = savedRefusal(state, command);
  if (refusal !== null) return noticed(state, 'info', refusal);
  const view = topView(state);
  return screenOf(view).commands(state, view, command) ?? explored(state, command);
}

/** One step back. `q` at the root quits, Esc never does. */
function back(state: State, mayQuit: boolean): Done {
  if (state.views.length > 1) {
    const next = unwound(state, state.views.length - 1);
    const isEmptyPicker = topOf(next, 'zones') !== null && next.zones.items.length === 0;
    return isEmptyPicker ? pageAsked(next, 'zones', 1) : next;
  }
  return mayQuit ? left(state) : noticed(state, 'info', 'already at the first screen; q quits');
}

function left(state: State): Step {
  return [{ ...state, leaving: true }, [{ type: 'quit' }]];
}

/** The same function for each of these commands. */
function each<Id extends CommandId>(
  commands: readonly Id[],
  act: (state: State, command: Id) => Acted,
): Partial<Record<CommandId, Global>> {
  return Object.fromEntries(commands.map((id) => [id, (state: State) => act(state, id)])) as Partial<
    Record<CommandId, Global>
  >;
}

/** Scrolls the column under the cursor half its width to the right, up to its longest text on screen, or back. */
function scrolledSideways(state: State, command: CommandId): State | null {
  const view = topView(state);
  const { columns } = screenOf(view);
  if (!columns) return null;
  const stopped = stoppedToChoose(state, 'the arrows choose the column, then the key again');
  if (stopped) return stopped;
  const column = columns.under(state, view);
  if (!column) return noticed(state, 'info', 'this column is not on screen; the arrows choose another');
  const { id, title } = column;
  const ids = columns.ids(state, view);
  const before = sidewaysOf(state, view, () => ids);
  const from = before?.column === id ? before.cells : 0;
  const half = Math.max(1, column.width >> 1);
  if (command === 'scrollLeft' && from === 0) return noticed(state, 'info', `${title} is at its beginning`);
  const to = command === 'scrollLeft' ? from - half : Math.min(from + half, lastCell(column, from + half));
  if (command !== 'scrollLeft' && to <= from) {
    const text = from === 0 ? `no ${title} on screen is cut` : `the longest ${title} on screen ends here`;
    return noticed(state, 'info', text);
  }
  const sideways = to > 0 ? { column: id, cells: to, among: columnsOf(state, view, ids) } : undefined;
  const scrolled = { ...view, sideways };
  return withTop(state, scrolled);
}

/** The cell from which the longest text fits, measured no further than `from` needs. */
function lastCell({ width: room, texts }: ColumnUnder, from: number): number {
  const most = from + room;
  const longest = texts.reduce(
    (max, text) => Math.max(max, width(sanitise((text ?? '').slice(0, most), 'strict'))),
    0,
  );
  return longest - room;
}
