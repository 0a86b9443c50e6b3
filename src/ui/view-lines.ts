import type { Look } from '../paint/theme.ts';
import { paintingOf } from '../screens/screens.ts';
import type { State } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';

/** The line over the timeline: the rates of a log, the answer in one sentence, how much there is. */
export const headLine = lineOf('head');

/** The query of the view, term by term. */
export const queryLine = lineOf('query');

/** The status line: what was read of what there is, up to when it is complete, and its price. */
export const footLine = lineOf('foot');

function lineOf(part: 'head' | 'query' | 'foot') {
  return (state: State, look: Look): string => {
    const view = topView(state);
    return paintingOf(view)[part](state, view, { columns: state.size.columns, look });
  };
}
