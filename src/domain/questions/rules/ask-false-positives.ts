import { count, percent } from '../../../text/units.ts';
import type { Query } from '../../query/query.ts';
import { LARGEST_SHIELD_PAGE, type ShieldEvent, type WafRule } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Anonymisation, PullZone } from '../../zone.ts';
import { clientKey, suspectsOf } from '../clients/client.ts';
import { createEvidence, type GroupEvidence } from '../clients/group-evidence.ts';
import { groupVerdict, profileNote, profileSections, tagWords } from '../clients/traffic-profile.ts';
import { figures, rest, words } from '../inquiry/answer-columns.ts';
import {
  type AnswerRow,
  type AnswerSection,
  type AnswerTable,
  ledBy,
  within,
} from '../inquiry/answer-table.ts';
import {
  EventReading,
  EventsFirst,
  MOST_PAGES,
  pagesFor,
  type RowCounter,
} from '../inquiry/event-reading.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { LogReading } from '../inquiry/log-reading.ts';
import { readWords } from '../inquiry/reading-words.ts';
import { createFalsePositives, type FalsePositives, type RuleSuspicion } from './false-positives.ts';
import { RuleSampling } from './rule-sampling.ts';

/** Requests for the CDN log of the window; the server sends answers with 2xx only. */
const PARTS = 4;

/** Rules whose matched fragments and numbers are listed, from the top. */
const RULES_TOLD = 2;
const FRAGMENTS_EACH = 8;

/** Rules whose shape is counted: those with the most events. */
const RULES_SHAPED = 24;

/** What the numbers of a rule say stands before the share of its clients: addresses that clean traffic shares are many. */
const RANKS = { misfire: 0, other: 1, attack: 2 } as const;

type Question = {
  zone: PullZone;
  shieldZoneId: string;
  query: Query;
  range: TimeRange;
  /** Events of the window as the list on screen tells them; null where it does not. */
  known: number | null;
  rules: ReadonlyMap<string, WafRule> | null;
};

/** A share of clean senders that is called bad. */
const SURELY = 0.5;

type Found = { ranked: FalsePositives; shapes: ReadonlyMap<string, GroupEvidence> };

/**
 * Rules ranked by what they look like and by the share of their clients that also have clean 2xx answers, with what the
 * worst of them matched. Of more events than are read each rule is read in part.
 */
export function falsePositiveInquiry(o: Question): Inquiry {
  const { zone, range, query, known } = o;
  const isFew = known !== null && known <= MOST_PAGES * LARGEST_SHIELD_PAGE;
  const all = isFew ? new EventReading({ ...o, pages: pagesFor(known) }) : null;
  const sampled = isFew ? null : new RuleSampling(o);
  const events = all ?? sampled;
  if (events === null) throw new Error('events are read whole or in part');
  const reading = new LogReading({
    zones: [{ zone, filter: { status: ['2xx'] }, parts: PARTS, terms: [], matches: () => true }],
    windows: { now: [range] },
  });
  const counted = new EventsFirst(events, reading, (read) => counter(read, zone.anonymisation));
  return {
    needs: counted.needs,
    ...(sampled
      ? {
          follow: {
            most: MOST_PAGES + sampled.needs.length + reading.needs.length,
            next: () => sampled.next(),
          },
        }
      : {}),
    add: (need, met) => counted.add(need, met),
    table() {
      const rows = `${count(reading.rows('now'))} 2xx rows: ${readWords(reading, 'now', 'the window')}`;
      return tableOf(counted.result(), {
        query: within(query, range),
        rules: o.rules,
        counts: sampled?.counts ?? null,
        hedge: all ? hedgeOf(all) : '',
        isWhole: events.isWhole && reading.shareOfAll >= 1,
        coverage: `${all ? all.words('events') : sampled?.words()}, ${rows}`,
      });
    },
    rest: () => counted.rest(),
  };
}

/** Where the events of the window were read without regard to their rule, their part is that of each. */
function hedgeOf(events: EventReading): string {
  return events.isWhole || !events.isHeard ? '' : `of ${events.words('events')}: `;
}

/** Rows of clients without an event say nothing of a rule: only those of the others are looked at closely. */
function counter(events: readonly ShieldEvent[], anonymisation: Anonymisation): RowCounter<Found> {
  const ranking = createFalsePositives(events, anonymisation);
  const largest = [...Map.groupBy(events, ({ fields }) => fields['ruleId'] ?? '')]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, RULES_SHAPED)
    .map(([ruleId, own]) => ({
      ruleId,
      clients: suspectsOf(own, anonymisation).clients,
      evidence: createEvidence(own, anonymisation),
    }));
  const { clients: suspects } = suspectsOf(events, anonymisation);
  return {
    add(record) {
      const client = clientKey(record.remoteIp, anonymisation);
      if (client === null || !suspects.has(client)) return;
      ranking.add(record);
      for (const { clients, evidence } of largest) if (clients.has(client)) evidence.around(record);
    },
    result: () => ({
      ranked: ranking.result(),
      shapes: new Map(largest.map(({ ruleId, evidence }) => [ruleId, evidence.result()])),
    }),
  };
}

type About = {
  query: Query;
  rules: ReadonlyMap<string, WafRule> | null;
  /** Events of each rule in the window, where only a part of them was read. */
  counts: ReadonlyMap<string, number> | null;
  hedge: string;
  /** A nothing is good news of all events and rows alone. */
  isWhole: boolean;
  coverage: string;
};

