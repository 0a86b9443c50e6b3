import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { matcher } from '../../src/domain/query/match.ts';
import type { Term } from '../../src/domain/query/query.ts';
import { LOG_SERIES } from '../../src/domain/timeline/series.ts';
import { Rng } from '../../src/simulator/random.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { openHistory } from '../../src/store/history.ts';
import { minutesFor, sealDays, sealedDays } from '../../src/store/minutes.ts';
import { tableSql } from '../../src/store/sql/schema.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { recordOfStored, storedRow } from '../../src/store/sql/stored-row.ts';
import { clickhouse, duckdb, makeTables, startClickhouse, temporaryFolder } from './engines.ts';
import { randomGaps } from './random-questions.ts';
import { randomRows, SPAN, ZONES } from './random-rows.ts';

const MINUTE = 60_000;
const LATER = Date.UTC(2026, 9, 3);
const MANY = 100_000;
const FIELDS = ['status', 'cache', 'country'];

const rng = new Rng(11);
// Without copies: which of them is kept is another test's.
const rows = randomRows(rng, 2_000)
  .filter(({ requestId }) => requestId !== null)
  .filter((row, at, all) => all.findIndex(({ requestId }) => requestId === row.requestId) === at);
const records = rows.map((row) => recordOfStored(storedRow(row)));
const engines: Engine[] = [];
const ends: (() => unknown)[] = [];

before(async () => {
  const folder = temporaryFolder();
  const server = await startClickhouse(`${folder.path}/clickhouse`);
  ends.push(folder.remove, server.stop);
  for (const engine of [await duckdb(`${folder.path}/minutes.duckdb`), clickhouse(server.url)]) {
    ends.push(engine.close);
    await makeTables(engine);
    await put(engine, rows, 'all');
    engines.push(engine);
  }
});

after(async () => {
  for (const end of ends.reverse()) await end();
});

test('sums by minute and rows come to what rows alone do, whatever part of the time is added up', async () => {
  let added = 0;
  for (const engine of engines) {
    assert.equal(await sealDays(engine, LATER, 1), 1);
    added += await agrees(engine, records, 20);
    assert.equal(await sealDays(engine, LATER, 9), 1);
    assert.equal(await sealDays(engine, LATER, 9), 0);
    added += await agrees(engine, records, 20);
  }
  assert.ok(added > 40, `${added} questions were about minutes`);
});

test('a row that comes later is counted at once, and once its day is added up again', async () => {
  const late = rows.slice(0, 1).map((row) => ({ ...row, requestId: 'late', timestamp: SPAN.from + 5_000 }));
  const all = [...records, ...late.map((row) => recordOfStored(storedRow(row)))];
  for (const engine of engines) {
    while ((await sealDays(engine, LATER, 9)) > 0);
    assert.equal((await sealedDays(engine)).length, 2);
    await put(engine, late, 'late');
    assert.equal((await sealedDays(engine)).length, 1, engine.place.dialect);
    await agrees(engine, all, 10);
    assert.equal(await sealDays(engine, LATER, 9), 1);
    await agrees(engine, all, 10);
  }
});

test('what is begun and not ended counts for nothing, and is begun again', async () => {
  for (const engine of engines) {
    await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'sealed')}`);
    const failing: Engine = {
      ...engine,
      run: (of, signal) =>
        of.parts.some((part) => 'text' in part && String(part.text).includes('INSERT INTO') && ++runs > 30)
          ? Promise.reject(new Error('killed'))
          : engine.run(of, signal),
    };
    let runs = 0;
    await assert.rejects(sealDays(failing, LATER, 9), /killed/);
    assert.ok((await sealedDays(engine)).length < 2);
    assert.ok((await sealDays(engine, LATER, 9)) > 0);
    assert.equal((await sealedDays(engine)).length, 2);
    const history = await openHistory(engine);
    const all: RowsAsked = { zones: [], range: { from: 0, to: LATER }, terms: [] };
    assert.equal((await history.groups(all, ['status'], MANY))?.rows, records.length + 1);
  }
});

/** Asks the same of an engine and of memory; resolves to how many questions were answered by minutes. */
async function agrees(engine: Engine, all: readonly LogRecord[], questions: number): Promise<number> {
  const history = await openHistory(engine);
  let added = 0;
  for (let at = 0; at < questions; at++) {
    const grain = rng.pick([1, MINUTE]);
    const from = SPAN.from + rng.below((SPAN.to - SPAN.from) / 2 / grain) * grain;
    const range = { from, to: from + (1 + rng.below((SPAN.to - from) / grain)) * grain };
    const asked: RowsAsked = {
      zones: [{ ids: Object.keys(ZONES).filter(() => rng.chance(0.7)), anonymisation: 'none' }],
      range,
      but: randomGaps(rng, range),
      terms: terms(),
    };
    const about = `${engine.place.dialect} ${at} ${JSON.stringify(asked)}`;
    const by = FIELDS.filter(() => rng.chance(0.5));
    const book = new LogBook({ capacity: MANY });
    const wanted = all.filter(wantedBy(asked));
    book.append(wanted.map((record) => ({ record, late: false })));
    if ((await minutesFor(engine, asked, { by })) !== null) added++;
    const found = await history.groups(asked, by, MANY);
    const expected = book.groupBy(by, MANY);
    assert.equal(found?.rows, wanted.length, about);
    assert.equal(found?.total, wanted.length === 0 ? 0 : expected.total, about);
    if (wanted.length > 0) assert.deepEqual(inOrder(found?.groups), inOrder(expected.groups), about);
    const step = rng.pick([MINUTE, 5 * MINUTE, 1_000]);
    const first = Math.floor(range.from / step) * step;
    const steps = { from: first, step, count: Math.ceil((range.to - first) / step) };
    const series = rng.pick(LOG_SERIES);
    const counted = await history.steps(asked, steps, series);
    const timeline = book.timeline.of(steps, series);
    assert.deepEqual(
      counted?.counts,
      (counted?.counts ?? []).map((none, step) => timeline[step] ?? none.map(() => 0)),
      about,
    );
  }
  return added;
}

function terms(): Term[] {
  const term = (field: string, values: string[]): Term => ({
    kind: 'field',
    field,
    op: 'eq',
    values,
    negated: rng.chance(0.3),
  });
  return [
    ...(rng.chance(0.4) ? [term('status', [rng.pick(['5xx', '200', '4xx'])])] : []),
    ...(rng.chance(0.3) ? [term('cache', [rng.pick(['HIT', 'MISS'])])] : []),
    ...(rng.chance(0.2) ? [term('country', ['DE', 'US'])] : []),
  ];
}

function wantedBy({ zones, range, but = [], terms: of }: RowsAsked): (record: LogRecord) => boolean {
  const matches = matcher({ terms: of, window: null, groupBy: [] });
  const ids = zones.flatMap((zone) => zone.ids);
  return (record) =>
    record.timestamp >= range.from &&
    record.timestamp < range.to &&
    !but.some(({ from, to }) => record.timestamp >= from && record.timestamp < to) &&
    (ids.length === 0 || ids.includes(record.pullZoneId)) &&
    matches(record);
}

function inOrder(groups: readonly { key: Readonly<Record<string, string | null>> }[] = []): string[] {
  return groups
    .map(({ key, ...sums }) => {
      const values = Object.entries(key).map(([name, value]) => [name, value === '' ? null : value]);
      return JSON.stringify([values, sums]);
    })
    .sort();
}

async function put(engine: Engine, some: readonly LogRecord[], token: string): Promise<void> {
  await engine.put(
    some.map((row) => storedRow(row)),
    token,
  );
}
