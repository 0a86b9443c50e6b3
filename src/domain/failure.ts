export type Failure = {
  kind: FailureKind;
  /** Which host was asked, e.g. `logging.bunnycdn.com`; empty when nothing was sent. */
  host: string;
  /** HTTP status, when one was received. */
  status: number | null;
  /** The server's own words, sanitised and truncated; empty when it said nothing. */
  detail: string;
  /** The API's field name for a field error (storage updates), else null. */
  field: string | null;
  /** The API's own name for the error, sanitised and truncated; absent where it gave none. */
  errorKey?: string;
  /** Unix ms at which trying again makes sense, when known. */
  retryAt: number | null;
};

/** Results are values: no API function throws for what a server or a network did. */
export type Result<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** Process exit codes: 1 the request failed, 2 wrong usage, 3 credentials, 4 rate limited, 130 interrupted. */
type FailureExit = 1 | 2 | 3 | 4 | 130;

/** `what` happened, what it `meaning`s, what to do `next`. `{host}`, `{status}` and `{when}` are filled in. */
export type FailureRow = {
  what: string;
  meaning: string;
  next: string;
  /** Error codes (lower case) and HTTP statuses of the server that mean it. */
  signs?: readonly (string | number)[];
  traits: {
    /** Whether the server may have acted on the request, which decides what is known after a write. */
    arrived: 'no' | 'maybe' | 'refused';
    /**
     * A GET is tried again after a pause: our own (`soon`), the server's (`told`), or the quota's for all (`freeze`);
     * absent: never.
     */
    retry?: 'soon' | 'told' | 'freeze';
    /**
     * What is broken: `address` = nobody is there, `link` = no answer came through, `server` = it failed, `content` =
     * the answer is complete but lacks what was asked for, `request` = this request alone; `nothing` leaves the
     * circuit breaker as it is; `store` = the history of logs, which is not the platform's.
     */
    blames: 'address' | 'link' | 'server' | 'content' | 'request' | 'nothing' | 'store';
    exit: FailureExit;
    /** A row of `TAIL_FAULTS`. */
    tail: 'offline' | 'rateLimited' | 'failing' | 'refused' | 'denied' | 'unasked';
    /**
     * What may be wrong with the time window: a later one helps `old`, a narrower one `slow` and `large`; absent:
     * nothing.
     */
    window?: 'old' | 'slow' | 'large';
  };
};

/**
 * Every way in which a request can fail, as the user must tell them apart: its sentences, and how each part of the
 * program reacts.
 */
