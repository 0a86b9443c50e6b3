import { counted } from '../../text/units.ts';
import { hitRatios, ratioOf, type TrafficBucket } from '../logs/sums/traffic.ts';
import type { Strays } from '../strays.ts';
import type { Diff, FieldChange } from './diff.ts';

/** An entry of the account's audit log. Texts are untrusted; secrets in them are masked. */
export type Change = {
  /** Unix ms. */
  timestamp: number;
  product: string | null;
  resourceType: string | null;
  resourceId: string | null;
  action: string | null;
  actorId: string | null;
  actorType: string | null;
  diff: Diff;
};

/** The name of a resource: a zone's own where that is known. */
export type NameOf = (change: Change) => string;

/** A page of the changes of a UTC day; `unread` more have no readable time. `next`: the token of the page behind it. */
export type ChangePage = {
  changes: readonly Change[];
  next: string | null;
  unread: number;
  strays?: Strays;
};

/** The zone that somebody looks at, by its ids; a Shield zone belongs to its pull zone. */
export type ZoneIds = { pullZoneId: string; shieldZoneId?: string | null | undefined };

/** When something changed, Unix ms, and what it was. */
export type Start = { at: number; what: string };

/** How long before a start a change may have caused it, ms: settings take minutes to reach all edges. */
export const NEAR_START = 15 * 60_000;
/** How much later than its effect a change may be dated, ms: clocks differ, and starts are whole minutes. */
const BEHIND_START = 60_000;

/** A change in a list: whether it is of the zone, and the start right after it. */
export type ListedChange = { change: Change; isOwn: boolean; before: { start: Start; by: number } | null };

export function isOfZone(
  { resourceType, resourceId }: Change,
  { pullZoneId, shieldZoneId }: ZoneIds,
): boolean {
  if (resourceId === null) return false;
  const isShield = /shield|waf/i.test(resourceType ?? '');
  return isShield
    ? resourceId === shieldZoneId || (resourceId === pullZoneId && resourceId !== '')
    : resourceId === pullZoneId &&
        !/storage|dns|script|container|stream|library|user|key/i.test(resourceType ?? '');
}

/** What a setting can cause, by the names of its fields: a failing origin, or misses. */
const BRINGS = {
  origin: /origin|host|dns|ssl|tls|certificate|timeout|retr|verify|forward|aws|s3|storage|edge.?rule|script/i,
  cache:
    /cache|query|vary|cookie|purge|bypass|expir|ttl|edge.?rule|strip|ignore|slice|origin|optimi|webp|script/i,
} as const;

/** Whether a change can have caused such a thing: a guess by its field names, to exclude what surely has not. */
export function canBring({ diff, action }: Change, what: keyof typeof BRINGS): boolean {
  const named = diff.fields.map(({ field }) => field).join(' ');
  const told = diff.fields.length > 0 ? `${named} ${action ?? ''}` : `${diff.text} ${action ?? ''}`;
  return BRINGS[what].test(told);
}

/** Those of the zone first, each part newest first; only the zone's own are compared with starts. */
export function listedChanges(
  changes: readonly Change[],
  zone: ZoneIds | null,
  starts: readonly Start[] = [],
): ListedChange[] {
  return changes
    .map((change) => {
      const isOwn = zone !== null && isOfZone(change, zone);
      const mayBe = isOwn && (canBring(change, 'origin') || canBring(change, 'cache'));
      return { change, isOwn, before: mayBe ? startAfter(change, starts) : null };
    })
    .sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.change.timestamp - a.change.timestamp);
}

/** The first start that a change may have caused, and how long after the change it was, ms. */
function startAfter({ timestamp }: Change, starts: readonly Start[]): ListedChange['before'] {
  const near = starts
    .map((start) => ({ start, by: start.at - timestamp }))
    .filter(({ by }) => by >= -BEHIND_START && by <= NEAR_START)
    .sort((a, b) => a.by - b.by)[0];
  return near === undefined ? null : { ...near, by: Math.max(0, near.by) };
}

/** The names of the changed fields, or the action without any; cut after a few. */
export function changedNames({ diff, action }: Change, most = 3): string {
  const names = [...new Set(diff.fields.map(({ field }) => field).filter((field) => field !== ''))];
  if (names.length === 0) return action ?? 'something';
  const rest = names.length - most;
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** `OriginUrl was changed at 22:42: origin.example -> orgin.example`; of what is no change of a setting `PurgeCache at 22:42: Url *`. */
export function changeWords({ diff, action }: Change, at: string): string {
  const [first, ...more] = diff.fields;
  const isAct = diff.fields.every(({ old }) => old === null) && action !== null && action !== 'Update';
  if (first === undefined || isAct) {
    const given = diff.fields.filter(({ field, now }) => now !== null && !field.endsWith('Id'));
    const told =
      first === undefined ? diff.text : given.map(({ field, now }) => `${field} ${now}`).join(', ');
    return `${action ?? 'a change'} at ${at}${told === '' ? '' : `: ${told}`}`;
  }
  const others = more.length > 0 ? `, and ${counted(more.length, 'more field')}` : '';
  return `${first.field === '' ? 'a setting' : first.field} was changed at ${at}${valuesOf(first)}${others}`;
}

function valuesOf({ old, now }: FieldChange): string {
  if (old === null && now === null) return '';
  return old === null ? `: ${now}` : `: ${old} -> ${now ?? 'none'}`;
}

/** A rise needs so many requests, errors and share of a bucket, and this factor over the usual share. */
const RISE = { requests: 20, errors: 5, share: 0.05, factor: 3 } as const;
/** A fall is this much below the usual hit ratio. */
const FALL = 0.2;

/** When errors rose or the hit ratio fell, by traffic in buckets of equal length: the first of each run. */
export function startsIn(buckets: readonly TrafficBucket[]): Start[] {
  const counted = buckets.filter(({ requests }) => requests >= RISE.requests);
  const usualErrors = middleOf(counted.flatMap(({ errors, requests }) => ratioOf(errors, requests) ?? []));
  const usualHits = middleOf(counted.flatMap((bucket) => hitRatios(bucket).requests ?? []));
  const isFailing = (bucket: TrafficBucket) =>
    bucket.requests >= RISE.requests &&
    bucket.errors >= RISE.errors &&
    bucket.errors / bucket.requests >= Math.max(RISE.share, RISE.factor * (usualErrors ?? 0));
  const isMissing = (bucket: TrafficBucket) => {
    const ratio = hitRatios(bucket).requests;
    return bucket.requests >= RISE.requests && ratio !== null && ratio < (usualHits ?? 0) - FALL;
  };
  return [
    ...firsts(buckets, isFailing).map(({ from: at }) => ({ at, what: '5xx rose' })),
    ...firsts(buckets, isMissing).map(({ from: at }) => ({ at, what: 'misses rose' })),
  ];
}

/** The first bucket may be in the middle of it, and is no beginning. */
function firsts(
  buckets: readonly TrafficBucket[],
  isUnusual: (bucket: TrafficBucket) => boolean,
): TrafficBucket[] {
  return buckets.filter(
    (bucket, i) => i > 0 && isUnusual(bucket) && !isUnusual(buckets[i - 1] as TrafficBucket),
  );
}

function middleOf(values: number[]): number | null {
  return values.toSorted((a, b) => a - b)[values.length >>> 1] ?? null;
}
