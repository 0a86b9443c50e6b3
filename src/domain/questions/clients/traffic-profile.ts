import { count, counted, percent } from '../../../text/units.ts';
import { figures, onScreen, sectionOf, words } from '../inquiry/answer-section.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';
import { EVIDENCE, type EvidenceId, type GroupEvidence } from './group-evidence.ts';

export type TrafficTag = 'scanner' | 'botnet' | 'stuffing' | 'misfire' | 'crawler';

/** The bound that a number must keep. One that cannot be told keeps none. */
type Bound = { least: number } | { most: number };
type Bounds = Partial<Record<EvidenceId, Bound>>;

/** The tag is given when all bounds of one of the sets are kept. */
type TrafficProfileRow = { help: string; sets: readonly Bounds[] };

/** A number that is known of a group, and one that led to a tag, beside the bound that it kept. */
type Known = { of: EvidenceId; value: number };
type Reason = Known & { bound: Bound };

type TrafficProfile = { tag: TrafficTag; help: string; because: readonly Reason[] };

/** Fewer lines than these say nothing of their sender. */
export const LEAST_LINES = 50;

const least = (bound: number): Bound => ({ least: bound });
const most = (bound: number): Bound => ({ most: bound });

const SEEN: Bounds = { requests: least(LEAST_LINES) };
/** Of Shield events alone: the other log was not read. */
const SEEN_BY_SHIELD: Bounds = { events: least(LEAST_LINES), requests: most(0) };
const MANY_PATHS: Bounds = { paths: least(12), pathsPerClient: least(4) };
const LOGINS: Bounds = { login: least(0.8), topJa4: least(0.8) };
const ONE_PROGRAM: Bounds = { topJa4: least(0.95), topUa: least(0.9), paths: most(5) };
const GOOD_VISITORS: Bounds = {
  topJa4: most(0.8),
  topAsn: most(0.5),
  cleanClients: least(0.5),
  ownReferer: least(0.5),
  fragments: least(5),
  topFragment: most(0.5),
};

/**
 * What a group looks like. The bounds are rules of thumb, wide enough that ordinary traffic keeps out of them; there is
 * no score: a tag is given when every number of a set keeps its bound, and each is shown beside it.
 */
const TRAFFIC_PROFILES: Readonly<Record<TrafficTag, TrafficProfileRow>> = {
  scanner: {
    help: 'few clients that try many paths and find nothing',
    sets: [
      { ...SEEN, ...MANY_PATHS, notFound: least(0.6) },
      { ...SEEN_BY_SHIELD, ...MANY_PATHS, stopped: least(0.5) },
    ],
  },
  botnet: {
    help: 'many clients that are one program, hammer few paths and are refused',
    sets: [
      { requests: least(200), ips: least(50), ...ONE_PROGRAM, refused: least(0.5) },
      { requests: least(200), networks: least(10), ...ONE_PROGRAM, refused: least(0.5) },
      { events: least(200), ips: least(50), ...ONE_PROGRAM, stopped: least(0.5) },
      { events: least(200), networks: least(10), ...ONE_PROGRAM, stopped: least(0.5) },
    ],
  },
  stuffing: {
    help: 'logins tried again and again by one program, nearly all refused',
    sets: [
      { ...SEEN, ...LOGINS, refused: least(0.8) },
      { ...SEEN_BY_SHIELD, ...LOGINS, stopped: least(0.8) },
    ],
  },
  misfire: {
    help: 'a rule that stops many different visitors of the own pages, who are good clients otherwise',
    sets: [
      { events: least(LEAST_LINES), ips: least(10), ...GOOD_VISITORS },
      { events: least(LEAST_LINES), networks: least(10), ...GOOD_VISITORS },
    ],
  },
  crawler: {
    help: 'names itself a bot, reads many pages and mostly gets them',
    sets: [{ ...SEEN, botNamed: least(0.9), paths: least(20), fine: least(0.7) }],
  },
};

