import { type Dice, diceOf, draw, drawerOf, hash, hashOfText, unit, zipf } from './random.ts';
import { BROWSERS, COUNTRIES, EDGES, FAMILIES, HOSTERS, networkName } from './vocabulary.ts';

/** Where a zone's clients come from, and which of the platform's places answer them. */
export type Network = { readonly asn: number; readonly org: string; readonly country: string };
export type Place = {
  readonly countries: readonly string[];
  readonly networks: readonly Network[];
  readonly edges: readonly string[];
  readonly seed: number;
};

/** Many clients of one making. Each is an index; the early ones are the busy ones. */
export type Crowd = {
  readonly place: Place;
  readonly seed: number;
  readonly size: number;
  readonly skew: number;
  readonly networks: readonly Network[];
  readonly uas: readonly (string | null)[];
  readonly ja4s: readonly (string | null)[];
  readonly country: readonly string[];
  readonly network: Uint16Array;
  readonly edge: Uint8Array;
  readonly ua: Uint8Array;
  readonly ja4: Uint8Array;
  readonly ips: (string | undefined)[];
  readonly texts: (string | undefined)[];
};

export function shuffled<T>(dice: Dice, list: readonly T[]): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = dice.int(0, i);
    [copy[i], copy[j]] = [copy[j] as T, copy[i] as T];
  }
  return copy;
}

export function placeOf(seed: number): Place {
  const dice = diceOf(hash(seed, 11));
  // A market is at home somewhere: the first countries of the list are its own.
  const near = shuffled(dice, COUNTRIES.slice(0, 16));
  const countries = [...near, ...shuffled(dice, COUNTRIES.slice(16))].slice(
    0,
    dice.int(20, COUNTRIES.length),
  );
  const wanted = dice.int(Math.max(30, countries.length), 300);
  const networks: Network[] = [];
  const byWeight = drawerOf(zipf(countries.length, 0.9));
  for (let i = 0; i < wanted; i += 1) {
    const country = countries[i < countries.length ? i : draw(byWeight, dice.next())] as string;
    const hoster = i >= countries.length && dice.chance(0.12);
    const org = hoster ? `${dice.pick(HOSTERS)} ${i}` : networkName(country, i);
    networks.push({
      asn: (i % 3 === 0 ? 196_608 : 1000) + i * 211 + (hash(seed, 3000 + i) % 200),
      org,
      country,
    });
  }
  return { countries, networks, edges: shuffled(dice, EDGES).slice(0, dice.int(10, EDGES.length)), seed };
}

export function ja4Of(key: number): string {
  const h = (n: number) => hash(key, n).toString(16).padStart(8, '0');
  return `t13d${15 + (key % 4)}${10 + (key % 8)}h2_${h(1)}${h(2).slice(0, 4)}_${h(3)}${h(4).slice(0, 4)}`;
}

/** The nearest place of the platform. Neighbours share one now and then. */
export const edgeOf = (place: Place, country: string): number => {
  const rank = Math.max(0, place.countries.indexOf(country));
  const key = hash(place.seed ^ 0x77, hashOfText(country));
  return unit(key, 1) < 0.75 ? rank % place.edges.length : key % place.edges.length;
};

export type CrowdWish = {
  readonly size: number;
  readonly skew: number;
  readonly network?: Network;
  readonly ua?: string;
  readonly ja4?: string | null;
  readonly hosters?: boolean;
};

const SOME_JA4S: readonly string[] = FAMILIES.flatMap((f) =>
  [0, 1, 2].map((n) => ja4Of(hashOfText(`${f}${n}`))),
);

export function crowdOf(place: Place, seed: number, wish: CrowdWish): Crowd {
  const { size } = wish;
  const networks = wish.network === undefined ? place.networks : [wish.network];
  const uas = wish.ua === undefined ? [...BROWSERS.map((b) => b.ua), null] : [wish.ua];
  const ja4s = wish.ja4 === undefined ? [...SOME_JA4S, null] : [wish.ja4];
  const byCountry = drawerOf(zipf(place.countries.length, 0.85 + 0.4 * unit(seed, 1)));
  const home = place.countries.map((c) => networks.flatMap((n, i) => (n.country === c ? [i] : [])));
  const all = networks.map((_, i) => i);
  const byBrowser = drawerOf(zipf(BROWSERS.length, 0.8));
  const order = shuffled(
    diceOf(hash(place.seed, 12)),
    BROWSERS.map((_, i) => i),
  );
  const country: string[] = [];
  const crowd = {
    network: new Uint16Array(size),
    edge: new Uint8Array(size),
    ua: new Uint8Array(size),
    ja4: new Uint8Array(size),
  };
  const edges = new Map(place.countries.map((c) => [c, edgeOf(place, c)]));
  for (let c = 0; c < size; c += 1) {
    const key = hash(seed, 5000 + c);
    const at = draw(byCountry, unit(key, 2));
    const near = home[at] as number[];
    const list = near.length === 0 || unit(key, 3) < 0.05 ? all : near;
    const network = list[Math.floor(list.length * unit(key, 4) ** 2)] as number;
    const own = wish.network !== undefined && unit(key, 5) < 0.9;
    country.push(own ? (networks[network] as Network).country : (place.countries[at] as string));
    crowd.network[c] = network;
    crowd.edge[c] = edges.get(country[c] as string) ?? edgeOf(place, country[c] as string);
    if (wish.ua === undefined) {
      const browser = order[draw(byBrowser, unit(key, 6))] as number;
      const family = FAMILIES.indexOf((BROWSERS[browser] as { family: string }).family);
      crowd.ua[c] = unit(key, 7) < 0.006 ? BROWSERS.length : browser;
      if (wish.ja4 === undefined)
        crowd.ja4[c] =
          unit(key, 8) < 0.08 ? SOME_JA4S.length : family * 3 + Math.floor(3 * unit(key, 9) ** 2);
    } else if (wish.ja4 === undefined) crowd.ja4[c] = hash(seed, 10) % SOME_JA4S.length;
  }
  return { place, seed, size, skew: wish.skew, networks, uas, ja4s, country, ...crowd, ips: [], texts: [] };
}

export const clientAt = (crowd: Crowd, u: number): number =>
  Math.min(crowd.size - 1, Math.floor(crowd.size * u ** crowd.skew));

/** The share of each country or edge among a crowd's requests. */
export function sharesOf<T>(crowd: Crowd, of: (client: number) => T): Map<T, number> {
  const shares = new Map<T, number>();
  let before = 0;
  for (let c = 0; c < crowd.size; c += 1) {
    const upTo = ((c + 1) / crowd.size) ** (1 / crowd.skew);
    shares.set(of(c), (shares.get(of(c)) ?? 0) + upTo - before);
    before = upTo;
  }
  return shares;
}

export function ipOf(crowd: Crowd, client: number): string {
  const known = crowd.ips[client];
  if (known !== undefined) return known;
  const key = hash(crowd.seed, 900_000 + client);
  const prefix = hash((crowd.networks[crowd.network[client] as number] as Network).asn, 77);
  // First octets of public space only: 23 to 95.
  const v4 = `${23 + (prefix % 73)}.${(prefix >>> 8) & 255}.${key & 255}.${1 + ((key >>> 8) % 254)}`;
  const v6 = `2a0${prefix % 10}:${((prefix >>> 4) & 0xffff).toString(16)}:${(key & 0xffff).toString(16)}:${(key >>> 20).toString(16)}::${((key >>> 9) & 0xfff).toString(16)}`;
  const ip = unit(key, 1) < 0.82 ? v4 : v6;
  crowd.ips[client] = ip;
  return ip;
}
