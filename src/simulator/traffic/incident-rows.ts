import { draw, hex, mix, type Rng } from '../random.ts';
import { RULES, type ShieldRule } from '../shield/rules.ts';
import { type Pool, pool, type Visitor, visitor } from './clients.ts';
import { HOSTILE_AGENTS, HOSTILE_PATHS, SCANNED_PATHS, SCANNER_AGENTS } from './hostile.ts';
import {
  attacker,
  INCIDENTS,
  type Incident,
  type IncidentKind,
  scannerAddresses,
  stuffingFingerprint,
} from './incidents.ts';
import { request, type Site } from './ordinary.ts';
import { NOUNS } from './population.ts';
import type { ShieldAction, SimRow } from './rows.ts';

/** Few enough that Shield reports each client of a flood. */
const FLOOD_CLIENTS = 700;

type Shape = {
  /** The visitors of the site when absent. */
  clients?: (incident: Incident, site: Site) => Pool;
  fill: (row: SimRow, site: Site, incident: Incident, clients: Pool, rng: Rng) => void;
};

/** The requests of each incident; `originFailure` adds none and spoils ordinary ones (see `spoil`). */
export const SHAPES: Readonly<Record<IncidentKind, Shape>> = {
  layer7Attack: {
    clients: (incident, site) => {
      const a = attacker(incident.salt);
      const agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/${100 + (incident.salt % 30)}.0.0.0 Safari/537.36`;
      return pool(FLOOD_CLIENTS, site.zone.anonymity, (i) => {
        const h = mix(incident.salt, i);
        return {
          ip: `${a.prefix}.${a.third + (h & 15)}.${1 + ((h >>> 8) % 254)}`,
          country: a.country,
          asn: a.asn,
          organization: 'Brightharbor Hosting',
          edge: 'DE',
          ua: agent,
          ja4: a.ja4,
        };
      });
    },
    fill: (row, site, incident, clients, rng) => {
      const isTold = row.index < INCIDENTS.layer7Attack.told;
      const turn = (row.second - incident.from / 1000) * INCIDENTS.layer7Attack.told + row.index;
      row.client = clients.at(isTold ? turn % clients.size : rng.below(clients.size));
      row.path = (row.h & 3) === 0 ? `/?${hex(row.h, 6)}` : `${site.paths.search}${hex(row.h, 8)}`;
      request(row, site, 'api', 39_000, rng);
      const isEarly = row.t - incident.from < 0.15 * (incident.to - incident.from);
      judge(row, site, RULES.flood, isEarly ? 'logged' : rng.chance(0.93) ? 'blocked' : 'challenged', null);
      if (row.action === null || row.action === 'logged') row.status = rng.chance(0.9) ? 200 : 503;
      if (!isTold) shed(row);
    },
  },
  scanner: {
    clients: (incident, site) => {
      const addresses = scannerAddresses(incident.salt);
      const agents = [...SCANNER_AGENTS, ...HOSTILE_AGENTS];
      return pool(addresses.length * agents.length, site.zone.anonymity, (i) => ({
        ip: addresses[i % addresses.length] as string,
        country: 'RU',
        asn: 64511,
        organization: 'Greyfield Networks',
        edge: 'PL',
        ua: agents[Math.floor(i / addresses.length)] as string,
        ja4: 't13d190900_9dc949149365_97f8aa674fd9',
      }));
    },
    fill: (row, site, _incident, clients, rng) => {
      const isHostile = rng.chance(0.06);
      const common = 3 * SCANNER_AGENTS.length;
      row.client = clients.at(isHostile ? common + rng.below(clients.size - common) : rng.below(common));
      row.path = isHostile ? rng.pick(HOSTILE_PATHS) : rng.pick(SCANNED_PATHS);
      row.isPlain = !isHostile;
      request(row, site, 'page', 1_000, rng);
      row.status = rng.chance(0.97) ? 404 : 200;
      row.cache = 'MISS';
      row.bytes = 1_500 + (row.h & 255);
      if (row.index >= INCIDENTS.scanner.told) return;
      if (row.path.startsWith('/.')) judge(row, site, RULES.restricted, 'blocked', row.path);
      else if (rng.chance(0.5))
        judge(row, site, RULES.scanner, rng.chance(0.7) ? 'blocked' : 'logged', row.client.ua);
    },
  },
  credentialStuffing: {
    clients: (incident, site) =>
      pool(2500, site.zone.anonymity, (i) => ({
        ...visitor(incident.salt, i),
        ja4: stuffingFingerprint(incident.salt),
      })),
    fill: (row, site, _incident, clients, rng) => {
      row.client = clients.at(rng.below(clients.size));
      row.path = site.paths.login;
      request(row, site, 'api', 1_200, rng);
      row.method = 'POST';
      row.scheme = 'https';
      row.cache = 'BYPASS';
      row.status = rng.chance(0.985) ? 401 : 302;
      if (row.index < INCIDENTS.credentialStuffing.told && rng.chance(0.5))
        judge(row, site, RULES.loginRate, rng.chance(0.85) ? 'blocked' : 'challenged', null);
    },
  },
  missStorm: {
    fill: (row, site, _incident, clients, rng) => {
      row.client = clients.at(draw(site.popularity, rng));
      row.path = `${site.paths.storm}?utm_id=${hex(row.h, 10)}&utm_source=mail`;
      request(row, site, 'page', 52_000, rng);
      row.status = rng.chance(0.99) ? 200 : 504;
      row.cache = rng.chance(0.97) ? 'MISS' : 'EXPIRED';
    },
  },
  originFailure: { fill: () => undefined },
  wafMisfire: {
    fill: (row, site, _incident, clients, rng) => {
      row.client = clients.at(draw(site.popularity, rng));
      const words = `select+${NOUNS[row.h % NOUNS.length]}+from+union+${NOUNS[(row.h >>> 8) % NOUNS.length]}`;
      row.path = `${site.paths.search}${words}`;
      request(row, site, 'page', 39_000, rng);
      row.referer = `https://${row.host}/`;
      judge(row, site, RULES.sqli, 'blocked', words.replaceAll('+', ' '));
    },
  },
};

