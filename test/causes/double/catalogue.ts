import { type Dice, type Drawer, diceOf, drawerOf, hash, hashOfText, sum, unit, zipf } from './random.ts';
import { MISSING, type PageKind, SECTIONS, WORDS } from './vocabulary.ts';

export type Query = 'none' | 'version' | 'page' | 'search' | 'id' | 'utm';
export type Page = {
  readonly path: string;
  readonly kind: PageKind;
  readonly section: string;
  readonly query: Query;
  readonly host: string;
  readonly size: number;
};
export type Catalogue = {
  readonly pages: readonly Page[];
  readonly weights: readonly number[];
  readonly drawer: Drawer;
  /** How likely each page is answered from the cache. */
  readonly hits: Float64Array;
  readonly missing: readonly string[];
  readonly focus: Focus | null;
  readonly view: View | null;
};
/** How many images stand in a page of a zone whose requests come as page views. */
export type Visits = { readonly images: readonly [number, number] };
/** What a client asks for in one go, and how many requests that is on average. */
export type View = {
  readonly mean: number;
  readonly parts: readonly {
    readonly drawer: Drawer;
    readonly least: number;
    readonly most: number;
    /** Milliseconds from the first request on. */
    readonly within: number;
    /** One page again and again. */
    readonly again?: boolean;
  }[];
};
/** The pages that a scene needs to have a share of their own. */
export type Focus = {
  readonly name: string;
  readonly share: number;
  readonly inside: Uint8Array;
  readonly misses: number;
};
export type FocusWish = {
  readonly what: 'section' | 'page';
  readonly share: number;
  readonly kinds?: readonly PageKind[];
};

const MISS: Record<PageKind, number> = {
  html: 0.25,
  asset: 0.015,
  image: 0.05,
  media: 0.1,
  api: 1,
  redirect: 0.3,
};
const SIZE: Record<PageKind, number> = {
  html: 24_000,
  asset: 42_000,
  image: 65_000,
  media: 900_000,
  api: 1800,
  redirect: 300,
};

const queryOf = (dice: Dice, kind: PageKind): Query => {
  if (kind === 'asset') return dice.chance(0.4) ? 'version' : 'none';
  if (kind === 'api') return dice.pick(['none', 'id', 'search', 'page'] as const);
  if (kind === 'html') return dice.pick(['none', 'utm', 'utm', 'page'] as const);
  return 'none';
};

function pagesOf(dice: Dice, hosts: readonly string[], count: number): { pages: Page[]; weights: number[] } {
  const first = SECTIONS.slice(0, 5);
  const others = SECTIONS.slice(5).filter(() => dice.chance(0.6));
  const sections = [...first, ...others].sort(() => dice.next() - 0.5);
  const own = sections.map((s, i) => ({ ...s, weight: 1 / (i + 1) ** 0.7, host: dice.pick(hosts), n: 0 }));
  const page = (path: string, kind: PageKind, section: string, host: string): Page => ({
    path,
    kind,
    section,
    query: path === '/' || path === '/login' ? 'none' : queryOf(dice, kind),
    host,
    size: Math.round(SIZE[kind] * dice.wide(0.2, 5)),
  });
  const main = hosts[0] as string;
  const pages = [page('/', 'html', '/', main), page('/login', 'api', '/login', main)];
  const weights = [0.3, 0.015];
  const skew = dice.between(0.75, 1.1);
  for (let i = 2; i < count; i += 1) {
    const section = i < 2 + own.length ? own[i - 2] : dice.pick(own);
    if (section === undefined) continue;
    section.n += 1;
    const name = `${dice.pick(WORDS)}-${dice.pick(WORDS)}`;
    const tail = section.kind === 'asset' ? `.${dice.hex(8)}${section.tail}` : section.tail;
    pages.push(page(`${section.prefix}${name}-${i}${tail}`, section.kind, section.prefix, section.host));
    weights.push(section.weight / section.n ** skew);
  }
  return { pages, weights };
}

function raise(weights: number[], inside: (i: number) => boolean, share: number): void {
  const total = sum(weights);
  const own = sum(weights.filter((_, i) => inside(i)));
  if (own === 0 || own === total) return;
  const by = (share * (total - own)) / ((1 - share) * own);
  for (let i = 0; i < weights.length; i += 1) if (inside(i)) weights[i] = (weights[i] as number) * by;
}

/** Requests of each kind that a page view has on average; how much of all is never cached stays as it is. */
const IN_VIEW: Partial<Record<PageKind, number>> = { html: 1, asset: 6, media: 0.2, redirect: 0.05 };

