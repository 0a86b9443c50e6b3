import type { Pool } from './clients.ts';
import { incidentClients, incidentRequest, judge, NOBODY, spoil } from './incident-rows.ts';
import type { Schedule } from './incident-schedule.ts';
import type { Incident } from './incidents.ts';
import { INCIDENTS } from './incidents.ts';
import { openSite, ordinaryRequest, request, type Site } from './ordinary.ts';
import { draw, mix, Rng, weighted } from './random.ts';
import { RowCache } from './row-cache.ts';
import type { Row } from './rows.ts';
import { NOISE } from './shield-rules.ts';
import type { SimZone } from './zones.ts';

/** Of every `share` of rows, the delay until reads show them lies evenly in [least, most) ms. */
export type Lateness = readonly { share: number; least: number; most: number }[];

/** Ordinary traffic of `zone` (a pull zone id; all when absent) times `factor` within [from, to), Unix ms. */
export type Surge = { zone?: number; from: number; to: number; factor: number };

export type TrafficOptions = {
  seed: number;
  schedule: Schedule;
  lateness?: Lateness;
  surges?: readonly Surge[];
  /** Exactly `rate` ordinary rows each second: no day curve, no chance, no Shield noise. For measurements. */
  isSteady?: boolean;
};

export type Traffic = {
  /** All rows of an epoch second, by time; includes those not visible yet. */
  second(zone: SimZone, second: number): readonly Row[];
  /** The rows of an epoch minute that a Shield rule looked at, by time. Equal to those of `second`, without the rest. */
  shieldMinute(zone: SimZone, minute: number): readonly Row[];
};

/** Most rows show within two seconds, 0.5 % after 5–90 s, a few after up to four minutes. */
export const USUAL_LATENESS: Lateness = [
  { share: 0.9945, least: 150, most: 1_900 },
  { share: 0.005, least: 5_000, most: 90_000 },
  { share: 0.0005, least: 90_000, most: 240_000 },
];

const NOISE_STREAM = 1;
const FIRST_INCIDENT_STREAM = 2;
const NOISE_SAMPLER = weighted(NOISE.map((n) => n.weight));
/** Shares of the ordinary rate, and bounds in rows per second. */
const NOISE_SHARE = 0.015;
const MOST_NOISE = 1.2;
const ORIGIN_SHIELD_SHARE = 0.02;
/** Rows kept for the next read; about 250 bytes each. */
const KEPT_ROWS = 150_000;
/** Incidents whose clients are kept. */
const KEPT_POOLS = 40;
const NO_ROWS: readonly Row[] = [];

