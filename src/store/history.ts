import type { LogRecord } from '../domain/log.ts';
import type {
  CountedField,
  Counting,
  Counts,
  NotCounted,
  OneCounting,
  OneCounts,
} from '../domain/logs/counts.ts';
import type { LogGroup } from '../domain/logs/groups/log-group.ts';
import {
  type PageAsked,
  type RowsAsked,
  readForBoth,
  type StoredPage,
  type StoreRead,
} from '../domain/logs/log-history.ts';
import { type CacheSums, noCacheSums } from '../domain/logs/sums/traffic.ts';
import { matcher } from '../domain/query/match.ts';
import type { Term } from '../domain/query/query.ts';
import { printTerm } from '../domain/query/term-text.ts';
import { type LogSeriesId, SERIES } from '../domain/timeline/series.ts';
import type { Steps } from '../domain/timeline/steps.ts';
import type { Engine, EngineAnswer } from './engines/engine.ts';
import { isTooMuch, StoreFailure } from './engines/store-failure.ts';
import { isNumber, READ_NAMES, STORED_FIELD } from './sql/columns.ts';
import { DIALECTS } from './sql/dialect.ts';
import { parametersOf, queriesOf } from './sql/query-string-sql.ts';
import { ABOUT, tableSql, UPGRADED } from './sql/schema.ts';
import { type Sql, sql } from './sql/sql.ts';
import { type Asking, groupsOf, pageOfRows, rowsFound, stepsSql } from './sql/statements.ts';
import { type ReadRow, recordOfStored } from './sql/stored-row.ts';
import { placeOfMark, storedOf, TALLY_SUM_NAMES, timeSums, topValuesSql } from './sql/tallies.ts';

type StoredGroups = { groups: LogGroup[]; total: number; rows: number; read: StoreRead };

/** Questions to the rows of a store. All of it throws `StoreFailure`, or what its signal was aborted with. */
export type History = {
  engine: Engine;
  /** False where fields were derived by other functions when rows were stored: those are asked here. */
  derivedAsNow: boolean;
  /** The terms that each row read is asked here. */
  decidedHere(asked: RowsAsked): StoredPage['here'];
  /** Rows newest or oldest first, at most `limit` read at once. */
  page(
    asked: RowsAsked,
    page: PageAsked,
    signal?: AbortSignal,
  ): Promise<Pick<StoredPage, 'records' | 'next' | 'hidden' | 'read'>>;
  /** The largest groups, in the order of groups in memory. Null: the engine cannot count them, so that rows must be read. */
  groups(
    asked: RowsAsked,
    by: readonly string[],
    limit: number,
    signal?: AbortSignal,
  ): Promise<StoredGroups | null>;
  /** The rows of each step by the parts of a series, as a timeline in memory counts them. Null: as for groups. */
  steps(
    asked: RowsAsked,
    steps: Steps,
    series: LogSeriesId,
    signal?: AbortSignal,
  ): Promise<{ counts: number[][]; read: StoreRead } | null>;
  /** What a question counts of rows, as it counts them in memory. Null: as for groups. */
  count(
    asked: RowsAsked,
    of: Counting,
    signal?: AbortSignal,
  ): Promise<{ counts: Counts; read: StoreRead } | null>;
  /** Why `count` would be null; null where it would not. */
  refusal(asked: RowsAsked, of: Counting): string | null;
};

/** Looks whether the store is one of this program, of this version. Throws a StoreFailure where it is not. */
export async function openHistory(engine: Engine, signal?: AbortSignal): Promise<History> {
  const { place, store } = engine;
  const dialect = DIALECTS[place.dialect];
  const about = tableSql(place, 'about');
  const { rows } = await engine.ask(sql`SELECT name, value FROM ${dialect.settled(about)}`, signal);
  const said = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  const schema = said.get('schema');
  if (schema !== ABOUT.schema) {
    const detail = `schema ${schema ?? 'unknown'}, and this program reads ${ABOUT.schema}`;
    throw new StoreFailure(UPGRADED.includes(schema ?? '') ? 'outdated' : 'version', { store, detail });
  }
  const asking: Asking = {
    dialect,
    table: tableSql(place, 'requests'),
    derivedAsNow: said.get('derived') === ABOUT.derived,
  };
  return historyOf(engine, asking);
}

/** The first time that a page is looked for in, ms, and how much more it is where that has too few rows. */
const FIRST_SPAN = 60_000;
const LEAST_SPAN = 1_000;
const WIDER = 8;

