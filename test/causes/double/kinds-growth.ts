import { senderPart } from './gangs.ts';
import { onFocus, originPart, refuse, turnPart } from './parts.ts';
import { type CrowdWish, crowdOf, ja4Of } from './place.ts';
import { draw, hash, unit } from './random.ts';
import { CLASSES, type Failure, fillPage, type Row } from './rows.ts';
import { DAY, type Kind, MINUTE, type Part, type Setting, type Story } from './setting.ts';
import { ORIGIN_FAILURES, senderOf } from './streams.ts';
import type { Named } from './truth.ts';
import type { Zone } from './zone.ts';

const WELL = { hit: 0.98, moved: 0, client: 0, server: 0 };

type Wish = {
  readonly id: number;
  readonly from: number;
  readonly to: number | null;
  readonly share: number;
  readonly of?: Partial<CrowdWish>;
  readonly names?: readonly Named[];
  readonly what?: 'sender' | 'misses';
  readonly fill: (row: Row) => void;
};

/** Requests of many who have nothing in common but why they come. */
function askedBy(s: Setting, zone: Zone, { of = {}, ...wish }: Wish): Part {
  const { place } = zone.inDepth();
  const size = s.dice.int(800, 4000);
  const crowd = crowdOf(place, hash(zone.seed, 800 + wish.id), { size, skew: 1.1, ...of });
  return senderPart(zone, { ...wish, gang: { crowd, names: [] }, usual: WELL });
}

const alwaysThere = (part: Part): Part => ({ ...part, cause: null });

function hit(row: Row, path: string, bytes: number): void {
  row.path = path;
  row.status = 200;
  row.cache = unit(row.key, 41) < 0.98 ? 'HIT' : 'MISS';
  row.bytes = bytes;
}

/** A site shows images of this one, and everybody who looks at it asks for them. */
function hotlink(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.35, 0.6);
  const zone = s.zone({ rate: s.rates(share, from, 120), hit: [0.6, 0.97] });
  const site = `https://${s.dice.pick(['forum', 'viral', 'board'])}.${s.dice.hex(4)}.example`;
  const fill = (row: Row) => {
    hit(row, `/media/clip-${1000 + (row.key % 3)}.jpg`, 240_000);
    row.referer = `${site}/thread/${(row.key >>> 4) % 40}`;
  };
  const names: Named[] = [{ field: 'referer', value: `${site}/*` }];
  return { zone, parts: [askedBy(s, zone, { id: 20, from, to: s.end(), share, names, fill })] };
}

/** A program asks for the list of versions again and again, from everywhere and answered well. */
function updaterLoop(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.4, 0.75);
  const zone = s.zone({ rate: s.rates(share, from, 100), hit: [0.6, 0.97] });
  const app = `AcornUpdate/3.${s.dice.int(1, 40)}.0`;
  const fill = (row: Row) => hit(row, '/channel/stable.json', 1800);
  const ua = `${app} (Windows NT 10.0)`;
  const names: Named[] = [{ field: 'ua', value: `${app} *` }];
  const loop = askedBy(s, zone, { id: 21, from, to: s.end(), share, of: { ua }, names, fill });
  const usual = askedBy(s, zone, { id: 22, from: 0, to: null, share: 0.03, of: { ua }, fill });
  return { zone, parts: [loop, alwaysThere(usual)] };
}

/** An old version of an app is refused by the API, on every system that it runs on. */
function oldVersion(s: Setting): Story {
  const from = s.ago(3, 50);
  const zone = s.zone({ rate: s.rates(0.08, from, 120) });
  const [old, ...others] = ['AcornApp/7.9.9', 'AcornApp/8.0.1', 'AcornApp/8.1.0'] as const;
  const systems = [14, 15].map((version) => `(Android ${version}; okhttp/4.12.0)`);
  const all = [old, ...others].flatMap((app, n) =>
    [...systems, 'CFNetwork/3826.600.41 Darwin/24.6.0'].map((system, m) => {
      const of = { ua: `${app} ${system}` };
      const fill = (row: Row) => hit(row, `/app/v2/config-${row.key % 5}.json`, 2100);
      return alwaysThere(askedBy(s, zone, { id: 30 + 5 * n + m, from: 0, to: null, share: 0.03, of, fill }));
    }),
  );
  const part = turnPart(s, {
    ...{ what: 'clientErrors', from, to: s.end(), share: 0.09 },
    names: [
      { field: 'ua', value: `${old} *` },
      { field: 'status', value: '400' },
    ],
    turn: (row) => {
      if (row.crowd.uas.some((ua) => ua?.startsWith(old))) refuse(row, 400);
    },
  });
  return { zone, parts: [part, ...all] };
}

