import type { Query, QuerySubject } from '../../domain/query/query.ts';
import type { Asked, Known } from '../../domain/questions/asked/asked.ts';
import { inquiryOf } from '../../domain/questions/asked/inquiry-of.ts';
import { type Held, priceBeside, Recall } from '../../domain/questions/inquiry/held-log.ts';
import type { Inquiry, Met, Need } from '../../domain/questions/inquiry/inquiry.ts';
import { ofSaved } from '../../domain/questions/inquiry/saved-inquiry.ts';
import type { Zones } from '../../domain/zone.ts';
import type { CommandId } from '../../keys/bindings.ts';
import { joined } from '../../text/joined.ts';
import { listHeight } from '../list/layout.ts';
import { moved, timesOf } from '../list/list.ts';
import type { Subscription } from '../messages.ts';
import { noticed, type State } from '../model.ts';
import { nearestOf, pushed, withTop, withView } from '../view-stack.ts';
import { shownLines, toTable, withCursorHeld } from './answer-cursor.ts';
import { type AnswerChoice, type AnswerStage, type AnswerView, waysOf } from './answer-model.ts';
import { heldOf } from './held.ts';

/** An inquiry of more requests to a log than this says its price first and runs on Enter. */
export const FREE_REQUESTS = 6;

/** An inquiry of more requests than this is kept when its view is left. */
const KEPT_REQUESTS = 100;

/** After this time under way the spinner shows, and Esc cancels. */
const SLOW = 200;

/** Between two tables of what was counted so far, ms: making one takes longer than counting some rows. */
const TABLE_AFTER = 250;

/** What most questions have in common: they are put to the CDN log, and compare with nothing. */
export const OF_LOGS = { subject: 'logs', against: null } as const;

/** A way to ask before its price is known. */
export type Choice = Omit<AnswerChoice, 'price'>;

/** A way to ask, of what is asked; or why it cannot be asked so. */
export function choiceOf(title: string, asked: Asked, known: Known, beside = ''): Choice {
  const made = inquiryOf(asked, known);
  if (!made.ok) return { title, inquiry: null, asked: null, why: made.why };
  const { inquiry, query } = made;
  const why = joined([beside, made.why]);
  return { title, asked, inquiry, query, why, ...(made.zones === asked.zones ? {} : { zones: made.zones }) };
}

type AnswerQuestion = {
  crumb: string;
  /** The log whose lines it is about; the CDN log unless told. */
  subject?: QuerySubject;
  zones: Zones;
  query: Query;
  choices: readonly Choice[];
  variant?: string;
  /** Rows alone answer nothing: what is in memory makes it cheaper, and is not shown before the rest. */
  needsAll?: boolean;
  /** The first way is what is asked; the others are offered after it. */
  isFirstMeant?: boolean;
  /** The title says which way was chosen. */
  isWayTold?: boolean;
};

/**
 * Opens a question. What is in memory answers it first and costs nothing, the rest is offered. One of which nothing is,
 * that is cheap and has one way to be asked, runs at once; any other says its price first.
 */
export function openAnswer(
  state: State,
  { choices: asked, variant, needsAll, isFirstMeant, isWayTold, ...about }: AnswerQuestion,
): State {
  const source = state.session?.source;
  const ways = asked.map(({ inquiry, ...choice }) => ({
    ...choice,
    inquiry: inquiry && source?.kind === 'files' ? ofSaved(inquiry, source.report) : inquiry,
  }));
  const choices = pricedChoices(state, ways, about.zones);
  const recalled = choices.find(
    ({ inquiry, isKept, zones = about.zones }) =>
      inquiry && !isKept && recallOf(inquiry, heldOf(state, zones)),
  );
  const way = recalled ?? choices.find(({ inquiry }) => inquiry !== null);
  const first = way?.inquiry;
  if (!first) return noticed(state, 'warning', choices[0]?.why ?? 'nothing to ask');
  const number = state.inquiries + 1;
  const view: AnswerView = {
    kind: 'answer',
    cursor: 0,
    top: 0,
    isMoved: false,
    subject: 'logs',
    ...about,
    way: isWayTold ? '' : null,
    variant: variant ?? null,
    choices,
    number,
    inquiry: first,
    asked: way.asked,
    table: first.table(),
    recall: null,
    tabledAt: state.now,
    stage: { kind: 'priced' },
    needs: [],
    answered: new Set(),
    begun: 0,
    met: 0,
    spent: 0,
    failures: 0,
    failure: null,
  };
  const next = pushed({ ...state, inquiries: number }, view);
  const agreed = way.price - (first.follow?.beside ?? 0);
  const isCheap = (isFirstMeant || choices.length === 1) && agreed <= FREE_REQUESTS;
  if (recalled && (!needsAll || isCheap)) return chosen(next, view, recalled, needsAll ?? false);
  return isCheap ? chosen(next, view, way, true) : next;
}

