import type { LogRecord } from '../../../src/domain/log.ts';
import { type ArrivedRow, arrivedRows } from '../../../src/domain/logs/log-rows.ts';
import { TAIL_TUNING, type TailTuning } from '../../../src/domain/tail/tail-pace.ts';
import type { TailReport } from '../../../src/domain/tail/tail-report.ts';
import { startTail, type Tail } from '../../../src/effects/tail/tail.ts';
import type { TailFetch } from '../../../src/effects/tail/tail-context.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { ZONE } from './model.ts';
import { randomOf, recordOf } from './model-rows.ts';
import { type ModelFault, type ModelOptions, type ModelRow, ModelServer } from './model-server.ts';

/** The server's time at which every tail of these tests starts. */
export const START = Date.UTC(2026, 0, 10);

export type Harness = {
  clock: VirtualClock;
  server: ModelServer;
  tail: Tail;
  rows: ArrivedRow[];
  reports: TailReport[];
  /** The last report. */
  report: () => TailReport;
  /** Lets `ms` pass. */
  pass: (ms: number) => Promise<void>;
  stop: () => void;
};

/** A tail with its own numbers against a model server. Times of faults are ms from the start. */
export function openTail(
  o: Partial<Omit<ModelOptions, 'clock' | 'random'>> & {
    from?: number | null;
    to?: number | null;
    isRelative?: boolean;
    skew?: number;
    tuning?: Partial<TailTuning>;
    /** What stands between the tail and the server. */
    through?: (fetch: TailFetch) => TailFetch;
  } = {},
): Harness {
  const clock = new VirtualClock({ real: START, offset: o.skew ?? 0 });
  const faults: ModelFault[] = (o.faults ?? []).map((f) => ({
    ...f,
    from: START + f.from,
    to: START + f.to,
  }));
  const {
    rows = [],
    limit = 10_000,
    hasDate = true,
    refusesFuture = false,
    isSloppy = false,
    latency = 40,
  } = o;
  const server = new ModelServer({
    rows,
    limit,
    hasDate,
    refusesFuture,
    isSloppy,
    latency,
    faults,
    clock,
    random: randomOf(3),
  });
  const stopper = new AbortController();
  const shown: ArrivedRow[] = [];
  const reports: TailReport[] = [];
  const tail = startTail({
    question: {
      zone: ZONE,
      filter: {},
      from: o.from ?? null,
      to: o.to ?? null,
      isRelative: o.isRelative ?? false,
    },
    fetch: o.through?.(server.fetch) ?? server.fetch,
    clock,
    signal: stopper.signal,
    tuning: { ...TAIL_TUNING, ...o.tuning },
    emit: (event) => {
      shown.push(...arrivedRows(event.rows));
      reports.push(event.report);
    },
  });
  return {
    clock,
    server,
    tail,
    rows: shown,
    reports,
    report: () => {
      const last = reports.at(-1);
      if (last === undefined) throw new Error('nothing was reported yet');
      return last;
    },
    pass: (ms) => clock.run(clock.real + ms),
    stop: () => stopper.abort(),
  };
}

/** One row at `at` ms from the start, visible `lateness` ms later. */
export function row(at: number, lateness = 0, path = `/${at}`): ModelRow {
  const id = `${Math.abs(at).toString(16).padStart(16, '0')}${at < 0 ? '1' : '0'}${path.length.toString(16).padStart(15, '0')}`;
  return { time: START + at, visibleAt: START + at + lateness, record: recordOf(START + at, id, path) };
}

/** One row each `every` ms from `from` to `to`. */
export function rowsEvery(every: number, from: number, to: number): ModelRow[] {
  return Array.from({ length: Math.floor((to - from) / every) }, (_, i) => row(from + i * every));
}

export function pathsOf(rows: readonly ArrivedRow[]): string[] {
  return rows.map(({ record }: { record: LogRecord }) => record.path);
}
