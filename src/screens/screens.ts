import type { CommandSource } from '../domain/handover/place.ts';
import { bareLine } from '../domain/handover/sheet-formats.ts';
import type { Query, Term } from '../domain/query/query.ts';
import { eachList, type ListKind } from '../lists/account-lists.ts';
import { listPainting } from '../paint/list-columns.ts';
import type { Painting } from '../paint/painting.ts';
import { NO_ASIDE } from '../paint/row.ts';
import { aboutCommand, aboutTitle } from '../state/about.ts';
import type { ListView } from '../state/account-model.ts';
import { listScreen, pageFailed, pageRead } from '../state/list/list-screen.ts';
import { detailedHeight, listHeight } from '../state/list/screen-layout.ts';
import { placed, withCursorShown } from '../state/list.ts';
import type { Done, Message } from '../state/messages.ts';
import type { State, View } from '../state/model.ts';
import type { CellUnder, Screen } from '../state/screen.ts';
import { queryOfView, topView } from '../state/view-stack.ts';
import { ANSWER_SCREEN } from './answer/answer-screen.ts';
import { ANSWER_PAINTING } from './answer/painting/answer-body.ts';
import { KEYS_SCREEN } from './keys/keys-screen.ts';
import { KEYS_PAINTING } from './keys/painting/keys-painting.ts';
import { GROUPS_SCREEN, LOG_SCREEN, RECORD_SCREEN } from './log/log-screens.ts';
import { GROUPS_PAINTING, LOG_PAINTING, RECORD_PAINTING } from './log/painting/log-painting.ts';
import {
  SHIELD_EVENT_PAINTING,
  SHIELD_GROUPS_PAINTING,
  SHIELD_ROWS_PAINTING,
} from './shield/painting/shield-painting.ts';
import { SHIELD_EVENT_SCREEN, SHIELD_GROUPS_SCREEN, SHIELD_ROWS_SCREEN } from './shield/shield-screens.ts';
import {
  STORAGE_EDIT_PAINTING,
  STORAGE_PAINTING,
  STORAGE_ZONE_PAINTING,
} from './storage/painting/storage-painting.ts';
import { STORAGE_EDIT_SCREEN, STORAGE_SCREEN, STORAGE_ZONE_SCREEN } from './storage/storage-screens.ts';
import { ZONES_PAINTING } from './zones/painting/zones-painting.ts';
import { ZONES_SCREEN } from './zones/zones-screen.ts';

/** A list of the account is and looks as its row in `lists` says, but for those that do more. */
const LISTS = eachList<unknown>((kind) => ({ screen: listScreen(kind), painting: listPainting(kind) })) as {
  [K in ListKind]: Row<ListView<K>>;
};

/** Every kind of view: what it is and does, and what it looks like. */
const SCREENS = {
  zones: { screen: ZONES_SCREEN, painting: ZONES_PAINTING },
  log: { screen: LOG_SCREEN, painting: LOG_PAINTING },
  groups: { screen: GROUPS_SCREEN, painting: GROUPS_PAINTING },
  record: { screen: RECORD_SCREEN, painting: RECORD_PAINTING },
  shieldGroups: { screen: SHIELD_GROUPS_SCREEN, painting: SHIELD_GROUPS_PAINTING },
  shieldRows: { screen: SHIELD_ROWS_SCREEN, painting: SHIELD_ROWS_PAINTING },
  shieldEvent: { screen: SHIELD_EVENT_SCREEN, painting: SHIELD_EVENT_PAINTING },
  answer: { screen: ANSWER_SCREEN, painting: ANSWER_PAINTING },
  ...LISTS,
  storage: { screen: STORAGE_SCREEN, painting: STORAGE_PAINTING },
  storageZone: { screen: STORAGE_ZONE_SCREEN, painting: STORAGE_ZONE_PAINTING },
  storageEdit: { screen: STORAGE_EDIT_SCREEN, painting: STORAGE_EDIT_PAINTING },
  keys: { screen: KEYS_SCREEN, painting: KEYS_PAINTING },
} as const satisfies { [K in View['kind']]: Row<Extract<View, { kind: K }>> };

type Row<V> = { screen: Screen<V>; painting: Painting<V> };

/** What a view is and does where its row says nothing. */
const OF_MOST = {
  list: null,
  about: () => null,
  arrived: (state: State, message: Message<'listArrived'>) => pageRead(state, message) ?? state,
  failed: pageFailed,
  title: titleOf,
  command: commandOf,
  coverage: () => [],
  moment: () => null,
  oldest: () => null,
  work: () => null,
  columns: null,
  search: null,
  requeried: null,
} satisfies Partial<Screen<View>>;

const LOOK_OF_MOST = {
  query: () => '',
  foot: () => '',
  aside: () => NO_ASIDE,
  trouble: () => null,
} satisfies Partial<Painting<View>>;

type Whole<T, Rest> = T & Required<Pick<T, keyof T & keyof Rest>>;
type WholeScreen<V> = Whole<Screen<V>, typeof OF_MOST>;
type WholePainting<V> = Whole<Painting<V>, typeof LOOK_OF_MOST>;

