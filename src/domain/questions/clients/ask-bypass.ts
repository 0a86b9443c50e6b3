import { bytes, count, counted, dayClock } from '../../../text/units.ts';
import type { Counts } from '../../logs/counts.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import { EMPTY_QUERY, type Query, type Term, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { anonymisationOf, type PullZone } from '../../zone.ts';
import { figures, ledBy, rest, sectionOf, within, words } from '../inquiry/answer-section.ts';
import type { AnswerSection, AnswerTable } from '../inquiry/answer-table.ts';
import { splitOver } from '../inquiry/asking-order.ts';
import { EventReading, eventsFirst } from '../inquiry/event-reading.ts';
import type { Besides, Inquiry } from '../inquiry/inquiry.ts';
import { LogReading } from '../inquiry/log-reading.ts';
import { partOfAll, readWords } from '../inquiry/reading-words.ts';
import {
  type BypassCheck,
  bypassCoverage,
  bypassOfAll,
  createBypassCheck,
  isThrough,
  type ZoneBypass,
} from './bypass-check.ts';
import { clientCounting } from './client-counts.ts';
import { createEvidence } from './group-evidence.ts';
import { profileNote, profileSections, tagWords } from './traffic-profile.ts';

/** Requests of all zones together for a question that the server filters, and for one whose rows must all be looked through. */
const PARTS = { server: 1, narrowed: 2, local: 4 } as const;

type Question = Pick<Besides, 'storedUntil'> & {
  /** What each zone is asked. */
  asked: readonly [ZoneBypass, ...ZoneBypass[]];
  /** Why other zones are not. */
  left: readonly string[];
  range: TimeRange;
  shield?: { shieldZoneId: string; terms: readonly Term[] } | null;
};

/**
 * Whether a client's requests were answered in a window of the CDN logs, by status class and cache status, and what the
 * client looks like. With `shield` one search for its events is added, which its shape is told of, too.
 */
export function bypassInquiry(o: Question): Inquiry {
  const { asked, range } = o;
  const zones = asked.map(({ zone, question }) => {
    const query = within({ ...EMPTY_QUERY, terms: question.terms }, range);
    const { anonymisation } = zone;
    const check = createBypassCheck(question, anonymisation);
    return { zone, question, query, check, isOfClient: matcher(query, anonymisation) };
  });
  const byId = new Map(zones.map((each) => [each.zone.id, each]));
  const reading = new LogReading({
    zones: zones.map(({ zone, question, query }) => ({
      zone,
      filter: splitForServer(query, zone).server,
      parts: splitOver(PARTS[question.runs], zones.length, 1),
      terms: question.terms,
      // Rows that do not say whose they are count, too.
      matches: () => true,
    })),
    windows: { now: [range] },
    counted: { until: o.storedUntil, of: () => clientCounting(asked[0].question) },
  });
  const elsewhere: Counts[] = [];
  const events = o.shield
    ? new EventReading({ ...o.shield, range, query: { ...EMPTY_QUERY, terms: o.shield.terms } })
    : null;
  const anonymisation = anonymisationOf(asked.map(({ zone }) => zone));
  const shape = eventsFirst(events, reading, (known) => {
    const evidence = createEvidence(known, anonymisation);
    return {
      add(record) {
        // A row is one of the client by the zone that it is of.
        const zone = zones.length === 1 ? zones[0] : byId.get(record.pullZoneId ?? '');
        if (zone?.isOfClient(record)) evidence.add(record);
        if (known.length > 0) evidence.around(record);
      },
      result: () => evidence.result(elsewhere),
    };
  });
  const { follow } = reading;
  return {
    needs: shape.needs,
    // The searches for events cost besides what a store counts, or what has to be read where it cannot.
    ...(follow ? { follow: { ...follow, most: follow.most + (events?.needs.length ?? 0) } } : {}),
    add(need, met) {
      const check = need.kind === 'logs' ? byId.get(need.zoneId)?.check : undefined;
      if (check && met.kind === 'counts') {
        check.addCounts(met.counts);
        elsewhere.push(met.counts);
      }
      for (const record of shape.add(need, met)) check?.add(record);
    },
    table() {
      const found = zones.map(({ zone, check }) => ({ zone, check: check.result() }));
      // The question whose terms find the client in all of the zones: where one keeps less of an address, so do its rows.
      const widest = zones.find(({ question }) => question.mask === 'none') ?? zones[0];
      const table = bypassTable(o, widest?.query ?? EMPTY_QUERY, found, reading);
      const evidence = shape.soFar();
      if (evidence.requests + evidence.events === 0) return table;
      const tags = tagWords(evidence);
      const read = events === null ? '' : ` (${events.words('events read')})`;
      return {
        ...table,
        headline: `${table.headline}${tags === '' ? '' : `; ${tags}`}`,
        sections: [
          ...table.sections,
          ...profileSections('this client', evidence, profileNote(evidence, read)),
        ],
      };
    },
    rest: () => shape.rest(),
  };
}

