import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { takeLeases } from '../../src/store/leases.ts';
import { note, notesOf, underMark } from '../../src/store/noted-coverage.ts';
import { column } from '../../src/store/sql/columns.ts';
import { DIALECTS, inTime } from '../../src/store/sql/dialect.ts';
import { tableSql } from '../../src/store/sql/schema.ts';
import { sql } from '../../src/store/sql/sql.ts';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';
import { clickhouse, duckdb, makeTables } from './engines.ts';
import { keeping } from './keeping.ts';
import { engineScene } from './scene.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ZONES = ['checkout', 'mobile-api', 'api-gateway', 'images-eu'];
/** Within this another keeper has taken over, of which its first reading is a part, s; and how long each then goes on. */
const TAKEN_OVER = 30;
const RUN = 20;
/** What is older has no late rows any more; rows gather for a while before they are stored, ms. */
const LATENESS = 6 * MINUTE;
const GATHERED = 15_000;

const scene = engineScene();
let sim: Simulator;

before(async () => {
  sim = await startSimulator({ seed: 7, rate: 40, incidents: false });
  scene.ends.push(() => sim.close());
});

for (const name of ['duckdb', 'clickhouse'] as const)
  test(`${name}: of owners that claim at once each zone has one, by the clock of the engine, and what expired another has`, async () => {
    const engine =
      name === 'duckdb'
        ? await duckdb(join(scene.folder, 'leases.duckdb'))
        : clickhouse(scene.url, { database: 'leases' });
    await makeTables(engine);
    const zones = Array.from({ length: 40 }, (_, at) => String(at + 1));
    const owners = ['a', 'b', 'c'];
    const turn = (owner: string, of = zones) => takeLeases(engine, { zones: of, owner });
    assert.deepEqual(
      (await Promise.all(owners.map((owner) => turn(owner)))).map(({ size }) => size),
      [0, 0, 0],
    );
    const held = await Promise.all(owners.map((owner) => turn(owner)));
    assert.deepEqual(held.flatMap((each) => [...each]).sort(), zones.toSorted());
    // The claims of one moment are shared; of two engines the slower one may have given all to who came first.
    assert.ok(held.some(({ size }) => size > 0));
    assert.equal((await turn('d')).size, 0);
    const present = Number((await engine.ask(sql`SELECT ${DIALECTS[name].now}`)).rows[0]?.[0]);
    assert.ok(Math.abs(present - Date.now()) < MINUTE, String(present - Date.now()));
    const lease = (zone: string, till: number) =>
      engine.note([{ pullZoneId: `lease ${zone}`, since: 0, till, state: 'gone', missing: 1, noted: 0 }]);
    await lease('91', present - 1);
    await lease('92', present + HOUR);
    await turn('d', ['91', '92']);
    assert.deepEqual([...(await turn('d', ['91', '92']))], ['91']);
    // Who could not renew in time goes on, unless another has claimed.
    assert.deepEqual([...(await turn('gone', ['91', '92']))], ['92']);
    // Leases say nothing of time.
    assert.deepEqual(
      (await notesOf(engine, zones, { from: 0, to: Date.UTC(2200) })).filter(
        ({ state }) => state !== 'expired',
      ),
      [],
    );
    await engine.close();
  });

test('clickhouse: keepers that share zones and are killed in turn have every row once', async () => {
  const zones = sim.zones.filter((zone) => ZONES.includes(String(zone.name)));
  const from = Math.floor(Date.now() / MINUTE) * MINUTE - 10 * MINUTE;
  const engine = clickhouse(scene.url);
  await makeTables(engine);
  const read = zones.map(
    ({ id }) => ({ zone: String(id), from: 0, to: from, state: 'read', missing: null }) as const,
  );
  await note(engine, underMark(read, 1));
  const place = ['clickhouse', scene.url] as const;
  const how = { sim, zones: ZONES, isShared: true };
  // Whoever has the zones is killed, then whoever takes over, and then comes a third.
  const killed = await Promise.all(
    (['during', 'after'] as const).map((moment) =>
      keeping(...place, { ...how, batch: 3, moment, seconds: 3 * TAKEN_OVER }),
    ),
  );
  assert.deepEqual(
    killed.map(({ end }) => end),
    ['SIGKILL', 'SIGKILL'],
    killed.map(({ said }) => said).join('\n'),
  );
  const settled = Date.now() - LATENESS;
  const last = await keeping(...place, { ...how, batch: 0, moment: 'never', seconds: TAKEN_OVER + RUN });
  assert.equal(last.end, 0, last.said);
  assert.match(last.said, /4 zones of 4 kept here/);
  const to = Date.now() - GATHERED;
  const truth = zones.flatMap(({ id }) =>
    sim
      .truth(id, from, to)
      .flatMap(({ entry }) =>
        entry ? [{ id: String(entry.requestId), at: Date.parse(entry.timestamp) }] : [],
      ),
  );
  const { dialect } = engine.place;
  const table = DIALECTS[dialect].settled(tableSql(engine.place, 'requests'));
  const { rows } = await engine.ask(
    sql`SELECT ${DIALECTS[dialect].hexOf(column('id'), 'id')} FROM ${table} WHERE ${inTime(DIALECTS[dialect], column('timestamp'), from, to)}`,
  );
  await engine.close();
  const stored = new Set(rows.map(([id]) => String(id)));
  assert.equal(rows.length, stored.size);
  assert.ok(truth.some(({ at }) => at < settled));
  const missing = truth.filter(({ id }) => !stored.has(id));
  assert.deepEqual(
    missing.filter(({ at }) => at < settled),
    [],
  );
  assert.ok(
    missing.length < truth.length / 50,
    `${missing.length} of ${truth.length} rows are not there yet`,
  );
});
