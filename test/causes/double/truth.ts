/** What really was the matter, for whoever judges an answer. */

export type Named = {
  field:
    | 'status'
    | 'path'
    | 'page'
    | 'host'
    | 'edge'
    | 'country'
    | 'asn'
    | 'ip'
    | 'ja4'
    | 'ua'
    | 'referer'
    | 'cache'
    | 'rule';
  value: string;
};
export type TruthCause = {
  what:
    | 'fewer'
    | 'origin'
    | 'misses'
    | 'sender'
    | 'refused'
    | 'notFound'
    | 'clientErrors'
    | 'rule'
    | 'redirected';
  from: number;
  fromSlack: number;
  to: number | null;
  /** The mean over the time from `from` to its end or `now`: of all the zone's requests, what it spoils or sends. */
  share: number;
  names: readonly Named[];
  code: string | null;
  change: { at: number; field: string; before: string; after: string } | null;
};
export type Scene = {
  kind: string;
  seed: number;
  now: number;
  zone: { id: number; name: string; shieldZoneId: number | null };
  verdict: 'wrong' | 'calm';
  causes: readonly TruthCause[];
  innocent: readonly { at: number; field: string }[];
  asked: { from: number; to: number };
};

/** An entry of the audit log. */
export type Change = {
  at: number;
  zoneId: number;
  field: string;
  before: string;
  after: string;
  /** Something other than a change of a field of a pull zone. */
  product?: string;
  resource?: string;
  action?: string;
  silent?: boolean;
};
