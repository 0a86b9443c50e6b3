import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogSlice } from '../../src/api/client.ts';
import { fc } from '../support/properties.ts';
import { type Defect, runModel } from './support/model.ts';
import { anyScenario } from './support/scenarios.ts';

/** Scenarios in which a defect must show; most show in the first few. */
const TRIES = 40;

/** Mistakes of what asks for the tail; those of the tail itself are in `mutation/defects`. */
const DEFECTS: Readonly<Record<string, NonNullable<Defect['fetch']>>> = {
  'offset paging': (fetch) => async (request, options) => {
    const pages: LogSlice[] = [];
    for (let offset = 0; ; ) {
      const page = await fetch({ ...request, offset }, options);
      if (!page.ok) return page;
      pages.push(page.value);
      offset += page.value.records.length;
      if (page.value.hasMore && page.value.records.length > 0) continue;
      const records = pages.flatMap((value) => value.records);
      return { ok: true, value: { ...page.value, records, hasMore: false } };
    }
  },
  'advance on error': (fetch) => async (request, options) => {
    const result = await fetch(request, options);
    const { records, hasMore, serverNow } = EMPTY;
    return result.ok || result.failure.kind === 'cancelled'
      ? result
      : { ok: true, value: { records, hasMore, serverNow, sentAt: 0, receivedAt: 0 } };
  },
  'ignore hasMore': (fetch) => async (request, options) => {
    const result = await fetch(request, options);
    return result.ok ? { ok: true, value: { ...result.value, hasMore: false } } : result;
  },
};

const EMPTY = { records: [], hasMore: false, serverNow: null };

test('each mistake of what asks for the tail breaks a property of the model', async () => {
  const scenarios = fc.sample(anyScenario, { numRuns: TRIES, seed: 7 });
  const missed: string[] = [];
  for (const [name, fetch] of Object.entries(DEFECTS)) {
    let isFound = false;
    for (let n = 0; n < TRIES && !isFound; n++) {
      const scenario = scenarios[n];
      assert.ok(scenario);
      isFound = (await runModel(scenario, { fetch })).wrong.length > 0;
    }
    if (!isFound) missed.push(name);
  }
  assert.deepEqual(missed, []);
});
