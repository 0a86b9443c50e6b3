import type { Platform } from '../support/platform.ts';
import { eventValue, type Incident, plantedEvents } from './shield-support.ts';
import { type Expectation, headlineOf, that, type Word } from './story.ts';

export const SHOP = 'shop-frontend';
export const TODAY = '2026-11-19';
const MINUTE = 60_000;

/** The arguments that name some time of today. */
export const during = (from: string, to: string) => [`from:${TODAY}T${from}`, `to:${TODAY}T${to}`];
const timeOf = (time: string) => Date.parse(`${TODAY}T${time}Z`);

type Of = (world: Platform) => Incident;

/** The newest incident of a kind in a zone. */
function newest(kind: Incident['kind'], zone = SHOP): Of {
  return (world) => {
    const id = String(world.zones.find(({ name }) => name === zone)?.id);
    const found = world.incidents().findLast((each) => each.kind === kind && each.pullZoneId === id);
    if (!found) throw new Error(`no ${kind} in ${zone}`);
    return found;
  };
}

/** Two zones share the origin that fails now. */
export const SHARED = ['mobile-api', 'checkout'] as const;
export const FAILING = newest('originFailure', SHARED[0]);
export const ATTACK = newest('layer7Attack');
export const STUFFING = newest('credentialStuffing');
export const MISFIRE = newest('wafMisfire');
export const STORM = newest('missStorm');

/** A value that singles an incident out. */
export const cause =
  (of: Of, field: string): Word =>
  (world) =>
    of(world).cause[field]?.[0] ?? '?';

/** How often Shield acted in an incident by the rule of it. */
export const actions = (of: Of) => (world: Platform) => {
  const rules = of(world).cause['ruleId'] ?? [];
  return plantedEvents(world, of(world)).filter(({ shield }) => shield.ruleId === rules[0]).length;
};

/** How many clients the misfire stopped, and how many of them were answered 2xx elsewhere in their time. */
export const CLIENTS: readonly Word[] = [
  (world) => stopped(world).size,
  (world) => {
    const rows = world.truth(MISFIRE(world).pullZoneId, timeOf('11:10'), timeOf('11:18'));
    const clean = rows.filter(({ entry, shield }) => shield === null && is2xx(entry));
    return stopped(world).intersection(new Set(clean.map(({ entry }) => String(entry['remoteIp'])))).size;
  },
];

function stopped(world: Platform): Set<string> {
  const rule = MISFIRE(world).cause['ruleId']?.[0];
  const events = plantedEvents(world, MISFIRE(world)).filter(({ shield }) => shield.ruleId === rule);
  return new Set(events.map(({ entry }) => String(entry['remoteIp'])));
}

type Entry = ReturnType<Platform['truth']>[number]['entry'];
type Requests = (world: Platform) => readonly Entry[];

/** The shop's requests of some time of today that show by now, as the platform logs them. */
export function requests(from: string, to: string, suits: (entry: Entry) => boolean = () => true): Requests {
  return (world) =>
    shown(world, timeOf(from), timeOf(to))
      .map(({ entry }) => entry)
      .filter(suits);
}

/** Entries are written out when they are looked at, which who counts them does not. */
function shown(world: Platform, from: number, to: number): ReturnType<Platform['truth']> {
  const now = world.clock.now();
  return world.truth(ATTACK(world).pullZoneId, from, to).filter(({ visibleAt }) => visibleAt <= now);
}

const is2xx = ({ statusCode }: Entry) => String(statusCode).startsWith('2');
export const is5xx = ({ statusCode }: Entry) => String(statusCode).startsWith('5');
export const is504 = ({ statusCode }: Entry) => statusCode === 504;
export const isMiss = ({ cacheStatus }: Entry) => cacheStatus === 'MISS';
export const isOf = (path: string) => (entry: Entry) => pathOf(entry) === path;
export const pathOf = ({ url }: Entry) => new URL(String(url)).pathname;
export const bytesOf = ({ bytesSent }: Entry) => Number(bytesSent);
export const networkOf = ({ remoteIp }: Entry) => `${String(remoteIp).replace(/\.\d+$/, '.0')}/24`;

