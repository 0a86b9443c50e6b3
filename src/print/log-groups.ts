import { ndjsonLine, tableLines } from '../domain/handover/line-formats.ts';
import type { Row } from '../domain/handover/shapes.ts';
import { cacheStatusRow, type LogRecord } from '../domain/log.ts';
import { logField } from '../domain/query/fields.ts';
import { say } from '../text/say.ts';
import { count } from '../text/units.ts';
import { createSieve, type LogQuestion, type PartSource, sayComing, sayLimit } from './log-question.ts';
import { formattedLines } from './printed-lines.ts';
import { csvLines, endOf, failed, type Printer, TABLE_CELL } from './printer.ts';

/** In the shape of Shield's groups, with what CDN logs have to count. Times are Unix ms. */
export type PrintedGroup = {
  /** Query field → value; null where the rows have none. */
  key: Record<string, string | null>;
  count: number;
  firstSeen: number;
  lastSeen: number;
  context: { bytesSent: number; hits: number; errors: number };
};

/** Groups that are kept; rows of any further value are counted together. */
const GROUPS_MOST = 200_000;

/** Counts the rows of a window by the fields of `by:` and prints the groups, largest first, then the gaps. */
export async function printLogGroups(
  o: Omit<Printer, 'client'>,
  reading: Omit<LogQuestion, 'zone' | 'server'>,
  how: { source: PartSource; limit: number | null; now: () => number },
): Promise<number> {
  const end = endOf(o);
  const sieve = createSieve(o, reading);
  const tally = createTally(reading.groupBy);
  const gapLine = formattedLines(o.format).gap;
  const gapLines = reading.gone === null ? [] : [gapLine(reading.gone)];
  let code = 0;
  for await (const part of how.source(null)) {
    if (end.signal.aborted) break;
    for (const record of sieve.keep(part.records)) tally.add(record);
    if (part.gap !== null) gapLines.push(gapLine(part.gap));
    if (part.failure !== null) code = failed(o, part.failure);
  }
  if (end.code !== null) {
    if (end.code !== 0) say(o.stderr, 'interrupted; nothing was counted to its end');
    return end.code;
  }
  const groups = tally.groups();
  const shown = groups.slice(0, how.limit ?? groups.length);
  const lines = [...groupLines(o, shown, reading.groupBy), ...gapLines];
  await o.write(lines.map((line) => `${line}\n`).join(''));
  if (shown.length < groups.length) sayLimit(o, how.limit, 'groups');
  if (tally.others() > 0) {
    say(
      o.stderr,
      `${count(tally.others())} rows of further values are in no group: at most ${count(GROUPS_MOST)} groups are counted`,
    );
  }
  sieve.say();
  if (code === 0) sayComing(o, reading.range, how.now());
  return code;
}

function createTally(fields: readonly string[]) {
  const read = fields.flatMap((field) => logField(field)?.get ?? []);
  const groups = new Map<string, PrintedGroup>();
  let others = 0;
  return {
    add(record: LogRecord) {
      const values = read.map((get) => textOf(get(record)));
      const id = JSON.stringify(values);
      let group = groups.get(id);
      if (group === undefined) {
        if (groups.size >= GROUPS_MOST) {
          others += 1;
          return;
        }
        group = {
          key: Object.fromEntries(fields.map((field, at) => [field, values[at] ?? null])),
          count: 0,
          firstSeen: record.timestamp,
          lastSeen: record.timestamp,
          context: { bytesSent: 0, hits: 0, errors: 0 },
        };
        groups.set(id, group);
      }
      group.count += 1;
      group.firstSeen = Math.min(group.firstSeen, record.timestamp);
      group.lastSeen = Math.max(group.lastSeen, record.timestamp);
      group.context.bytesSent += record.bytesSent;
      if (cacheStatusRow(record.cacheStatus).served === 'edge') group.context.hits += 1;
      if (record.statusCode >= 500 && record.statusCode <= 599) group.context.errors += 1;
    },
    /** Equal counts stand by bytes, then by the earlier first row, as on screen. */
    groups: () =>
      [...groups.values()].sort(
        (a, b) => b.count - a.count || b.context.bytesSent - a.context.bytesSent || a.firstSeen - b.firstSeen,
      ),
    others: () => others,
  };
}

function textOf(value: string | number | null): string | null {
  return value === null || value === '' ? null : String(value);
}

function groupLines(
  o: Pick<Printer, 'format'>,
  groups: readonly PrintedGroup[],
  fields: readonly string[],
): string[] {
  if (o.format === 'ndjson') return groups.map(ndjsonLine);
  const names = [...fields, 'count', 'firstSeen', 'lastSeen', 'bytesSent', 'hits', 'errors'];
  const rows = groups.map(
    ({ key, count: rowCount, firstSeen, lastSeen, context }): Row => ({
      ...key,
      count: rowCount,
      firstSeen: new Date(firstSeen).toISOString(),
      lastSeen: new Date(lastSeen).toISOString(),
      ...context,
    }),
  );
  if (o.format === 'table') return tableLines(rows, TABLE_CELL, names);
  return csvLines(names, rows);
}
