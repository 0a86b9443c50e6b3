import { count, percent } from '../../../text/units.ts';
import type { AnswerColumn, AnswerSection } from '../inquiry/answer-table.ts';
import type { GroupEvidence } from './group-evidence.ts';

export type TrafficTag = 'scanner' | 'botnet' | 'stuffing' | 'misfire' | 'crawler';

/** A number and the bound that it must keep. One that cannot be told keeps none. */
type Criterion = { of: keyof GroupEvidence; least: number } | { of: keyof GroupEvidence; most: number };

type TrafficProfileRow = {
  help: string;
  /** The tag is given when all criteria of one of the sets hold. */
  sets: readonly (readonly Criterion[])[];
};

/** A number that led to a tag, beside the bound that it kept. */
export type Reason = { of: keyof GroupEvidence; name: string; value: string; bound: string };

export type TrafficProfile = { tag: TrafficTag; help: string; because: readonly Reason[] };

/** Fewer lines than these say nothing of their sender. */
export const LEAST_LINES = 50;

/**
 * What a group looks like. The bounds are rules of thumb, wide enough that ordinary traffic keeps out of them; there is
 * no score: a tag is given when every number of a set keeps its bound, and each is shown beside it.
 */
const TRAFFIC_PROFILES = {
  scanner: {
    help: 'few clients that try many paths and find nothing',
    sets: [
      [
        { of: 'requests', least: LEAST_LINES },
        { of: 'paths', least: 12 },
        { of: 'pathsPerClient', least: 4 },
        { of: 'notFound', least: 0.6 },
      ],
      [
        { of: 'events', least: LEAST_LINES },
        { of: 'requests', most: 0 },
        { of: 'paths', least: 12 },
        { of: 'pathsPerClient', least: 4 },
        { of: 'stopped', least: 0.5 },
      ],
    ],
  },
  botnet: {
    help: 'many clients that are one program, hammer few paths and are refused',
    sets: [
      ...(['refused', 'stopped'] as const).flatMap((refusal) =>
        (['ips', 'networks'] as const).map(
          (clients) =>
            [
              { of: refusal === 'refused' ? 'requests' : 'events', least: 200 },
              { of: clients, least: clients === 'ips' ? 50 : 10 },
              { of: 'topJa4', least: 0.95 },
              { of: 'topUa', least: 0.9 },
              { of: 'paths', most: 5 },
              { of: refusal, least: 0.5 },
            ] as const,
        ),
      ),
    ],
  },
  stuffing: {
    help: 'logins tried again and again by one program, nearly all refused',
    sets: [
      [
        { of: 'requests', least: LEAST_LINES },
        { of: 'login', least: 0.8 },
        { of: 'topJa4', least: 0.8 },
        { of: 'refused', least: 0.8 },
      ],
      [
        { of: 'events', least: LEAST_LINES },
        { of: 'requests', most: 0 },
        { of: 'login', least: 0.8 },
        { of: 'topJa4', least: 0.8 },
        { of: 'stopped', least: 0.8 },
      ],
    ],
  },
  misfire: {
    help: 'a rule that stops many different visitors of the own pages, who are good clients otherwise',
    sets: (['ips', 'networks'] as const).map((clients) => [
      { of: 'events', least: LEAST_LINES },
      { of: clients, least: 10 },
      { of: 'topJa4', most: 0.8 },
      { of: 'topAsn', most: 0.5 },
      { of: 'cleanClients', least: 0.5 },
      { of: 'ownReferer', least: 0.5 },
      { of: 'fragments', least: 5 },
      { of: 'topFragment', most: 0.5 },
    ]),
  },
  crawler: {
    help: 'names itself a bot, reads many pages and mostly gets them',
    sets: [
      [
        { of: 'requests', least: LEAST_LINES },
        { of: 'botNamed', least: 0.9 },
        { of: 'paths', least: 20 },
        { of: 'fine', least: 0.7 },
      ],
    ],
  },
} as const satisfies Record<TrafficTag, TrafficProfileRow>;

const PRINTED = {
  count,
  mean: (value: number) => value.toFixed(1),
  share: percent,
} as const satisfies Record<string, (value: number) => string>;

