import { type Crowd, crowdOf } from './place.ts';
import { draw, hash, unit } from './random.ts';
import {
  CLASSES,
  type Failure,
  fail,
  fillAsked,
  fillClient,
  fillEveryday,
  fillMissing,
  type Row,
} from './rows.ts';
import { countBy, type Stream } from './traffic.ts';
import { inViews } from './views.ts';
import { BOTS, MONITOR, SCANNED } from './vocabulary.ts';
import { burstOf, calmRate, type Depth, missesOf, noiseOf, type Rule, type Zone } from './zone.ts';

export const ORIGIN_FAILURES: readonly Failure[] = [
  { code: 'http_timeout', status: 504, message: 'The origin did not answer within 60 seconds' },
  { code: 'network_socket_exception', status: 502, message: 'Connection refused' },
  { code: 'http_request_exception', status: 502, message: 'The response ended prematurely' },
  { code: 'network_io_error', status: 502, message: 'Connection reset by peer' },
  { code: 'dns_lookup', status: 502, message: 'Name or service not known' },
  { code: 'error', status: 500, message: 'Unable to read data from the transport connection' },
];
/** What an origin answers by itself is no error of reaching it, so the origin error log does not tell of it. */
export const OWN_FAILURES: readonly Failure[] = [
  { code: null, status: 503, message: '' },
  { code: null, status: 500, message: '' },
];

const STRAYS = [0, 0, 0, 1, 2, 2, 3, 5].map((i) => ORIGIN_FAILURES[i] as Failure);

function usualOf(zone: Zone) {
  const { notFound, forbidden, closed, notModified, redirected } = zone.traits;
  return {
    hit: 1 - missesOf(zone),
    moved: (notModified + redirected) * (1 - notFound),
    client: notFound + (forbidden + closed) * (1 - notFound),
    server: 0,
  };
}

/** How the zone's traffic swells beyond its usual: a flood of visitors. */
export type Swell = (second: number) => number;

function everyday(zone: Zone, depth: Depth, swell: Swell): Stream {
  const seed = hash(zone.seed, 201);
  const mean = (s: number) => calmRate(zone, s) * noiseOf(seed, s, zone.traits.noise) * swell(s);
  const requests = (s: number) => mean(s) * burstOf(seed, s);
  const { crowd, catalogue } = depth;
  const alone = {
    id: 0,
    seed,
    mean,
    count: countBy(seed, requests),
    fill: (row: Row) => fillEveryday(zone, depth, row, crowd),
    classes: CLASSES.ok | CLASSES.moved | CLASSES.client,
    rules: false,
    usual: usualOf(zone),
  };
  if (catalogue.view === null) return alone;
  const views = inViews(seed, requests, catalogue.view, (row, { client, page }) =>
    fillAsked(zone, depth, row, crowd, client, page),
  );
  return { ...alone, ...views };
}

/** Errors come in small flocks, with quiet in between. */
const flock = (seed: number, second: number): number => {
  const u = unit(hash(seed, Math.floor(second / 60)), 5);
  return u < 0.8 ? 0.5 : u < 0.98 ? 2 : 12;
};

function strays(zone: Zone, depth: Depth): Stream {
  const seed = hash(zone.seed, 202);
  const mean = (s: number) => calmRate(zone, s) * zone.traits.stray * flock(seed, s);
  const told = zone.traits.told / 3600 / (zone.traits.rate * zone.traits.stray);
  return {
    id: 1,
    seed,
    mean,
    count: countBy(seed, mean),
    fill: (row) => {
      fillEveryday(zone, depth, row, depth.crowd);
      const failure = STRAYS[hash(row.key, 50) % STRAYS.length] as Failure;
      const own = OWN_FAILURES[row.key & 1] as Failure;
      fail(row, unit(row.key, 51) < told ? failure : own);
    },
    classes: CLASSES.server,
    rules: false,
    usual: { hit: 0, moved: 0, client: 0, server: 1 },
  };
}

function bots(zone: Zone, depth: Depth): Stream[] {
  const own = unit(zone.seed, 60);
  return BOTS.map((bot, i) => {
    const seed = hash(zone.seed, 210 + i);
    const crowd = crowdOf(depth.place, seed, {
      size: 3 + (seed % 14),
      skew: 1,
      network: bot,
      ua: bot.ua,
      ja4: null,
    });
    const share = (0.001 + 0.007 * unit(seed, 1)) * (i === 2 ? own : 1);
    // Now and then one of them reads the whole site for two hours.
    const eager = (s: number) =>
      i === 2 && hash(seed, Math.floor(s / 7200)) % 10 < 3 ? 0.01 + 0.02 * unit(seed, 3) : 0;
    const mean = (s: number) => calmRate(zone, s) * (share + eager(s)) * noiseOf(seed, s, 0.15);
    const fill = (row: Row) => fillEveryday(zone, depth, row, crowd);
    return {
      id: 2 + i,
      seed,
      mean,
      count: countBy(seed, mean),
      fill,
      classes: 28,
      rules: false,
      usual: usualOf(zone),
    };
  });
}

