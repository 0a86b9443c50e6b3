import { type Catalogue, catalogueOf, type FocusWish, type Visits } from './catalogue.ts';
import { type Crowd, crowdOf, type Place, placeOf } from './place.ts';
import { diceOf, factor, hash, sum } from './random.ts';
import { ZONE_NAMES } from './vocabulary.ts';

export type Rule = {
  readonly id: string;
  readonly name: string;
  readonly feature: string;
  readonly action: string;
};
export type Traits = {
  readonly rate: number;
  readonly hit: number;
  readonly peakHour: number;
  readonly swing: number;
  readonly noise: number;
  readonly notFound: number;
  readonly forbidden: number;
  readonly closed: number;
  readonly notModified: number;
  readonly redirected: number;
  readonly stray: number;
  /** How many stray origin errors an hour the origin error log tells of at most. */
  readonly told: number;
  readonly shieldNoise: number;
  readonly misses: readonly [number, number, number, number];
  /** null: addresses are whole; 0: the last octet is dropped; 1: all of it. */
  readonly anonymous: null | 0 | 1;
  readonly bodyBytes: 'told' | 'null' | 'absent';
  /** null: each request is by somebody else; or they come as page views. */
  readonly visits: Visits | null;
};
export type Zone = {
  readonly seed: number;
  readonly id: number;
  readonly name: string;
  readonly shieldZoneId: number | null;
  readonly hosts: readonly string[];
  readonly origin: string;
  readonly logging: boolean;
  readonly traits: Traits;
  readonly rules: readonly Rule[];
  readonly inDepth: () => Depth;
};
/** What only rows need, as making it takes a while. */
export type Depth = { readonly place: Place; readonly crowd: Crowd; readonly catalogue: Catalogue };

export type Wish = {
  readonly rate?: readonly [number, number];
  readonly hit?: readonly [number, number];
  readonly notFound?: readonly [number, number];
  readonly stray?: readonly [number, number];
  readonly told?: readonly [number, number];
  readonly shield?: boolean;
  readonly peakHour?: number;
  readonly focus?: FocusWish;
  readonly wholeAddresses?: boolean;
  readonly visits?: Visits | null;
};

const RULES: readonly Rule[] = [
  { id: '942100', name: 'SQL injection attack detected', feature: 'waf', action: 'blocked' },
  { id: '941100', name: 'XSS attack detected', feature: 'waf', action: 'blocked' },
  { id: '930120', name: 'OS file access attempt', feature: 'waf', action: 'blocked' },
  { id: '920350', name: 'Host header is a numeric IP address', feature: 'waf', action: 'logged' },
  { id: '913100', name: 'Found user agent of a security scanner', feature: 'waf', action: 'blocked' },
  { id: '932160', name: 'Remote command execution: Unix shell code', feature: 'waf', action: 'blocked' },
  { id: '920420', name: 'Request content type is not allowed', feature: 'waf', action: 'logged' },
  { id: 'AGD-U455', name: 'Known bad reputation', feature: 'accesslist', action: 'blocked' },
  { id: '100201', name: 'Rate limit: 100 requests in 10 s', feature: 'ratelimit', action: 'blocked' },
  { id: 'BOT-12', name: 'Suspected automation', feature: 'botdetection', action: 'challenged' },
  { id: 'BOT-31', name: 'Headless browser', feature: 'botdetection', action: 'logged' },
  { id: '933150', name: 'PHP injection attack', feature: 'waf', action: 'blocked' },
  { id: '944100', name: 'Suspicious Java class', feature: 'waf', action: 'logged' },
];

const OCTETS: readonly (null | 0 | 1)[] = [null, null, null, null, null, null, null, 0, 0, 1];

