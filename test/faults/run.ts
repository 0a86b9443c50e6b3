import { parseArgs } from 'node:util';
import { checkScene } from './checks.ts';
import { FAULTS, type FaultRow, LOOPS, NTH } from './faults.ts';
import { runNamedTests, type Verdicts } from './named-tests.ts';
import { Scene } from './scene.ts';

/** Most of a scene is waiting, so that a few go side by side also on a small machine. */
const LANES = 3;
const MOST_SHOWN = 1_500;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: '7' },
    lanes: { type: 'string', default: String(LANES) },
  },
});
const wanted = values.only?.split(',') ?? null;
const rows = Object.entries<FaultRow>({ ...FAULTS, ...LOOPS }).filter(
  ([id]) => wanted === null || wanted.includes(id),
);
const verdicts = await runNamedTests(rows.flatMap(([, row]) => row.tests));
const failures = new Map<string, string[]>();
const queue = rows.filter(([, row]) => !row.isAlone);
const lanes = Array.from({ length: Math.min(Number(values.lanes), rows.length) }, async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await prove(...next, verdicts);
});
await Promise.all(lanes);
for (const row of rows.filter(([, each]) => each.isAlone)) await prove(...row, verdicts);

const faults = rows.filter(([id]) => id in FAULTS);
const covered = faults.filter(([, row]) => row.scenes.length + row.tests.length > 0);
const survived = covered.filter(([id]) => !failures.has(id));
const byScenes = covered.filter(([, row]) => row.scenes.length > 0).length;
console.log(
  `\nfaults survived ${survived.length}/${faults.length} (seed ${values.seed}; ${byScenes} of them against the built program, the others by ${covered.length - byScenes} rows of tests)`,
);
if (NTH.places > 0) console.log(`n-th loops: ${NTH.places} places, failures ${NTH.failures.length}`);
for (const [id, row] of faults)
  if (!covered.some(([other]) => other === id)) console.log(`not covered: ${id} ${row.name}`);
for (const [id, said] of failures) console.log(`\nfailed: ${id}\n  ${said.join('\n  ')}`);
process.exit(failures.size === 0 && covered.length === faults.length ? 0 : 1);

/** Runs a row's scenes, each with the common checks, and looks up its tests. */
async function prove(id: string, row: FaultRow, verdictOf: Verdicts): Promise<void> {
  const started = performance.now();
  const said: string[] = [];
  const notes: string[] = [];
  for (const test of row.tests) {
    const verdict = verdictOf(test);
    if (verdict !== 'pass') said.push(`${verdict}: ${test.join(': ')}`);
  }
  for (const run of row.scenes) {
    const scene = new Scene(Number(values.seed));
    try {
      await run(scene);
      checkScene(scene);
    } catch (error) {
      said.push(`${run.name}: ${String((error as Error).stack).slice(0, MOST_SHOWN)}`);
    } finally {
      await scene.close();
    }
    notes.push(...scene.notes);
  }
  if (said.length > 0) failures.set(id, said);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const how = [
    row.scenes.length > 0 ? 'built program' : '',
    row.tests.length > 0 ? `${row.tests.length} tests` : '',
  ];
  const line = `${said.length === 0 ? 'ok  ' : 'FAIL'} ${id.padEnd(7)} ${row.name}`;
  console.log([`${line} (${how.filter(Boolean).join(' + ')}, ${seconds} s)`, ...notes].join(' · '));
}
