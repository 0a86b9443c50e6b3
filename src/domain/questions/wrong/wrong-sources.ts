import { changedNames, isOfZone } from '../../evidence/change.ts';
import { originTally } from '../../evidence/origin-tally.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { changesIn, changesReading } from '../evidence/ask-changes.ts';
import { codeWord, errorsIn, originMissing, originReading } from '../evidence/origin-reading.ts';
import type { WrongSource } from './wrong-plan.ts';

/** A change so long before the window may have brought about what began in it, ms. */
const BEFORE = 30 * 60_000;

/** What the platform tells besides its logs: why origins fail, and what was changed in the zone. Of saved logs it tells nothing. */
export function wrongSources(
  zone: PullZone,
  shieldZoneId: string | null | undefined,
  range: TimeRange,
): WrongSource[] {
  if (zone.id === '') return [];
  const origin = originReading([zone], range);
  const changedIn = { from: range.from - BEFORE, to: range.to };
  const changes = changesReading(changedIn);
  const ids = { pullZoneId: zone.id, shieldZoneId };
  return [
    {
      name: 'origin errors',
      kind: 'trouble',
      needs: origin.needs,
      add: (need, met) => origin.add(need, met),
      told: () =>
        originTally(errorsIn(origin, range), range).causes.map(({ code, run }) => ({
          cause: codeWord(code),
          count: run.count,
          of: run.of,
          since: run.from,
        })),
      missing: () => originMissing(origin),
    },
    {
      name: 'changes',
      kind: 'change',
      needs: changes.needs,
      add: (need, met) => changes.add(need, met),
      told: () =>
        changesIn(changes, changedIn)
          .changes.filter((change) => isOfZone(change, ids))
          .map((change) => ({
            cause: `${changedNames(change)} of ${zone.name}`,
            count: 1,
            of: 1,
            since: change.timestamp,
          })),
      missing: () => changesIn(changes, changedIn).missing,
    },
  ];
}
