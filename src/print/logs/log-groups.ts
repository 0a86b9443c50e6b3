import { logGroupSheet } from '../../domain/handover/sheet.ts';
import type { LogRecord } from '../../domain/log.ts';
import { fieldCalled, type LogGroup } from '../../domain/logs/groups/log-group.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../domain/logs/sums/traffic.ts';
import type { CauseOf } from '../../domain/origin-cause.ts';
import { zoneNameOf } from '../../domain/query/zone-terms.ts';
import type { Gap } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import { formattedLines } from '../printed-lines.ts';
import { createFailures, endOf, FAILED, type Printer, sheetText } from '../printer.ts';
import {
  createSieve,
  goneGaps,
  isSettled,
  type PartSource,
  type PrintedQuestion,
  sayComing,
  sayLimit,
  type ZoneQuestion,
} from './log-question.ts';

/** Groups kept; rows of further values are counted together. */
export const GROUPS_MOST = 200_000;

/** The largest groups counted elsewhere, the number of other groups and of their rows, and what was missing there. */
export type CountedRows = {
  groups: readonly LogGroup[];
  others: { groups: number; rows: number };
  gaps: readonly Gap[];
};

/** Counts the rows of a window by the fields of `by:` and prints the groups, largest first, then the gaps. */
export async function printLogGroups(
  o: Omit<Printer, 'client'>,
  reading: Omit<PrintedQuestion, 'zones'> & { zones: readonly ZoneQuestion[] },
  how: { source: PartSource; limit: number | null; now: () => number; counted?: CountedRows },
): Promise<number> {
  const end = endOf(o);
  const sieve = createSieve(o, reading);
  const tally = createTally(reading.groupBy, reading.causeOf);
  if (how.counted !== undefined) tally.addCounted(how.counted);
  const failures = createFailures(o);
  const gaps = [...goneGaps(reading), ...(how.counted?.gaps ?? [])];
  for await (const part of how.source(null)) {
    if (end.signal.aborted) break;
    for (const record of sieve.keep(part.records)) tally.add(record);
    gaps.push(...part.gaps);
    if (part.gaps.some(({ reason }) => reason === 'strays')) failures.add(FAILED);
    failures.say(part.failures);
  }
  const ended = end.told('interrupted; nothing was counted to its end');
  if (ended !== null) return ended;
  const zones = reading.zones.map(({ zone }) => zone);
  const groups = tally.groups().map((group) => ({ ...group, key: shownKey(group.key, zones) }));
  const shown = groups.slice(0, how.limit ?? groups.length);
  // Elsewhere no more groups were listed than are shown: of the others only the sum is here.
  const { others } = how.counted ?? NOTHING_COUNTED;
  const isCut = others.groups > 0 && how.counted?.groups.length === how.limit;
  const unshown = {
    groups: groups.length - shown.length + (isCut ? others.groups : 0),
    rows: sumOf(groups) - sumOf(shown) + (isCut ? others.rows : 0),
  };
  const ungrouped = tally.others() + (isCut ? 0 : others.rows);
  const text = sheetText(o.format, logGroupSheet(reading.groupBy, shown));
  const gapLine = formattedLines(o.format).gap;
  await o.write(text + gaps.map((gap) => `${gapLine(gap)}\n`).join(''));
  if (unshown.groups > 0)
    sayLimit(
      o,
      how.limit,
      'group',
      `there are ${count(unshown.groups)} more, of ${counted(unshown.rows, 'row')}`,
    );
  if (ungrouped > 0) {
    say(
      o.stderr,
      `${counted(ungrouped, 'row of further values is', 'rows of further values are')} in no group: at most ${count(GROUPS_MOST)} groups are counted`,
    );
  }
  sieve.say();
  if (failures.code === 0) sayComing(o, reading.range, how.now());
  o.covered?.({
    of: 'rows',
    range: reading.range,
    read: sieve.read,
    total: null,
    given: shown.length + gaps.length,
    gaps: gaps.length,
    isWhole:
      failures.code === 0 &&
      gaps.length === 0 &&
      unshown.groups === 0 &&
      ungrouped === 0 &&
      isSettled(reading.range, how.now()),
  });
  return failures.code;
}

const NOTHING_COUNTED: CountedRows = { groups: [], others: { groups: 0, rows: 0 }, gaps: [] };

function sumOf(groups: readonly LogGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/** A known zone is shown by its name. */
function shownKey(key: LogGroup['key'], zones: readonly PullZone[]): LogGroup['key'] {
  const id = key['zone'] ?? null;
  return id === null ? key : { ...key, zone: zoneNameOf(zones, id) };
}

type Counted = Pick<LogGroup, 'key' | 'firstSeen' | 'lastSeen'> & { sums: CacheSums };

function createTally(fields: readonly string[], causeOf: CauseOf) {
  const read = fields.map(fieldCalled);
  const groups = new Map<string, Counted>();
  let others = 0;
  return {
    add(record: LogRecord) {
      const values = read.map(({ get }) => textOf(get(record, causeOf)));
      const id = JSON.stringify(values);
      const { timestamp } = record;
      let group = groups.get(id);
      if (group === undefined) {
        if (groups.size >= GROUPS_MOST) {
          others += 1;
          return;
        }
        const key = Object.fromEntries(fields.map((field, at) => [field, values[at] ?? null]));
        group = { key, firstSeen: timestamp, lastSeen: timestamp, sums: noCacheSums() };
        groups.set(id, group);
      }
      group.firstSeen = Math.min(group.firstSeen, timestamp);
      group.lastSeen = Math.max(group.lastSeen, timestamp);
      addRecord(group.sums, record);
    },
    addCounted(counted: CountedRows) {
      for (const { key, firstSeen, lastSeen, ...sums } of counted.groups) {
        const { count: requests, hits: edgeRequests, misses: originRequests, bytes, errors } = sums;
        const known = { ...noCacheSums(), requests, bytes, edgeRequests, originRequests, errors };
        const id = JSON.stringify(fields.map((field) => key[field] ?? null));
        groups.set(id, { key, firstSeen, lastSeen, sums: known });
      }
    },
    /** Equal counts are ordered by bytes, then by the earlier first row, as on screen. */
    groups: () =>
      [...groups.values()]
        .map(groupOf)
        .sort((a, b) => b.count - a.count || b.bytes - a.bytes || a.firstSeen - b.firstSeen),
    others: () => others,
  };
}

function groupOf({ key, firstSeen, lastSeen, sums }: Counted): LogGroup {
  const { requests: count, bytes, edgeRequests: hits, originRequests: misses, errors } = sums;
  return { key, count, bytes, firstSeen, lastSeen, hits, misses, errors };
}

function textOf(value: string | number | null): string | null {
  return value === null || value === '' ? null : String(value);
}
