import { INCIDENTS, type Incident, type IncidentKind } from './incidents.ts';
import { mix } from './random.ts';
import type { SimZone } from './zones.ts';

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
