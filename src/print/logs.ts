import { systemClock } from '../api/clock.ts';
import type { CommandLine } from '../config/command-line.ts';
import type { Gap, TimeRange } from '../domain/coverage.ts';
import { csvLine, ndjsonLine, plain } from '../domain/line-formats.ts';
import type { LogRecord } from '../domain/log.ts';
import { matcher, type ServerLogFilter, splitForServer } from '../domain/match.ts';
import type { Query } from '../domain/query.ts';
import { gapLine, logRow } from '../domain/shapes.ts';
import type { PullZone } from '../domain/zone.ts';
import { readWindow } from '../effects/read-window.ts';
import { startTail } from '../effects/tail.ts';
import { fit } from '../text/fit.ts';
import { sanitise } from '../text/sanitise.ts';
import { failed, type Printer, WRONG_USAGE, zoneNamed } from './printer.ts';

/** The window of printed logs when none is asked for. */
const USUAL_WINDOW = 15 * 60_000;

/** How a row and a gap are printed in a format, and the line above them. */
export type Lines = { head: string | null; row: (record: LogRecord) => string; gap: (gap: Gap) => string };

type Reading = {
  zone: PullZone;
  filter: ServerLogFilter;
  range: TimeRange;
  wanted: (r: LogRecord) => boolean;
};

/** Prints a window of a zone's log, or follows it; resolves to the exit code. */
export async function printLogs(o: Printer, line: CommandLine, query: Query): Promise<number> {
  if (query.groupBy.length > 0) {
    o.stderr.write('edgescope: by: groups on screen only; leave it out to print the rows\n');
    return WRONG_USAGE;
  }
  const zone = await zoneNamed(o, line.zone ?? '');
  if (typeof zone === 'number') return zone;
  const now = Math.floor(systemClock.now());
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
  const lines = linesOf(o.format);
  if (lines.head !== null) await o.write(`${lines.head}\n`);
  return line.follow ? followed(o, reading, lines, line.limit) : printed(o, reading, lines, line.limit);
}

async function printed(o: Printer, reading: Reading, lines: Lines, limit: number | null): Promise<number> {
  let left = limit ?? Number.POSITIVE_INFINITY;
  const parts = readWindow({
    pullZoneId: reading.zone.id,
    range: reading.range,
    filter: reading.filter,
    fetch: (request) => o.client.logs(request, { priority: 'user' }),
  });
  for await (const part of parts) {
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

/** Ends by a signal, a closed pipe, or a refusal that only the user can change. */
async function followed(o: Printer, reading: Reading, lines: Lines, limit: number | null): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const stopper = new AbortController();
  const said = new Set<string>();
  let left = limit ?? Number.POSITIVE_INFINITY;
  startTail({
    question: { zone: reading.zone, filter: reading.filter, from: reading.range.from, to: null },
    fetch: (request, call) => o.client.logs(request, call),
    clock: systemClock,
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

export function linesOf(format: Printer['format']): Lines {
  const gapText = (gap: Gap) => JSON.stringify(gapLine(gap));
  if (format === 'ndjson') {
    return {
      head: null,
      row: (record) => ndjsonLine(logRow(record)),
      gap: (gap) => ndjsonLine(gapLine(gap)),
    };
  }
  const names = CSV_COLUMNS;
  if (format === 'csv') {
    return {
      head: csvLine(names),
      row: (record) => {
        const row = logRow(record);
        return csvLine(names.map((name) => row[name] ?? null));
      },
      gap: (gap) => csvLine([gapText(gap), ...names.slice(1).map(() => null)]),
    };
  }
  return {
    head: TABLE_COLUMNS.map(([name, cells]) => fit(name, cells))
      .join(' ')
      .trimEnd(),
    row: (record) => {
      const row = logRow(record);
      return TABLE_COLUMNS.map(([name, cells]) =>
        fit(sanitise(plain(row[name] ?? null), 'strict', 400), cells),
      )
        .join(' ')
        .trimEnd();
    },
    gap: (gap) => `-- gap ${gapText(gap)}`,
  };
}

const CSV_COLUMNS = [
  'timestamp',
  'pullZoneId',
  'requestId',
  'cacheStatus',
  'statusCode',
  'bytesSent',
  'edgeLocation',
  'scheme',
  'host',
  'path',
  'url',
  'remoteIp',
  'countryCode',
  'userAgent',
  'referer',
  'ja4Fingerprint',
  'asn',
  'asnOrganization',
  'bodyBytesSent',
  'contentRange',
  'authorizationHeader',
] as const;

/** Name and cells; the last column takes what it needs. */
const TABLE_COLUMNS = [
  ['timestamp', 24],
  ['cacheStatus', 11],
  ['statusCode', 4],
  ['bytesSent', 10],
  ['edgeLocation', 4],
  ['countryCode', 3],
  ['remoteIp', 15],
  ['url', 100],
] as const;
