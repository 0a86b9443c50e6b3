import type { Failure } from '../domain/failure.ts';
import type { Highlight } from '../domain/handover/highlights.ts';
import type { BookWork } from '../domain/logs/groups/book-work.ts';
import type { GroupShape } from '../domain/logs/groups/group-shape.ts';
import type { BookGroups, GroupSort, LogGroup } from '../domain/logs/groups/log-group.ts';
import type { LogBook } from '../domain/logs/log-book.ts';
import type { LogHistory } from '../domain/logs/log-history.ts';
import type { BookItem } from '../domain/logs/order/log-gaps.ts';
import type { LogReport } from '../domain/logs/paged-log.ts';
import type { ColumnId } from '../domain/logs/pane-columns.ts';
import type { Query, Term } from '../domain/query/query.ts';
import type { QueryError } from '../domain/query/query-text.ts';
import type { Sought } from '../domain/query/terms.ts';
import type { TextField } from '../domain/query/text-field.ts';
import type { EvidenceMet, EvidenceNeed } from '../domain/questions/inquiry/inquiry.ts';
import type { Watch, WatchVerdict } from '../domain/questions/watch/watch.ts';
import type { QuotaSnapshot, RequestEvent, RequestTotals } from '../domain/request-event.ts';
import type { LogSeriesId } from '../domain/timeline/series.ts';
import type { PullZone, Zones } from '../domain/zone.ts';
import { TOGGLES, type Toggle } from '../keys/bindings.ts';
import type { KeysState, KeysView, StorageState, StorageViews } from './account-model.ts';
import type { AnswerView, KeptAnswer } from './answer-model.ts';
import type { BesideState, ValuesOverlay } from './beside-model.ts';
import type { GroupTags } from './group-tags.ts';
import type { HandoverOverlay, HandoverState } from './handover-model.ts';
import type { HealthState } from './health-model.ts';
import type { ListPlace, PagedList, Sideways } from './list.ts';
import type { CountShares, LogSource, Paged, StoredCount, StoredSteps, ZoneTail } from './log-source.ts';
import type { KeyPace, PromptKind } from './prompt-kind.ts';
import type { ShieldState, ShieldView } from './shield-model.ts';

/** What `--until` waits for on screen. It goes on whatever view is open, and over the query it was started with. */
export type Watching = {
  watch: Watch;
  query: Query;
  /** All of them together are judged; null until the zones of the command line are found. */
  zones: Zones | null;
  /** Minutes that begin here or later are judged, Unix ms. */
  since: number;
  /** What the last minute said; null before the first one. */
  verdict: WatchVerdict | null;
  /** Why the last minute could not be read. */
  failure: Failure | null;
  /** Why it rang; stays until Esc. */
  told: string | null;
};

/** `auto`: as much as the screen has room for. */
export type TimelineSize = 'auto' | 'off' | 'low' | 'high';

/** How the traffic over time is drawn above lists. */
type TimelineState = {
  size: TimelineSize;
  /** What a log is divided by; Shield events are by their action. */
  series: LogSeriesId;
};

export const FIRST_TIMELINE: TimelineState = { size: 'auto', series: 'status' };

/**
 * A cursor on the timeline, Unix ms: the start of its step. `anchor`: the start of the step where a selection began; it goes
 * from there to the cursor, both included. Null = nothing is selected.
 */
export type Brush = { kind: 'timeline'; at: number; anchor: number | null };

/** What the platform told besides its logs, by what it was asked; and which kind it refused last, which only a key asks for again. */
export type ToldState = {
  told: ReadonlyMap<string, { met: EvidenceMet; at: number }>;
  refused: ReadonlyMap<EvidenceNeed['kind'], Failure>;
};

export const NOTHING_TOLD: ToldState = { told: new Map(), refused: new Map() };

/** A view to open as soon as its zone is found. `rows`: Shield events where the query asks for no groups. */
export type WantedView = { word: string; query: Query; screen?: 'logs' | 'shield'; rows?: boolean };

