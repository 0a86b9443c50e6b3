import type { SiteKind } from './sites.ts';

export type Anonymity = 'none' | 'lastOctet' | 'drop';

/** What sets a zone apart; everything else follows from its place in the list. */
export type ZonePlan = {
  name: string;
  site: SiteKind;
  /** Share of the busiest zone's rate, and the most that this zone takes of it in rows per second. */
  share: number;
  most: number;
  hosts: readonly string[];
  shield: boolean;
  enabled?: boolean;
  suspended?: boolean;
  logging?: boolean;
  anonymity?: Anonymity;
  /** False = the WAF only logs. */
  wafBlocks?: boolean;
  extendedLines?: boolean;
  /** Number of the storage zone it is fed from. */
  storage?: number;
};

/** The zones every account has, in the order of their ids; the first is the busiest. */
export const ZONE_PLANS: readonly ZonePlan[] = [
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
    anonymity: 'lastOctet',
    storage: 2,
  }),
  plan('images-us', 'news', 0.12, 10, ['img-us.harborpost.example'], { shield: false }),
  plan('checkout', 'shop', 0.06, 5, ['pay.northwind.example']),
  plan('mobile-api', 'api', 0.15, 12, ['m-api.northwind.example'], { anonymity: 'drop' }),
  plan('status-page', 'docs', 0.01, 0.5, ['status.northwind.example'], { shield: false }),
  plan('game-patches', 'downloads', 0.05, 4, ['patch.emberfall.example'], { storage: 3 }),
  plan('live-events', 'video', 0.1, 8, ['live.emberfall.example']),
  plan('staging-shop', 'shop', 0.00125, 0.05, [], { wafBlocks: false }),
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
