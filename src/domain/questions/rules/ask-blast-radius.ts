import { count, counted } from '../../../text/units.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { NO_CAUSES } from '../../origin-cause.ts';
import { type LogFieldId, logField } from '../../query/fields.ts';
import { EMPTY_QUERY, type Query } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { describeTerm } from '../../query/terms.ts';
import type { ShieldEvent } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Anonymisation, PullZone } from '../../zone.ts';
import { tally } from '../clients/evidence-tally.ts';
import {
  figures,
  ledBy,
  rest,
  sectionOf,
  shares,
  textSection,
  within,
  words,
} from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerSection, AnswerTable } from '../inquiry/answer-table.ts';
import { EventReading, eventsFirst, type RowCounter } from '../inquiry/event-reading.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { LogReading, zoneReads } from '../inquiry/log-reading.ts';
import { readWords } from '../inquiry/reading-words.ts';
import { type BlastRadius, createBlastRadius, RULE_CALL, type RuleDraft } from './blast-radius.ts';
import { ruleBodyOf } from './rule-body.ts';

/** Values listed of one field, and values counted of it; the rest is counted as one. */
const ROWS_EACH = 5;
const VALUES_MOST = 10_000;

/** What is told of the requests that the rule would hit. */
const GOOD_BY = ['page', 'country', 'ua'] as const satisfies readonly LogFieldId[];
const SUSPECT_BY = ['ip', 'page'] as const satisfies readonly LogFieldId[];

type Question = {
  zone: PullZone;
  /** Null: the zone has no Shield, and no client is flagged. Undefined: nobody has told yet whether it has. */
  shieldZoneId: string | null | undefined;
  rule: RuleDraft;
  range: TimeRange;
  /** Requests for the CDN log. */
  parts: number;
};

type Counts = Map<string, number>;
type Found = { radius: BlastRadius; good: ReadonlyMap<string, Counts>; suspect: ReadonlyMap<string, Counts> };

/**
 * What a rule made of a filter would hit: requests of clients on which Shield acted are what it is for, the others that
 * were answered with 2xx or 3xx are what it costs. One search tells 500 clients with events; rows only where the zone
 * drops addresses.
 */
export function blastInquiry(o: Question): Inquiry {
  const { zone, shieldZoneId, rule, range } = o;
  const events =
    shieldZoneId === null || shieldZoneId === undefined
      ? null
      : new EventReading({
          shieldZoneId,
          range,
          ...(zone.anonymisation === 'drop' ? {} : { by: ['ip'] as const }),
        });
  const reading = new LogReading({
    zones: zoneReads([zone], EMPTY_QUERY, o.parts),
    windows: { now: [range] },
  });
  const counted = eventsFirst(events, reading, (known) => counter(rule, known, zone.anonymisation));
  return {
    needs: counted.needs,
    add: (need, met) => counted.add(need, met),
    table() {
      const who =
        events === null
          ? `${shieldZoneId === null ? 'no Shield' : 'Shield not asked'}: no client flagged`
          : events.words(zone.anonymisation === 'drop' ? 'events' : 'bad clients');
      const coverage = `${count(reading.rows('now'))} rows: ${readWords(reading, 'now', 'the window')}; ${who}`;
      return tableOf(counted.soFar(), o, {
        coverage,
        isBadKnown: events === null ? shieldZoneId === null : events.isWhole,
        isWhole: reading.share('now') >= 1,
      });
    },
    rest: () => counted.rest(),
  };
}

function counter(
  rule: RuleDraft,
  events: readonly ShieldEvent[],
  anonymisation: Anonymisation,
): RowCounter<Found> {
  const radius = createBlastRadius(rule, events, anonymisation);
  const countsBy = (fields: readonly LogFieldId[]) =>
    new Map(fields.map((field) => [field, new Map<string, number>()]));
  const hits = { good: countsBy(GOOD_BY), suspect: countsBy(SUSPECT_BY) };
  return {
    add(record) {
      const hit = radius.add(record);
      if (hit !== 'good' && hit !== 'suspect') return;
      for (const [field, values] of hits[hit])
        tally(values, String(logField(field)?.get(record, NO_CAUSES) ?? ''), 1, VALUES_MOST);
    },
    result: () => ({ radius: radius.result(), ...hits }),
  };
}

/** As long as some of the bad clients were not read, their requests are counted as good ones. `isWhole`: all rows were read. */
function tableOf(
  { radius, good, suspect }: Found,
  o: Question,
  { coverage, isBadKnown, isWhole }: { coverage: string; isBadKnown: boolean; isWhole: boolean },
): AnswerTable {
  const { goodHit, good: goods, goodClientsHit, goodClients, read } = radius;
  const { terms } = o.rule;
  // What the rule hits in the time that it is tried on.
  const hits = within({ ...EMPTY_QUERY, terms }, o.range);
  return {
    headline:
      read === 0
        ? 'no request was read that the rule could hit'
        : `would also hit ${isBadKnown ? '' : 'at most '}${count(goodHit)} of ${count(goods)} good requests of ${count(goodClientsHit)} of ${count(goodClients)} clients`,
    verdict: goodHit > 0 ? 'wrong' : isWhole && goods > 0 ? 'calm' : 'unknown',
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
      ...GOOD_BY.map((field) => valuesSection('good', field, good.get(field), hits)),
      ...SUSPECT_BY.map((field) => valuesSection('bad', field, suspect.get(field), hits)),
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
function bodyLines({ rule: { terms }, shieldZoneId }: Question): string[] {
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
  const sums: { id: string; name: string; part: number; of: number; tone: AnswerRow['tone'] }[] = [
    { id: 'goodRequests', name: 'good requests: 2xx or 3xx', part: goodHit, of: good, tone: toneOf(goodHit) },
    {
      id: 'goodClients',
      name: 'good clients',
      part: goodClientsHit,
      of: goodClients,
      tone: toneOf(goodClientsHit),
    },
    {
      id: 'suspectRequests',
      name: 'requests of clients Shield acted on',
      part: suspectHit,
      of: suspect,
      tone: 'plain',
    },
    {
      id: 'otherRequests',
      name: 'other requests: 4xx and 5xx',
      part: hit - goodHit - suspectHit,
      of: read - good - suspect,
      tone: 'faint',
    },
  ];
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
      anonymous > 0
        ? `${count(anonymous)} good requests have no address, so their client is unknown`
        : 'good: of a client on which Shield did not act in this time',
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
