import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ndjsonLine } from '../../../src/domain/handover/line-formats.ts';
import { logRow } from '../../../src/domain/handover/shapes.ts';
import type { LogRecord } from '../../../src/domain/log.ts';
import { recordsOf } from '../../../src/domain/logs/log-rows.ts';
import type { SavedReport } from '../../../src/domain/logs/saved-report.ts';
import type { Ahead } from '../../../src/effects/saved/saved-ahead.ts';
import { openInputs, type SavedInput } from '../../../src/effects/saved/saved-input.ts';
import { readSavedLogs } from '../../../src/effects/saved/saved-logs.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { ownFolder } from '../../support/own-folder.ts';
import { recordOf } from '../../support/state.ts';

export function savedFile(t: TestContext, content: string | Buffer, name = 'day.log'): string {
  const file = join(ownFolder(t), name);
  writeFileSync(file, content);
  return file;
}

/** The n-th row as `logs` prints it. */
export function printedRow(n: number, more: Partial<LogRecord> = {}): string {
  return `${ndjsonLine(logRow(recordOf(n, more)))}\n`;
}

export function printedRows(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, i) => printedRow(from + i)).join('');
}

/** The n-th row as a line of v1. */
export function lineV1(n: number): string {
  const { timestamp, requestId, url } = recordOf(n);
  return `HIT|200|${timestamp}|${1000 + n}|1|192.0.2.7|-|${url}|DE|curl/8.5.0|${requestId}|DE\n`;
}

/** A line as log forwarding sends it. */
export function forwarded(line: string): string {
  return `<165>1 2026-08-01T10:00:09.003Z logs.example.com cdn - ID47 [origin@32473 zone="a]b" note="\\"|"] \ufeff${line}`;
}

export type Reading = {
  records: LogRecord[];
  report: SavedReport;
  reports: SavedReport[];
  ended: Promise<void>;
  stop: () => void;
  /** Resolves when the reading has come to what is asked. */
  until: (isSo: (reading: { records: LogRecord[]; report: SavedReport }) => boolean) => Promise<void>;
};

/** Reads files as the program does, and keeps what comes. */
export async function reading(
  t: TestContext,
  files: string[],
  follow = false,
  begun: (inputs: readonly SavedInput[]) => Ahead | null = () => null,
): Promise<Reading> {
  const opened = await openInputs(files, null);
  if (!opened.ok) throw new Error(opened.message);
  const stopper = new AbortController();
  const waiting = new Set<() => void>();
  const records: LogRecord[] = [];
  const reports: SavedReport[] = [];
  const result = {
    records,
    reports,
    get report() {
      return reports.at(-1) as SavedReport;
    },
    stop: () => stopper.abort(),
    until(isSo: Parameters<Reading['until']>[0]) {
      return new Promise<void>((resolve) => {
        const look = () => {
          if (reports.length === 0 || !isSo(result)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    ended: Promise.resolve(),
  };
  result.ended = readSavedLogs({
    inputs: opened.inputs,
    follow,
    ahead: begun(opened.inputs),
    clock: systemClock,
    signal: stopper.signal,
    emit({ rows, report }) {
      records.push(...recordsOf(rows ?? []));
      reports.push(report);
      for (const look of waiting) look();
    },
  });
  t.after(() => stopper.abort());
  return result;
}

/** Reads files to their end. */
export async function readWhole(t: TestContext, files: string[]): Promise<Reading> {
  const result = await reading(t, files);
  await result.ended;
  return result;
}
