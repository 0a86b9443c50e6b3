import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { note, underMark } from '../../src/store/noted-coverage.ts';
import { column } from '../../src/store/sql/columns.ts';
import { DIALECTS, inTime } from '../../src/store/sql/dialect.ts';
import { tableSql } from '../../src/store/sql/schema.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';
import { clickhouse, duckdb, makeTables } from './engines.ts';
import { keeping } from './keeping.ts';
import { engineScene } from './scene.ts';

const MINUTE = 60_000;
const ZONES = ['checkout', 'mobile-api', 'api-gateway', 'images-eu'];
/** Seconds of a run that nothing kills. */
const RUN = 25;
/** What is older when a run begins has no late rows any more; of what is younger all but those are there that came late, but for the time in which rows gather, ms. */
const LATENESS = 6 * MINUTE;
const GATHERED = 15_000;

const scene = engineScene();
let sim: Simulator;

before(async () => {
  sim = await startSimulator({ seed: 7, rate: 40, incidents: false });
  scene.ends.push(() => sim.close());
});

// A keep waits more than it computes: both engines at once.
describe('several zones', { concurrency: 2 }, () => {
  for (const name of ['duckdb', 'clickhouse'] as const)
    test(`${name}: a keep of several zones that is killed at any batch, and run again, has every row once`, async () => {
      const place = name === 'duckdb' ? join(scene.folder, 'followed.duckdb') : scene.url;
      const open = () => (name === 'duckdb' ? duckdb(place) : clickhouse(place));
      const zones = sim.zones.filter((zone) => ZONES.includes(String(zone.name)));
      const from = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE;
      const engine = await open();
      await makeTables(engine);
      const read = { from: 0, to: from, state: 'read', missing: null } as const;
      await note(
        engine,
        underMark(
          zones.map(({ id }) => ({ zone: String(id), ...read })),
          1,
        ),
      );
      await engine.close();
      const how = { sim, zones: ZONES, seconds: RUN };
      for (const [batch, moment] of [
        [1, 'during'],
        [3, 'before'],
        [4, 'after'],
      ] as const)
        assert.equal(
          (await keeping(name, place, { ...how, batch, moment })).end,
          'SIGKILL',
          `${batch} ${moment}`,
        );
      const settled = Date.now() - LATENESS;
      const last = await keeping(name, place, { ...how, batch: 0, moment: 'never' });
      assert.equal(last.end, 0, last.said);
      const to = Date.now() - GATHERED;
      const truth = zones.flatMap(({ id }) =>
        sim
          .truth(id, from, to)
          .flatMap(({ entry }) =>
            entry ? [{ id: String(entry.requestId), at: Date.parse(entry.timestamp) }] : [],
          ),
      );
      const there = await open();
      try {
        const { dialect } = there.place;
        const table = DIALECTS[dialect].settled(tableSql(there.place, 'requests'));
        const { rows } = await there.ask(
          sql`SELECT ${DIALECTS[dialect].hexOf(column('id'), 'id')} FROM ${table} WHERE ${inTime(DIALECTS[dialect], column('timestamp'), from, to)}`,
        );
        const stored = new Set(rows.map(([id]) => String(id)));
        assert.equal(rows.length, stored.size);
        const missing = truth.filter(({ id }) => !stored.has(id));
        assert.ok(truth.length > 1_000 && truth.some(({ at }) => at < settled), String(truth.length));
        assert.deepEqual(
          missing.filter(({ at }) => at < settled),
          [],
        );
        assert.ok(
          missing.length < truth.length / 50,
          `${missing.length} of ${truth.length} rows are not there yet`,
        );
        assert.equal(stored.size, truth.length - missing.length);
      } finally {
        await there.close();
      }
    });
});
