import type { SimZone } from '../account/account-zones.ts';
import { draw, type Rng, weighted } from '../random.ts';
import { NOISE } from '../shield/rules.ts';
import type { Pool } from './clients.ts';
import { judge, SHAPES, spoil } from './incident-rows.ts';
import { INCIDENTS, type Incident, type Schedule } from './incidents.ts';
import { openSite, ordinaryRequest, request, type Site } from './ordinary.ts';
import type { SimRow } from './rows.ts';
import {
  createSliceMaker,
  type DrawCounts,
  FIRST_INCIDENT_STREAM,
  NOISE_STREAM,
  ORDINARY_STREAM,
  type SliceOptions,
} from './slice-maker.ts';

export type TrafficModel = {
  /** How many seconds of a zone are made at once: one, or an hour where little happens. */
  blockSeconds(zone: SimZone): number;
  /**
   * All rows of a block, by time; includes those not visible yet. Blocks are numbered from the epoch. `isOnce`: they are not
   * kept for the next read, as those of days that are counted.
   */
  block(zone: SimZone, number: number, isOnce?: boolean): readonly SimRow[];
  /** The rows of an epoch hour that a Shield rule looked at, by time. */
  events(zone: SimZone, hour: number): readonly SimRow[];
  readonly work: DrawCounts;
};

const NOISE_SAMPLER = weighted(NOISE.map((n) => n.weight));
/** Shares of the ordinary rate, and bounds in rows per second. */
const NOISE_SHARE = 0.015;
const MOST_NOISE = 0.01;
const ORIGIN_SHIELD_SHARE = 0.02;
/** Below so many rows per second a zone is made by the hour, so that time without rows costs nothing. */
const SPARSE = 1;
const HOUR = 3600;
/** Rows and, apart from them, Shield events kept for the next read; about 250 bytes each. */
const KEPT_ROWS = 150_000;
/** Incidents whose clients are kept. */
const KEPT_POOLS = 40;
const NO_ROWS: readonly SimRow[] = [];

