import type { Failure } from '../domain/failure.ts';
import type { Highlight } from '../domain/handover/highlights.ts';
import type { EvidenceMet, EvidenceNeed } from '../domain/inquiry/inquiry.ts';
import type { BookWork } from '../domain/logs/groups/book-work.ts';
import type { GroupShape } from '../domain/logs/groups/group-shape.ts';
import type { BookGroups, GroupSort, LogGroup } from '../domain/logs/groups/log-group.ts';
import type { LogBook } from '../domain/logs/log-book.ts';
import type { LogHistory } from '../domain/logs/log-history.ts';
import type { BookItem } from '../domain/logs/order/log-gaps.ts';
import type { LogReport } from '../domain/logs/paged-log.ts';
import type { ColumnId } from '../domain/logs/pane-columns.ts';
import type { Query, QuerySubject, Term } from '../domain/query/query.ts';
import type { QueryError } from '../domain/query/query-text.ts';
import type { Sought } from '../domain/query/terms.ts';
import type { TextField } from '../domain/query/text-field.ts';
import type { QuotaSnapshot, RequestEvent, RequestTotals } from '../domain/request-event.ts';
import type { LogSeriesId } from '../domain/timeline/series.ts';
import type { Watch, WatchVerdict } from '../domain/watch/watch.ts';
import type { PullZone, Zones } from '../domain/zone.ts';
import { TOGGLES, type Toggle } from '../keys/bindings.ts';
import type { OwnKey } from '../keys/own-keys.ts';
import type { AccountLists, HealthState, ListView, StorageViews } from './account-model.ts';
import type { AnswerView, KeptAnswer } from './answer-model.ts';
import type { BesideState, ValuesOverlay } from './beside-model.ts';
import type { GroupTags } from './group-tags.ts';
import type { HandoverOverlay, HandoverState } from './handover-model.ts';
import type { ListPlace, PagedList, Sideways } from './list.ts';
import type { CountShares, LogSource, Paged, StoredCount, StoredSteps, ZoneTail } from './log-source.ts';
import type { KeyPace, PromptKind } from './prompt-kind.ts';
import type { ShieldState, ShieldView } from './shield-model.ts';

/** What `--until` or `:tell` waits for. It goes on whatever view is open, with the query it was started with. */
export type Watching = {
  watch: Watch;
  query: Query;
  /** Judged together; null until the zones of the command line are found. */
  zones: Zones | null;
  /** The first minute that is judged begins here, Unix ms. */
  since: number;
  /** The verdict on the last minute; null before the first one. */
  verdict: WatchVerdict | null;
  /** Why the last minute could not be read. */
  failure: Failure | null;
  /** Why it rang, until Esc. */
  told: string | null;
};

/** `auto`: as much as the screen has room for. */
export type TimelineSize = 'auto' | 'off' | 'low' | 'high';

/** How the traffic over time is drawn above lists. */
type TimelineState = {
  size: TimelineSize;
  /** What the rows of a log are divided by; Shield events by their action. */
  series: LogSeriesId;
};

export const FIRST_TIMELINE: TimelineState = { size: 'auto', series: 'status' };

/**
 * A cursor on the timeline: the start of its step, Unix ms. `anchor`: the step where a selection began, which runs to
 * the cursor, both included; null = no selection.
 */
export type Brush = { kind: 'timeline'; at: number; anchor: number | null };

/**
 * What the platform reported besides its logs, by the request for it, and the kind it refused last, which only a key
 * asks for again.
 */
export type ToldState = {
  told: ReadonlyMap<string, { met: EvidenceMet; at: number }>;
  refused: ReadonlyMap<EvidenceNeed['kind'], Failure>;
};

export const NOTHING_TOLD: ToldState = { told: new Map(), refused: new Map() };

/** A view to open as soon as its zone is found. `rows`: Shield events where the query asks for no groups. */
export type WantedView = { word: string; query: Query; screen?: 'logs' | 'shield'; rows?: boolean };

export type ZonesState = PagedList<PullZone> & {
  /** The Shield join: null until it arrives. */
  shieldOf: ReadonlyMap<string, string> | null;
  narrow: string;
  /** Ids of the zones that Enter opens as one log. */
  marked: ReadonlySet<string>;
  /** `items` that match `narrow`, best first. */
  shown: readonly PullZone[];
  /** The zone named on the command line, until it is found. */
  wanted: WantedView | null;
};

export type ZonesView = ListPlace & { kind: 'zones' };

export type Search = Sought & { at: { index: number; total: number } | null };

