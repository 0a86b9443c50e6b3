import { type Crowd, crowdOf, ipOf, ja4Of, type Network } from './place.ts';
import { hash } from './random.ts';
import { CLASSES, type Row } from './rows.ts';
import type { Part, Setting } from './setting.ts';
import { senderOf } from './streams.ts';
import type { Named } from './truth.ts';
import { HOSTERS, TOOLS } from './vocabulary.ts';
import type { Zone } from './zone.ts';

export type Gang = { readonly crowd: Crowd; readonly names: readonly Named[] };
type GangWish = {
  readonly size: number;
  readonly skew: number;
  readonly by: 'asn' | 'ja4' | 'ip';
  readonly tool: boolean;
};

/** Clients that have one network, one way to greet, or one address in common. */
export function gangOf(s: Setting, zone: Zone, wish: GangWish): Gang {
  const { place } = zone.inDepth();
  const { dice } = s;
  const rented = place.networks.filter((n) => HOSTERS.some((h) => n.org.startsWith(h)));
  const fresh: Network = {
    asn: 400_000 + dice.int(1, 900) * 7,
    org: `${dice.pick(HOSTERS)} ${dice.int(2, 9)}`,
    country: dice.pick(place.countries.slice(0, 25)),
  };
  // Some rent where ordinary clients of the zone are at home, too.
  const network = rented.length > 0 && dice.chance(0.35) ? dice.pick(rented) : fresh;
  const ua = dice.pick(TOOLS);
  const ja4 = ja4Of(hash(zone.seed, dice.int(1, 1e6)));
  const crowd = crowdOf(place, hash(zone.seed, 700 + dice.int(1, 1e6)), {
    size: wish.size,
    skew: wish.skew,
    ...(wish.by === 'ja4' ? {} : { network }),
    ...(wish.tool ? { ua } : {}),
    ...(wish.by === 'ja4' || wish.tool ? { ja4 } : {}),
  });
  const names: Named[] = [];
  if (wish.by !== 'ja4') names.push({ field: 'asn', value: String(network.asn) });
  if (wish.by === 'ja4' || wish.tool) names.push({ field: 'ja4', value: ja4 });
  if (wish.tool) names.push({ field: 'ua', value: ua });
  if (wish.size === 1) {
    const ip = ipOf(crowd, 0);
    names.unshift({ field: 'ip', value: ip });
    if (zone.traits.anonymous === 0) names.push({ field: 'ip', value: shownIp(zone, ip) });
  }
  return { crowd, names };
}

/** An address as the zone's settings let the log show it. */
export function shownIp(zone: Zone, ip: string): string {
  if (zone.traits.anonymous === null) return ip;
  if (zone.traits.anonymous === 1) return ip.includes(':') ? '::' : '0.0.0.0';
  return ip.includes(':') ? `${ip.split('::')[0]}::` : ip.replace(/\d+$/, '0');
}

type Sent = {
  readonly id: number;
  readonly from: number;
  readonly to: number | null;
  readonly share: number;
  readonly gang: Gang;
  readonly names?: readonly Named[];
  readonly what?: 'sender' | 'misses';
  readonly fill: (row: Row) => void;
  readonly rules?: boolean;
  readonly usual: { hit: number; moved: number; client: number; server: number };
};

export function senderPart(zone: Zone, sent: Sent): Part {
  const stream = senderOf(zone, {
    ...sent,
    crowd: sent.gang.crowd,
    classes: CLASSES.ok | CLASSES.moved | CLASSES.client,
    rules: sent.rules ?? false,
  });
  return {
    cause: {
      what: sent.what ?? 'sender',
      from: sent.from,
      fromSlack: 0,
      to: sent.to,
      share: sent.share,
      names: [...sent.gang.names, ...(sent.names ?? [])],
      code: null,
      change: null,
    },
    effects: [],
    streams: [stream],
    changes: [],
  };
}
