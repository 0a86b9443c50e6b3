import type { LogRecord } from '../../log.ts';
import type { Counting, ValuePair } from '../counts.ts';
import type { LogGroup } from '../groups/log-group.ts';
import { addRecord, type CacheSums, noCacheSums } from '../sums/traffic.ts';
import type { PartCounter } from './part-counter.ts';
import { countedReader } from './row-marks.ts';

type StepsAsked = Extract<Counting, { kind: 'steps' }>;
type PairsAsked = Extract<Counting, { kind: 'pairs' }>;
type GroupsAsked = Extract<Counting, { kind: 'groups' }>;
type Step = { sums: CacheSums; values: readonly Map<string, number>[] };

/** `room`: values of a field told apart in each step. One that is common is among the first of them, or came late. */
export function countSteps({ fields, steps: asked, share }: StepsAsked, room: number): PartCounter {
  const readers = fields.map((id) => countedReader(id, room));
  const steps = new Map<number, Step>();
  return {
    add(record) {
      const at = stepOf(record, { steps: asked });
      const step = steps.get(at) ?? { sums: noCacheSums(), values: fields.map(() => new Map()) };
      steps.set(at, step);
      addRecord(step.sums, record);
      readers.forEach((read, field) => {
        const counts = step.values[field] as Map<string, number>;
        const value = read(record);
        const known = counts.get(value);
        if (known !== undefined || counts.size < room) counts.set(value, (known ?? 0) + 1);
      });
    },
    counts: () => ({
      kind: 'steps',
      steps: [...steps].map(([at, { sums, values }]) => ({
        at,
        sums: { ...sums },
        values: values.flatMap((counts, place) =>
          [...counts].flatMap(([value, count]) =>
            value === '' || count * share < sums.requests
              ? []
              : [{ field: fields[place] as string, value, count }],
          ),
        ),
      })),
    }),
  };
}

export function countPairs({ wanted, steps, least }: PairsAsked): PartCounter {
  const fields = [...wanted].map(([field, values]) => ({
    field,
    values: new Set(values),
    read: countedReader(field, values.length),
  }));
  const pairs = new Map<string, ValuePair & { count: number }>();
  return {
    add(record) {
      const at = stepOf(record, { steps });
      const own = fields
        .map(({ field, values, read }) => ({ field, values, value: read(record) }))
        .filter(({ values, value }) => values.has(value));
      own.forEach((a, n) => {
        for (const b of own.slice(n + 1)) {
          const key = JSON.stringify([at, a.field, a.value, b.field, b.value]);
          const known = pairs.get(key);
          if (known) known.count++;
          else pairs.set(key, { at, fields: [a.field, b.field], values: [a.value, b.value], count: 1 });
        }
      });
    },
    counts: () => ({
      kind: 'pairs',
      pairs: [...pairs.values()].filter(({ count }) => count >= least).map((pair) => ({ ...pair })),
    }),
  };
}

/** `room`: groups told apart; rows of later ones are in the number of rows alone. */
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

function stepOf({ timestamp }: LogRecord, { steps }: Pick<StepsAsked, 'steps'>): number {
  if (!('step' in steps)) {
    const at = steps.findIndex(({ to }) => timestamp < to);
    return at < 0 ? steps.length - 1 : at;
  }
  return Math.floor((timestamp - steps.from) / steps.step);
}
