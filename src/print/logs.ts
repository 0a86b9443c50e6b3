import type { CommandLine } from '../config/command-line.ts';
import type { TimeRange } from '../domain/coverage.ts';
import type { LogRecord } from '../domain/log.ts';
import { matcher, type ServerLogFilter, splitForServer } from '../domain/match.ts';
import type { Query } from '../domain/query.ts';
import type { PullZone } from '../domain/zone.ts';
import { readWindow } from '../effects/read-window.ts';
import { startTail } from '../effects/tail.ts';
import { printLogGroups } from './log-groups.ts';
import { type LineFormat, linesOf } from './log-lines.ts';
import { failed, type Printer, WRONG_USAGE, zoneNamed } from './printer.ts';

/** The window of printed logs when none is asked for. */
const USUAL_WINDOW = 15 * 60_000;

type Reading = {
  zone: PullZone;
  filter: ServerLogFilter;
  range: TimeRange;
  wanted: (r: LogRecord) => boolean;
};

/** Prints a window of a zone's log, or follows it; resolves to the exit code. */
export async function printLogs(o: Printer, line: CommandLine, query: Query): Promise<number> {
  if (query.groupBy.length > 0 && line.follow) {
    o.stderr.write('edgescope: by: counts a closed window; leave out --follow, or by: to print the rows\n');
    return WRONG_USAGE;
  }
  const zone = await zoneNamed(o, line.zone ?? '');
  if (typeof zone === 'number') return zone;
  const now = Math.floor(o.clock.now());
  const { window } = query;
  const range =
    window?.kind === 'absolute'
      ? { from: window.from, to: window.to ?? now }
      : { from: now - (window?.duration ?? USUAL_WINDOW), to: now };
  const reading = {
    zone,
    filter: splitForServer(query, zone).server,
    range,
    wanted: matcher(query, zone.anonymisation),
  };
  if (query.groupBy.length > 0) {
    const parts = partsOf(o, reading);
    return printLogGroups(o, { parts, by: query.groupBy, limit: line.limit }, reading.wanted);
  }
  const lines = linesOf(o.format);
  if (lines.head !== null) await o.write(`${lines.head}\n`);
  return line.follow ? followed(o, reading, lines, line.limit) : printed(o, reading, lines, line.limit);
}

async function printed(
  o: Printer,
  reading: Reading,
  lines: LineFormat,
  limit: number | null,
): Promise<number> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  for await (const part of partsOf(o, reading)) {
    if (part.kind === 'gap') {
      await o.write(`${lines.gap(part.gap)}\n`);
      if (part.failure) return failed(o, part.failure);
      continue;
    }
    const records = part.records.filter(reading.wanted);
    await o.write(
      records
        .slice(0, left)
        .map((record) => `${lines.row(record)}\n`)
        .join(''),
    );
    left -= records.length;
    if (left < 0 || (left === 0 && limit !== null)) {
      o.stderr.write(`edgescope: stopped after ${limit} rows, as --limit asks; the window may hold more\n`);
      return 0;
    }
  }
  return 0;
}

function partsOf(o: Printer, { zone, range, filter }: Reading) {
  return readWindow({
    pullZoneId: zone.id,
    range,
    filter,
    fetch: (request) => o.client.logs(request, { priority: 'user' }),
  });
}

/** Ends by a signal, a closed pipe, or a refusal that only the user can change. */
async function followed(
  o: Printer,
  reading: Reading,
  lines: LineFormat,
  limit: number | null,
): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const stopper = new AbortController();
  const said = new Set<string>();
  let left = limit ?? Number.POSITIVE_INFINITY;
  startTail({
    question: { zone: reading.zone, filter: reading.filter, from: reading.range.from, to: null },
    fetch: (request, call) => o.client.logs(request, call),
    clock: o.clock,
    signal: stopper.signal,
    emit({ rows, report }) {
      if (stopper.signal.aborted) return;
      for (const gap of report.gaps) {
        if (said.has(gap.id)) continue;
        said.add(gap.id);
        void o.write(`${lines.gap(gap)}\n`);
      }
      const records = rows
        .map((row) => row.record)
        .filter(reading.wanted)
        .slice(0, left);
      left -= records.length;
      void o.write(records.map((record) => `${lines.row(record)}\n`).join(''));
      if (left <= 0) ended.resolve(0);
      if (report.status === 'failed' && report.failure) ended.resolve(failed(o, report.failure));
    },
  });
  o.onEnd((code) => ended.resolve(code));
  const code = await ended.promise;
  stopper.abort();
  return code;
}