/**
 * A window on the book. `cursor: null` = at the live end. `offset` is the screen row of the cursor, so that arriving
 * rows never move what the user looks at.
 */
export type LogView = {
  kind: 'log';
  query: Query;
  paused: boolean;
  cursor: BookItem | null;
  offset: number;
  column: ColumnId | null;
  search: Search | null;
  sideways?: Sideways | undefined;
  /** Queries before and after the one on screen, the nearest last and first; absent before the first change. */
  history?: { past: readonly Query[]; future: readonly Query[] };
  /**
   * Set where it was opened over other views: the session beneath, which is read on and returns after one step back.
   */
  beneath?: LogSession | null;
};

export type GroupsView = ListPlace & {
  kind: 'groups';
  query: Query;
  by: readonly string[];
  sort: GroupSort;
  reversed: boolean;
  /** Which of `by` the keys + - = act on. */
  column: number;
  sideways?: Sideways | undefined;
  groups: readonly LogGroup[];
  shape: GroupShape;
  /** Set where a store counts the groups, over the whole window. */
  counted: StoredCount | null;
  /** Distinct groups in all, and the rows they were counted over. */
  total: number;
  rows: number;
  computedAt: number;
  /** The groups' traffic profiles from a sample of their rows, and when they were made. */
  tags: GroupTags;
  taggedAt: number;
  /** The evidence they were last counted with. */
  told: ToldState['told'];
  /** What is being worked on, over which rows; null = nothing. */
  work:
    | ({ book: LogBook } & (
        | { kind: 'count'; of: BookWork<BookGroups>; shares?: CountShares | null }
        | { kind: 'tags'; of: BookWork<GroupTags> }
      ))
    | null;
};

export type RecordView = ListPlace & { kind: 'record'; query: Query; id: number };

export type View =
  | ZonesView
  | LogView
  | GroupsView
  | RecordView
  | ShieldView
  | AnswerView
  | StorageViews
  | ListView;

/**
 * The traffic of followed zones, or saved logs being read. The book is mutable and lives as long as the session;
 * `version` says when to look.
 */
export type LogSession = {
  source: LogSource;
  /**
   * Numbers the question that the tails ask; a new number means new tails, and late answers to the old one are
   * dropped.
   */
  generation: number;
  /** One a zone of the source whose logging is on, in their order; none for saved logs. */
  tails: readonly ZoneTail[];
  /** The query that the tails ask. */
  asked: Query;
  from: number | null;
  /** A closed window ends here; null = follow. */
  to: number | null;
  book: LogBook;
  version: number;
  /** What is known of all zones together: see `mergedReport`. */
  report: LogReport | null;
  /** How far the first answer to the question had read, of whatever zone, event time; null before it. */
  opened: number | null;
  /** A changed question leaves the old rows on screen until its first answer. */
  replacing: boolean;
  /** The evidence the book was last filtered with; null = none. */
  told: ToldState['told'] | null;
  /**
   * Set where a store has a part of the window, which is then read by pages, newest first, as far as the reader goes.
   */
  paged: Paged | null;
  storedSteps: StoredSteps | null;
};

/** A line of text being edited at the bottom of the screen. */
export type Prompt = {
  kind: PromptKind;
  /** The text it was opened with, which Esc restores; in a search the last one, which Up restores. */
  before: string;
  field: TextField;
  error: QueryError | null;
  suggestions: readonly string[];
  /** The cursor in the suggestions, or in the list that the prompt drives. */
  cursor: number;
  /** The command line chosen by an arrow, which stays although the offers around it change. */
  chosen: string | null;
};

export type PickKind = 'groupPick' | 'columnPick';

/** A list to choose several from; `find`: only lines with this text are listed. */
export type Picker = {
  kind: PickKind;
  subject: QuerySubject;
  chosen: readonly string[];
  find: string;
} & ListPlace;

/** The query of the view as a list; the terms in `off` are not asked for. */
export type QueryForm = { kind: 'queryForm'; draft: Query; off: readonly Term[] } & ListPlace;

export type Overlay =
  | { kind: 'help'; cursor: number; find: string }
  /** `under`: what the command line was opened over, with its selection. */
  | { kind: 'palette'; under: Brush | ValuesOverlay | null }
  /** The rows in view, or a given text, as bare text that stands still to be selected with the mouse. */
  | { kind: 'plain'; text: string | null }
  | ({ kind: 'requests' } & ListPlace)
  | ({ kind: 'how' } & ListPlace)
  | Picker
  | Brush
  | ValuesOverlay
  | QueryForm
  | HandoverOverlay;

