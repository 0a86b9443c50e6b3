import type { Failure } from '../domain/failure.ts';
import type { NotebookEntry } from '../domain/handover/notebook.ts';
import type { SavedView, ViewsFile } from '../domain/handover/place.ts';
import type { HealthAnswer, HealthReading } from '../domain/health/health-plan.ts';
import type { Met, Need } from '../domain/inquiry/inquiry.ts';
import type { LogHistory, RowsAsked } from '../domain/logs/log-history.ts';
import type { LogEvent, LogReport } from '../domain/logs/paged-log.ts';
import type { SavedEvent } from '../domain/logs/saved-report.ts';
import type { Completion } from '../domain/query/complete.ts';
import type { ServerLogFilter } from '../domain/query/push-down.ts';
import type { Query, Term } from '../domain/query/query.ts';
import type { FieldEdit } from '../domain/query/text-field.ts';
import type { QuotaSnapshot, RequestEvent } from '../domain/request-event.ts';
import type { ShieldAnswer, ShieldDayPage, ShieldSearchRequest, WafRule } from '../domain/shield/shield.ts';
import type { StorageZone } from '../domain/storage/storage.ts';
import type {
  ChangeEnd,
  ChangeStep,
  ConfirmedChange,
  OpenIntent,
  Recorded,
  UndoEntry,
} from '../domain/storage/storage-change.ts';
import type { Settlement } from '../domain/storage/storage-verdict.ts';
import type { TimeRange } from '../domain/tail/coverage.ts';
import type { LogSeriesId } from '../domain/timeline/series.ts';
import type { Steps } from '../domain/timeline/steps.ts';
import type { Watch, WatchVerdict } from '../domain/watch/watch.ts';
import type { Page, PullZone, Zones } from '../domain/zone.ts';
import type { CommandId } from '../keys/bindings.ts';
import type { ListItem, ListName } from '../lists/account-lists.ts';
import type { ExportJob, ExportOutcome } from './handover-model.ts';
import type { Remark, State } from './model.ts';

/** What follows a word of the command line, and its first column. */
export type LineArgument = { text: string; at: number };

/** Facts, in the past tense, and the commands of the user. */
export type Action =
  | { type: 'commanded'; command: CommandId }
  /** Enter on the command line: `line` is the whole line, which stays where the argument is not understood. */
  | { type: 'ordered'; command: CommandId; argument: LineArgument | null; line: string }
  /** An arrow on the command line: `line` is what Enter would run; null = what is typed. */
  | { type: 'offerChosen'; line: string | null }
  /** Tab on the command line; only the table of keys knows the offers. */
  | { type: 'offerTaken'; offer: Pick<Completion, 'from' | 'to' | 'insert'> }
  | { type: 'refused'; why: string }
  | { type: 'typed'; text: string }
  /** Text came as a paste: an edited line takes it, a dialog never does. */
  | { type: 'pasted'; text: string }
  | { type: 'edited'; edit: FieldEdit }
  | { type: 'submitted' }
  | { type: 'cancelled' }
  | { type: 'completed' }
  | { type: 'promptMoved'; by: number }
  /** `top`: the first help line on screen; only the table of keys knows how many there are. */
  | { type: 'helpMoved'; cursor: number }
  /** A click on the timeline, so many cells from its first step. */
  | { type: 'stepPointed'; cell: number }
  | { type: 'resized'; columns: number; rows: number }
  | { type: 'ticked'; now: number }
  | { [N in ListName]: { type: 'listArrived'; list: N; request: number; page: Page<ListItem<N>> } }[ListName]
  | { type: 'listFailed'; list: ListName; request: number; failure: Failure }
  | { type: 'shieldMapped'; pairs: readonly { shieldZoneId: string; pullZoneId: string }[] }
  /** The answer to one request about a zone's health. */
  | { type: 'healthRead'; turn: number; answer: HealthAnswer }
  /** More health requests may begin. */
  | { type: 'healthDue' }
  /** `zone`: the id of the rows' pull zone. */
  | { type: 'tailRead'; generation: number; zone: string; event: LogEvent }
  /** A store's groups over a whole window; null = it cannot count them. */
  | { type: 'storeCounted'; key: string; answer: CountAnswer }
  | { type: 'storeStepped'; key: string; answer: StepsAnswer }
  | { type: 'storeValued'; key: string; answer: ValuesAnswer }
  | { type: 'savedRead'; generation: number; event: SavedEvent }
  | { type: 'shieldZoneFound'; pullZoneId: string; shieldZoneId: string | null }
  | { type: 'shieldAnswered'; request: number; answer: ShieldAnswer }
  | { type: 'shieldDayRead'; request: number; page: ShieldDayPage }
  | { type: 'shieldFailed'; request: number; failure: Failure }
  | { type: 'shieldRulesArrived'; shieldZoneId: string; rules: readonly WafRule[] }
  | { type: 'shieldDue' }
  | { type: 'storageZoneRead'; request: number; zone: StorageZone }
  | { type: 'storageZoneFailed'; request: number; failure: Failure }
  | { type: 'undoFound'; request: number; found: Recorded<UndoEntry | null> }
  | { type: 'changeStepped'; request: number; step: ChangeStep }
  | { type: 'changeEnded'; request: number; end: ChangeEnd }
  | { type: 'intentsFound'; intents: readonly OpenIntent[] }
  /** `verdict: null` = it could not be determined. */
  | { type: 'intentSettled'; intent: OpenIntent; settlement: Settlement | null }
  | { type: 'revealRecorded'; request: number; recorded: Recorded<null> }
  | { type: 'needMet'; inquiry: number; need: Need; met: Met }
  | { type: 'requestSeen'; event: RequestEvent }
  /** A turn of the event loop is free for work over many rows. */
  | { type: 'worked' }
  | { type: 'budgetSeen'; budget: QuotaSnapshot }
  | { type: 'remarked'; remark: Remark }
  /** A text went to the terminal's clipboard, or was too long for terminals. */
  | { type: 'copied'; length: number; isSent: boolean }
  | { type: 'exportAdvanced'; id: number; written: number }
  | { type: 'exportEnded'; id: number; outcome: ExportOutcome }
  /** The file of saved views was read, changed (`done`), or could not be (`failed`). */
  | {
      type: 'viewsRead';
      views: readonly SavedView[];
      /** Of the shared file, where that was read, too. */
      shared?: ViewsFile;
      trouble: string | null;
      done: string | null;
      failed: string | null;
    }
  | { type: 'watchJudged'; verdict: WatchVerdict }
  | { type: 'watchFailed'; failure: Failure }
  | { type: 'findingAdded'; path: string }
  | { type: 'findingFailed'; path: string; why: string }
  /** A signal, or a terminal that went away, ends the program. */
  | { type: 'ended' };

