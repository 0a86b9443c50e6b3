import { count, percent } from '../../text/units.ts';
import type { Query } from '../query/query.ts';
import { termForValue } from '../query/terms.ts';
import type { ShieldEvent, WafRule } from '../shield/shield.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { Anonymisation, PullZone } from '../zone.ts';
import type { AnswerRow, AnswerSection, AnswerTable } from './answer-table.ts';
import { suspectsOf } from './clean-clients.ts';
import { EventReading } from './event-reading.ts';
import { EventsFirst, type RowCounter } from './events-first.ts';
import { createFalsePositives, type FalsePositives, type RuleSuspicion } from './false-positives.ts';
import { createEvidence, type GroupEvidence } from './group-evidence.ts';
import type { Inquiry } from './inquiry.ts';
import { LogReading } from './log-reading.ts';
import { clientKey } from './same-client.ts';
import { shapeNote, shapeSections, tagWords } from './shape-section.ts';

/** Requests for the CDN log of the window; the server sends answers with 2xx only. */
const PARTS = 4;

/** Rules whose matched fragments and numbers are listed, from the top. */
const RULES_TOLD = 2;
const FRAGMENTS_EACH = 8;

/** Rules whose shape is counted: those with the most events. */
const RULES_SHAPED = 12;

type Question = {
  zone: PullZone;
  shieldZoneId: string;
  query: Query;
  range: TimeRange;
  /** Searches for events in the first round. */
  pages: number;
  rules: ReadonlyMap<string, WafRule> | null;
};

type Found = { ranked: FalsePositives; shapes: ReadonlyMap<string, GroupEvidence> };

/** Rules ranked by the share of their clients that also have clean 2xx answers, with what the worst of them matched. */
export function falsePositiveInquiry(o: Question): Inquiry {
  const { zone, range, query } = o;
  const events = new EventReading(o);
  const reading = new LogReading({
    zoneId: zone.id,
    filter: { status: ['2xx'] },
    windows: { now: range },
    parts: PARTS,
  });
  const counted = new EventsFirst(events, (known) => counter(known, zone.anonymisation));
  return {
    needs: [...events.needs, ...reading.needs],
    add(need, met) {
      events.add(need, met);
      counted.add(reading.add(need, met));
    },
    table() {
      const rows = `${count(reading.rows('now'))} 2xx rows: ${reading.words('now', 'the window')}`;
      const within: Query = { ...query, groupBy: [], window: { kind: 'absolute', ...range } };
      return tableOf(counted.result(), within, o.rules, `${events.words('events')}, ${rows}`);
    },
    rest: () => [...events.rest(), ...reading.rest()],
  };
}

/** Rows of clients without an event say nothing of a rule: only those of the others are looked at closely. */
function counter(events: readonly ShieldEvent[], anonymisation: Anonymisation): RowCounter<Found> {
  const suspects = suspectsOf(events, anonymisation);
  const ranking = createFalsePositives(events, anonymisation);
  const largest = [...Map.groupBy(events, ({ fields }) => fields['ruleId'] ?? '')]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, RULES_SHAPED)
    .map(([ruleId, own]) => ({ ruleId, evidence: createEvidence(own, anonymisation) }));
  return {
    add(record) {
      const client = clientKey(record.remoteIp, anonymisation);
      if (client === null || !suspects.clients.has(client)) return;
      ranking.add(record);
      for (const { evidence } of largest) evidence.around(record);
    },
    result: () => ({
      ranked: ranking.result(),
      shapes: new Map(largest.map(({ ruleId, evidence }) => [ruleId, evidence.result()])),
    }),
  };
}

