import type { CommandLine } from '../../config/command/command-line.ts';
import { causesBy } from '../../domain/evidence/told-causes.ts';
import type { LogRecord } from '../../domain/log.ts';
import { oldestAsked } from '../../domain/log-retention.ts';
import { type CauseOf, NO_CAUSES } from '../../domain/origin-cause.ts';
import { asksCause, NO_CAUSE_OF_COMING } from '../../domain/query/cause-terms.ts';
import { compileTerm, matcher } from '../../domain/query/match.ts';
import { type ServerLogFilter, splitForServer } from '../../domain/query/push-down.ts';
import type { Query, Term } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { windowTimes } from '../../domain/query/query-time.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import { originReading } from '../../domain/questions/evidence/evidence-reading.ts';
import type { Gap, TimeRange } from '../../domain/tail/coverage.ts';
import { TAIL_TUNING } from '../../domain/tail/tail-pace.ts';
import { addressCutsOf, type PullZone, type Zones } from '../../domain/zone.ts';
import { readInquiry } from '../../effects/read-inquiry.ts';
import { sanitise } from '../../text/sanitise.ts';
import { say } from '../../text/say.ts';
import { count, counted } from '../../text/units.ts';
import { endOf, type Printer, remark } from '../printer.ts';
import { createProgressLine, whereSlow } from '../progress.ts';
import { type NamedZone, ofZone, type PrintedPart } from './merged-parts.ts';

/** The window of printed logs where none is asked for. */
const USUAL_WINDOW = 15 * 60_000;

/** A zone, and the filter for its server. */
export type ZoneQuestion = { zone: PullZone; server: ServerLogFilter };

/** What is wanted of the logs of some zones. */
export type PrintedQuestion = {
  zones: readonly [ZoneQuestion, ...ZoneQuestion[]];
  /** Unix ms; the part that is too old to be had is `gone`. */
  range: TimeRange;
  gone: Gap | null;
  /** Decides every term, even those that the server decided before. */
  isWanted: (record: LogRecord) => boolean;
  /**
   * The terms decided here alone, of one zone at least, as written; empty when the server decides all. Null: what
   * they hide is reported to nobody.
   */
  hereText: string | null;
  groupBy: readonly string[];
  /** The known causes, where the query asks for them. */
  causeOf: CauseOf;
};

export function readingOf(
  zones: Zones,
  query: Query,
  now: number,
  causeOf: CauseOf = NO_CAUSES,
): PrintedQuestion {
  const { window, terms } = query;
  const asked = windowTimes(window, now, USUAL_WINDOW);
  const oldest = oldestAsked(now, 'logs');
  const from = Math.min(Math.max(asked.from, oldest), asked.to);
  const gone: Gap | null =
    from > asked.from
      ? { id: 'retention', from: asked.from, to: from, reason: 'retention', rows: null }
      : null;
  const [first, ...others] = zones;
  const split = (zone: PullZone) => ({ zone, server: splitForServer(query, zone).server });
  const here = new Set(zones.flatMap((zone) => splitForServer(query, zone).local));
  const hereTerms = terms.filter((term) => here.has(term));
  return {
    zones: [split(first), ...others.map(split)],
    range: { from, to: asked.to },
    gone,
    isWanted: matcher(query.terms, addressCutsOf(zones), causeOf),
    hereText: hereTerms.length === 0 ? '' : printQuery({ terms: hereTerms, window: null, groupBy: [] }),
    groupBy: query.groupBy,
    causeOf,
  };
}

/**
 * The zones whose rows can match, by the `zone:` terms; the rest of the query decides between their rows. Null: no
 * row of any of these zones can match.
 */
export function withoutZoneTerms(zones: Zones, query: Query): { zones: Zones; query: Query } | null {
  const isOfZone = (term: Term) => term.kind === 'field' && term.field === 'zone';
  const asked = withZoneIds(query.terms.filter(isOfZone), zones).map((term) => compileTerm(term));
  const [first, ...others] = zones.filter(({ id }) =>
    asked.every(({ test, negated }) => test(id) !== negated),
  );
  if (first === undefined) return null;
  return {
    zones: [first, ...others],
    query: { ...query, terms: query.terms.filter((term) => !isOfZone(term)) },
  };
}

/** A zone's name among others, which is untrusted text; null where it is the only zone. */
export function nameAmong(
  { zones }: { zones: readonly ZoneQuestion[] },
  { id, name }: PullZone,
): NamedZone | null {
  return zones.length > 1 ? { id, name: sanitise(name, 'text', 100) } : null;
}

