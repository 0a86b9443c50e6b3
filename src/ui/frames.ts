import { workOf } from '../loop/work.ts';
import { layoutOf } from '../state/list/screen-layout.ts';
import type { Action } from '../state/messages.ts';
import type { State, View } from '../state/model.ts';
import type { Work } from '../state/screen.ts';
import { topView } from '../state/view-stack.ts';
import type { PaintedStore } from './app.tsx';

/** The part of the terminal's screen that frames need. */
type FrameSink = {
  invalidate: (cause: 'key' | 'data') => void;
  onBeforeFrame: (callback: (cause: 'key' | 'data') => void) => void;
};

type FrameClock = { monotonic: () => number; after: (ms: number, run: () => void) => () => void };

const DATA_ACTIONS: ReadonlySet<Action['type']> = new Set([
  'tailRead',
  'storeCounted',
  'storeStepped',
  'storeValued',
  'savedRead',
  'worked',
  'listArrived',
  'listFailed',
  'shieldMapped',
  'shieldRulesArrived',
  'shieldDayRead',
  'shieldDue',
  'needMet',
  'requestSeen',
  'budgetSeen',
  'ticked',
  'remarked',
  'exportAdvanced',
]);

/** A request's answer is painted anyway; a frame for its counter would make the rows wait for the next one. */
const SILENT_ACTIONS: ReadonlySet<Action['type']> = new Set(['requestSeen', 'budgetSeen']);

const ROW_ACTIONS: ReadonlySet<Action['type']> = new Set(['tailRead', 'savedRead']);

/**
 * When the figures around rows that arrive are painted again, ms: sooner nobody could have read them, later they come
 * with a frame of their own.
 */
const FIGURES = { soonest: 500, latest: 750 } as const;

/**
 * The state as React sees it: it moves on only when a frame is due, so that a fast log costs no unseen renders. After
 * a key React is told at once, so that its commit and the body leave in one frame.
 */
export function createFrames(o: {
  current: () => State;
  sink: FrameSink;
  /** The lines around the body, part of every frame but those of rows alone that follow each other fast. */
  paintChrome: (state: State) => void;
  paintBody: (state: State) => void;
  /** The edited line's cursor, part of every frame. */
  placeCursor: (state: State) => void;
  clock: FrameClock;
}): PaintedStore & { changed: (action: Action) => void; answered: Promise<void>; end: () => void } {
  let painted = o.current();
  /** The state of the body on screen. */
  let body: State | null = null;
  /** The state of the lines around it, and since when they show it. */
  let chrome: State | null = null;
  let isRowsAlone = false;
  let chromeAt = 0;
  let cancelChrome: (() => void) | null = null;
  let answered: number | null = null;
  let read: number | null = null;
  /** The work that a key began, or after its last turn. */
  let work: Work['of'] | null = null;
  const listeners = new Set<() => void>();
  const first = Promise.withResolvers<void>();
  /**
   * Whether the user waits for this: a list of the account, the first answer about a log, the end of saved logs, or the
   * end of work.
   */
  const isAwaited = (action: Action): boolean => {
    if (isOfList(action)) return true;
    if (action.type === 'worked') {
      const before = work;
      work = workOf(o.current());
      return work === null || (before !== null && work !== before);
    }
    if (isRead(action) && action.generation !== read) {
      read = action.generation;
      return true;
    }
    if (action.type !== 'tailRead' && action.type !== 'savedRead') return false;
    if (action.generation === answered || (action.type === 'savedRead' && action.event.rows === null))
      return false;
    answered = action.generation;
    return true;
  };
  const publish = () => {
    const next = o.current();
    if (next === painted) return;
    painted = next;
    for (const listener of listeners) listener();
  };
  const frameChrome = (cause: 'key' | 'data') => {
    if (chrome === painted) return;
    const now = o.clock.monotonic();
    const age = now - chromeAt;
    if (cause === 'data' && isRowsAlone && age < FIGURES.soonest && isLaidOutAs(chrome, painted)) {
      cancelChrome ??= o.clock.after(FIGURES.latest - age, () => o.sink.invalidate('data'));
      return;
    }
    cancelChrome?.();
    cancelChrome = null;
    isRowsAlone = true;
    chromeAt = now;
    chrome = painted;
    o.paintChrome(painted);
  };
  o.sink.onBeforeFrame((cause) => {
    publish();
    o.placeCursor(painted);
    frameChrome(cause);
    const isLetter =
      isLineEdited(painted) &&
      body?.overlay === painted.overlay &&
      body.views === painted.views &&
      isLaidOutAs(body, painted);
    if (cause === 'key' && isLetter) {
      // The answer to a typed letter must not carry the rows that came meanwhile, which have a pace of their own. The
      // screen hears of them after this callback: what is invalidated within counts as painted.
      queueMicrotask(() => o.sink.invalidate('data'));
      return;
    }
    if (body === painted) return;
    body = painted;
    o.paintBody(painted);
  });
  return {
    /** Resolves at the first answer about the view on top. */
    answered: first.promise,
    get: () => painted,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed(action) {
      const overlay = o.current().overlay?.kind;
      if (SILENT_ACTIONS.has(action.type) && overlay !== 'requests') return;
      isRowsAlone &&= ROW_ACTIONS.has(action.type);
      const isData = DATA_ACTIONS.has(action.type);
      // What is being selected with the mouse must stand still.
      if (isData && overlay === 'plain') return;
      // Data is painted at the pace of the link; a key, and what the user waits for, at once.
      const cause = isData && !isAwaited(action) ? 'data' : 'key';
      if (!isData) work = workOf(o.current());
      if (cause === 'key' && isAnswer(action, topView(o.current()).kind)) first.resolve();
      if (cause === 'key') publish();
      o.sink.invalidate(cause);
    },
    end: () => cancelChrome?.(),
  };
}

function isLaidOutAs(before: State | null, state: State): boolean {
  if (before === null) return false;
  const [a, b] = [layoutOf(before).body, layoutOf(state).body];
  return a.y === b.y && a.height === b.height;
}

function isRead(action: Action): action is Extract<Action, { type: 'savedRead' }> {
  return action.type === 'savedRead' && action.event.report.status !== 'reading';
}

/** Whether an action answers what a view of this kind asks: zones are listed under every other view, too. */
function isAnswer(action: Action, view: View['kind']): boolean {
  if (isOfList(action) && action.list === 'zones') return view === 'zones';
  return action.type !== 'resized' && action.type !== 'intentsFound';
}

function isOfList(action: Action): action is Extract<Action, { type: 'listArrived' | 'listFailed' }> {
  return action.type === 'listArrived' || action.type === 'listFailed';
}

/** True while a line is edited that drives no list. */
function isLineEdited(state: State): boolean {
  return state.prompt !== null && ['find', 'query', 'window'].includes(state.prompt.kind);
}
