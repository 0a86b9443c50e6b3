import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../../src/domain/failure.ts';
import type { Inquiry, Met, Need } from '../../../src/domain/inquiry/inquiry.ts';
import { termOfAny } from '../../../src/domain/query/query.ts';
import { recordOf, zoneOf } from '../../support/state.ts';
import { MINUTE, NOON } from '../scene.ts';
import { asking, comparing } from './ask-scene.ts';

const zone = zoneOf('1', 'shop');
const range = { from: NOON - 40 * MINUTE, to: NOON };

/** The same rows at any time; the last so many requests fail. */
function answered(inquiry: Inquiry, failed: number): Inquiry {
  const { needs } = inquiry;
  needs.forEach((need, at) => {
    inquiry.add(need, at < needs.length - failed ? rowsOf(need) : FAILED);
  });
  return inquiry;
}

const FAILED: Met = { kind: 'failed', failure: failureOf('serverError', {}) };

function rowsOf(need: Need): Met {
  assert.ok(need.kind === 'logs');
  const { from, to } = need.range;
  const rows = Array.from({ length: 100 }, (_, n) =>
    recordOf(n, { timestamp: from + ((to - from) * n) / 100, path: `/${n % 7}`, statusCode: 200 }),
  );
  return { kind: 'logs', records: rows, hasMore: false };
}

const ASKED: Readonly<Record<string, () => Inquiry>> = {
  compare: () =>
    comparing('compare', {
      ...{ zones: [zone], now: range, against: 'the window before' },
      before: [{ from: range.from - 40 * MINUTE, to: range.from }],
    }),
  rule: () => asking('rule', { zones: [zone], range, terms: [termOfAny('ua', ['curl'])] }),
};

for (const [question, ask] of Object.entries(ASKED)) {
  test(`${question} is calm where all was read and nothing found, and unknown where a part was`, () => {
    assert.equal(answered(ask(), 0).table().verdict, 'calm');
    assert.equal(answered(ask(), 1).table().verdict, 'unknown');
  });
}
