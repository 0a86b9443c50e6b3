import { failureOf } from '../../../src/domain/failure.ts';
import type { TailFetch } from '../../../src/effects/tail/tail-context.ts';
import { MODEL_TUNING, runModel, type Scenario } from '../../effects/support/model.ts';
import { clockWith, type VirtualClock } from '../../support/virtual-clock.ts';
import type { NthFigures } from './figures.ts';

/**
 * What happens to the n-th sleep of the tail: it ends minutes late, or at once, or the request that follows it is
 * given up.
 */
const WAYS = ['late', 'at once', 'aborted'] as const;
type Way = (typeof WAYS)[number];

/** What the fault itself brings about, of what the model finds odd where nothing else is wrong. */
const FOLLOWS: Readonly<Record<Way, RegExp>> = {
  // Time that was slept through is named so, though no machine was off.
  late: /^false reason slept/,
  // The tail's own share is one request beyond its mark; the quota below it, which the server counts by, holds.
  'at once': /^more than 14 background requests/,
  aborted: /^false reason (failed|offline)/,
};

const LATE = 180_000;
/** Sleeps that begin later leave the tail too little time to catch up before the end is judged. */
const BEGUN_BEFORE = 60_000;

const SCENARIO: Scenario = {
  seed: 11,
  traffic: {
    rate: 3,
    grain: 1,
    lateShare: 0.1,
    lateMost: 10_000,
    bareShare: 0.2,
    fastShare: 0.05,
    fastMost: 2_000,
    silence: [0.5, 0.51],
  },
  limit: 200,
  skew: 0,
  hasDate: true,
  dateOff: 0,
  refusesFuture: false,
  faults: [{ kind: 'failure', failure: 'serverError', retryIn: null, from: 20_000, to: 26_000 }],
  suspension: null,
  since: 20_000,
  backfills: [],
  duration: 420_000,
  tuning: MODEL_TUNING,
};

/** Every sleep of the first virtual minute of a tail goes wrong in each way; `every`: only each so many-th. */
export async function failNthTimers(every = 1): Promise<NthFigures> {
  const figures: NthFigures = { places: 0, failures: [] };
  for (const way of WAYS) {
    for (let n = 1; ; n += every) {
      const { isHit, wrong } = await withNthSleep(n, way);
      if (!isHit) break;
      figures.places += 1;
      figures.failures.push(...wrong.map((what) => `timer ${n}, ${way}: ${what}`));
    }
  }
  return figures;
}

async function withNthSleep(n: number, way: Way): Promise<{ isHit: boolean; wrong: string[] }> {
  let slept = 0;
  let isHit = false;
  let isNextAborted = false;
  let start: number | null = null;
  const clock = (inner: VirtualClock) =>
    clockWith(inner, {
      sleep(ms, signal) {
        start ??= inner.real;
        slept += 1;
        if (slept !== n || inner.real - start > BEGUN_BEFORE) return inner.sleep(ms, signal);
        isHit = true;
        if (way === 'at once') return Promise.resolve();
        if (way === 'late') return inner.sleep(ms + LATE, signal);
        isNextAborted = true;
        return inner.sleep(ms, signal);
      },
    });
  const fetch =
    (inner: TailFetch): TailFetch =>
    async (request, call) => {
      if (!isNextAborted) return inner(request, call);
      isNextAborted = false;
      return { ok: false, failure: failureOf('timeout') };
    };
  const { wrong } = await runModel(SCENARIO, { clock, fetch });
  return { isHit, wrong: wrong.filter((what) => !FOLLOWS[way].test(what)) };
}
