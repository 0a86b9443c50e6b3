import { Recall } from '../../domain/questions/inquiry/held-log.ts';
import { type Inquiry, type Met, type Need, nextRound } from '../../domain/questions/inquiry/inquiry.ts';
import { type AnswerStage, type AnswerView, leftOf, openOf } from '../../state/answer-model.ts';
import type { Subscription } from '../../state/messages.ts';
import type { State } from '../../state/model.ts';
import { heldOf } from '../../state/sessions/held.ts';
import { nearestOf, withView } from '../../state/view-stack.ts';
import { withCursorHeld } from './answer-cursor.ts';

/** Least time between two tables of what was counted so far, ms: making one takes longer than counting some rows. */
const TABLE_AFTER = 250;

/**
 * Asks an inquiry for what it lacks: first memory, then, where `isAgreed`, whoever has the rest. A new one needs
 * everything, one that was begun what is left. `before`: the view in its place; `most`: requests that may be sent.
 */
export function startAsking(
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
export function withInquiry(view: AnswerView, inquiry: Inquiry): AnswerView {
  if (inquiry === view.inquiry) return view;
  const begun = new Map(view.begun);
  if (begun.has(view.inquiry)) begun.set(view.inquiry, openOf(view));
  const needs = begun.get(inquiry) ?? [];
  return { ...view, begun, inquiry, recall: null, needs, answered: new Set() };
}

function shown(state: State, before: AnswerView, after: AnswerView): State {
  return withView(state, before, withCursorHeld(state, before, after));
}
