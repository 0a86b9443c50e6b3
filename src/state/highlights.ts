import { type HighlightTrouble, withHighlight, withoutHighlight } from '../domain/handover/highlights.ts';
import { noticed, type State } from './model.ts';

/** `:mark curl red`: the text stands out in every list until it is unmarked. */
export function highlighted(state: State, typed: string): State | HighlightTrouble {
  const next = withHighlight(state.highlights, typed);
  if ('hint' in next) return next;
  const { text, colour } = next.added;
  const said = `'${text}' is ${colour} in every list; :unmark ${text} ends it`;
  return noticed({ ...state, highlights: next.highlights }, 'info', said);
}

export function unhighlighted(state: State, typed: string): State | HighlightTrouble {
  const highlights = withoutHighlight(state.highlights, typed);
  if (highlights.length < state.highlights.length)
    return noticed({ ...state, highlights }, 'info', 'highlight removed');
  const texts = state.highlights.map(({ text }) => text).join(', ');
  return {
    message: 'no such highlight',
    hint: texts === '' ? ':mark curl red makes one' : `there are: ${texts}`,
  };
}
