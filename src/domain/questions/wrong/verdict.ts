import { counted, DAY, duration, HOUR, MINUTE } from '../../../text/units.ts';
import { type Deviation, deviationsOf } from '../../deviation/deviations.ts';
import { isRefusal, whatOf } from '../../deviation/harms.ts';
import { type Population, populationOf, type SampledRows } from '../../deviation/sampled-rows.ts';
import { type Between, OVER_AFTER, quietTime } from '../../deviation/stretch.ts';
import { rateOf, timeRead } from '../../deviation/usual.ts';
import { type Fall, fallOf } from '../../deviation/volume.ts';
import { type Change, canBring, isOfZone, type ZoneIds } from '../../evidence/change.ts';
import { type OriginError, pathOfError, type StatHour } from '../../evidence/origin-error.ts';
import type { SampleReading } from '../../inquiry/sample-reading.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import type { Query, Term } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { RaisedRule } from './raised-rules.ts';

/** How sure a cause is; the words say why it is not surer. */
type Sureness = 'sure' | 'likely' | 'possible';

/** Errors of the origin of one code in the time of a cause, and those of all codes. */
type ToldCode = { code: string; count: number; of: number };

/** A cause of what is wrong, with the evidence for it from each source. */
export type Cause = {
  what: string;
  /** Null: no row of the CDN log shows it. */
  deviation: Deviation | null;
  /** Set where it is that far fewer requests come than usual. */
  fall: Fall | null;
  rules: readonly RaisedRule[];
  code: ToldCode | null;
  /** Changes of the zone that can have brought it about, the nearest before it first. */
  changes: readonly Change[];
  /** The moments between which it began; `after` null: it was there as far back as was read. */
  since: Between | null;
  /** The hour in which the platform's statistics see it begin; null: they were not asked, or tell none. */
  hour: StatHour | null;
  /** It was seen to stop and to begin again. */
  isOnAndOff: boolean;
  /** Null: it goes on. */
  until: Between | null;
  /** Of the requests of its time, 0…1; null: rows of a filter tell no share of all. */
  share: number | null;
  /** Requests of the window that it spoils, 0…1 of all; by it causes are ranked, less what is not sure. */
  harm: number;
  sureness: Sureness;
  whyNotSurer: readonly string[];
};

/** What was read, and what the question knows of it. */
export type Heard = {
  range: TimeRange;
  population: Population;
  errors: readonly OriginError[];
  statistics: readonly StatHour[];
  zone: ZoneIds;
  sampled: SampledRows;
  rules: readonly RaisedRule[];
  /** Whether Shield was asked and has answered; null: it cannot be asked. */
  isShieldRead: boolean | null;
  hasLog: boolean;
  /** Rows were chosen by how they were answered; or by anything. */
  isFiltered: boolean;
  isOfSome: boolean;
  /** Samples that were asked for and are still unread. */
  unread: number;
  changes: readonly Change[];
};

/** Less of the requests of its time is a footnote. */
export const LEAST_SPOILT = 0.02;

/** Two logs date one thing differently, and rules act on what comes before and after, ms. */
const MARGIN = MINUTE;

/** A share of a rule's time that makes it that of a deviation. */
const AT_ONCE = 0.5;

/** So many samples of the window that have none of it tell what is usual. */
export const SAMPLES_TELLING = 8;

/** Settings take minutes to reach all edges: a change so long before is no cause of what begins, ms. */
const CHANGED_BEFORE = 15 * MINUTE;

/** A rule that was silent for this part of the window at its end is at work no more. */
const SILENT = 1 / 6;

/** What somebody sends spoils less than an answer that is missing, most of it is what he asked for; and who does not ask may have been refused. */
const WEIGHTS = { sender: 0.25, fewer: 0.25 } as const;

/** What a change of settings can bring about; nothing else that is wrong comes of one. */
const BROUGHT: Partial<Record<Deviation['harm'], 'origin' | 'cache'>> = {
  ...{ trouble: 'origin', misses: 'cache', bypassed: 'cache' },
};

const SURE: Readonly<Record<Sureness, number>> = { sure: 1, likely: 0.8, possible: 0.5 };

