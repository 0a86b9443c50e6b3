import { sum, unit } from './random.ts';
import { BYPASSED, CLASSES, type Failure, fail, type Row } from './rows.ts';
import { meanOf, type Part, type Setting } from './setting.ts';
import type { Named } from './truth.ts';
import { missesOf, type Zone } from './zone.ts';

export type Shape = (t: number) => number;
export const always: Shape = () => 1;

/** Where an origin fails: everywhere, on some pages, or behind one place of the platform. */
export type Where = {
  readonly meets: (row: Row) => boolean;
  /** The part of all requests that it meets, and how many of those the cache does not answer. */
  readonly share: number;
  readonly misses: number;
  readonly names: readonly Named[];
};

export const everywhere = (zone: Zone): Where => ({
  meets: () => true,
  share: 1,
  misses: missesOf(zone),
  names: [],
});

export function onFocus(zone: Zone): Where {
  const { focus, pages } = zone.inDepth().catalogue;
  if (focus === null) throw new Error('the kind asked for no pages of its own');
  const whole = pages.some((p) => p.path === focus.name);
  const names: Named[] = [{ field: 'path', value: focus.name }];
  if (whole) names.push({ field: 'page', value: focus.name });
  return {
    meets: (row) => row.page >= 0 && focus.inside[row.page] === 1,
    share: focus.share * (1 - zone.traits.notFound),
    misses: focus.misses,
    names,
  };
}

/** Requests that a rule of Shield ended never reach the cache or the origin. */
export const ended = (row: Row): boolean =>
  row.rule !== null && row.action !== 'logged' && row.status === 403;

export type OriginWish = {
  readonly from: number;
  readonly to: number | null;
  readonly slack?: number;
  /** The part of all requests at full strength. */
  readonly share: number;
  readonly failure: Failure;
  readonly where?: Where;
  readonly shape?: Shape;
  /** Old copies are served instead of errors. */
  readonly stale?: boolean;
};

/** What is not in the cache fails first; where that is not enough, so does the rest. */
function chances(share: number, misses: number): { missed: number; hit: number } {
  if (share <= misses) return { missed: share / misses, hit: 0 };
  return { missed: 1, hit: Math.min(1, (share - misses) / Math.max(1e-9, 1 - misses)) };
}

/** How many requests of what is never cached fail while old copies are served of the rest. */
const NEVER_KEPT = 0.3;

function bypassed(zone: Zone): number {
  const { pages, weights } = zone.inDepth().catalogue;
  const api = sum(weights.filter((_, i) => pages[i]?.kind === 'api'));
  return (api / sum(weights)) * BYPASSED * (1 - zone.traits.notFound);
}

export function originPart(s: Setting, zone: Zone, wish: OriginWish): Part {
  const { failure, from, to, stale = false } = wish;
  const where = wish.where ?? everywhere(zone);
  const shape = wish.shape ?? always;
  const p = chances(Math.min(1, wish.share / where.share), where.misses);
  const touch = (row: Row, strength: number) => {
    if (row.failure !== null || ended(row) || !where.meets(row)) return;
    const hit = row.cache === 'HIT';
    if (unit(row.key, 80) >= (hit ? p.hit : p.missed) * strength) return;
    if (!stale) fail(row, failure);
    else if (row.cache === 'BYPASS') {
      if (unit(row.key, 81) < NEVER_KEPT) fail(row, failure);
    } else {
      row.cache = unit(row.key, 81) < 0.7 ? 'STALE' : 'UPDATING';
      row.failure = failure;
    }
  };
  const never = stale ? bypassed(zone) * p.missed : 0;
  const share = Math.min(wish.share, where.share) - never * (1 - NEVER_KEPT);
  const lostHits = where.share * p.hit * (1 - where.misses);
  const status: Named[] = [{ field: 'status', value: String(failure.status) }];
  const old: Named[] = [
    { field: 'cache', value: 'STALE' },
    { field: 'cache', value: 'UPDATING' },
  ];
  return {
    cause: {
      what: 'origin',
      from,
      fromSlack: wish.slack ?? 0,
      to,
      share: share * meanOf(from, to ?? s.now, shape),
      names: [...where.names, ...(stale ? old : []), ...status],
      code: failure.code,
      change: null,
    },
    effects: [
      {
        from,
        to: to ?? Number.POSITIVE_INFINITY,
        strength: shape,
        touch,
        classes: CLASSES.server,
        rules: false,
        failing: { failure, share },
        turned: { server: stale ? never * NEVER_KEPT : share, client: 0, moved: 0, lostHits },
      },
    ],
    streams: [],
    changes: [],
  };
}

export type TurnWish = {
  readonly what: 'misses' | 'refused' | 'notFound' | 'clientErrors' | 'rule' | 'redirected';
  readonly from: number;
  readonly to: number | null;
  readonly share: number;
  readonly names: readonly Named[];
  readonly shape?: Shape;
  readonly turn: (row: Row, strength: number) => void;
  readonly rules?: boolean;
};

/** Requests that would have been well turn out otherwise. */
export function turnPart(s: Setting, wish: TurnWish): Part {
  const shape = wish.shape ?? always;
  const { from, to, share, what } = wish;
  const misses = what === 'misses';
  const moved = what === 'redirected';
  return {
    cause: {
      what,
      from,
      fromSlack: 0,
      to,
      share: share * meanOf(from, to ?? s.now, shape),
      names: wish.names,
      code: null,
      change: null,
    },
    effects: [
      {
        from,
        to: to ?? Number.POSITIVE_INFINITY,
        strength: shape,
        touch: (row, strength) => {
          if (row.failure === null && !ended(row)) wish.turn(row, strength);
        },
        classes: misses ? 0 : moved ? CLASSES.moved : CLASSES.client,
        rules: wish.rules ?? false,
        failing: null,
        turned: {
          server: 0,
          client: misses || moved ? 0 : share,
          moved: moved ? share : 0,
          lostHits: misses ? share : share / 2,
        },
      },
    ],
    streams: [],
    changes: [],
  };
}

export function refuse(row: Row, status: 400 | 403 | 404): void {
  row.status = status;
  row.cache = status === 403 ? '-' : 'MISS';
  row.bytes = 620;
}

/** A part that a change of the zone's settings brought about. */
export function broughtBy(
  part: Part,
  zone: Zone,
  at: number,
  field: string,
  before: string,
  after: string,
): Part {
  const change = { at, field, before, after };
  return {
    ...part,
    cause: part.cause === null ? null : { ...part.cause, change },
    changes: [{ zoneId: zone.id, ...change }],
  };
}
