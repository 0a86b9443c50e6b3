import { PassThrough } from 'node:stream';
import type { Client, LogSlice, LogSliceRequest } from '../../src/api/client.ts';
import type { CommandLine } from '../../src/config/command/command-line.ts';
import { failureOf, type Result } from '../../src/domain/failure.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import { recordsOf } from '../../src/domain/logs/log-rows.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import type { Watch } from '../../src/domain/watch/watch.ts';
import { printLogs } from '../../src/print/logs-command.ts';
import type { Printer } from '../../src/print/printer.ts';
import { START } from '../effects/support/harness.ts';
import { ZONE } from '../effects/support/model.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import { type ModelFault, type ModelRow, ModelServer } from '../effects/support/model-server.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** `zone` is the id of its zone, where several are followed. Times are Unix ms. */
type ToldGap = { from: number; to: number; reason: string; zone: string | null };

/** `at`: when it was written, Unix ms. */
type PrintedRow = { time: number; zone: string; path: string; at: number };

/** What the log of a zone is; times of faults are ms from the start. */
export type FollowedLog = {
  rows: readonly ModelRow[];
  limit?: number;
  faults?: readonly ModelFault[];
  latency?: number;
};

/** `logs <zones> -f` in virtual time; the zones are called z1, z2 …, and have the ids 1, 2 …. */
export function follow(
  logs: readonly FollowedLog[],
  o: { query?: string; limit?: number | null; watch?: Watch | null; format?: Printer['format'] } = {},
) {
  const clock = new VirtualClock({ real: START });
  const zones = logs.map((_, at) => ({ ...ZONE, id: String(at + 1), name: `z${at + 1}` }));
  const servers = logs.map(
    ({ rows, limit = 10_000, faults = [], latency = 40 }, at) =>
      new ModelServer({
        rows: rows.map((row) => ({ ...row, record: { ...row.record, pullZoneId: String(at + 1) } })),
        limit,
        hasDate: true,
        latency,
        faults: faults.map((fault) => ({ ...fault, from: START + fault.from, to: START + fault.to })),
        clock,
        random: randomOf(3 + at),
      }),
  );
  const rows: PrintedRow[] = [];
  const gaps: ToldGap[] = [];
  /** Rows that came, as often as they did. */
  const answered: LogRecord[] = [];
  let said = '';
  let end: (code: number) => void = () => {};
  const stderr = new PassThrough();
  stderr.on('data', (data) => {
    said += data;
  });
  const client = {
    list: async () => ({
      ok: true,
      value: { items: zones, page: 1, total: zones.length, hasMore: false },
    }),
    serverTime: () => ({ dates: [], rows: null, wall: 0 }),
    logQuota: () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded: false }),
    logs: async (r: LogSliceRequest, c: object): Promise<Result<LogSlice>> => {
      const server = servers[Number(r.pullZoneId) - 1];
      if (server === undefined) return { ok: false, failure: failureOf('serverError') };
      const answer = await server.fetch(r, c);
      if (answer.ok) answered.push(...recordsOf(answer.value.rows));
      return answer;
    },
  } as unknown as Client;
  const printer: Printer = {
    stderr,
    format: o.format ?? 'ndjson',
    client,
    clock,
    write: (text) => {
      for (const line of text.split('\n').filter(Boolean)) {
        const { _gap: gap, timestamp, pullZoneId, path } = JSON.parse(line);
        if (gap === undefined) {
          rows.push({ time: Date.parse(timestamp), zone: String(pullZoneId), path, at: clock.real });
          continue;
        }
        const zone = gap.zone === undefined ? null : String(gap.zone);
        gaps.push({ from: Date.parse(gap.from), to: Date.parse(gap.to), reason: gap.reason, zone });
      }
      return Promise.resolve();
    },
    isWatched: false,
    isStderrTerminal: true,
    descriptor: null,
    onEnd: (callback) => {
      end = callback;
    },
  };
  const query = parseQuery(o.query ?? 'last:10s', 'logs', START);
  if (!query.ok) throw new Error(query.error.message);
  const line = {
    zone: zones.map(({ name }) => name).join(','),
    follow: true,
    limit: o.limit ?? null,
  } as CommandLine;
  let code: number | null = null;
  void printLogs(printer, line, query.query, o.watch ?? null).then((value) => {
    code = value;
  });
  return {
    clock,
    servers,
    rows,
    gaps,
    answered,
    code: () => code,
    said: () => said,
    pass: (ms: number) => clock.run(clock.real + ms),
    async interrupt() {
      end(130);
      await clock.run(clock.real + 1);
    },
  };
}