/** The compiler does not see here that kind and row belong together. */
const WHOLE = Object.fromEntries(
  Object.entries(SCREENS).map(([kind, { screen, painting }]) => [
    kind,
    { screen: { ...OF_MOST, ...screen }, painting: { ...LOOK_OF_MOST, ...painting } },
  ]),
) as unknown as Record<View['kind'], { screen: WholeScreen<View>; painting: WholePainting<View> }>;

export function screenOf<V extends View>({ kind }: V): WholeScreen<V> {
  return WHOLE[kind].screen as unknown as WholeScreen<V>;
}

export function paintingOf<V extends View>({ kind }: V): WholePainting<V> {
  return WHOLE[kind].painting as unknown as WholePainting<V>;
}

/** What a page of a list of the account makes of the state, or that it could not be read. */
export function listTaken(state: State, message: Message<'listArrived' | 'listFailed'>): Done {
  const { arrived, failed } = WHOLE[message.list].screen;
  return message.type === 'listArrived' ? arrived(state, message) : failed(state, message);
}

/** A part of a log by its zone and its filters, a list of the account by its name. */
function titleOf(state: State, view: View): string {
  const { about, one } = screenOf(view);
  const part = about(state, view);
  return part === null ? view.kind : aboutTitle(part, one);
}

function commandOf(state: State, view: View): CommandSource | string {
  const part = screenOf(view).about(state, view);
  return part === null ? 'no zone is open' : aboutCommand(state, part);
}

type Columns = WholeScreen<View>;

/** Entries of a row that say what a view shows. */
type Told = {
  [K in keyof Columns]-?: Columns[K] extends (state: State, view: View) => unknown ? K : never;
}[keyof Columns];

/** The query of the view on top, and the view asked another; null: it has none of its own. */
export function queryOnTop(state: State) {
  const view = topView(state);
  const { requeried } = screenOf(view);
  const query = queryOfView(view);
  if (requeried === null || query === null) return null;
  return { query, asked: (next: State, changed: Query) => requeried(next, view, changed) };
}

/** The view on top with other terms; the view as it is where it has no query. */
export function refiltered(state: State, change: (terms: readonly Term[]) => readonly Term[]): State {
  const own = queryOnTop(state);
  return own?.asked(state, { ...own.query, terms: change(own.query.terms) }) ?? state;
}

/** The command that asks for the top view again, or that opens it. */
export function againOnTop(state: State): CommandSource | string {
  const view = topView(state);
  const { again, command } = screenOf(view);
  return (again ?? command)(state, view);
}

/** What the row of the view on top says of it. */
export function onTop<K extends Told>(state: State, column: K): ReturnType<Columns[K]> {
  const view = topView(state);
  const say = screenOf(view)[column] as (state: State, view: View) => ReturnType<Columns[K]>;
  return say(state, view);
}

/** The rows or fields of the view on top as bare text, not sanitised, from the cursor on or to the newest one. */
export function plainOnTop(state: State): string[] {
  const view = topView(state);
  const { body } = paintingOf(view);
  const { sheet, noted } = screenOf(view);
  const most = listHeight(state);
  const from = 'top' in view ? view.cursor : (noted?.(state, view, most).from ?? 0);
  if (typeof body !== 'function') {
    const { fields } = body.fields(state, view);
    return fields.slice(from).map(({ name, value, whole }) => `${name}: ${whole ?? value}`);
  }
  const listed = sheet(state, view);
  if (typeof listed === 'string') return [];
  return [...listed.lines(from, from + most)].map((line) => bareLine(line, listed.brief));
}

/** The query field and text that a key would act on now, or why there is none. */
export function valueUnder(state: State): CellUnder['asked'] {
  const cell = onTop(state, 'cell');
  return typeof cell === 'string' ? cell : cell.asked;
}

/** The lines on screen of a list on top. */
export function heightOf(state: State, view: View): number {
  return screenOf(view).list?.isDetailed ? detailedHeight(state) : listHeight(state);
}

/** After a change of the window's size every list keeps its cursor on screen; a log finds its row by itself. */
export function resized(next: State): State {
  const settled = (view: View, at: number, views: readonly View[]): View => {
    const under = { ...next, views: views.slice(0, at + 1), overlay: null };
    const length = screenOf(view).list?.length(under, view) ?? null;
    if (length === null || !('top' in view)) return view;
    const { cursor, top } = placed(view, view.cursor, length, heightOf(under, view));
    return cursor === view.cursor && top === view.top ? view : { ...view, cursor, top };
  };
  const { overlay } = next;
  return {
    ...next,
    views: next.views.map(settled),
    parked: next.parked.map(settled),
    overlay: overlay && 'top' in overlay ? withCursorShown(overlay, listHeight(next)) : overlay,
  };
}

/** The foot takes rows of the list above it, but not the one under the cursor. */
export function withCursorsShown(before: State, next: State): State {
  return listHeight(next) < listHeight(before) ? resized(next) : next;
}
