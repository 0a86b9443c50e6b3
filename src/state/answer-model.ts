import type { Failure } from '../domain/failure.ts';
import type { Query, QuerySubject } from '../domain/query/query.ts';
import type { Asked } from '../domain/questions/asked/asked.ts';
import type { AnswerTable } from '../domain/questions/inquiry/answer-table.ts';
import type { Recall } from '../domain/questions/inquiry/held-log.ts';
import type { Inquiry, Need } from '../domain/questions/inquiry/inquiry.ts';
import type { Zones } from '../domain/zone.ts';
import type { ListPlace } from './list.ts';

/** One way to ask, as a command line asks it, too. `inquiry` null: it cannot be asked, and `why`. */
export type Choice = ({ inquiry: Inquiry; asked: Asked } | { inquiry: null; asked: null }) & {
  title: string;
  why: string;
  /** Set where it is about other times than those on screen. */
  query?: Query;
  /** Set where it is about other zones than the one on screen. */
  zones?: Zones;
  /** An answer that was read before: it is shown, and nothing is asked. */
  isKept?: boolean;
};

/** With the requests that it costs besides what is in memory. */
export type AnswerChoice = Choice & { price: number };

/** The last long answer, kept when its view is left: it took minutes to be read. */
export type KeptAnswer = {
  zones: Zones;
  inquiry: Inquiry;
  asked: Asked;
  query: Query;
  readAt: number;
};

/**
 * `priced`: nothing is asked before the user agreed to the number of requests; the cursor is on one of the choices, and
 * with `isAgain` an answer lies under them.
 * `recalling`: rows in memory are counted, and `isAgreed` says whether the rest is asked for after them.
 */
export type AnswerStage =
  | { kind: 'priced'; isAgain?: boolean }
  | { kind: 'recalling'; since: number; isAgreed: boolean }
  | { kind: 'asking'; since: number }
  | { kind: 'read' }
  | { kind: 'cancelled' };

/** Ways in which it can be asked. */
export function waysOf({ choices }: Pick<AnswerView, 'choices'>): number {
  return choices.filter(({ inquiry }) => inquiry !== null).length;
}

/** What is asked, and in which of the ways. */
export function askedWords({ crumb, way }: Pick<AnswerView, 'crumb' | 'way'>): string {
  return way ? `${crumb} ${way}` : crumb;
}

/** Of what was asked for, what has no answer yet. */
export function openOf({ recall, needs, answered }: AnswerView): readonly Need[] {
  return recall?.isOver === false ? recall.untold : needs.filter((need) => !answered.has(need));
}

/**
 * What one of the ways is to be asked for next. An inquiry is told all that it needs once: begun, it is asked for nothing but
 * what it was not told.
 */
export function leftOf(view: AnswerView, inquiry: Inquiry = view.inquiry): readonly Need[] {
  const open = view.begun.get(inquiry);
  if (open === undefined) return inquiry.needs;
  const left = inquiry === view.inquiry ? openOf(view) : open;
  return left.length > 0 ? left : inquiry.rest();
}

/** Requests that were answered since it was asked, or asked again, and how many there may be. */
export function progressOf(view: AnswerView): { met: number; all: number } {
  const { met, price } = view;
  return { met, all: Math.max(price, met + openOf(view).length) };
}

/** A question about an incident and its answer so far. */
export type AnswerView = ListPlace & {
  kind: 'answer';
  /** The user moved the cursor, which else stands where the answer leads somewhere. */
  isMoved: boolean;
  subject: QuerySubject;
  zones: Zones;
  /** The part of the log that the question is about, as the crumb and further filters take it. */
  query: Query;
  crumb: string;
  /** The way that was chosen, where it is told; '' before. */
  way: string | null;
  /** Which of the forms of its question it is, where a key goes on to the next. */
  variant: string | null;
  choices: readonly AnswerChoice[];
  /** The inquiries that were begun, and what of each was still open when another was chosen. */
  begun: ReadonlyMap<Inquiry, readonly Need[]>;
  /** Numbers the inquiry, so that an answer to one that was left is dropped. */
  number: number;
  /** Accumulates in place, as the book of a log does; `table` is what it said last. */
  inquiry: Inquiry;
  /** What it asks. */
  asked: Asked;
  table: AnswerTable;
  /** What is in memory is told to the inquiry by it; null where nothing is. */
  recall: Recall | null;
  /** When `table` was made, Unix ms: it is made anew now and then while rows are counted. */
  tabledAt: number;
  stage: AnswerStage;
  /** Numbers the rounds: each is asked for by itself. */
  round: number;
  /** Asked for in this round. */
  needs: readonly Need[];
  /** Those of them that were answered. */
  answered: ReadonlySet<Need>;
  /** Requests that it was to cost when it was asked last. */
  price: number;
  /** So many may be sent for it: what the answers leave unread is read on up to there. */
  most: number;
  /** Requests answered since it was asked, or asked again. */
  met: number;
  /** Requests answered in all. */
  spent: number;
  failures: number;
  /** What failed since it was asked, or asked again. */
  failed: ReadonlySet<Need['kind']>;
  failure: Failure | null;
};
