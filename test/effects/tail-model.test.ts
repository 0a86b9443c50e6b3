import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../support/properties.ts';
import { runModel } from './support/model.ts';
import { anyScenario, calmScenario } from './support/scenarios.ts';

const RUNS = runs(40);

test('whatever goes wrong: no duplicate, no silent loss, true reasons, progress, bounded memory, no timer left', async () => {
  let rows = 0;
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(anyScenario, async (scenario) => {
      const outcome = await runModel(scenario);
      rows += outcome.emitted;
      requests += outcome.requests;
      assert.deepEqual(outcome.wrong, []);
    }),
    { numRuns: RUNS },
  );
  console.log(
    `tail model: ${RUNS} scenarios, ${requests} requests, ${rows} rows shown, 0 silent loss, 0 duplicates`,
  );
});

test('where nothing goes wrong there is no gap but the one before the start', async () => {
  await fc.assert(
    fc.asyncProperty(calmScenario, async (scenario) => {
      const outcome = await runModel(scenario);
      assert.deepEqual(outcome.wrong, []);
      assert.deepEqual(
        outcome.report?.gaps.filter((gap) => gap.reason !== 'notRead'),
        [],
      );
    }),
    { numRuns: Math.ceil(RUNS / 3) },
  );
});

test('a machine that slept while an answer was on its way slept, though the answer tells of the time before', async () => {
  const [scenario] = fc.sample(calmScenario, { numRuns: 1, seed: 1 });
  assert.ok(scenario);
  const silence = [0, 0] as const;
  const traffic = {
    ...scenario.traffic,
    rate: 5,
    grain: 1,
    lateShare: 0,
    bareShare: 0,
    fastShare: 0,
    silence,
  };
  const honest = {
    ...scenario,
    seed: 0,
    traffic,
    skew: 0,
    hasDate: true,
    dateOff: Date.UTC(9999, 0) - Date.UTC(2026, 0),
    refusesFuture: false,
  };
  const suspension = { at: 20_795, ms: 12_000, isCounted: false };
  const { report, wrong } = await runModel({ ...honest, limit: 3, since: null, suspension });
  assert.deepEqual(wrong, []);
  assert.ok(report?.gaps.some(({ reason }) => reason === 'slept'));
});
