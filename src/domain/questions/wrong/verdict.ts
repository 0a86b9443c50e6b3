import { counted, DAY, HOUR, MINUTE } from '../../../text/units.ts';
import { type Deviation, deviationsOf } from '../../deviation/deviations.ts';
import { isRefusal, whatOf } from '../../deviation/harms.ts';
import { type Population, populationOf, type SampledRows } from '../../deviation/sampled-rows.ts';
import { type Between, quietTime } from '../../deviation/stretch.ts';
import { type Fall, fallOf, rateOf, timeRead } from '../../deviation/usual.ts';
import { countApart } from '../../differing.ts';
import { type Change, canBring, isOfZone, type ZoneIds } from '../../evidence/change.ts';
import type { StatHour } from '../../evidence/origin-error.ts';
import { type OriginError, pathOfError } from '../../evidence/origin-error.ts';
import type { SampleReading } from '../../inquiry/sample-reading.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import type { Query, Term } from '../../query/query.ts';
import type { ShieldAnswer } from '../../shield/shield.ts';
import type { TimeRange } from '../../tail/coverage.ts';

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
  zone: ZoneIds;
  sampled: SampledRows;
  population: Population;
  rules: readonly RaisedRule[];
  /** Whether Shield was asked and has answered; null: it cannot be asked. */
  isShieldRead: boolean | null;
  hasLog: boolean;
  /** Rows were chosen by how they were answered; or by anything. */
  isFiltered: boolean;
  isOfSome: boolean;
  /** Samples that were asked for and are still unread. */
  unread: number;
  errors: readonly OriginError[];
  changes: readonly Change[];
  statistics: readonly StatHour[];
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

/** Origin errors of a code say why an origin fails when they are so many, and so many times those of other times. */
const TOLD = { count: 5, factor: 3 } as const;

/** What somebody sends spoils less than an answer that is missing: most of it is what he asked for. */
const SENT_WEIGHT = 0.25;

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

/** What spoils most requests first. `most`: causes that are told; `apart`: so long without one, ms, it is another. */
export function causesOf(
  heard: Heard,
  { most, apart = Number.POSITIVE_INFINITY }: { most: number; apart?: number },
): Cause[] {
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
  return [...seen, ...ofFall(heard), ...alone.filter(({ harm }) => !hasLog || harm >= LEAST_SPOILT)]
    .toSorted((a, b) => b.harm * SURE[b.sureness] - a.harm * SURE[a.sureness])
    .slice(0, most);
}

/** What failed may be logged later than what went well, and pauses: so long without it, or it goes on, ms. */
const OVER_AFTER = 90_000;

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
  const { harm, stretch, samples, pause, times } = deviation;
  const { unread, isShieldRead, range, population } = heard;
  const { parts, windowAt } = population;
  const isBesideOthers = windowAt > 0 || parts.length - samples >= SAMPLES_TELLING;
  const quiet = pause === null ? null : quietTime(stretch.begin, pause);
  const isUnbounded = quiet !== null && timeRead(population, quiet) < quiet.to - quiet.from;
  const since = isUnbounded ? { ...stretch.begin, after: null } : stretch.begin;
  const until = (stretch.end?.after ?? range.to) > range.to - OVER_AFTER ? null : stretch.end;
  const code = harm === 'trouble' ? toldCode(deviation, heard) : null;
  const whyNotSurer = [
    samples < 2 && rules.length === 0 && code === null ? 'it is in one sample alone' : '',
    isBesideOthers ? '' : 'no other time was read to compare with',
    unread > 0 ? `${counted(unread, 'sample is', 'samples are')} unread` : '',
    isShieldRead === false ? 'Shield was not read' : '',
  ].filter((why) => why !== '');
  const [from, to] = [Math.max(since.before, range.from), until?.before ?? range.to];
  const weight = harm === 'sender' ? SENT_WEIGHT : 1;
  return {
    what: whatOf(harm),
    ...{ deviation, fall: null, rules, code, since, whyNotSurer },
    isOnAndOff: pause !== null,
    changes: isUnbounded ? [] : changesBefore(deviation, heard),
    hour: since.after === null && pause === null ? firstHour(deviation, heard) : null,
    until,
    share: times === null ? stretch.share : null,
    harm: (weight * stretch.share * Math.max(0, to - from)) / (range.to - range.from),
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
  const share = 1 - fall.left;
  const whyNotSurer = ['nobody may have asked for more'];
  const told = { what: 'fewer requests', since: fall.since, until: null, share, harm: share, whyNotSurer };
  return [{ ...UNSEEN, ...told, fall, rules: [] }];
}

