import type { QuerySubject } from '../../query/query.ts';

const HOUR = 3_600_000;

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

/** The questions about an incident, by the word that asks them on a command line. */
export const QUESTIONS = {
  wrong: {
    does: 'what is wrong: at most five causes, the likeliest first, each with its evidence, since when, and how sure',
    names: '',
    subject: 'logs',
    window: HOUR / 4,
    isKeptAsLog: true,
    zones: 'one',
    shield: 'where there is one',
    isCompared: false,
    wrong: 'a cause stands out from the usual',
  },
  misses: {
    does: 'what started missing the cache, against an earlier window',
    names: '',
    subject: 'logs',
    window: HOUR / 4,
    isKeptAsLog: true,
    zones: 'several',
    shield: 'never',
    isCompared: true,
    wrong: 'query strings explode, stale answers rise, or a page misses more than before',
  },
  compare: {
    does: 'what is more frequent than in an earlier window, in every field',
    names: '',
    subject: 'logs',
    window: HOUR / 4,
    isKeptAsLog: true,
    zones: 'several',
    shield: 'never',
    isCompared: true,
    wrong: 'a value stands out against the earlier window',
  },
  through: {
    does: 'whether a client was let through, by what its requests were answered with',
    names: 'the client, by one of ip: ja4: ua: url: asn: country:',
    subject: 'logs',
    window: HOUR,
    isKeptAsLog: true,
    zones: 'several',
    shield: 'where there is one',
    isCompared: false,
    wrong: 'a request of the client was answered 2xx or 3xx',
  },
  incidents: {
    does: 'what stood out from the usual in the hours that are kept, by samples; of several zones: which, since when',
    names: '',
    subject: 'logs',
    window: 24 * HOUR,
    isKeptAsLog: true,
    zones: 'several',
    shield: 'never',
    isCompared: false,
    wrong: 'an anomaly window stands out',
  },
  timeline: {
    does: 'both logs of one client within a minute of a request',
    names: 'the request by id:, or the client by ip: and the moment by from:',
    subject: 'logs',
    window: null,
    isKeptAsLog: true,
    zones: 'several',
    shield: 'where there is one',
    isCompared: false,
    wrong: null,
  },
  'false-positives': {
    does: 'which rules of Shield stop good clients',
    names: '',
    subject: 'shield',
    window: HOUR,
    isKeptAsLog: true,
    zones: 'one',
    shield: 'always',
    isCompared: false,
    wrong: 'at least half of the clients that a rule stops are surely good ones',
  },
  rule: {
    does: 'what a rule made of the query would hit',
    names: 'the requests that the rule would stop',
    subject: 'logs',
    window: HOUR,
    isKeptAsLog: true,
    zones: 'one',
    shield: 'where there is one',
    isCompared: false,
    wrong: 'the rule would hit good requests',
  },
  changes: {
    does: 'what was changed in the account, what concerns the zone first',
    names: '',
    subject: 'logs',
    window: 24 * HOUR,
    isKeptAsLog: false,
    zones: 'one',
    shield: 'where there is one',
    isCompared: false,
    wrong: null,
  },
  causes: {
    does: 'why the origin fails, by the origin errors, and what was changed right before',
    names: '',
    subject: 'logs',
    window: 3 * HOUR,
    isKeptAsLog: false,
    zones: 'several',
    shield: 'where there is one',
    isCompared: false,
    wrong: 'an origin error is told',
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
