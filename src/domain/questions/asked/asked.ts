import { MASK } from '../../../text/mask.ts';
import {
  BYPASS_FIELDS,
  type BypassField,
  clientNetwork,
  logTermOf,
  type Sighting,
} from '../../clients/client-identity.ts';
import type { NameOf, Start } from '../../evidence/change.ts';
import { within } from '../../inquiry/answer-table.ts';
import type { Besides, Inquiry } from '../../inquiry/inquiry.ts';
import { eachWords } from '../../inquiry/log-reading.ts';
import { fieldNamed } from '../../query/fields.ts';
import {
  EMPTY_QUERY,
  type FieldTerm,
  isSearch,
  type Query,
  type QuerySubject,
  type Term,
} from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { termForShown, termForValue } from '../../query/terms.ts';
import { windowText } from '../../query/window-text.ts';
import type { WafRule } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Anonymisation, PullZone, Zones } from '../../zone.ts';
import type { Against, BaselineId } from '../comparison/lenses.ts';
import { QUESTIONS, type QuestionId } from './questions.ts';

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
  /** What is known of when something began. */
  starts?: readonly Start[];
  /** What a change was made to, where more than the zones asked about can be named. */
  nameOf?: NameOf;
  /** Zones that are known by their number alone. */
  unlisted?: number;
};

/** All that a question is given. */
export type Brief = Asked & Known;

/** A question with its requests, or why it cannot be asked. `why`: how its price is made up. */
export type Made =
  | { ok: true; inquiry: Inquiry; query: Query; zones: Zones; why: string }
  | { ok: false; why: string };

export function made(o: Brief, inquiry: Inquiry, why = eachWords(o.zones, inquiry)): Made & { ok: true } {
  return { ok: true, inquiry, why, zones: o.zones, query: within(queryOf(o), o.range) };
}

export function unaskable(why: string): Made {
  return { ok: false, why };
}

/** The requests of a log that a question is about, and of no group of them. */
export function queryOf({ terms }: Pick<Asked, 'terms'>): Query {
  return { ...EMPTY_QUERY, terms };
}

export function noShield({ name }: PullZone): string {
  return `${name} has no Shield zone: switch Shield on in the pull zone`;
}

export function noLogWords({ name }: Pick<PullZone, 'name'>): string {
  return `${name} keeps no CDN log; it is switched on under Logging of the pull zone`;
}

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

/** A client by a value that both logs know of it; null = it has none. */
type Client = { field: BypassField; value: string | null };

/** The client that a query names; null where it names none, or more than one. */
export function clientAsked(terms: readonly Term[]): Client | null {
  const [term, ...others] = terms;
  if (term?.kind !== 'field' || term.negated || others.length > 0) return null;
  const field = BYPASS_FIELDS.find((each) => each === term.field);
  const [value, ...more] = term.values;
  if (field === undefined || value === undefined || more.length > 0 || isSearch(term.op)) return null;
  return { field, value: shownValue(term, value) };
}

/** The terms that name a client. `seen`: what the log keeps of addresses that its value was seen in. */
export function clientTerms({ field, value }: Client, seen: Anonymisation): readonly Term[] {
  const network = field === 'ip' ? clientNetwork(value ?? '', seen) : null;
  const term = network === null ? termForShown('logs', field, value) : logTermOf(network);
  return term === null ? [] : [term];
}

/** The value as a log shows it, a masked secret in it too. */
function shownValue({ field, op }: FieldTerm, value: string): string | null {
  if (value === '') return null;
  return op === 'wildcard' && field !== 'ip' ? value.replaceAll('*', MASK) : value;
}

const WAYS =
  'timeline asks about one request: id:<request id>, or ip:<address> and the moment as from:<time>';

/** The request or client that a query names, at a moment (Unix ms); or why it names none. */
export function sightingAsked(terms: readonly Term[], at: number): Sighting | string {
  const found: Partial<Record<'id' | 'ip' | 'url', string>> = {};
  for (const term of terms) {
    const [value, ...others] = term.kind === 'field' ? term.values : [];
    const isOne = term.kind === 'field' && !term.negated && others.length === 0 && !isSearch(term.op);
    const field = term.kind === 'field' ? term.field : '';
    if (!isOne || !value || !(field === 'id' || field === 'ip' || field === 'url') || found[field]) {
      return `${printQuery({ ...EMPTY_QUERY, terms: [term] })} names no single request; ${WAYS}`;
    }
    // A secret in a URL is masked in every log, and any run of characters in a query.
    found[field] = field === 'url' ? value.replaceAll('*', MASK) : value;
  }
  const requestId = found.id?.replaceAll('-', '').toLowerCase() ?? null;
  if (requestId !== null && !/^[0-9a-f]{32}$/.test(requestId))
    return `${requestId} is no request id; ${WAYS}`;
  if (requestId === null && found.ip === undefined) return WAYS;
  return { at, requestId, ip: found.ip ?? null, url: found.url ?? null };
}

/** The terms that name a line again. */
export function termsOfSighting({ requestId, ip, url }: Sighting): readonly Term[] {
  return [
    requestId === null ? null : termForValue('logs', 'id', requestId, false),
    ip === null ? null : termForShown('logs', 'ip', ip),
    // By its URL a request is found where nothing else tells it.
    url === null || ip !== null ? null : termForShown('logs', 'url', url),
  ].filter((term) => term !== null);
}
