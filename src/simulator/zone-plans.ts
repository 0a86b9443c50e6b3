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
  {
    name: 'shop-frontend',
    site: 'shop',
    share: 1,
    most: Infinity,
    hosts: ['shop.northwind.example', 'www.northwind.example'],
    shield: true,
  },
  {
    name: 'media-video',
    site: 'video',
    share: 0.35,
    most: 25,
    hosts: ['video.northwind.example'],
    shield: true,
    anonymity: 'lastOctet',
    storage: 0,
  },
  {
    name: 'api-gateway',
    site: 'api',
    share: 0.25,
    most: 20,
    hosts: ['api.northwind.example'],
    shield: true,
    extendedLines: true,
  },
  {
    name: 'news-portal',
    site: 'news',
    share: 0.2,
    most: 15,
    hosts: ['news.harborpost.example', 'harborpost.example'],
    shield: true,
    anonymity: 'lastOctet',
  },
  {
    name: 'docs-site',
    site: 'docs',
    share: 0.08,
    most: 6,
    hosts: ['docs.northwind.example'],
    shield: true,
    anonymity: 'drop',
    wafBlocks: false,
  },
  {
    name: 'downloads',
    site: 'downloads',
    share: 0.1,
    most: 8,
    hosts: ['dl.northwind.example'],
    shield: false,
    storage: 1,
  },
  {
    name: 'quiet-landing',
    site: 'docs',
    share: 0,
    most: 0,
    hosts: ['landing.quietfield.example'],
    shield: true,
  },
  {
    name: 'legacy-no-logs',
    site: 'shop',
    share: 0.05,
    most: 2,
    hosts: ['old.northwind.example'],
    shield: false,
    logging: false,
  },
  {
    name: 'suspended-promo',
    site: 'shop',
    share: 0.02,
    most: 1,
    hosts: ['promo.northwind.example'],
    shield: false,
    suspended: true,
  },
  {
    name: 'images-eu',
    site: 'news',
    share: 0.12,
    most: 10,
    hosts: ['img.harborpost.example'],
    shield: false,
    anonymity: 'lastOctet',
    storage: 2,
  },
  {
    name: 'images-us',
    site: 'news',
    share: 0.12,
    most: 10,
    hosts: ['img-us.harborpost.example'],
    shield: false,
  },
  { name: 'checkout', site: 'shop', share: 0.06, most: 5, hosts: ['pay.northwind.example'], shield: true },
  {
    name: 'mobile-api',
    site: 'api',
    share: 0.15,
    most: 12,
    hosts: ['m-api.northwind.example'],
    shield: true,
    anonymity: 'drop',
  },
  {
    name: 'status-page',
    site: 'docs',
    share: 0.01,
    most: 0.5,
    hosts: ['status.northwind.example'],
    shield: false,
  },
  {
    name: 'game-patches',
    site: 'downloads',
    share: 0.05,
    most: 4,
    hosts: ['patch.emberfall.example'],
    shield: true,
    storage: 3,
  },
  {
    name: 'live-events',
    site: 'video',
    share: 0.1,
    most: 8,
    hosts: ['live.emberfall.example'],
    shield: true,
  },
  {
    name: 'staging-shop',
    site: 'shop',
    share: 0.00125,
    most: 0.05,
    hosts: [],
    shield: true,
    wafBlocks: false,
  },
  {
    name: 'disabled-archive',
    site: 'docs',
    share: 0,
    most: 0,
    hosts: ['archive.northwind.example'],
    shield: false,
    enabled: false,
  },
];
