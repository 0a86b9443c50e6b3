import { MASK } from '../../../text/mask.ts';
import { count, counted, HOUR } from '../../../text/units.ts';
import type { LogRecord } from '../../log.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { NO_CAUSES } from '../../origin-cause.ts';
import { type LogFieldId, logField } from '../../query/fields.ts';
import { matcher } from '../../query/match.ts';
import { EMPTY_QUERY, type FieldTerm, type Query, type Term } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { describeTerm } from '../../query/terms.ts';
import type { ShieldEvent } from '../../shield/shield.ts';
import type { Anonymisation } from '../../zone.ts';
import { type Brief, type Made, made, unaskable } from '../asked/asked.ts';
import { suspectsOf, type Visit, visitOf } from '../clients/client.ts';
import { tally } from '../clients/traffic-profile.ts';
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
} from '../inquiry/answer-table.ts';
import { EventReading, eventsFirst, type RowCounter } from '../inquiry/event-reading.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { LogReading, readWords, zoneReads } from '../inquiry/log-reading.ts';

/** Values listed of one field, and values counted of it; the rest is counted as one. */
const ROWS_EACH = 5;
const VALUES_MOST = 10_000;

/** What is told of the requests that the rule would hit. */
const GOOD_BY = ['page', 'country', 'ua'] as const satisfies readonly LogFieldId[];
const SUSPECT_BY = ['ip', 'page'] as const satisfies readonly LogFieldId[];

/** What is tried: a rule, in a window of a zone. */
type Tried = Pick<Brief, 'range' | 'shieldZoneId'> & { rule: RuleDraft };

type Counts = Map<string, number>;

/**
 * What a rule made of a filter would hit: requests of clients on which Shield acted are what it is for, the others that
 * were answered with 2xx or 3xx are what it costs. One search tells 500 clients with events; rows only where the zone
 * drops addresses.
 */
export function rule(o: Brief): Made {
  const { range, shieldZoneId } = o;
  const [zone] = o.zones;
  if (!zone.logging) return unaskable(`${zone.name} keeps no CDN log to try a rule on`);
  const draft = draftRule(o.terms);
  if (draft.terms.length === 0) {
    const [left] = draft.left;
    return unaskable(left?.why ?? 'the query says what the rule would stop, such as ua~curl path:/login*');
  }
  const events =
    shieldZoneId === null || shieldZoneId === undefined
      ? null
      : new EventReading({
          shieldZoneId,
          range,
          ...(zone.anonymisation === 'drop' ? {} : { by: ['ip'] as const }),
        });
  const reading = new LogReading({
    zones: zoneReads([zone], EMPTY_QUERY, partsFor(range.to - range.from)),
    windows: { now: [range] },
  });
  const { anonymisation } = zone;
  const counted = eventsFirst(events, reading, triedBy(draft, anonymisation), (known) =>
    createBlastRadius(known, anonymisation),
  );
  const inquiry: Inquiry = {
    needs: counted.needs,
    add: (need, met) => counted.add(need, met),
    table() {
      const who =
        events === null
          ? `${shieldZoneId === null ? 'no Shield' : 'Shield not asked'}: no client flagged`
          : events.words(zone.anonymisation === 'drop' ? 'events' : 'bad clients');
      const coverage = `${count(reading.rows('now'))} rows: ${readWords(reading, 'now', 'the window')}; ${who}`;
      return tableOf(
        counted.soFar(),
        { rule: draft, range, shieldZoneId },
        {
          coverage,
          isBadKnown: events === null ? shieldZoneId === null : events.isWhole,
          isWhole: reading.isWhole,
        },
      );
    },
    rest: () => counted.rest(),
  };
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
  o: Tried,
  { coverage, isBadKnown, isWhole }: { coverage: string; isBadKnown: boolean; isWhole: boolean },
): AnswerTable {
  const { goodHit, good, goodClientsHit, goodClients, read, values } = radius;
  const { terms } = o.rule;
  // What the rule hits in the time that it is tried on.
  const hits = within({ ...EMPTY_QUERY, terms }, o.range);
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
        },
      ),
      ...leftSections(o.rule),
      sumsSection(radius),
      ...GOOD_BY.map((field) => valuesSection('good', field, values.good.get(field), hits)),
      ...SUSPECT_BY.map((field) => valuesSection('bad', field, values.suspect.get(field), hits)),
      // Text to read out or type: nothing of it is sent anywhere.
      textSection('byHand', 'to apply it by hand', 'TEXT', [
        'edgescope never applies a rule: this is for you to enter and to answer for',
        RULE_CALL,
        'action: block',
        ...terms.map((term) => `condition: ${describeTerm(term)}`),
        ...bodyLines(o),
      ]),
    ],
    coverage,
  };
}

