import { bytes, count, counted, dayClock } from '../../../text/units.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import { EMPTY_QUERY, type Query, type Term } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { AnswerRow, AnswerTable } from '../inquiry/answer-table.ts';
import { EventReading, EventsFirst } from '../inquiry/event-reading.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import { LogReading } from '../inquiry/log-reading.ts';
import {
  type AskedBypass,
  type BypassCell,
  type BypassCheck,
  bypassCoverage,
  createBypassCheck,
  isThrough,
} from './bypass-check.ts';
import { createEvidence } from './group-evidence.ts';
import { shapeNote, shapeSections, tagWords } from './traffic-profile.ts';

/** Requests for a question that the server filters, and for one whose rows must all be looked through. */
const PARTS = { server: 1, narrowed: 2, local: 4 } as const;

/**
 * Whether a client's requests were answered in a window of the CDN log, by status class and cache status, and what the
 * client looks like. With `shield` one search for its events is added, which its shape is told of, too.
 */
export function bypassInquiry(o: {
  zone: PullZone;
  range: TimeRange;
  question: AskedBypass;
  shield?: { shieldZoneId: string; terms: readonly Term[] } | null;
}): Inquiry {
  const { zone, range, question } = o;
  const query: Query = { terms: question.terms, window: { kind: 'absolute', ...range }, groupBy: [] };
  const reading = new LogReading({
    zoneId: zone.id,
    filter: splitForServer(query, zone).server,
    windows: { now: range },
    parts: PARTS[question.runs],
  });
  const bypass = createBypassCheck(question, zone.anonymisation);
  const events = o.shield
    ? new EventReading({ ...o.shield, range, query: { ...EMPTY_QUERY, terms: o.shield.terms } })
    : null;
  const isOfClient = matcher(query, zone.anonymisation);
  const shape = new EventsFirst(events, reading, (known) => {
    const evidence = createEvidence(known, zone.anonymisation);
    return {
      add(record) {
        if (isOfClient(record)) evidence.add(record);
        if (known.length > 0) evidence.around(record);
      },
      result: () => evidence.result(),
    };
  });
  return {
    needs: shape.needs,
    add(need, met) {
      for (const record of shape.add(need, met)) bypass.add(record);
    },
    table() {
      const table = bypassTable(bypass.result(), query, {
        coverage: `${reading.words('now', 'the window')}; ${coverageOf(question, reading)}`,
        isWhole: reading.share('now') >= 1,
      });
      const evidence = shape.soFar();
      if (evidence.requests + evidence.events === 0) return table;
      const tags = tagWords(evidence);
      const read = events === null ? '' : ` (${events.words('events read')})`;
      return {
        ...table,
        headline: `${table.headline}${tags === '' ? '' : `; ${tags}`}`,
        sections: [...table.sections, ...shapeSections('this client', evidence, shapeNote(evidence, read))],
      };
    },
    rest: () => shape.rest(),
  };
}

function coverageOf(question: AskedBypass, reading: LogReading): string {
  const asked = reading.isAsked ? question : ({ ...question, runs: 'memory' } as const);
  return bypassCoverage(asked, reading.rows('now'), reading.share('now') >= 1);
}

function bypassTable(
  bypass: BypassCheck,
  query: Query,
  { coverage, isWhole }: { coverage: string; isWhole: boolean },
): AnswerTable {
  const { through, throughToOrigin, matched, blank } = bypass;
  return {
    headline: headlineOf(bypass, isWhole),
    tone: through > 0 ? 'bad' : matched > 0 && isWhole ? 'good' : 'plain',
    sections: [
      {
        title: `${counted(matched, 'request')} of this client, by what they were answered with`,
        columns: [
          { title: 'CLASS', cells: 6 },
          { title: 'CACHE', cells: 12 },
          { title: 'REQUESTS', cells: 9, align: 'right' },
          { title: 'BYTES', cells: 6, align: 'right' },
          { title: 'FIRST', cells: 14, from: 70 },
          { title: 'LAST', cells: 14 },
          { title: 'ANSWERED BY', cells: 'rest' },
        ],
        rows: bypass.cells.map((cell) => rowOf(cell, query)),
        note:
          blank > 0
            ? `${count(blank)} rows lack this field, so their client is unknown`
            : `got through: ${count(through)}, of them ${count(throughToOrigin)} reached the origin`,
      },
    ],
    coverage,
  };
}

/** Only a window that was read whole allows a "nothing". */
function headlineOf({ through, throughToOrigin, matched }: BypassCheck, isWhole: boolean): string {
  if (through > 0) {
    return `${count(through)} of ${count(matched)} requests were answered 2xx or 3xx, ${count(throughToOrigin)} by the origin`;
  }
  const part = isWhole ? '' : ' in what was read so far';
  return matched > 0
    ? `nothing got through${part}: ${counted(matched, 'request')}, none answered 2xx or 3xx`
    : `no request of this client${part}`;
}

function rowOf(cell: BypassCell, query: Query): AnswerRow {
  const { statusClass, cache, served, requests, first, last } = cell;
  const cacheTerm = termForValue('logs', 'cache', cache, false);
  const statusTerm = /^[1-5]xx$/.test(statusClass)
    ? termForValue('logs', 'status', statusClass, false)
    : null;
  const terms = [...query.terms, statusTerm, cacheTerm].filter((term) => term !== null);
  return {
    cells: [
      statusClass,
      cache,
      count(requests),
      bytes(cell.bytes),
      dayClock(first, 'utc'),
      dayClock(last, 'utc'),
      served === 'origin' ? 'the origin' : served === 'edge' ? 'the edge' : 'not known',
    ],
    tone: isThrough(cell) ? 'bad' : 'plain',
    // The very times of these requests: a window of a minute is read at once, the whole one is not.
    leads: {
      subject: 'logs',
      query: { ...query, terms, window: { kind: 'absolute', from: first, to: last + 1 } },
    },
  };
}
