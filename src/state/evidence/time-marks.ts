import { isOfZone } from '../../domain/evidence/change.ts';
import type { OriginErrorDay } from '../../domain/evidence/origin-error.ts';
import { originRuns } from '../../domain/evidence/origin-tally.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { shieldZoneOf, zonesOfLog } from '../log-zones.ts';
import { memoised } from '../memoised.ts';
import type { State } from '../model.ts';
import { originDaysTold, TELLING } from './told.ts';

/** A moment of a timeline: a change of one of its zones, or where its origin began to fail. Unix ms. */
export type TimeMark = { at: number; kind: 'change' | 'origin' };

/** What was told of the zones of the log within a time, oldest first; nothing is asked for it. */
export function timeMarks(state: State, range: TimeRange): TimeMark[] {
  const zones = zonesOfLog(state.session);
  const ids = zones.map((zone) => ({ pullZoneId: zone.id, shieldZoneId: shieldZoneOf(state, zone) }));
  const changes = [...state.evidence.told.values()]
    .flatMap(({ met }) => (met.kind === 'changes' ? met.value.changes : []))
    .filter((change) => ids.some((zone) => isOfZone(change, zone)));
  const marks = [
    ...changes.map(({ timestamp }): TimeMark => ({ at: timestamp, kind: 'change' })),
    ...originDaysTold(state.evidence, zones)
      .flatMap(beginningsOf)
      .map((at): TimeMark => ({ at, kind: 'origin' })),
  ];
  return marks.filter(({ at }) => at >= range.from && at < range.to).sort((a, b) => a.at - b.at);
}

/** A day may have many thousands of errors, and a timeline is made each second. */
const beginningsOf = memoised((day: OriginErrorDay) =>
  originRuns(day.errors)
    .filter(({ count }) => count >= TELLING)
    .map(({ from }) => from),
);