/** One turn of counting what is in memory. */
export function recalling(state: State, view: AnswerView): State {
  const { recall, stage } = view;
  if (stage.kind !== 'recalling' || recall === null) return state;
  recall.step();
  if (!recall.isOver) {
    const isDue = state.now - view.tabledAt >= TABLE_AFTER;
    const told = isDue ? { ...view, table: view.inquiry.table(), tabledAt: state.now } : { ...view };
    return withTop(state, isDue ? withCursorHeld(state, view, told) : told);
  }
  const rest = view.inquiry.rest();
  const isRead = rest.length === 0 || !stage.isAgreed;
  return begun(state, view, isRead ? [] : rest);
}

/** One request of an inquiry was answered. An answer to an inquiry that was left or cancelled is dropped. */
export function needMet(state: State, number: number, need: Need, met: Met): State {
  const view = nearestOf(state.views, 'answer', (each) => each.number === number);
  if (view?.stage.kind !== 'asking' || view.answered.has(need)) return state;
  view.inquiry.add(need, met);
  const done = view.met + 1;
  const table = view.inquiry.table();
  const isOver = done >= view.needs.length;
  const follow = isOver ? (view.inquiry.follow?.next() ?? []) : [];
  const next: AnswerView = {
    ...view,
    table,
    answered: new Set([...view.answered, need]),
    needs: [...view.needs, ...follow],
    begun: follow.length > 0 ? done : view.begun,
    met: done,
    spent: view.spent + 1,
    failures: view.failures + (met.kind === 'failed' ? 1 : 0),
    failure: view.failure ?? (met.kind === 'failed' ? met.failure : null),
    stage: isOver && follow.length === 0 ? { kind: 'read' } : view.stage,
  };
  return withView(state, view, withCursorHeld(state, view, next));
}

/** What a command does in an answer; null = it is none of its own. Opening a row is the caller's. */
export function answerCommanded(state: State, view: AnswerView, command: CommandId): State | null {
  const length =
    view.stage.kind === 'priced' ? view.choices.length : shownLines(view.table, state.size.columns).length;
  const place = moved(view, command, length, listHeight(state), state.count);
  if (place) return withTop(state, { ...view, ...place, isMoved: view.stage.kind !== 'priced' });
  switch (command) {
    case 'nextTable':
      return toTable(state, view, timesOf(state.count));
    case 'previousTable':
      return toTable(state, view, -timesOf(state.count));
    case 'open':
      return view.stage.kind === 'priced' ? chosenUnder(state, view) : null;
    case 'refresh': {
      if (view.stage.kind === 'asking' || view.stage.kind === 'recalling') return state;
      if (view.stage.kind === 'priced') return chosenUnder(state, view);
      if (view.recall?.isOver === false) return recalled(state, view, true);
      const rest = view.inquiry.rest();
      const isFromMemory = view.recall !== null && view.spent === 0;
      if (waysOf(view) > 1 && (isFromMemory || rest.length === 0)) return offered(state, view);
      return rest.length > 0
        ? begun(state, { ...view, failures: 0, failure: null }, rest)
        : noticed(state, 'info', 'everything that was asked about has been read');
    }
    case 'leave':
      if (view.stage.kind === 'priced' && view.stage.isAgain)
        return withTop(state, { ...view, cursor: 0, top: 0, stage: { kind: 'read' } });
      return isSlow(state, view) ? withTop(state, { ...view, stage: { kind: 'cancelled' } }) : null;
    default:
      return null;
  }
}