/** One kind of message. */
export type Message<T extends Action['type']> = Extract<Action, { type: T }>;

/** Orders to the outside, as data. */
export type Effect =
  | { type: 'loadShieldMapping' }
  | { type: 'backfill'; generation: number; zone: string; range: TimeRange }
  | { type: 'stopBackfill'; generation: number; zone: string }
  /** Every tail of the question asks at once. */
  | { type: 'refreshTails'; generation: number }
  | { type: 'copy'; text: string }
  | { type: 'readViews' }
  | { type: 'saveView'; view: SavedView }
  | { type: 'deleteView'; name: string }
  /** `at`: Unix ms; names the notebook of the day. */
  | { type: 'addFinding'; entry: NotebookEntry; at: number; isMasked: boolean }
  | { type: 'findIntents' }
  /** The read-back of a sent change ends with what was read so far. */
  | { type: 'stopLooking'; request: number }
  /** A bell of the terminal, a notification for the desktop around it, and the finding as a line of JSON for `--exec`. */
  | { type: 'notify'; text: string; line: string }
  | { type: 'redraw' }
  | { type: 'suspend' }
  | { type: 'quit' };

/** What must run while the state says so; `key` tells two of them apart. */
export type CountAnswer = Awaited<ReturnType<LogHistory['groups']>>;
export type ValuesAnswer = Awaited<ReturnType<LogHistory['values']>>;
export type StepsAnswer = Awaited<ReturnType<LogHistory['steps']>>;

export type Subscription =
  | {
      kind: 'tail';
      key: string;
      generation: number;
      zone: PullZone;
      /** How many tails make the log. */
      among: number;
      filter: ServerLogFilter;
      from: number | null;
      to: number | null;
      /** `from` was computed from our own clock. */
      isRelative: boolean;
    }
  /** A page of a log behind those in `before`; the key counts those. */
  | {
      kind: 'page';
      key: string;
      generation: number;
      zone: PullZone;
      filter: ServerLogFilter;
      terms: readonly Term[];
      window: TimeRange;
      before: LogReport | null;
      rows: number;
    }
  | { kind: 'steps'; key: string; rows: RowsAsked; steps: Steps; series: LogSeriesId }
  | { kind: 'values'; key: string; rows: RowsAsked; fields: readonly string[]; most: number }
  | { kind: 'count'; key: string; rows: RowsAsked; by: readonly string[]; most: number }
  | { kind: 'health'; key: string; turn: number; zone: PullZone; reading: HealthReading }
  | { kind: 'healthDue'; key: string; every: number }
  | { kind: 'saved'; key: string; generation: number; follow: boolean }
  | { kind: 'watch'; key: string; watch: Watch; query: Query; zones: Zones; since: number }
  | { kind: 'clock'; key: string; every: number }
  /** Turns for work over many rows, with room between them for keys and frames. */
  | { kind: 'work'; key: string }
  | { kind: 'shieldZone'; key: string; pullZoneId: string; request: number }
  | { kind: 'shieldSearch'; key: string; request: number; shieldZoneId: string; ask: ShieldSearchRequest }
  | {
      kind: 'shieldDay';
      key: string;
      request: number;
      shieldZoneId: string;
      /** `YYYY-MM-DD`, UTC. */
      day: string;
      token: string | null;
    }
  | { kind: 'shieldRules'; key: string; shieldZoneId: string }
  | { kind: 'shieldDue'; key: string; after: number }
  | { kind: 'export'; key: string; job: ExportJob }
  | { kind: 'list'; key: string; list: ListName; request: number; page: number }
  | { kind: 'storageZone'; key: string; request: number; id: string }
  | { kind: 'storageUndo'; key: string; request: number; id: string }
  | { kind: 'storageChange'; key: string; request: number; change: ConfirmedChange }
  | { kind: 'storageIntent'; key: string; intent: OpenIntent }
  /** The showing of a key is recorded before the key is shown. */
  | { kind: 'keyReveal'; key: string; request: number; id: string; fingerprint: string }
  | { kind: 'keyHide'; key: string; after: number }
  | { kind: 'inquiry'; key: string; inquiry: number; needs: readonly Need[] };

/** What a message makes of the state, and what is to be done outside of it. */
export type Step = [State, Effect[]];

/** A step, or the state alone where nothing is ordered. */
export type Done = State | Step;

/** What a command makes of the state; null: whoever was asked first does not handle it. */
export type Acted = Done | null;

export function asStep(done: Done): Step {
  return Array.isArray(done) ? done : [done, []];
}
