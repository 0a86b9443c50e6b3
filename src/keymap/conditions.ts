import type { CommandId } from '../keys/bindings.ts';
import type { KeyScope } from '../keys/places.ts';
import { isDrilled, WINDOW_BELOW } from '../state/logs/session.ts';
import type { State } from '../state/model.ts';
import { waysOf } from '../state/questions/answer-model.ts';
import { clientUnder } from '../state/questions/questions.ts';
import { ruleUnder } from '../state/questions/rule-questions.ts';
import { screenOf } from '../state/screens.ts';
import { topView } from '../state/view-stack.ts';

type Condition = {
  /** Where the hint is of no use just now though the key acts: the line of hints is short. */
  isHintIdle?: (state: State) => boolean;
  /** Why the key can do nothing just now; null = it can. */
  whyNot?: (state: State) => string | null;
};

/** When a command of the table of keys can do nothing, or is not worth its hint; the others always act. */
export const CONDITIONS: Partial<Record<CommandId, Condition>> = {
  last: { isHintIdle: (state) => paceOf(state) !== 'paused' },
  nextTable: { whyNot: needsTables },
  previousTable: { whyNot: needsTables },
  logsScreen: { whyNot: (state) => (state.session ? null : needsZone(state)) },
  findNext: { whyNot: needsSearch },
  findPrevious: { whyNot: needsSearch },
  shieldScreen: { whyNot: needsZone },
  missLens: { isHintIdle: (state) => paceOf(state) === 'paused' },
  bypassCheck: { isHintIdle: (state) => typeof clientUnder(state) === 'string' },
  blastRadius: { whyNot: needsRule },
  marks: {
    whyNot: ({ handover }) =>
      handover.marks.size > 0 ? null : 'no row is marked yet: M marks the one under the cursor',
  },
  findToFilter: { whyNot: needsSearch },
  filterIn: { isHintIdle: (state) => paceOf(state) === 'moving' },
  filterOut: { isHintIdle: (state) => paceOf(state) === 'moving' },
  dropFilter: { whyNot: needsFilter },
  dropFilters: { whyNot: needsFilter },
  chooseWindow: { whyNot: needsWholeLog },
  pause: {
    isHintIdle: (state) =>
      topView(state).kind === 'log' && state.overlay === null && paceOf(state) !== 'moving',
  },
  refresh: { isHintIdle: (state) => !isLeft(state) },
  editSettings: {
    whyNot: ({ mayWrite }) => (mayWrite ? null : 'this session is read-only: start edgescope with --write'),
  },
  export: {
    whyNot: (state) =>
      state.handover.exporting ? 'a file is being written; Esc cancels it, then e again' : null,
  },
  exit: { whyNot: beingWritten },
};

/** The place of the view on top. The form of an edit and what comes after it are places of their own. */
export function viewPlace(state: State): KeyScope {
  const view = topView(state);
  if (view.kind !== 'storageEdit') return view.kind;
  return view.stage.kind === 'editing' ? 'storageEdit' : 'storageChange';
}

/** Why a command can do nothing just now; null = it can. */
export function whyIdle(state: State, command: CommandId): string | null {
  return CONDITIONS[command]?.whyNot?.(state) ?? null;
}

/** Whether the log on top moves by itself, and so has no cursor, or would if it were not paused; else it is still. */
function paceOf({ session, overlay, views }: State): 'moving' | 'paused' | 'still' {
  const view = views.at(-1);
  if (overlay !== null || view?.kind !== 'log' || !session) return 'still';
  const { source, to } = session;
  const moves = source.kind === 'files' ? source.report.status === 'following' : to === null;
  if (!moves) return 'still';
  return view.paused ? 'paused' : 'moving';
}

/** Whether the answer on top has something left to read, or can be asked in another way. */
function isLeft(state: State): boolean {
  const view = topView(state);
  if (view.kind !== 'answer' || view.stage.kind !== 'read') return false;
  return view.inquiry.rest().length > 0 || waysOf(view) > 1;
}

function needsZone(state: State): string | null {
  const isNone = topView(state).kind === 'zones' && state.zones.shown.length === 0;
  return isNone ? 'no zone is listed yet; Ctrl-r asks again' : null;
}

function needsTables(state: State): string | null {
  const view = topView(state);
  return view.kind === 'answer' && view.stage.kind === 'priced' ? 'nothing was asked yet; Enter asks' : null;
}

function needsRule(state: State): string | null {
  const rule = ruleUnder(state);
  return typeof rule === 'string' ? rule : null;
}

/** The window of a group's rows is that of the log that was grouped. */
function needsWholeLog(state: State): string | null {
  return topView(state).kind === 'log' && isDrilled(state) ? WINDOW_BELOW : null;
}

function needsSearch(state: State): string | null {
  const view = topView(state);
  const sought = screenOf(view).search?.needle(view) ?? '';
  return sought !== '' ? null : 'nothing has been searched for yet: / searches';
}

function beingWritten({ storage, handover }: State): string | null {
  if (storage.job !== null) return 'a change of a storage zone is under way; :q! leaves without its verdict';
  return handover.exporting ? 'a file is being written; :q! leaves it unwritten' : null;
}

function needsFilter(state: State): string | null {
  if (state.overlay?.kind === 'shieldForm') return null;
  const view = topView(state);
  if (view.kind === 'storageEdit') return null;
  return 'query' in view && view.query.terms.length > 0 ? null : 'there is no filter to drop';
}
