import { sanitise } from '../../text/sanitise.ts';

/**
 * Every way in which a store can fail: its sentences (`{store}` is its name, `{detail}` the engine's own words) and whether
 * the same may work later (`passes`).
 */
export const STORE_FAILURES = {
  away: {
    what: 'The store {store} does not answer{detail}.',
    next: 'Check its URL and that the server runs.',
    passes: true,
  },
  unsure: {
    what: 'Something stands in for the store {store}, or cuts what goes there{detail}.',
    next: 'Check its URL, and the proxy before it: it must hand on headers and whole requests.',
    passes: true,
  },
  refused: {
    what: 'The store {store} refuses the user or the password.',
    next: 'Check user and password in the profile; the password comes from its variable, file or command.',
    passes: false,
  },
  forbidden: {
    what: 'The account of the store {store} may not do this{detail}.',
    next: 'Reading takes SELECT and readonly=2; keep and store take INSERT, CREATE and ALTER.',
    passes: false,
  },
  slow: {
    what: 'The store {store} took longer than {limit} for a question, and was stopped.',
    next: 'Ask for less time or fewer fields, or raise seconds of the store.',
    passes: false,
  },
  large: {
    what: 'A question needs more memory of the store {store} than it may have{detail}.',
    next: 'Ask for less time or fewer fields, or raise memory of the store.',
    passes: false,
  },
  busy: {
    what: 'The store {store} has too much to do{detail}.',
    next: 'Try again.',
    passes: true,
  },
  locked: {
    what: 'The file of the store {store} is in use by another program.',
    next: 'Wait until it is done; one program at a time may write to it.',
    passes: true,
  },
  missing: {
    what: 'The store {store} has no tables of this program.',
    next: 'Make them: edgescope store init --store {store}',
    passes: false,
  },
  version: {
    what: 'The tables of the store {store} are of another version{detail}.',
    next: 'Use the edgescope that made them, or make a new store.',
    passes: false,
  },
  outdated: {
    what: 'The tables of the store {store} are of an older version{detail}.',
    next: 'Upgrade them: edgescope store init --store {store}',
    passes: false,
  },
  full: {
    what: 'The store {store} has no room left{detail}.',
    next: 'Drop old days (edgescope store drop-before DAY --store {store}), or make room.',
    passes: true,
  },
  absent: {
    what: 'The store {store} needs @duckdb/node-api 1.5 or newer, which is not installed.',
    next: 'Install it: (umask 022; npm install --prefix {folder} @duckdb/node-api)',
    passes: false,
  },
  untrusted: {
    what: 'Others can change the engine that the store {store} would run{detail}.',
    next: 'Make all of {folder}, and the folders above it, yours or of root alone (chown, chmod go-w), or install it elsewhere.',
    passes: false,
  },
  shared: {
    what: 'Others can change the file of the store {store}{detail}.',
    next: 'Keep it in a folder of your own (mkdir -m 700), or take the others their rights (chown, chmod go-w).',
    passes: false,
  },
  huge: {
    what: 'An answer of the store {store} is larger than {limit}, and was not read to its end.',
    next: 'Ask for less time or fewer fields.',
    passes: false,
  },
  other: {
    what: 'The store {store} failed{detail}.',
    next: 'Look into the log of the engine.',
    passes: false,
  },
} as const satisfies Record<string, { what: string; next: string; passes: boolean }>;

export type StoreFailureKind = keyof typeof STORE_FAILURES;

/** What the sentences speak of: the store's name, the time that a question may take, and the engine's words. */
type FailureWords = { store: string; limit?: string; folder?: string; detail?: string };

const LONGEST_DETAIL = 300;

/** Thrown by stores for all that an engine did; its message is a sentence for people, and `next` what to do. */
export class StoreFailure extends Error {
  readonly kind: StoreFailureKind;
  readonly next: string;
  /** The same may work later. */
  readonly passes: boolean;

  constructor(kind: StoreFailureKind, words: FailureWords) {
    const row = STORE_FAILURES[kind];
    super(filled(row.what, words));
    this.kind = kind;
    this.next = filled(row.next, words);
    this.passes = row.passes;
  }
}

/** Of less time or fewer fields the same question may be answered. */
export function isTooMuch(error: unknown): error is StoreFailure {
  return error instanceof StoreFailure && ['slow', 'large', 'huge'].includes(error.kind);
}

function filled(sentence: string, { store, limit = '', folder = '', detail = '' }: FailureWords): string {
  const own = sanitise(detail, 'text', LONGEST_DETAIL);
  return sentence
    .replaceAll('{store}', store)
    .replaceAll('{limit}', limit)
    .replaceAll('{folder}', folder)
    .replaceAll('{detail}', own === '' ? '' : `: ${own}`);
}
