import { toldCause } from '../../state/evidence/row-cause.ts';
import { tagsOf } from '../../state/logs/group-tags.ts';
import { hasTagColumn } from '../../state/logs/group-widths.ts';
import type { GroupsView, LogView, State } from '../../state/model.ts';
import { sanitise } from '../../text/sanitise.ts';
import { count } from '../../text/units.ts';
import { type Aside, NO_ASIDE, soughtWords } from '../row.ts';

/** What the group under the cursor looks like, where the list has no column for it. */
export function groupAside({ size }: State, view: GroupsView): Aside {
  const { columns } = size;
  const group = view.groups[view.cursor];
  const tags = group && !hasTagColumn(view, columns) ? tagsOf(view, group) : [];
  return { slot: 'warning', text: tags.length === 0 ? '' : `looks like ${tags.join(', ')} (a: why) ` };
}

/** Which of the matches this is. What is held back, or not read of the window yet, was not searched. */
export function logAside(state: State, view: LogView): Aside {
  const { session } = state;
  const { search } = view;
  if (!search?.at) return causeAside(state, view);
  const { index, total } = search.at;
  const isPart = (session?.report?.readShare ?? 1) < 1 || (session?.book.backlog ?? 0) > 0;
  const words = `${soughtWords(search)} ${count(index)}/${count(total)}`;
  return { slot: 'match', text: isPart ? `${words} so far` : words };
}

/** Of the row under the cursor the origin error nearest to it, where one was told. */
function causeAside(state: State, { paused, cursor }: LogView): Aside {
  const book = state.session?.book;
  const id = paused && cursor?.kind === 'row' ? cursor.id : null;
  const cause = id !== null && book?.has(id) ? toldCause(state, book.record(id)) : null;
  return cause
    ? { slot: 'warning', text: `nearest origin error: ${sanitise(cause.error.code, 'strict', 40)}` }
    : NO_ASIDE;
}
