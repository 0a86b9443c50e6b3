import { shieldComparison } from '../domain/ask-comparison-shield.ts';
import { BASELINES, type BaselineId, baselineOf } from '../domain/baseline.ts';
import type { TimeRange } from '../domain/coverage.ts';
import type { Query } from '../domain/query.ts';
import { rangeOf, retentionEdge } from '../domain/shield-window.ts';
import { openAnswer } from './answer.ts';
import type { AnswerChoice } from './answer-model.ts';
import type { CommandId } from './commands.ts';
import { type State, topView } from './model.ts';
import { isShieldView } from './shield-model.ts';

/** Opens the question that a key asks about the view on screen; null = the command is none. */
export function questioned(state: State, command: CommandId): State | null {
  switch (command) {
    case 'compare':
      return compared(state);
    default:
      return null;
  }
}

/** This window against three others; the user chooses one and sees what each costs. */
function compared(state: State): State {
  const view = topView(state);
  if (!isShieldView(view) || !state.shield?.shieldZoneId)
    return refused(state, 'nothing to compare here yet');
  const { shieldZoneId } = state.shield;
  const { query } = view;
  const now = rangeOf(query.window, state.now);
  const choices = baselines(now, state.now, (before, against) =>
    shieldComparison({ shieldZoneId, query, now, before, against }),
  );
  return openAnswer(state, { crumb: 'compared with', subject: 'shield', query: within(query, now), choices });
}

function baselines(
  now: TimeRange,
  at: number,
  ask: (before: TimeRange, against: BaselineId) => AnswerChoice['inquiry'],
): AnswerChoice[] {
  return (Object.keys(BASELINES) as BaselineId[]).map((id) => {
    const baseline = baselineOf(now, id, retentionEdge(at));
    const { title } = BASELINES[id];
    if (!baseline.ok) return { title, inquiry: null, why: baseline.why };
    const why = baseline.lost > 0 ? 'its beginning is older than what is kept; scaled by length' : '';
    return { title, inquiry: ask(baseline.range, id), why };
  });
}

/** The query over the very times that were asked about. */
function within(query: Query, range: TimeRange): Query {
  return { ...query, groupBy: [], window: { kind: 'absolute', ...range } };
}

function refused(state: State, text: string): State {
  return { ...state, notice: { tone: 'info', text } };
}
