import { greedy, refusedCountry, scan, scraper } from './kinds-clients.ts';
import { anyFailure, innocentChange, originChange } from './kinds-origin.ts';
import { broughtBy, onFocus, originPart, turnPart } from './parts.ts';
import { unit } from './random.ts';
import type { Failure } from './rows.ts';
import { HOUR, type Kind, MINUTE, type Part, SECOND, type Setting, type Story } from './setting.ts';
import { ORIGIN_FAILURES } from './streams.ts';
import { missesOf } from './zone.ts';

function purge(s: Setting): Story {
  const from = s.ago(3, 30);
  const zone = s.zone({ rate: s.rates(0.2, from), hit: [0.75, 0.97] });
  const length = s.dice.int(20, 40) * MINUTE;
  const over = from + length;
  const to = over < s.now ? over : null;
  const part = turnPart(s, {
    what: 'misses',
    from,
    to,
    share: 1 - missesOf(zone),
    names: [
      { field: 'cache', value: 'MISS' },
      { field: 'cache', value: 'EXPIRED' },
    ],
    // The cache fills again, quickly at first, so that a twentieth of the loss is left at the end.
    shape: (t) => 0.95 * Math.exp((-3 * (t - from)) / length),
    turn: (row, strength) => {
      if (row.cache === 'HIT' && unit(row.key, 83) < strength) row.cache = 'MISS';
    },
  });
  // The end is known in advance, so the effect has it even while the truth cannot tell it yet.
  const effects = part.effects.map((e) => ({ ...e, to: over }));
  const made: Part = { ...part, effects };
  if (s.dice.chance(0.6) || part.cause === null) return { zone, parts: [made] };
  const at = from - s.dice.int(1, 8) * SECOND;
  const change = { at, field: 'PurgeCache', before: '', after: '' };
  return {
    zone,
    parts: [
      {
        ...made,
        cause: { ...part.cause, change },
        changes: [{ zoneId: zone.id, ...change, action: 'PurgeCache', silent: true }],
      },
    ],
  };
}

function bypass(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.2, 0.6);
  const kinds = ['html', 'image', 'asset', 'media'] as const;
  const zone = s.zone({
    rate: s.rates(share / 2, from),
    hit: [0.65, 0.97],
    focus: { what: 'section', share, kinds },
  });
  const where = onFocus(zone);
  const word = s.dice.pick(['BYPASS', 'BYPASS', 'MISS']);
  const part = turnPart(s, {
    what: 'misses',
    from,
    to: s.end(),
    share: where.share * (1 - where.misses),
    names: [...where.names, { field: 'cache', value: word }],
    turn: (row) => {
      if (where.meets(row) && row.cache !== '-') row.cache = word;
    },
  });
  const at = from - s.dice.int(2, 60) * SECOND;
  const name = where.names[0]?.value ?? '/';
  const rule = (seconds: number) =>
    `[{"ActionType":"OverrideCacheTime","ActionParameter1":"${seconds}","Triggers":["*${name}*"]}]`;
  return { zone, parts: [broughtBy(part, zone, at, 'EdgeRules', '[]', rule(0))] };
}

function twoAtOnce(s: Setting): Story {
  const from = s.ago(3, 45);
  const other = s.ago(3, 45);
  const share = s.dice.between(0.04, 0.15);
  const sent = s.dice.between(0.1, 0.25);
  const zone = s.zone({
    rate: s.rates(share, Math.max(from, other), 150),
    hit: [0.45, 0.9],
    focus: { what: s.dice.pick(['section', 'page']), share: share / (1 - sent) },
    wholeAddresses: true,
  });
  const where = onFocus(zone);
  const origin = originPart(s, zone, {
    from,
    to: s.end(),
    share: where.share * s.dice.between(0.8, 1),
    failure: anyFailure(s),
    where,
  });
  const sender = scraper(s, zone, sent, { from: other, to: s.end() });
  // The sender's requests are of the whole, so the pages have a smaller part of it than alone.
  const cause = origin.cause === null ? null : { ...origin.cause, share: origin.cause.share * (1 - sent) };
  return { zone, parts: [{ ...origin, cause }, sender] };
}

