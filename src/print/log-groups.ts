import type { Gap } from '../domain/coverage.ts';
import type { Failure } from '../domain/failure.ts';
import { csvLine, ndjsonLine, tableLines } from '../domain/line-formats.ts';
import type { LogRecord } from '../domain/log.ts';
import { LogBook } from '../domain/log-book.ts';
import type { LogGroup } from '../domain/log-group.ts';
import { gapLine, logGroupColumns, logGroupRow, logGroupShape } from '../domain/shapes.ts';
import type { WindowPart } from '../effects/read-window.ts';
import { failed, type Printer } from './printer.ts';

/** The widest cell of a printed table. */
const TABLE_CELL = 60;

/**
 * Prints a window of a log counted by some fields, the largest groups first; resolves to the exit code. What could
 * not be read is printed before the groups: no count over it is whole.
 */
export async function printLogGroups(
  o: Pick<Printer, 'stderr' | 'format' | 'write'>,
  asked: { parts: AsyncIterable<WindowPart>; by: readonly string[]; limit: number | null },
  wanted: (record: LogRecord) => boolean,
): Promise<number> {
  const { by, limit } = asked;
  const columns = logGroupColumns(by);
  if (o.format === 'csv') await o.write(`${csvLine(columns)}\n`);
  const sum = new LogGroupSum();
  let failure: Failure | null = null;
  for await (const part of asked.parts) {
    if (part.kind === 'gap') {
      await o.write(`${gapText(o.format, part.gap, columns)}\n`);
      failure ??= part.failure;
      continue;
    }
    const rows = part.records.filter(wanted).map((record) => ({ record, late: false }));
    if (rows.length === 0) continue;
    const book = new LogBook({ capacity: rows.length });
    book.append(rows);
    sum.add(book.groupBy(by, rows.length).groups);
  }
  const groups = sum.sorted();
  const shown = groups.slice(0, limit ?? groups.length);
  if (shown.length < groups.length) {
    o.stderr.write(`edgescope: stopped after ${limit} of ${groups.length} groups, as --limit asks\n`);
  }
  const lines =
    o.format === 'ndjson'
      ? shown.map((group) => ndjsonLine(logGroupShape(group)))
      : o.format === 'csv'
        ? shown.map(logGroupRow).map((row) => csvLine(columns.map((name) => row[name] ?? null)))
        : tableLines(shown.map(logGroupRow), TABLE_CELL);
  await o.write(lines.map((line) => `${line}\n`).join(''));
  return failure ? failed(o, failure) : 0;
}

function gapText(format: Printer['format'], gap: Gap, columns: readonly string[]): string {
  const text = ndjsonLine(gapLine(gap));
  if (format === 'ndjson') return text;
  return format === 'csv' ? csvLine([text, ...columns.slice(1).map(() => null)]) : `-- gap ${text}`;
}

/** Adds up groups of the same fields that were counted over different rows; what `LogBook.groupBy` gives is added. */
class LogGroupSum {
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
