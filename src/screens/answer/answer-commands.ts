import { priceBeside, Recall } from '../../domain/inquiry/held-log.ts';
import { type Inquiry, type Met, type Need, nextRound } from '../../domain/inquiry/inquiry.ts';
import { ofSaved } from '../../domain/inquiry/saved-inquiry.ts';
import type { Query, QuerySubject } from '../../domain/query/query.ts';
import type { Asked, Known } from '../../domain/questions/asked/asked.ts';
import { inquiryOf } from '../../domain/questions/asked/inquiry-of.ts';
import type { Zones } from '../../domain/zone.ts';
import {
  type AnswerChoice,
  type AnswerStage,
  type AnswerView,
  type Choice,
  leftOf,
  openOf,
  waysOf,
} from '../../state/answer-model.ts';
import { listHeight } from '../../state/list/screen-layout.ts';
import { placed } from '../../state/list.ts';
import type { Subscription } from '../../state/messages.ts';
import { noticed, type State } from '../../state/model.ts';
import type { Commands } from '../../state/screen.ts';
import { heldOf } from '../../state/sessions/held.ts';
import { nearestOf, pushed, withTop, withView } from '../../state/view-stack.ts';
import { joined } from '../../text/units.ts';
import { toTable, withCursorHeld } from './answer-cursor.ts';

/** An inquiry of more requests to a log than this shows its price first and runs on Enter. */
const FREE_REQUESTS = 15;

/** An inquiry of more requests than this is kept when its view is left. */
const KEPT_REQUESTS = 100;

/** From this time under way on, ms, the spinner shows and Esc cancels. */
const SLOW = 200;

/** What most questions share: they are put to the CDN log and compare with nothing. */
export const OF_LOGS = { subject: 'logs', against: null } as const;

/** A way to ask a question, or why it cannot be asked so. */
export function choiceOf(title: string, asked: Asked, known: Known, beside = ''): Choice {
  const made = inquiryOf(asked, known);
  if (!made.ok) return { title, inquiry: null, asked: null, why: made.why };
  const { inquiry, query } = made;
  const why = joined([beside, made.why]);
  return { title, asked, inquiry, query, why, ...(made.zones === asked.zones ? {} : { zones: made.zones }) };
}

type AnswerQuestion = {
  crumb: string;
  /** The log whose lines the question is about; the CDN log unless given. */
  subject?: QuerySubject;
  zones: Zones;
  query: Query;
  choices: readonly Choice[];
  variant?: string;
  /** Rows alone answer nothing: what is in memory lowers the price, and is not shown before the rest is paid for. */
  needsAll?: boolean;
  /** Requests that run at once without a price. */
  free?: number;
  /** The first way is the one meant; the others are offered after it. */
  isFirstMeant?: boolean;
  /** The title names the chosen way. */
  isWayTold?: boolean;
};

/**
 * Opens a question. A cheap one with a single way, or one whose way is meant, runs at once: what is in memory answers
 * first, and it reads on as far as is free. Any other shows what memory has, which costs nothing, or its price.
 */
export function openAnswer(
  state: State,
  {
    choices: asked,
    variant,
    needsAll,
    free = FREE_REQUESTS,
    isFirstMeant,
    isWayTold,
    ...about
  }: AnswerQuestion,
): State {
  const source = state.session?.source;
  const choices = asked
    .map((choice) =>
      choice.inquiry && source?.kind === 'files'
        ? { ...choice, inquiry: ofSaved(choice.inquiry, source.report) }
        : choice,
    )
    .map((choice) => priced(state, choice, about));
  const first = choices.find(({ inquiry }) => inquiry !== null);
  const isHeld = ({ inquiry, isKept, zones = about.zones }: AnswerChoice) =>
    inquiry !== null && !isKept && !new Recall(inquiry, inquiry.needs, heldOf(state, zones)).isEmpty;
  const way = isFirstMeant ? first : (choices.find(isHeld) ?? first);
  if (!way?.inquiry) return noticed(state, 'warning', choices[0]?.why ?? 'nothing to ask');
  const { inquiry } = way;
  const number = state.inquiries + 1;
  const view: AnswerView = {
    kind: 'answer',
    ...{ cursor: 0, top: 0, isMoved: false },
    subject: 'logs',
    ...about,
    way: isWayTold ? '' : null,
    variant: variant ?? null,
    choices,
    begun: new Map(choices.flatMap((each) => (each.inquiry && each.isKept ? [[each.inquiry, []]] : []))),
    ...{ number, inquiry, asked: way.asked, table: inquiry.table() },
    ...{ recall: null, tabledAt: state.now, stage: { kind: 'priced' } },
    ...{ round: 0, needs: [], answered: new Set<Need>(), price: 0, most: 0, met: 0, spent: 0 },
    ...{ failures: 0, failed: new Set<Need['kind']>(), failure: null },
  };
  const next = pushed({ ...state, inquiries: number }, view);
  const isMeant = isFirstMeant || choices.length === 1;
  const isFree = isMeant && way.price - (inquiry.follow?.beside ?? 0) <= free;
  if (isFree) return chosen(next, view, way, { most: free, isAgreed: true });
  return !needsAll && isHeld(way) ? chosen(next, view, way, { most: 0, isAgreed: false }) : next;
}

