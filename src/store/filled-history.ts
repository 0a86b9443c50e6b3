import type { Result } from '../domain/failure.ts';
import { firstOfItsKind, type LogRecord } from '../domain/log.ts';
import {
  type FileHistory,
  type LogHistory,
  type PageAsked,
  type RowsAsked,
  readForBoth,
  type StoredPage,
} from '../domain/logs/log-history.ts';
import {
  type Gap,
  isLacking,
  joinedRanges,
  overlaps,
  shared,
  type TimeRange,
  timeShared,
} from '../domain/tail/coverage.ts';
import { tailFaultOf } from '../domain/tail/tail-pace.ts';

/** A store, the platform's stored files, or the store with its gaps filled from them; null: neither is there. */
export function nearestHistory(store: LogHistory | null, files: FileHistory | null): LogHistory | null {
  return store && files ? filledHistory(store, files) : (store ?? files);
}

/**
 * A store whose gaps are filled from the files that the platform stores. Time that the store has whole is its alone; of other time
 * the rows of both are there, each once. An engine counts what the store has, where that is most of a time.
 */
function filledHistory(store: LogHistory, files: FileHistory): LogHistory {
  /** Whether rows have to be read to know most of a time. */
  async function lacksMost(gaps: readonly Gap[], asked: RowsAsked, signal?: AbortSignal): Promise<boolean> {
    const ids = asked.zones.flatMap((zone) => zone.ids);
    const lacking = gaps.filter((gap) => gap.zone !== undefined && isLacking(gap));
    const half = (ids.length * (asked.range.to - asked.range.from)) / 2;
    if (timeShared(asked.range, lacking) <= half) return false;
    const listed = await Promise.all(ids.map((id) => files.list(id, asked.range, signal)));
    return listed.some((answer) => answer.ok && answer.value.of > 0);
  }

  /** What the engine counted, or null: rows have to be read. */
  async function unlessRead<T extends { gaps: readonly Gap[] }>(
    answer: Result<T | null>,
    asked: RowsAsked,
    signal?: AbortSignal,
  ): Promise<Result<T | null>> {
    const isRead = answer.ok && answer.value && (await lacksMost(answer.value.gaps, asked, signal));
    return isRead ? { ok: true, value: null } : answer;
  }

  return {
    ...store,
    async page(asked, page, signal) {
      const own = await store.page(asked, page, signal);
      if (!own.ok || page.after !== null) return own;
      const { order } = page;
      const had = reached(own.value, asked.range, order);
      // What was imported is read as it is: files may be where it came from.
      const imported = own.value.gaps.filter((gap) => !isLacking(gap));
      const lacking = nearest(own.value.gaps.filter(isLacking), asked.range, order);
      if (lacking === null || !overlaps(lacking, had)) return own;
      const isAtEdge = order === 'asc' ? lacking.from <= had.from : lacking.to >= had.to;
      if (!isAtEdge) {
        const part = order === 'asc' ? { ...had, to: lacking.from } : { ...had, from: lacking.to };
        const records = own.value.records.filter(isWithin(part));
        const gaps = imported.filter((gap) => overlaps(gap, part));
        return { ok: true, value: { ...own.value, records, next: null, gaps, part } };
      }
      const filling = await files.page({ ...asked, range: lacking }, page, signal);
      if (!filling.ok) {
        const { kind } = filling.failure;
        if (kind === 'cancelled') return filling;
        if (kind === 'noStoredFiles') return own;
        const { reason } = tailFaultOf(kind);
        const gaps = own.value.gaps.map((gap) => (overlaps(gap, lacking) ? { ...gap, reason } : gap));
        return { ok: true, value: { ...own.value, gaps } };
      }
      const filled = filling.value.part ?? lacking;
      const part = { from: Math.max(filled.from, had.from), to: Math.min(filled.to, had.to) };
      // A page of the store that lies in one millisecond.
      if (part.from >= part.to) return own;
      const records = merged([own.value.records, filling.value.records], part, order);
      const read = readForBoth(own.value.read, filling.value.read);
      const isAll = part.from === asked.range.from && part.to === asked.range.to;
      const gaps = [...filling.value.gaps, ...imported].filter((gap) => overlaps(gap, part));
      const { here, hidden } = own.value;
      const about = isAll ? {} : { part };
      return { ok: true, value: { records, next: null, here, hidden, gaps, read, files: true, ...about } };
    },
    groups: async (asked, by, most, signal) =>
      unlessRead(await store.groups(asked, by, most, signal), asked, signal),
    values: async (asked, fields, most, signal) =>
      unlessRead(await store.values(asked, fields, most, signal), asked, signal),
    steps: async (asked, steps, series, signal) =>
      unlessRead(await store.steps(asked, steps, series, signal), asked, signal),
    async count(asked, signal) {
      const answer = await store.count(asked, signal);
      if (!answer.ok || !('counts' in answer.value)) return answer;
      const { from, to, pullZoneId } = asked;
      if (timeShared({ from, to }, answer.value.covered) >= (to - from) / 2) return answer;
      const listed = await files.list(pullZoneId, { from, to }, signal);
      if (!listed.ok || listed.value.of === 0) return answer;
      return { ok: true, value: { refusal: 'the store has less than half of it', read: null } };
    },
    async close() {
      await Promise.all([store.close(), files.close()]);
    },
  };
}

/** The time that a page of a store is about. */
function reached({ next }: StoredPage, range: TimeRange, order: PageAsked['order']): TimeRange {
  if (next === null) return range;
  return order === 'asc' ? { ...range, to: next.timestamp } : { ...range, from: next.timestamp + 1 };
}

/** The gap that comes first in an order, with those that touch it. */
function nearest(gaps: readonly Gap[], range: TimeRange, order: PageAsked['order']): TimeRange | null {
  const joined = joinedRanges(shared(range, gaps));
  return (order === 'asc' ? joined[0] : joined.at(-1)) ?? null;
}

function merged(sources: readonly LogRecord[][], part: TimeRange, order: PageAsked['order']): LogRecord[] {
  const way = order === 'asc' ? 1 : -1;
  const rows = sources.flat().filter(isWithin(part));
  return rows.sort((a, b) => way * (a.timestamp - b.timestamp)).filter(firstOfItsKind());
}

function isWithin({ from, to }: TimeRange): (row: LogRecord) => boolean {
  return ({ timestamp }) => timestamp >= from && timestamp < to;
}
