import type { Visits } from './catalogue.ts';
import { broughtBy, onFocus, originPart, type Where } from './parts.ts';
import { sharesOf } from './place.ts';
import type { Failure } from './rows.ts';
import { DAY, HOUR, type Kind, MINUTE, SECOND, type Setting, type Story } from './setting.ts';
import { ORIGIN_FAILURES, OWN_FAILURES } from './streams.ts';
import type { Change } from './truth.ts';
import type { PageKind } from './vocabulary.ts';
import { missesOf, type Zone } from './zone.ts';

/** Anything but a failed look-up, which has a reason of its own. */
export function anyFailure(s: Setting): Failure {
  const list = [0, 1, 2, 3, 5].map((i) => ORIGIN_FAILURES[i] as Failure);
  return s.dice.chance(0.25) ? s.dice.pick(OWN_FAILURES) : s.dice.pick(list);
}

const FIELDS: readonly [string, string, string][] = [
  ['EnableWebPVary', 'false', 'true'],
  ['AddCanonicalHeader', 'false', 'true'],
  ['MonthlyBandwidthLimit', '0', '5000000000000'],
  ['LoggingSaveToStorage', 'false', 'true'],
  ['EnableSmartCache', 'true', 'false'],
  ['RequestLimit', '0', '250'],
  ['ErrorPageWhitelabel', 'false', 'true'],
  ['AccessControlOriginHeaderExtensions', 'eot, ttf, woff', 'eot, ttf, woff, woff2, css'],
  ['OptimizerEnabled', 'false', 'true'],
  ['EnableTLS1', 'true', 'false'],
];

export function innocentChange(s: Setting, zone: Zone, at: number): Change {
  const [field, before, after] = s.dice.pick(FIELDS);
  return { at, zoneId: zone.id, field, before, after };
}

/** Somebody points the zone elsewhere, in the hope that it helps: it is later than the trouble. */
export function originChange(zone: Zone, at: number): Change {
  return {
    at,
    zoneId: zone.id,
    field: 'OriginUrl',
    before: `${zone.origin.replace('origin-', 'backup-')}`,
    after: `${zone.origin}`,
  };
}

export function started(
  s: Setting,
  low: number,
  high: number,
  from = s.ago(2, 50),
): { zone: Zone; story: Story; from: number } {
  const share = s.dice.wide(low, high);
  const zone = s.zone({ rate: s.rates(share, from), hit: [0.45, 0.93] });
  const part = originPart(s, zone, { from, to: s.end(), share, failure: anyFailure(s) });
  return { zone, story: { zone, parts: [part] }, from };
}

const standingFrom = (s: Setting) => Math.floor((s.now - s.dice.between(3.1, 5) * DAY) / SECOND) * SECOND;

function standing(s: Setting): { zone: Zone; story: Story } {
  const from = standingFrom(s);
  const share = s.dice.wide(0.05, 0.4);
  const zone = s.zone({ rate: s.rates(share, from, 200), hit: [0.45, 0.93] });
  const part = originPart(s, zone, { from, to: null, share, failure: anyFailure(s), slack: HOUR });
  return { zone, story: { zone, parts: [part] } };
}

function typo(host: string, s: Setting): string {
  const at = s.dice.int(9, Math.max(10, host.indexOf('.') - 1));
  return s.dice.chance(0.5)
    ? host.slice(0, at) + host.slice(at + 1)
    : `${host.slice(0, at)}${s.dice.pick(['e', 'o', 't'])}${host.slice(at)}`;
}

function byChange(s: Setting): Story {
  const from = s.ago(3, 50);
  const zone = s.zone({ rate: s.rates(0.1, from), hit: [0.45, 0.88] });
  const failure = ORIGIN_FAILURES[4] as Failure;
  const share = missesOf(zone) * s.dice.between(0.9, 1);
  const part = originPart(s, zone, { from, to: s.end(), share, failure });
  const at = from - s.dice.int(20, 300) * SECOND;
  return { zone, parts: [broughtBy(part, zone, at, 'OriginUrl', zone.origin, typo(zone.origin, s))] };
}

export function onePath(s: Setting, visits: Visits | null = null): Story {
  const from = s.ago(2, 50);
  const share = s.dice.wide(0.03, 0.15);
  const failing = s.dice.between(0.7, 1);
  const what = s.dice.pick(['section', 'page'] as const);
  // Some requests are of pages that are not there, so the pages need a little more of the rest.
  const focus = { what, share: (share / failing) * 1.02 };
  // Of page views one in fifteen requests is for a page itself: too few for such a share.
  const kinds: readonly PageKind[] = visits === null ? ['html', 'api'] : ['api'];
  const zone = s.zone({
    rate: s.rates(share, from),
    hit: [0.45, 0.9],
    focus: { ...focus, kinds },
    visits,
  });
  const where = onFocus(zone);
  const wish = { from, to: s.end(), share: where.share * failing, failure: anyFailure(s), where };
  return { zone, parts: [originPart(s, zone, wish)] };
}

