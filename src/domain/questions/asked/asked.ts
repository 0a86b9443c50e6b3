import type { Start } from '../../evidence/change.ts';
import { fieldNamed } from '../../query/fields.ts';
import type { Query, QuerySubject, Term } from '../../query/query.ts';
import { windowText } from '../../query/window-text.ts';
import type { WafRule } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Anonymisation, Zones } from '../../zone.ts';
import type { Sighting } from '../clients/client.ts';
import type { BaselineId, Lens } from '../comparison/lenses.ts';
import type { NameOf } from '../evidence/change-section.ts';
import type { Besides, Inquiry, LogNeed } from '../inquiry/inquiry.ts';
import { QUESTIONS, type QuestionId } from './questions.ts';

/** What a window is compared with. `ranges`: disjoint, the oldest first. */
export type Against = Pick<Lens, 'title'> & {
  id: Lens['id'] | 'other';
  ranges: readonly TimeRange[];
};

/** A question and what it is asked about: what a key asks on a screen, and what its command line says. */
export type Asked = {
  question: QuestionId;
  /** Shield, where the question can be asked of either log and is asked of Shield's. */
  subject: QuerySubject;
  zones: Zones;
  terms: readonly Term[];
  range: TimeRange;
  against: Against | null;
};

/** What whoever asks knows besides. It makes an answer cheaper, or says more in it; without it the same is asked. */
export type Known = Besides & {
  /** Unix ms. */
  now: number;
  /** The oldest moment of which there are rows, Unix ms; what the platform keeps unless told. */
  edge?: number;
  /** Null: the zone has no Shield. Undefined: nobody has told yet. */
  shieldZoneId: string | null | undefined;
  /** Rows that are in memory, where these alone are asked about. */
  held?: number;
  /** About how many rows the window has. */
  rows?: number | null;
  /** How many events. */
  events?: number | null;
  rules?: ReadonlyMap<string, WafRule> | null;
  /** What the log keeps of addresses that the value was seen in. */
  seen?: Anonymisation;
  /** The line that a timeline is about. */
  sighting?: Sighting;
  /** The times of which rows answered 5xx are in memory, where these are all of them. */
  failures?: readonly LogNeed[];
  /** What is known of when something began. */
  starts?: readonly Start[];
  /** What a change was made to, where more than the zones asked about can be named. */
  nameOf?: NameOf;
  /** Zones that are known by their number alone. */
  unlisted?: number;
};

/** A question with its requests, or why it cannot be asked. `why`: how its price is made up. */
export type Made =
  | { ok: true; inquiry: Inquiry; query: Query; zones: Zones; why: string }
  | { ok: false; why: string };

/** How far back each baseline is written on a command line; the usual one is not. */
const BACK: Readonly<Record<BaselineId | 'days', string | null>> = {
  previous: null,
  day: '1d',
  twoDays: '2d',
  days: '1d,2d',
};

/** The words of the options that a question was asked with. */
export function askedOptions({ question, subject, against }: Asked): string[] {
  const back = against === null ? null : againstText(against);
  return [
    ...(subject === 'shield' && QUESTIONS[question].subject === 'logs' ? ['--shield'] : []),
    ...(back === null ? [] : ['--against', back]),
  ];
}

/** Of times before and after it the window around them: its rest is what it is compared with. */
function againstText({ id, ranges }: Against): string | null {
  if (id in BACK) return BACK[id as keyof typeof BACK];
  const [from, to] = [ranges.at(0)?.from ?? 0, ranges.at(-1)?.to ?? 0];
  return windowText({ kind: 'absolute', from, to });
}

/** The terms that a command line can hold: what no field of its log has is part of an answer, and of no query. */
export function askedTerms({ question, subject, terms }: Asked): readonly Term[] {
  const log = subject === 'shield' ? 'shield' : QUESTIONS[question].subject;
  return terms.filter((term) => term.kind === 'text' || fieldNamed(log, term.field) !== null);
}
