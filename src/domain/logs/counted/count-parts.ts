import type { Counting } from '../counts.ts';
import type { LogGroup } from '../groups/log-group.ts';
import { addRecord, type CacheSums, noCacheSums } from '../sums/traffic.ts';
import type { PartCounter } from './part-counter.ts';
import { countedReader } from './row-marks.ts';

type TimesAsked = Extract<Counting, { kind: 'times' }>;
type GroupsAsked = Extract<Counting, { kind: 'groups' }>;

/** Rows behind the last of the times belong to that. */
export function countTimes({ times }: TimesAsked): PartCounter {
  const found = new Map<number, CacheSums>();
  return {
    add(record) {
      const before = times.findIndex(({ to }) => record.timestamp < to);
      const at = before < 0 ? times.length - 1 : before;
      const sums = found.get(at) ?? noCacheSums();
      found.set(at, sums);
      addRecord(sums, record);
    },
    counts: () => ({ kind: 'times', times: [...found].map(([at, sums]) => ({ at, sums: { ...sums } })) }),
  };
}

/** `room`: groups kept apart; rows of later ones count in the total alone. */
export function countGroups({ by, most }: GroupsAsked, room: number): PartCounter {
  const readers = by.map((id) => countedReader(id, room));
  const groups = new Map<string, { sums: CacheSums; key: LogGroup['key']; first: number; last: number }>();
  let rows = 0;
  return {
    add(record) {
      rows++;
      const values = readers.map((read) => read(record) || null);
      const name = values.length === 1 ? String(values[0] ?? '') : JSON.stringify(values);
      const { timestamp } = record;
      let group = groups.get(name);
      if (group === undefined) {
        if (groups.size >= room) return;
        const key = Object.fromEntries(by.map((id, at) => [id, values[at] ?? null]));
        group = { sums: noCacheSums(), key, first: timestamp, last: timestamp };
        groups.set(name, group);
      }
      group.first = Math.min(group.first, timestamp);
      group.last = Math.max(group.last, timestamp);
      addRecord(group.sums, record);
    },
    counts: () => ({
      kind: 'groups',
      groups: [...groups.values()]
        .map(
          ({ key, sums, first, last }): LogGroup => ({
            key,
            count: sums.requests,
            bytes: sums.bytes,
            firstSeen: first,
            lastSeen: last,
            hits: sums.edgeRequests,
            misses: sums.originRequests,
            errors: sums.errors,
          }),
        )
        .sort(byCount)
        .slice(0, most),
      total: groups.size,
      rows,
    }),
  };
}

function byCount(a: LogGroup, b: LogGroup): number {
  return b.count - a.count || b.bytes - a.bytes || a.firstSeen - b.firstSeen;
}
