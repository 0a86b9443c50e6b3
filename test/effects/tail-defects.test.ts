import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFECTS } from './support/defects.ts';
import { type Defect, runModel } from './support/model.ts';
import { anyScenario } from './support/scenarios.ts';

/** Scenarios in which a defect must show; most show in the first few. */
const TRIES = 40;

test('each of the ten planted defects breaks a property of the model', async () => {
  const found: string[] = [];
  const missed: string[] = [];
  for (const [name, defect] of Object.entries<Defect>(DEFECTS)) {
    const wrong = await firstWrong(defect);
    if (wrong === null) missed.push(name);
    else found.push(`${name}: ${wrong}`);
  }
  console.log(
    `planted defects found ${found.length}/${Object.keys(DEFECTS).length}\n  ${found.join('\n  ')}`,
  );
  assert.deepEqual(missed, []);
});

/** The first thing found wrong with the defect, with the number of scenarios that it took; null = nothing. */
async function firstWrong(defect: Defect): Promise<string | null> {
  const scenarios = fc.sample(anyScenario, { numRuns: TRIES, seed: 7 });
  for (const [i, scenario] of scenarios.entries()) {
    const { wrong } = await runModel(scenario, defect);
    if (wrong[0] !== undefined) return `${wrong.join('; ').slice(0, 120)} (scenario ${i + 1})`;
  }
  return null;
}