type ZoneCheck = { zone: PullZone; check: BypassCheck };

function bypassTable(
  { asked, left, range, storedUntil }: Question,
  query: Query,
  found: readonly ZoneCheck[],
  reading: LogReading,
): AnswerTable {
  const check = bypassOfAll(found.map((each) => each.check));
  const { through, matched } = check;
  const isWhole = reading.share('now') >= 1;
  const { countedWords } = reading;
  const questions = asked.flatMap(({ question }) => {
    const here = reading.isAsked ? question : ({ ...question, runs: 'memory' } as const);
    const { sources } = reading;
    if (!sources.has('store')) return [here];
    const there = { ...question, runs: 'store' } as const;
    return sources.has('rows') ? [here, there] : [there];
  });
  return {
    headline: headlineOf(check, isWhole, left.length > 0),
    tone: through > 0 ? 'bad' : matched > 0 && isWhole && left.length === 0 ? 'good' : 'plain',
    sections: [
      cellsSection(check, query),
      ...(asked.length > 1 || left.length > 0 ? [zoneSection(found, left, query, reading)] : []),
    ],
    coverage: [
      readWords(reading, 'now', 'the window'),
      bypassCoverage(questions, reading.rows('now'), isWhole, countedWords),
      ...(storedUntil !== undefined && range.from < storedUntil
        ? ['Shield keeps events for three days: what it did before is not known']
        : []),
      ...left,
    ].join('; '),
  };
}

/** The requests by what they were answered with; each leads to its very times, since a minute is read at once and a window is not. */
function cellsSection(
  { cells, matched, blank, through, throughToOrigin }: BypassCheck,
  query: Query,
): AnswerSection {
  return sectionOf(`${counted(matched, 'request')} of this client, by what they were answered with`, cells, {
    columns: [
      words('CLASS', 6, ({ statusClass }) => statusClass),
      words('CACHE', 12, ({ cache }) => cache),
      figures('REQUESTS', 9, ({ requests }) => requests),
      figures('BYTES', 6, (cell) => bytes(cell.bytes)),
      words('FIRST', 14, ({ first }) => dayClock(first, 'utc'), 70),
      words('LAST', 14, ({ last }) => dayClock(last, 'utc')),
      rest('ANSWERED BY', ({ served }) => (served === null ? 'not known' : `the ${served}`)),
    ],
    row: (cell) => ({
      tone: isThrough(cell) ? 'bad' : 'plain',
      leads: {
        subject: 'logs',
        query: within(
          withTerms(
            query,
            /^[1-5]xx$/.test(cell.statusClass)
              ? termForValue('logs', 'status', cell.statusClass, false)
              : null,
            termForValue('logs', 'cache', cell.cache, false),
          ),
          { from: cell.first, to: cell.last + 1 },
        ),
      },
    }),
    note:
      blank > 0
        ? `${count(blank)} rows lack this field, so their client is unknown`
        : `got through: ${count(through)}, of them ${count(throughToOrigin)} reached the origin`,
  });
}

/** Zone by zone: counts of one that was read in part are those of the part. */
function zoneSection(
  found: readonly ZoneCheck[],
  left: readonly string[],
  query: Query,
  reading: LogReading,
): AnswerSection {
  const zones = found
    .toSorted((a, b) => b.check.through - a.check.through || b.check.matched - a.check.matched)
    .map(({ zone, check }) => {
      const share = reading.share('now', undefined, zone);
      return { zone, share, check: share === 0 ? null : check };
    });
  return sectionOf('by zone', zones, {
    columns: [
      rest('ZONE', ({ zone }) => zone.name),
      figures('READ', 8, ({ share }) => (share === 0 ? 'not read' : partOfAll(share))),
      figures('REQUESTS', 9, ({ check }) => check?.matched ?? ''),
      figures('THROUGH', 9, ({ check }) => check?.through ?? ''),
      figures('BY ORIGIN', 9, ({ check }) => check?.throughToOrigin ?? ''),
    ],
    row: ({ zone, check }) =>
      check === null
        ? { tone: 'faint' }
        : { tone: check.through > 0 ? 'bad' : 'plain', ...ledBy('logs', query, 'zone', zone.id) },
    note: left.join('; '),
  });
}

/** Only a window that was read whole allows a "nothing", and only of the zones that could be asked. */
function headlineOf(
  { through, throughToOrigin, matched }: BypassCheck,
  isWhole: boolean,
  isLeft: boolean,
): string {
  if (through > 0) {
    return `${count(through)} of ${count(matched)} requests were answered 2xx or 3xx, ${count(throughToOrigin)} by the origin`;
  }
  const part = isWhole ? (isLeft ? ' in the zones that can be asked' : '') : ' in what was read so far';
  return matched > 0
    ? `nothing got through${part}: ${counted(matched, 'request')}, none answered 2xx or 3xx`
    : `no request of this client${part}`;
}
