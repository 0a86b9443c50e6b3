import type { LogRecord } from '../../src/domain/log.ts';
import type { Engine, EngineAnswer } from '../../src/store/engines/engine.ts';
import { StoreFailure, type StoreFailureKind } from '../../src/store/engines/store-failure.ts';
import { READ_NAMES } from '../../src/store/sql/columns.ts';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { ABOUT } from '../../src/store/sql/schema.ts';
import { type Param, statementOf } from '../../src/store/sql/sql.ts';
import { rowsOf, storedColumns, storedRow } from './stored.ts';

export type Noted = readonly [state: string, from: number, to: number];

export type FakeStore = {
  /** In order of time, and of their request ids within an instant. */
  rows?: LogRecord[];
  notes?: readonly Noted[];
  zone: string;
  groups?: EngineAnswer['rows'];
  /** What is counted in one statement, by the texts and numbers that it was asked with. */
  counted?: (params: readonly (string | number)[]) => EngineAnswer['rows'];
  /** Fields were derived by the functions of another version when rows were stored. */
  isDerivedBefore?: boolean;
  /** Rows of each step: its number, then those of each part. */
  steps?: EngineAnswer['rows'];
  fails?: 'open' | 'page';
  how?: StoreFailureKind;
  /** Waited for by each page, or until its signal fires. */
  holds?: (signal?: AbortSignal) => Promise<void>;
};

/** A store as an engine answers for it: rows by time, what was noted of time, and groups. */
export function fakeStore(o: FakeStore) {
  const asked: string[] = [];
  let opened = 0;
  let closed = 0;
  const failure = () => new StoreFailure(o.how ?? 'away', { store: 'main', detail: 'ECONNREFUSED' });
  const engine: Engine = {
    place: { dialect: 'duckdb', database: '', cluster: null, days: null },
    store: 'main',
    async ask(of, signal) {
      signal?.throwIfAborted();
      const { text, params } = statementOf(of, DIALECTS.duckdb.placeholder);
      asked.push(text);
      const about = o.isDerivedBefore ? { ...ABOUT, derived: 'before' } : ABOUT;
      if (text.includes('FROM about')) return { rows: Object.entries(about), read: null };
      if (text.includes('FROM spans'))
        return {
          rows: (o.notes ?? []).map(([state, from, to]) => [o.zone, from, to, state, -1, 1]),
          read: null,
        };
      if (text.includes('GROUPING SETS')) {
        if (o.fails === 'page') throw failure();
        return {
          rows: o.counted?.(params.map(({ value }) => value)) ?? [],
          read: { rows: 77, bytes: 1_000 },
        };
      }
      if (text.includes('GROUP BY step')) return { rows: o.steps ?? [], read: { rows: 77, bytes: 1_000 } };
      if (text.includes('GROUP BY')) {
        const most = Number(params.at(-1)?.value);
        return { rows: (o.groups ?? []).slice(0, most), read: { rows: 77, bytes: 1_000 } };
      }
      await o.holds?.(signal);
      signal?.throwIfAborted();
      if (o.fails === 'page') throw failure();
      const rows = pageOf(o.rows ?? [], text, params);
      return { rows, read: { rows: rows.length, bytes: rows.length * 100 } };
    },
    run: async () => {},
    note: async () => {},
    put: async () => {},
    async close() {
      closed += 1;
    },
  };
  return {
    asked,
    isClosed: () => opened > 0 && opened === closed,
    async open(): Promise<Engine> {
      if (o.fails === 'open') throw failure();
      opened += 1;
      return engine;
    },
  };
}

/** Rows behind the one that is named, as many as are asked for: the first two parameters are the time. */
function pageOf(rows: readonly LogRecord[], text: string, params: readonly Param[]): EngineAnswer['rows'] {
  const values = params.map(({ value }) => value);
  const [from, to] = values as [number, number];
  const ordered = text.includes(' DESC') ? rows.toReversed() : rows;
  const isBehind = / [<>] \(/.test(text);
  const after = isBehind ? ordered.findIndex((row) => storedRow(row).id === values.at(-5)) : -1;
  const found = ordered.slice(after + 1).filter(({ timestamp }) => timestamp >= from && timestamp < to);
  return rowsOf(storedColumns(found.slice(0, Number(values.at(-1))))).map((row) =>
    READ_NAMES.map((name) => row[name]),
  );
}
