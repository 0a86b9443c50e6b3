import type { Failure } from '../domain/failure.ts';
import type { AnswerTable } from '../domain/inquiry/answer-table.ts';
import type { Recall } from '../domain/inquiry/held-log.ts';
import type { Inquiry, Need } from '../domain/inquiry/inquiry.ts';
import type { Query, QuerySubject } from '../domain/query/query.ts';
import type { Asked } from '../domain/questions/asked/asked.ts';
import type { Zones } from '../domain/zone.ts';
import type { ListPlace } from './list.ts';

/** One way to ask, as a command line can ask it. `inquiry` null: it cannot be asked, and `why`. */
export type Choice = ({ inquiry: Inquiry; asked: Asked } | { inquiry: null; asked: null }) & {
  title: string;
  why: string;
  /** Set where the question covers other times than those on screen. */
  query?: Query;
  /** Set where the question covers other zones than those on screen. */
  zones?: Zones;
  /** The answer was read before: it is shown, and nothing is asked. */
  isKept?: boolean;
};

/** `price`: the requests that it costs beside what is in memory. */
export type AnswerChoice = Choice & { price: number };

/** The last long answer, kept when its view is left: reading it took minutes. */
export type KeptAnswer = {
  zones: Zones;
  inquiry: Inquiry;
  asked: Asked;
  query: Query;
  readAt: number;
};

/**
 * `priced`: nothing is asked until the user agrees to the number of requests. The cursor is on a choice; with
 * `isAgain` an answer lies beneath the choices. `recalling`: rows in memory are counted; `isAgreed`: the rest is
 * asked for after them.
 */
export type AnswerStage =
  | { kind: 'priced'; isAgain?: boolean }
  | { kind: 'recalling'; since: number; isAgreed: boolean }
  | { kind: 'asking'; since: number }
  | { kind: 'read' }
  | { kind: 'cancelled' };

/** The ways in which the question can be asked. */
export function waysOf({ choices }: Pick<AnswerView, 'choices'>): number {
  return choices.filter(({ inquiry }) => inquiry !== null).length;
}

/** The question in words, with the way that was chosen. */
export function askedWords({ crumb, way }: Pick<AnswerView, 'crumb' | 'way'>): string {
  return way ? `${crumb} ${way}` : crumb;
}

/** The needs asked for that have no answer yet. */
export function openOf({ recall, needs, answered }: AnswerView): readonly Need[] {
  return recall?.isOver === false ? recall.untold : needs.filter((need) => !answered.has(need));
}

/**
 * What a way asks for next. An inquiry gets each of its needs once, so one that was begun asks only for what it has
 * not had.
 */
export function leftOf(view: AnswerView, inquiry: Inquiry = view.inquiry): readonly Need[] {
  const open = view.begun.get(inquiry);
  if (open === undefined) return inquiry.needs;
  const left = inquiry === view.inquiry ? openOf(view) : open;
  return left.length > 0 ? left : inquiry.rest();
}

/** Requests answered since the question was last asked, of how many. */
export function progressOf(view: AnswerView): { met: number; all: number } {
  const { met, price } = view;
  return { met, all: Math.max(price, met + openOf(view).length) };
}

/** A question about an incident and its answer so far. */
export type AnswerView = ListPlace & {
  kind: 'answer';
  /** The user moved the cursor; otherwise it stands where the answer leads somewhere. */
  isMoved: boolean;
  subject: QuerySubject;
  zones: Zones;
  /** The part of the log that the question is about, for the crumb and further filters. */
  query: Query;
  crumb: string;
  /** The chosen way as the title shows it; '' before one is chosen. */
  way: string | null;
  /** The form of the question, where a key goes on to the next form. */
  variant: string | null;
  choices: readonly AnswerChoice[];
  /** The inquiries begun, each with the needs still open when another was chosen. */
  begun: ReadonlyMap<Inquiry, readonly Need[]>;
  /** Numbers the inquiry, so that a late answer to an abandoned one is dropped. */
  number: number;
  /** Accumulates in place, as the book of a log does; `table` is its latest result. */
  inquiry: Inquiry;
  asked: Asked;
  table: AnswerTable;
  /** Feeds the inquiry what is in memory; null where memory holds none of it. */
  recall: Recall | null;
  /** When `table` was made, Unix ms: it is renewed from time to time while rows are counted. */
  tabledAt: number;
  stage: AnswerStage;
  /** Numbers the rounds, each of which is asked for separately. */
  round: number;
  /** The needs of this round. */
  needs: readonly Need[];
  /** Those of them that have an answer. */
  answered: ReadonlySet<Need>;
  /** The requests it was expected to cost when last asked. */
  price: number;
  /** The most requests that may be sent: what the answers leave unread is read on up to this. */
  most: number;
  /** Requests answered since the question was last asked. */
  met: number;
  /** Requests answered in all. */
  spent: number;
  failures: number;
  /** What failed since the question was last asked. */
  failed: ReadonlySet<Need['kind']>;
  failure: Failure | null;
};
