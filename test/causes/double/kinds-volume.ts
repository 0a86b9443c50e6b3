import { onFocus, turnPart } from './parts.ts';
import { unit } from './random.ts';
import { HOUR, type Kind, type Part, SECOND, type Setting, type Story } from './setting.ts';

/** Requests that do not come, of all that come otherwise but those of monitors and bots. */
function fewer(s: Setting, left: number): Story {
  const [from, to] = [s.ago(3, 12), s.asked.to === s.now ? null : s.end()];
  const zone = s.zone({ rate: [6, 150] });
  const isOn = (second: number) =>
    second * SECOND >= from && second * SECOND < (to ?? Number.POSITIVE_INFINITY);
  const cause: Part['cause'] = {
    ...{ from, fromSlack: 0, to, share: 1 - left, names: [], code: null, change: null },
    what: 'fewer',
  };
  const part: Part = { cause, effects: [], streams: [], changes: [] };
  return { zone, parts: [part], swell: (second) => (isOn(second) ? left : 1) };
}

/** The newest day has fewer requests than the days before, all of it, and over some hours more and more so. */
function quietDay(s: Setting): Story {
  const least = s.dice.between(0.45, 0.75);
  const [from, ramp] = [s.asked.to - 20 * HOUR, 8 * HOUR];
  const swell = (second: number) =>
    1 - (1 - least) * Math.min(1, Math.max(0, (second * SECOND - from) / ramp));
  return { zone: s.zone({ rate: [2, 150] }), parts: [], swell };
}

/** Pages of one section are kept apart by a cookie, so that nearly none is found in the cache. */
function cookieVaried(s: Setting): Story {
  const from = s.ago(4, 50);
  const focus = { what: 'section', share: s.dice.between(0.1, 0.15), kinds: ['html'] } as const;
  const zone = s.zone({ rate: s.rates(0.08, from, 150), hit: [0.75, 0.95], focus });
  const where = onFocus(zone);
  const turn: Parameters<typeof turnPart>[1]['turn'] = (row) => {
    if (where.meets(row) && row.cache === 'HIT' && unit(row.key, 42) < 0.95) row.cache = 'MISS';
  };
  const share = where.share * (1 - where.misses) * 0.95;
  const { names } = where;
  const part = turnPart(s, { what: 'misses', from, to: s.end(), share, names, turn });
  const change = { at: from - 20 * SECOND, field: 'EnableCookieVary', before: 'False', after: 'True' };
  const cause = part.cause === null ? null : { ...part.cause, change };
  return { zone, parts: [{ ...part, cause, changes: [{ zoneId: zone.id, ...change }] }] };
}

export const VOLUME_KINDS: Readonly<Record<string, Kind>> = {
  halved: { window: 'any', tell: (s) => fewer(s, s.dice.between(0.25, 0.42)) },
  silenced: { window: 'any', tell: (s) => fewer(s, 0) },
  cookieVaried: { window: 'any', tell: cookieVaried },
  calmQuietDay: { window: 'any', tell: quietDay },
};