function tableOf(found: Found | null, o: About): AnswerTable {
  const { coverage } = o;
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
  const rankOf = (rule: RuleSuspicion) => {
    const shape = shapeOf(rule);
    return RANKS[(shape && groupVerdict(shape)) ?? 'other'];
  };
  const rules = ranked.rules.toSorted((a, b) => rankOf(a) - rankOf(b));
  const worst = rules
    .filter((rule) => rule.cleanClients > 0 && rankOf(rule) !== RANKS.attack)
    .slice(0, RULES_TOLD);
  const [first] = worst;
  const shape = first && shapeOf(first);
  const unread = [...(o.counts ?? [])].filter(
    ([ruleId]) => !rules.some((rule) => (rule.ruleId ?? '') === ruleId),
  );
  return {
    ...headlineOf({ ...ranked, rules }, first, o),
    sections: [
      {
        title: 'rules by what they look like and their clients with clean 2xx answers',
        columns: [
          words('RULE', 10),
          figures('EVENTS', 7),
          ...(o.counts ? [figures('READ', 6)] : []),
          figures('CLIENTS', 7),
          figures('CLEAN', 6),
          figures('SHARE', 6),
          figures('LEAST', 6),
          words('LOOKS', 8),
          rest('TEXT'),
          figures('STOPPED', 7, 100),
          figures('SENDERS', 7, 100),
        ],
        rows: [
          ...rules.map((rule) => rowOf(rule, shapeOf(rule), o)),
          ...unread.map(([ruleId, events]) => unreadRow(ruleId, events, o)),
        ],
        note:
          ranked.why ??
          'first what looks like a misfire, last what looks like an attack; then by least: the surely clean share of so few senders (Wilson, 95 %); clients of one AS with one fingerprint are one sender',
      },
      ...worst.map((rule) => fragmentSection(rule, o)),
      ...(first && shape
        ? profileSections(
            `rule ${nameOf(first)}`,
            shape,
            profileNote(shape, `${partOf(first, o)}; clean: a 2xx on which no event read acted`),
          )
        : []),
    ],
    coverage,
  };
}

function headlineOf(
  { rules, why }: FalsePositives,
  worst: RuleSuspicion | undefined,
  o: About,
): Pick<AnswerTable, 'headline' | 'tone'> {
  if (why !== null) return { headline: why, tone: 'plain' };
  if (rules.length === 0) return { headline: 'no rule has an event in what was read', tone: 'plain' };
  if (!worst) {
    const headline = rules.some(({ cleanClients }) => cleanClients > 0)
      ? 'only rules that look like they stop attacks met clients that have clean 2xx answers, in what was read'
      : 'no rule stopped a client that has clean 2xx answers in what was read';
    return { headline, tone: o.isWhole ? 'good' : 'plain' };
  }
  const { clients, cleanClients, share, shareLeast } = worst;
  const part = readShare(worst, o);
  const hedge = part < 1 ? `of ${percent(part)} of its events read: ` : o.hedge;
  return {
    headline: `${hedge}rule ${nameOf(worst)}: ${count(cleanClients)} of ${count(clients)} clients also have clean 2xx (${percent(share)}, surely ${percent(shareLeast)})`,
    tone: (shareLeast ?? 0) >= SURELY ? 'bad' : 'notable',
  };
}

/** How much of a rule's events was read, 0…1; 1 where nothing else is known. */
function readShare({ ruleId, events }: RuleSuspicion, { counts }: About): number {
  const all = counts?.get(ruleId ?? '') ?? events;
  return all > events ? Math.min(0.999, events / all) : 1;
}

/** ` (of 4.2% of its events read)`; empty where all were. */
function partOf(rule: RuleSuspicion, o: About): string {
  const part = readShare(rule, o);
  return part < 1 ? `, ${percent(part)} of all` : '';
}

function rowOf(rule: RuleSuspicion, shape: GroupEvidence | undefined, o: About): AnswerRow {
  const { ruleId, message, events, stopped, clients, cleanClients, share, shareLeast, senders } = rule;
  const isAttack = shape !== undefined && groupVerdict(shape) === 'attack';
  return {
    cells: [
      nameOf(rule),
      count(Math.max(events, o.counts?.get(ruleId ?? '') ?? 0)),
      ...(o.counts ? [percent(readShare(rule, o))] : []),
      count(clients),
      count(cleanClients),
      percent(share),
      percent(shareLeast),
      shape ? tagWords(shape) : '',
      o.rules?.get(ruleId ?? '')?.description ?? message ?? '',
      count(stopped),
      count(senders),
    ],
    tone: isAttack || cleanClients === 0 ? 'plain' : (shareLeast ?? 0) >= SURELY ? 'bad' : 'notable',
    ...ledBy('shield', o.query, 'rule', ruleId),
  };
}

/** A rule of which nobody can say anything yet. */
function unreadRow(ruleId: string, events: number, o: About): AnswerRow {
  const text = o.rules?.get(ruleId)?.description ?? '';
  return {
    cells: [ruleId || '(none)', count(events), 'none', '', '', '', '', '', text, '', ''],
    tone: 'faint',
    ...ledBy('shield', o.query, 'rule', ruleId || null),
  };
}

function fragmentSection(rule: RuleSuspicion, o: About): AnswerSection {
  const { fragments, withFragment, events } = rule;
  const more = fragments.length - FRAGMENTS_EACH;
  const note = fragments.length === 0 ? 'no event tells it' : more > 0 ? `and ${count(more)} more` : null;
  return {
    title: `what rule ${nameOf(rule)} matched, as ${count(withFragment)} of its ${count(events)} events${readShare(rule, o) < 1 ? ' read' : ''} tell`,
    columns: [
      figures('EVENTS', 7),
      { title: 'FRAGMENT, NUMBERS AND IDS AS #', cells: 'rest' },
      words('ONE OF THEM', 60, 130),
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
