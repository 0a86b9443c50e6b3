import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Rng } from '../../src/simulator/random.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { type MarkedNote, note, notedGaps, notesOf } from '../../src/store/noted-coverage.ts';
import { tableSql } from '../../src/store/sql/schema.ts';
import { joinedSql, literalCount, type Sql, sql, text, whole } from '../../src/store/sql/sql.ts';
import { upgradeTables } from '../../src/store/upgrade.ts';
import { clickhouse, duckdb, makeTables, startClickhouse, temporaryFolder } from './engines.ts';

const SEED = Number(process.env['EDGESCOPE_TEST_SEED'] ?? 20_260_101);
const ROUNDS = 40 * Number(process.env['EDGESCOPE_TEST_TIMES'] ?? 1);
const MINUTE = 60_000;
const DAY = 86_400_000;
const DAYS = 90;
const { signal } = new AbortController();

const engines: Engine[] = [];
const ends: (() => unknown)[] = [];

before(async () => {
  const folder = temporaryFolder();
  const server = await startClickhouse(`${folder.path}/clickhouse`);
  ends.push(folder.remove, server.stop);
  for (const engine of [await duckdb(`${folder.path}/spans.duckdb`), clickhouse(server.url)]) {
    ends.push(engine.close);
    await makeTables(engine);
    engines.push(engine);
  }
});

after(async () => {
  for (const end of ends.reverse()) await end();
});

/** What is known of time by what is here alone: the engine of these tests has no rows, of which days could be gone. */
async function gapsOf(engine: Engine, zones: readonly string[], range: { from: number; to: number }) {
  const notes = await notesOf(engine, zones, range);
  return notedGaps(
    notes.filter(({ mark }) => Number.isFinite(mark)),
    zones,
    range,
  );
}

/** A table of notes as versions up to 3 had it, in which nothing takes the place of anything. */
async function formerTable(engine: Engine, notes: Sql): Promise<void> {
  const table = tableSql(engine.place, 'coverage');
  const [id, engineOf] =
    engine.place.dialect === 'duckdb'
      ? [sql`VARCHAR`, sql``]
      : [
          sql`LowCardinality(String)`,
          sql` ENGINE = ReplacingMergeTree() ORDER BY (pullZoneId, since, till, state, noted)`,
        ];
  await engine.run(
    sql`CREATE TABLE ${table} (pullZoneId ${id}, since BIGINT, till BIGINT, state ${id}, missing BIGINT, noted BIGINT)${engineOf}`,
  );
  await engine.run(sql`INSERT INTO ${table} ${notes}`);
}

function oneByOne(notes: readonly MarkedNote[]): Sql {
  return joinedSql(
    notes.map(
      ({ zone, from, to, state, missing, mark }) =>
        sql`SELECT ${text(zone)}, ${whole(from)}, ${whole(to)}, ${text(state)}, ${whole(missing ?? -1)}, ${whole(mark)}`,
    ),
    sql` UNION ALL `,
  );
}

/** Time goes by steps of this, three of which are more than lies between two files, ms. */
const STEP = 400;
const STEPS = 60;
const STATES = ['read', 'imported', 'retention', 'expired', 'failed', 'offline', 'overload'] as const;

function randomNotes(rng: Rng): MarkedNote[] {
  return Array.from({ length: 1 + rng.below(60) }, () => {
    const from = rng.below(STEPS);
    const zone = rng.pick(['', '7', '7', '7', '8']);
    return {
      zone,
      from: from * STEP,
      to: (from + 1 + rng.below(rng.pick([2, 6, 40]))) * STEP,
      state: rng.pick(zone === '' ? STATES.slice(2, 4) : STATES),
      missing: rng.pick([null, null, null, rng.below(1_000_000)]),
      mark: 1 + rng.below(rng.pick([3, 30])),
    };
  });
}

/** Moment by moment: each note in its turn changes what the ones before it said. */
function oracle(notes: readonly MarkedNote[], zone: string, from: number, to: number): string[] {
  const isDrop = (state: string) => (state === 'retention' || state === 'expired' ? 1 : 0);
  const inOrder = notes
    .filter((each) => each.zone === '' || each.zone === zone)
    .sort(
      (a, b) =>
        a.mark - b.mark ||
        isDrop(a.state) - isDrop(b.state) ||
        a.from - b.from ||
        (a.state < b.state ? -1 : Number(a.state > b.state)),
    );
  const known: string[] = [];
  for (let at = from; at < to; at += STEP) {
    let now = 'notRead';
    for (const { from: since, to: till, state } of inOrder) {
      if (at < since || at >= till) continue;
      const isHere = now === 'read' || now === 'imported';
      if (state === 'read' || state === 'retention') now = state;
      else if (state === 'expired' ? isHere : !isHere) now = state;
    }
    known.push(now);
  }
  const runs = known.map((now, at) => ({
    now,
    first: known.findLastIndex((each, i) => i < at && each !== now) + 1,
  }));
  const joined = runs.map(({ now, first }) => {
    const end = known.findIndex((each, i) => i > first && each !== now);
    const around = [known[first - 1], end < 0 ? undefined : known[end]];
    const isJoint =
      now === 'notRead' &&
      (end - first) * STEP < 1_000 &&
      around.every((each) => each === 'read' || each === 'imported') &&
      around.includes('imported');
    return isJoint ? 'imported' : now;
  });
  const told: string[] = [];
  joined.forEach((now, at) => {
    if (now === 'read') return;
    const begin = from + at * STEP;
    if (joined[at - 1] === now)
      told[told.length - 1] = `${told.at(-1)?.split('-')[0]}-${begin + STEP} ${now}`;
    else told.push(`${begin}-${begin + STEP} ${now}`);
  });
  return told;
}