const ROWS = {
  noKey: {
    what: 'No access key for {host}.',
    meaning: "A logging token is enough for the log of a zone by its id; all else needs the account's key.",
    next: "Set EDGESCOPE_ACCESS_KEY, or a key_command in a profile; for a log alone EDGESCOPE_TOKEN: 'edgescope logs 123456'.",
    traits: { arrived: 'no', blames: 'request', exit: 3, tail: 'denied' },
  },
  noOriginErrors: {
    what: 'No server of origin errors is set.',
    meaning:
      'The main or the logging API is another than the usual, and the key goes to no server that is not named.',
    next: 'Set origin_errors_url in the profile, or EDGESCOPE_ORIGIN_ERRORS_URL.',
    traits: { arrived: 'no', blames: 'request', exit: 1, tail: 'refused' },
  },
  noStorageServer: {
    what: 'No server of stored files may be asked.',
    meaning:
      "The main or the logging API is another than the usual, or the account names a server that is not the platform's: a password goes to no server that is not named.",
    next: 'Set storage_url in the profile, or EDGESCOPE_STORAGE_URL.',
    traits: { arrived: 'no', blames: 'request', exit: 1, tail: 'refused' },
  },
  refusedKey: {
    what: '{host} refused the key (HTTP {status}).',
    meaning: 'The key is wrong, was revoked, or belongs to another account.',
    next: 'Compare the fingerprint of the key in use with the account page, then set the right key.',
    signs: ['unauthorized', 401],
    traits: { arrived: 'refused', blames: 'request', exit: 3, tail: 'denied' },
  },
  refusedPassword: {
    what: '{host} refused the password of the storage zone (HTTP {status}).',
    meaning:
      'The read-only password was changed just now, or the storage zone is on another server than the account says.',
    next: 'Try again; if it stays, compare the storage zone in the platform panel.',
    traits: { arrived: 'refused', blames: 'request', exit: 3, tail: 'denied' },
  },
  forbidden: {
    what: '{host} forbids this (HTTP {status}).',
    meaning:
      'Either the key may not read it, or the zone is suspended or disabled: the answer does not say which.',
    next: 'Look at the zone list for SUSPENDED; if the zone is fine, check the key.',
    signs: ['forbidden', 403],
    traits: { arrived: 'refused', blames: 'request', exit: 3, tail: 'denied' },
  },
  suspended: {
    what: 'The zone is suspended or disabled (HTTP {status}).',
    meaning: 'The key is fine; the platform gives out no logs for this zone in its present state.',
    next: 'Enable the zone again in the platform panel; billing is the usual reason for a suspension.',
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'denied' },
  },
  loggingDisabled: {
    what: 'Logging is switched off for this pull zone (HTTP {status}).',
    meaning: 'No request of this zone is being recorded, so there is nothing to show.',
    next: 'Switch it on in the platform panel: pull zone → Logging. Only requests after that are recorded.',
    signs: ['logging_disabled'],
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'denied' },
  },
  rateLimited: {
    what: '{host} limits the rate of requests (HTTP 429).',
    meaning:
      'The quota is used up, perhaps by another program; nothing more is sent for now, by any session of yours.',
    next: 'Wait: the next try makes sense {when}.',
    signs: ['rate_limited', 429],
    traits: { arrived: 'refused', retry: 'freeze', blames: 'request', exit: 4, tail: 'rateLimited' },
  },
  windowRefused: {
    what: '{host} does not answer for this time window (HTTP {status}).',
    meaning: 'CDN logs are kept for 3 days, Shield events for 72 hours; the key is fine.',
    next: 'Choose a later window (t, or --since).',
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'refused', window: 'old' },
  },
  invalidRequest: {
    what: '{host} does not accept the request (HTTP {status}).',
    meaning: 'A value in it is not allowed.',
    next: 'Change the query or the field that the server names.',
    signs: ['invalid_request'],
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'refused', window: 'old' },
  },
  notFound: {
    what: '{host} does not know this (HTTP {status}).',
    meaning: 'The zone does not exist in this account, or the base URL is not that of the API.',
    next: 'Refresh the zone list; check base_url, logging_url, origin_errors_url and storage_url.',
    signs: [404, 410],
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'refused' },
  },
  noShield: {
    what: 'The pull zone has no Shield zone.',
    meaning: 'Nothing is inspected, so there are no events to count.',
    next: 'Switch Shield on in the platform panel: pull zone → Shield.',
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'refused' },
  },
  serverError: {
    what: '{host} failed (HTTP {status}).',
    meaning: 'The fault is at the platform, not in the request.',
    next: 'Try again {when}; the platform has a status page.',
    signs: ['internal_error'],
    traits: { arrived: 'maybe', retry: 'told', blames: 'server', exit: 1, tail: 'failing' },
  },
  dns: {
    what: 'The name {host} cannot be resolved.',
    meaning: 'This machine has no working DNS, is offline, or the name is wrong.',
    next: 'Check the network and the configured URL.',
    traits: { arrived: 'no', retry: 'soon', blames: 'address', exit: 1, tail: 'offline' },
  },
  refusedConnection: {
    what: 'No connection to {host}.',
    meaning: 'The address refuses connections or cannot be reached from here.',
    next: 'Check the configured URL, the firewall and the network.',
    traits: { arrived: 'no', retry: 'soon', blames: 'address', exit: 1, tail: 'offline' },
  },
  tls: {
    what: 'No trusted connection to {host}.',
    meaning: 'Its certificate cannot be verified; the key was not sent.',
    next: 'Check the clock and the URL. Behind an inspecting proxy, add its certificate with NODE_EXTRA_CA_CERTS.',
    traits: { arrived: 'no', blames: 'link', exit: 1, tail: 'refused' },
  },
  proxy: {
    what: 'The proxy on the way to {host} does not let the request through.',
    meaning: 'The proxy from the environment refuses, is down, or wants a password.',
    next: 'Check HTTPS_PROXY, or add the host to NO_PROXY.',
    signs: [407],
    traits: { arrived: 'no', blames: 'link', exit: 1, tail: 'offline' },
  },
  timeout: {
    what: '{host} did not answer in time.',
    meaning: 'The link or the server is too slow; wide windows of logs take longer.',
    next: 'Try again {when}, or with a narrower window.',
    signs: [408],
    traits: { arrived: 'maybe', retry: 'soon', blames: 'link', exit: 1, tail: 'offline', window: 'slow' },
  },
  connectionLost: {
    what: 'The connection to {host} broke in the middle.',
    meaning: 'The answer is incomplete, so none of it was used.',
    next: 'Try again {when}.',
    traits: { arrived: 'maybe', retry: 'soon', blames: 'link', exit: 1, tail: 'offline' },
  },
  redirected: {
    what: '{host} redirects elsewhere (HTTP {status}).',
    meaning: 'The key would travel along, so redirects are never followed.',
    next: 'Set base_url, logging_url, origin_errors_url or storage_url to the final address.',
    traits: { arrived: 'refused', blames: 'request', exit: 1, tail: 'refused' },
  },
  insecure: {
    what: 'Nothing was sent to {host}: the connection would not be safe.',
    meaning: 'The key travels over verified https only; plain http is for loopback addresses.',
    next: 'Use an https URL, and remove NODE_TLS_REJECT_UNAUTHORIZED=0 from the environment.',
    traits: { arrived: 'no', blames: 'request', exit: 2, tail: 'refused' },
  },
  wrongType: {
    what: '{host} answered with something that is not JSON.',
    meaning: 'A login page, a proxy or another service stands at this address.',
    next: 'Check the configured URLs, and whether a proxy is in between.',
    traits: { arrived: 'maybe', blames: 'request', exit: 1, tail: 'failing' },
  },
  tooLarge: {
    what: 'The answer of {host} is larger than 32 MiB, or has far more rows than were asked for.',
    meaning: 'It was dropped unread to keep this program small.',
    next: 'Ask for a narrower window or a smaller page.',
    traits: { arrived: 'maybe', blames: 'request', exit: 1, tail: 'failing', window: 'large' },
  },
  unreadable: {
    what: 'The answer of {host} cannot be read.',
    meaning: 'It is damaged: broken compression, text encoding or JSON.',
    next: 'Try again {when}; if it stays, something between here and the server changes the answers.',
    traits: { arrived: 'maybe', retry: 'soon', blames: 'request', exit: 1, tail: 'failing' },
  },
  emptyAnswer: {
    what: '{host} sent an empty answer (HTTP {status}).',
    meaning: 'It claims success but holds no data, which is not the same as "no rows".',
    next: 'Try again {when}.',
    traits: { arrived: 'maybe', retry: 'soon', blames: 'content', exit: 1, tail: 'failing' },
  },
  noData: {
    what: '{host} answered without data.',
    meaning: 'The list of rows is missing from it, which is not the same as "no rows".',
    next: 'Try again {when}.',
    traits: { arrived: 'maybe', blames: 'content', exit: 1, tail: 'failing' },
  },
  errorInside: {
    what: '{host} reports an error inside a successful answer (HTTP {status}).',
    meaning: 'The request was understood but not carried out.',
    next: 'Read the message of the server; change the request, or try again {when}.',
    traits: { arrived: 'maybe', blames: 'content', exit: 1, tail: 'failing' },
  },
  wrongShape: {
    what: 'The answer of {host} is not what its documentation says.',
    meaning: 'The API changed, or another service answers at this address.',
    next: 'Check the configured URLs; the request log (@) shows what was asked.',
    traits: { arrived: 'maybe', blames: 'content', exit: 1, tail: 'failing' },
  },
  readOnly: {
    what: 'Nothing was sent: this session is read-only.',
    meaning: 'Changes are made only in a session that was started for it.',
    next: 'Start edgescope with --write.',
    traits: { arrived: 'no', blames: 'request', exit: 2, tail: 'refused' },
  },
  spent: {
    what: 'Not asked: as many requests were sent as this may cost.',
    meaning: 'What is left was not read, and nothing is known of it.',
    next: 'Ask about less (a shorter window, fewer zones), or allow more requests.',
    traits: { arrived: 'no', blames: 'nothing', exit: 1, tail: 'unasked' },
  },
  storeAway: {
    what: 'The history store {host} does not answer now.',
    meaning: 'Logs that only it has were not read: the platform keeps 3 days.',
    next: 'Ask again once it is back.',
    traits: { arrived: 'no', blames: 'store', exit: 1, tail: 'offline' },
  },
  storeSlow: {
    what: 'A question to the history store {host} was stopped: it cost more than it may.',
    meaning: 'What it had found by then is not used: it would not be all.',
    next: 'Ask for less time, or allow the store more.',
    traits: { arrived: 'no', blames: 'store', exit: 1, tail: 'failing', window: 'slow' },
  },
  storeRefused: {
    what: 'The history store {host} lets nobody in with these credentials.',
    meaning: 'Its account may not read the tables, or the password is wrong.',
    next: 'Set the right user and password in the profile.',
    traits: { arrived: 'no', blames: 'store', exit: 3, tail: 'denied' },
  },
  storeFailed: {
    what: 'The history store {host} cannot be read.',
    meaning: 'Its tables are missing, of another version, or damaged; logs that only it has were not read.',
    next: 'edgescope store check tells more.',
    traits: { arrived: 'no', blames: 'store', exit: 1, tail: 'refused' },
  },
  noStoredFiles: {
    what: '{host} keeps no log in storage.',
    meaning: 'The logging API keeps 3 days, and this is older.',
    next: 'Switch on Permanent Log Storage for it in the platform panel, or keep its log with edgescope keep.',
    traits: { arrived: 'no', blames: 'request', exit: 1, tail: 'refused' },
  },
  circuitOpen: {
    what: '{host} failed several times in a row and is left alone.',
    meaning: 'Repeating requests to a broken server or link does not help.',
    next: 'Asking again {when}; Ctrl-r asks at once.',
    traits: { arrived: 'no', blames: 'nothing', exit: 1, tail: 'offline' },
  },
  cancelled: {
    what: 'Cancelled.',
    meaning: 'The request was no longer wanted.',
    next: 'Ctrl-r asks again.',
    traits: { arrived: 'maybe', blames: 'nothing', exit: 130, tail: 'offline' },
  },
} as const satisfies Record<string, FailureRow>;

