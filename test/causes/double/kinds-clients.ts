import type { Visits } from './catalogue.ts';
import { type Gang, gangOf, senderPart } from './gangs.ts';
import { onFocus, refuse, turnPart } from './parts.ts';
import { sharesOf } from './place.ts';
import { draw, hash, unit } from './random.ts';
import { fillMissing, fillPage, type Row } from './rows.ts';
import type { Kind, Part, Setting, Story } from './setting.ts';
import { anyPage, applyRule, scannedPath } from './streams.ts';
import type { Named } from './truth.ts';
import { WORDS } from './vocabulary.ts';
import type { Rule, Zone } from './zone.ts';

type Times = { from: number; to: number | null };
const SENT = { hit: 0.3, moved: 0.02, client: 0.02, server: 0 };

const ruleOf = (zone: Zone, features: readonly string[]): Rule =>
  zone.rules.find((r) => features.includes(r.feature)) ?? (zone.rules[0] as Rule);

export function scraper(
  s: Setting,
  zone: Zone,
  share: number,
  times: Times,
  by = s.dice.pick(['asn', 'ja4'] as const),
): Part {
  const depth = zone.inDepth();
  const gang = gangOf(s, zone, {
    size: s.dice.int(20, 400),
    skew: s.dice.between(1, 1.4),
    by,
    tool: s.dice.chance(0.4),
  });
  const fill = (row: Row) => fillPage(zone, depth, row, anyPage(depth, row.key));
  return senderPart(zone, { id: 10, ...times, share, gang, fill, usual: SENT });
}

export function greedy(s: Setting, zone: Zone, share: number, times: Times): Part {
  const depth = zone.inDepth();
  const gang = gangOf(s, zone, { size: 1, skew: 1, by: 'ip', tool: s.dice.chance(0.7) });
  const few = s.dice.chance(0.5)
    ? Array.from({ length: 3 }, () => draw(depth.catalogue.drawer, s.dice.next()))
    : null;
  const fill = (row: Row) =>
    fillPage(zone, depth, row, few === null ? anyPage(depth, row.key) : (few[row.key % 3] as number));
  return senderPart(zone, { id: 11, ...times, share, gang, fill, usual: SENT });
}

export function scan(s: Setting, zone: Zone, share: number, times: Times, one = s.dice.chance(0.5)): Part {
  const gang = gangOf(s, zone, {
    size: one ? 1 : s.dice.int(15, 120),
    skew: 1.1,
    by: one ? 'ip' : 'asn',
    tool: s.dice.chance(0.6),
  });
  const refused = s.dice.between(0.05, 0.35);
  const rule = ruleOf(zone, ['waf']);
  const shield = zone.shieldZoneId !== null;
  const fill = (row: Row) => {
    fillMissing(row, scannedPath(hash(row.key, 64)));
    if (unit(row.key, 68) >= refused) return;
    if (shield) applyRule(row, rule, 'blocked');
    else refuse(row, 403);
  };
  const usual = { hit: 0.15, moved: 0, client: 1, server: 0 };
  const names: Named[] = [{ field: 'status', value: '404' }];
  if (shield) names.push({ field: 'rule', value: rule.id });
  return senderPart(zone, { id: 12, ...times, share, gang, fill, names, rules: shield, usual });
}

function stuffing(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.1, 0.35);
  const zone = s.zone({ rate: s.rates(share, from, 120), wholeAddresses: true });
  const depth = zone.inDepth();
  const by = s.dice.pick(['ja4', 'asn'] as const);
  const gang = gangOf(s, zone, { size: s.dice.int(200, 3000), skew: 1.1, by, tool: s.dice.chance(0.3) });
  const shield = zone.shieldZoneId !== null;
  const rule = ruleOf(zone, ['ratelimit', 'botdetection']);
  const met = s.dice.between(0.3, 0.8);
  const fill = (row: Row) => {
    fillPage(zone, depth, row, 1);
    const u = unit(row.key, 69);
    row.status = u < 0.86 ? 401 : u < 0.96 ? 403 : 302;
    row.cache = 'BYPASS';
    row.bytes = 480;
    if (shield && unit(row.key, 68) < met)
      applyRule(row, rule, unit(row.key, 65) < 0.6 ? rule.action : 'logged');
  };
  const names: Named[] = [
    { field: 'path', value: '/login' },
    { field: 'page', value: '/login' },
    { field: 'status', value: '401' },
  ];
  if (shield) names.push({ field: 'rule', value: rule.id });
  const usual = { hit: 0, moved: 0.04, client: 0.96, server: 0 };
  return {
    zone,
    parts: [senderPart(zone, { id: 13, from, to: s.end(), share, gang, names, fill, rules: shield, usual })],
  };
}

export const sent =
  (low: number, high: number, make: typeof greedy, visits: Visits | null = null): Kind['tell'] =>
  (s) => {
    const from = s.ago(3, 50);
    const share = s.dice.between(low, high);
    const zone = s.zone({ rate: s.rates(share, from, 150), wholeAddresses: true, visits });
    return { zone, parts: [make(s, zone, share, { from, to: s.end() })] };
  };

/** So little of one scanner is nobody's trouble, though far more than usual is not there for some minutes. */
function fewProbes(s: Setting): Story {
  const from = s.ago(5, 12);
  const zone = s.zone({ rate: [15, 30], shield: false, notFound: [0.008, 0.012] });
  const share = s.dice.between(0.03, 0.042);
  return { zone, parts: [{ ...scan(s, zone, share, { from, to: from + 4 * 60_000 }, true), cause: null }] };
}

