import { count, counted, HOUR } from '../../../text/units.ts';
import {
  type ClientKeys,
  clientKeys,
  clientsActedOn,
  requestsByClient,
} from '../../clients/client-identity.ts';
import {
  type AnswerRow,
  type AnswerSection,
  type AnswerTable,
  figures,
  ledBy,
  rest,
  sectionOf,
  shares,
  textSection,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { EventReading } from '../../inquiry/event-reading.ts';
import { readBy } from '../../inquiry/inquiry.ts';
import { LogReading, sidesRead, zoneReads } from '../../inquiry/log-reading.ts';
import { isCut } from '../../logs/counted/join-counts.ts';
import type { CountedField, Counting, Counts } from '../../logs/counts.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { type LogField, logField } from '../../query/fields.ts';
import { EMPTY_QUERY, type FieldTerm, type Query, type Term, termOfAny } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { describeTerm } from '../../query/terms.ts';
import { type Brief, type Made, made, unaskable } from '../asked/asked.ts';

/** Values listed of one field. */
const ROWS_EACH = 5;

/** Clients told apart, and pairs of a client and another value: an address flood must not fill the memory. */
const CLIENTS_MOST = 20_000;

/** What is told of the good requests that the rule would hit. */
const TOLD = ['page', 'country', 'ua'] as const;

/**
 * What a rule made of a filter would hit: requests of clients on which Shield acted are what it is for, the others that
 * were answered with 2xx or 3xx are what it costs. One search tells 500 clients with events.
 */
export function rule(o: Brief): Made {
  const { range, shieldZoneId, storedUntil } = o;
  const [zone] = o.zones;
  if (!zone.logging) return unaskable(`${zone.name} keeps no CDN log to try a rule on`);
  const draft = draftRule(o.terms);
  if (draft.terms.length === 0) {
    const [left] = draft.left;
    return unaskable(left?.why ?? 'the query says what the rule would stop, such as ua~curl path:/login*');
  }
  const { anonymisation } = zone;
  const isNamed = anonymisation !== 'drop';
  const events = shieldZoneId && isNamed ? new EventReading({ shieldZoneId, range, by: ['ip'] }) : null;
  const reading = new LogReading({
    zones: zoneReads([zone], EMPTY_QUERY, partsFor(range.to - range.from)),
    windows: { now: [range] },
    counted: { until: storedUntil, of: () => trialCounting(draft) },
  });
  const keyOf = clientKeys(anonymisation);
  const inquiry = readBy(
    [events, reading],
    () => {
      const clients = new Set(clientsActedOn(events?.events ?? [], anonymisation).keys());
      const radius = radiusOf(reading.counts('now', zone), clients, keyOf);
      const who = events
        ? events.words('bad clients')
        : `${isNamed ? (shieldZoneId === null ? 'no Shield' : 'Shield not asked') : 'the zone logs no client addresses'}: no client flagged`;
      return tableOf(
        radius,
        { draft, range },
        {
          coverage: sidesRead(reading, { now: 'the window' }, [who]),
          isBadKnown: events?.isWhole ?? shieldZoneId === null,
          isWhole: reading.isWhole && !radius.isCut,
        },
      );
    },
    { follow: reading.follow },
  );
  const why = shieldZoneId === undefined ? 'Shield not known yet: no client flagged' : '';
  return made({ ...o, terms: draft.terms }, inquiry, why);
}

/** Requests for the CDN log of the time that a rule is tried on. */
function partsFor(span: number): number {
  return span <= HOUR ? 4 : span <= 6 * HOUR ? 8 : 12;
}

/** As long as some of the bad clients were not read, their requests are counted as good ones. `isWhole`: all rows were read. */
function tableOf(
  radius: BlastRadius,
  { draft, range }: { draft: RuleDraft; range: Brief['range'] },
  { coverage, isBadKnown, isWhole }: { coverage: string; isBadKnown: boolean; isWhole: boolean },
): AnswerTable {
  const { goodHit, good, goodClientsHit, goodClients, read } = radius;
  const { terms } = draft;
  // What the rule hits in the time that it is tried on.
  const hits = within({ ...EMPTY_QUERY, terms }, range);
  return {
    headline:
      read === 0
        ? 'no request was read that the rule could hit'
        : `would also hit ${isBadKnown ? '' : 'at most '}${count(goodHit)} of ${count(good)} good requests of ${count(goodClientsHit)} of ${count(goodClients)} clients`,
    verdict: goodHit > 0 ? 'wrong' : isWhole && good > 0 ? 'calm' : 'unknown',
    isWhole: isWhole && isBadKnown,
    sections: [
      textSection(
        'conditions',
        'the filter as a rule: block requests',
        'CONDITION',
        terms.map((term, index) => `${index === 0 ? 'whose' : 'and whose'} ${describeTerm(term)}`),
        {
          sentence: (condition) => `the rule would block requests ${condition}`,
          row: { tone: 'notable', leads: { subject: 'logs', query: hits } },
          // It is for the reader to enter and to answer for: nothing of it is sent anywhere.
          note: 'edgescope never applies a rule: enter it in the Shield dashboard, action block',
        },
      ),
      ...leftSections(draft),
      sumsSection(radius),
      ...TOLD.map((field) => valuesSection(field, radius, hits)),
    ],
    coverage,
  };
}

function leftSections({ left }: RuleDraft): AnswerSection[] {
  if (left.length === 0) return [];
  const title = 'what of the filter cannot be part of a rule: the rule is wider by it';
  const termOf = ({ term }: (typeof left)[number]) => printQuery({ ...EMPTY_QUERY, terms: [term] });
  const section = sectionOf('leftOut', title, left, {
    sentence: (each) => `${termOf(each)} cannot be part of a rule: ${each.why}`,
    columns: [words('term', 'TERM', 20, termOf), rest('why', 'WHY', ({ why }) => why)],
  });
  return [section];
}

function sumsSection(radius: BlastRadius): AnswerSection {
  const { read, hit, good, goodHit, goodClients, goodClientsHit, suspect, suspectHit, anonymous } = radius;
  const toneOf = (hits: number) => (hits > 0 ? 'bad' : 'good');
  const others = [hit - goodHit - suspectHit, read - good - suspect] as const;
  const rows: readonly (readonly [id: string, name: string, part: number, of: number, AnswerRow['tone']])[] =
    [
      ['goodRequests', 'good requests: 2xx or 3xx', goodHit, good, toneOf(goodHit)],
      ['goodClients', 'good clients', goodClientsHit, goodClients, toneOf(goodClientsHit)],
      ['suspectRequests', 'requests of clients Shield acted on', suspectHit, suspect, 'plain'],
      ['otherRequests', 'other requests: 4xx and 5xx', ...others, 'faint'],
    ];
  const sums = rows.map(([id, name, part, of, tone]) => ({ id, name, part, of, tone }));
  return sectionOf('hits', 'what it would hit of what was read', sums, {
    sentence: ({ name, part, of }) =>
      `of ${count(of)} ${name.replace(/:.*/, '')} it would hit ${count(part)}`,
    columns: [
      words('of', 'OF', 38, ({ id }) => id, { shown: ({ name }) => name }),
      figures('hit', 'HIT', 9, ({ part }) => part),
      figures('read', 'READ', 9, ({ of }) => of),
      shares('share', 'SHARE', 6, ({ part, of }) => ratioOf(part, of)),
    ],
    row: ({ tone }) => ({ tone }),
    note:
      anonymous > 0 ? `${count(anonymous)} good requests have no address, so their client is unknown` : '',
  });
}

function valuesSection(field: string, { values }: BlastRadius, hits: Query): AnswerSection {
  const sorted = [...(values.get(field) ?? [])].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const more = sorted.length - ROWS_EACH;
  return sectionOf('values', `good requests hit, by ${field}`, sorted, {
    sentence: ([value, times]) =>
      `${counted(times, 'request')} of good clients that it would hit have ${value === '' ? `no ${field}` : `${field}:${value}`}`,
    most: ROWS_EACH,
    first: () => ({ of: 'goodRequests', field }),
    columns: [
      figures('requests', 'REQUESTS', 9, ([, times]) => times),
      rest('value', field.toUpperCase(), ([value]) => value || null, {
        shown: ([value]) => (value === '' ? '(none)' : value),
      }),
    ],
    row: ([value]) => (value === '' ? {} : ledBy('logs', hits, field, value)),
    aside: sorted.length === 0 ? 'none' : more > 0 ? `and ${counted(more, 'more value')}` : '',
  });
}

/** A filter as a rule. `terms` are those that a rule can go by; the rule is wider than the filter without the others. */
export type RuleDraft = {
  terms: readonly FieldTerm[];
  left: readonly { term: Term; why: string }[];
};

/** What is known of an answer, or of one request only, can be no condition of a rule. */
const OF_ANSWERS: ReadonlySet<LogField['column']> = new Set([
  'statusCode',
  'cacheStatus',
  'bytesSent',
  'contentRange',
  'requestId',
  'pullZoneId',
]);

/**
 * The rule that a filter of CDN logs or of Shield comes to. Which conditions a rule of the platform offers is
 * not documented; a term is left out only when no rule could go by it.
 */
export function draftRule(terms: readonly Term[]): RuleDraft {
  const kept: FieldTerm[] = [];
  const left: { term: Term; why: string }[] = [];
  for (const term of terms) {
    const why = obstacleTo(term);
    if (why !== null) left.push({ term, why });
    else if (term.kind === 'field') kept.push(term);
  }
  return { terms: kept, left };
}

function obstacleTo(term: Term): string | null {
  if (term.kind === 'text') return 'free text looks into answers too; name the field it stands in';
  if (term.field === 'rule' || term.field === 'feature' || term.field === 'action') {
    return `${term.field} is what Shield made of a request, nothing that the request brings`;
  }
  const field = logField(term.field);
  if (field === null) return `CDN logs have no field ${term.field}`;
  const isOfAnswer = field.column === null || OF_ANSWERS.has(field.column);
  return isOfAnswer ? `${term.field} is known only of the answer, or of one request` : null;
}

const GOOD_ANSWER = termOfAny('status', ['2xx', '3xx']);

/** Of the clients of all requests and of those that were answered well how many each sent; the same of those that the rule hits, by value. */
function trialCounting({ terms }: RuleDraft): Counting {
  const clients = { kind: 'values', fields: ['ip'], most: CLIENTS_MOST, sums: false } as const;
  const pairs = (field: string) => ({ kind: 'groups', by: ['ip', field], most: CLIENTS_MOST }) as const;
  return {
    kind: 'several',
    parts: [
      { of: clients },
      { of: clients, terms: [GOOD_ANSWER] },
      { of: clients, terms },
      { of: clients, terms: [...terms, GOOD_ANSWER] },
      ...TOLD.map((field) => ({ of: pairs(field), terms: [...terms, GOOD_ANSWER] })),
    ],
  };
}

type BlastRadius = {
  /** CDN rows read, and those that the rule would hit. */
  read: number;
  hit: number;
  /** Answered with 2xx or 3xx, of clients without a Shield event; and those of them that the rule would hit. */
  good: number;
  goodHit: number;
  /** Their clients, where they can be told apart. */
  goodClients: number;
  goodClientsHit: number;
  /** Requests of clients with a Shield event: what the rule is for. */
  suspect: number;
  suspectHit: number;
  /** Requests that are good by their answer but have no address to tell their client by; they count as good. */
  anonymous: number;
  /** The values of the good requests hit, by field. */
  values: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** There are more clients than were told apart: those beyond count as good. */
  isCut: boolean;
};

type Lists = Extract<Counts, { kind: 'values' }>;

const NOBODY: CountedField = { values: [], distinct: 0, blank: 0 };

/**
 * What a rule would hit of the traffic that was counted by `trialCounting`. Good = answered with 2xx or 3xx, from a client on which
 * Shield did not act. Under last-octet anonymisation a client is its network: all of it is suspect when one of it is, and a rule for one
 * address counts as hitting all of it.
 */
function radiusOf(counts: Counts | null, suspects: ReadonlySet<string>, keyOf: ClientKeys): BlastRadius {
  const parts = counts?.kind === 'several' ? counts.parts : [];
  const lists = [0, 1, 2, 3].map((at) => (parts[at]?.kind === 'values' ? parts[at] : null));
  const [all, fine, hit, fineHit] = lists.map((list) => sentBy(list, suspects, keyOf)) as [
    ...[all: Sent, fine: Sent, hit: Sent, fineHit: Sent],
  ];
  const values = TOLD.map((field, at) => {
    const part = parts[4 + at];
    const own = new Map<string, number>();
    for (const { key, count } of part?.kind === 'groups' ? part.groups : []) {
      if (suspects.has(keyOf(key['ip']) ?? '')) continue;
      const value = key[field] ?? '';
      own.set(value, (own.get(value) ?? 0) + count);
    }
    return [field, own] as const;
  });
  return {
    read: all.rows,
    hit: hit.rows,
    good: fine.others,
    goodHit: fineHit.others,
    goodClients: fine.clients,
    goodClientsHit: fineHit.clients,
    suspect: all.suspect,
    suspectHit: hit.suspect,
    anonymous: fine.blank,
    values: new Map(values),
    isCut: lists.some((list) => list !== null && isCut(list.fields.get('ip') ?? NOBODY)),
  };
}

/** Requests, those of clients that Shield acted on, and of the others their clients and how many have none. */
type Sent = { rows: number; suspect: number; others: number; clients: number; blank: number };

function sentBy(list: Lists | null, suspects: ReadonlySet<string>, keyOf: ClientKeys): Sent {
  const { rows = 0 } = list ?? {};
  const clients = requestsByClient(list?.fields.get('ip') ?? NOBODY, keyOf);
  const named = [...clients.values()].reduce((sum, requests) => sum + requests, 0);
  const bad = [...clients].filter(([client]) => suspects.has(client));
  const suspect = bad.reduce((sum, [, requests]) => sum + requests, 0);
  return {
    rows,
    suspect,
    others: rows - suspect,
    clients: clients.size - bad.length,
    blank: rows - named,
  };
}
