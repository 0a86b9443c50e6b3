import { ENDLESS_WORDS, type Page, pageAfter, unreadWords } from '../../domain/zone.ts';
import { count } from '../../text/units.ts';
import { type PagedList, placed } from '../list.ts';
import type { Subscription } from '../messages.ts';
import { remarked, type State } from '../model.ts';
import { withEach } from '../view-stack.ts';
import { listHeight } from './screen-layout.ts';

/** Said where the reading of a list was cancelled. */
export const LIST_CANCELLED = 'cancelled: Ctrl-r asks again';

/** The list with the page that arrived; a notice says what the page lacks. */
export function withPage<T extends { id: string }>(
  state: State,
  { items, nextPage }: PagedList<T>,
  page: Page<T> & { unread?: number },
): { told: State; list: PagedList<T> } {
  const asked = nextPage ?? page.page;
  const next = pageAfter(items, asked, page);
  const list: PagedList<T> = {
    items: asked <= 1 ? page.items : [...items, ...page.items],
    total: page.total,
    nextPage: next === 'endless' ? null : next,
    loading: { kind: 'idle' },
  };
  const unread = page.unread ?? 0;
  const remark = next === 'endless' ? ENDLESS_WORDS : unread > 0 ? unreadWords(unread) : null;
  return { told: remark === null ? state : remarked(state, { tone: 'warning', remark }), list };
}

/** Asks for the page of a list that is due. */
export function pageAsked(
  kind: 'zoneList' | 'storageList' | 'keyList',
  { loading, nextPage }: PagedList<unknown>,
  request: number,
): Subscription[] {
  const page = nextPage ?? 1;
  return loading.kind === 'loading' ? [{ kind, key: `${kind} ${request} ${page}`, request, page }] : [];
}

/** The page to ask for as the cursor nears the end of what is here; null: none. */
export function pageNear(state: State, { items, nextPage, loading }: PagedList<unknown>, cursor: number) {
  return cursor + listHeight(state) >= items.length && loading.kind === 'idle' ? nextPage : null;
}

/** The views of a kind, their cursors inside a list that may be shorter now. */
export function withCursorsInside(state: State, kind: 'keys' | 'storage', length: number): State {
  const views = withEach(state.views, kind, (view) => ({
    ...view,
    ...placed(view, view.cursor, length, listHeight(state)),
  }));
  return { ...state, views };
}

/** What a hand-over says of a list that was not read to its end. */
export function listTold(
  { items, total, nextPage }: PagedList<unknown>,
  what: string,
): { missing: string[]; of: number | null } {
  if (nextPage === null) return { missing: [], of: null };
  const of = total === null ? '' : ` of ${count(total)}`;
  return { missing: [`${count(items.length)}${of} ${what} were read`], of: total };
}
