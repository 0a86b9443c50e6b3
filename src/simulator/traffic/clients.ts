import type { Anonymity } from '../account/account-zones.ts';
import { draw, mix, Rng } from '../random.ts';
import { type AddressPool, AGENTS, agentSampler, NETWORKS, networkSampler } from './population.ts';

/** Somebody who sends requests. */
export type Visitor = {
  ip: string;
  /** Alpha-2; empty when it is not known. */
  country: string;
  asn: number;
  organization: string;
  edge: string;
  ua: string | null;
  ja4: string | null;
  /** The address as this zone's CDN log shows it. */
  loggedIp: string | null;
  /** Its part of a logs v2 entry, serialised on first use: Shield never sends it. */
  readonly json: string;
};

/** Clients by number, made when first asked for. */
export type Pool = { size: number; at(index: number): Visitor };

type ClientParts = Pick<Visitor, 'ip' | 'country' | 'asn' | 'organization' | 'edge' | 'ua' | 'ja4'>;

/** `make` must depend on its argument alone, so that a client is the same in every read. */
export function pool(size: number, anonymity: Anonymity, make: (index: number) => ClientParts): Pool {
  const made = new Array<Visitor | undefined>(size);
  return {
    size,
    at: (index) => {
      const known = made[index];
      if (known !== undefined) return known;
      const parts = make(index);
      const loggedIp = anonymise(parts.ip, anonymity);
      let json: string | null = null;
      const client = {
        ...parts,
        loggedIp,
        get json() {
          json ??= clientJson(parts, loggedIp, mix(index, size));
          return json;
        },
      };
      made[index] = client;
      return client;
    },
  };
}

/** An ordinary visitor: network, address and browser by their shares; one in six over IPv6. */
export function visitor(salt: number, index: number): ClientParts {
  const rng = new Rng(mix(salt, index));
  const network = NETWORKS[draw(networkSampler, rng)] as AddressPool;
  const agent = AGENTS[draw(agentSampler, rng)] as (typeof AGENTS)[number];
  const h = rng.next();
  const ip =
    h % 6 === 0
      ? `2001:db8:${network.asn.toString(16)}:${(h >>> 16).toString(16)}::${(1 + ((h >>> 4) % 4095)).toString(16)}`
      : `${network.prefix}.${(h >>> 8) & 255}.${1 + ((h >>> 16) % 254)}`;
  return {
    ip,
    country: h % 97 === 0 ? '' : network.country,
    asn: network.asn,
    organization: network.organization,
    edge: rng.chance(0.93) ? network.edge : (NETWORKS[rng.below(NETWORKS.length)] as AddressPool).edge,
    ua: rng.chance(0.995) ? agent.text : null,
    ja4: rng.chance(0.97) ? agent.ja4 : null,
  };
}

/** Last octet → `a.b.c.0`, or the /64 of an IPv6 address; drop → nothing. */
export function anonymise(ip: string, anonymity: Anonymity): string | null {
  if (anonymity === 'none') return ip;
  if (anonymity === 'drop') return null;
  return ip.includes(':')
    ? `${ip.split(':').slice(0, 4).join(':')}::`
    : `${ip.slice(0, ip.lastIndexOf('.'))}.0`;
}

/** Unknown values are null for some clients and absent for others, as in the field. */
function clientJson(c: ClientParts, loggedIp: string | null, h: number): string {
  const omitNulls = (h & 1) === 0;
  const hasNetwork = h % 50 !== 0;
  const known = {
    edgeLocation: c.edge,
    remoteIp: loggedIp,
    countryCode: c.country || null,
    userAgent: c.ua,
    ja4Fingerprint: c.ja4,
    asn: hasNetwork ? c.asn : null,
    asnOrganization: hasNetwork ? c.organization : null,
  };
  return JSON.stringify(known, (_, value) => (value === null && omitNulls ? undefined : value)).slice(1, -1);
}
