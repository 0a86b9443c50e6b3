import { hex, mix, type Sampler, zipf } from '../random.ts';
import { NOUNS } from './population.ts';

/** How a path behaves in the cache; the mixes are in `ordinary.ts`. */
export type PathKind = 'asset' | 'page' | 'api' | 'media' | 'download';

/** `query` = a free query string each time, `signed` = token in the query, `signedPath` = token in the path, `hls` = segment number. */
type Variant = 'none' | 'query' | 'signed' | 'signedPath' | 'hls';

export type SitePath = { path: string; kind: PathKind; bytes: number; variant: Variant };

export type SiteKind = keyof typeof SITES;

type SiteRow = {
  login: string;
  storm: string;
  search: string;
  paths: (word: (i: number) => string) => SitePath[];
};

/** What each kind of site serves, most popular first (Zipf over this order, shuffled lightly by zone). */
const SITES = {
  shop: {
    login: '/login',
    storm: '/category/sale',
    search: '/search?q=',
    paths: (word) => [
      path('/', 'page', 48_000),
      path('/assets/app.7f3c1e.js', 'asset', 312_000),
      path('/assets/app.7f3c1e.css', 'asset', 61_000),
      path('/category/sale', 'page', 52_000),
      path('/api/cart', 'api', 900),
      path('/search', 'page', 39_000, 'query'),
      path('/assets/fonts/inter.woff2', 'asset', 98_000),
      path('/api/prices', 'api', 2_400, 'query'),
      path('/login', 'api', 7_100),
      path('/favicon.ico', 'asset', 4_200),
      path('/checkout', 'api', 18_000),
      path('/api/recommendations', 'api', 6_200, 'query'),
      path('/account', 'api', 21_000),
      path('/robots.txt', 'asset', 310),
      ...many(60, (i) => path(`/images/products/${1000 + i * 7}-${word(i)}.webp`, 'asset', 42_000)),
      ...many(80, (i) => path(`/products/${word(i)}-${word(i + 17)}`, 'page', 44_000)),
      ...many(20, (i) => path(`/category/${word(i)}`, 'page', 51_000)),
    ],
  },
  news: {
    login: '/account/login',
    storm: '/live/ticker',
    search: '/search?q=',
    paths: (word) => [
      path('/', 'page', 92_000),
      path('/live/ticker', 'page', 14_000),
      path('/static/site.c81d.js', 'asset', 204_000),
      path('/static/site.c81d.css', 'asset', 48_000),
      path('/feed.xml', 'page', 31_000),
      path('/api/comments', 'api', 8_000, 'query'),
      path('/search', 'page', 22_000, 'query'),
      path('/account/login', 'api', 6_000),
      ...many(70, (i) => path(`/img/${word(i)}/${800 + i}x600.avif`, 'asset', 71_000)),
      ...many(70, (i) =>
        path(`/2026/${(i % 12) + 1}/${word(i)}-${word(i + 5)}-${word(i + 31)}`, 'page', 68_000),
      ),
    ],
  },
  video: {
    login: '/api/session',
    storm: '/api/manifest',
    search: '/api/find?q=',
    paths: (word) => [
      path('/player/embed.js', 'asset', 188_000),
      path('/api/manifest', 'api', 3_300, 'signed'),
      path('/api/session', 'api', 700),
      ...many(25, (i) => path(`/hls/${word(i)}/1080p/playlist.m3u8`, 'page', 2_100, 'signed')),
      ...many(25, (i) => path(`/hls/${word(i)}/1080p/`, 'media', 1_450_000, 'hls')),
      ...many(20, (i) => path(`/hls/${word(i)}/720p/`, 'media', 780_000, 'hls')),
      ...many(30, (i) => path(`/thumbs/${word(i)}/${i}.jpg`, 'asset', 19_000)),
    ],
  },
  api: {
    login: '/v1/login',
    storm: '/v1/catalog',
    search: '/v2/search?q=',
    paths: (word) => [
      path('/v1/events', 'api', 240),
      path('/v1/catalog', 'page', 12_400),
      path('/v2/search', 'api', 5_200, 'query'),
      path('/v1/me', 'api', 1_100),
      path('/v1/login', 'api', 600),
      path('/health', 'api', 18),
      path('/v1/flags', 'page', 2_900),
      ...many(60, (i) => path(`/v1/users/${mix(i, 77) % 900_000}/orders`, 'api', 3_800)),
      ...many(30, (i) => path(`/v1/items/${word(i)}`, 'page', 2_600)),
    ],
  },
  downloads: {
    login: '/portal/login',
    storm: '/releases/latest.json',
    search: '/portal/search?q=',
    paths: (word) => [
      path('/releases/latest.json', 'page', 1_900),
      path('/portal/login', 'api', 5_200),
      ...many(12, (i) => path(`/releases/studio-4.${i}.0-linux-x64.tar.gz`, 'download', 88_000_000)),
      ...many(12, (i) => path(`/releases/studio-4.${i}.0-win-x64.exe`, 'download', 104_000_000)),
      ...many(10, (i) => path(`/private/${word(i)}.zip`, 'download', 24_000_000, 'signedPath')),
      ...many(12, (i) => path(`/releases/studio-4.${i}.0.sha256`, 'asset', 96)),
    ],
  },
  docs: {
    login: '/admin/login',
    storm: '/search.json',
    search: '/search?q=',
    paths: (word) => [
      path('/', 'page', 21_000),
      path('/static/docs.js', 'asset', 92_000),
      path('/static/docs.css', 'asset', 30_000),
      path('/search.json', 'page', 240_000),
      path('/admin/login', 'api', 4_400),
      ...many(60, (i) => path(`/guide/${word(i)}/${word(i + 9)}`, 'page', 26_000)),
    ],
  },
} as const satisfies Record<string, SiteRow>;

