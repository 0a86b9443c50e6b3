import { type Sheet, type SheetLine, sheetOf } from '../../domain/handover/sheet.ts';
import { ENDLESS_WORDS, ITEMS_PER_PAGE, type Page, pageAfter, unreadWords } from '../../domain/zone.ts';
import { ACCOUNT_LISTS, type ListItem, type ListKind, type ListName } from '../../lists/account-lists.ts';
import { count } from '../../text/units.ts';
import type { AccountLists, ListView } from '../account-model.ts';
import { clamp, type ListPlace, type PagedList, placed, type Sideways } from '../list.ts';
import type { Message, Subscription } from '../messages.ts';
import { noticed, remarked, type State, type View } from '../model.ts';
import { byCommand, type CellUnder, type Commands, type Screen, type Under } from '../screen.ts';
import { backTo, pushed, withEach, withTop } from '../view-stack.ts';
import { detailedHeight, listColumns, listHeight } from './screen-layout.ts';

/**
 * A list of the account as a screen, by its row: lines, cursor, paging and what is handed over. `own`: what its keys
 * do besides, and its sheet where that says more than the flat cells of its items.
 */
export function listScreen<K extends ListKind>(
  kind: K,
  own: {
    commands?: Commands<ListView<K>>;
    sheet?: (items: readonly ListItem<K>[], told?: ReturnType<typeof listTold>) => Sheet;
  } = {},
) {
  const { called, route, command, columns, printed } = ACCOUNT_LISTS[kind];
  const pagesOf = (state: State): AccountLists[K] => state[kind];
  const under = (state: State, { cursor }: ListPlace) => pagesOf(state).items[cursor];
  const {
    sheet: listed = (items, told) =>
      sheetOf(items, { what: called, columns: printed.names, row: printed.row, told }),
  } = own;
  return {
    list: {
      length: (state: State) => pagesOf(state).items.length,
      moved: (state: State, view: View & ListPlace) => {
        const { items, nextPage, loading } = pagesOf(state);
        const isNear = view.cursor + listHeight(state) >= items.length && loading.kind === 'idle';
        const next = withTop(state, view);
        return isNear && nextPage !== null ? pageAsked(next, kind, nextPage) : next;
      },
    },
    asks: (state: State): Subscription[] => listAsks(state, kind),
    commands: byCommand<ListView<K>>({
      refresh: (state) => pageAsked(state, kind, 1),
      leave: (state) => readingEnded(state, kind),
      ...own.commands,
    }),
    command: () => command ?? `no command prints the ${called}`,
    panel: () => `the dashboard has no page of these ${called} that is known`,
    request: pageRequest(route),
    sheet: (state: State) => {
      const pages = pagesOf(state);
      return pages.items.length === 0
        ? `no ${called} are listed`
        : listed(pages.items, listTold(pages, called));
    },
    under: (state: State, view: ListPlace) => {
      const item = under(state, view);
      const [line] = item ? listed([item]).lines() : [];
      return line ? plainLine(line) : null;
    },
    cell: (state: State, view: ListPlace) => {
      const item = under(state, view);
      return listCell(item && columns[0]?.text(item, pagesOf(state)));
    },
  };
}

/** The request for the first page of what is at `route`. */
export function pageRequest(route: string) {
  return ({ handover: { urls } }: State): ReturnType<Screen<View>['request']> => ({
    request: { method: 'GET', url: `${urls.base}${route}?page=1&perPage=${ITEMS_PER_PAGE}` },
    remark: '',
  });
}

/** Shows a list: the one already in the stack, or a new one on top. */
export function openList(state: State, kind: ListKind): State {
  const back = backTo(state, kind);
  if (back) return back;
  const next = pushed(state, { kind, cursor: 0, top: 0 });
  return next[kind].items.length > 0 ? next : pageAsked(next, kind, 1);
}

/** Asks for a page, with the first one for all anew; what is listed stays until its answer. */
export function pageAsked(state: State, name: ListName, page: number): State {
  const request = state[name].request + (page === 1 ? 1 : 0);
  return withList(state, name, { request, nextPage: page, loading: { kind: 'loading', since: state.now } });
}

/** The reading of a list ends; null: it is not read. */
export function readingEnded(state: State, name: ListName): State | null {
  if (state[name].loading.kind !== 'loading') return null;
  const ended = withList(state, name, { request: state[name].request + 1, loading: { kind: 'idle' } });
  return noticed(ended, 'info', 'cancelled: Ctrl-r asks again');
}