/** What samples of a log alone tell. */
export function heardOf(
  { rows: sampled, zone, needs, answered }: SampleReading,
  { terms }: Query,
  range: TimeRange,
  shieldZoneId: ZoneIds['shieldZoneId'],
): Heard {
  const isOfAnswer = (term: Term) => term.kind === 'field' && /^(?:status|cache|cause)$/.test(term.field);
  return {
    ...{ range, sampled, population: populationOf(sampled, range), hasLog: zone.logging },
    ...{ zone: { pullZoneId: zone.id, shieldZoneId }, unread: needs.length - answered },
    ...{ isFiltered: terms.some(isOfAnswer), isOfSome: terms.length > 0 },
    ...{ rules: [], isShieldRead: null, errors: [], changes: [], statistics: [] },
  };
}

/** `recurring`: what comes at this time of other days, too, and is nothing wrong. */
export type CausesFound = { causes: Cause[]; recurring: Cause[] };

/** What spoils most requests first. `most`: causes that are told; `apart`: so long without one, ms, it is another. */
export function causesOf(
  heard: Heard,
  { most, apart = Number.POSITIVE_INFINITY }: { most: number; apart?: number },
): CausesFound {
  const { sampled, population, range, isFiltered, isOfSome, rules, hasLog } = heard;
  const options = { window: range, isFiltered, isOfSome, most: most + 1, apart };
  const deviations = deviationsOf(sampled, population, options);
  const seenIn = new Map(rules.map((rule) => [rule, deviations.find((each) => isOf(rule, each)) ?? null]));
  const seen = deviations.map((deviation) =>
    ofDeviation(
      deviation,
      rules.filter((rule) => seenIn.get(rule) === deviation),
      heard,
    ),
  );
  const alone = rules.filter((rule) => seenIn.get(rule) === null).map((rule) => ofRule(rule, heard));
  const isRecurring = ({ deviation }: Cause) => (deviation?.dayBefore ?? null) !== null;
  return {
    causes: [
      ...seen.filter((cause) => !isRecurring(cause)),
      ...ofFall(heard),
      ...alone.filter(({ harm }) => !hasLog || harm >= LEAST_SPOILT),
    ]
      .toSorted((a, b) => b.harm * SURE[b.sureness] - a.harm * SURE[a.sureness])
      .slice(0, most),
    recurring: seen.filter(isRecurring),
  };
}

/** Where less of a window was read, 0…1, what is in one of its even samples may be a moment of it. */
const GLIMPSE = 0.02;

/** Whether a rule acted on the rows of a deviation: at the same time, on its fingerprint or with the answers that a rule gives. */
function isOf(
  { ja4, firstSeen, lastSeen }: RaisedRule,
  { harm, names, stretch, rows, statuses }: Deviation,
): boolean {
  if (harm === 'trouble' || harm === 'misses' || harm === 'bypassed') return false;
  if (firstSeen !== null && lastSeen !== null) {
    const [from, to] = [stretch.begin.after ?? 0, stretch.end?.before ?? Number.POSITIVE_INFINITY];
    const both = Math.min(to + MARGIN, lastSeen) - Math.max(from - MARGIN, firstSeen);
    if (both < AT_ONCE * (lastSeen - firstSeen)) return false;
  }
  const own = names.filter(({ field }) => field === 'ja4');
  if (own.length > 0 && ja4 !== null) return own.some(({ value }) => value === ja4);
  const refused = statuses
    .filter(({ status }) => isRefusal(status))
    .reduce((sum, each) => sum + each.rows, 0);
  return refused * 2 >= rows;
}

