export type Failure = {
  kind: FailureKind;
  /** Which host was asked, e.g. `logging.bunnycdn.com`; empty when nothing was sent. */
  host: string;
  /** HTTP status, when one was received. */
  status: number | null;
  /** The server's own words, sanitised and cut; empty when it said nothing. */
  detail: string;
  /** The API's field name for a field error (storage updates), else null. */
  field: string | null;
  /** The API's own name for the error, sanitised and cut; absent where it gave none. */
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
  call: {
    /** Error codes (lower case) and HTTP statuses of the server that mean it. */
    signs: readonly (string | number)[];
    /** Whether the server may have acted on the request, which decides what a write is worth after it. */
    arrived: 'no' | 'maybe' | 'refused';
    /** A GET goes out again after a pause: our own (`soon`), the server's (`told`), or the quota's for all (`freeze`). */
    retry: 'never' | 'soon' | 'told' | 'freeze';
    /**
     * What is broken: `address` = nobody is there, `link` = no answer came through, `server` = it failed,
     * `content` = the answer is whole and lacks what was asked for, `request` = this request alone; `nothing` leaves
     * the circuit breaker as it is; `store` = the history of logs, which is not the platform's.
     */
    blames: 'address' | 'link' | 'server' | 'content' | 'request' | 'nothing' | 'store';
  };
  outcome: {
    exit: FailureExit;
    /** A row of `TAIL_FAULTS`. */
    tail: 'offline' | 'rateLimited' | 'failing' | 'refused' | 'denied' | 'unasked' | 'gone';
    /** What may be wrong with the time window: a later one helps `old`, a narrower one `slow` and `large`. */
    window: 'fine' | 'old' | 'slow' | 'large';
  };
};

/**
 * Every way in which a request can fail, as the user must tell them apart: its sentences, and what each part of the
 * program does about it.
 */