export type ZonesState = PagedList<PullZone> & {
  /** Numbers requests, so that an answer to an older question is dropped. */
  request: number;
  /** The Shield join: null until it arrives. */
  shieldOf: ReadonlyMap<string, string> | null;
  narrow: string;
  /** Ids of the zones that Enter opens as one log. */
  marked: ReadonlySet<string>;
  /** `items` that match `narrow`, best first. */
  shown: readonly PullZone[];
  /** A zone named on the command line that is still to be found. */
  wanted: WantedView | null;
};

export type ZonesView = ListPlace & { kind: 'zones' };

export type Search = Sought & { at: { index: number; total: number } | null };

/**
 * A window on the book. `cursor: null` = at the live end. `offset` is the screen row of the cursor, so that rows
 * arriving above or below never move what the user looks at.
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
  /** Set where it was opened over other views: the session before, which is read on and comes back with a step back. */
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
  /** Set where a store counts them, over all of the window. */
  counted: StoredCount | null;
  /** Distinct groups in all, and the rows they were counted over. */
  total: number;
  rows: number;
  computedAt: number;
  /** What the groups look like by a sample of their rows, and when that was looked at. */
  tags: GroupTags;
  taggedAt: number;
  /** What was told when they were counted last. */
  told: ToldState['told'];
  /** What is being worked on, and over which rows; null = nothing. */
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
  | KeysView;

/** The traffic of zones being followed, or saved logs being read. The book is mutable and lives as long as the session; `version` tells when to look. */
export type LogSession = {
  source: LogSource;
  /** The question the tails ask; a new number means new tails, and late answers to the old one are dropped. */
  generation: number;
  /** One for each zone of the source whose logging is on, in their order; none for saved logs. */
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
  /** How far the first answer to the question had read, whatever zone it was about: event time; null before it. */
  opened: number | null;
  /** A changed question keeps the old rows on screen until its first answer. */
  replacing: boolean;
  /** What was told when the book was filtered last; null = it was filtered as if nothing were. */
  told: ToldState['told'] | null;
  /** Set where a store has a part of a window: how it is read by pages, newest first, as far as the reader goes. */
  paged: Paged | null;
  storedSteps: StoredSteps | null;
};

/** A line of text being edited at the bottom of the screen. */
export type Prompt = {
  kind: PromptKind;
  /** The text it was opened with, which Esc gives back; of a search the last one, which Up brings back. */
  before: string;
  field: TextField;
  error: QueryError | null;
  suggestions: readonly string[];
  /** Place in the suggestions or the list the prompt drives. */
  cursor: number;
  /** On the command line: the line that an arrow chose. It stays that one although the offers around it change. */
  chosen: string | null;
};

export type PickKind = 'groupPick' | 'columnPick' | 'shieldPick' | 'shieldColumns';

/** A list out of which some are chosen; `find`: only what has this text is listed. */
export type Picker = { kind: PickKind; chosen: readonly string[]; find: string } & ListPlace;

/** The query of the view as a list, of which `off` are terms that are not asked for. */
export type QueryForm = { kind: 'queryForm'; draft: Query; off: readonly Term[] } & ListPlace;

export type Overlay =
  | { kind: 'help'; cursor: number; find: string }
  /** `under`: what the command line was opened over, with what is selected there. */
  | { kind: 'palette'; under: Brush | ValuesOverlay | null }
  /** The rows in view, or one given text, as bare text, standing still, for selecting with the mouse. */
  | { kind: 'plain'; text: string | null }
  | ({ kind: 'requests' } & ListPlace)
  | ({ kind: 'how' } & ListPlace)
  | Picker
  | Brush
  | ValuesOverlay
  | QueryForm
  | HandoverOverlay;

/** A line that answers a key; the next key ends it. */
export type Notice = { tone: 'info' | 'warning' | 'error'; text: string };

/** A line about what no key has just asked for. `about`: a newer one about the same takes its place. */
export type Remark = { tone: Notice['tone']; remark: string; about?: 'files' };