type NamedPaths = Omit<SiteRow, 'paths'>;

export type SitePaths = NamedPaths & { list: readonly SitePath[]; sampler: Sampler };

/** The paths of one zone's site; the words differ by zone, the shape by kind. */
export function sitePaths(kind: SiteKind, salt: number): SitePaths {
  const { paths, ...named }: SiteRow = SITES[kind];
  const list = paths((i) => NOUNS[mix(salt, i) % NOUNS.length] as string);
  return { ...named, list, sampler: zipf(list.length, 0.9) };
}

/** The paths that incidents aim at, on every site of a kind. */
export function namedPaths(kind: SiteKind): NamedPaths {
  return SITES[kind];
}

/** The path as asked for: with its query string or its signature. `h` is 32 free bits. */
export function spell(entry: SitePath, h: number): string {
  switch (entry.variant) {
    case 'none':
      return (h & 31) === 0 && entry.kind === 'asset' ? `${entry.path}?v=${h % 9}` : entry.path;
    case 'query':
      return `${entry.path}?q=${NOUNS[h % NOUNS.length]}${(h & 256) === 0 ? `&page=${(h >>> 9) % 7}` : ''}`;
    case 'signed':
      return `${entry.path}?token=canary-${hex(h, 24)}&expires=${1_790_000_000 + (h % 86_400)}`;
    case 'signedPath':
      return `/bcdn_token=canary-${hex(h, 24)}&expires=${1_790_000_000 + (h % 86_400)}${entry.path}`;
    case 'hls':
      return `${entry.path}seg-${String(h % 4000).padStart(5, '0')}.ts${(h & 7) === 0 ? `?token=canary-${hex(h, 20)}` : ''}`;
  }
}

function path(text: string, kind: PathKind, bytes: number, variant: Variant = 'none'): SitePath {
  return { path: text, kind, bytes, variant };
}

function many(n: number, make: (i: number) => SitePath): SitePath[] {
  return Array.from({ length: n }, (_, i) => make(i));
}
