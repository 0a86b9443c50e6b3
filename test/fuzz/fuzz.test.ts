import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEED } from '../support/properties.ts';
import { fuzzAnswers } from './answers.ts';
import { tryLayer } from './hostile.ts';
import { fuzzKeys } from './keys.ts';
import { fuzzStrings } from './strings.ts';

test('no string leaks an escape past the filter alone, and the sanitiser alone is reversible', async () => {
  const { tried, shown, leaked } = await fuzzStrings(SEED, 2_000);
  assert.equal(leaked, 0);
  assert.ok(tried === 2_000 && shown > 35);
});

test('whatever keys are pressed and answers come, every screen can be drawn and every order is sound', () => {
  const { keys, answers, views } = fuzzKeys(SEED, 80);
  assert.ok(keys > 500 && answers > 150 && views >= 12, `${views} views`);
});

test('a spoilt answer is a row kept raw or a failure by name, never an exception or a hang', async () => {
  const { ok, refused, kinds } = await fuzzAnswers(SEED, 100);
  assert.ok(ok > 10 && refused > 50 && kinds >= 6, JSON.stringify({ ok, refused, kinds }));
});

// Without either they act: `npm run test:hostile` shows it, as a control.
test('each layer alone keeps the hostile strings from acting in any view and format', async () => {
  // One after the other: each is a process of some hundred megabytes.
  for (const layer of ['filter', 'sanitiser'] as const) {
    const { leaks, first, screens, views } = await tryLayer(layer, 1);
    assert.equal(leaks, 0, `${layer}: ${first.join('\n')}`);
    assert.ok(views > 30 && screens === views);
  }
});
