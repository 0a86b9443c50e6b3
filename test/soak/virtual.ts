import { FAILURES, type FailureKind } from '../../src/domain/failure.ts';
import { TAIL_TUNING } from '../../src/domain/tail/tail-pace.ts';
import { type Outcome, runModel, type Scenario } from '../effects/support/model.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import type { ModelFault } from '../effects/support/model-server.ts';

export type VirtualFigures = {
  hours: number;
  requests: number;
  rowsShown: number;
  gaps: number;
  lost: number;
  doubled: number;
  wrong: string[];
  faults: number;
};

const HOUR = 3_600_000;
const KINDS = Object.keys(FAILURES) as FailureKind[];

/** One tail, by its own numbers, through hours of virtual time, in which something goes wrong every few minutes, until a calm end. */
export async function soakVirtually(seed: number, hours: number): Promise<VirtualFigures> {
  const duration = hours * HOUR;
  const random = randomOf(seed);
  const faults: ModelFault[] = [];
  for (let at = 20_000; at < duration - 1_800_000; at += 20_000 + random() * 300_000) {
    const to = at + random() * random() * 240_000;
    const draw = random();
    const failure = KINDS[Math.floor(random() * KINDS.length)] ?? 'timeout';
    const retryIn = random() < 0.5 ? null : Math.floor(random() * 8_000);
    if (draw < 0.6) faults.push({ kind: 'failure', failure, retryIn, from: at, to });
    else if (draw < 0.75) faults.push({ kind: 'hang', from: at, to });
    else if (draw < 0.9) faults.push({ kind: 'lag', ms: random() * 60_000, from: at, to });
    else faults.push({ kind: 'short', from: at, to });
  }
  const scenario: Scenario = {
    seed,
    traffic: {
      rate: 5,
      grain: 1,
      lateShare: 0.1,
      lateMost: 200_000,
      bareShare: 0.1,
      fastShare: 0.02,
      fastMost: 2_000,
      silence: [0.5, 0.51],
    },
    limit: 200,
    skew: 0,
    hasDate: true,
    dateOff: 0,
    refusesFuture: false,
    faults,
    suspension: { at: duration * 0.3, ms: 1_200_000, isCounted: true },
    since: null,
    backfills: [],
    duration,
    tuning: TAIL_TUNING,
  };
  const outcome: Outcome = await runModel(scenario);
  const { emitted, missing, requests, report, wrong } = outcome;
  return {
    hours,
    requests,
    rowsShown: emitted,
    gaps: report?.gaps.length ?? 0,
    lost: missing,
    doubled: wrong.includes('a row was shown twice') ? 1 : 0,
    wrong,
    faults: faults.length,
  };
}
