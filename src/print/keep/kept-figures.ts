import type { ReadingClient } from '../../api/client.ts';
import { GAP_REASONS } from '../../domain/tail/coverage.ts';
import { counted, duration, isoSecond, SECOND } from '../../text/units.ts';
import type { MetricFamily } from './exposition.ts';
import type { KeptStore } from './kept-store.ts';
import type { KeptZone } from './kept-zone.ts';

/** What is told of a keep, to people and to programs. */
export type Kept = {
  zones: readonly KeptZone[];
  store: KeptStore;
  client: Pick<ReadingClient, 'logQuota'>;
};

/** How much was stored, and of the zone that is furthest behind how far. */
export function lagWords({ zones }: Pick<Kept, 'zones'>): string {
  const stored = counted(
    zones.reduce((sum, zone) => sum + zone.stored, 0),
    'row',
  );
  const [last, ...others] = zones.filter(({ isKept }) => isKept).toSorted((a, b) => a.keptTo - b.keptTo);
  if (last === undefined) return `${stored} stored; no zone is kept here now`;
  if (last.lag === null) return `${stored} stored; ${last.name} is not complete to any time yet`;
  const of = others.length === 0 ? '' : `${last.name} `;
  return `${stored} stored; ${of}complete to ${isoSecond(last.keptTo)}, ${duration(last.lag)} ago`;
}

/** When the platform or the store last answered or refused, by the monotonic clock. */
export function heardAt({ zones, store }: Pick<Kept, 'zones' | 'store'>): number {
  return zones.reduce((last, zone) => Math.max(last, zone.heardAt), store.figures().heardAt);
}

/** The same and more for a monitor. A name is there from the beginning, so that its first rise is seen, too. */
export function keptFamilies({ zones, store, client }: Kept): MetricFamily[] {
  const { batches, retries, waiting, isAway } = store.figures();
  const of = (
    name: string,
    type: MetricFamily['type'],
    help: string,
    samples: MetricFamily['samples'] | number,
  ): MetricFamily => ({
    name: `edgescope_keep_${name}`,
    type,
    help,
    samples: typeof samples === 'number' ? [{ value: samples }] : samples,
  });
  const ofZones = (figureOf: (zone: KeptZone) => number | null) =>
    zones.flatMap((zone) => {
      const value = figureOf(zone);
      return value === null ? [] : [{ labels: { zone: zone.name, zone_id: zone.id }, value }];
    });
  const quotas = new Map(zones.map((zone) => [zone, client.logQuota(zone.id)]));
  const gapOf = (zone: KeptZone) => zone.gaps.values().reduce((sum, ms) => sum + ms, 0) / SECOND;
  return [
    of(
      'zone_lag_seconds',
      'gauge',
      'How long ago that is up to which the log is stored, or noted as a gap; absent until the store was asked, and where another keeper has the zone.',
      ofZones(({ isKept, lag }) => (!isKept || lag === null ? null : lag / SECOND)),
    ),
    of(
      'zone_followed',
      'gauge',
      'Whether the log is followed and its last reading was answered: 1, or 0 while old time is read or nothing can be read; absent where another keeper has the zone.',
      ofZones(({ isKept, isFollowed }) => (isKept ? Number(isFollowed) : null)),
    ),
    of(
      'zone_rows_total',
      'counter',
      'Rows that the store confirmed; those that are read again count again.',
      ofZones(({ stored }) => stored),
    ),
    of(
      'zone_gap_seconds_total',
      'counter',
      'Time noted as a gap, each time that it is noted.',
      ofZones(gapOf),
    ),
    of(
      'gap_seconds_total',
      'counter',
      'The same of all zones, by the reason of the gap.',
      GAP_REASONS.map((reason) => ({
        labels: { reason },
        value: zones.reduce((sum, { gaps }) => sum + (gaps.get(reason) ?? 0), 0) / SECOND,
      })),
    ),
    of(
      'zone_quota_used',
      'gauge',
      'Requests that the platform may still count for the log, of all programs of this user.',
      ofZones((zone) => quotas.get(zone)?.used ?? null),
    ),
    of(
      'zone_quota_limit',
      'gauge',
      'Requests that the platform allows for the log at once.',
      ofZones((zone) => quotas.get(zone)?.cap ?? null),
    ),
    of('store_up', 'gauge', 'Whether the store took what it was last asked to: 1 or 0.', Number(!isAway)),
    of('store_batches_total', 'counter', 'Batches of rows and notes that the store confirmed.', batches),
    of('store_retries_total', 'counter', 'Tries that the store refused or did not confirm.', retries),
    of('rows_waiting', 'gauge', 'Rows that came and are not stored yet.', waiting),
  ];
}
