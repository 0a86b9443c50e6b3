import { bytes, count, counted, dayClock } from '../../../text/units.ts';
import type { Counts } from '../../logs/counts.ts';
import { splitForServer } from '../../query/push-down.ts';
import { EMPTY_QUERY, type Query, type Term, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { anonymisationOf, type PullZone } from '../../zone.ts';
import { figures, ledBy, rest, sectionOf, shares, times, within, words } from '../inquiry/answer-section.ts';
import type { AnswerSection, AnswerTable } from '../inquiry/answer-table.ts';
import { splitOver } from '../inquiry/asking-order.ts';
import { CountedReading } from '../inquiry/counted-reading.ts';
import { EventReading, eventsFirst } from '../inquiry/event-reading.ts';
import type { Besides, Inquiry } from '../inquiry/inquiry.ts';
import type { LogReading } from '../inquiry/log-reading.ts';
import { partOfAll, readWords } from '../inquiry/reading-words.ts';
import {
  type BypassCheck,
  bypassCheckOf,
  bypassCoverage,
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
  const queryOf = ({ question }: ZoneBypass) => within({ ...EMPTY_QUERY, terms: question.terms }, range);
  const counted = new CountedReading({
    zones: asked.map((each) => ({
      zone: each.zone,
      filter: splitForServer(queryOf(each), each.zone).server,
      parts: splitOver(PARTS[each.question.runs], asked.length, 1),
      terms: each.question.terms,
      // Rows that do not say whose they are count, too.
      matches: () => true,
    })),
    windows: { now: [range] },
    until: o.storedUntil,
    of: () => clientCounting(asked[0].question),
  });
  const { reading } = counted;
  const events = o.shield
    ? new EventReading({ ...o.shield, range, query: { ...EMPTY_QUERY, terms: o.shield.terms } })
    : null;
  const anonymisation = anonymisationOf(asked.map(({ zone }) => zone));
  const ofEvents =
    events &&
    eventsFirst(events, counted, (known) => {
      const evidence = createEvidence(known, anonymisation);
      return {
        add(record) {
          if (known.length > 0) evidence.around(record);
        },
        result: () => evidence,
      };
    });
  const source = ofEvents ?? counted;
  const { follow } = reading;
  return {
    needs: source.needs,
    // The searches for events cost besides what a store counts, or what has to be read where it cannot.
    ...(follow ? { follow: { ...follow, most: follow.most + (events?.needs.length ?? 0) } } : {}),
    add: (need, met) => void source.add(need, met),
    table() {
      const found = asked.map((each) => ({ ...each, counts: counted.counts('now', each.zone) }));
      // The question whose terms find the client in all of the zones: where one keeps less of an address, so do its rows.
      const widest = asked.find(({ question }) => question.mask === 'none') ?? asked[0];
      const table = bypassTable(o, queryOf(widest), found, reading);
      const told = (ofEvents?.soFar() ?? createEvidence([], anonymisation)).result(
        found.flatMap(({ counts }) => counts ?? []),
      );
      // Which of the clients are good ones otherwise is told of rows that were read, all of them.
      const evidence = reading.sources.has('store') ? { ...told, cleanClients: null } : told;
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
    rest: () => source.rest(),
  };
}

type ZoneCounts = { zone: PullZone; counts: Counts | null };

function bypassTable(
  { asked, left, range, storedUntil }: Question,
  query: Query,
  found: readonly ZoneCounts[],
  reading: LogReading,
): AnswerTable {
  const check = bypassCheckOf(found.flatMap(({ counts }) => counts ?? []));
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
    verdict: through > 0 ? 'wrong' : matched > 0 && isWhole && left.length === 0 ? 'calm' : 'unknown',
    isWhole: isWhole && left.length === 0,
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
  const title = `${counted(matched, 'request')} of this client, by what they were answered with`;
  const clock = (time: number) => dayClock(time, 'utc');
  return sectionOf('answers', title, cells, {
    sentence: (cell) =>
      `${counted(cell.requests, 'request')} answered ${cell.statusClass} (${cell.cache}) from ${clock(cell.first)} to ${clock(cell.last)} UTC${cell.served === null ? '' : `, by the ${cell.served}`}`,
    columns: [
      words('statusClass', 'CLASS', 6, ({ statusClass }) => statusClass),
      words('cache', 'CACHE', 12, ({ cache }) => cache),
      figures('requests', 'REQUESTS', 9, ({ requests }) => requests),
      figures('bytes', 'BYTES', 6, (cell) => cell.bytes, { shown: (cell) => bytes(cell.bytes) }),
      times('first', 'FIRST', 14, ({ first }) => first, clock, 70),
      times('last', 'LAST', 14, ({ last }) => last, clock),
      rest('answeredBy', 'ANSWERED BY', ({ served }) => served, {
        shown: ({ served }) => (served === null ? 'not known' : `the ${served}`),
      }),
    ],
    also: (cell) => ({ isThrough: isThrough(cell) }),
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
  found: readonly ZoneCounts[],
  left: readonly string[],
  query: Query,
  reading: LogReading,
): AnswerSection {
  const zones = found
    .map(({ zone, counts }) => {
      const share = reading.share('now', undefined, zone);
      return { zone, share, check: share === 0 ? null : bypassCheckOf(counts ? [counts] : []) };
    })
    .sort(
      ({ check: a }, { check: b }) =>
        (b?.through ?? 0) - (a?.through ?? 0) || (b?.matched ?? 0) - (a?.matched ?? 0),
    );
  return sectionOf('zones', 'by zone', zones, {
    sentence: ({ zone, check }) =>
      check === null
        ? `of ${zone.name} nothing was read`
        : `${zone.name} let through ${count(check.through)} of ${counted(check.matched, 'request')}, ${count(check.throughToOrigin)} to the origin`,
    columns: [
      rest('zone', 'ZONE', ({ zone }) => zone.name),
      shares('read', 'READ', 8, ({ share }) => share, {
        shown: ({ share }) => (share === 0 ? 'not read' : partOfAll(share)),
      }),
      figures('requests', 'REQUESTS', 9, ({ check }) => check?.matched ?? null),
      figures('through', 'THROUGH', 9, ({ check }) => check?.through ?? null),
      figures('throughToOrigin', 'BY ORIGIN', 9, ({ check }) => check?.throughToOrigin ?? null),
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
