import { isTrouble } from '../logs/counted/row-marks.ts';

/** How a request was answered. `served`: by whom its bytes came; null: neither. */
export type Served = { status: number; cache: string; served: 'edge' | 'origin' | null };

/** How requests can be spoilt, and from what share on that is told. */
type Harm = {
  /** What it is called. */
  what: string;
  isHit: (answer: Served) => boolean;
  /** So much more of the requests than usual is a cause, 0…1. */
  least: number;
  /** A usual share below this counts as this: strays are always there. */
  floor: number;
  /** Neighbouring rows are alike (one visitor, one page), so that so many of them count as one. */
  alike: number;
  /** So many times the usual share is a cause. */
  factor: number;
  /** Whether it is a harm as far back as it goes, however usual it is. */
  isAbsolute: boolean;
};

/** What a harm, or anything else that stands out, is judged by. */
export type Judgement = Omit<Harm, 'what' | 'isHit'>;

const REFUSED = new Set([401, 403, 407, 429, 451]);
const MISSING = new Set([404, 410]);

/**
 * Below 2 % of the requests nothing is a cause. What is fetched from the origin moves by several percent with the pages that are asked
 * for, so that it takes more; what is not there is always asked for, with a scanner more or less, so that it takes several times as much.
 * What neighbours have in common (`alike`) was chosen so that calm hours of quiet zones, where one visitor is a tenth of the rows, say
 * nothing.
 */
export const HARMS = {
  trouble: {
    what: 'origin fails',
    isHit: ({ status, cache }) => isTrouble(status, cache),
    ...{ least: 0.02, floor: 0.005, factor: 1, alike: 2, isAbsolute: true },
  },
  refused: {
    what: 'refused',
    isHit: ({ status }) => REFUSED.has(status),
    ...{ least: 0.02, floor: 0.01, factor: 1, alike: 3, isAbsolute: false },
  },
  notFound: {
    what: 'not found',
    isHit: ({ status }) => MISSING.has(status),
    ...{ least: 0.02, floor: 0.01, factor: 3, alike: 3, isAbsolute: false },
  },
  clientErrors: {
    what: 'client errors',
    isHit: ({ status }) => status >= 400 && status < 500 && !REFUSED.has(status) && !MISSING.has(status),
    ...{ least: 0.02, floor: 0.01, factor: 3, alike: 3, isAbsolute: false },
  },
  redirected: {
    what: 'redirected',
    isHit: ({ status }) => status >= 300 && status < 400 && status !== 304,
    ...{ least: 0.05, floor: 0.02, factor: 1, alike: 4, isAbsolute: false },
  },
  bypassed: {
    what: 'misses',
    isHit: ({ cache, status }) => cache === 'BYPASS' && status < 400,
    ...{ least: 0.03, floor: 0.01, factor: 1, alike: 4, isAbsolute: false },
  },
  misses: {
    what: 'misses',
    isHit: ({ served, status }) => served === 'origin' && status < 400,
    ...{ least: 0.06, floor: 0.02, factor: 1, alike: 4, isAbsolute: false },
  },
} as const satisfies Record<string, Harm>;

export type HarmId = keyof typeof HARMS;

export const HARM_IDS = Object.keys(HARMS) as HarmId[];

/** What a deviation is called. */
export function whatOf(harm: HarmId | 'sender' | 'surge'): string {
  if (harm === 'sender') return 'one sender';
  return harm === 'surge' ? 'more of it' : HARMS[harm].what;
}

/** Whether a rule can have answered so: refused, or as if it were not there. */
export function isRefusal(status: number): boolean {
  return REFUSED.has(status) || MISSING.has(status);
}

/** One who sends much more than usual: what is asked for need not be spoilt by it. */
export const SENT: Judgement = { least: 0.05, factor: 3, floor: 0.01, alike: 10, isAbsolute: false };

/**
 * By what a sender is known. Visitors of a provider, or with one browser, come and go together, and few of the networks and programs that
 * send for somebody have visitors; an address that many come from is rare.
 */
export const SENT_BY = {
  ip: { ...SENT, floor: 0.002 },
  ja4: { ...SENT, factor: 8 },
  asn: { ...SENT, factor: 8 },
} as const satisfies Record<string, Judgement>;

const BROUGHT: Judgement = { ...SENT, least: 0.2 };

/**
 * What brings requests besides who sends them: a program that asks again and again, a site that shows what is here. A new version takes
 * the requests of the old one, so that it counts only where all requests are more than usual.
 */
export const BROUGHT_BY = {
  app: BROUGHT,
  ua: BROUGHT,
  referer: BROUGHT,
} as const satisfies Record<string, Judgement>;

/** A program that asks again and again asks for one page; one that many people open, or a site, brings them to many. */
export const OF_ONE_PAGE: ReadonlySet<SenderField> = new Set(['app', 'ua']);

/** By what those are known who make the requests more. */
export const KNOWN_BY = { ...SENT_BY, ...BROUGHT_BY };

export type SenderField = keyof typeof KNOWN_BY;

/** One page that misses much more than usual, be it that it is asked for more. */
export const PAGE: Judgement = { ...HARMS.misses, least: 0.04, factor: 3, floor: 0.01 };

/** What else is counted of rows besides their harms. */
const LEVELS = {
  error: ({ status }) => status >= 500,
  clientError: ({ status }) => status >= 400 && status < 500,
  edge: ({ served }) => served === 'edge',
  origin: ({ served }) => served === 'origin',
  hit: ({ cache }) => cache === 'HIT',
} as const satisfies Record<string, (answer: Served) => boolean>;

type MarkId = HarmId | keyof typeof LEVELS;

const TESTS: readonly [MarkId, (answer: Served) => boolean][] = [
  ...HARM_IDS.map((id) => [id, HARMS[id].isHit] as const),
  ...(Object.entries(LEVELS) as [keyof typeof LEVELS, (answer: Served) => boolean][]),
].map(([id, test]) => [id, test]);

/** A bit for each of them. */
export const MARKS = Object.fromEntries(TESTS.map(([id], at) => [id, 1 << at])) as Readonly<
  Record<MarkId, number>
>;

export function marksOf(answer: Served): number {
  return TESTS.reduce((marks, [, test], at) => (test(answer) ? marks | (1 << at) : marks), 0);
}