function oneOver(s: Setting): Story {
  const first = s.ago(38, 52);
  const over = Math.min(s.asked.to - 14 * MINUTE, first + s.dice.int(6, 20) * MINUTE);
  const second = s.ago(4, 12);
  const share = s.dice.wide(0.08, 0.5);
  const zone = s.zone({ rate: s.rates(0.06, second, 150), hit: [0.45, 0.93], wholeAddresses: true });
  const old = originPart(s, zone, { from: first, to: over, share, failure: anyFailure(s) });
  const times = { from: second, to: null };
  const now = s.dice.pick([
    () => refusedCountry(s, zone, times),
    () => scan(s, zone, s.dice.between(0.08, 0.2), times),
    () => greedy(s, zone, s.dice.between(0.15, 0.4), times),
  ])();
  return { zone, parts: [old, now] };
}

function wrongInside(s: Setting): Story {
  const from = s.ago(5, 45);
  const other = s.ago(4, 40);
  const share = s.dice.between(0.2, 0.4);
  const sent = s.dice.between(0.04, 0.09);
  const zone = s.zone({
    rate: s.rates(sent, Math.max(from, other), 150),
    hit: [0.45, 0.85],
    wholeAddresses: true,
  });
  const origin = originPart(s, zone, { from, to: s.end(), share, failure: anyFailure(s) });
  const make = s.dice.pick([scan, greedy, scraper]);
  return { zone, parts: [origin, make(s, zone, sent, { from: other, to: s.end() })] };
}

const calm =
  (wish: (s: Setting) => Parameters<Setting['zone']>[0]): Kind['tell'] =>
  (s) => ({ zone: s.zone(wish(s)), parts: [] });

const middleOf = (s: Setting): number => (((s.asked.from + s.asked.to) / 2 / HOUR) % 24) + 24;

function strayErrors(s: Setting): Story {
  const told = s.dice.between(15, 60);
  const rate = s.dice.wide(told / 2.5, 200);
  const stray = Math.min(0.001, (told / 3600 / rate) * s.dice.between(1, 1.6));
  return { zone: s.zone({ rate: [rate, rate], stray: [stray, stray], told: [told, told] }), parts: [] };
}

function flood(s: Setting): Story {
  const from = s.ago(5, 50);
  const ramp = s.dice.int(2, 10) * MINUTE;
  const top = s.dice.between(3, 8);
  const zone = s.zone({ rate: [1, 60], hit: [0.7, 0.98] });
  const swell = (second: number) => 1 + (top - 1) * Math.min(1, Math.max(0, (second * SECOND - from) / ramp));
  return { zone, parts: [], swell };
}

function afterOld(s: Setting): Story {
  const to = s.asked.from - s.dice.int(3 * 60, 20 * 60) * MINUTE;
  const from = to - s.dice.int(10, 90) * MINUTE;
  const zone = s.zone({ hit: [0.45, 0.93], wholeAddresses: true });
  const failure = s.dice.pick(ORIGIN_FAILURES) as Failure;
  const part = s.dice.chance(0.6)
    ? originPart(s, zone, { from, to, share: s.dice.wide(0.1, 0.8), failure })
    : scraper(s, zone, s.dice.between(0.15, 0.3), { from, to });
  return { zone, parts: [{ ...part, cause: null }] };
}

function withChange(s: Setting): Story {
  const zone = s.zone({});
  const at = s.ago(3, 50);
  return {
    zone,
    parts: [],
    innocent: [s.dice.chance(0.4) ? originChange(zone, at) : innocentChange(s, zone, at)],
  };
}

export const OTHER_KINDS: Readonly<Record<string, Kind>> = {
  purge: { window: 'any', tell: purge },
  bypassByChange: { window: 'any', tell: bypass },
  twoAtOnce: { window: 'any', tell: twoAtOnce },
  oneOverOneOn: { window: 'hour', tell: oneOver },
  wrongInside: { window: 'any', tell: wrongInside },
};

export const CALM_KINDS: Readonly<Record<string, Kind>> = {
  calm: { window: 'any', tell: calm(() => ({})) },
  calmBusy: { window: 'any', tell: calm((s) => ({ rate: [60, 300], peakHour: middleOf(s) })) },
  calmNight: { window: 'any', tell: calm((s) => ({ peakHour: middleOf(s) + 12, rate: [0.5, 40] })) },
  strayErrors: { window: 'any', tell: strayErrors },
  goodFlood: { window: 'any', tell: flood },
  calmWithChange: { window: 'any', tell: withChange },
  calmAfterOld: { window: 'any', tell: afterOld },
  calmLowHit: { window: 'any', tell: calm(() => ({ hit: [0.44, 0.47], notFound: [0.028, 0.032] })) },
  quietZone: { window: 'any', tell: calm(() => ({ rate: [0.02, 0.2] })) },
};
