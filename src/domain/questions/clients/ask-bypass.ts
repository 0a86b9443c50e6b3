import { MASK } from '../../../text/mask.ts';
import { bytes, count, counted, dayClock, joined } from '../../../text/units.ts';
import {
  type AddressMask,
  BYPASS_FIELDS,
  type BypassField,
  clientNetwork,
  logTermOf,
  maskOf,
  shieldTermsOf,
} from '../../clients/client-identity.ts';
import { evidenceOf, SHAPE_COUNTING, tagWords } from '../../clients/traffic-profile.ts';
import {
  type AnswerSection,
  type AnswerTable,
  figures,
  ledBy,
  rest,
  sectionOf,
  shares,
  times,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { EventReading } from '../../inquiry/event-reading.ts';
import { type Inquiry, readBy, splitOver } from '../../inquiry/inquiry.ts';
import { LogReading, partOfAll, sidesRead } from '../../inquiry/log-reading.ts';
import { cacheStatusRow } from '../../log.ts';
import type { Counting, Counts } from '../../logs/counts.ts';
import type { LogGroup } from '../../logs/groups/log-group.ts';
import { printNetwork } from '../../query/address.ts';
import { placeTerms, splitForServer } from '../../query/push-down.ts';
import {
  EMPTY_QUERY,
  type FieldTerm,
  type Query,
  type Term,
  termOfAny,
  withTerms,
} from '../../query/query.ts';
import { termForShown, termForValue } from '../../query/terms.ts';
import { type Anonymisation, anonymisationOf, type PullZone, type Zones } from '../../zone.ts';
import { type Brief, clientAsked, type Made, made, unaskable } from '../asked/asked.ts';
import { profileSections } from './profile-sections.ts';

/** Requests of all zones together for a question that the server filters, and for one whose rows must all be looked through. */
const PARTS = { server: 1, narrowed: 2, local: 4 } as const;

type Question = Pick<Brief, 'range' | 'storedUntil'> &
  Omit<Extract<BypassQuestions, { ok: true }>, 'ok'> & {
    shield?: { shieldZoneId: string; terms: readonly Term[] } | null;
  };

export function through(o: Brief): Made {
  const { zones, range, terms, shieldZoneId, seen, storedUntil } = o;
  const client = clientAsked(terms);
  if (client === null) {
    return unaskable(`through asks about one client: one of ${BYPASS_FIELDS.join(':, ')}: with one value`);
  }
  const { field, value } = client;
  const questions = bypassQuestions(field, value, zones, seen ?? anonymisationOf(zones));
  if (!questions.ok) return unaskable(questions.why);
  const [{ zone, question }] = questions.asked;
  const shield =
    shieldZoneId && zones.length === 1 ? { shieldZoneId, terms: shieldTermsOf(field, value, zone) } : null;
  const inquiry = bypassInquiry({ ...questions, range, shield, storedUntil });
  return made({ ...o, terms: question.terms }, inquiry);
}

/**
 * Whether a client's requests were answered in a window of the CDN logs, by status class and cache status, and what the
 * client looks like. With `shield` one search for its events is added, which its shape is told of, too.
 */
export function bypassInquiry(o: Question): Inquiry {
  const { asked, range } = o;
  const queryOf = ({ question }: ZoneBypass) => within({ ...EMPTY_QUERY, terms: question.terms }, range);
  const reading = new LogReading({
    zones: asked.map((each) => ({
      zone: each.zone,
      filter: splitForServer(queryOf(each), each.zone).server,
      parts: splitOver(PARTS[each.question.runs], asked.length, 1),
      terms: each.question.terms,
    })),
    windows: { now: [range] },
    counted: { until: o.storedUntil, of: () => clientCounting(asked[0].question) },
  });
  const events = o.shield
    ? new EventReading({ ...o.shield, range, query: { ...EMPTY_QUERY, terms: o.shield.terms } })
    : null;
  const anonymisation = anonymisationOf(asked.map(({ zone }) => zone));
  // The question whose terms find the client in all of the zones: where one keeps less of an address, so do its rows.
  const widest = asked.find(({ question }) => question.mask === 'none') ?? asked[0];
  const { follow } = reading;
  return readBy(
    [events, reading],
    () => {
      const found = asked.map((each) => ({ ...each, counts: reading.counts('now', each.zone) }));
      const table = bypassTable(o, queryOf(widest), found, reading);
      const counts = found.flatMap((each) => each.counts ?? []);
      const evidence = evidenceOf(events?.events ?? [], counts, anonymisation);
      if (evidence.requests + evidence.events === 0) return table;
      const read = events === null ? '' : ` (${events.words('events read')})`;
      return {
        ...table,
        headline: joined([table.headline, tagWords(evidence)]),
        sections: [...table.sections, ...profileSections('this client', evidence, read)],
      };
    },
    // The searches for events cost besides what a store counts, or what has to be read where it cannot.
    { follow: follow && { ...follow, most: follow.most + (events?.needs.length ?? 0) } },
  );
}

type ZoneCounts = ZoneBypass & { counts: Counts | null };

function bypassTable(
  { asked, left, range, storedUntil }: Question,
  query: Query,
  found: readonly ZoneCounts[],
  reading: LogReading,
): AnswerTable {
  const check = bypassCheckOf(found.flatMap(({ counts }) => counts ?? []));
  const { through, matched } = check;
  const isWhole = reading.isWhole && left.length === 0;
  const masks = new Set(asked.map(({ question: { mask } }) => mask));
  return {
    headline: headlineOf(check, reading.isWhole, left.length > 0),
    verdict: through > 0 ? 'wrong' : matched > 0 && isWhole ? 'calm' : 'unknown',
    isWhole,
    sections: [
      cellsSection(check, query),
      ...(asked.length > 1 || left.length > 0 ? [zoneSection(found, left, query, reading)] : []),
    ],
    coverage: sidesRead(reading, { now: 'the window' }, [
      ...[...masks].map((mask) => (mask === 'none' ? '' : `by ${mask}: others of the network count too`)),
      storedUntil !== undefined && range.from < storedUntil
        ? 'Shield keeps events for three days: what it did before is not known'
        : '',
      ...left,
    ]),
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
      times('first', 'FIRST', 14, ({ first }) => first, { from: 70 }),
      times('last', 'LAST', 14, ({ last }) => last),
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

type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | '1xx' | 'other';

/** What a responder asks first comes first. */
const CLASS_ORDER: readonly StatusClass[] = ['2xx', '3xx', '4xx', '5xx', '1xx', 'other'];

type BypassCell = {
  statusClass: StatusClass;
  cache: string;
  /** Who answered: the edge from cache, the origin, or nobody that is known (`-`, unknown words). */
  served: 'edge' | 'origin' | null;
  requests: number;
  bytes: number;
  /** Event times, Unix ms. */
  first: number;
  last: number;
};

export type BypassCheck = {
  /** 2xx, 3xx, then the rest; within a class the most requests first. */
  cells: readonly BypassCell[];
  /** Requests answered with 2xx or 3xx: what got through, and what of it reached the origin. */
  through: number;
  throughToOrigin: number;
  /** Requests of this client. */
  matched: number;
  /** Rows that say nothing in this field: whose they are cannot be told. */
  blank: number;
};

type BypassQuestion =
  | {
      ok: true;
      field: BypassField;
      /** For the query; the first one may be there only to have the server send less. */
      terms: readonly FieldTerm[];
      /** `narrowed`: the server sends a part that surely holds all of it, the rest is decided here. */
      runs: 'server' | 'narrowed' | 'local';
      /** How much of an address is compared; `none` also for fields that are no address. */
      mask: AddressMask;
    }
  | { ok: false; why: string };

/** A question that can be asked. */
type AskedBypass = Extract<BypassQuestion, { ok: true }>;

/** A zone and the question that its log is asked. */
type ZoneBypass = { zone: PullZone; question: AskedBypass };

/** What each zone is asked, and why the others cannot be; or why none can. */
type BypassQuestions =
  | { ok: true; asked: readonly [ZoneBypass, ...ZoneBypass[]]; left: readonly string[] }
  | { ok: false; why: string };

/** Longer needles do not fit into a request. */
const LONGEST_NEEDLE = 256;

/** How to ask the CDN logs of zones for a client; see `bypassQuestion`. `seen`: what the log keeps that its value is from. */
export function bypassQuestions(
  field: BypassField,
  value: string | null,
  zones: Zones,
  seen: Anonymisation,
): BypassQuestions {
  const asked: ZoneBypass[] = [];
  const left: string[] = [];
  for (const zone of zones) {
    const question: BypassQuestion = zone.logging
      ? bypassQuestion(field, value, zone, seen)
      : { ok: false, why: 'it keeps no CDN log; it is switched on under Logging of the pull zone' };
    if (question.ok) asked.push({ zone, question });
    else left.push(zones.length > 1 ? `${zone.name}: ${question.why}` : question.why);
  }
  const [first, ...more] = asked;
  return first ? { ok: true, asked: [first, ...more], left } : { ok: false, why: left[0] ?? '' };
}

/**
 * How to ask CDN logs for the requests of the client that has this value in this field of a Shield event or a CDN row.
 * The server filters by address, part of a URL and part of a user agent; ja4, asn and country are matched here.
 */
export function bypassQuestion(
  field: BypassField,
  value: string | null,
  zone: PullZone,
  seen: Anonymisation = zone.anonymisation,
): BypassQuestion {
  if (field === 'ip') return addressQuestion(value, zone, seen);
  const text = value ?? '';
  const needle = text.split(MASK)[0]?.slice(0, LONGEST_NEEDLE).trim() ?? '';
  const exact = termForShown('logs', field, field === 'url' ? afterScheme(text) : text);
  if (exact === null) return { ok: false, why: `CDN logs have no field ${field}` };
  const part = termOfAny(field, [needle], 'contains');
  return placed(field, field === 'ua' && needle !== '' ? [part, exact] : [exact], 'none', zone);
}

/** Statuses and cache statuses are few, whatever a server sends. */
const CELLS_MOST = 100_000;

/** A client by the terms that find it, and the field that these are about. */
type Client = { field: string; terms: readonly FieldTerm[] };

/** What is counted of a client: its requests by what they were answered with, its values, and the rows that say nothing of it. */
export function clientCounting(question: Client): Counting {
  const { field } = question;
  return {
    kind: 'several',
    parts: [
      { of: { kind: 'groups', by: ['status', 'cache'], most: CELLS_MOST } },
      { of: SHAPE_COUNTING },
      ...(asksForNone(question)
        ? []
        : [{ of: { kind: 'groups', by: [], most: 1 }, terms: [termOfAny(field, [''])] } as const]),
    ],
  };
}

/** Whether the client is the one that says nothing in the field. */
function asksForNone({ terms }: Pick<Client, 'terms'>): boolean {
  return terms.some(({ op, values }) => op === 'eq' && values.includes(''));
}

/** The requests of a client by status class and cache status, of all that was counted by `clientCounting`. */
export function bypassCheckOf(all: readonly Counts[]): BypassCheck {
  const parts = all.map((counts) => (counts.kind === 'several' ? counts.parts : []));
  const answers = parts.flatMap(([cells]) => (cells?.kind === 'groups' ? cells.groups : []));
  const classOf = ({ key }: LogGroup) => statusClassOf(Number(key['status']));
  const cells = [...Map.groupBy(answers, (group) => `${classOf(group)} ${group.key['cache'] ?? ''}`).values()]
    .map((groups): BypassCell => {
      const [first] = groups as [LogGroup];
      const cache = first.key['cache'] ?? '';
      return {
        ...{ statusClass: classOf(first), cache, served: cacheStatusRow(cache).served },
        requests: total(groups, ({ count: requests }) => requests),
        bytes: total(groups, (group) => group.bytes),
        first: Math.min(...groups.map(({ firstSeen }) => firstSeen)),
        last: Math.max(...groups.map(({ lastSeen }) => lastSeen)),
      };
    })
    .sort(
      (a, b) =>
        CLASS_ORDER.indexOf(a.statusClass) - CLASS_ORDER.indexOf(b.statusClass) ||
        b.requests - a.requests ||
        (a.cache < b.cache ? -1 : 1),
    );
  const through = cells.filter(isThrough);
  return {
    cells,
    through: total(through, ({ requests }) => requests),
    throughToOrigin: total(through, ({ served, requests }) => (served === 'origin' ? requests : 0)),
    matched: total(cells, ({ requests }) => requests),
    blank: total(parts, ([, , blank]) => (blank?.kind === 'groups' ? blank.rows : 0)),
  };
}

function total<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((sum, item) => sum + figure(item), 0);
}

/** Whether these requests were answered with 2xx or 3xx. */
export function isThrough({ statusClass }: BypassCell): boolean {
  return statusClass === '2xx' || statusClass === '3xx';
}

export function statusClassOf(status: number): StatusClass {
  const first = Math.floor(status / 100);
  return first >= 1 && first <= 5 ? (`${first}xx` as StatusClass) : 'other';
}

/** The address as the log that it is from tells it, and of that as much as this zone keeps. */
function addressQuestion(value: string | null, zone: PullZone, seen: Anonymisation): BypassQuestion {
  if (zone.anonymisation === 'drop') {
    return { ok: false, why: 'the zone logs no client addresses; ask by ja4, ua or url' };
  }
  const told = clientNetwork(value ?? '', seen);
  const network = told && clientNetwork(printNetwork(told), zone.anonymisation);
  if (network === null) return { ok: false, why: `'${value ?? ''}' is no address to look for` };
  return placed('ip', [logTermOf(network)], maskOf(network), zone);
}

function placed(
  field: BypassField,
  terms: readonly FieldTerm[],
  mask: AddressMask,
  zone: PullZone,
): BypassQuestion {
  const places = placeTerms(terms, zone).map(({ runs }) => runs);
  const runs = places.every((place) => place === 'server')
    ? 'server'
    : places.every((place) => place === 'local')
      ? 'local'
      : 'narrowed';
  return { ok: true, field, terms, runs, mask };
}

function afterScheme(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
}
