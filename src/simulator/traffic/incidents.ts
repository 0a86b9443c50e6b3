import type { SimZone } from '../account/zones.ts';
import { hex, mix } from '../random.ts';

export type IncidentKind =
  | 'layer7Attack'
  | 'scanner'
  | 'credentialStuffing'
  | 'missStorm'
  | 'originFailure'
  | 'wafMisfire';

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
};

type IncidentRow = {
  minutes: number;
  rate: (zoneRate: number) => number;
  /** Shield may tell of so many of its requests a second, the first ones; the rest of a flood it only turns away. */
  told: number;
};

/** What can go wrong. How the requests look is in `incident-rows.ts`. */
export const INCIDENTS = {
  layer7Attack: { minutes: 5, rate: (r) => clamp(2 * r, 5, 120), told: 3 },
  scanner: { minutes: 6, rate: (r) => clamp(0.2 * r, 2, 12), told: 2 },
  credentialStuffing: { minutes: 7, rate: (r) => clamp(0.4 * r, 2, 20), told: 2 },
  missStorm: { minutes: 5, rate: (r) => clamp(1.5 * r, 4, 200), told: 0 },
  originFailure: { minutes: 6, rate: () => 0, told: 0 },
  wafMisfire: { minutes: 7, rate: (r) => clamp(0.1 * r, 0.5, 2), told: Number.POSITIVE_INFINITY },
} as const satisfies Record<IncidentKind, IncidentRow>;

/** The network that a layer-7 attack comes from: a /20 of the benchmarking range, one TLS client. */
export function attacker(salt: number): {
  base: string;
  third: number;
  asn: number;
  country: string;
  ja4: string;
} {
  const third = (mix(salt, 1) & 15) * 16;
  const second = 18 + (mix(salt, 2) & 1);
  const country = (['NL', 'RO', 'VN', 'BR', 'HK'] as const)[mix(salt, 3) % 5] as string;
  return {
    base: `198.${second}.${third}`,
    third,
    asn: 64496 + (mix(salt, 4) % 10),
    country,
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

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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

/** Incidents that come again and again, from 100 minutes before the start on. The busiest zone has one in any 15 minutes. */
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

/** Pure in (seed, epoch): which incidents a zone has at a time. */
export type Schedule = {
  active(zone: SimZone, t: number): readonly Incident[];
  between(from: number, to: number): Incident[];
};

export const NO_INCIDENTS: Schedule = { active: () => [], between: () => [] };

export function incidentSchedule(seed: number, epoch: number, zones: readonly SimZone[]): Schedule {
  const past = PAST.flatMap((p, i) => {
    const zone = zones[p.zone];
    return zone === undefined ? [] : [make(seed, zone, p.kind, epoch - p.hoursAgo * HOUR, 1000 + i)];
  });
  const pastOf = new Map<SimZone, Incident[]>();
  for (const incident of past) pastOf.set(incident.zone, [...(pastOf.get(incident.zone) ?? []), incident]);
  const recurringOf = new Map(
    RECURRING.flatMap((r) => (zones[r.zone] ? [[zones[r.zone] as SimZone, r] as const] : [])),
  );
  const made = new Map<string, Incident>();
  const recurrence = (zone: SimZone, r: (typeof RECURRING)[number], k: number): Incident => {
    const key = `${zone.index}:${k}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const jitter = mix(mix(seed, zone.index + 91), k) % (2 * MINUTE);
    const turn = ROUND[(k + r.zone * 2) % ROUND.length] as IncidentKind;
    const kind = turn === 'wafMisfire' && zone.shieldZoneId === null ? 'missStorm' : turn;
    const incident = make(seed, zone, kind, epoch - LEAD + r.shift + k * r.every + jitter, k);
    made.set(key, incident);
    return incident;
  };
  const active = (zone: SimZone, t: number): readonly Incident[] => {
    const r = recurringOf.get(zone);
    const fixed = pastOf.get(zone);
    if (r === undefined && fixed === undefined) return NONE;
    const found = fixed?.filter((i) => t >= i.from && t < i.to) ?? [];
    if (r !== undefined) {
      const k = Math.floor((t - epoch + LEAD - r.shift) / r.every);
      for (let j = k - 1; j <= k; j++) {
        if (j < 0) continue;
        const incident = recurrence(zone, r, j);
        if (t >= incident.from && t < incident.to) found.push(incident);
      }
    }
    return found;
  };
  const between = (from: number, to: number): Incident[] => {
    const found = past.filter((i) => i.to > from && i.from < to);
    for (const [zone, r] of recurringOf) {
      const last = Math.floor((to - epoch + LEAD - r.shift) / r.every);
      const first = Math.max(0, Math.floor((from - epoch + LEAD - r.shift) / r.every) - 1);
      for (let k = first; k <= last; k++) {
        const incident = recurrence(zone, r, k);
        if (incident.to > from && incident.from < to) found.push(incident);
      }
    }
    return found.sort((a, b) => a.from - b.from || a.zone.index - b.zone.index);
  };
  return { active, between };
}

const NONE: readonly Incident[] = [];

function make(seed: number, zone: SimZone, kind: IncidentKind, from: number, number: number): Incident {
  const start = Math.floor(from / 1000) * 1000;
  return {
    id: `${kind}-${zone.id}-${number}`,
    kind,
    zone,
    from: start,
    to: start + INCIDENTS[kind].minutes * MINUTE,
    salt: mix(mix(seed, zone.salt), number),
    rate: INCIDENTS[kind].rate(zone.rate),
  };
}
