import { HOUR, MINUTE } from '../../text/units.ts';
import { SHARED_ORIGIN, type SimZone } from '../account/account-zones.ts';
import { hex, mix } from '../random.ts';

export type Incident = {
  id: string;
  kind: IncidentKind;
  zone: SimZone;
  /** Unix ms, half-open. */
  from: number;
  to: number;
  salt: number;
  /** Rows per second that it adds; 0 when it only changes ordinary ones. */
  rate: number;
  /** How much of the zone's origin fails, of 1; only an `originFailure` uses it. */
  extent: number;
};

type IncidentRow = {
  minutes: number;
  rate: (zoneRate: number) => number;
  /** The first requests in a second that Shield reports; it only turns the rest of a flood away. */
  told: number;
};

/** What can go wrong. `incident-rows.ts` has the requests. */
export const INCIDENTS = {
  layer7Attack: { minutes: 5, rate: (r) => clamp(2 * r, 5, 120), told: 3 },
  scanner: { minutes: 6, rate: (r) => clamp(0.2 * r, 2, 12), told: 2 },
  credentialStuffing: { minutes: 7, rate: (r) => clamp(0.4 * r, 2, 20), told: 2 },
  missStorm: { minutes: 5, rate: (r) => clamp(1.5 * r, 4, 200), told: 0 },
  originFailure: { minutes: 6, rate: () => 0, told: 0 },
  wafMisfire: { minutes: 7, rate: (r) => clamp(0.1 * r, 0.5, 2), told: Number.POSITIVE_INFINITY },
} as const satisfies Record<string, IncidentRow>;

export type IncidentKind = keyof typeof INCIDENTS;

/** The network that a layer-7 attack comes from: a /20 of the benchmarking range, one TLS client. */
export function attacker(salt: number) {
  const countries = ['NL', 'RO', 'VN', 'BR', 'HK'];
  return {
    /** First two octets of its addresses, and the lowest third one of 16. */
    prefix: `198.${18 + (mix(salt, 2) & 1)}`,
    third: (mix(salt, 1) & 15) * 16,
    asn: 64496 + (mix(salt, 4) % 10),
    country: countries[mix(salt, 3) % countries.length] as string,
    ja4: fingerprint(salt, 't13d1011h1'),
  };
}

/** Three addresses of the documentation range. */
export function scannerAddresses(salt: number): string[] {
  return [0, 1, 2].map((i) => `203.0.113.${1 + ((mix(salt, 5) + i * 61) % 254)}`);
}

export function stuffingFingerprint(salt: number): string {
  return fingerprint(salt, 't12d2908h1');
}

function fingerprint(salt: number, head: string): string {
  return `${head}_${hex(mix(salt, 6), 12)}_${hex(mix(salt, 7), 12)}`;
}

function clamp(n: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, n));
}

/** Incidents at fixed times before the simulator's start; hours, zone number, kind. */
const PAST: readonly { hoursAgo: number; zone: number; kind: IncidentKind }[] = [
  { hoursAgo: 70, zone: 2, kind: 'credentialStuffing' },
  { hoursAgo: 61, zone: 0, kind: 'layer7Attack' },
  { hoursAgo: 50, zone: 3, kind: 'originFailure' },
  { hoursAgo: 44, zone: 0, kind: 'scanner' },
  { hoursAgo: 30, zone: 0, kind: 'missStorm' },
  { hoursAgo: 26, zone: 2, kind: 'wafMisfire' },
  { hoursAgo: 20, zone: 5, kind: 'layer7Attack' },
  { hoursAgo: 12, zone: 0, kind: 'credentialStuffing' },
  { hoursAgo: 7, zone: 1, kind: 'missStorm' },
  { hoursAgo: 4, zone: 0, kind: 'originFailure' },
  { hoursAgo: 2.5, zone: 3, kind: 'scanner' },
];

/** Recurring incidents, from 100 minutes before the start on. The busiest zone has one in any 15 minutes. */
const RECURRING: readonly { zone: number; every: number; shift: number }[] = [
  { zone: 0, every: 10 * MINUTE, shift: 0 },
  { zone: 1, every: 35 * MINUTE, shift: 9 * MINUTE },
  { zone: 2, every: 30 * MINUTE, shift: 4 * MINUTE },
  { zone: 3, every: 40 * MINUTE, shift: 17 * MINUTE },
  { zone: 5, every: 45 * MINUTE, shift: 25 * MINUTE },
];
const ROUND: readonly IncidentKind[] = [
  'layer7Attack',
  'missStorm',
  'scanner',
  'originFailure',
  'credentialStuffing',
  'wafMisfire',
];
const LEAD = 100 * MINUTE;