function traitsOf(seed: number, wish: Wish): Traits {
  const dice = diceOf(hash(seed, 31));
  const rate = dice.wide(...(wish.rate ?? [0.5, 300]));
  const misses = [dice.between(0.5, 0.8), dice.between(0.05, 0.25), dice.between(0.03, 0.15)] as const;
  const anonymous = dice.pick(OCTETS);
  return {
    rate,
    hit: dice.between(...(wish.hit ?? [0.45, 0.98])),
    peakHour: wish.peakHour ?? dice.between(9, 24),
    swing: dice.between(0.15, 0.4),
    noise: dice.between(0.06, 0.18),
    notFound: dice.wide(...(wish.notFound ?? [0.003, 0.03])),
    forbidden: dice.wide(0.0002, 0.003),
    closed: dice.chance(0.4) ? dice.wide(0.0001, 0.001) : 0,
    notModified: dice.between(0.005, 0.08),
    redirected: dice.between(0.001, 0.01),
    stray: dice.wide(...(wish.stray ?? [0.00005, 0.0015])),
    told: dice.between(...(wish.told ?? [5, 40])),
    shieldNoise: dice.wide(0.0006, 0.006),
    misses: [misses[0], misses[0] + misses[1], misses[0] + misses[1] + misses[2], 0.997],
    anonymous: wish.wholeAddresses === true && anonymous === 1 ? null : anonymous,
    bodyBytes: dice.pick(['told', 'told', 'null', 'absent'] as const),
    visits: wish.visits ?? null,
  };
}

export function zoneOf(accountSeed: number, index: number, wish: Wish): Zone {
  const seed = hash(accountSeed, 100 + index);
  const dice = diceOf(seed);
  const name = ZONE_NAMES[(hash(accountSeed, 5) + index) % ZONE_NAMES.length] as string;
  const id = 100_000 + (hash(accountSeed, 6) % 800_000) + index * 37;
  const shield = dice.chance(0.7);
  const system = `${name}.b-cdn.net`;
  const company = `${dice.pick(['acorn', 'brightly', 'cormorant', 'dunes', 'ember', 'fjord'])}.example`;
  const hosts = dice.pick([
    [system],
    [`www.${company}`, system],
    [`www.${company}`, `static.${company}`, `api.${company}`, company],
  ]);
  const kept: { depth?: Depth } = {};
  const traits = traitsOf(seed, wish);
  const from = dice.int(0, 5);
  return {
    seed,
    id,
    name,
    shieldZoneId: (wish.shield ?? shield) ? 5000 + (hash(seed, 8) % 90_000) : null,
    hosts,
    origin: `https://origin-${dice.hex(4)}.${company}`,
    logging: true,
    traits,
    rules: RULES.filter((_, i) => (i + from) % 4 !== 0 || i === 8),
    inDepth: () => {
      if (kept.depth === undefined) {
        const place = placeOf(seed);
        const size = Math.round(Math.min(20_000, Math.max(400, traits.rate * 150)));
        const crowd = crowdOf(place, hash(seed, 13), { size, skew: size < 2000 ? 1.4 : 1.6 });
        const catalogue = catalogueOf(seed, hosts, traits.hit, wish.focus ?? null, traits.visits);
        kept.depth = { place, crowd, catalogue };
      }
      return kept.depth;
    },
  };
}

/** The rate of a second without its noise. */
export const calmRate = (zone: Zone, second: number): number => {
  const { rate, swing, peakHour } = zone.traits;
  return rate * (1 + swing * Math.cos((2 * Math.PI * (second / 3600 - peakHour)) / 24));
};

const minutes = new Map<number, Map<number, number>>();

/** Minutes differ, neighbours less than strangers; each answer needs the same few again and again. */
export function noiseOf(seed: number, second: number, sigma: number): number {
  let own = minutes.get(seed);
  if (own === undefined || own.size > 20_000) {
    own = new Map();
    if (minutes.size > 60) minutes.clear();
    minutes.set(seed, own);
  }
  const minute = Math.floor(second / 60);
  let level = own.get(minute);
  if (level === undefined) {
    const wave = Math.sin(minute / 2.7 + (seed % 97)) * 0.4 + Math.sin(minute / 7.1 + (seed % 89)) * 0.6;
    level = factor(hash(seed, minute), 1, sigma) * (1 + 0.6 * sigma * wave);
    own.set(minute, level);
  }
  return level;
}

/** A few seconds of a burst come together. */
export const burstOf = (seed: number, second: number): number =>
  factor(hash(seed ^ 0x33, Math.floor(second / 5)), 2, 0.2);

/** The part of all requests that the cache does not answer, bots and missing pages among them. */
export function missesOf(zone: Zone): number {
  const { catalogue } = zone.inDepth();
  const total = sum(catalogue.weights);
  const misses = sum(catalogue.weights.map((w, i) => (w / total) * (1 - (catalogue.hits[i] as number))));
  const { notFound } = zone.traits;
  return misses * (1 - notFound) + notFound * 0.8;
}