/**
 * An origin that fails by `extent`, of 1: what was cached is served stale, the rest is an error. Depends on these
 * alone.
 */
export function spoil(row: SimRow, extent: number): void {
  const bits = (mix(row.h, 0x0f41) & 1023) / extent;
  if (row.cache === 'HIT' || row.cache === 'REVALIDATED') {
    if (bits < 380) row.cache = bits < 240 ? 'STALE' : 'UPDATING';
  } else if (row.cache !== '-' && bits < 700) {
    row.status = bits < 420 ? 502 : bits < 580 ? 503 : 504;
    row.bytes = 620;
    row.bodyBytes = null;
    row.range = null;
  } else if (row.cache === 'EXPIRED') {
    row.cache = 'STALE';
  }
}

/** Shield's verdict. A blocked or challenged request is answered by the edge, as a 403 that never met the cache. */
export function judge(
  row: SimRow,
  site: Site,
  rule: ShieldRule,
  wanted: ShieldAction,
  matched: string | null,
): void {
  if (site.zone.shieldZoneId === null) return;
  const action = site.zone.wafBlocks ? wanted : 'logged';
  row.rule = rule;
  row.action = action;
  row.matched = matched ?? rule.matched;
  if (action === 'logged') return;
  row.scheme = 'https';
  row.status = 403;
  row.cache = '-';
  row.bytes = (action === 'blocked' ? 1_894 : 3_310) + (row.h & 63);
  row.bodyBytes = null;
  row.range = null;
}

/** A flood's request that Shield does not report; none is served, so none looks like a good client's. */
function shed(row: SimRow): void {
  if (row.action === 'logged') row.status = 503;
  row.rule = null;
  row.action = null;
  row.matched = null;
}

/** Stands in until a row is filled. */
export const NOBODY: Visitor = {
  ip: '',
  country: '',
  asn: 0,
  organization: '',
  edge: '',
  ua: null,
  ja4: null,
  loggedIp: null,
  json: '',
};