/**
 * A part of the origin that two zones share fails in both at once, since `before` to `before + jitter` ago at the
 * start, and again and again. It was well for more than an hour before each failure.
 */
const SHARED = { before: 4 * MINUTE, jitter: 4 * MINUTE, minutes: 34, every: 105 * MINUTE, extent: 0.65 };

/** Pure in (seed, epoch): a zone's incidents at a time, whole Unix ms. */
export type Schedule = {
  active(zone: SimZone, t: number): readonly Incident[];
  between(from: number, to: number): Incident[];
};

export const NO_INCIDENTS: Schedule = { active: () => [], between: () => [] };

/** The incidents of a zone that meet `[from, to)`. */
type Series = (from: number, to: number) => readonly Incident[];

export function incidentSchedule(seed: number, epoch: number, zones: readonly SimZone[]): Schedule {
  const seriesOf = new Map<SimZone, readonly Series[]>();
  const add = (zone: SimZone, series: Series): void => {
    seriesOf.set(zone, [...(seriesOf.get(zone) ?? []), series]);
  };
  for (const zone of zones) {
    const past = PAST.flatMap((p, i) =>
      zones[p.zone] === zone ? [make(seed, zone, p.kind, epoch - p.hoursAgo * HOUR, 1000 + i)] : [],
    );
    if (past.length > 0) add(zone, (from, to) => past.filter((i) => i.to > from && i.from < to));
    if (zone.originUrl === SHARED_ORIGIN) add(zone, sharedFailures(seed, epoch, zone));
  }
  for (const r of RECURRING) {
    const zone = zones[r.zone];
    if (zone !== undefined) add(zone, recurrences(seed, epoch - LEAD + r.shift, zone, r));
  }
  const active = (zone: SimZone, t: number): readonly Incident[] => {
    const all = seriesOf.get(zone);
    return all === undefined ? NONE : all.flatMap((series) => series(t, t + 1));
  };
  const between = (from: number, to: number): Incident[] =>
    [...seriesOf.values()]
      .flatMap((all) => all.flatMap((series) => series(from, to)))
      .sort((a, b) => a.from - b.from || a.zone.index - b.zone.index);
  return { active, between };
}

const NONE: readonly Incident[] = [];

function recurrences(
  seed: number,
  start: number,
  zone: SimZone,
  { zone: place, every }: (typeof RECURRING)[number],
): Series {
  return repeated(start, every, (n) => {
    const turn = ROUND[(n + place * 2) % ROUND.length] as IncidentKind;
    const kind = turn === 'wafMisfire' && zone.shieldZoneId === null ? 'missStorm' : turn;
    const jitter = mix(mix(seed, zone.index + 91), n) % (2 * MINUTE);
    return make(seed, zone, kind, start + n * every + jitter, n);
  });
}

/** All zones of the origin have the same times, which do not depend on the zone. */
function sharedFailures(seed: number, epoch: number, zone: SimZone): Series {
  const { before, jitter, minutes, every, extent } = SHARED;
  const start = epoch - before - jitter;
  return repeated(start, every, (n) => {
    const from = start + n * every + (mix(mix(seed, 0x0412), n) % jitter);
    return make(seed, zone, 'originFailure', from, 2000 + n, { minutes, extent });
  });
}

/** The n-th begins at or after `start + n × every`, and ends before the next but one begins. */
function repeated(start: number, every: number, nth: (n: number) => Incident): Series {
  const made = new Map<number, Incident>();
  return (from, to) => {
    const found: Incident[] = [];
    const last = Math.floor((to - start) / every);
    for (let n = Math.max(0, Math.floor((from - start) / every) - 1); n <= last; n++) {
      const incident = made.get(n) ?? nth(n);
      made.set(n, incident);
      if (incident.to > from && incident.from < to) found.push(incident);
    }
    return found;
  };
}

function make(
  seed: number,
  zone: SimZone,
  kind: IncidentKind,
  from: number,
  number: number,
  { minutes, extent } = { minutes: INCIDENTS[kind].minutes as number, extent: 1 },
): Incident {
  const start = Math.floor(from / 1000) * 1000;
  return {
    id: `${kind}-${zone.id}-${number}`,
    kind,
    zone,
    from: start,
    to: start + minutes * MINUTE,
    salt: mix(mix(seed, zone.salt), number),
    rate: INCIDENTS[kind].rate(zone.rate),
    extent,
  };
}