test(`${ROUNDS} times random notes say in each engine what they say moment by moment, upgraded ones too (seed ${SEED})`, async () => {
  const rng = new Rng(SEED);
  let [joined, told] = [0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const notes = randomNotes(rng);
    const range = { from: rng.below(20) * STEP, to: (30 + rng.below(STEPS)) * STEP };
    for (const engine of engines) {
      await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'spans')}`);
      if (round % 2 === 0)
        for (let at = 0; at < notes.length; at += 10) await note(engine, notes.slice(at, at + 10));
      else {
        await formerTable(engine, oneByOne(notes));
        await upgradeTables(engine, signal);
      }
      const gaps = await gapsOf(engine, ['7', '8'], range);
      for (const zone of ['7', '8'])
        assert.deepEqual(
          gaps.filter((each) => each.zone === zone).map(({ from, to, reason }) => `${from}-${to} ${reason}`),
          oracle(notes, zone, range.from, range.to),
          `${engine.place.dialect}, round ${round}, zone ${zone}: ${JSON.stringify(notes)}`,
        );
      told += gaps.length;
      joined += notes.length - (await notesOf(engine, ['7', '8'], range)).length;
    }
  }
  assert.ok(joined > ROUNDS && told > ROUNDS, `${joined} joined, ${told} gaps`);
});

test('how many rows a gap lacks stays known', async () => {
  const lacking = (from: number, missing: number | null) =>
    ({ zone: '7', from, to: from + STEP, state: 'overload', missing, mark: 1 }) as const;
  for (const engine of engines) {
    await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'spans')}`);
    await note(engine, [lacking(0, 12), lacking(2 * STEP, null), lacking(3 * STEP, null)]);
    // The number is not that of both.
    await note(engine, [lacking(5 * STEP, 9), lacking(6 * STEP, null)]);
    const gaps = await gapsOf(engine, ['7'], { from: 0, to: 7 * STEP });
    assert.deepEqual(
      gaps.map(({ from, reason, rows }) => [from / STEP, reason, rows]),
      [
        [0, 'overload', 12],
        [1, 'notRead', null],
        [2, 'overload', null],
        [4, 'notRead', null],
        [5, 'overload', null],
      ],
    );
  }
});

test('a note that comes late takes nothing from a longer one that began with it', async () => {
  const read = (to: number) => ({ zone: '7', from: 0, to, state: 'read', missing: null, mark: 1 }) as const;
  for (const engine of engines) {
    await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'spans')}`);
    for (const to of [STEP, 4 * STEP, 2 * STEP]) await note(engine, [read(to)]);
    assert.deepEqual(await gapsOf(engine, ['7'], { from: 0, to: 4 * STEP }), []);
  }
});

test('notes that differ in their ends alone are one, which each engine confirms', async () => {
  const part = (to: number) =>
    ({ zone: 'file', from: 0, to, state: 'imported', missing: null, mark: 1 }) as const;
  for (const engine of engines) {
    await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'spans')}`);
    await note(engine, [part(STEP), part(4 * STEP), part(2 * STEP), part(4 * STEP)]);
    const notes = await notesOf(engine, ['file'], { from: 0, to: 9 * STEP });
    assert.deepEqual(
      notes.filter(({ mark }) => Number.isFinite(mark)),
      [part(4 * STEP)],
      engine.place.dialect,
    );
  }
});

/** Counts from 0 on as rows with a column `n`. */
function numbers(engine: Engine, count: number): Sql {
  return engine.place.dialect === 'duckdb'
    ? sql`(SELECT range AS n FROM range(${literalCount(count)}))`
    : sql`(SELECT toInt64(number) AS n FROM numbers(${literalCount(count)}))`;
}

/** An engine of which is known how many rows came over the wire. */
function watched(engine: Engine): { engine: Engine; rows: () => number } {
  let rows = 0;
  const ask: Engine['ask'] = async (of, ended) => {
    const answer = await engine.ask(of, ended);
    rows += answer.rows.length;
    return answer;
  };
  return { engine: { ...engine, ask }, rows: () => rows };
}

