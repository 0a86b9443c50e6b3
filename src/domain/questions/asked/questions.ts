import { HOUR } from '../../../text/units.ts';
import type { QuerySubject } from '../../query/query.ts';

/** What there is to know of a question before it is asked: for the command line, its help, and whoever completes it. */
type QuestionRow = {
  does: string;
  /** What its query has to name; empty where any filter will do. */
  names: string;
  /** The log whose fields its query is of. */
  subject: QuerySubject;
  /** The window where none is asked for, ms; null = all that is kept. */
  window: number | null;
  /** Whether what it is answered from goes when the log does; of the rest nobody says how long it is kept. */
  isKeptAsLog: boolean;
  /** Whether it is asked of one zone, or of several as one log. */
  zones: 'one' | 'several';
  /** Whether Shield is asked, too. */
  shield: 'never' | 'where there is one' | 'always';
  /** Whether it is asked against an earlier window. */
  isCompared: boolean;
  /** The answer, in words, that `--fail-if-found` ends with 10; null: no answer to it is one. */
  wrong: string | null;
};

/** As most questions are. */
const USUAL = {
  names: '',
  subject: 'logs',
  window: HOUR,
  isKeptAsLog: true,
  zones: 'several',
  shield: 'where there is one',
  isCompared: false,
} as const;

/** The questions about an incident, by the word that asks them on a command line. */
export const QUESTIONS = {
  wrong: {
    ...USUAL,
    does: 'what is wrong: at most five causes, what spoils most requests first, since when, by what evidence, and how sure',
    window: HOUR / 4,
    zones: 'one',
    wrong: 'a cause stands out from the usual, or 5xx are 1 % or more',
  },
  misses: {
    ...USUAL,
    does: 'what started missing the cache, against an earlier window',
    window: HOUR / 4,
    shield: 'never',
    isCompared: true,
    wrong: 'query strings explode, stale answers rise, or a page misses more than before',
  },
  compare: {
    ...USUAL,
    does: 'what is more frequent than in an earlier window, in every field',
    window: HOUR / 4,
    shield: 'never',
    isCompared: true,
    wrong: 'a value stands out against the earlier window',
  },
  through: {
    ...USUAL,
    does: 'whether a client was let through, by what its requests were answered with',
    names: 'the client, by one of ip: ja4: ua: url: asn: country:',
    wrong: 'a request of the client was answered 2xx or 3xx',
  },
  incidents: {
    ...USUAL,
    does: 'what was wrong in the hours that are kept, by samples; of several zones: which, since when',
    window: 24 * HOUR,
    shield: 'never',
    wrong: 'a cause stands out from the usual, or 5xx are 1 % or more',
  },
  timeline: {
    ...USUAL,
    does: 'both logs of one client within a minute of a request',
    names: 'the request by id:, or the client by ip: and the moment by from:',
    window: null,
    wrong: null,
  },
  'false-positives': {
    ...USUAL,
    does: 'which rules of Shield stop good clients',
    subject: 'shield',
    zones: 'one',
    shield: 'always',
    wrong: 'at least half of the clients that a rule stops are surely good ones',
  },
  rule: {
    ...USUAL,
    does: 'what a rule made of the query would hit',
    names: 'the requests that the rule would stop',
    zones: 'one',
    wrong: 'the rule would hit good requests',
  },
  changes: {
    ...USUAL,
    does: 'what was changed in the account, what concerns the zone first',
    window: 24 * HOUR,
    isKeptAsLog: false,
    zones: 'one',
    wrong: null,
  },
  causes: {
    ...USUAL,
    does: 'why the origin fails, by the origin errors, and what was changed right before',
    window: 3 * HOUR,
    isKeptAsLog: false,
    wrong: 'an origin error was reported',
  },
} as const satisfies Record<string, QuestionRow>;

export type QuestionId = keyof typeof QUESTIONS;

export const QUESTION_IDS = Object.keys(QUESTIONS) as QuestionId[];

export function questionOf(id: QuestionId): QuestionRow {
  return QUESTIONS[id];
}

/** The log whose fields the query of a question is of. `isOfShield`: Shield's was asked for where either can be. */
export function subjectOf(id: QuestionId, isOfShield: boolean): QuerySubject {
  return isOfShield ? 'shield' : QUESTIONS[id].subject;
}
