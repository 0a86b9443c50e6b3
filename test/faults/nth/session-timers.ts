import assert from 'node:assert/strict';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { checkRows, newestOf } from '../checks.ts';
import { ended, type Scene, ZONE } from '../scene.ts';
import type { NthFigures } from './figures.ts';

const HOOK = join(import.meta.dirname, 'timer-hook.mjs');
const WAYS = ['late', 'at once'] as const;
const AT_ONCE = 6;
const FOLLOWED = 5_000;

/** A log followed by the built program while the n-th timer of its process fires late or at once, for each n. */
export async function failNthSessionTimers(scene: Scene, most: number): Promise<NthFigures> {
  const figures: NthFigures = { places: 0, failures: [] };
  const places = WAYS.flatMap((way) => Array.from({ length: most }, (_, i) => ({ way, n: i + 1 })));
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (let next = places.shift(); next; next = places.shift()) {
      const { way, n } = next;
      figures.places += 1;
      await followed(scene, n, way).catch((error) =>
        figures.failures.push(`timer ${n} of a session, ${way}: ${String(error).slice(0, 600)}`),
      );
    }
  });
  await Promise.all(lanes);
  return figures;
}

async function followed(scene: Scene, n: number, way: string): Promise<void> {
  const simulator = await scene.simulate();
  const env = { NODE_OPTIONS: `--import ${HOOK}`, EDGESCOPE_NTH_TIMER: String(n), EDGESCOPE_NTH_WAY: way };
  const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '10s'], env });
  await until(
    () => run.child.exitCode !== null || newestOf(run) > run.startedAt + FOLLOWED,
    `rows of the present; it said ${JSON.stringify(run.stderr())}`,
  );
  assert.equal(run.child.exitCode, null, run.stderr());
  const end = newestOf(run) - 3_000;
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130, run.stderr());
  checkRows(run, simulator, { from: run.startedAt, to: end });
}
