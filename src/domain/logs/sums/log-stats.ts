import type { TimeRange } from '../../tail/coverage.ts';
import type { LogOrder } from '../order/log-order.ts';
import { addTraffic, noTraffic, type Traffic } from './traffic.ts';

export type TrafficBucket = TimeRange & Traffic;

export type LogStats = { total: Traffic; buckets: TrafficBucket[] };

/** The traffic of a range of time, whole and cut into buckets of equal length. */
export function statsOf(order: LogOrder, range: TimeRange, buckets: number): LogStats {
  const total = noTraffic();
  const step = (range.to - range.from) / buckets;
  let from = range.from;
  let place = order.locate(from);
  const cut = Array.from({ length: buckets }, (_, i) => {
    const to = i === buckets - 1 ? range.to : range.from + step * (i + 1);
    const end = order.locate(to);
    const bucket = { from, to, ...order.trafficBetween(place, end) };
    addTraffic(total, bucket);
    from = to;
    place = end;
    return bucket;
  });
  return { total, buckets: cut };
}