/** What keys do in an answer, but for what they open over it. */
export const IN_ANSWER: Commands<AnswerView> = {
  nextTable: (state, view) => toTable(state, view, 1),
  previousTable: (state, view) => toTable(state, view, -1),
  refresh: askedAgain,
  leave: (state, view) => {
    if (view.stage.kind === 'priced' && view.stage.isAgain)
      return withTop(state, { ...view, cursor: 0, top: 0, stage: { kind: 'read' } });
    return isSlow(state, view) ? withTop(state, { ...view, stage: { kind: 'cancelled' } }) : null;
  },
};

/** Goes on where it was stopped; otherwise with what is left, or in another way. */
function askedAgain(state: State, view: AnswerView): State {
  const { kind } = view.stage;
  if (kind === 'asking' || kind === 'recalling') return state;
  if (kind === 'priced') return chosenUnder(state, view);
  if (kind === 'read' && waysOf(view) > 1) return offered(state, view);
  const price = leftOf(view).length;
  if (price === 0) return noticed(state, 'info', 'everything that was asked about has been read');
  return startAsking(state, view, view, { price, most: price, isAgreed: true });
}

/** The ways to ask over an answer, each with what it still costs; the cursor is on the current one. */
function offered(state: State, view: AnswerView): State {
  const choices = view.choices.map((choice) => priced(state, choice, { zones: view.zones, view }));
  const at = choices.findIndex(({ inquiry }) => inquiry === view.inquiry);
  const place = placed({ cursor: 0, top: 0 }, at, choices.length, listHeight(state));
  return withTop(state, { ...view, ...place, choices, stage: { kind: 'priced', isAgain: true } });
}

/** What a way costs beside what is in memory; one that was begun and not kept, what is left of it. */
function priced(state: State, choice: Choice, { zones: about, view }: { zones: Zones; view?: AnswerView }) {
  const { inquiry, isKept, zones = about } = choice;
  if (isKept || inquiry === null) return { ...choice, price: 0 };
  const isBegun = view?.begun.has(inquiry) ?? false;
  const asked = isBegun && view ? { ...inquiry, needs: leftOf(view, inquiry), follow: undefined } : inquiry;
  return { ...choice, price: priceBeside(asked, heldOf(state, zones)) };
}

export function chosenUnder(state: State, view: AnswerView): State {
  const choice = view.choices[view.cursor];
  return choice?.inquiry
    ? chosen(state, view, choice, { most: choice.price, isAgreed: true })
    : noticed(state, 'info', choice?.why ?? 'nothing to ask');
}

/** Asks in one of the ways. A kept answer is shown as it was left. */
function chosen(
  state: State,
  view: AnswerView,
  choice: AnswerChoice,
  o: { most: number; isAgreed: boolean },
): State {
  const { inquiry, asked, title, query = view.query, zones = view.zones, isKept = false, price } = choice;
  if (inquiry === null) return state;
  const way = view.way === null ? null : title;
  const kept = { zones, inquiry, asked, query, readAt: state.now };
  const next = o.isAgreed && price > KEPT_REQUESTS && !isKept ? { ...state, keptAnswer: kept } : state;
  const opened: AnswerView = {
    ...withInquiry(view, inquiry),
    ...{ way, query, zones, asked, cursor: 0, top: 0, isMoved: false },
  };
  if (!isKept) return startAsking(next, view, opened, { price, ...o });
  const stage: AnswerStage = leftOf(opened).length > 0 ? { kind: 'cancelled' } : { kind: 'read' };
  return withTop(state, withCursorHeld(state, opened, { ...opened, table: inquiry.table(), stage }));
}

function isSlow({ now }: State, { stage }: AnswerView): boolean {
  return (stage.kind === 'asking' || stage.kind === 'recalling') && now - stage.since >= SLOW;
}

/** Least time between two tables of what was counted so far, ms: making one takes longer than counting some rows. */
const TABLE_AFTER = 250;

/**
 * Asks an inquiry for what it lacks: first memory, then, where `isAgreed`, whoever has the rest. A new one needs
 * everything, one that was begun what is left. `before`: the view in its place; `most`: requests that may be sent.
 */