/** What is too old to be had, of each zone. */
export function goneGaps(reading: { zones: readonly ZoneQuestion[]; gone: Gap | null }): Gap[] {
  const { zones, gone } = reading;
  return gone === null ? [] : zones.map(({ zone }) => ofZone(gone, nameAmong(reading, zone)));
}

/** Why options clash with the query; null when they do not. */
export function queryClash(line: CommandLine, query: Query): string | null {
  const isGrouped = query.groupBy.length > 0;
  if (line.follow) {
    const { window } = query;
    const flag = line.until === null ? '--follow' : '--until';
    if (isGrouped) return `by: counts a window that ends; leave out ${flag}`;
    if (asksCause(query)) return `${NO_CAUSE_OF_COMING}; leave out ${flag}`;
    if (window?.kind === 'absolute' && window.to !== null) return `${flag} has no end; leave out to:`;
  }
  if (line.resume !== null && isGrouped) return '--resume continues rows; leave out by:';
  if (line.order !== null && isGrouped) return '--order is of rows; leave out by:';
  if (line.v1 && query.window !== null) return '--day is the whole window; leave out last:, from: and to:';
  return null;
}

/** Counts what the terms decided here hid. */
type Sieve = { keep: (records: readonly LogRecord[]) => LogRecord[]; say: () => void; readonly read: number };

export function createSieve(
  o: Pick<Printer, 'stderr'>,
  reading: Pick<PrintedQuestion, 'isWanted' | 'hereText'>,
): Sieve {
  let read = 0;
  let hidden = 0;
  return {
    keep(records) {
      const kept = records.filter(reading.isWanted);
      read += records.length;
      hidden += records.length - kept.length;
      return kept;
    },
    get read() {
      return read;
    },
    say() {
      if (hidden === 0 || reading.hereText === null) return;
      const why = reading.hereText === '' ? '' : `, by ${reading.hereText}`;
      remark(o, `hidden here ${count(hidden)} of ${counted(read, 'row')} read${why}`);
    },
  };
}

/** `isUnsure`: nobody checked whether there are more. */
export function sayLimit(
  o: Pick<Printer, 'stderr'>,
  limit: number | null,
  what: 'row' | 'group',
  more: 'there may be more' | `there are ${string}` = 'there are more',
): void {
  remark(o, `stopped after ${counted(limit ?? 0, what)}, as --limit asks; ${more}`);
}

/** The source of a closed window's rows; each version of the logs is one. */
export type PartSource = (most: number | null) => AsyncIterable<PrintedPart>;

/** Whether no row of a window can still come. `now`: the server's. */
export function isSettled({ to }: TimeRange, now: number): boolean {
  return to <= now - TAIL_TUNING.lateness;
}

/** Says up to when a recent window is complete, as rows of it may still come. `now`: the server's. */
export function sayComing(o: Pick<Printer, 'stderr'>, range: TimeRange, now: number): void {
  if (isSettled(range, now)) return;
  const from = new Date(Math.max(range.from, now - TAIL_TUNING.lateness)).toISOString().slice(11, 19);
  remark(o, `rows of the time since ${from} UTC may still come: they can be late by 6 minutes`);
}

/**
 * Reads the origin errors of a window's days, after saying their price; where they fail, only their own words are
 * lost.
 */
export async function causesOfWindow(o: Printer, zones: Zones, range: TimeRange): Promise<CauseOf> {
  const reading = originReading(zones, range, zones.length);
  const price = counted(reading.needs.length, 'request');
  say(o.stderr, `cause: is found by origin errors: ${price} before the rows, one a day of each zone`);
  const words = (elapsed: string) =>
    `origin errors: ${count(reading.read.length)} of ${price} answered, ${elapsed}`;
  const line = createProgressLine(o, whereSlow(words));
  const asking = { client: o.client, inquiry: reading, most: null, signal: endOf(o).signal };
  await readInquiry({ ...asking, said: () => line.show() }).finally(line.end);
  const told = `origin errors of ${count(reading.read.length)} of ${counted(reading.needs.length, 'day')} read`;
  const late = 'how late they come is not documented';
  say(o.stderr, [`by time and path: ${told}; ${late}`, ...reading.missing()].join('; '), NONE_NEAR);
  const days = new Map(reading.read.map(([{ zoneId, day }, each]) => [`${zoneId} ${day}`, each]));
  return causesBy(zones, (zoneId, day) => days.get(`${zoneId} ${day}`) ?? null);
}

const NONE_NEAR = 'a row has no cause where none is reported near it, or where its status is no 5xx';
