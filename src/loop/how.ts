import { hasTimeline } from '../state/list/timeline-size.ts';
import { noticed, type State, type View } from '../state/model.ts';
import { topView } from '../state/view-stack.ts';
import { fit, wrapText } from '../text/fit.ts';
import { ANSWER_FIGURES, type Figure, VIEW_FIGURES } from './figures.ts';

/** Cells of the name of a figure. */
const NAME = 15;

/** Opens what is said of the figures on screen, in the place of whatever lies over the view. */
export function howOpened(state: State): State {
  if (figuresOf(state).length === 0)
    return noticed(state, 'info', 'this view has no figure that is computed');
  return { ...state, overlay: { kind: 'how', cursor: 0, top: 0 } };
}

/** How each figure on screen comes about, over lines of so many columns. */
export function howLines(state: State): string[] {
  const { columns } = state.size;
  return figuresOf(state).flatMap(([name, how]) =>
    wrapText(how, Math.max(1, columns - NAME - 3)).map(
      (text, line) => `${fit(line === 0 ? name : '', NAME)} ${text}`,
    ),
  );
}

function figuresOf(state: State): readonly Figure[] {
  return [...figuresIn(topView(state)), ...(hasTimeline(state) ? VIEW_FIGURES.timeline : [])];
}

function figuresIn(view: View): readonly Figure[] {
  if (view.kind === 'answer') {
    const figures: Partial<Record<string, readonly Figure[]>> = ANSWER_FIGURES;
    return figures[view.asked.question] ?? [];
  }
  const figures: Partial<Record<string, readonly Figure[]>> = VIEW_FIGURES;
  return figures[view.kind] ?? [];
}