/** One rendition of one channel is missing, and the others of the same shape are well. */
function lostRendition(s: Setting): Story {
  const from = s.ago(3, 50);
  const zone = s.zone({ rate: s.rates(0.05, from, 150) });
  const pathOf = ({ key, second }: Row) =>
    `/live/ch${1 + (key % 3)}/${[480, 720, 1080][(key >>> 3) % 3]}p/seg-${Math.floor(second / 6) - ((key >>> 6) % 4)}.ts`;
  const fill = (row: Row) => hit(row, pathOf(row), 900_000);
  const live = askedBy(s, zone, { id: 50, from: 0, to: null, share: 0.5, fill });
  const folder = `/live/ch${s.dice.int(1, 3)}/${s.dice.pick([480, 720, 1080])}p`;
  const part = turnPart(s, {
    ...{ what: 'notFound', from, to: s.end(), share: 0.5 / 9 },
    names: [
      { field: 'path', value: `${folder}/*` },
      { field: 'status', value: '404' },
    ],
    turn: (row) => {
      if (row.path.startsWith(`${folder}/`)) refuse(row, 404);
    },
  });
  return { zone, parts: [part, alwaysThere(live)] };
}

/** A crawler that comes each day at this time, and is over within the hour. */
function nightly(s: Setting): Story {
  const from = s.ago(4, 40);
  const length = s.dice.int(20, 60) * MINUTE;
  const share = s.dice.between(0.1, 0.25);
  const zone = s.zone({ rate: s.rates(share, from, 100), wholeAddresses: true });
  const depth = zone.inDepth();
  const { pages } = depth.catalogue;
  const network = s.dice.pick(depth.place.networks);
  const crowd = crowdOf(depth.place, hash(zone.seed, 860), { size: 8, skew: 1, network, ua: 'NightBot/2.1' });
  const fill = (row: Row) => fillPage(zone, depth, row, Math.floor(pages.length * unit(row.key, 67)));
  const classes = CLASSES.ok | CLASSES.moved | CLASSES.client;
  const usual = { hit: 0.3, moved: 0.02, client: 0.02, server: 0 };
  const streams = [0, 1, 2, 3].map((days) => {
    const at = from - days * DAY;
    return senderOf(zone, {
      ...{ id: 60 + days, from: at, to: at + length, share, crowd, fill, classes, rules: false, usual },
    });
  });
  return { zone, parts: [{ cause: null, effects: [], streams, changes: [] }] };
}

type Api = { readonly hit: readonly [number, number]; readonly from: number; readonly to: number | null };

/** Many ask for one call of the API, which no cache answers, then as ever. */
function askedForApi(s: Setting, share: number, { hit: ratio, from, to }: Api): { zone: Zone; part: Part } {
  const focus = { what: 'page', share: 0.05, kinds: ['api'] } as const;
  const zone = s.zone({ rate: s.rates(share, from, 150), hit: ratio, focus });
  const depth = zone.inDepth();
  const page = depth.catalogue.focus?.inside.indexOf(1) ?? 0;
  const fill = (row: Row) => fillPage(zone, depth, row, page);
  const { names } = onFocus(zone);
  return { zone, part: askedBy(s, zone, { id: 70, from, to, share, what: 'misses', names, fill }) };
}

/** A message brings them for some minutes, and the origin has half as much again to do. */
function pushed(s: Setting): Story {
  const from = s.ago(4, 12);
  const wish = { hit: [0.45, 0.55], from, to: from + 4 * MINUTE } as const;
  const { zone, part } = askedForApi(s, s.dice.between(0.12, 0.2), wish);
  return { zone, parts: [alwaysThere(part)] };
}

/** So many do that the origin has several times as much to do as ever. */
function overrun(s: Setting): Story {
  const wish = { hit: [0.88, 0.93], from: s.ago(4, 50), to: s.end() } as const;
  const { zone, part } = askedForApi(s, s.dice.between(0.3, 0.5), wish);
  return { zone, parts: [part] };
}

/** A quarter of all copies is lost, of a cache that has three quarters of what is asked for. */
function evicted(s: Setting): Story {
  const [from, share] = [s.ago(4, 50), 0.2];
  const zone = s.zone({ rate: s.rates(share, from, 150), hit: [0.74, 0.8] });
  const turn = (row: Row) => {
    if (row.cache === 'HIT' && unit(row.key, 42) < 0.27) row.cache = 'MISS';
  };
  const names: Named[] = [{ field: 'cache', value: 'MISS' }];
  return { zone, parts: [turnPart(s, { what: 'misses', from, to: s.end(), share, names, turn })] };
}

/** A new version of a program takes the requests of the old one, and asks for no more. */
function released(s: Setting): Story {
  const from = s.ago(4, 50);
  const zone = s.zone({ hit: [0.5, 0.97], rate: [2, 150] });
  const fill = (row: Row) => hit(row, '/app/feed.json', 4100);
  const ja4 = ja4Of(hash(zone.seed, 72));
  const parts = [
    { id: 72, from: 0, to: from, of: { ja4, ua: 'AcornApp/8.1.0 (Android 15)' } },
    { id: 73, from, to: null, of: { ja4, ua: 'AcornApp/8.2.0 (Android 15)' } },
  ].map((wish) => alwaysThere(askedBy(s, zone, { ...wish, share: 0.4, fill })));
  return { zone, parts };
}