export function pageFailed(state: State, { list, request, failure }: Message<'listFailed'>): State {
  return request === state[list].request
    ? withList(state, list, { loading: { kind: 'failed', failure } })
    : state;
}

/**
 * The list with the page that arrived, its cursor inside; a notice says what the page lacks. Null: an answer to an
 * older question.
 */
export function pageRead(state: State, message: Message<'listArrived'>): State | null {
  const { list: name, request } = message;
  const page: Page<{ id: string }> & { unread?: number } = message.page;
  const list = state[name];
  if (request !== list.request) return null;
  const asked = list.nextPage ?? page.page;
  const next = pageAfter<{ id: string }>(list.items, asked, page);
  const items = asked <= 1 ? page.items : [...list.items, ...page.items];
  const nextPage = next === 'endless' ? null : next;
  const read = withList(state, name, { items, total: page.total, nextPage, loading: { kind: 'idle' } });
  const unread = page.unread ?? 0;
  const remark = next === 'endless' ? ENDLESS_WORDS : unread > 0 ? unreadWords(unread) : null;
  const told = remark === null ? read : remarked(read, { tone: 'warning', remark });
  const height = name === 'zones' ? detailedHeight(told) : listHeight(told);
  const place = (view: ListPlace) => placed(view, view.cursor, items.length, height);
  return { ...told, views: withEach(told.views, name, (view) => ({ ...view, ...place(view) })) };
}

/** The page of a list that is due. */
export function listAsks(state: State, name: ListName): Subscription[] {
  const { loading, nextPage, request } = state[name];
  const page = nextPage ?? 1;
  const key = `list ${name} ${request} ${page}`;
  return loading.kind === 'loading' ? [{ kind: 'list', key, list: name, request, page }] : [];
}

/** What a hand-over says of a list that was not read to its end. */
export function listTold(
  { items, total, nextPage }: Pick<PagedList<unknown>, 'items' | 'total' | 'nextPage'>,
  what: string,
): { missing: string[]; of: number | null } {
  if (nextPage === null) return { missing: [], of: null };
  const of = total === null ? '' : ` of ${count(total)}`;
  return { missing: [`${count(items.length)}${of} ${what} were read`], of: total };
}

function withList(state: State, name: ListName, part: Partial<PagedList<unknown>>): State {
  return { ...state, [name]: { ...state[name], ...part } };
}

/** The arrows over the values of a line. */
export function overColumns<V extends View & { column: number }>(count: (view: V) => number) {
  const to = (by: 1 | -1) => (state: State, view: V) =>
    withTop(state, { ...view, column: clamp(view.column + by, 0, count(view) - 1) } as V);
  return { left: to(-1), right: to(1) };
}

/** What a list is sorted by, and whether it begins with the least. */
export type Order<S> = { sort: S; reversed: boolean };

/** The orders of a list that keys turn over; the next one begins the usual way round. */
export function orderBy<V, S>(
  sorts: readonly S[],
  of: (state: State, view: V) => Order<S>,
  sorted: (state: State, view: V, order: Order<S>) => State,
) {
  return {
    next(state: State, view: V): State {
      const at = sorts.indexOf(of(state, view).sort) + 1;
      return sorted(state, view, { sort: sorts[at % sorts.length] as S, reversed: false });
    },
    reversed(state: State, view: V): State {
      const { sort, reversed } = of(state, view);
      return sorted(state, view, { sort, reversed: !reversed });
    },
  };
}

/** The cell of a list whose values no query can ask for. */
export function listCell(text: string | null | undefined): CellUnder {
  return { text: text ?? null, asked: 'this list holds no values of a log' };
}

/** A line that is no part of a log. */
export function plainLine(line: SheetLine): Under {
  return { line, one: null, seen: null };
}

/** How a column of the list is scrolled; null where none is, or the columns have changed since. */
export function sidewaysOf(state: State, view: View, ids: () => readonly string[]): Sideways | null {
  const sideways = 'sideways' in view ? view.sideways : undefined;
  return sideways && sideways.among === columnsOf(state, view, ids()) ? sideways : null;
}

/** Identifies these columns: which they are, and the width of the terminal. */
export function columnsOf(state: State, view: View, ids: readonly string[]): string {
  return [listColumns(state), view.kind, ...ids].join(' ');
}