export type State = {
  /** Terms that were switched off in the form, of the query of which log of which zones. */
  termsOff: { of: string; terms: readonly Term[] } | null;
  size: { columns: number; rows: number };
  now: number;
  /** The way from the root to what is on screen; never empty, the last one is painted. */
  views: readonly View[];
  /** The views of the screen that was left for its neighbour, logs or Shield of the same zone, as they were left. */
  parked: readonly View[];
  zones: ZonesState;
  health: HealthState;
  session: LogSession | null;
  shield: ShieldState | null;
  /** Whether the server counts the steps of a Shield search; null = that is not known yet. */
  knowsBuckets: boolean | null;
  storage: StorageState;
  keys: KeysState;
  /** The session was started with `--write`. */
  mayWrite: boolean;
  /** What the rows of all log sessions may take together, about. */
  rowBytes: number;
  /** The number of the newest inquiry. */
  inquiries: number;
  evidence: ToldState;
  keptAnswer: KeptAnswer | null;
  overlay: Overlay | null;
  prompt: Prompt | null;
  /** How the keys in the prompt came. */
  pace: KeyPace;
  notice: Notice | null;
  /** The oldest first: it is shown while no answer is, at least until the next key, and then the one after it. */
  remarks: readonly Remark[];
  requests: readonly RequestEvent[];
  /** Of all that were asked, listed or not. */
  requestTotals: RequestTotals;
  budget: QuotaSnapshot | null;
  columns: readonly ColumnId[] | null;
  timeline: TimelineState;
  beside: BesideState;
  highlights: readonly Highlight[];
  /** The toggles that are on. */
  on: ReadonlySet<Toggle>;
  demo: boolean;
  handover: HandoverState;
  /** Null without `--until`. */
  watching: Watching | null;
  /** While a lost session is read again: where it was paused, and up to where it is read before that, event times. */
  resuming: { pausedAt: number; until: number | null } | null;
  /** The store of logs that the logging API keeps no more; null = none is configured. */
  history: Pick<LogHistory, 'engine' | 'name'> | null;
  /** What the title says the program is connected to. */
  endpoint: string;
  leaving: boolean;
};

/** Answers a key in the last line. */
export function noticed(state: State, tone: Notice['tone'], text: string): State {
  return { ...state, notice: { tone, text } };
}

/** Tells how an order ended that took its time: an answer still, unless a later key has one. */
export function reported(state: State, tone: Notice['tone'], text: string): State {
  return state.notice === null ? noticed(state, tone, text) : remarked(state, { tone, remark: text });
}

/** Says what no key has asked for: it waits until no answer stands. */
export function remarked(state: State, remark: Remark): State {
  const isSaid = state.remarks.some((each) => each.remark === remark.remark);
  if (isSaid) return state;
  const others = state.remarks.filter(({ about }) => about === undefined || about !== remark.about);
  return { ...state, remarks: [...others, remark] };
}

/** The remark on screen: none while a line is edited or the rows alone are shown, where it would not be seen. */
export function shownRemark({ notice, remarks, prompt, overlay }: State): Remark | null {
  const isRoom = notice === null && prompt === null && overlay?.kind !== 'plain';
  return isRoom ? (remarks[0] ?? null) : null;
}

/** With a key, what was said before it is over. */
export function afterKey(state: State): State {
  if (shownRemark(state) !== null) return { ...state, remarks: state.remarks.slice(1) };
  return state.notice === null ? state : { ...state, notice: null };
}

/** Turned on, or off again. */
export function toggled(state: State, toggle: Toggle): State {
  const on = state.on.symmetricDifference(new Set([toggle]));
  return noticed({ ...state, on }, 'info', TOGGLES[toggle][on.has(toggle) ? 'on' : 'off']);
}

/** The zone in which times are shown. */
export function clockZone({ on }: Pick<State, 'on'>): 'utc' | 'local' {
  return on.has('localTime') ? 'local' : 'utc';
}
