import { isTrouble } from '../../logs/counted/row-marks.ts';
import type { SampledRow } from './sampled-rows.ts';

/** How rows can be spoilt, and from what share on that is told. */
export type Harm = {
  /** What it is called. */
  what: string;
  isHit: (row: SampledRow) => boolean;
  /** So much more of the requests than usual is a cause, 0…1. */
  least: number;
  /** A usual share below this counts as this: strays are always there. */
  floor: number;
  /** Neighbouring rows are alike (one visitor, one page), so that so many of them count as one. */
  alike: number;
  /** Whether it is a harm as far back as it goes, however usual it is. */
  isAbsolute: boolean;
};

const REFUSED = new Set([401, 403, 407, 429, 451]);
const MISSING = new Set([404, 410]);

/**
 * Below 2 % of the requests nothing is a cause. What is fetched from the origin moves by several percent with the pages that are asked
 * for, so that it takes more; and what neighbours have in common (`alike`) was chosen so that calm hours of quiet zones, where one
 * visitor is a tenth of the rows, say nothing.
 */
export const HARMS = {
  trouble: {
    what: 'origin fails',
    isHit: ({ status, cache }) => isTrouble(status, cache),
    ...{ least: 0.02, floor: 0.005, alike: 2, isAbsolute: true },
  },
  refused: {
    what: 'refused',
    isHit: ({ status }) => REFUSED.has(status),
    ...{ least: 0.02, floor: 0.01, alike: 3, isAbsolute: false },
  },
  notFound: {
    what: 'not found',
    isHit: ({ status }) => MISSING.has(status),
    ...{ least: 0.02, floor: 0.01, alike: 3, isAbsolute: false },
  },
  clientErrors: {
    what: 'client errors',
    isHit: ({ status }) => status >= 400 && status < 500 && !REFUSED.has(status) && !MISSING.has(status),
    ...{ least: 0.02, floor: 0.01, alike: 3, isAbsolute: false },
  },
  bypassed: {
    what: 'misses',
    isHit: ({ cache, status }) => cache === 'BYPASS' && status < 400,
    ...{ least: 0.03, floor: 0.01, alike: 4, isAbsolute: false },
  },
  misses: {
    what: 'misses',
    isHit: ({ served, status }) => served === 'origin' && status < 400,
    ...{ least: 0.06, floor: 0.02, alike: 4, isAbsolute: false },
  },
} as const satisfies Record<string, Harm>;

export type HarmId = keyof typeof HARMS;

export const HARM_IDS = Object.keys(HARMS) as HarmId[];

/** One who sends much more than usual: what is asked for need not be spoilt by it. */
export const SENDER = {
  what: 'one sender',
  ...{ least: 0.05, factor: 3, floor: 0.01, alike: 10, isAbsolute: false },
} as const;

/** One page that misses much more than usual, be it that it is asked for more. */
export const PAGE = { least: 0.04, factor: 3, floor: 0.01 } as const;