/** Traffic is a pure function of its options and the time: any second can be made at any time, always the same. */
export function createTraffic(o: TrafficOptions): Traffic {
  const lateness = o.lateness ?? USUAL_LATENESS;
  const sites = new Map<SimZone, Site>();
  const pools = new Map<Incident, Pool>();
  const seconds = new RowCache(KEPT_ROWS);
  const minutes = new RowCache(KEPT_ROWS);

  const siteOf = (zone: SimZone): Site => {
    const known = sites.get(zone) ?? openSite(zone);
    sites.set(zone, known);
    return known;
  };
  const clientsOf = (incident: Incident, site: Site): Pool => {
    const known = pools.get(incident);
    if (known !== undefined) return known;
    const made = incidentClients(incident, site);
    pools.set(incident, made);
    const [oldest] = pools.keys();
    if (pools.size > KEPT_POOLS && oldest !== undefined) pools.delete(oldest);
    return made;
  };

  const ordinary = (site: Site, second: number, spoiled: boolean, out: Row[]): void => {
    const rng = new Rng(mix(mix(site.zone.salt, second), 0));
    const n = rowCount(expected(site.zone.rate, site.zone, second), rng, o.isSteady ?? false);
    for (let i = 0; i < n; i++) {
      const row = blank(second, 0, i, n, rng, lateness);
      ordinaryRequest(row, site, rng);
      if (row.cache === 'MISS' && rng.chance(ORIGIN_SHIELD_SHARE)) row.isOriginShield = true;
      if (spoiled) spoil(row);
      out.push(row);
    }
  };
  const noise = (site: Site, second: number, out: Row[]): void => {
    if (site.zone.shieldZoneId === null || o.isSteady === true) return;
    const rng = new Rng(mix(mix(site.zone.salt, second), 1));
    const rate = Math.min(site.zone.rate * NOISE_SHARE, MOST_NOISE);
    const n = rowCount(expected(rate, site.zone, second), rng, false);
    for (let i = 0; i < n; i++) {
      const row = blank(second, NOISE_STREAM, i, n, rng, lateness);
      noiseRequest(row, site, rng);
      out.push(row);
    }
  };
  const incidents = (site: Site, second: number, shieldedOnly: boolean, out: Row[]): void => {
    const active = o.schedule.active(site.zone, second * 1000);
    for (let k = 0; k < active.length; k++) {
      const incident = active[k] as Incident;
      if (incident.rate === 0 || (shieldedOnly && !INCIDENTS[incident.kind].isShielded)) continue;
      const rng = new Rng(mix(mix(incident.salt, second), 2));
      const clients = clientsOf(incident, site);
      const n = rowCount(incident.rate, rng, false);
      for (let i = 0; i < n; i++) {
        const row = blank(second, FIRST_INCIDENT_STREAM + k, i, n, rng, lateness);
        incidentRequest(row, site, incident, clients, rng);
        out.push(row);
      }
    }
  };
  const expected = (rate: number, zone: SimZone, second: number): number => {
    if (zone.suspended || !zone.enabled) return 0;
    let n = o.isSteady === true ? rate : rate * dayCurve(second);
    for (const s of o.surges ?? []) {
      const isHit =
        (s.zone === undefined || s.zone === zone.id) && second * 1000 >= s.from && second * 1000 < s.to;
      if (isHit) n *= s.factor;
    }
    return n;
  };

  return {
    second: (zone, second) => {
      const known = seconds.get(zone.index, second);
      if (known !== undefined) return known;
      const site = siteOf(zone);
      const rows: Row[] = [];
      const isSpoiled = o.schedule.active(zone, second * 1000).some((i) => i.kind === 'originFailure');
      ordinary(site, second, isSpoiled, rows);
      const sorted = rows.length;
      noise(site, second, rows);
      incidents(site, second, false, rows);
      if (rows.length === 0) return NO_ROWS;
      if (rows.length > sorted) rows.sort(byTime);
      seconds.set(zone.index, second, rows);
      return rows;
    },
    shieldMinute: (zone, minute) => {
      const known = minutes.get(zone.index, minute);
      if (known !== undefined) return known;
      const site = siteOf(zone);
      const rows: Row[] = [];
      for (let second = minute * 60; second < minute * 60 + 60; second++) {
        noise(site, second, rows);
        incidents(site, second, true, rows);
      }
      const events = rows.filter((row) => row.rule !== null).sort(byTime);
      minutes.set(zone.index, minute, events);
      return events;
    },
  };
}

/** Ordinary traffic follows the hour (quietest at 07:00 UTC, fullest at 19:00) and the weekend. */
export function dayCurve(second: number): number {
  const hour = (second % 86_400) / 3600;
  const weekday = (Math.floor(second / 86_400) + 4) % 7;
  const weekend = weekday === 0 || weekday === 6 ? 0.85 : 1;
  return weekend * (0.8 + 0.25 * Math.cos(((hour - 19) * Math.PI) / 12));
}

function noiseRequest(row: Row, site: Site, rng: Rng): void {
  const kind = NOISE[draw(NOISE_SAMPLER, rng)] as (typeof NOISE)[number];
  ordinaryRequest(row, site, rng);
  row.client = site.visitors.at(rng.below(site.visitors.size));
  if (kind.rule.probe !== null) {
    row.path = kind.rule.probe;
    request(row, site, 'page', 4_000, rng);
  }
  const u = rng.unit();
  judge(
    row,
    site,
    kind.rule,
    u < kind.blocked ? 'blocked' : u < kind.blocked + kind.challenged ? 'challenged' : 'logged',
    null,
  );
}

function blank(second: number, stream: number, index: number, n: number, rng: Rng, lateness: Lateness): Row {
  const h = rng.next();
  return {
    t: second * 1000 + Math.min(999, Math.floor(((index + rng.unit()) / n) * 1000)),
    second,
    late: delay(rng, lateness),
    stream,
    index,
    h,
    client: NOBODY,
    method: 'GET',
    scheme: 'https',
    host: '',
    path: '/',
    isPlain: true,
    status: 200,
    cache: '-',
    bytes: 0,
    bodyBytes: null,
    referer: null,
    range: null,
    authorization: null,
    isOriginShield: false,
    rule: null,
    action: null,
    matched: null,
  };
}

function delay(rng: Rng, lateness: Lateness): number {
  let u = rng.unit();
  for (const part of lateness) {
    if (u < part.share) return Math.floor(part.least + (u / part.share) * (part.most - part.least));
    u -= part.share;
  }
  return lateness.at(-1)?.most ?? 0;
}

function rowCount(expected: number, rng: Rng, isSteady: boolean): number {
  return isSteady ? Math.round(expected) : Math.floor(expected * (0.85 + 0.3 * rng.unit()) + rng.unit());
}

function byTime(a: Row, b: Row): number {
  return a.t - b.t || a.stream - b.stream || a.index - b.index;
}