function historyOf(engine: Engine, asking: Asking): History {
  let span = FIRST_SPAN;

  /** Looks for a page in a short time first: an engine sorts all rows of the time that it is asked for. */
  async function narrow(
    asked: RowsAsked,
    page: PageAsked,
    signal?: AbortSignal,
  ): Promise<{ stored: ReadRow[]; read: StoreRead }> {
    const isBack = page.order === 'desc';
    const edge = page.after?.timestamp ?? (isBack ? asked.range.to : asked.range.from);
    let read: StoreRead = null;
    for (; ; span *= WIDER) {
      const width = isLookup(asked) ? Number.POSITIVE_INFINITY : span;
      const range = isBack
        ? { from: Math.max(asked.range.from, edge - width), to: asked.range.to }
        : { from: asked.range.from, to: Math.min(asked.range.to, edge + width) };
      const { where } = rowsFound({ ...asked, range }, asking);
      const answer = await engine.ask(pageOfRows(where, asking, page), signal);
      read = readForBoth(read, answer.read);
      const isAll = isBack ? range.from === asked.range.from : range.to === asked.range.to;
      if (answer.rows.length < page.limit && !isAll) continue;
      const stored = answer.rows.map(readOf);
      const last = stored.at(-1);
      // The next page is as dense, more or less.
      if (last !== undefined && stored.length === page.limit)
        span = Math.max(LEAST_SPAN, Math.ceil(Math.abs(edge - last.timestamp) * 1.5));
      return { stored, read };
    }
  }

  return {
    engine,
    derivedAsNow: asking.derivedAsNow,
    decidedHere: (asked) => rowsFound(asked, asking).here,
    async page(asked, page, signal) {
      const { here } = rowsFound(asked, asking);
      const { stored, read } = await narrow(asked, page, signal);
      const records = stored.map(recordOfStored);
      const kept = here.length === 0 ? records : records.filter(hereTest(asked, here));
      const last = stored.at(-1);
      return {
        records: kept,
        next: stored.length < page.limit || last === undefined ? null : last,
        hidden: records.length - kept.length,
        read,
      };
    },
    async groups(asked, by, limit, signal) {
      const { where, here } = rowsFound(asked, asking);
      const grouping = here.length > 0 ? null : groupingOf(where, asking, by, limit);
      if (grouping === null) return null;
      const { rows, read } = await engine.ask(grouping.question, signal);
      return { ...grouping.read(rows), read };
    },
    async steps(asked, steps, series, signal) {
      const { where, here } = rowsFound(asked, asking);
      if (here.length > 0) return null;
      const { rows, read } = await engine.ask(stepsSql(where, asking, steps, series), signal);
      const byStep = new Map(rows.map(([step, ...parts]) => [Number(step), parts.map(Number)]));
      const none = SERIES[series].map(() => 0);
      return { counts: Array.from({ length: steps.count }, (_, at) => byStep.get(at) ?? none), read };
    },
    async count(asked, of, signal) {
      if (of.kind !== 'several') return counted(asked, of, signal);
      const parts: Extract<Counts, { kind: 'several' }>['parts'][number][] = [];
      let read: StoreRead = null;
      for (const part of of.parts) {
        const answer = await orGivenUp(parts.length > 0, () =>
          counted(partAsked(asked, part), part.of, signal),
        );
        if (answer === null) return null;
        parts.push(answer.counts);
        read = readForBoth(read, answer.read);
      }
      return { counts: { kind: 'several', parts }, read };
    },
    refusal(asked, of) {
      const parts = of.kind === 'several' ? of.parts : [{ of }];
      for (const part of parts) {
        const { where, here } = rowsFound(partAsked(asked, part), asking);
        if (here.length > 0) return here.map(({ term, why }) => `${printTerm(term)}: ${why}`).join(', ');
        if (countingOf(where, asking, part.of) !== null) continue;
        return asking.derivedAsNow
          ? 'a field is not stored'
          : `${STORED_FIELD} was derived in another way when these rows were stored`;
      }
      return null;
    },
  };

  async function counted(
    asked: RowsAsked,
    of: OneCounting,
    signal?: AbortSignal,
  ): Promise<{ counts: OneCounts; read: StoreRead } | null> {
    const { where, here } = rowsFound(asked, asking);
    const counting = here.length > 0 ? null : countingOf(where, asking, of);
    if (counting === null) return null;
    const { rows, read } = await engine.ask(counting.question, signal);
    return { counts: counting.read(rows), read };
  }
}

/** Whether a row or two are looked for, of which every shorter time would be asked in vain: an engine has an index of ids. */
function isLookup({ terms }: RowsAsked): boolean {
  return terms.some(
    (term) => term.kind === 'field' && term.field === 'id' && term.op === 'eq' && !term.negated,
  );
}

/** The rows of a part of several counts. */
function partAsked(asked: RowsAsked, { terms }: { terms?: readonly Term[] }): RowsAsked {
  return terms === undefined ? asked : { ...asked, terms };
}

/** What takes too much time or memory is given up alone, where the rest of an answer can do without it. */
async function orGivenUp<T>(
  isDispensable: boolean,
  count: () => Promise<T>,
): Promise<T | { counts: NotCounted; read: StoreRead }> {
  try {
    return await count();
  } catch (error) {
    if (!isDispensable || !isTooMuch(error)) throw error;
    return { counts: { kind: 'none', why: error.message }, read: null };
  }
}

/** Decides the terms that the engine left, each row by the way in which its zone cuts addresses. */
function hereTest({ zones }: RowsAsked, here: StoredPage['here']): (record: LogRecord) => boolean {
  const cuts = new Map(
    zones.flatMap(({ ids, anonymisation }) => ids.map((id) => [id, anonymisation] as const)),
  );
  return matcher(
    here.map(({ term }) => term),
    cuts,
  );
}

