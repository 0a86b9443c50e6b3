import { cacheStatusRow, type LogRecord } from '../../src/domain/log.ts';
import { NO_CAUSES } from '../../src/domain/origin-cause.ts';
import { logField } from '../../src/domain/query/fields.ts';
import { matcher } from '../../src/domain/query/match.ts';
import type { Term } from '../../src/domain/query/query.ts';
import type { Gap, TimeRange } from '../../src/domain/tail/coverage.ts';

export type ModelRow = { record: LogRecord; late: boolean; isHeld: boolean };
export type ModelItem = { kind: 'row'; row: ModelRow } | { kind: 'gap'; gap: Gap };

/** What a LogBook must do, in the plainest words: a sorted array. */
export class LogModel {
  rows: ModelRow[] = [];
  gaps: Gap[] = [];
  evicted = 0;
  #terms: readonly Term[] = [];
  #isFrozen = false;
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  append(rows: readonly { record: LogRecord; late: boolean }[]): void {
    for (const { record, late } of rows) {
      const after = this.rows.findLastIndex((other) => other.record.timestamp <= record.timestamp);
      this.rows.splice(after + 1, 0, { record, late, isHeld: this.#isFrozen });
    }
    const over = Math.max(0, this.rows.length - this.#capacity);
    this.rows.splice(0, over);
    this.evicted += over;
  }

  setGaps(gaps: readonly Gap[]): void {
    this.gaps = [...gaps].sort((a, b) => a.from - b.from);
  }

  setFilter(terms: readonly Term[]): void {
    this.#terms = terms;
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const row of this.rows) row.isHeld = false;
  }

  get matching(): ModelRow[] {
    const matches = matcher(this.#terms);
    return this.rows.filter((row) => matches(row.record));
  }

  get view(): ModelRow[] {
    return this.matching.filter((row) => !row.isHeld);
  }

  get items(): ModelItem[] {
    const items: ModelItem[] = this.view.map((row) => ({ kind: 'row', row }));
    for (const gap of this.gaps.toReversed()) {
      const at = items.findIndex((item) => item.kind === 'gap' || item.row.record.timestamp >= gap.from);
      items.splice(at < 0 ? items.length : at, 0, { kind: 'gap', gap });
    }
    return items;
  }

  found(needle: string): number[] {
    const matches = matcher([{ kind: 'text', value: needle, negated: false }]);
    return this.items.flatMap((item, i) => (item.kind === 'row' && matches(item.row.record) ? [i] : []));
  }

  groups(fields: readonly string[]): unknown[] {
    const groups = new Map<string, ModelRow[]>();
    for (const row of this.view) {
      const key = JSON.stringify(
        Object.fromEntries(
          fields.map((id) => [id, logField(id)?.get(row.record, NO_CAUSES)?.toString() ?? null]),
        ),
      );
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    return [...groups].map(([key, rows]) => ({
      key: JSON.parse(key),
      count: rows.length,
      bytes: sum(rows, (r) => r.bytesSent),
      firstSeen: rows[0]?.record.timestamp,
      lastSeen: rows.at(-1)?.record.timestamp,
      hits: sum(rows, (r) => (isServedBy(r, 'edge') ? 1 : 0)),
      misses: sum(rows, (r) => (isServedBy(r, 'origin') ? 1 : 0)),
      errors: sum(rows, (r) => (isError(r) ? 1 : 0)),
    }));
  }

  traffic({ from, to }: TimeRange): unknown {
    const rows = this.matching.filter(({ record }) => record.timestamp >= from && record.timestamp < to);
    const edge = rows.filter((row) => isServedBy(row.record, 'edge'));
    const origin = rows.filter((row) => isServedBy(row.record, 'origin'));
    return {
      requests: rows.length,
      bytes: sum(rows, (r) => r.bytesSent),
      edgeRequests: edge.length,
      edgeBytes: sum(edge, (r) => r.bytesSent),
      originRequests: origin.length,
      originBytes: sum(origin, (r) => r.bytesSent),
      errors: rows.filter((row) => isError(row.record)).length,
    };
  }
}

function sum(rows: readonly ModelRow[], of: (record: LogRecord) => number): number {
  return rows.reduce((total, { record }) => total + of(record), 0);
}

function isServedBy(record: LogRecord, side: 'edge' | 'origin'): boolean {
  return cacheStatusRow(record.cacheStatus).served === side;
}

function isError(record: LogRecord): boolean {
  return record.statusCode >= 500 && record.statusCode < 600;
}
