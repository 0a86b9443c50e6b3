import { isOfZone } from '../../domain/evidence/change.ts';
import type { OriginErrorDay } from '../../domain/evidence/origin-error.ts';
import { originRuns } from '../../domain/evidence/origin-tally.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { kept } from '../kept.ts';
import { zonesOfLog } from '../logs/log-zones.ts';
import type { State } from '../model.ts';
import { shieldZoneOf } from '../shield/shield-open.ts';

/** A moment of a timeline: a change of one of its zones, or where its origin began to fail. Unix ms. */
export type TimeMark = { at: number; kind: 'change' | 'origin' };

/** A cause begins where it is told at least so often in its run. */
const TELLING = 5;

/** What was told of the zones of the log within a time, oldest first; nothing is asked for it. */
export function timeMarks(state: State, range: TimeRange): TimeMark[] {
  const zones = zonesOfLog(state.session);
  const marks: TimeMark[] = [];
  for (const [key, { met }] of state.evidence.told) {
    if (met.kind === 'changes') {
      const own = met.value.changes.filter((change) =>
        zones.some((zone) =>
          isOfZone(change, { pullZoneId: zone.id, shieldZoneId: shieldZoneOf(state, zone) }),
        ),
      );
      marks.push(...own.map(({ timestamp }): TimeMark => ({ at: timestamp, kind: 'change' })));
    }
    if (met.kind === 'originErrors' && zones.some(({ id }) => key.includes(` ${id} `))) {
      marks.push(...beginningsOf(met.value).map((at): TimeMark => ({ at, kind: 'origin' })));
    }
  }
  return marks.filter(({ at }) => at >= range.from && at < range.to).sort((a, b) => a.at - b.at);
}

/** A day may have many thousands of errors, and a timeline is made each second. */
const beginningsOf = kept((day: OriginErrorDay) =>
  originRuns(day.errors)
    .filter(({ count }) => count >= TELLING)
    .map(({ from }) => from),
);