function readOf(row: EngineAnswer['rows'][number]): ReadRow {
  const entries = READ_NAMES.map((name, at) => {
    const value = row[at] as string | number;
    return [name, isNumber(name) ? Number(value) : String(value)];
  });
  return Object.fromEntries(entries) as ReadRow;
}

type Row = EngineAnswer['rows'][number];

/** What an engine is asked to count rows, and what its answer comes to; null: it cannot count them exactly. */
export function countingOf(
  where: Sql,
  asking: Asking,
  of: OneCounting,
): { question: Sql; read: (rows: readonly Row[]) => OneCounts } | null {
  switch (of.kind) {
    case 'values': {
      const stored = of.mayLack ? { ...of, fields: storedOf(of.fields, asking) } : of;
      if (stored.fields.length === 0) return null;
      return asked(topValuesSql(where, asking, stored), (rows) => valuesRead(rows, stored));
    }
    case 'times':
      return asked(timeSums(where, asking, of.times), (rows) => ({
        kind: 'times',
        times: rows.map(([at, n, ...sums]) => ({ at: Number(at), sums: sumsOf(Number(n), sums) })),
      }));
    case 'groups': {
      const grouping = groupingOf(where, asking, of.by, of.most);
      return grouping && { ...grouping, read: (rows) => ({ kind: 'groups', ...grouping.read(rows) }) };
    }
    case 'queryStrings':
      return asked(queriesOf(where, asking, of.most), (rows) => ({
        kind: 'queryStrings',
        pages: rows.map(([page, n, d]) => ({ page: String(page), requests: Number(n), distinct: Number(d) })),
        total: Number(rows[0]?.[3] ?? 0),
        // Of a list that was cut a page that is not in it has no more than the last one.
        unlisted: Number(rows[0]?.[3] ?? 0) > rows.length ? Number(rows.at(-1)?.[2] ?? 0) : 0,
      }));
    case 'parameters':
      return asked(parametersOf(where, asking, of.pages), (rows) => ({
        kind: 'parameters',
        parameters: rows.map(([page, name, d]) => ({
          page: String(page),
          name: String(name),
          distinct: Number(d),
        })),
      }));
  }
}

function asked<R>(question: Sql | null, read: R): { question: Sql; read: R } | null {
  return question === null ? null : { question, read };
}

function valuesRead(
  rows: readonly Row[],
  { fields, sums }: Extract<Counting, { kind: 'values' }>,
): OneCounts {
  const found = new Map<string, CountedField & { values: CountedField['values'][number][] }>(
    fields.map((id) => [id, { values: [], distinct: 0, blank: 0 }]),
  );
  let all = 0;
  for (const [mark, value, n, distinct, total, blank, ...more] of rows) {
    const field = found.get(fields[placeOfMark(Number(mark), fields.length)] ?? '');
    if (field === undefined) continue;
    all = Number(total);
    field.distinct = Number(distinct);
    field.blank = Number(blank);
    const count = Number(n);
    field.values.push({
      value: value === '' ? null : String(value),
      count,
      sums: sums ? sumsOf(count, more) : null,
    });
  }
  return { kind: 'values', rows: all, fields: found };
}

function sumsOf(requests: number, sums: readonly (string | number)[]): CacheSums {
  const entries = TALLY_SUM_NAMES.map((name, at) => [name, Number(sums[at] ?? 0)]);
  return { ...noCacheSums(), requests, ...Object.fromEntries(entries) };
}

/** What an engine is asked for groups, and what its answer comes to: `total` and `rows` are those of all groups, handed over or not. */
function groupingOf(where: Sql, asking: Asking, by: readonly string[], limit: number) {
  const asked = groupsOf(where, asking, by, limit);
  if (asked === null) return null;
  const { question, texts } = asked;
  return {
    question,
    read(rows: readonly Row[]): { groups: LogGroup[]; total: number; rows: number } {
      // By no field the rows that were not found are one group, too.
      const [first, ...more] = rows.filter((row) => Number(row[by.length]) > 0);
      if (first === undefined) return { groups: [], total: 0, rows: 0 };
      const [, , , , , , , total = 0, all = 0] = figuresOf(by, first);
      return { groups: [first, ...more].map((row) => groupOf(by, texts, row)), total, rows: all };
    },
  };
}

function groupOf(by: readonly string[], texts: readonly ((value: string) => string)[], row: Row): LogGroup {
  const [count = 0, bytes = 0, firstSeen = 0, lastSeen = 0, hits = 0, misses = 0, errors = 0] = figuresOf(
    by,
    row,
  );
  const key = Object.fromEntries(by.map((id, at) => [id, texts[at]?.(String(row[at])) || null]));
  return { key, count, bytes, firstSeen, lastSeen, hits, misses, errors };
}

function figuresOf(by: readonly string[], row: Row): number[] {
  return row.slice(by.length).map(Number);
}