export type FailureKind = keyof typeof ROWS;

export const FAILURES: Readonly<Record<FailureKind, FailureRow>> = ROWS;

/** `what` is `own`, in our words, and `said`, by a server or the machine. */
type FailureWords = Pick<FailureRow, 'what' | 'meaning' | 'next'> & { own: string; said: string };

/**
 * The sentences for one failure, plain text without secrets. With `now` (Unix ms) the next try is given in seconds,
 * without it as a time of day in UTC.
 */
export function explain(failure: Failure, now?: number): FailureWords {
  const row = FAILURES[failure.kind];
  const fill = (template: string) =>
    template
      .replace(' (HTTP {status})', failure.status === null ? '' : ` (HTTP ${failure.status})`)
      .replaceAll('{host}', () => failure.host || 'the server')
      .replaceAll('{when}', () => whenOf(failure.retryAt, now));
  const field = failure.field === null ? '' : ` Field ${failure.field}.`;
  const detail = failure.detail === '' ? '' : ` ${saidBy(failure.kind)}: ${failure.detail}`;
  const [own, said] = [fill(row.what), `${field}${detail}`];
  return { what: `${own}${said}`, own, said, meaning: fill(row.meaning), next: fill(row.next) };
}

export function exitCodeOf(failure: Failure): FailureExit {
  return FAILURES[failure.kind].traits.exit;
}

/** Whether the server may have acted on the request: after `maybe` only a read shows what a write did. */
export function mayHaveArrived(failure: Failure): boolean {
  return FAILURES[failure.kind].traits.arrived === 'maybe';
}

/** A failure with the given parts; the others are unknown. */
export function failureOf(kind: FailureKind, parts: Partial<Omit<Failure, 'kind'>> = {}): Failure {
  return { kind, host: '', status: null, detail: '', field: null, retryAt: null, ...parts };
}

function whenOf(retryAt: number | null, now: number | undefined): string {
  if (retryAt === null) return 'in a moment';
  if (now === undefined) return `at ${new Date(retryAt).toISOString().slice(11, 19)} UTC`;
  const seconds = Math.ceil((retryAt - now) / 1000);
  return seconds <= 0 ? 'now' : `in ${seconds} s`;
}

/** Whose words the detail is: the machine's where no server said anything. */
function saidBy(kind: FailureKind): string {
  const { arrived, blames } = FAILURES[kind].traits;
  return arrived === 'no' || blames === 'link' ? 'Cause' : 'It says';
}