function ofDeviation(deviation: Deviation, rules: readonly RaisedRule[], heard: Heard): Cause {
  const { harm, stretch, samples, unchosen, seen, pause, times } = deviation;
  const { unread, isShieldRead, range, population } = heard;
  const { parts, windowAt } = population;
  const isBesideOthers = windowAt > 0 || parts.length - samples >= SAMPLES_TELLING;
  const code = harm === 'trouble' ? toldCode(deviation, heard) : null;
  const outbreak = code === null ? null : firstOutbreak(deviation, code, heard);
  const quiet = pause === null || outbreak !== null ? null : quietTime(stretch.begin, pause);
  const isUnbounded = quiet !== null && timeRead(population, quiet) < quiet.to - quiet.from;
  const begin = outbreak ?? stretch.begin;
  const since = isUnbounded ? { ...begin, after: null } : begin;
  const until = (stretch.end?.after ?? range.to) > range.to - OVER_AFTER ? null : stretch.end;
  // Between samples far apart nobody knows how long it went on behind its last row, nor whether it is more than a moment that was met.
  const length = range.to - range.from;
  const isGlimpse = unchosen < 2 && timeRead(population, range) < GLIMPSE * length;
  const lasted = isGlimpse ? seen : (until?.after ?? range.to) - Math.max(since.before, range.from);
  const whyNotSurer = [
    samples < 2 && rules.length === 0 && code === null ? 'it is in one sample alone' : '',
    isGlimpse && samples > 1 ? `it was seen for ${duration(seen)} of ${duration(length)}` : '',
    isBesideOthers ? '' : 'no other time was read to compare with',
    unread > 0 ? `${counted(unread, 'sample is', 'samples are')} unread` : '',
    isShieldRead === false ? 'Shield was not read' : '',
  ].filter((why) => why !== '');
  const weight = harm === 'sender' ? WEIGHTS.sender : 1;
  return {
    what: whatOf(harm),
    ...{ deviation, fall: null, rules, code, since, whyNotSurer },
    isOnAndOff: pause !== null || outbreak !== null,
    changes: changesBefore(harm, since, heard),
    hour: since.after === null && pause === null ? firstHour(deviation, heard) : null,
    until,
    share: times === null ? stretch.share : null,
    harm: (weight * stretch.share * Math.max(0, lasted)) / length,
    sureness: whyNotSurer.length === 0 ? 'sure' : whyNotSurer.length === 1 ? 'likely' : 'possible',
  };
}

/** What no row shows. */
const UNSEEN = {
  ...{ deviation: null, fall: null, code: null, changes: [], hour: null, isOnAndOff: false },
  sureness: 'likely',
} as const;

function ofRule(rule: RaisedRule, { range, population, hasLog }: Heard): Cause {
  const { firstSeen, lastSeen, count } = rule;
  const length = range.to - range.from;
  const rate = rateOf(population, range);
  const share = rate === null ? 0 : Math.min(1, count / Math.max(1, (rate * length) / 1000));
  const isOver = lastSeen !== null && lastSeen < range.to - length * SILENT;
  return {
    ...UNSEEN,
    ...{ what: 'rule', rules: [rule], share, harm: share },
    since: firstSeen === null ? null : { after: null, before: firstSeen },
    until: isOver ? { after: lastSeen, before: lastSeen } : null,
    whyNotSurer: [
      hasLog ? 'it does not stand out in the samples of the CDN log' : 'the zone keeps no CDN log',
    ],
  };
}

/** Requests that do not come are in no row: nothing names them. */
function ofFall({ isFiltered, population, range }: Heard): Cause[] {
  const fall = isFiltered ? null : fallOf(population, range);
  if (fall === null) return [];
  const { since, until, left } = fall;
  const share = 1 - left;
  const harm =
    (WEIGHTS.fewer * share * ((until?.after ?? range.to) - since.before)) / (range.to - range.from);
  const whyNotSurer = ['nobody may have asked for more'];
  const told = { what: 'fewer requests', since, until, share, harm, whyNotSurer };
  return [{ ...UNSEEN, ...told, fall, rules: [] }];
}

/** Origin errors of a code say why an origin fails when they are so many, and so many times those of other times. */
const TOLD = { count: 5, factor: 3 } as const;

/** A code of less than half of the errors has to explain such a part of the requests that failed. */
const EXPLAINED = 0.1;

/** The code that the origin errors of its time tell most beyond the strays that are always there. */
function toldCode({ stretch, names }: Deviation, { errors, range, population }: Heard): ToldCode | null {
  const from = Math.max(stretch.begin.after ?? stretch.begin.before, range.from - DAY);
  const to = stretch.end?.before ?? range.to;
  const isOwn = isOfPlace(names);
  const own = errors.filter((error) => error.timestamp >= from && error.timestamp < to && isOwn(error));
  const before = errors.filter(({ timestamp }) => timestamp < from);
  const oldest = Math.min(...before.map(({ timestamp }) => timestamp));
  const scale = before.length === 0 ? 0 : (to - from) / Math.max(HOUR, from - oldest);
  const [first] = [...Map.groupBy(own, ({ code }) => code)]
    .map(([code, { length: count }]) => {
      const stray = before.filter((error) => error.code === code).length * scale;
      return { code, count, of: own.length, excess: count - stray, isTold: count >= TOLD.factor * stray };
    })
    .filter(({ count, isTold }) => isTold && count >= TOLD.count)
    .toSorted((a, b) => b.excess - a.excess);
  if (first === undefined) return null;
  const expected = ((rateOf(population, range) ?? 0) * stretch.share * (to - from)) / 1000;
  const isEnough = first.count * 2 >= own.length || first.count >= expected * EXPLAINED;
  return isEnough ? { code: first.code, count: first.count, of: first.of } : null;
}