export const count = (of: Requests) => (world: Platform) => of(world).length;
export const idOf =
  (of: Requests, n: number): Word =>
  (world) =>
    of(world).at(n)?.requestId ?? '?';

export const linesOf = (of: Requests) => (world: Platform) =>
  of(world)
    .map((entry) => JSON.stringify(entry))
    .join('\n');

/** The value that most requests have, or those that weigh most together, and how many these are. */
export function most(of: Requests, value: (entry: Entry) => string, weight = (_: Entry) => 1): Word[] {
  const sum = (entries: readonly Entry[]) => entries.reduce((total, entry) => total + weight(entry), 0);
  const first = (world: Platform) =>
    [...Map.groupBy(of(world), value)].sort(([, a], [, b]) => sum(b) - sum(a))[0] ?? ['?', []];
  return [(world) => first(world)[0], (world) => first(world)[1].length];
}

/** A line with these words says that it goes on, and since when, which is right to the minute. */
export function began(of: Of, ...words: readonly string[]): Expectation {
  return that(`${words} since the incident began`, ({ screen, world }) =>
    screen.some((line) => {
      const [, from = '', to = from] = /(\d\d:\d\d)(?:-(\d\d:\d\d))? +on /.exec(line) ?? [];
      const isThen = timeOf(from) - MINUTE <= of(world).from && of(world).from <= timeOf(to) + MINUTE;
      return words.every((word) => line.includes(word)) && isThen;
    }),
  );
}

/** The headline says how the address of the answer was answered, and of how many requests. */
export const PASSED = that('how its requests were answered', ({ screen, world }) => {
  const ip = /ip:(\S+)/.exec(screen[1] ?? '')?.[1];
  const own = requests('11:00', '12:00', ({ remoteIp }) => remoteIp === ip)(world);
  const passed = own.filter(({ statusCode }) => /^[23]/.test(String(statusCode))).length;
  const said = passed === 0 ? `nothing got through: ${own.length}` : `${passed} of ${own.length}`;
  return own.length > 0 && headlineOf(screen).startsWith(`${said} requests`);
});

/** The window that the query names. */
function windowOf(screen: readonly string[]): [from: number, to: number] {
  const times = [...(screen[1] ?? '').matchAll(/(?:from|to):(\S+)/g)];
  const [from = 0, to = 0] = times.map(([, time = '']) => Date.parse(time));
  return [from, to];
}

/** How many requests were read, none of which can be missing. */
function readOf(screen: readonly string[]): number {
  const said = /^ ([\d,]+) requests · .* no gaps/.exec(screen.at(-2) ?? '')?.[1];
  return Number(said?.replaceAll(',', '') ?? 0);
}

export const ALL_READ = that('all requests of the window, and no other', ({ screen, world }) => {
  const { length } = shown(world, ...windowOf(screen));
  return length > 0 && readOf(screen) === length;
});

export const GAP_READ = that('the gap is gone, and all of its requests are there', ({ screen, world }) => {
  const isGap = screen.some((line) => / gap /.test(line));
  return !isGap && readOf(screen) >= shown(world, timeOf('11:46'), world.clock.now()).length;
});

export const PEAK = that('a window of the attack and of little else', ({ screen, world }) => {
  const [from, to] = windowOf(screen);
  const attack = ATTACK(world);
  return Math.abs(from - attack.from) <= MINUTE && Math.abs(to - attack.to) <= MINUTE;
});

/** The fields of the event on screen are those of one of the attack. */
export const EVENT = that('an event that was planted', ({ screen, world }) => {
  const of = (name: string) => eventValue(screen, name);
  const event = plantedEvents(world, ATTACK(world)).find(({ entry }) => entry.requestId === of('request id'));
  return (
    event !== undefined &&
    of('time') === new Date(event.at).toISOString() &&
    of('action') === event.shield.action &&
    of('ip') === event.entry['remoteIp'] &&
    of('ja4') === event.entry['ja4Fingerprint']
  );
});