const PRINTED = {
  count,
  mean: (value: number) => value.toFixed(1),
  share: percent,
} as const satisfies Record<(typeof EVIDENCE)[EvidenceId]['as'], (value: number) => string>;

/** The tags that the numbers allow, each with those that led to it; none for a small sample. */
export function trafficProfilesOf(evidence: GroupEvidence): TrafficProfile[] {
  return (Object.keys(TRAFFIC_PROFILES) as TrafficTag[]).flatMap((tag) => {
    const { help, sets } = TRAFFIC_PROFILES[tag];
    for (const set of sets) {
      const bounds = Object.entries(set) as [EvidenceId, Bound][];
      if (bounds.every(([of, bound]) => isKept(bound, evidence[of])))
        return [{ tag, help, because: bounds.flatMap(([of, bound]) => reasonOf(of, bound, evidence)) }];
    }
    return [];
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

/** Every number that is known of a group. */
function knownOf(evidence: GroupEvidence): Known[] {
  return (Object.keys(EVIDENCE) as EvidenceId[]).flatMap((of) => {
    const value = evidence[of];
    return value === null ? [] : [{ of, value }];
  });
}

function isKept(bound: Bound, value: number | null): boolean {
  if (value === null) return false;
  return 'least' in bound ? value >= bound.least : value <= bound.most;
}

/** That the other log was not read is a condition, but no reason. */
function reasonOf(of: EvidenceId, bound: Bound, evidence: GroupEvidence): Reason[] {
  if ('most' in bound && bound.most === 0) return [];
  return [{ of, value: evidence[of] ?? 0, bound }];
}

function boundWords({ of, bound }: Reason): string {
  return 'least' in bound ? `at least ${shown(of, bound.least)}` : `at most ${shown(of, bound.most)}`;
}

function shown(of: EvidenceId, value: number): string {
  return PRINTED[EVIDENCE[of].as](value);
}

function numberWords({ of, value }: Known): string {
  return `${EVIDENCE[of].name}: ${shown(of, value)}`;
}

const NUMBER = words('number', 'NUMBER', 38, ({ of }: Known) => of, { shown: ({ of }) => EVIDENCE[of].name });
const VALUE = figures('value', 'VALUE', 8, ({ value }: Known) => value, {
  shown: ({ of, value }) => shown(of, value),
});
const BOUND = onScreen('BOUND', 'rest', boundWords);

/** What a group looks like: a section for each tag with the numbers and bounds that led to it, and all numbers. */
export function profileSections(who: string, evidence: GroupEvidence, note: string): AnswerSection[] {
  const shapes = trafficProfilesOf(evidence);
  return [
    ...shapes.map(({ tag, help, because }) =>
      sectionOf('profile', `${who} looks like ${tag}`, because, {
        sentence: (reason) => `${numberWords(reason)}, ${boundWords(reason)}: ${who} looks like ${tag}`,
        first: () => ({ looksLike: tag }),
        columns: [NUMBER, VALUE, BOUND],
        also: ({ bound }) => ({ ...bound }),
        row: () => ({ tone: 'notable' }),
        note: `${tag}: ${help}`,
      }),
    ),
    sectionOf(
      'numbers',
      shapes.length > 0 ? `all that was counted of ${who}` : `${who} looks like nothing typical`,
      knownOf(evidence),
      { sentence: numberWords, columns: [NUMBER, VALUE], row: () => ({ tone: 'faint' }), note },
    ),
  ];
}

/** `scanner`, `botnet, stuffing`; empty for nothing typical. */
export function tagWords(evidence: GroupEvidence): string {
  return trafficProfilesOf(evidence)
    .map(({ tag }) => tag)
    .join(', ');
}

/** Of how much a shape was told, and from when on it is told of at all. */
export function profileNote({ requests, events }: GroupEvidence, read: string): string {
  return `judged by ${counted(requests, 'request')} and ${counted(events, 'event')}${read}; of fewer than ${LEAST_LINES} nothing is`;
}