/** How each number is called and printed, for the list of reasons. */
const NUMBERS = {
  requests: { name: 'CDN requests', as: 'count' },
  events: { name: 'Shield events', as: 'count' },
  ips: { name: 'addresses', as: 'count' },
  networks: { name: 'networks (/24, /64)', as: 'count' },
  asns: { name: 'AS numbers', as: 'count' },
  ja4s: { name: 'fingerprints', as: 'count' },
  uas: { name: 'user agents', as: 'count' },
  paths: { name: 'paths', as: 'count' },
  rules: { name: 'rules', as: 'count' },
  pathsPerClient: { name: 'paths a client', as: 'mean' },
  linesPerClient: { name: 'lines a client', as: 'mean' },
  topJa4: { name: 'with the most frequent fingerprint', as: 'share' },
  topUa: { name: 'with the most frequent user agent', as: 'share' },
  topPath: { name: 'of the most frequent path', as: 'share' },
  topAsn: { name: 'from the most frequent AS number', as: 'share' },
  notFound: { name: 'requests answered 403 or 404', as: 'share' },
  refused: { name: 'requests answered 401, 403 or 429', as: 'share' },
  fine: { name: 'requests answered 2xx or 3xx', as: 'share' },
  stopped: { name: 'events blocked or challenged', as: 'share' },
  withBody: { name: 'events with a body', as: 'share' },
  ownReferer: { name: 'events from a page of the same host', as: 'share' },
  fragments: { name: 'matched fragments', as: 'count' },
  topFragment: { name: 'with the most frequent fragment', as: 'share' },
  login: { name: 'on a login path', as: 'share' },
  botNamed: { name: 'user agent names a bot', as: 'share' },
  cleanClients: { name: 'clients that also have clean 2xx', as: 'share' },
} as const satisfies Record<keyof GroupEvidence, { name: string; as: keyof typeof PRINTED }>;

/** The tags that the numbers allow, each with those that led to it; none for a small sample. */
export function trafficProfilesOf(evidence: GroupEvidence): TrafficProfile[] {
  return (Object.keys(TRAFFIC_PROFILES) as TrafficTag[]).flatMap((tag) => {
    const { help, sets }: TrafficProfileRow = TRAFFIC_PROFILES[tag];
    const met = sets.find((criteria) => criteria.every((criterion) => isMet(criterion, evidence)));
    return met ? [{ tag, help, because: met.flatMap((criterion) => reasonOf(criterion, evidence)) }] : [];
  });
}

/** Tags of those that a rule is meant to stop. */
const ATTACKERS: readonly TrafficTag[] = ['scanner', 'botnet', 'stuffing'];

/** What the numbers say of a rule: that it hits good clients, that it stops attackers, or neither. */
export function groupVerdict(evidence: GroupEvidence): 'misfire' | 'attack' | null {
  const tags = trafficProfilesOf(evidence).map(({ tag }) => tag);
  if (tags.some((tag) => ATTACKERS.includes(tag))) return 'attack';
  return tags.includes('misfire') ? 'misfire' : null;
}

/** Every number that is known of a group, by its name. */
export function evidenceLines(evidence: GroupEvidence): { name: string; value: string }[] {
  return (Object.keys(NUMBERS) as (keyof GroupEvidence)[]).flatMap((of) => {
    const value = evidence[of];
    return value === null ? [] : [{ name: NUMBERS[of].name, value: told(of, value) }];
  });
}

function isMet(criterion: Criterion, evidence: GroupEvidence): boolean {
  const value = evidence[criterion.of];
  if (value === null) return false;
  return 'least' in criterion ? value >= criterion.least : value <= criterion.most;
}

/** That the other log was not read is a condition, but no reason. */
function reasonOf(criterion: Criterion, evidence: GroupEvidence): Reason[] {
  const { of } = criterion;
  if ('most' in criterion && criterion.most === 0) return [];
  const bound =
    'least' in criterion ? `at least ${told(of, criterion.least)}` : `at most ${told(of, criterion.most)}`;
  return [{ of, name: NUMBERS[of].name, value: told(of, evidence[of] ?? 0), bound }];
}

function told(of: keyof GroupEvidence, value: number): string {
  return PRINTED[NUMBERS[of].as](value);
}

const NUMBER: AnswerColumn = { title: 'NUMBER', cells: 38 };
const VALUE: AnswerColumn = { title: 'VALUE', cells: 8, align: 'right' };
const BOUND: AnswerColumn = { title: 'BOUND', cells: 'rest' };

/** What a group looks like: a section for each tag with the numbers and bounds that led to it, and all numbers. */
export function shapeSections(who: string, evidence: GroupEvidence, note: string): AnswerSection[] {
  const shapes = trafficProfilesOf(evidence);
  return [
    ...shapes.map((shape) => tagSection(who, shape)),
    {
      title: shapes.length > 0 ? `all that was counted of ${who}` : `${who} looks like nothing typical`,
      columns: [NUMBER, VALUE],
      rows: evidenceLines(evidence).map(({ name, value }) => ({ cells: [name, value], tone: 'faint' })),
      note,
    },
  ];
}

/** `scanner`, `botnet, stuffing`; empty for nothing typical. */
export function tagWords(evidence: GroupEvidence): string {
  return trafficProfilesOf(evidence)
    .map(({ tag }) => tag)
    .join(', ');
}

/** Of how much a shape was told, and from when on it is told of at all. */
export function shapeNote({ requests, events }: GroupEvidence, read: string): string {
  return `told of ${count(requests)} requests and ${count(events)} events${read}; of fewer than ${LEAST_LINES} nothing is`;
}

function tagSection(who: string, { tag, help, because }: TrafficProfile): AnswerSection {
  return {
    title: `${who} looks like ${tag}`,
    columns: [NUMBER, VALUE, BOUND],
    rows: because.map(({ name, value, bound }) => ({ cells: [name, value, bound], tone: 'notable' })),
    note: `${tag}: ${help}`,
  };
}
