import type { Failure, Result } from '../domain/failure.ts';
import { goneOf } from '../domain/log-retention.ts';
import type { CountRequest, LogHistory, RowsAsked, StoredPage } from '../domain/logs/log-history.ts';
import { termsOfFilter } from '../domain/query/push-down.ts';
import type { Gap, TimeRange } from '../domain/tail/coverage.ts';
import { isDateKnown, toldNow } from '../domain/tail/server-time.ts';
import type { Clock } from '../time/clock.ts';
import type { CallOptions, Client, LogSlice, LogSliceRequest } from './client.ts';

type Logs = Pick<Client, 'logs' | 'serverTime'>;

/**
 * The same client with a longer memory: a store answers what is older than the platform keeps. Each answer is of one
 * source; of a time that both have a part of, it covers the part that comes first in the order asked, and says so
 * (`part`).
 */
export function withHistory<C extends Logs>(client: C, history: LogHistory, o: { clock: Clock }): C {
  const now = () => toldNow(client.serverTime('logging'), { steady: o.clock.now(), wall: o.clock.wall() });

  async function logs(r: LogSliceRequest, c?: CallOptions): Promise<Result<LogSlice>> {
    const stored = goneOf(r, now(), 'logs');
    if (stored === null) return client.logs(r, c);
    const rest = { from: stored.to, to: r.to };
    if (rest.from >= rest.to || r.order === 'asc') return fromStore(r, stored, c);
    const answer = await client.logs({ ...r, ...rest }, c);
    return answer.ok ? { ok: true, value: { ...answer.value, part: rest } } : answer;
  }

  async function fromStore(r: LogSliceRequest, range: TimeRange, c?: CallOptions): Promise<Result<LogSlice>> {
    const isPart = range.to < r.to;
    const { pullZoneId, order, limit, filter } = r;
    const { terms = [], anonymisation = 'none', after = null } = r.history ?? {};
    const asked: RowsAsked = {
      zones: [{ ids: [pullZoneId], anonymisation }],
      range,
      terms: [...termsOfFilter(filter), ...terms],
    };
    const sentAt = o.clock.now();
    const answer = await history.page(asked, { order, after, limit }, c?.signal);
    // Of a time that goes on with the platform, a failure costs the store's part.
    if (!answer.ok && (!isPart || answer.failure.kind === 'cancelled')) return answer;
    const { records: rows, gaps, ...told } = answer.ok ? answer.value : unread(range, answer.failure);
    // The question names its zone.
    const stored = { ...told, gaps: gaps.map(({ zone: _zone, ...gap }) => gap) };
    const time = client.serverTime('logging');
    return {
      ok: true,
      value: {
        rows,
        hasMore: stored.next !== null,
        serverNow: isDateKnown(time) ? now() : null,
        sentAt,
        receivedAt: o.clock.now(),
        stored,
        ...(isPart ? { part: range } : {}),
      },
    };
  }

  return { ...client, logs, count: (r: CountRequest, c?: CallOptions) => history.count(r, c?.signal) };
}

function unread(range: TimeRange, failure: Failure): StoredPage & { failure: Failure } {
  const gap: Gap = { ...range, id: `store ${range.from}`, reason: 'failed', rows: null };
  return { records: [], next: null, here: [], hidden: 0, gaps: [gap], read: null, failure };
}