/** Whether an error is of the pages that name a cause, as far as it says. */
function isOfPlace(names: Deviation['names']): (error: OriginError) => boolean {
  const place = names.find(({ field }) => field === 'page' || field === 'path');
  return (error) => {
    const page = pathOfError(error);
    if (place === undefined || page === null) return true;
    return place.isPattern ? page.startsWith(place.value.slice(0, -1)) : page === place.value;
  };
}

/** A minute with so much of the rate of errors of a cause, and so many of them, is an outbreak; of one so long before the next is another cause, ms. */
const OUTBREAK = { share: 0.25, least: 5, quiet: 1.5 * MINUTE, apart: 20 * MINUTE, strays: 2 } as const;

/**
 * When what is on and off began, by origin errors: samples may all have met its pauses. Null: there were no outbreaks before the one that
 * was seen.
 */
function firstOutbreak(
  { stretch, names }: Deviation,
  { code, count: seen }: ToldCode,
  { errors, range }: Heard,
): Between | null {
  const isOwn = isOfPlace(names);
  const { after, before } = stretch.begin;
  const own = errors.filter((error) => error.code === code && error.timestamp < before && isOwn(error));
  const minutes = Map.groupBy(own, ({ timestamp }) => Math.floor(timestamp / MINUTE) * MINUTE);
  const perMinute = (seen * MINUTE) / Math.max(MINUTE, (stretch.end?.before ?? range.to) - before);
  const least = Math.max(OUTBREAK.least, OUTBREAK.share * perMinute);
  const outbreaks = [...minutes].filter(([, found]) => found.length >= least).map(([minute]) => minute);
  let [begin, longest] = [before, 0];
  for (const minute of outbreaks.toSorted((a, b) => b - a)) {
    const between = begin - minute - MINUTE;
    if (between > OUTBREAK.apart) break;
    [begin, longest] = [minute, Math.max(longest, between)];
  }
  if (after === null || longest < OUTBREAK.quiet) return null;
  const first = Math.min(...(minutes.get(begin) ?? []).map(({ timestamp }) => timestamp));
  const quiet = { from: begin - OUTBREAK.apart, to: begin };
  const strays = own.filter(({ timestamp }) => timestamp >= quiet.from && timestamp < quiet.to).length;
  // An outbreak of which few errors are kept may be before it, and of the day before nothing was read.
  const isFirst = strays <= OUTBREAK.strays && quiet.from >= Math.floor(range.from / DAY) * DAY;
  return { after: isFirst ? begin : null, before: first };
}

/** The first of the hours in a row up to the newest that fail as the rows do; null: the statistics see no such beginning. */
function firstHour({ harm, stretch }: Deviation, { statistics }: Heard): StatHour | null {
  if (harm !== 'trouble') return null;
  const shareOf = ({ serverErrors, requests }: StatHour) =>
    serverErrors === null || requests === null ? null : ratioOf(serverErrors, requests);
  const told = statistics.filter((hour) => shareOf(hour) !== null);
  const last = told.findLastIndex((hour) => (shareOf(hour) ?? 0) < stretch.share / 3);
  return last < 0 ? null : (told[last + 1] ?? null);
}

/** Changes of this zone that can bring about such a thing, before a beginning that was seen. */
function changesBefore(
  harm: Deviation['harm'],
  { after, before }: Between,
  { changes, zone }: Heard,
): readonly Change[] {
  const brought = BROUGHT[harm];
  if (brought === undefined || after === null) return [];
  return (
    changes
      // Of a beginning that is known roughly, what lies long before the latest that it can have been may be innocent.
      .filter(({ timestamp: at }) => at <= before && at >= Math.min(after, before - CHANGED_BEFORE))
      .filter((change) => isOfZone(change, zone) && canBring(change, brought))
      .toSorted((a, b) => b.timestamp - a.timestamp)
  );
}
