import type { LogGroup } from './log-group.ts';

/** Adds up groups of the same fields that were counted over different rows; what `LogBook.groupBy` gives is added. */
export class LogGroupSum {
  readonly #byKey = new Map<string, LogGroup>();

  add(groups: readonly LogGroup[]): void {
    for (const group of groups) {
      const id = JSON.stringify(group.key);
      const known = this.#byKey.get(id);
      this.#byKey.set(id, known ? summed(known, group) : group);
    }
  }

  /** The groups with the most rows first; equal counts stand by bytes, then by the earlier first row. */
  sorted(): LogGroup[] {
    return [...this.#byKey.values()].sort(
      (a, b) => b.count - a.count || b.bytes - a.bytes || a.firstSeen - b.firstSeen,
    );
  }
}

function summed(a: LogGroup, b: LogGroup): LogGroup {
  return {
    key: a.key,
    count: a.count + b.count,
    bytes: a.bytes + b.bytes,
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    lastSeen: Math.max(a.lastSeen, b.lastSeen),
    hits: a.hits + b.hits,
    errors: a.errors + b.errors,
  };
}