/** News bring people into an app, where they look at all that there is. */
function opened(s: Setting): Story {
  const from = s.ago(4, 50);
  const share = s.dice.between(0.35, 0.6);
  const zone = s.zone({ hit: [0.7, 0.97], rate: [2, 100] });
  const depth = zone.inDepth();
  const fill = (row: Row) => fillPage(zone, depth, row, draw(depth.catalogue.drawer, unit(row.key, 4)));
  const of = { ja4: null, ua: 'LanternApp/6.4.0 (Android 15)' };
  const parts = [
    { id: 75, from, to: null, share },
    { id: 76, from: 0, to: null, share: 0.1 },
  ].map((wish) => alwaysThere(askedBy(s, zone, { ...wish, of, fill })));
  return { zone, parts };
}

/** One call of the API fails, which is so few of the requests that it is no cause. */
function rarePage(s: Setting): Story {
  const from = s.ago(10, 50);
  const focus = { what: 'page', share: 0.005, kinds: ['html'] } as const;
  const zone = s.zone({ rate: [60, 120], hit: [0.5, 0.9], focus, wholeAddresses: true });
  const where = onFocus(zone);
  const failure = s.dice.pick(ORIGIN_FAILURES) as Failure;
  const part = originPart(s, zone, { from, to: null, share: 0.9 * where.share, failure, where });
  return { zone, parts: [alwaysThere(part)] };
}

const HALF_HOUR = 1800;

/** The same at some seconds alone. */
const within = (part: Part, isOn: (second: number) => boolean): Part => ({
  ...part,
  streams: part.streams.map((stream) => ({
    ...stream,
    count: (second) => (isOn(second) ? stream.count(second) : 0),
    mean: (second) => (isOn(second) ? stream.mean(second) : 0),
  })),
});

/** An origin fails a little for days, beside a job that runs for a minute each half hour and is two thirds of its requests. */
function besideJob(s: Setting): Story {
  const from = s.ago(20 * 60, 50 * 60);
  const zone = s.zone({ rate: [8, 30], wholeAddresses: true });
  const depth = zone.inDepth();
  const failure = s.dice.pick(ORIGIN_FAILURES) as Failure;
  const failing = originPart(s, zone, { from, to: null, slack: 15 * MINUTE, share: 0.06, failure });
  const wish = { size: 1, skew: 1, network: s.dice.pick(depth.place.networks), ua: 'partner-sync/1.4' };
  const fill = (row: Row) => {
    fillPage(zone, depth, row, 1);
    row.cache = 'BYPASS';
    row.status = 200;
  };
  const job = askedBy(s, zone, { id: 74, from: 0, to: null, share: 0.66, of: wish, fill });
  return { zone, parts: [failing, alwaysThere(within(job, (second) => second % HALF_HOUR < 60))] };
}

/** Devices report on the minute, and their app sends them commands half a minute later, as always. */
function minutely(s: Setting): Story {
  const zone = s.zone({ rate: [4, 12], wholeAddresses: true });
  const parts = [
    { id: 80, path: '/t/v1/report', from: 0, to: 7, ua: 'acorn-hub/2.1.0 (A1)' },
    { id: 81, path: '/t/v1/commands', from: 30, to: 34, ua: 'AcornHome/5.1 (Android 15)' },
  ].map(({ id, path, from, to, ua }) => {
    const fill = (row: Row) => {
      hit(row, path, 400);
      row.cache = 'BYPASS';
    };
    const part = askedBy(s, zone, { id, from: 0, to: null, share: 0.8, of: { ua }, fill });
    return alwaysThere(within(part, (second) => second % 60 >= from && second % 60 < to));
  });
  return { zone, parts };
}

export const GROWTH_KINDS: Readonly<Record<string, Kind>> = {
  hotlink: { window: 'any', tell: hotlink },
  updaterLoop: { window: 'any', tell: updaterLoop },
  oldVersion: { window: 'any', tell: oldVersion },
  lostRendition: { window: 'any', tell: lostRendition },
  overrun: { window: 'any', tell: overrun },
  evicted: { window: 'any', tell: evicted },
  calmNightly: { window: 'any', tell: nightly },
  calmPush: { window: 'quarter', tell: pushed },
  calmRarePage: { window: 'any', tell: rarePage },
  calmOpened: { window: 'any', tell: opened },
  calmRelease: { window: 'any', tell: released },
  calmMinutely: { window: 'any', tell: minutely },
  failsBesideJob: { window: 'days', tell: besideJob },
};