/** Traffic is a pure function of its options and the time: any block can be made at any time, always the same. */
export function createTraffic(o: SliceOptions & { schedule: Schedule }): TrafficModel {
  const { expected, make, work } = createSliceMaker(o);
  const sites = new Map<SimZone, Site>();
  const pools = new Map<Incident, Pool>();
  const blocks = new RowCache(KEPT_ROWS);
  const noises = new RowCache(KEPT_ROWS);
  const hours = new RowCache(KEPT_ROWS);
  const isSteady = o.isSteady ?? false;
  /** Surges begin at any second. */
  const isBySecond = isSteady || (o.surges ?? []).length > 0;

  const siteOf = (zone: SimZone): Site => {
    const known = sites.get(zone) ?? openSite(zone);
    sites.set(zone, known);
    return known;
  };
  const clientsOf = (incident: Incident, site: Site): Pool => {
    const known = pools.get(incident);
    if (known !== undefined) return known;
    const made = SHAPES[incident.kind].clients?.(incident, site) ?? site.visitors;
    pools.set(incident, made);
    const [oldest] = pools.keys();
    if (pools.size > KEPT_POOLS && oldest !== undefined) pools.delete(oldest);
    return made;
  };

  const ordinary = (site: Site, start: number, seconds: number): SimRow[] => {
    const { zone } = site;
    let known = -1;
    let failure: Incident | undefined;
    const rows = expected(zone.rate, zone, start, seconds);
    const slice = { salt: zone.salt, stream: ORDINARY_STREAM, start, seconds, expected: rows };
    return make(slice, (row, rng) => {
      ordinaryRequest(row, site, rng);
      if (row.cache === 'MISS' && rng.chance(ORIGIN_SHIELD_SHARE)) row.isOriginShield = true;
      if (row.second !== known) {
        known = row.second;
        failure = o.schedule.active(zone, known * 1000).find((i) => i.kind === 'originFailure');
      }
      if (failure !== undefined) spoil(row, failure.extent);
    });
  };
  const noiseSeconds = isBySecond ? 1 : HOUR;
  const noise = (site: Site, number: number): readonly SimRow[] => {
    const { zone } = site;
    if (zone.shieldZoneId === null || isSteady) return NO_ROWS;
    const known = noises.get(zone.index, number);
    if (known !== undefined) return known;
    const [start, seconds] = [number * noiseSeconds, noiseSeconds];
    const rate = Math.min(zone.rate * NOISE_SHARE, MOST_NOISE);
    const events = expected(rate, zone, start, seconds);
    const slice = { salt: zone.salt, stream: NOISE_STREAM, start, seconds, expected: events };
    const rows = make(slice, (row, rng) => noiseRequest(row, site, rng));
    noises.set(zone.index, number, rows);
    return rows;
  };
  const noiseWithin = (site: Site, from: number, to: number): SimRow[] => {
    const rows: SimRow[] = [];
    for (let n = Math.floor(from / noiseSeconds); n * noiseSeconds < to; n++)
      for (const row of noise(site, n)) if (row.second >= from && row.second < to) rows.push(row);
    return rows;
  };
  const incidentSecond = (site: Site, second: number, toldOnly: boolean): SimRow[] =>
    o.schedule.active(site.zone, second * 1000).flatMap((incident, k) => {
      const { told } = INCIDENTS[incident.kind];
      const most = toldOnly ? told : Number.POSITIVE_INFINITY;
      if (incident.rate === 0 || most === 0) return [];
      const clients = clientsOf(incident, site);
      const { salt, rate: expected } = incident;
      const slice = { salt, stream: FIRST_INCIDENT_STREAM + k, start: second, seconds: 1, expected, most };
      return make(slice, (row, rng) => SHAPES[incident.kind].fill(row, site, incident, clients, rng));
    });
  /** Visits only the seconds in which an incident is active. */
  const incidents = (site: Site, from: number, to: number, toldOnly: boolean): SimRow[] => {
    const rows: SimRow[] = [];
    let next = from;
    for (const incident of o.schedule.between(from * 1000, to * 1000)) {
      if (incident.zone !== site.zone) continue;
      next = Math.max(next, incident.from / 1000);
      for (; next < Math.min(to, incident.to / 1000); next++)
        rows.push(...incidentSecond(site, next, toldOnly));
    }
    return rows;
  };
  const blockSeconds = (zone: SimZone): number => (zone.rate < SPARSE && !isBySecond ? HOUR : 1);
  const block = (zone: SimZone, number: number, isOnce = false): readonly SimRow[] => {
    const known = blocks.get(zone.index, number);
    if (known !== undefined) return known;
    const site = siteOf(zone);
    const seconds = blockSeconds(zone);
    const from = number * seconds;
    const usual = ordinary(site, from, seconds);
    const planted =
      seconds === 1 ? incidentSecond(site, from, false) : incidents(site, from, from + seconds, false);
    const others = [...noiseWithin(site, from, from + seconds), ...planted];
    const rows = others.length > 0 ? [...usual, ...others].sort(byTime) : usual;
    if (!isOnce && (rows.length > 0 || seconds > 1)) blocks.set(zone.index, number, rows);
    return rows;
  };

  return {
    blockSeconds,
    block,
    events: (zone, hour) => {
      const known = hours.get(zone.index, hour);
      if (known !== undefined) return known;
      const site = siteOf(zone);
      const [from, to] = [hour * HOUR, (hour + 1) * HOUR];
      const rows = [...noiseWithin(site, from, to), ...incidents(site, from, to, true)];
      const events = rows.filter((row) => row.rule !== null).sort(byTime);
      hours.set(zone.index, hour, events);
      return events;
    },
    work,
  };
}

function noiseRequest(row: SimRow, site: Site, rng: Rng): void {
  const kind = NOISE[draw(NOISE_SAMPLER, rng)] as (typeof NOISE)[number];
  ordinaryRequest(row, site, rng);
  row.client = site.visitors.at(rng.below(site.visitors.size));
  if (kind.rule.probe !== undefined) {
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

function byTime(a: SimRow, b: SimRow): number {
  return a.t - b.t || a.stream - b.stream || a.index - b.index;
}

/** Keeps the rows of recently used time units, oldest use out first, bounded by the number of rows. */
class RowCache {
  private readonly units = new Map<number, readonly SimRow[]>();
  private rows = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  get(zone: number, unit: number): readonly SimRow[] | undefined {
    const key = keyOf(zone, unit);
    const rows = this.units.get(key);
    if (rows !== undefined && this.rows > this.most / 2) {
      this.units.delete(key);
      this.units.set(key, rows);
    }
    return rows;
  }

  set(zone: number, unit: number, rows: readonly SimRow[]): void {
    this.units.set(keyOf(zone, unit), rows);
    this.rows += weight(rows);
    if (this.rows <= this.most) return;
    // Many at a time: a Map walks over the places of what was deleted before, each time anew.
    const kept = this.most * 0.75;
    for (const [key, oldest] of this.units) {
      if (this.rows <= kept || this.units.size === 1) return;
      this.units.delete(key);
      this.rows -= weight(oldest);
    }
  }
}

/** An empty unit still costs an entry. */
function weight(rows: readonly SimRow[]): number {
  return rows.length + 1;
}

/** Units are epoch seconds or minutes: below 2^33. */
function keyOf(zone: number, unit: number): number {
  return zone * 2 ** 33 + unit;
}