export const FAILURES = {
  noKey: {
    what: 'No access key for {host}.',
    meaning: 'The platform requires a key.',
    next: 'Set EDGESCOPE_ACCESS_KEY (for logs alone EDGESCOPE_TOKEN is enough), or a key_command in a profile.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'request' },
    outcome: { exit: 3, tail: 'denied', window: 'fine' },
  },
  noOriginErrors: {
    what: 'No server of origin errors is set.',
    meaning:
      'The main or the logging API is another than the usual, and the key goes to no server that is not named.',
    next: 'Set origin_errors_url in the profile, or EDGESCOPE_ORIGIN_ERRORS_URL.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  noStorageServer: {
    what: 'No server of stored files may be asked.',
    meaning:
      "The main or the logging API is another than the usual, or the account names a server that is not the platform's: a password goes to no server that is not named.",
    next: 'Set storage_url in the profile, or EDGESCOPE_STORAGE_URL.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  refusedKey: {
    what: '{host} refused the key (HTTP {status}).',
    meaning: 'The key is wrong, was revoked, or belongs to another account.',
    next: 'Compare the fingerprint of the key in use with the account page, then set the right key.',
    call: { signs: ['unauthorized', 401], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 3, tail: 'denied', window: 'fine' },
  },
  refusedPassword: {
    what: '{host} refused the password of the storage zone (HTTP {status}).',
    meaning:
      'The read-only password was changed just now, or the storage zone is on another server than the account says.',
    next: 'Try again; if it stays, compare the storage zone in the platform panel.',
    call: { signs: [], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 3, tail: 'denied', window: 'fine' },
  },
  forbidden: {
    what: '{host} forbids this (HTTP {status}).',
    meaning:
      'Either the key may not read it, or the zone is suspended or disabled: the answer does not say which.',
    next: 'Look at the zone list for SUSPENDED; if the zone is fine, check the key.',
    call: { signs: ['forbidden', 403], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 3, tail: 'denied', window: 'fine' },
  },
  suspended: {
    what: 'The zone is suspended or disabled (HTTP {status}).',
    meaning: 'The key is fine; the platform gives out no logs for this zone in its present state.',
    next: 'Enable the zone again in the platform panel; billing is the usual reason for a suspension.',
    call: { signs: [], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'denied', window: 'fine' },
  },
  loggingDisabled: {
    what: 'Logging is switched off for this pull zone (HTTP {status}).',
    meaning: 'No request of this zone is being recorded, so there is nothing to show.',
    next: 'Switch it on in the platform panel: pull zone → Logging. Only requests after that are recorded.',
    call: { signs: ['logging_disabled'], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'denied', window: 'fine' },
  },
  rateLimited: {
    what: '{host} limits the rate of requests (HTTP 429).',
    meaning:
      'The quota is used up, perhaps by another program; nothing more is sent for now, by any session of yours.',
    next: 'Wait: the next try makes sense {when}.',
    call: { signs: ['rate_limited', 429], arrived: 'refused', retry: 'freeze', blames: 'request' },
    outcome: { exit: 4, tail: 'rateLimited', window: 'fine' },
  },
  windowRefused: {
    what: '{host} does not answer for this time window (HTTP {status}).',
    meaning: 'CDN logs are kept for 3 days, Shield events for 72 hours; the key is fine.',
    next: 'Choose a later window (t, or --since).',
    call: { signs: [], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'old' },
  },
  invalidRequest: {
    what: '{host} does not accept the request (HTTP {status}).',
    meaning: 'A value in it is not allowed.',
    next: 'Change the query or the field that the server names.',
    call: { signs: ['invalid_request'], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'old' },
  },
  notFound: {
    what: '{host} does not know this (HTTP {status}).',
    meaning: 'The zone does not exist in this account, or the base URL is not that of the API.',
    next: 'Refresh the zone list; check base_url, logging_url, origin_errors_url and storage_url.',
    call: { signs: [404, 410], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  noShield: {
    what: 'The pull zone has no Shield zone.',
    meaning: 'Nothing is inspected, so there are no events to count.',
    next: 'Switch Shield on in the platform panel: pull zone → Shield.',
    call: { signs: [], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  serverError: {
    what: '{host} failed (HTTP {status}).',
    meaning: 'The fault is at the platform, not in the request.',
    next: 'Try again {when}; the platform has a status page.',
    call: { signs: ['internal_error'], arrived: 'maybe', retry: 'told', blames: 'server' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  dns: {
    what: 'The name {host} cannot be resolved.',
    meaning: 'This machine has no working DNS, is offline, or the name is wrong.',
    next: 'Check the network and the configured URL.',
    call: { signs: [], arrived: 'no', retry: 'soon', blames: 'address' },
    outcome: { exit: 1, tail: 'offline', window: 'fine' },
  },
  refusedConnection: {
    what: 'No connection to {host}.',
    meaning: 'The address refuses connections or cannot be reached from here.',
    next: 'Check the configured URL, the firewall and the network.',
    call: { signs: [], arrived: 'no', retry: 'soon', blames: 'address' },
    outcome: { exit: 1, tail: 'offline', window: 'fine' },
  },
  tls: {
    what: 'No trusted connection to {host}.',
    meaning: 'Its certificate cannot be verified; the key was not sent.',
    next: 'Check the clock and the URL. Behind an inspecting proxy, add its certificate with NODE_EXTRA_CA_CERTS.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'link' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  proxy: {
    what: 'The proxy on the way to {host} does not let the request through.',
    meaning: 'The proxy from the environment refuses, is down, or wants a password.',
    next: 'Check HTTPS_PROXY, or add the host to NO_PROXY.',
    call: { signs: [407], arrived: 'no', retry: 'never', blames: 'link' },
    outcome: { exit: 1, tail: 'offline', window: 'fine' },
  },
  timeout: {
    what: '{host} did not answer in time.',
    meaning: 'The link or the server is too slow; wide windows of logs take longer.',
    next: 'Try again {when}, or with a narrower window.',
    call: { signs: [408], arrived: 'maybe', retry: 'soon', blames: 'link' },
    outcome: { exit: 1, tail: 'offline', window: 'slow' },
  },
  connectionLost: {
    what: 'The connection to {host} broke in the middle.',
    meaning: 'The answer is incomplete, so none of it was used.',
    next: 'Try again {when}.',
    call: { signs: [], arrived: 'maybe', retry: 'soon', blames: 'link' },
    outcome: { exit: 1, tail: 'offline', window: 'fine' },
  },
  redirected: {
    what: '{host} redirects elsewhere (HTTP {status}).',
    meaning: 'The key would travel along, so redirects are never followed.',
    next: 'Set base_url, logging_url, origin_errors_url or storage_url to the final address.',
    call: { signs: [], arrived: 'refused', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  insecure: {
    what: 'Nothing was sent to {host}: the connection would not be safe.',
    meaning: 'The key travels over verified https only; plain http is for loopback addresses.',
    next: 'Use an https URL, and remove NODE_TLS_REJECT_UNAUTHORIZED=0 from the environment.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'request' },
    outcome: { exit: 2, tail: 'refused', window: 'fine' },
  },
  wrongType: {
    what: '{host} answered with something that is not JSON.',
    meaning: 'A login page, a proxy or another service stands at this address.',
    next: 'Check the configured URLs, and whether a proxy is in between.',
    call: { signs: [], arrived: 'maybe', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  tooLarge: {
    what: 'The answer of {host} is larger than 32 MiB, or has far more rows than were asked for.',
    meaning: 'It was dropped unread to keep this program small.',
    next: 'Ask for a narrower window or a smaller page.',
    call: { signs: [], arrived: 'maybe', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'failing', window: 'large' },
  },
  unreadable: {
    what: 'The answer of {host} cannot be read.',
    meaning: 'It is damaged: broken compression, text encoding or JSON.',
    next: 'Try again {when}; if it stays, something between here and the server changes the answers.',
    call: { signs: [], arrived: 'maybe', retry: 'soon', blames: 'request' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  emptyAnswer: {
    what: '{host} sent an empty answer (HTTP {status}).',
    meaning: 'It claims success but holds no data, which is not the same as "no rows".',
    next: 'Try again {when}.',
    call: { signs: [], arrived: 'maybe', retry: 'soon', blames: 'content' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  noData: {
    what: '{host} answered without data.',
    meaning: 'The list of rows is missing from it, which is not the same as "no rows".',
    next: 'Try again {when}.',
    call: { signs: [], arrived: 'maybe', retry: 'never', blames: 'content' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  errorInside: {
    what: '{host} reports an error inside a successful answer (HTTP {status}).',
    meaning: 'The request was understood but not carried out.',
    next: 'Read the message of the server; change the request, or try again {when}.',
    call: { signs: [], arrived: 'maybe', retry: 'never', blames: 'content' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  wrongShape: {
    what: 'The answer of {host} is not what its documentation says.',
    meaning: 'The API changed, or another service answers at this address.',
    next: 'Check the configured URLs; the request log (@) shows what was asked.',
    call: { signs: [], arrived: 'maybe', retry: 'never', blames: 'content' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  readOnly: {
    what: 'Nothing was sent: this session is read-only.',
    meaning: 'Changes are made only in a session that was started for it.',
    next: 'Start edgescope with --write.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'request' },
    outcome: { exit: 2, tail: 'refused', window: 'fine' },
  },
  notRecorded: {
    what: 'The recording holds no answer to this.',
    meaning: 'The session is replayed from a file, which has only what was asked while it was made.',
    next: 'Look at what was asked then, or start without --replay.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'request' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  spent: {
    what: 'Not asked: as many requests were sent as this may cost.',
    meaning: 'What is left was not read, and nothing is known of it.',
    next: 'Ask about less (a shorter window, fewer zones), or allow more requests.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'nothing' },
    outcome: { exit: 1, tail: 'unasked', window: 'fine' },
  },
  storeAway: {
    what: 'The history store {host} does not answer now.',
    meaning: 'Logs that only it has were not read: the platform keeps 3 days.',
    next: 'Ask again once it is back.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'store' },
    outcome: { exit: 1, tail: 'offline', window: 'fine' },
  },
  storeSlow: {
    what: 'A question to the history store {host} was stopped: it cost more than it may.',
    meaning: 'What it had found by then is not used: it would not be all.',
    next: 'Ask for less time, or allow the store more.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'store' },
    outcome: { exit: 1, tail: 'failing', window: 'slow' },
  },
  storeRefused: {
    what: 'The history store {host} lets nobody in with these credentials.',
    meaning: 'Its account may not read the tables, or the password is wrong.',
    next: 'Set the right user and password in the profile.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'store' },
    outcome: { exit: 3, tail: 'denied', window: 'fine' },
  },
  storeFailed: {
    what: 'The history store {host} cannot be read.',
    meaning: 'Its tables are missing, of another version, or damaged; logs that only it has were not read.',
    next: 'edgescope store check tells more.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'store' },
    outcome: { exit: 1, tail: 'refused', window: 'fine' },
  },
  noStoredFiles: {
    what: '{host} keeps no log in storage.',
    meaning: 'The logging API keeps 3 days, and this is older.',
    next: 'Switch on Permanent Log Storage for it in the platform panel, or keep its log with edgescope keep.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'store' },
    outcome: { exit: 1, tail: 'gone', window: 'fine' },
  },
  noSpool: {
    what: 'A stored file cannot be read from this disk.',
    meaning: 'Stored files are unpacked in the state directory while they are read, up to 4 GB at a time.',
    next: 'Make room there, or set XDG_STATE_HOME to a larger disk.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'store' },
    outcome: { exit: 1, tail: 'failing', window: 'fine' },
  },
  circuitOpen: {
    what: '{host} failed several times in a row and is left alone.',
    meaning: 'Repeating requests to a broken server or link does not help.',
    next: 'Asking again {when}; Ctrl-r asks at once.',
    call: { signs: [], arrived: 'no', retry: 'never', blames: 'nothing' },
    outcome: { exit: 1, tail: 'offline', window: 'fine' },
  },
  cancelled: {
    what: 'Cancelled.',
    meaning: 'The request was no longer wanted.',
    next: 'Ctrl-r asks again.',
    call: { signs: [], arrived: 'maybe', retry: 'never', blames: 'nothing' },
    outcome: { exit: 130, tail: 'offline', window: 'fine' },
  },
} as const satisfies Record<string, FailureRow>;

export type FailureKind = keyof typeof FAILURES;

type Explanation = { what: string; meaning: string; next: string };

/**
 * The sentences for one failure, plain text without secrets. With `now` (Unix ms) the next try is given in seconds,
 * without it as a time of day in UTC.
 */
export function explain(failure: Failure, now?: number): Explanation {
  const row: FailureRow = FAILURES[failure.kind];
  const fill = (template: string) =>
    template
      .replace(' (HTTP {status})', failure.status === null ? '' : ` (HTTP ${failure.status})`)
      .replaceAll('{host}', () => failure.host || 'the server')
      .replaceAll('{when}', () => whenOf(failure.retryAt, now));
  const field = failure.field === null ? '' : ` Field ${failure.field}.`;
  const said = failure.detail === '' ? '' : ` ${saidBy(failure.kind)}: ${failure.detail}`;
  return { what: `${fill(row.what)}${field}${said}`, meaning: fill(row.meaning), next: fill(row.next) };
}

export function exitCodeOf(failure: Failure): FailureExit {
  return FAILURES[failure.kind].outcome.exit;
}

/** Whether the server may have acted on the request: after `maybe` only a read tells what a write did. */
export function mayHaveArrived(failure: Failure): boolean {
  return FAILURES[failure.kind].call.arrived === 'maybe';
}

/** A failure with the given parts; what is left out is unknown. */
export function failureOf(kind: FailureKind, parts: Partial<Omit<Failure, 'kind'>> = {}): Failure {
  return { kind, host: '', status: null, detail: '', field: null, retryAt: null, ...parts };
}

function whenOf(retryAt: number | null, now: number | undefined): string {
  if (retryAt === null) return 'in a moment';
  if (now === undefined) return `at ${new Date(retryAt).toISOString().slice(11, 19)} UTC`;
  const seconds = Math.ceil((retryAt - now) / 1000);
  return seconds <= 0 ? 'now' : `in ${seconds} s`;
}

/** Whose words the detail is: the machine's own where no server said anything. */
function saidBy(kind: FailureKind): string {
  const { arrived, blames } = FAILURES[kind].call;
  return arrived === 'no' || blames === 'link' ? 'Cause' : 'It says';
}
