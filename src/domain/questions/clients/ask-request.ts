import type { LogRecord } from '../../log.ts';
import { splitForServer } from '../../query/push-down.ts';
import { EMPTY_QUERY } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { type TimeRange, without } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import { type Inquiry, type LogNeed, type Need, partOf } from '../inquiry/inquiry.ts';
import { timelineInquiry } from './ask-timeline.ts';
import { canonicalId, type Sighting, sightingOfRecord } from './client.ts';
import { SAME_REQUEST_SECONDS } from './timeline.ts';

type Question = {
  zone: PullZone;
  others: readonly PullZone[];
  shieldZoneId: string | null | undefined;
  /** 32 hex digits, lower case, no hyphens. */
  id: string;
  /** What is known of the request where the log does not tell it. */
  sighting: Sighting;
  range: TimeRange;
  now: number;
};

/** The most requests of a timeline for its own zone: by the id, by the address, and the events of Shield. */
const OWN_REQUESTS = 3;

/** Looks a request up in the CDN log by its id, and then asks for the timeline of its client. */
export function timelineById(o: Question): Inquiry {
  const term = termForValue('logs', 'id', o.id, false);
  const query = { ...EMPTY_QUERY, terms: term === null ? [] : [term] };
  const { server: filter } = splitForServer(query, o.zone);
  const range = searched(o);
  const lookup: LogNeed = { kind: 'logs', side: 'now', zoneId: o.zone.id, range, filter };
  let left: readonly TimeRange[] = [range];
  let found: LogRecord | null = null;
  let inner: Inquiry | null = null;
  let why: string | null = null;

  function next(): readonly Need[] {
    if (inner !== null || why !== null) return [];
    const subject = found ? sightingOfRecord(found) : o.sighting;
    if (found === null && subject.ip === null) {
      why = left.length > 0 ? 'the request was not looked up' : 'no request has this id in this time';
      return [];
    }
    const { zone, others, shieldZoneId, now } = o;
    const pivot = timelineInquiry({ zone, others, shieldZoneId, subject, now });
    if (pivot.ok) inner = pivot.inquiry;
    else why = pivot.why;
    return inner?.needs ?? [];
  }

  return {
    needs: [lookup],
    follow: { most: 1 + OWN_REQUESTS + o.others.length, next },
    add(need, met) {
      if (inner !== null) inner.add(need, met);
      else if (need.kind === 'logs' && met.kind === 'logs') {
        const part = partOf(need.range, met);
        left = without([...left], need.range);
        found ??= part.records.find(({ requestId }) => canonicalId(requestId) === o.id) ?? null;
      }
    },
    table: () => inner?.table() ?? unfound(why, left),
    rest: () => inner?.rest() ?? [],
  };
}

/** A moment is searched around, because the two logs may date one request differently. */
function searched({ range, now }: Pick<Question, 'range' | 'now'>): TimeRange {
  const slack = SAME_REQUEST_SECONDS * 1000;
  if (range.to - range.from >= slack) return range;
  return { from: range.from - slack, to: Math.max(range.to, Math.min(now, range.to + slack)) };
}

function unfound(why: string | null, left: readonly TimeRange[]): AnswerTable {
  return {
    headline: why ?? 'looking for the request by its id',
    verdict: 'unknown',
    sections: [],
    isWhole: left.length === 0,
    coverage:
      left.length > 0 ? 'the CDN log was not searched to its end' : 'the CDN log of this time was searched',
  };
}