test('a store in which each minute was noted has a span for each stretch once it is upgraded', async () => {
  // More notes than are joined at once.
  const ZONES = 20;
  /** The first half of the days was dropped, with the half of a day. */
  const DROPPED = 65_520;
  for (const engine of engines) {
    await engine.run(sql`TRUNCATE TABLE ${tableSql(engine.place, 'spans')}`);
    const [zones, minute] = [whole(ZONES), whole(MINUTE)];
    const divided = engine.place.dialect === 'duckdb' ? sql`n // ${zones}` : sql`intDiv(n, ${zones})`;
    const id =
      engine.place.dialect === 'duckdb'
        ? sql`CAST(1000 + n % ${zones} AS VARCHAR)`
        : sql`toString(1000 + n % ${zones})`;
    await formerTable(
      engine,
      // Each under a mark of its own, as the clock of its writer told it.
      sql`SELECT ${id}, ${divided} * ${minute}, (${divided} + 1) * ${minute}, CASE WHEN ${divided} % 1440 < 30 THEN 'offline' ELSE 'read' END, -1, n FROM ${numbers(engine, ZONES * DAYS * 1_440)}`,
    );
    await engine.run(
      sql`INSERT INTO ${tableSql(engine.place, 'coverage')} SELECT '', 0, ${whole(50 * DAY)}, 'retention', -1, ${whole(DROPPED * ZONES - 1)}`,
    );
    await upgradeTables(engine, signal);
    const spans = sql`${tableSql(engine.place, 'spans')} WHERE pullZoneId <> ''`;
    const { rows } = await engine.ask(sql`SELECT count(*) FROM ${spans}`);
    assert.equal(Number(rows[0]?.[0]), ZONES * (DAYS * 2 + 1), engine.place.dialect);
    const ids = Array.from({ length: ZONES }, (_, at) => String(1_000 + at));
    const gaps = await gapsOf(engine, ids, { from: 0, to: DAYS * DAY });
    const expected = [
      `0-${DROPPED} retention`,
      ...Array.from({ length: DAYS - 46 }, (_, at) => (46 + at) * 1_440).map(
        (from) => `${from}-${from + 30} offline`,
      ),
    ];
    for (const zone of ids)
      assert.deepEqual(
        gaps
          .filter((each) => each.zone === zone)
          .map(({ from, to, reason }) => `${from / MINUTE}-${to / MINUTE} ${reason}`),
        expected,
      );
  }
});

test('what is asked of 500 zones and 90 days costs by its gaps', async (t) => {
  const ZONES = 500;
  const ids = Array.from({ length: ZONES }, (_, at) => String(1_000 + at));
  const range = { from: 0, to: DAYS * DAY };
  for (const engine of engines) {
    const spans = tableSql(engine.place, 'spans');
    await engine.run(sql`TRUNCATE TABLE ${spans}`);
    const isDuckdb = engine.place.dialect === 'duckdb';
    const [per, day, piece] = [whole(ZONES * 4), whole(DAY), whole(DAY / 4)];
    const of = isDuckdb ? sql`n // ${per}` : sql`intDiv(n, ${per})`;
    const quarter = isDuckdb ? sql`(n // ${whole(ZONES)}) % 4` : sql`intDiv(n, ${whole(ZONES)}) % 4`;
    const id = isDuckdb
      ? sql`CAST(1000 + n % ${whole(ZONES)} AS VARCHAR)`
      : sql`toString(1000 + n % ${whole(ZONES)})`;
    // A keeper that begins anew four times a day, each time under another mark; of a tenth of the days a quarter is a gap.
    await engine.run(
      sql`INSERT INTO ${spans} (pullZoneId, since, till, state, missing, noted) SELECT ${id}, ${of} * ${day} + ${quarter} * ${piece}, ${of} * ${day} + (${quarter} + 1) * ${piece}, CASE WHEN ${of} % 10 = 5 AND ${quarter} = 2 THEN 'offline' ELSE 'read' END, -1, n + 1 FROM ${numbers(engine, ZONES * 4 * DAYS)}`,
    );
    for (const zones of [['1007'], ids]) {
      const own = watched(engine);
      const heap = process.memoryUsage().heapUsed;
      const began = performance.now();
      const gaps = await gapsOf(own.engine, zones, range);
      const took = performance.now() - began;
      const grown = process.memoryUsage().heapUsed - heap;
      t.diagnostic(
        `${engine.place.dialect}, ${zones.length} zones: ${Math.round(took)} ms, ${(grown / 1e6).toFixed(1)} MB`,
      );
      assert.equal(gaps.length, (DAYS / 10) * zones.length);
      assert.ok(gaps.every(({ reason, from, to }) => reason === 'offline' && to - from === DAY / 4));
      // Nine gaps, ten stretches between them, and what is asked besides.
      assert.ok(own.rows() <= 20 * zones.length + 2, `${own.rows()} rows came for ${zones.length} zones`);
      // Ten times what is asked for, on a machine that has other work.
      assert.ok(took < (zones.length === 1 ? 3_000 : 20_000), `${took} ms`);
      if (zones.length === 1) assert.ok(grown < 50_000_000, `${grown} bytes`);
    }
  }
});