/** The request's body, and what it lacks: an incomplete one would hit more than was counted here. */
function bodyLines({ rule: { terms }, shieldZoneId }: Tried): string[] {
  if (shieldZoneId === null || shieldZoneId === undefined) return [];
  const { body, left } = ruleBodyOf(terms, shieldZoneId);
  const lacks = left.map(
    (term) => `the body lacks ${describeTerm(term)}: edgescope does not know how a rule says so`,
  );
  return body === null ? lacks : [`body: ${body}`, ...lacks];
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

function valuesSection(
  which: 'good' | 'bad',
  field: string,
  values: Counts | undefined,
  hits: Query,
): AnswerSection {
  const sorted = [...(values ?? [])].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const more = sorted.length - ROWS_EACH;
  return sectionOf('values', `${which} requests hit, by ${field}`, sorted, {
    sentence: ([value, times]) =>
      `${counted(times, 'request')} of ${which === 'good' ? 'good clients' : 'clients Shield acted on'} that it would hit have ${value === '' ? `no ${field}, or others` : `${field}:${value}`}`,
    most: ROWS_EACH,
    first: () => ({ of: which === 'good' ? 'goodRequests' : 'suspectRequests', field }),
    columns: [
      figures('requests', 'REQUESTS', 9, ([, times]) => times),
      rest('value', field.toUpperCase(), ([value]) => value || null, {
        shown: ([value]) => (value === '' ? '(none or others)' : value),
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
  /** The values of the requests hit, by field. */
  values: Readonly<Record<'good' | 'suspect', ReadonlyMap<string, Counts>>>;
};

/** A request that the rule is tried on; the values of one that it hits, by field. */
type Trial = Visit & { isHit: boolean; values: Readonly<Record<string, string>> };

/** What is known of an answer, or of one request only, can be no condition of a rule. */
const OF_ANSWERS: ReadonlySet<keyof LogRecord> = new Set([
  'statusCode',
  'cacheStatus',
  'bytesSent',
  'contentRange',
  'requestId',
  'pullZoneId',
]);

/** The call is in the published description of Shield (2026-08-20); see `rule-body` for what it is sent. */
const RULE_CALL =
  'enter it in the Shield dashboard, or create it by POST /shield/waf/custom-rule, which edgescope never sends';

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

/**
 * What a rule would hit of the traffic that was read. Good = answered with 2xx or 3xx, from a client on which Shield did
 * not act in the events given. Under last-octet anonymisation a client is its network: all of it is suspect when one of
 * it is, and a rule for one address counts as hitting all of it. `events` must cover the time of the records.
 */
export function createBlastRadius(
  events: readonly ShieldEvent[],
  anonymisation: Anonymisation,
): RowCounter<Trial, BlastRadius> {
  const suspects = suspectsOf(events, anonymisation);
  const [clients, clientsHit] = [new Set<string>(), new Set<string>()];
  const sums = { read: 0, hit: 0, good: 0, goodHit: 0, suspect: 0, suspectHit: 0, anonymous: 0 };
  const countsBy = (fields: readonly LogFieldId[]) =>
    new Map(fields.map((field) => [field, new Map<string, number>()]));
  const values = { good: countsBy(GOOD_BY), suspect: countsBy(SUSPECT_BY) };
  function addOf(of: 'good' | 'suspect', tried: Trial): void {
    sums[of]++;
    if (!tried.isHit) return;
    sums[`${of}Hit`]++;
    for (const [field, counts] of values[of]) tally(counts, tried.values[field], 1, VALUES_MOST);
  }
  return {
    add(tried) {
      const { client, requestId, status, isHit } = tried;
      sums.read++;
      if (isHit) sums.hit++;
      const isSuspect =
        (client !== null && suspects.clients.has(client)) ||
        (requestId !== null && suspects.requestIds.has(requestId));
      if (isSuspect) addOf('suspect', tried);
      else if (status >= 200 && status <= 399) {
        addOf('good', tried);
        if (client === null) sums.anonymous++;
        else clients.add(client);
        if (client !== null && isHit) clientsHit.add(client);
      }
    },
    result: () => ({ ...sums, goodClients: clients.size, goodClientsHit: clientsHit.size, values }),
  };
}

/** A rule without a condition hits nothing. */
export function triedBy(rule: RuleDraft, anonymisation: Anonymisation): (record: LogRecord) => Trial {
  const query: Query = { terms: rule.terms, window: null, groupBy: [] };
  const matches = rule.terms.length === 0 ? () => false : matcher(query, anonymisation);
  const fields = [...new Set<LogFieldId>([...GOOD_BY, ...SUSPECT_BY])];
  return (record) => {
    const isHit = matches(record);
    const told = (isHit ? fields : []).map((field) => [field, logField(field)?.get(record, NO_CAUSES)]);
    const values = Object.fromEntries(told.map(([field, value]) => [field, String(value ?? '')]));
    return { ...visitOf(record, anonymisation), isHit, values };
  };
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

/** Numbers that the platform's own client in public sends; of its other operators the form of their values was not looked up. */
const BLOCK = 1;
const LOWERCASE = 8;
const BEGINS_WITH = 0;
const CONTAINS = 2;
const STREQ = 15;

/** What a rule calls what our fields read; of headers its name is the value. */
const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ip: { REMOTE_ADDR: '' },
  path: { REQUEST_URI: '' },
  page: { REQUEST_FILENAME: '' },
  ua: { REQUEST_HEADERS: 'User-Agent' },
  referer: { REQUEST_HEADERS: 'Referer' },
  host: { REQUEST_HEADERS: 'Host' },
};

type Condition = { variableTypes: Readonly<Record<string, string>>; operatorType: number; value: string };

/**
 * The body of `POST /shield/waf/custom-rule` that blocks what the terms match, in the names that the platform's Terraform provider
 * sends. `body`: null where no term can be written; `left`: terms that cannot, without which the rule is wider.
 */
function ruleBodyOf(
  terms: readonly FieldTerm[],
  shieldZoneId: string,
): { body: string | null; left: readonly FieldTerm[] } {
  const written = terms.map((term) => ({ term, condition: conditionOf(term) }));
  const left = written.filter(({ condition }) => condition === null).map(({ term }) => term);
  const [first, ...others] = written.flatMap(({ condition }) => condition ?? []);
  if (first === undefined) return { body: null, left };
  const rest = {
    ruleName: 'drafted by edgescope',
    ruleDescription: 'read it before it is sent',
    ruleConfiguration: {
      actionType: BLOCK,
      ...first,
      // Our fields are compared in any case.
      transformationTypes: [LOWERCASE],
      chainedRuleConditions: others,
    },
  };
  // An id may exceed what a number of JavaScript holds exactly.
  return { body: `{"shieldZoneId":${shieldZoneId},${JSON.stringify(rest).slice(1)}`, left };
}

/** Null where it was not looked up how a rule says it: several values, what is excluded, networks, patterns, other fields. */
function conditionOf({ field, op, values, negated }: FieldTerm): Condition | null {
  const variableTypes = VARIABLES[field];
  const [value = '', ...more] = values;
  if (variableTypes === undefined || negated || value === '' || more.length > 0 || value.includes(MASK))
    return null;
  const small = value.toLowerCase();
  if (op === 'eq') return { variableTypes, operatorType: STREQ, value: small };
  if (op === 'contains') return { variableTypes, operatorType: CONTAINS, value: small };
  const isBeginning = op === 'wildcard' && field !== 'ip' && small.indexOf('*') === small.length - 1;
  return isBeginning && small.length > 1
    ? { variableTypes, operatorType: BEGINS_WITH, value: small.slice(0, -1) }
    : null;
}
