import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { type Simulator, startSimulator } from '../support/simulator/server.ts';
import { clickhouse, counted, duckdb, makeTables } from './engines.ts';
import { engineScene } from './scene.ts';

const HOUR = 3_600_000;
const ZONE = 'checkout';

const scene = engineScene();
let sim: Simulator;

before(async () => {
  sim = await startSimulator({ seed: 7, rate: 40, incidents: false });
  scene.ends.push(() => sim.close());
});

for (const name of ['duckdb', 'clickhouse'] as const) {
  test(`${name}: what loads stored files is killed at any batch, and run again loses nothing, doubles nothing and leaves out what is there`, async () => {
    const file = join(scene.folder, 'stored.duckdb');
    const place = name === 'duckdb' ? file : scene.url;
    const spool = join(scene.folder, `parts-${name}`);
    mkdirSync(spool);
    const open = () => (name === 'duckdb' ? duckdb(file) : clickhouse(scene.url));
    const rows = async () => {
      const engine = await open();
      return counted(engine).finally(() => engine.close());
    };
    const engine = await open();
    await makeTables(engine);
    await engine.close();
    const from = Math.floor(sim.epoch / (24 * HOUR)) * 24 * HOUR - 5 * 24 * HOUR;
    const to = from + 14 * HOUR;
    const times = [new Date(from).toISOString(), new Date(to).toISOString()];
    const load = (batch: number, moment: string) =>
      loading(name, place, spool, batch, moment, JSON.stringify(sim), ZONE, ...times);
    for (const [batch, moment] of [
      [7, 'before'],
      [6, 'during'],
      [6, 'after'],
    ] as const)
      assert.equal((await load(batch, moment)).end, 'SIGKILL', `${batch} ${moment}`);
    const rest = await load(0, 'never');
    assert.equal(rest.end, 0, rest.said);
    assert.match(rest.said, /\d+ stored files? (is|are) in the store and not read again/);
    const zone = sim.zones.find((each) => each.name === ZONE);
    const truth = sim.truth(zone?.id ?? 0, from, to).length;
    assert.equal(await rows(), truth);
    const again = await load(0, 'never');
    const [total, left] = [/(\d+) parts of/, /(\d+) stored files are in the store/].map((words) =>
      Number(words.exec(again.said)?.[1]),
    );
    // Those at the edges of the time hold rows that were not asked for.
    assert.ok((left ?? 0) >= (total ?? 0) - 8 && (left ?? 0) > 4, again.said);
    assert.equal(await rows(), truth);
    // One that was opened just then is there, and empty.
    for (const name of readdirSync(spool)) assert.equal(statSync(join(spool, name)).size, 0);
  });
}

async function loading(
  ...words: readonly (string | number)[]
): Promise<{ end: string | number | null; said: string }> {
  const program = join(import.meta.dirname, 'killed-stored.ts');
  const loader = join(import.meta.dirname, '..', 'support', 'register.mjs');
  const child = spawn(process.execPath, ['--import', loader, program, ...words.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return { end: signal ?? code, said };
}
