import { hex, mix } from './random.ts';
import type { SimZone } from './zones.ts';

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