function asViews(pages: readonly Page[], weights: number[], { images }: Visits): View {
  const wanted = { ...IN_VIEW, image: sum(images) / 2 };
  const inside = (kinds: readonly PageKind[]) =>
    weights.map((w, i) => (kinds.includes((pages[i] as Page).kind) ? w : 0));
  const there = Object.entries(wanted).flatMap(([kind, n]) => {
    const weight = sum(inside([kind as PageKind]));
    return weight === 0 ? [] : [{ kind, n, weight }];
  });
  const one = sum(there.map(({ weight }) => weight)) / sum(there.map(({ n }) => n));
  const by = new Map<string, number>(there.map(({ kind, n, weight }) => [kind, (n * one) / weight]));
  for (const [i, w] of weights.entries()) weights[i] = w * (by.get((pages[i] as Page).kind) ?? 1);
  const part = (kinds: readonly PageKind[], least: number, most: number, within: number) => ({
    ...{ drawer: drawerOf(inside(kinds)), least, most, within },
  });
  const others = ['api', 'media', 'redirect'] as const;
  return {
    mean: sum(weights) / one,
    parts: [
      part(['html'], 1, 1, 0),
      part(['asset'], 3, 9, 1000),
      part(['image'], ...images, 2950),
      part(others, 0, (2 * sum(inside(others))) / one, 2950),
    ],
  };
}

/** What is never cached stays so; the other pages miss as often as the zone's hit ratio wants. */
function hitsOf(pages: readonly Page[], weights: readonly number[], hit: number): Float64Array {
  const total = sum(weights);
  const raw = pages.map((p, i) => MISS[p.kind] * (0.6 + (0.8 * i) / pages.length));
  const misses = (by: number) =>
    sum(
      pages.map(
        (p, i) =>
          ((weights[i] as number) / total) * (p.kind === 'api' ? 1 : Math.min(0.97, (raw[i] as number) * by)),
      ),
    );
  let low = 0;
  let high = 400;
  for (let n = 0; n < 40; n += 1) {
    const middle = (low + high) / 2;
    if (misses(middle) < 1 - hit) low = middle;
    else high = middle;
  }
  return Float64Array.from(pages, (p, i) =>
    p.kind === 'api' ? 0 : 1 - Math.min(0.97, (raw[i] as number) * low),
  );
}

export function catalogueOf(
  seed: number,
  hosts: readonly string[],
  hit: number,
  wish: FocusWish | null,
  visits: Visits | null,
): Catalogue {
  const dice = diceOf(hash(seed, 21));
  const { pages, weights } = pagesOf(dice, hosts, Math.round(dice.wide(200, 2000)));
  raise(weights, (i) => pages[i]?.kind === 'api', (1 - hit) * dice.between(0.2, 0.6));
  let focus: Focus | null = null;
  const inside = new Uint8Array(pages.length);
  let name = '';
  if (wish !== null) {
    const kinds = wish.kinds ?? ['html', 'api'];
    const fit = pages.flatMap((p, i) => (i >= 2 && kinds.includes(p.kind) ? [i] : []));
    const chosen = pages[dice.pick(fit.slice(0, 40))] as Page;
    name = wish.what === 'section' ? chosen.section : chosen.path;
    for (const [i, p] of pages.entries())
      if (wish.what === 'section' ? p.section === name : p.path === name) inside[i] = 1;
    raise(weights, (i) => inside[i] === 1, wish.share);
  }
  const view = visits === null ? null : asViews(pages, weights, visits);
  const hits = hitsOf(pages, weights, hit);
  if (wish !== null) {
    const total = sum(weights);
    const own = sum(weights.filter((_, i) => inside[i] === 1));
    const missed = sum(weights.map((w, i) => (inside[i] === 1 ? w * (1 - (hits[i] as number)) : 0)));
    focus = { name, share: own / total, inside, misses: missed / own };
  }
  const missing = [
    ...MISSING,
    ...zipf(180, 1).map(
      (_, i) =>
        `${dice.pick(['/old/', '/products/', '/img/', '/tag/', '/'])}${dice.pick(WORDS)}-${hash(seed, i) % 997}`,
    ),
  ];
  return { pages, weights, drawer: drawerOf(weights), hits, missing, focus, view };
}

const UTM = ['newsletter', 'google', 'social', 'affiliate', 'partner'];

/** The query string that one request has. It is made only where somebody reads it. */
export function queryText(page: Page, key: number): string {
  const h = hash(key, 40);
  if (page.query === 'version') return `?v=${hashOfText(page.path).toString(16).slice(0, 6)}`;
  if (page.query === 'page') return h % 3 === 0 ? `?page=${1 + (h % 12)}` : '';
  if (page.query === 'search')
    return `?q=${WORDS[Math.floor(WORDS.length * unit(key, 41) ** 2)]}&sort=${h % 2 === 0 ? 'price' : 'new'}`;
  if (page.query === 'id') return `?id=${1000 + Math.floor(90000 * unit(key, 41) ** 3)}`;
  if (page.query === 'utm' && h % 12 === 0)
    return `?utm_source=${UTM[h % UTM.length]}&utm_campaign=c${h % 31}`;
  return '';
}
