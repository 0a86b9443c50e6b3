import { mix } from '../random.ts';
import { NOUNS } from '../traffic/population.ts';
import type { SiteKind } from '../traffic/sites.ts';

/** One pull zone of the simulated account. */
export type SimZone = {
  index: number;
  id: number;
  name: string;
  site: SiteKind;
  /** Mean rows per second of ordinary traffic. */
  rate: number;
  /** Custom hostnames first, the platform's own last. */
  hostnames: readonly string[];
  enabled: boolean;
  suspended: boolean;
  logging: boolean;
  anonymity: Anonymity;
  shieldZoneId: number | null;
  /** False = the WAF only logs. */
  wafBlocks: boolean;
  /** v1 lines have three more fields. */
  extendedLines: boolean;
  /** Null where a storage zone is the origin. */
  originUrl: string | null;
  storageZoneId: number | null;
  /** The storage zone that stores its log lines for good; null = none. */
  logStorageId: number | null;
  salt: number;
};

/** A row every four minutes or so. */
const QUIET_RATE = 0.004;
const FIRST_PULL_ZONE = 1284031;
const FIRST_SHIELD_ZONE = 90417;
export const FIRST_STORAGE_ZONE = 605220;
/** Number of the storage zone for log lines: one that serves no pull zone. */
const LOG_STORAGE = 4;
/** The one origin that zones share. */
export const SHARED_ORIGIN = 'https://orders.northwind.example';

/** The account's pull zones, ascending by id: the planned ones, then as many small ones as `count` needs. */
export function accountZones(
  seed: number,
  busiestRate: number,
  count: number = ZONE_PLANS.length,
): SimZone[] {
  return Array.from({ length: Math.max(count, 1) }, (_, index) => {
    const plan = ZONE_PLANS[index] ?? extraPlan(seed, index);
    return {
      index,
      id: FIRST_PULL_ZONE + index * 37,
      name: plan.name,
      site: plan.site,
      rate: plan.enabled === false ? 0 : Math.min(plan.share * busiestRate, plan.most) || QUIET_RATE,
      hostnames: [...plan.hosts, `${plan.name}.b-cdn.example`],
      enabled: plan.enabled ?? true,
      suspended: plan.suspended ?? false,
      logging: plan.logging ?? true,
      anonymity: plan.anonymity ?? 'none',
      shieldZoneId: plan.shield ? FIRST_SHIELD_ZONE + index * 11 : null,
      wafBlocks: plan.wafBlocks ?? true,
      extendedLines: plan.extendedLines ?? false,
      originUrl: plan.storage === undefined ? (plan.origin ?? `https://origin.${plan.name}.example`) : null,
      storageZoneId: plan.storage === undefined ? null : FIRST_STORAGE_ZONE + plan.storage * 13,
      logStorageId: plan.keepsLogs ? FIRST_STORAGE_ZONE + LOG_STORAGE * 13 : null,
      salt: mix(mix(seed, 0x20e5), index),
    };
  });
}

function extraPlan(seed: number, index: number): ZonePlan {
  const h = mix(mix(seed, 0xe17a), index);
  const sites: readonly SiteKind[] = ['shop', 'news', 'docs', 'api', 'downloads', 'video'];
  const name = `${NOUNS[h % NOUNS.length]}-${NOUNS[(h >>> 8) % NOUNS.length]}-${index}`;
  return {
    name,
    site: sites[(h >>> 16) % sites.length] as SiteKind,
    share: 0.01,
    most: ((h >>> 20) % 100) / 200 + 0.01,
    hosts: [`www.${name}.example`],
    shield: h % 3 === 0,
    logging: h % 17 !== 0,
    suspended: h % 41 === 0,
    anonymity: h % 5 === 0 ? 'lastOctet' : h % 7 === 0 ? 'drop' : 'none',
  };
}

export type Anonymity = 'none' | 'lastOctet' | 'drop';

/** What makes a zone special; everything else follows from its place in the list. */
type ZonePlan = Pick<SimZone, 'name' | 'site'> &
  Partial<
    Pick<SimZone, 'enabled' | 'suspended' | 'logging' | 'anonymity' | 'wafBlocks' | 'extendedLines'>
  > & {
    /** The zone's share of the busiest zone's rate, and its bound in rows per second. */
    share: number;
    most: number;
    hosts: readonly string[];
    shield: boolean;
    /** Its own when absent. */
    origin?: string;
    /** Number of the storage zone it is fed from. */
    storage?: number;
    /** Its log lines are stored for good. */
    keepsLogs?: boolean;
  };

/** The zones every account has, in the order of their ids; the first is the busiest. */
const ZONE_PLANS: readonly ZonePlan[] = [
  plan('shop-frontend', 'shop', 1, Infinity, ['shop.northwind.example', 'www.northwind.example']),
  plan('media-video', 'video', 0.35, 25, ['video.northwind.example'], { anonymity: 'lastOctet', storage: 0 }),
  plan('api-gateway', 'api', 0.25, 20, ['api.northwind.example'], { extendedLines: true }),
  plan('news-portal', 'news', 0.2, 15, ['news.harborpost.example', 'harborpost.example'], {
    anonymity: 'lastOctet',
  }),
  plan('docs-site', 'docs', 0.08, 6, ['docs.northwind.example'], { anonymity: 'drop', wafBlocks: false }),
  plan('downloads', 'downloads', 0.1, 8, ['dl.northwind.example'], { shield: false, storage: 1 }),
  plan('quiet-landing', 'docs', 0, 0, ['landing.quietfield.example']),
  plan('legacy-no-logs', 'shop', 0.05, 2, ['old.northwind.example'], { shield: false, logging: false }),
  plan('suspended-promo', 'shop', 0.02, 1, ['promo.northwind.example'], { shield: false, suspended: true }),
  plan('images-eu', 'news', 0.12, 10, ['img.harborpost.example'], {
    shield: false,
    keepsLogs: true,
    anonymity: 'lastOctet',
    storage: 2,
  }),
  plan('images-us', 'news', 0.12, 10, ['img-us.harborpost.example'], { shield: false }),
  plan('checkout', 'shop', 0.06, 5, ['pay.northwind.example'], { origin: SHARED_ORIGIN, keepsLogs: true }),
  plan('mobile-api', 'api', 0.15, 12, ['m-api.northwind.example'], {
    anonymity: 'drop',
    origin: SHARED_ORIGIN,
  }),
  plan('status-page', 'docs', 0.01, 0.5, ['status.northwind.example'], { shield: false }),
  plan('game-patches', 'downloads', 0.05, 4, ['patch.emberfall.example'], { storage: 3 }),
  plan('live-events', 'video', 0.1, 8, ['live.emberfall.example']),
  plan('staging-shop', 'shop', 0.00125, 0.05, [], { wafBlocks: false, keepsLogs: true }),
  plan('disabled-archive', 'docs', 0, 0, ['archive.northwind.example'], { shield: false, enabled: false }),
];

function plan(
  name: string,
  site: SiteKind,
  share: number,
  most: number,
  hosts: readonly string[],
  more: Partial<ZonePlan> = {},
): ZonePlan {
  return { name, site, share, most, hosts, shield: true, ...more };
}