/** A code of less than half of the errors has to explain such a part of the requests that failed. */
const EXPLAINED = 0.1;

/** The code that the origin errors of its time tell most beyond the strays that are always there. */
function toldCode({ stretch, names }: Deviation, { errors, range, population }: Heard): ToldCode | null {
  const from = Math.max(stretch.begin.after ?? stretch.begin.before, range.from - DAY);
  const to = stretch.end?.before ?? range.to;
  const place = names.find(({ field }) => field === 'page' || field === 'path');
  const isOfPlace = (error: OriginError) => {
    const page = pathOfError(error);
    if (place === undefined || page === null) return true;
    return place.field === 'page' ? page === place.value : page.startsWith(place.value.slice(0, -1));
  };
  const own = errors.filter((error) => error.timestamp >= from && error.timestamp < to && isOfPlace(error));
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

/** Changes of this zone that can bring about such a thing, before a beginning that was seen. */
function changesBefore({ harm, stretch }: Deviation, { changes, zone }: Heard): readonly Change[] {
  const brought = BROUGHT[harm];
  const { after, before } = stretch.begin;
  if (brought === undefined || after === null) return [];
  return (
    changes
      // Of a beginning that is known roughly, what lies long before the latest that it can have been may be innocent.
      .filter(({ timestamp: at }) => at <= before && at >= Math.min(after, before - CHANGED_BEFORE))
      .filter((change) => isOfZone(change, zone) && canBring(change, brought))
      .toSorted((a, b) => b.timestamp - a.timestamp)
  );
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

/** A rule of Shield that acts far more often than it did. */
export type RaisedRule = {
  ruleId: string;
  count: number;
  /** Events that the window would have at the rate of the time that it is compared with. */
  usual: number;
  g2: number;
  /** The fingerprint that most of its events have; null: it acts on many kinds of clients. */
  ja4: string | null;
  /** When it was at work, Unix ms; null where the server does not tell. */
  firstSeen: number | null;
  lastSeen: number | null;
};

/** When a rule is raised: so many events, so many times the usual number, and too much for chance (χ² at p = 6e-7). */
const RAISED = { events: 15, factor: 5, g2: 25 } as const;

/** A share of a rule's events that makes its fingerprint that of all. */
const MOST = 0.5;

/** Groups that together are less than this of a rule's events say nothing of when it began. */
const TRIFLE = 0.1;

/** `range`, `rangeBefore`: the times of the two answers, the first by rule and fingerprint. Raised rules, the surest first. */
export function raisedRules(
  now: ShieldAnswer,
  before: ShieldAnswer,
  range: TimeRange,
  rangeBefore: TimeRange,
): RaisedRule[] {
  const was = new Map(before.groups.filter(isKnown).map(({ key, count }) => [key['ruleId'] ?? '', count]));
  const scale = (range.to - range.from) / Math.max(1, rangeBefore.to - rangeBefore.from);
  return [...Map.groupBy(now.groups.filter(isKnown), ({ key }) => key['ruleId'] ?? '')]
    .map(([ruleId, groups]): RaisedRule => {
      const count = groups.reduce((sum, each) => sum + each.count, 0);
      const usual = (was.get(ruleId) ?? 0) * scale;
      const [top] = groups.toSorted((a, b) => b.count - a.count);
      const own = withoutTrifles(groups, count);
      const times = (of: 'firstSeen' | 'lastSeen') => own.flatMap((group) => group[of] ?? []);
      return {
        ruleId,
        count,
        usual,
        g2: countApart(count, Math.max(1, usual)),
        ja4: top && top.count >= MOST * count ? (top.key['ja4'] ?? null) : null,
        firstSeen: times('firstSeen').length > 0 ? Math.min(...times('firstSeen')) : null,
        lastSeen: times('lastSeen').length > 0 ? Math.max(...times('lastSeen')) : null,
      };
    })
    .filter(
      ({ count, usual, g2 }) => count >= RAISED.events && count >= RAISED.factor * usual && g2 >= RAISED.g2,
    )
    .toSorted((a, b) => b.g2 - a.g2);
}

function isKnown({ raw }: ShieldAnswer['groups'][number]): boolean {
  return raw === null;
}

/** The groups without the few events of before: noise begins earlier than what raised the rule. */
function withoutTrifles(groups: readonly ShieldAnswer['groups'][number][], count: number) {
  const inOrder = groups.toSorted((a, b) => (a.firstSeen ?? 0) - (b.firstSeen ?? 0));
  let passed = 0;
  return inOrder.filter((group, at) => {
    const isTrifle = passed + group.count <= TRIFLE * count && at < inOrder.length - 1;
    passed += group.count;
    return !isTrifle;
  });
}