/** One place of the platform: its own clients, and a few that are nearer to another. */
export function behindEdge(zone: Zone, low: number, high: number): Where {
  const { crowd, place } = zone.inDepth();
  const shares = sharesOf(crowd, (c) => crowd.edge[c] as number);
  const n = place.edges.length;
  const own = (e: number) => shares.get((e + n) % n) ?? 0;
  const all = place.edges.map((_, e) => ({
    e,
    share: 0.94 * own(e) + 0.02 * (own(e - 1) + own(e - 2) + own(e - 3)),
  }));
  const middle = (low + high) / 2;
  all.sort((a, b) => Math.abs(a.share - middle) - Math.abs(b.share - middle));
  const { e, share } = all[0] as { e: number; share: number };
  return {
    meets: (row) => row.edge === e,
    share,
    misses: missesOf(zone),
    names: [{ field: 'edge', value: place.edges[e] as string }],
  };
}

function oneEdge(s: Setting): Story {
  const from = s.ago(3, 50);
  const zone = s.zone({ rate: s.rates(0.04, from), hit: [0.45, 0.93] });
  const where = behindEdge(zone, 0.05, 0.15);
  const share = Math.min(0.15, where.share * s.dice.between(0.75, 1));
  return { zone, parts: [originPart(s, zone, { from, to: s.end(), share, failure: anyFailure(s), where })] };
}

function slowRise(s: Setting): Story {
  const length = s.dice.int(20, 50) * MINUTE;
  const from = Math.floor((s.asked.to - length * s.dice.between(0.85, 1.15)) / SECOND) * SECOND;
  const share = s.dice.between(0.1, 0.3);
  const zone = s.zone({ rate: s.rates(share / 3, from), hit: [0.45, 0.9] });
  const shape = (t: number) => Math.min(1, Math.max(0, (t - from) / length));
  return {
    zone,
    parts: [originPart(s, zone, { from, to: null, share, failure: anyFailure(s), shape, slack: length })],
  };
}

function over(s: Setting): Story {
  const from = s.ago(14, 50);
  const share = s.dice.wide(0.05, 0.6);
  const latest = s.asked.to - 3 * MINUTE;
  const to = Math.min(latest, from + s.dice.int(4, 30) * MINUTE);
  const zone = s.zone({ rate: s.rates(share, s.asked.to - (to - from)), hit: [0.45, 0.93] });
  return { zone, parts: [originPart(s, zone, { from, to, share, failure: anyFailure(s) })] };
}

function newest(s: Setting): Story {
  const from = Math.floor((s.now - s.dice.int(90, 150) * SECOND) / SECOND) * SECOND;
  const zone = s.zone({ rate: s.rates(0.5, from), hit: [0.45, 0.93] });
  return {
    zone,
    parts: [originPart(s, zone, { from, to: null, share: 0.5, failure: OWN_FAILURES[0] as Failure })],
  };
}

function blinking(s: Setting): Story {
  const from = s.ago(8, 50);
  const share = s.dice.between(0.15, 0.6);
  const zone = s.zone({ rate: s.rates(share / 2, from), hit: [0.45, 0.9] });
  const shape = (t: number) => (Math.floor((t - from) / MINUTE) % 2 === 0 ? 1 : 0);
  return { zone, parts: [originPart(s, zone, { from, to: s.end(), share, failure: anyFailure(s), shape })] };
}

function everything(s: Setting): Story {
  const from = s.ago(2, 50);
  const zone = s.zone({ rate: s.rates(1, from, 200) });
  const failure = ORIGIN_FAILURES[s.dice.pick([1, 2, 3])] as Failure;
  return { zone, parts: [originPart(s, zone, { from, to: s.end(), share: 1, failure })] };
}

function staleServed(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.2, 0.6);
  const zone = s.zone({ rate: s.rates(share, from), hit: [0.6, 0.95] });
  const failure = ORIGIN_FAILURES[s.dice.pick([0, 1, 3])] as Failure;
  return { zone, parts: [originPart(s, zone, { from, to: s.end(), share, failure, stale: true })] };
}

export const ORIGIN_KINDS: Readonly<Record<string, Kind>> = {
  originStanding: { window: 'any', tell: (s) => standing(s).story },
  originAll: { window: 'any', tell: everything },
  originStarted: { window: 'any', tell: (s) => started(s, 0.05, 0.6).story },
  originStartedByChange: { window: 'any', tell: byChange },
  originWithInnocentChange: {
    window: 'any',
    tell: (s) => {
      const { zone, story, from } = started(s, 0.05, 0.6, s.ago(7, 45));
      const at = from + s.dice.int(60, 300) * SECOND;
      return {
        ...story,
        innocent: [s.dice.chance(0.5) ? originChange(zone, at) : innocentChange(s, zone, at)],
      };
    },
  },
  originStandingInnocentChange: {
    window: 'any',
    tell: (s) => {
      const { zone, story } = standing(s);
      const at = s.ago(3, 55);
      return {
        ...story,
        innocent: [s.dice.chance(0.3) ? originChange(zone, at) : innocentChange(s, zone, at)],
      };
    },
  },
  originNewestMinutes: { window: 'newest', tell: newest },
  originOnePath: { window: 'any', tell: (s) => onePath(s) },
  originOneEdge: { window: 'any', tell: oneEdge },
  originSlowRise: { window: 'hour', tell: slowRise },
  originEnded: { window: 'hour', tell: over },
  originIntermittent: { window: 'any', tell: blinking },
  staleServed: { window: 'any', tell: staleServed },
};
