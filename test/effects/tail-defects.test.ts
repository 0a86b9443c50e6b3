import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../support/properties.ts';
import { DEFECTS } from './support/defects.ts';
import { type Defect, runModel, type Scenario } from './support/model.ts';
import { anyScenario } from './support/scenarios.ts';

/** Scenarios in which a defect must show; most show in the first few. */
const TRIES = 40;
const CONTROLS = 10;

test('each planted defect of what asks for the tail breaks a property of the model', async () => {
  const scenarios = fc.sample(anyScenario, { numRuns: TRIES, seed: 7 });
  const found: string[] = [];
  const missed: string[] = [];
  for (const [name, defect] of Object.entries<Defect>(DEFECTS)) {
    const wrong = await firstWrong(scenarios, defect);
    if (wrong === null) missed.push(name);
    else found.push(`${name}: ${wrong}`);
  }
  const withoutDefect = await firstWrong(scenarios.slice(0, CONTROLS), {});
  console.log(
    `planted defects found ${found.length}/${Object.keys(DEFECTS).length}\n  ${found.join('\n  ')}`,
  );
  assert.deepEqual(missed, []);
  assert.equal(withoutDefect, null, 'the same scenarios find nothing wrong with the tail as it is');
});

/** The first thing found wrong with the defect, with the number of scenarios that it took; null = nothing. */
async function firstWrong(scenarios: readonly Scenario[], defect: Defect): Promise<string | null> {
  for (const [i, scenario] of scenarios.entries()) {
    const { wrong } = await runModel(scenario, defect);
    if (wrong[0] !== undefined) return `${wrong.join('; ').slice(0, 120)} (scenario ${i + 1})`;
  }
  return null;
}