function monitor(zone: Zone, depth: Depth): Stream {
  const seed = hash(zone.seed, 220);
  const every = [60, 60, 300, 30][seed % 4] as number;
  const crowd = crowdOf(depth.place, seed, { size: 5, skew: 1, network: MONITOR, ua: MONITOR.ua, ja4: null });
  const used = unit(seed, 1) < 0.6;
  return {
    id: 5,
    seed,
    mean: () => (used ? 1 / every : 0),
    count: (s) => (used && s % every === seed % every ? 1 : 0),
    fill: (row) => {
      fillClient(row, crowd);
      row.page = 0;
      row.path = '/';
      row.cache = unit(row.key, 5) < 0.9 ? 'HIT' : 'EXPIRED';
      row.bytes = 24_000;
    },
    classes: CLASSES.ok,
    rules: false,
    usual: { hit: 0.9, moved: 0, client: 0, server: 0 },
  };
}

export function applyRule(row: Row, rule: Rule, action: string): void {
  row.rule = rule;
  row.action = action;
  if (action === 'blocked' && unit(row.key, 62) < 0.96) row.status = 403;
  else if (action === 'challenged' && unit(row.key, 62) < 0.8) row.status = 403;
  else return;
  row.cache = '-';
  row.bytes = 900 + (row.key % 400);
}

export const scannedPath = (key: number): string =>
  `/${SCANNED[key % SCANNED.length]}${(key >>> 8) % 3 === 0 ? '' : `?x=${(key >>> 10) % 60}`}`;

/** What Shield's rules meet at any time: many addresses, several rules, nothing that matters. */
function shieldNoise(zone: Zone, depth: Depth): Stream {
  const seed = hash(zone.seed, 230);
  const size = 60 + (seed % 240);
  const crowd: Crowd = crowdOf(depth.place, seed, { size, skew: 1.3 });
  const share =
    zone.shieldZoneId === null
      ? 0
      : Math.min(zone.traits.shieldNoise, 0.35 / zone.traits.rate) + 0.0005 / zone.traits.rate;
  const mean = (s: number) => calmRate(zone, s) * share * noiseOf(seed, s, 0.35);
  return {
    id: 6,
    seed,
    mean,
    count: countBy(seed, mean),
    fill: (row) => {
      const rule = zone.rules[Math.floor(zone.rules.length * unit(row.key, 61) ** 1.8)] as Rule;
      fillEveryday(zone, depth, row, crowd);
      if (rule.feature === 'waf' && unit(row.key, 63) < 0.7) fillMissing(row, scannedPath(hash(row.key, 64)));
      applyRule(row, rule, unit(row.key, 65) < 0.85 ? rule.action : 'logged');
    },
    classes: 28,
    rules: true,
    usual: { hit: 0.1, moved: 0, client: 0.7, server: 0 },
  };
}

export const baseStreams = (zone: Zone, depth: Depth, swell: Swell): Stream[] => [
  everyday(zone, depth, swell),
  strays(zone, depth),
  ...bots(zone, depth),
  monitor(zone, depth),
  shieldNoise(zone, depth),
];

/** Requests of somebody who is not always there: a part of all the zone's requests while it is on. */
export type Sender = {
  readonly id: number;
  readonly from: number;
  readonly to: number | null;
  readonly share: number;
  readonly crowd: Crowd;
  readonly fill: (row: Row) => void;
  readonly classes: number;
  readonly rules: boolean;
  readonly usual: Stream['usual'];
};

export function senderOf(zone: Zone, sender: Sender): Stream {
  const seed = hash(zone.seed, 300 + sender.id);
  const from = Math.floor(sender.from / 1000);
  const to = sender.to === null ? Number.POSITIVE_INFINITY : Math.floor(sender.to / 1000);
  const mean = (s: number) =>
    s < from || s >= to
      ? 0
      : calmRate(zone, s) * (sender.share / (1 - sender.share)) * noiseOf(seed, s, 0.12);
  const fill = (row: Row) => {
    fillClient(row, sender.crowd);
    sender.fill(row);
  };
  return {
    id: sender.id,
    seed,
    mean,
    count: countBy(seed, mean),
    fill,
    classes: sender.classes,
    rules: sender.rules,
    usual: sender.usual,
  };
}

/** Any page, popular or not, as a reader of the whole site asks for it. */
export const anyPage = (depth: Depth, key: number): number => {
  const { length } = depth.catalogue.pages;
  return unit(key, 66) < 0.15
    ? draw(depth.catalogue.drawer, unit(key, 4))
    : Math.floor(length * unit(key, 67));
};
