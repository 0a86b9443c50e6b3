import type { SimZone } from '../../../src/simulator/account/account-zones.ts';
import { RULES } from '../../../src/simulator/shield/rules.ts';
import { anonymise, type Visitor } from '../../../src/simulator/traffic/clients.ts';
import {
  attacker,
  type Incident,
  type IncidentKind,
  type Schedule,
  scannerAddresses,
  stuffingFingerprint,
} from '../../../src/simulator/traffic/incidents.ts';
import {
  isoTime,
  requestId,
  rowUrl,
  type ShieldAction,
  type SimRow,
} from '../../../src/simulator/traffic/rows.ts';
import { namedPaths } from '../../../src/simulator/traffic/sites.ts';
import type { TrafficModel } from '../../../src/simulator/traffic/traffic-source.ts';

/** What a responder should find: the machine-readable answer to "what happened?". */
export type IncidentTruth = {
  id: string;
  kind: IncidentKind;
  pullZoneId: string;
  shieldZoneId: string | null;
  from: number;
  to: number;
  /** Dimension (`asn`, `ip` as the zone logs it or as CIDR, `ja4`, `ruleId`, `path`, `cache`, `status`) → values that single it out. */
  cause: Readonly<Record<string, readonly string[]>>;
};

/** A row as it will be read some day, for independent recounts. */
export type TruthRow = {
  /** The logs v2 entry. */
  entry: Record<string, unknown> & { timestamp: string; requestId: string };
  /** Unix ms of the event, and from when on reads show it. */
  at: number;
  visibleAt: number;
  /** What Shield made of it, if it looked at it. It knows the network of clients for which the log has none. */
  shield: { ruleId: string; action: ShieldAction; asn: string } | null;
};

/** The rows of an epoch second. */
export function secondOf(traffic: TrafficModel, zone: SimZone, second: number): readonly SimRow[] {
  const seconds = traffic.blockSeconds(zone);
  const rows = traffic.block(zone, Math.floor(second / seconds));
  return seconds === 1 ? rows : rows.filter((row) => row.second === second);
}

/** All rows of `[from, to)` in order of time, whether they show yet or not; without origin-shield rows. */
export function truthRows(traffic: TrafficModel, zone: SimZone, from: number, to: number): TruthRow[] {
  const truths: TruthRow[] = [];
  const block = traffic.blockSeconds(zone) * 1000;
  for (let number = Math.floor(from / block); number * block < to; number++) {
    for (const row of traffic.block(zone, number)) {
      if (row.t < from || row.t >= to || row.isOriginShield) continue;
      const shield =
        row.rule === null || row.action === null
          ? null
          : { ruleId: row.rule.ruleId, action: row.action, asn: String(row.client.asn) };
      truths.push(truthOf(row, zone, shield));
    }
  }
  return truths;
}

/** The entry is written out when it is looked at: a recount of Shield looks at few of the rows. */
function truthOf(row: SimRow, zone: SimZone, shield: TruthRow['shield']): TruthRow {
  let entry: TruthRow['entry'] | null = null;
  return {
    get entry() {
      entry ??= entryOf(row, zone);
      return entry;
    },
    at: row.t,
    visibleAt: row.t + row.late,
    shield,
  };
}

/** What `rowJson` says, without writing and reading it: hundreds of thousands of rows are recounted. */
export function entryOf(row: SimRow, zone: SimZone): TruthRow['entry'] {
  const { referer, bodyBytes, range, authorization } = row;
  const entry: TruthRow['entry'] = {
    timestamp: isoTime(row.t),
    pullZoneId: zone.id,
    requestId: requestId(row, zone),
    cacheStatus: row.cache,
    statusCode: row.status,
    bytesSent: row.bytes,
    scheme: row.scheme,
    host: row.host,
    path: row.path,
    url: rowUrl(row),
    ...partOf(row.client),
  };
  if (referer !== null || (row.h & 1) === 0) entry['referer'] = referer;
  if (bodyBytes !== null) entry['bodyBytesSent'] = bodyBytes;
  if (range !== null) entry['contentRange'] = range;
  if (authorization !== null) entry['authorizationHeader'] = authorization;
  return entry;
}

const parts = new WeakMap<Visitor, object>();

/** A client's part of all its entries. */
function partOf(client: Visitor): object {
  const known = parts.get(client) ?? (JSON.parse(`{${client.json}}`) as object);
  parts.set(client, known);
  return known;
}

/** What singles each kind out. */
const CAUSES = {
  layer7Attack: (i) => {
    const a = attacker(i.salt);
    return {
      asn: [String(a.asn)],
      ip: [`${a.prefix}.${a.third}.0/20`],
      ja4: [a.ja4],
      ruleId: [RULES.flood.ruleId],
      country: [a.country],
    };
  },
  scanner: (i) => ({
    ip: scannerAddresses(i.salt),
    asn: ['64511'],
    status: ['404', '403'],
    ruleId: [RULES.restricted.ruleId, RULES.scanner.ruleId],
  }),
  credentialStuffing: (i) => ({
    ja4: [stuffingFingerprint(i.salt)],
    path: [namedPaths(i.zone.site).login],
    status: ['401'],
    ruleId: [RULES.loginRate.ruleId],
  }),
  missStorm: (i) => ({ path: [namedPaths(i.zone.site).storm], cache: ['MISS'] }),
  originFailure: () => ({ cache: ['STALE', 'UPDATING'], status: ['502', '503', '504'] }),
  wafMisfire: (i) => ({
    ruleId: [RULES.sqli.ruleId],
    path: [namedPaths(i.zone.site).search.split('?')[0] as string],
    status: ['403'],
  }),
} as const satisfies Record<IncidentKind, (incident: Incident) => Record<string, string[]>>;

/** Incidents that have begun by `now` and ended no more than 72 h before it. */
export function incidentTruths(schedule: Schedule, now: number): IncidentTruth[] {
  return schedule
    .between(now - 72 * 3_600_000, now)
    .filter((i) => i.from <= now)
    .map((i) => ({
      id: i.id,
      kind: i.kind,
      pullZoneId: String(i.zone.id),
      shieldZoneId: i.zone.shieldZoneId === null ? null : String(i.zone.shieldZoneId),
      from: i.from,
      to: i.to,
      cause: logged(CAUSES[i.kind](i), i.zone),
    }));
}

/** Addresses as this zone's logs show them; networks stay. */
function logged(cause: Record<string, string[]>, zone: SimZone): Record<string, string[]> {
  if (cause['ip'] === undefined) return cause;
  const shown = cause['ip'].map((ip) => (ip.includes('/') ? ip : anonymise(ip, zone.anonymity)));
  return { ...cause, ip: [...new Set(shown)].filter((ip) => ip !== null) };
}