/** What must be asked for an answer; one beneath another goes on being read. */
export function answerAsks(_: State, view: AnswerView): Subscription[] {
  if (view.stage.kind !== 'asking') return [];
  const { number, spent, met, begun } = view;
  // One that was parked goes on where it was left.
  const needs = view.needs.slice(begun).filter((need) => !view.answered.has(need));
  return [{ kind: 'inquiry', key: `inquiry ${number} ${spent - met + begun}`, inquiry: number, needs }];
}

/** The ways to ask over an answer from memory, each with what it costs besides. */
function offered(state: State, view: AnswerView): State {
  const choices = pricedChoices(state, view.choices, view.zones);
  return withTop(state, { ...view, choices, cursor: 0, top: 0, stage: { kind: 'priced', isAgain: true } });
}

/** `about`: the zones of a choice that names none. */
function pricedChoices(state: State, choices: readonly Choice[], about: Zones): AnswerChoice[] {
  return choices.map((choice) => {
    const { inquiry, isKept, zones = about } = choice;
    return { ...choice, price: isKept || inquiry === null ? 0 : priceBeside(inquiry, heldOf(state, zones)) };
  });
}

function chosenUnder(state: State, view: AnswerView): State {
  const choice = view.choices[view.cursor];
  return choice?.inquiry
    ? chosen(state, view, choice, true)
    : noticed(state, 'info', choice?.why ?? 'nothing to ask');
}

/** Asks in one of the ways, and first what is in memory. `isAgreed`: the rest may be asked for. */
function chosen(state: State, view: AnswerView, choice: AnswerChoice, isAgreed: boolean): State {
  const { inquiry, asked, title, query = view.query, zones = view.zones, isKept = false, price } = choice;
  if (inquiry === null) return state;
  const way = view.way === null ? null : title;
  const kept = { zones, inquiry, asked, query, readAt: state.now };
  const next = isAgreed && price > KEPT_REQUESTS && !isKept ? { ...state, keptAnswer: kept } : state;
  const opened: AnswerView = {
    ...view,
    ...{ way, query, zones, asked, cursor: 0, top: 0, isMoved: false, failures: 0, failure: null },
  };
  // Of what memory told it before only the rest is left.
  if (inquiry === view.inquiry && view.recall?.isOver) return begun(next, opened, inquiry.rest());
  const recall = isKept ? null : recallOf(inquiry, heldOf(state, zones));
  const fresh: AnswerView = { ...opened, inquiry, recall };
  if (recall) return recalled(next, fresh, isAgreed);
  return begun(next, fresh, isKept ? [] : inquiry.needs);
}

/** Few rows are counted at once, more of them in turns. */
function recalled(state: State, view: AnswerView, isAgreed: boolean): State {
  const stage = { kind: 'recalling', since: state.now, isAgreed } as const;
  const next: AnswerView = { ...view, stage };
  return recalling(withTop(state, next), next);
}

function recallOf(inquiry: Inquiry, held: Held): Recall | null {
  const recall = new Recall(inquiry, held);
  return recall.isEmpty ? null : recall;
}

function isSlow({ now }: State, { stage }: AnswerView): boolean {
  return (stage.kind === 'asking' || stage.kind === 'recalling') && now - stage.since >= SLOW;
}

function begun(state: State, view: AnswerView, needs: readonly Need[]): State {
  const stage: AnswerStage = needs.length === 0 ? { kind: 'read' } : { kind: 'asking', since: state.now };
  const round = { needs, answered: new Set<Need>(), begun: 0, met: 0, stage };
  const next: AnswerView = { ...view, ...round, table: view.inquiry.table() };
  return withTop(state, withCursorHeld(state, view, next));
}