function startAsking(
  state: State,
  before: AnswerView,
  view: AnswerView,
  o: { price: number; most: number; isAgreed: boolean },
): State {
  const needs = leftOf(view);
  const recall = new Recall(view.inquiry, needs, heldOf(state, view.zones));
  const begun: AnswerView = {
    ...view,
    ...{ recall, needs, answered: new Set<Need>(), met: 0, price: o.price, most: o.most },
    ...{ failures: 0, failed: new Set<Need['kind']>(), failure: null },
    begun: new Map([...view.begun, [view.inquiry, []]]),
  };
  if (recall.isEmpty && o.isAgreed) return shown(state, before, asked(state, begun, needs, before.stage));
  const next: AnswerView = {
    ...begun,
    stage: { kind: 'recalling', since: state.now, isAgreed: o.isAgreed },
  };
  return recalling(withView(state, before, next), next);
}

/** One turn of counting what is in memory. */
export function recalling(state: State, view: AnswerView): State {
  const { recall, stage, inquiry } = view;
  if (stage.kind !== 'recalling' || recall === null) return state;
  recall.step();
  if (recall.isOver) {
    // Nobody has more of saved logs.
    const needs = inquiry.lacks ? [] : recall.untold;
    const told: AnswerView = { ...view, needs };
    return shown(state, view, stage.isAgreed ? asked(state, told, needs, stage) : read(told));
  }
  const isDue = state.now - view.tabledAt >= TABLE_AFTER;
  if (!isDue) return withView(state, view, { ...view });
  return shown(state, view, { ...view, table: inquiry.table(), tabledAt: state.now });
}

/** One request of an inquiry was answered. The answer to an abandoned inquiry is dropped. */
export function needMet(state: State, number: number, need: Need, met: Met): State {
  const view = nearestOf(state.views, 'answer', (each) => each.number === number);
  if (view?.stage.kind !== 'asking' || !openOf(view).includes(need)) return state;
  view.inquiry.add(need, met);
  const isFailed = met.kind === 'failed';
  const next: AnswerView = {
    ...view,
    table: view.inquiry.table(),
    answered: new Set([...view.answered, need]),
    met: view.met + 1,
    spent: view.spent + 1,
    failures: view.failures + (isFailed ? 1 : 0),
    failed: isFailed ? new Set([...view.failed, need.kind]) : view.failed,
    failure: view.failure ?? (isFailed ? met.failure : null),
  };
  return shown(state, view, openOf(next).length > 0 ? next : readOn(state, next, view.stage));
}

/** The requests of an answer; one beneath another goes on reading. */
export function answerAsks(_: State, view: AnswerView): Subscription[] {
  if (view.stage.kind !== 'asking') return [];
  const { number, round } = view;
  // An answer that was parked goes on where it was left.
  return [{ kind: 'inquiry', key: `inquiry ${number} ${round}`, inquiry: number, needs: openOf(view) }];
}

/** A round for these needs; without any, the next one. */
function asked(state: State, view: AnswerView, needs: readonly Need[], before: AnswerStage): AnswerView {
  if (needs.length === 0) return readOn(state, view, before);
  const since = 'since' in before ? before.since : state.now;
  return {
    ...view,
    ...{ needs, answered: new Set<Need>(), round: view.round + 1 },
    table: view.inquiry.table(),
    stage: { kind: 'asking', since },
  };
}

/** What only the answers name, some of it perhaps in memory; then what they left, as far as the requests go. */
function readOn(state: State, view: AnswerView, before: AnswerStage): AnswerView {
  const { inquiry, most, met, failed } = view;
  for (;;) {
    const { isNamed, needs } = nextRound(inquiry, { left: most - met, failed });
    const untold = isNamed ? toldAtOnce(state, view, needs) : needs;
    if (untold.length > 0 && !inquiry.lacks) return asked(state, view, untold, before);
    if (!isNamed) return read(view);
  }
}

function read(view: AnswerView): AnswerView {
  return { ...view, table: view.inquiry.table(), stage: { kind: 'read' } };
}

/** Gives the inquiry the samples and single answers held, which takes no time; returns the needs that are not held. */
function toldAtOnce(state: State, { inquiry, zones }: AnswerView, needs: readonly Need[]): readonly Need[] {
  const isShort = (need: Need) => need.kind !== 'logs' || need.rows !== undefined;
  const recall = new Recall(inquiry, needs.filter(isShort), heldOf(state, zones));
  while (!recall.isOver) recall.step();
  return needs.filter((need) => !isShort(need) || recall.untold.includes(need));
}

/** An inquiry left for another keeps the needs still open. */
function withInquiry(view: AnswerView, inquiry: Inquiry): AnswerView {
  if (inquiry === view.inquiry) return view;
  const begun = new Map(view.begun);
  if (begun.has(view.inquiry)) begun.set(view.inquiry, openOf(view));
  const needs = begun.get(inquiry) ?? [];
  return { ...view, begun, inquiry, recall: null, needs, answered: new Set() };
}

function shown(state: State, before: AnswerView, after: AnswerView): State {
  return withView(state, before, withCursorHeld(state, before, after));
}