function tableOf(
  found: Found | null,
  query: Query,
  rules: ReadonlyMap<string, WafRule> | null,
  coverage: string,
): AnswerTable {
  if (found === null) {
    return {
      headline: 'which rules stop good clients? the events are read first',
      tone: 'plain',
      sections: [],
      coverage,
    };
  }
  const { ranked, shapes } = found;
  const shapeOf = (rule: RuleSuspicion) => shapes.get(rule.ruleId ?? '');
  const worst = ranked.rules.filter(({ cleanClients }) => cleanClients > 0).slice(0, RULES_TOLD);
  const [first] = worst;
  const shape = first && shapeOf(first);
  return {
    ...headlineOf(ranked, first),
    sections: [
      {
        title: 'rules by the share of their clients that also have clean 2xx answers',
        columns: [
          { title: 'RULE', cells: 10 },
          { title: 'EVENTS', cells: 7, align: 'right' },
          { title: 'CLIENTS', cells: 7, align: 'right' },
          { title: 'CLEAN', cells: 6, align: 'right' },
          { title: 'SHARE', cells: 6, align: 'right' },
          { title: 'LEAST', cells: 6, align: 'right' },
          { title: 'LOOKS', cells: 8 },
          { title: 'TEXT', cells: 'rest' },
          { title: 'STOPPED', cells: 7, align: 'right', from: 100 },
        ],
        rows: ranked.rules.map((rule) => rowOf(rule, shapeOf(rule), query, rules)),
        note: ranked.why ?? 'least: the surely clean share of so few clients (Wilson, 95 %); ranked by it',
      },
      ...worst.map(fragmentSection),
      ...(first && shape
        ? shapeSections(
            `rule ${nameOf(first)}`,
            shape,
            shapeNote(shape, '; clean: a 2xx on which no event read acted'),
          )
        : []),
    ],
    coverage,
  };
}

function headlineOf(
  { rules, why }: FalsePositives,
  worst: RuleSuspicion | undefined,
): Pick<AnswerTable, 'headline' | 'tone'> {
  if (why !== null) return { headline: why, tone: 'plain' };
  if (rules.length === 0) return { headline: 'no rule has an event in what was read', tone: 'plain' };
  if (!worst)
    return { headline: 'no rule stopped a client that has clean 2xx answers in what was read', tone: 'good' };
  const { clients, cleanClients, share, shareLeast } = worst;
  return {
    headline: `rule ${nameOf(worst)}: ${count(cleanClients)} of ${count(clients)} clients also have clean 2xx (${percent(share)}, surely ${percent(shareLeast)})`,
    tone: 'bad',
  };
}

function rowOf(
  rule: RuleSuspicion,
  shape: GroupEvidence | undefined,
  query: Query,
  rules: ReadonlyMap<string, WafRule> | null,
): AnswerRow {
  const { ruleId, message, events, stopped, clients, cleanClients, share, shareLeast } = rule;
  const term = termForValue('shield', 'rule', ruleId, false);
  return {
    cells: [
      nameOf(rule),
      count(events),
      count(clients),
      count(cleanClients),
      percent(share),
      percent(shareLeast),
      shape ? tagWords(shape) : '',
      rules?.get(ruleId ?? '')?.description ?? message ?? '',
      count(stopped),
    ],
    tone: (shareLeast ?? 0) >= 0.5 ? 'bad' : cleanClients > 0 ? 'notable' : 'plain',
    leads: { subject: 'shield', query: { ...query, terms: [...query.terms, ...(term ? [term] : [])] } },
    ...(ruleId === null ? {} : { value: { field: 'rule', value: ruleId } }),
  };
}

function fragmentSection(rule: RuleSuspicion): AnswerSection {
  const { fragments, withFragment, events } = rule;
  const more = fragments.length - FRAGMENTS_EACH;
  const note = fragments.length === 0 ? 'no event tells it' : more > 0 ? `and ${count(more)} more` : null;
  return {
    title: `what rule ${nameOf(rule)} matched, as ${count(withFragment)} of its ${count(events)} events tell`,
    columns: [
      { title: 'EVENTS', cells: 7, align: 'right' },
      { title: 'FRAGMENT, NUMBERS AND IDS AS #', cells: 'rest' },
      { title: 'ONE OF THEM', cells: 60, from: 130 },
    ],
    rows: fragments
      .slice(0, FRAGMENTS_EACH)
      .map(({ shape, count: times, example }) => ({ cells: [count(times), shape, example] })),
    ...(note === null ? {} : { note }),
  };
}

function nameOf({ ruleId }: RuleSuspicion): string {
  return ruleId ?? '(none)';
}
