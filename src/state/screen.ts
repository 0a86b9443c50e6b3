import type { PanelPage, PanelThing } from '../domain/handover/panel.ts';
import type { CommandSource } from '../domain/handover/place.ts';
import type { Sheet, SheetLine } from '../domain/handover/sheet.ts';
import type { WireRequest } from '../domain/handover/wire-request.ts';
import type { AnswerTable } from '../domain/inquiry/answer-table.ts';
import type { LogRecord } from '../domain/log.ts';
import type { KeptLog } from '../domain/log-retention.ts';
import type { Query, QuerySubject, Term, TimeWindow, WindowMove } from '../domain/query/query.ts';
import type { Sought } from '../domain/query/terms.ts';
import type { ShieldRow } from '../domain/shield/shield-rows.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { PullZone } from '../domain/zone.ts';
import type { CommandId } from '../keys/bindings.ts';
import type { KeyScope } from '../keys/places.ts';
import type { Acted, Done, Message, Subscription } from './messages.ts';
import type { LogSession, State } from './model.ts';

/** The part of a log that a view shows. */
export type About = {
  subject: QuerySubject;
  /** None: saved logs, or the zone is not known yet. */
  zones: readonly PullZone[];
  /** The name of the log on screen. */
  name: string;
  query: Query;
  /** The times on screen, Unix ms. */
  range: TimeRange;
};

/** What a question is about. `isListed`: the zone is one of a list, whose others can be asked about with it. */
export type AskedOf = Pick<About, 'subject' | 'zones' | 'query'> & { isListed?: boolean };

/** The line under the cursor. */
export type Under = {
  /** As it is printed. */
  line: SheetLine;
  /** The single request or event; null: a gap, a group, or no part of a log. */
  one: { kind: 'record'; record: LogRecord } | { kind: 'event'; event: ShieldRow } | null;
  /** The pull zone that the line belongs to. */
  zone?: string | null | undefined;
  /** When the rows of a group were seen, Unix ms; null: unknown, or no group. */
  seen: TimeRange | null;
};

/** What the line under the cursor is on the dashboard, and its pages there, the closest first. */
export type Shown = { thing: PanelThing; pages: readonly PanelPage[] };

/**
 * What a notebook entry shows besides its first lines: tables, or other lines and their name, and the log whose
 * requests it counts.
 */
export type Noted = { tables?: AnswerTable; from?: number; called?: string; flow?: LogSession | null };

/** The value under the cursor. */
export type CellUnder = {
  /** As it came; null: none. */
  text: string | null;
  /** The query field that asks for it, with its text there; or why none does. */
  asked: { subject: QuerySubject; field: string; value: string | null } | string;
};

/** The oldest line that a view shows or counts. `isFollowed`: arriving rows repaint it anyway. */
export type Oldest = { at: number; log: KeptLog; isFollowed: boolean };

/** Work over rows that is done in part; a turn goes on with the others. */
export type Work = { of: 'filter' | 'count' | 'tags' | 'recall' | 'values'; turn: () => State };

/** The column under the cursor, with its texts on screen. */
export type ColumnUnder = { id: string; title: string; width: number; texts: readonly CellUnder['text'][] };

/**
 * What a kind of view is and does; its `Painting` is how it looks. A string says why there is nothing. What most views
 * lack is optional: `screens/screens` fills it in.
 */
