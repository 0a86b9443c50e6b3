import { FAILURES, type FailureKind } from '../../../src/domain/failure.ts';
import { fc } from '../../support/properties.ts';
import { MODEL_TUNING, type Scenario } from './model.ts';
import type { ModelFault } from './model-server.ts';

const KINDS = Object.keys(FAILURES) as FailureKind[];

/** Faults begin in the first minute and a half and are over after two and a half. */
const FAULTS_FROM = 90_000;
const FAULT_MOST = 60_000;
const DURATION = 330_000;
const YEAR_9999 = Date.UTC(9999, 0) - Date.UTC(2026, 0);

export const fault: fc.Arbitrary<ModelFault> = fc
  .tuple(
    fc.nat(FAULTS_FROM),
    fc.nat(FAULT_MOST),
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('failure' as const),
          failure: fc.constantFrom(...KINDS),
          retryIn: fc.option(fc.nat(8_000)),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('hang' as const) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('lag' as const), ms: fc.nat(9_000) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('short' as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('date' as const),
          ms: fc.option(fc.constantFrom(120_000, -120_000, YEAR_9999)),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('date' as const),
          ms: fc.constant(0),
          spread: fc.constantFrom(3_000, 120_000),
        }),
      },
    ),
  )
  .map(([from, length, what]) => ({ ...what, from, to: from + length }));

/** Rows late by up to two thirds of the bound: a replica may be behind by the rest. */
export const traffic = fc.record({
  rate: fc.constantFrom(0.1, 1, 5, 15),
  grain: fc.constantFrom(1, 1, 50, 500),
  lateShare: fc.constantFrom(0, 0.1, 0.4),
  lateMost: fc.constantFrom(3_000, MODEL_TUNING.lateness * 0.66),
  bareShare: fc.constantFrom(0, 0.3),
  fastShare: fc.constantFrom(0, 0.1),
  fastMost: fc.constant(2_000),
  silence: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
});

export const anyScenario: fc.Arbitrary<Scenario> = fc
  .record({
    seed: fc.integer(),
    traffic,
    limit: fc.constantFrom(3, 20, 200, 10_000, 10_000),
    skew: fc.constantFrom(0, 0, 0, 0, 50_000, -50_000),
    hasDate: fc.constantFrom(true, true, true, false),
    dateOff: fc.constantFrom(0, 0, 0, 0, 0, 0, 50_000, -50_000, YEAR_9999),
    refusesFuture: fc.constantFrom(false, false, false, true),
    faults: fc.array(fault, { maxLength: 4 }),
    suspension: fc.option(
      fc.record({
        at: fc.nat(FAULTS_FROM),
        ms: fc.integer({ min: 1_000, max: 120_000 }),
        isCounted: fc.boolean(),
      }),
      { freq: 3 },
    ),
    since: fc.constantFrom(null, null, 0, 20_000, 180_000),
    backfills: fc.array(fc.integer({ min: 10_000, max: 200_000 }), { maxLength: 2 }),
    duration: fc.constant(DURATION),
  })
  .map((s) => ({
    ...s,
    // One of the three that tell the time may lie, and the two others are right.
    faults: s.skew === 0 && s.dateOff === 0 ? s.faults : s.faults.filter((f) => f.kind !== 'date'),
    dateOff: s.skew === 0 && s.hasDate ? s.dateOff : 0,
    // Windows that a clock ahead of the server's puts into its future are refused, and no answer tells by how much.
    skew: s.refusesFuture ? 0 : s.skew,
    // Without a Date header a clock that stood still is not to be told from a fast server.
    suspension: s.suspension === null || s.hasDate ? s.suspension : { ...s.suspension, isCounted: true },
  }));

/** A server and a link with which nothing is wrong, and whose pages hold whatever a slice can bring. */
export const calmScenario: fc.Arbitrary<Scenario> = anyScenario.map((s) => ({
  ...s,
  limit: 10_000,
  faults: [],
  suspension: null,
  backfills: [],
}));