/** A line that answers a key; the next key ends it. `link`: the address that a click on it opens. */
export type Notice = { tone: 'info' | 'warning' | 'error'; text: string; link?: string };

/** A line that no key asked for. `about`: a newer one about the same replaces it. */
export type Remark = { tone: Notice['tone']; remark: string; about?: 'files' };

export type State = AccountLists & {
  /** Terms switched off in the form; `of`: the log and zones of their query. */
  termsOff: { of: string; terms: readonly Term[] } | null;
  size: { columns: number; rows: number };
  now: number;
  /** The way from the root to what is on screen; never empty, the last one is painted. */
  views: readonly View[];
  /** The views of the neighbouring screen, logs or Shield of the same zone, as they were left. */
  parked: readonly View[];
  zones: ZonesState;
  health: HealthState;
  session: LogSession | null;
  shield: ShieldState | null;
  /** Whether the server counts the steps of a Shield search; null = unknown yet. */
  knowsBuckets: boolean | null;
  /** The session was started with `--write`. */
  mayWrite: boolean;
  /** The bytes that the rows of all log sessions may take together. */
  rowBytes: number;
  /** The number of the newest inquiry. */
  inquiries: number;
  evidence: ToldState;
  keptAnswer: KeptAnswer | null;
  overlay: Overlay | null;
  prompt: Prompt | null;
  /** The pace of the keys in the prompt. */
  pace: KeyPace;
  notice: Notice | null;
  /** Oldest first; one shows while no notice does, until the next key at least, and then the next one. */
  remarks: readonly Remark[];
  requests: readonly RequestEvent[];
  /** Of all requests, listed or not. */
  requestTotals: RequestTotals;
  budget: QuotaSnapshot | null;
  columns: readonly ColumnId[] | null;
  timeline: TimelineState;
  beside: BesideState;
  highlights: readonly Highlight[];
  /** The toggles that are on. */
  on: ReadonlySet<Toggle>;
  /** Clicks and the wheel act here. */
  hasMouse: boolean;
  ownKeys: readonly OwnKey[];
  demo: boolean;
  handover: HandoverState;
  /** Null without `--until` and `:tell`. */
  watching: Watching | null;
  /** While a lost session is read again: where it was paused, and how far it is read before that, event times. */
  resuming: { pausedAt: number; until: number | null } | null;
  /** The store of logs that the platform no longer keeps; null = none is configured. */
  history: Pick<LogHistory, 'engine' | 'name'> | null;
  /** The host that the title names. */
  endpoint: string;
  leaving: boolean;
};

/** Answers a key in the last line. */
export function noticed(state: State, tone: Notice['tone'], text: string): State {
  return { ...state, notice: { tone, text } };
}

/** Reports how a long order ended: a notice, unless a later key has one. */
export function reported(state: State, tone: Notice['tone'], text: string): State {
  return state.notice === null ? noticed(state, tone, text) : remarked(state, { tone, remark: text });
}

/** Adds a remark, which waits until no notice stands. */
export function remarked(state: State, remark: Remark): State {
  const isSaid = state.remarks.some((each) => each.remark === remark.remark);
  if (isSaid) return state;
  const others = state.remarks.filter(({ about }) => about === undefined || about !== remark.about);
  return { ...state, remarks: [...others, remark] };
}

/** The remark on screen; none where it could not be seen, while a line is edited or bare text is shown. */
export function shownRemark({ notice, remarks, prompt, overlay }: State): Remark | null {
  const isRoom = notice === null && prompt === null && overlay?.kind !== 'plain';
  return isRoom ? (remarks[0] ?? null) : null;
}

/** A key ends what was said before it. */
export function afterKey(state: State): State {
  if (shownRemark(state) !== null) return { ...state, remarks: state.remarks.slice(1) };
  return state.notice === null ? state : { ...state, notice: null };
}

/** Turned on, or off again. */
export function toggled(state: State, toggle: Toggle): State {
  const on = state.on.symmetricDifference(new Set([toggle]));
  return noticed({ ...state, on }, 'info', TOGGLES[toggle][on.has(toggle) ? 'on' : 'off']);
}

/** Whether the terminal reports its mouse here, or keeps it. */
export function mouseTaken(state: State, isTaken: boolean): State {
  const text = isTaken
    ? 'clicks and the wheel act here; with Shift the terminal selects'
    : "the mouse is the terminal's";
  return noticed({ ...state, hasMouse: isTaken }, 'info', text);
}

/** The zone in which times are shown. */
export function clockZone({ on }: Pick<State, 'on'>): 'utc' | 'local' {
  return on.has('localTime') ? 'local' : 'utc';
}