export type Screen<V> = {
  /** What a command does here alone; null: the view does not handle it. */
  commands: (state: State, view: V, command: CommandId) => Acted;
  idle?: Idle<V>;
  /** The place where its keys act, where that is not its kind. */
  place?: (view: V) => KeyScope;
  /** What it waits for while it is in the stack. */
  asks?: (state: State, view: V) => Subscription[];
  /** What a page of its list, and that there is none, mean beyond what is listed. */
  arrived?: (state: State, message: Message<'listArrived'>) => Done;
  failed?: (state: State, message: Message<'listFailed'>) => Done;
  /** Its lines, over which the cursor moves; null: it moves its cursor itself. */
  list?: ScreenList<V> | null;
  /** Null: it shows no part of a log. */
  about?: (state: State, view: V) => About | null;
  /** What a question is about, where that is not all that is shown. */
  askedOf?: (state: State, view: V) => AskedOf | string;
  /** In one line: what it shows, under which filters. `one`: what a single line of its list is called. */
  title?: (state: State, view: V) => string;
  one?: string;
  /** The command that opens it, with absolute times. */
  command?: (state: State, view: V) => CommandSource | string;
  /** The command that asks the same again, where that is not the one that opens it. */
  again?: (state: State, view: V) => CommandSource | string;
  /** What the dashboard shows of it, the closest page first; absent: what it shows of its log. */
  panel?: (state: State, view: V) => Shown | string;
  /** The request that brings it, or a command where none does; `remark` says why, and what is decided here. */
  request: (
    state: State,
    view: V,
  ) => { request: WireRequest; remark: string } | { command: CommandSource; remark: string } | string;
  /** Its rows as they stand. */
  sheet: (state: State, view: V) => Sheet | string;
  noted?: (state: State, view: V, most: number) => Noted;
  under: (state: State, view: V) => Under | null;
  cell: (state: State, view: V) => CellUnder | string;
  /** How complete it is, each part a sentence. Times are UTC. */
  coverage?: (state: State, view: V) => string[];
  /** The one moment it stands for, Unix ms; null: it shows a time. */
  moment?: (state: State, view: V) => number | null;
  oldest?: (state: State, view: V) => Oldest | null;
  work?: (state: State, view: V) => Work | null;
  /** The columns whose texts scroll: their ids, and the one under the cursor where it is on screen. */
  columns?: {
    ids: (state: State, view: V) => readonly string[];
    under: (state: State, view: V) => ColumnUnder | null;
  } | null;
  /** Null: the view has no search. */
  search?: ScreenSearch<V> | null;
  /** The view asked another query; null: it has none of its own. */
  requeried?: ((state: State, view: V, query: Query) => State) | null;
  /** The window that a key moves to, null for all times; or why none is further. */
  windowMoved?: (state: State, view: V, command: WindowMove) => TimeWindow | null | string;
  /** What its lines are sorted by. */
  order?: { next: (state: State, view: V) => State; reversed: (state: State, view: V) => State };
};

/** What each of its commands does in a view; null: nothing of its own. */
export type Commands<V> = Partial<Record<CommandId, (state: State, view: V, command: CommandId) => Acted>>;

export function byCommand<V>(commands: Commands<V>): Screen<V>['commands'] {
  return (state, view, command) => commands[command]?.(state, view, command) ?? null;
}

type ScreenList<V> = {
  /** Null: it is no list now. */
  length: (state: State, view: V) => number | null;
  /** Lines below it describe the one under the cursor. */
  isDetailed?: true;
  /** The state with this view, whose cursor was moved, on top. */
  moved?: (state: State, view: V) => State;
};

/** Why a command of a view can do nothing now; `true`: it acts, but is not worth its hint. */
export type Idle<V> = Partial<Record<CommandId, (state: State, view: V) => string | boolean>>;

type ScreenSearch<V> = {
  /** What was searched for last; null: nothing. */
  sought: (view: V) => Sought | null;
  /** The first line with this text, from the cursor on. */
  first: (state: State, view: V, needle: string) => State;
  /** The next line with what is searched for, round the end. */
  next: (state: State, view: V, sought: Sought, direction: 1 | -1) => State;
  /** The view without its search. */
  ended: (state: State, view: V) => State;
  /** The term that the search stands for, where that is not what it looks for. */
  term?: (view: V) => Term | null;
};

/** The cell of a line that is a field of one row, or why it has none. */
export function fieldCell(
  line: { name: string; field: string | null; value: string } | undefined,
  subject: QuerySubject,
): CellUnder | string {
  if (!line) return 'there is no field under the cursor';
  const { name, field, value } = line;
  const asked = field === null ? `${name} is shown only: it is no query field` : { subject, field, value };
  return { text: value, asked };
}
