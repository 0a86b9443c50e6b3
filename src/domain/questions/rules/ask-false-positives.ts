import { count, counted, joined, percent } from '../../../text/units.ts';
import {
  cleanClients,
  clientKey,
  clientKeys,
  clientsActedOn,
  isStopped,
  requestsByClient,
  sightingOfEvent,
} from '../../clients/client-identity.ts';
import {
  evidenceOf,
  type FragmentGroup,
  type GroupEvidence,
  groupFragments,
  groupVerdict,
  tagWords,
  trafficProfilesOf,
} from '../../clients/traffic-profile.ts';
import { wilsonLeast } from '../../differing.ts';
import {
  type AnswerSection,
  type AnswerTable,
  figures,
  ledBy,
  onScreen,
  rest,
  sectionOf,
  shares,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { EventReading, MOST_PAGES, pagesFor } from '../../inquiry/event-reading.ts';
import { readBy } from '../../inquiry/inquiry.ts';
import { LogReading, sidesRead, zoneReads } from '../../inquiry/log-reading.ts';
import { type Counting, type Counts, partOfCounts } from '../../logs/counts.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import { EMPTY_QUERY, type Query, termOfAny } from '../../query/query.ts';
import { LARGEST_SHIELD_PAGE, type ShieldEvent, shieldDetail, type WafRule } from '../../shield/shield.ts';
import type { PullZone } from '../../zone.ts';
import { type Brief, type Made, made, noShield, queryOf, unaskable } from '../asked/asked.ts';
import { profileSections } from '../clients/profile-sections.ts';
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

/** A share of clean senders that is called bad. */
const SURELY = 0.5;

/**
 * Rules ranked by what they look like and by the share of their clients that also have clean 2xx answers, with what the
 * worst of them matched. Of more events than are read each rule is read in part.
 */
export function falsePositives(o: Brief): Made {
  const { range, shieldZoneId, events: listed = null, rules = null } = o;
  const [zone] = o.zones;
  if (!shieldZoneId) return unaskable(noShield(zone));
  if (!zone.logging) return unaskable(`${zone.name} keeps no CDN log, so good clients cannot be identified`);
  const query = queryOf(o);
  const about = { shieldZoneId, query, range };
  // `listed`: events of the window as the list on screen tells them.
  const isFew = listed !== null && listed <= MOST_PAGES * LARGEST_SHIELD_PAGE;
  const events = isFew ? new EventReading({ ...about, pages: pagesFor(listed) }) : new RuleSampling(about);
  const sampled = events instanceof RuleSampling ? events : null;
  const reading = new LogReading({
    zones: zoneReads([zone], { ...EMPTY_QUERY, terms: [termOfAny('status', ['2xx'])] }, PARTS),
    windows: { now: [range] },
    counted: { until: undefined, of: () => FINE_COUNTING },
  });
  let known = eventsByRule([], zone);
  /** What the events alone tell is found once for all that came. */
  function ranked(): FalsePositives {
    if (known.events !== events.events) known = eventsByRule(events.events, zone);
    return falsePositivesOf(known, reading.counts('now', zone), zone);
  }
  const inquiry = readBy(
    [events, reading],
    () =>
      // A count without the events would call everybody good.
      tableOf(events.isHeard ? ranked() : null, {
        query: within(query, range),
        rules,
        counts: sampled?.counts ?? null,
        // Where the events of the window were read without regard to their rule, their part is that of each.
        hedge: sampled || events.isWhole || !events.isHeard ? '' : `of ${events.words('events')}: `,
        isWhole: events.isWhole && reading.isWhole,
        coverage: joined([events.words('events'), `2xx: ${sidesRead(reading, { now: 'the window' })}`]),
      }),
    {
      follow: sampled && {
        most: MOST_PAGES + sampled.needs.length + reading.needs.length,
        next: () => sampled.next(),
      },
    },
  );
  return made(o, inquiry, '');
}

type Told = {
  query: Query;
  rules: ReadonlyMap<string, WafRule> | null;
  /** Events of each rule in the window, where only a part of them was read. */
  counts: ReadonlyMap<string, number> | null;
  hedge: string;
  /** A nothing is good news of all events and rows alone. */
  isWhole: boolean;
  coverage: string;
};

function tableOf(ranked: FalsePositives | null, o: Told): AnswerTable {
  const { coverage } = o;
  if (ranked === null) {
    return {
      headline: 'which rules stop good clients? the events are read first',
      ...{ verdict: 'unknown', sections: [], coverage, isWhole: false },
    };
  }
  const rankOf = ({ shape }: RuleSuspicion) => RANKS[(shape && groupVerdict(shape)) ?? 'other'];
  const rules = ranked.rules.toSorted((a, b) => rankOf(a) - rankOf(b));
  const worst = rules
    .filter((rule) => rule.cleanClients > 0 && rankOf(rule) !== RANKS.attack)
    .slice(0, RULES_TOLD);
  const [first] = worst;
  return {
    ...headlineOf({ ...ranked, rules }, first, o),
    sections: [
      rulesSection(rules, ranked.why, o),
      ...worst.map((rule) => fragmentSection(rule, o)),
      ...(first?.shape
        ? profileSections(
            `rule ${nameOf(first)}`,
            first.shape,
            `${partOf(first, o)}; clean: more 2xx than requests on which an event read acted`,
          )
        : []),
    ],
    coverage,
    isWhole: o.isWhole,
  };
}

function headlineOf(
  { rules, why }: FalsePositives,
  worst: RuleSuspicion | undefined,
  o: Told,
): Pick<AnswerTable, 'headline' | 'verdict' | 'tone'> {
  if (why !== null) return { headline: why, verdict: 'unknown' };
  if (rules.length === 0) return { headline: 'no rule has an event in what was read', verdict: 'unknown' };
  if (!worst) {
    const headline = rules.some(({ cleanClients }) => cleanClients > 0)
      ? 'only rules that look like they stop attacks met clients that have clean 2xx answers, in what was read'
      : 'no rule stopped a client that has clean 2xx answers in what was read';
    return { headline, verdict: o.isWhole ? 'calm' : 'unknown' };
  }
  const { clients, cleanClients, share, shareLeast } = worst;
  const part = readShare(worst, o);
  const hedge = part < 1 ? `of ${percent(part)} of its events read: ` : o.hedge;
  return {
    headline: `${hedge}rule ${nameOf(worst)}: ${count(cleanClients)} of ${count(clients)} clients also have clean 2xx (${percent(share)}, surely ${percent(shareLeast)})`,
    ...((shareLeast ?? 0) >= SURELY ? { verdict: 'wrong' } : { verdict: 'unknown', tone: 'notable' }),
  };
}

/** How much of a rule's events was read, 0…1; 1 where nothing else is known. */
function readShare({ ruleId, events }: RuleSuspicion, { counts }: Pick<Told, 'counts'>): number {
  const all = counts?.get(ruleId ?? '') ?? events;
  return all > events ? Math.min(0.999, events / all) : 1;
}

/** ` (of 4.2% of its events read)`; empty where all were. */
function partOf(rule: RuleSuspicion, o: Told): string {
  const part = readShare(rule, o);
  return part < 1 ? `, ${percent(part)} of all` : '';
}

function rulesSection(
  rules: readonly RuleSuspicion[],
  why: string | null,
  { counts, query, rules: texts }: Told,
): AnswerSection {
  const known = new Map(rules.map((rule) => [rule.ruleId ?? '', rule]));
  // Of a rule of which no event was read nobody can say anything yet.
  const listed = [...new Set([...known.keys(), ...(counts?.keys() ?? [])])].map((id) => {
    const rule = known.get(id);
    const events = Math.max(rule?.events ?? 0, counts?.get(id) ?? 0);
    return { ruleId: id || null, events, rule, shape: rule?.shape };
  });
  type Listed = (typeof listed)[number];
  const shareRead = ({ rule }: Listed) => (rule ? readShare(rule, { counts }) : 0);
  const shownIf = (share: 'share' | 'shareLeast') => ({
    shown: ({ rule }: Listed) => (rule ? percent(rule[share]) : ''),
  });
  return sectionOf('rules', 'rules by what they look like and their clients with clean 2xx answers', listed, {
    sentence: ({ ruleId, events, rule }) =>
      rule
        ? `rule ${nameOf({ ruleId })} acted ${counted(events, 'time')} on ${counted(rule.clients, 'client')}, of which ${count(rule.cleanClients)} got clean 2xx answers`
        : `rule ${nameOf({ ruleId })} acted ${counted(events, 'time')}, and none of its events was read`,
    columns: [
      words('rule', 'RULE', 10, ({ ruleId }) => ruleId, { shown: nameOf }),
      figures('events', 'EVENTS', 7, ({ events }) => events, { from: 60 }),
      ...(counts
        ? [
            shares('read', 'READ', 6, shareRead, {
              shown: (each: Listed) => (each.rule ? percent(shareRead(each)) : 'none'),
              from: 60,
            }),
          ]
        : []),
      figures('clients', 'CLIENTS', 7, ({ rule }) => rule?.clients ?? null, { from: 60 }),
      figures('cleanClients', 'CLEAN', 6, ({ rule }) => rule?.cleanClients ?? null),
      shares('share', 'SHARE', 6, ({ rule }) => rule?.share ?? null, shownIf('share')),
      shares('shareLeast', 'AT LEAST', 8, ({ rule }) => rule?.shareLeast ?? null, shownIf('shareLeast')),
      onScreen('LOOKS', 8, ({ shape }) => (shape ? tagWords(shape) : '')),
      rest(
        'text',
        'TEXT',
        ({ ruleId, rule }) => texts?.get(ruleId ?? '')?.description ?? rule?.message ?? null,
      ),
      figures('stopped', 'STOPPED', 7, ({ rule }) => rule?.stopped ?? null, { from: 100 }),
      figures('senders', 'SENDERS', 7, ({ rule }) => rule?.senders ?? null, { from: 100 }),
    ],
    also: ({ shape }) => ({ looksLike: shape ? trafficProfilesOf(shape).map(({ tag }) => tag) : [] }),
    row: ({ ruleId, rule }) => ({
      tone: rule ? toneOf(rule) : 'faint',
      ...ledBy('shield', query, 'rule', ruleId),
    }),
    note: why ?? '',
  });
}

function toneOf({ cleanClients, shareLeast, shape }: RuleSuspicion) {
  if (cleanClients === 0 || (shape && groupVerdict(shape) === 'attack')) return 'plain';
  return (shareLeast ?? 0) >= SURELY ? 'bad' : 'notable';
}

function fragmentSection(rule: RuleSuspicion, o: Told): AnswerSection {
  const { fragments, withFragment, events } = rule;
  const more = fragments.length - FRAGMENTS_EACH;
  const read = readShare(rule, o) < 1 ? ' read' : '';
  return sectionOf(
    'fragments',
    `what rule ${nameOf(rule)} matched, as ${count(withFragment)} of its ${count(events)} events${read} tell`,
    fragments,
    {
      sentence: ({ count: times, shape }) =>
        `rule ${nameOf(rule)} matched ${shape} in ${counted(times, 'event')}`,
      most: FRAGMENTS_EACH,
      first: () => ({ rule: rule.ruleId }),
      columns: [
        figures('events', 'EVENTS', 7, (fragment) => fragment.count),
        rest('fragment', 'FRAGMENT, NUMBERS AND IDS AS #', ({ shape }) => shape),
        words('example', 'ONE OF THEM', 60, ({ example }) => example, { from: 130 }),
      ],
      aside: fragments.length === 0 ? 'no event tells it' : more > 0 ? `and ${count(more)} more` : '',
    },
  );
}

function nameOf({ ruleId }: Pick<RuleSuspicion, 'ruleId'>): string {
  return ruleId ?? '(none)';
}

/** How much a rule hits good clients. */
type RuleSuspicion = {
  /** Null for events that name no rule. */
  ruleId: string | null;
  /** The rule's name as the newest event that has one tells it. */
  message: string | null;
  events: number;
  /** Events that were blocked or challenged: what a false positive costs. */
  stopped: number;
  /** Clients that can be told apart, and those of them with clean 2xx beside. */
  clients: number;
  cleanClients: number;
  /** `cleanClients` ÷ `clients`; null when nobody can be told. */
  share: number | null;
  /** Clients as evidence: those behind one AS that have one fingerprint may be one program, and count as one. */
  senders: number;
  /** What the share of clean senders surely is of so few: see `wilsonLeast`. The ranking goes by it. */
  shareLeast: number | null;
  /** What it matched, by shape; `withFragment` of its events say. */
  fragments: readonly FragmentGroup[];
  withFragment: number;
  /** What its events look like; null: it has fewer than others. */
  shape: GroupEvidence | null;
};

export type FalsePositives = {
  /** The largest `shareLeast` first, then the most clean clients. */
  rules: readonly RuleSuspicion[];
  /** Why no client can be told; null = they can. */
  why: string | null;
};

/** What the events of a rule tell, whoever else its clients are. `clients`: with the sender that each is of. */
type RuleEvents = Pick<
  RuleSuspicion,
  'ruleId' | 'message' | 'events' | 'stopped' | 'fragments' | 'withFragment' | 'shape'
> & { clients: ReadonlyMap<string, string> };

type ActedOn = ReturnType<typeof clientsActedOn>;

export function eventsByRule(
  events: readonly ShieldEvent[],
  { anonymisation }: Pick<PullZone, 'anonymisation'>,
): { events: readonly ShieldEvent[]; actedOn: ActedOn; rules: readonly RuleEvents[] } {
  const byRule = [...Map.groupBy(events, (event) => event.fields['ruleId'] || null)];
  const shaped = byRule.toSorted(([, a], [, b]) => b.length - a.length).slice(0, RULES_SHAPED);
  const rules = byRule.map(([ruleId, own]): RuleEvents => {
    const clients = new Map<string, string>();
    const fragments: string[] = [];
    let newest: { at: number; message: string } | null = null;
    for (const event of own) {
      const client = clientKey(sightingOfEvent(event).ip, anonymisation);
      if (client !== null && !clients.has(client)) clients.set(client, senderOf(event, client));
      const { message, trigger } = shieldDetail(event.log);
      if (trigger?.value) fragments.push(trigger.value);
      if (message !== null && event.timestamp >= (newest?.at ?? 0)) newest = { at: event.timestamp, message };
    }
    return {
      ...{ ruleId, clients, message: newest?.message ?? null, events: own.length },
      ...{ stopped: own.filter(isStopped).length, withFragment: fragments.length },
      fragments: groupFragments(fragments),
      shape: shaped.some(([id]) => id === ruleId) ? evidenceOf(own, [], anonymisation) : null,
    };
  });
  return { events, actedOn: clientsActedOn(events, anonymisation), rules };
}

/** Clients told apart: an address flood must not fill the memory. */
const CLIENTS_MOST = 20_000;

/** Which clients got good answers, and how many. */
export const FINE_COUNTING: Counting = { kind: 'values', fields: ['ip'], most: CLIENTS_MOST, sums: false };

/**
 * Ranks rules by the share of their senders, less what chance may add, that also have clean traffic: CDN requests answered
 * with 2xx on which Shield did not act. It is a reason to look at a rule and no proof: a stolen account has clean traffic,
 * too. Only as complete as the CDN rows that were read: a client is called clean for what was seen, never for what was not.
 */
export function falsePositivesOf(
  { rules, actedOn }: Pick<ReturnType<typeof eventsByRule>, 'rules' | 'actedOn'>,
  requests: Counts | null,
  { anonymisation }: Pick<PullZone, 'anonymisation'>,
): FalsePositives {
  const fine = partOfCounts(requests, 'values')?.fields.get('ip') ?? { values: [] };
  const clean = cleanClients(actedOn, requestsByClient(fine, clientKeys(anonymisation)));
  return {
    rules: rules
      .map(({ clients, shape, ...told }): RuleSuspicion => {
        const cleanOf = (some: Iterable<string>) => [...some].filter((client) => clean.has(client)).length;
        const senders = [...Map.groupBy(clients, ([, sender]) => sender).values()];
        const cleanSenders = senders.reduce(
          (sum, of) => sum + cleanOf(of.map(([client]) => client)) / of.length,
          0,
        );
        const cleanClients = cleanOf(clients.keys());
        const share = ratioOf(cleanClients, clients.size);
        return {
          ...{ ...told, clients: clients.size, cleanClients, share },
          senders: senders.length,
          shareLeast: wilsonLeast(cleanSenders, senders.length),
          shape: shape && { ...shape, cleanClients: requests === null ? null : share },
        };
      })
      .sort(bySuspicion),
    why:
      anonymisation === 'drop'
        ? 'the zone logs no client addresses, so one client cannot be known from another'
        : null,
  };
}

/** Of an event that tells no AS or no fingerprint nobody knows whose program it was. */
function senderOf({ fields }: ShieldEvent, client: string): string {
  const { asn, ja4 } = fields;
  return asn && ja4 ? `${asn} ${ja4}` : client;
}

function bySuspicion(a: RuleSuspicion, b: RuleSuspicion): number {
  return (
    (b.shareLeast ?? -1) - (a.shareLeast ?? -1) ||
    b.cleanClients - a.cleanClients ||
    b.events - a.events ||
    ((a.ruleId ?? '') < (b.ruleId ?? '') ? -1 : 1)
  );
}