export function refusedCountry(s: Setting, zone: Zone, times: Times): Part {
  const { crowd } = zone.inDepth();
  const shares = [...sharesOf(crowd, (c) => crowd.country[c] as string)].sort((a, b) => b[1] - a[1]);
  const fit = shares.filter(([, share]) => share > 0.045 && share < 0.19);
  const [country, share] = fit.length > 0 ? s.dice.pick(fit) : (shares[1] as [string, number]);
  const part = turnPart(s, {
    what: 'refused',
    ...times,
    share,
    names: [
      { field: 'country', value: country },
      { field: 'status', value: '403' },
    ],
    turn: (row) => {
      if (row.crowd.country[row.client] === country) refuse(row, 403);
    },
  });
  if (s.dice.chance(0.5) || part.cause === null) return part;
  const change = {
    at: times.from - s.dice.int(2, 40) * 1000,
    field: 'BlockedCountries',
    before: '[]',
    after: `["${country}"]`,
  };
  return { ...part, cause: { ...part.cause, change }, changes: [{ zoneId: zone.id, ...change }] };
}

function brokenLink(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.045, 0.15);
  const kinds = ['html', 'image', 'asset'] as const;
  const zone = s.zone({
    rate: s.rates(share, from),
    focus: { what: 'page', share, kinds },
    hit: [0.45, 0.95],
  });
  const where = onFocus(zone);
  const part = turnPart(s, {
    what: 'notFound',
    from,
    to: s.end(),
    share: where.share,
    names: [...where.names, { field: 'status', value: '404' }],
    turn: (row) => {
      if (where.meets(row)) refuse(row, 404);
    },
  });
  return { zone, parts: [part] };
}

function falsePositive(s: Setting): Story {
  const from = s.ago(3, 50);
  const share = s.dice.between(0.03, 0.1);
  const zone = s.zone({
    rate: s.rates(share, from, 60),
    focus: { what: s.dice.pick(['section', 'page']), share, kinds: ['html', 'api'] },
    shield: true,
    hit: [0.45, 0.9],
  });
  const where = onFocus(zone);
  const met = s.dice.between(0.7, 1);
  const told = s.dice.chance(0.5);
  const rule = s.dice.pick(
    zone.rules.filter((r) => r.feature === 'waf' && r.action === (told ? 'logged' : 'blocked')),
  );
  const part = turnPart(s, {
    what: 'rule',
    from,
    to: s.end(),
    share: where.share * met,
    names: [{ field: 'rule', value: rule.id }, ...where.names, { field: 'status', value: '403' }],
    rules: true,
    turn: (row) => {
      if (!where.meets(row) || unit(row.key, 82) >= met) return;
      row.rule = rule;
      row.action = 'blocked';
      refuse(row, 403);
    },
  });
  if (!told || part.cause === null || zone.shieldZoneId === null) return { zone, parts: [part] };
  const change = {
    at: from - s.dice.int(2, 60) * 1000,
    field: `WafRule.${rule.id}.Action`,
    before: 'Log',
    after: 'Block',
  };
  const changes = [{ zoneId: zone.shieldZoneId, ...change, product: 'Shield', resource: 'ShieldZone' }];
  return { zone, parts: [{ ...part, cause: { ...part.cause, change }, changes }] };
}

function missStorm(s: Setting): Story {
  const from = s.ago(4, 50);
  const share = s.dice.between(0.15, 0.4);
  const zone = s.zone({
    rate: s.rates(share, from, 200),
    hit: [0.6, 0.97],
    focus: { what: 'page', share: 0.03, kinds: ['html', 'image'] },
  });
  const depth = zone.inDepth();
  const where = onFocus(zone);
  const page = depth.catalogue.focus?.inside.indexOf(1) ?? 0;
  const word = s.dice.pick(['cb', '_', 'sid', 'fbclid', WORDS[s.dice.int(0, 9)] as string]);
  const fill = (row: Row) => {
    fillPage(zone, depth, row, page);
    row.path = `${depth.catalogue.pages[page]?.path}?${word}=${hash(row.key, 70).toString(36)}${row.key.toString(36)}`;
    if (row.status === 304) row.status = 200;
    row.cache = 'MISS';
  };
  const gang: Gang = { crowd: depth.crowd, names: where.names };
  const usual = { hit: 0, moved: 0, client: 0, server: 0 };
  const names: Named[] = [{ field: 'cache', value: 'MISS' }];
  return {
    zone,
    parts: [senderPart(zone, { id: 14, from, to: s.end(), share, gang, names, what: 'misses', fill, usual })],
  };
}

export const CLIENT_KINDS: Readonly<Record<string, Kind>> = {
  missStorm: { window: 'any', tell: missStorm },
  loginStuffing: { window: 'any', tell: stuffing },
  scraper: { window: 'any', tell: sent(0.1, 0.3, scraper) },
  greedyClient: { window: 'any', tell: sent(0.15, 0.45, greedy) },
  vulnScan: { window: 'any', tell: sent(0.05, 0.2, scan) },
  calmScanner: { window: 'quarter', tell: fewProbes },
  refusedCountry: {
    window: 'any',
    tell: (s) => {
      const from = s.ago(3, 50);
      const zone = s.zone({ rate: s.rates(0.045, from) });
      return { zone, parts: [refusedCountry(s, zone, { from, to: s.end() })] };
    },
  },
  brokenLink: { window: 'any', tell: brokenLink },
  wafFalsePositive: { window: 'any', tell: falsePositive },
};
