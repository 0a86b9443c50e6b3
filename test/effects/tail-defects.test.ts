import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANTED, TAIL_MODEL } from '../mutation/defects.ts';
import { importPlanted } from '../support/planted-source.ts';
import { fc } from '../support/properties.ts';
import { DEFECTS } from './support/defects.ts';
import { type Defect, runModel, type Scenario } from './support/model.ts';
import { anyScenario } from './support/scenarios.ts';

/** Scenarios in which a defect must show; most show in the first few. */
const TRIES = 40;
const CONTROLS = 10;

type Model = { runModel: typeof runModel };

const scenarios = fc.sample(anyScenario, { numRuns: TRIES, seed: 7 });

test('each planted defect of what asks for the tail breaks a property of the model', async () => {
  const missed: string[] = [];
  for (const [name, defect] of Object.entries<Defect>(DEFECTS))
    if ((await firstWrong(scenarios, runModel, defect)) === null) missed.push(name);
  assert.deepEqual(missed, []);
});

test('each planted defect of the tail itself breaks a property of the model', async () => {
  const own = PLANTED.filter(({ tests }) => tests === TAIL_MODEL);
  assert.ok(own.length >= 7);
  const missed: string[] = [];
  for (const defect of own) {
    const model = await importPlanted<Model>(import.meta.resolve('./support/model.ts'), defect);
    if ((await firstWrong(scenarios, model.runModel)) === null) missed.push(defect.name);
  }
  assert.deepEqual(missed, []);
});

test('the same scenarios find nothing wrong with the tail as it is, planted or not', async () => {
  const few = scenarios.slice(0, CONTROLS);
  assert.equal(await firstWrong(few, runModel), null);
  const [defect] = PLANTED.filter(({ tests }) => tests === TAIL_MODEL);
  assert.ok(defect);
  const same = { ...defect, put: defect.find };
  const model = await importPlanted<Model>(import.meta.resolve('./support/model.ts'), same);
  assert.notEqual(model.runModel, runModel);
  assert.equal(await firstWrong(few, model.runModel), null);
});

/** The first thing found wrong, with the number of scenarios that it took; null = nothing. */
async function firstWrong(
  tried: readonly Scenario[],
  run: typeof runModel,
  defect: Defect = {},
): Promise<string | null> {
  for (const [i, scenario] of tried.entries()) {
    const { wrong } = await run(scenario, defect);
    if (wrong[0] !== undefined) return `${wrong.join('; ').slice(0, 120)} (scenario ${i + 1})`;
  }
  return null;
}
