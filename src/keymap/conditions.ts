import { clientUnder } from '../across/questions/question-keys.ts';
import { ruleUnder } from '../across/questions/rule-questions.ts';
import type { CommandId } from '../keys/bindings.ts';
import type { KeyScope } from '../keys/places.ts';
import { queryOnTop, screenOf } from '../screens/screens.ts';
import type { State } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';

/**
 * Why a command can do nothing now, or `true`: it is not worth its hint. A view's own reasons stand in its `Screen`;
 * other commands always act.
 */
const CONDITIONS: Partial<Record<CommandId, (state: State) => string | boolean>> = {
  findNext: needsSearch,
  findPrevious: needsSearch,
  bypassCheck: (state) => typeof clientUnder(state) === 'string',
  blastRadius: needsRule,
  marks: ({ handover }) =>
    handover.marks.size === 0 && 'no row is marked yet: :mark marks the one under the cursor',
  findToFilter: needsSearch,
  dropFilter: needsFilter,
  dropFilters: needsFilter,
  editSettings: ({ mayWrite }) => !mayWrite && 'this session is read-only: start edgescope with --write',
  export: ({ handover }) =>
    handover.exporting !== null && 'a file is being written; Esc cancels it, then :export again',
  exit: beingWritten,
};

/** The place of the view on top. */
export function viewPlace(state: State): KeyScope {
  const view = topView(state);
  return screenOf(view).place?.(view) ?? view.kind;
}

/** Why a command can do nothing just now; null = it can. */
export function whyIdle(state: State, command: CommandId): string | null {
  const why = idleOf(state, command);
  return typeof why === 'string' ? why : null;
}

/** Whether a hint is of no use just now: the line of hints is short. */
export function isHintIdle(state: State, command: CommandId): boolean {
  const why = idleOf(state, command);
  return typeof why === 'string' || (why === true && state.overlay === null);
}

function idleOf(state: State, command: CommandId): string | boolean {
  const view = topView(state);
  return screenOf(view).idle?.[command]?.(state, view) || (CONDITIONS[command]?.(state) ?? false);
}

function needsRule(state: State): string | boolean {
  const rule = ruleUnder(state);
  return typeof rule === 'string' && rule;
}

function needsSearch(state: State): string | boolean {
  const view = topView(state);
  return !screenOf(view).search?.sought(view) && 'nothing has been searched for yet: / searches';
}

function beingWritten({ storage, handover }: State): string | boolean {
  if (storage.job !== null) return 'a change of a storage zone is under way; :q! leaves without its verdict';
  return handover.exporting !== null && 'a file is being written; :q! leaves it unwritten';
}

/** Lists whose filters do not select rows. */
const OWN_ROWS: readonly string[] = ['queryForm', 'marks', 'viewList'];

function needsFilter(state: State): string | boolean {
  if (OWN_ROWS.includes(state.overlay?.kind ?? '')) return false;
  return queryOnTop(state)?.query.terms.length === 0 && 'there is no filter to drop';
}
