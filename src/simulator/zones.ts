import { NOUNS } from './population.ts';
import { mix } from './random.ts';
import type { SiteKind } from './sites.ts';
import { type Anonymity, ZONE_PLANS, type ZonePlan } from './zone-plans.ts';

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
  /** v1 lines carry three more fields. */
  extendedLines: boolean;
  storageZoneId: number | null;
  salt: number;
};

/** A row every four minutes or so. */
const QUIET_RATE = 0.004;
const FIRST_PULL_ZONE = 1284031;
const FIRST_SHIELD_ZONE = 90417;
export const FIRST_STORAGE_ZONE = 605220;

/** The account's pull zones, ascending by id: the planned ones, then as many small ones as `count` asks for. */
export function accountZones(
  seed: number,
  busiestRate: number,
  count: number = ZONE_PLANS.length,
): SimZone[] {
  return Array.from({ length: Math.max(count, 1) }, (_, index) => {
    const plan = ZONE_PLANS[index] ?? extraPlan(seed, index);
    return zoneFrom(plan, index, seed, busiestRate);
  });
}

function zoneFrom(plan: ZonePlan, index: number, seed: number, busiestRate: number): SimZone {
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
    storageZoneId: plan.storage === undefined ? null : FIRST_STORAGE_ZONE + plan.storage * 13,
    salt: mix(mix(seed, 0x20e5), index),
  };
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
