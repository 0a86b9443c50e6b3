import { count, counted, duration, HOUR, joined, percent } from '../../../text/units.ts';
import { failingMost, failingPages } from '../../deviation/failing-pages.ts';
import { answeredLevel, type Level } from '../../deviation/sampled-rows.ts';
import { quietTime } from '../../deviation/stretch.ts';
import { timeRead } from '../../deviation/usual.ts';
import { unusualVolume } from '../../deviation/volume.ts';
import type { Side } from '../../differing.ts';
import type { AnswerTable } from '../../inquiry/answer-table.ts';
import {
  type Inquiry,
  type Met,
  type Need,
  type ShieldNeed,
  shieldNeed,
  spread,
} from '../../inquiry/inquiry.ts';
import { SampleReading } from '../../inquiry/sample-reading.ts';
import { SAVED_ZONE } from '../../inquiry/saved-inquiry.ts';
import { oldestAsked } from '../../log-retention.ts';
import type { Query } from '../../query/query.ts';
import type { ShieldAnswer } from '../../shield/shield.ts';
import { planGroups } from '../../shield/shield-question.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { type Brief, type Made, made, noLogWords, queryOf, unaskable } from '../asked/asked.ts';
import {
  changesIn,
  changesReading,
  EvidenceReading,
  errorsIn,
  originReading,
  statisticsReading,
} from '../evidence/evidence-reading.ts';
import {
  type AskedAbout,
  causeFinding,
  causesSection,
  evidenceSection,
  notesSection,
} from './cause-table.ts';
import {
  causeSentence,
  clientErrorShare,
  failingMostWords,
  failingWords,
  isBadLevel,
  levelWords,
  volumeWords,
} from './cause-words.ts';
import { raisedRules } from './raised-rules.ts';
import {
  dayBefore,
  firstTimes,
  isLongEnough,
  moreOf,
  narrowing,
  unread,
  unseenOf,
  usualTimes,
} from './sample-times.ts';
import { type Cause, type CausesFound, causesOf, type Heard, heardOf, LEAST_SPOILT } from './verdict.ts';

/** More would be a list of symptoms. */
const MOST_CAUSES = 5;

/** Changes are looked for so long before the window, ms: what they brought about may have begun before it. */
const CHANGED_BEFORE = 24 * HOUR;

/**
 * What is wrong in a window, as at most five causes, what spoils most requests first. A first round reads samples of the window and of
 * other times; what they leave open is read by a few more, one after the other: between samples where nothing stands out, and
 * between the moments of a beginning or an end until they are a minute apart.
 */
export function wrong(o: Brief): Made {
  const { range, shieldZoneId, rules = null } = o;
  const [zone] = o.zones;
  const query = queryOf(o);
  const about = { zone, query, range, rules };
  const edge = o.edge ?? oldestAsked(o.now, 'logs');
  const sampled = new SampleReading(zone, query, ROWS);
  const samples = (side: Side, times: readonly TimeRange[]) => (zone.logging ? sampled.of(times, side) : []);
  const ofPlatform = (o.withCauses ?? false) && zone.id !== '';
  const origin = originReading(ofPlatform ? [zone] : [], range);
  const changedIn = { from: range.from - CHANGED_BEFORE, to: range.to };
  const changes = ofPlatform ? changesReading(changedIn) : new EvidenceReading('changes', []);
  const statistics = statisticsReading(zone, range.to);
  const shield = shieldZoneId ? shieldNeeds(shieldZoneId, query, range, edge) : null;
  const events = new Map<Need, ShieldAnswer>();
  const told = [sampled, origin, changes, statistics];
  // What tells most comes first, and of the samples the newest, which tells whether it goes on.
  const needs = [
    ...samples('now', spread(firstTimes(range).toReversed())),
    ...(shield ? [shield.now, shield.before] : []),
    ...origin.needs,
    ...changes.needs,
    ...samples('before', usualTimes(range, edge)),
  ];
  const asked: Need[] = [...needs];
  const read = new Set<Need>();
  let known: (CausesFound & { heard: Heard }) | null = null;
  let isSpread = false;

  function judged() {
    if (known !== null) return known;
    const [now, before] = shield ? [events.get(shield.now), events.get(shield.before)] : [];
    const heard: Heard = {
      ...heardOf(sampled, query, range, shieldZoneId),
      unread: asked.filter((need) => need.kind === 'logs' && !read.has(need)).length,
      rules: shield && now && before ? raisedRules(now, before, range, shield.before.ask) : [],
      isShieldRead: shield ? now !== undefined && before !== undefined : null,
      errors: errorsIn(origin, { from: Number.NEGATIVE_INFINITY, to: range.to }),
      changes: changesIn(changes, changedIn),
      statistics: statistics.read.flatMap(([, hours]) => hours),
    };
    known = { heard, ...causesOf(heard, { most: MOST_CAUSES }) };
    return known;
  }

  /** What the answers so far leave open, that tells most; so many requests at most. */
  function open(most: number): readonly Need[] {
    if (most === 0) return [];
    const { causes, heard } = judged();
    const { population } = heard;
    const { parts } = population;
    const [lead] = causes;
    if (!zone.logging) return [];
    if (lead === undefined) {
      if (isSpread) return [];
      isSpread = true;
      return sampled.of(moreOf(parts, range).slice(0, most));
    }
    if (
      lead.since?.after === null &&
      !lead.isOnAndOff &&
      lead.deviation !== null &&
      ofPlatform &&
      !asked.includes(statistics.needs[0] as Need)
    )
      return statistics.needs;
    const seen = causes.flatMap(({ deviation }) => deviation ?? []);
    // What comes by the day is told by its own minutes of the day before alone.
    for (const deviation of seen) {
      const next = dayBefore(population, deviation, edge);
      if (next.length > 0) return sampled.chosen(next, 'before');
    }
    for (const { stretch } of seen) {
      const unseen = unseenOf(parts, stretch.begin.before, range.from);
      if (unseen.length > 0) return sampled.chosen(unseen);
    }
    for (const { deviation, fall, until } of causes) {
      const begin = deviation?.stretch.begin ?? fall?.since ?? null;
      for (const bound of [begin, until]) {
        const next =
          bound === null || bound.after === null ? [] : narrowing(parts, bound.after, bound.before);
        if (next.length > 0) return sampled.chosen(next);
      }
      const pause = deviation?.pause ?? null;
      const quiet = begin === null || pause === null ? [] : unread(parts, quietTime(begin, pause));
      const next = quiet.find(isLongEnough);
      if (next) return sampled.chosen([next]);
    }
    return [];
  }

  const inquiry: Inquiry = {
    needs,
    follow: {
      most: Math.max(WRONG_BUDGET, needs.length),
      next() {
        const next = open(Math.max(0, WRONG_BUDGET - asked.length));
        asked.push(...next);
        return next;
      },
    },
    counts: sampled.matches,
    add(need: Need, met: Met) {
      known = null;
      // Nobody has to offer what is not of a log: a refusal is an answer, and the coverage says so.
      if (need.kind === met.kind || (need.kind !== 'logs' && need.kind !== 'shield')) read.add(need);
      if (met.kind === 'shield') events.set(need, met.answer);
      for (const reading of told) reading.add(need, met);
    },
    table() {
      const { heard, ...verdict } = judged();
      return wrongTable(verdict, heard, {
        ...about,
        asked,
        read: asked.filter((need) => read.has(need)),
        missing: [origin, changes, statistics].flatMap((reading) => reading.missing()),
        isCut: [...events.values()].some(({ groups, total }) => groups.length < total),
      });
    },
    rest: () => asked.filter((need) => !read.has(need)),
  };
  if (needs.length === 0) return unaskable(noLogWords(zone));
  const why = shieldZoneId === undefined && zone !== SAVED_ZONE ? 'Shield not known yet: not asked' : '';
  return made(o, inquiry, why);
}

type Told = AskedAbout & {
  asked: readonly Need[];
  read: readonly Need[];
  /** What sources besides the logs do not tell. */
  missing: readonly string[];
  /** A list of rules is its largest groups alone. */
  isCut: boolean;
};

/** Causes of which the evidence is told; the others are their line. */
const TOLD = 3;

/** Of fewer rows nothing is said. */
const LEAST_ROWS = 20;

/** Where so many requests are refused or not found, however usual that is, nobody can tell from rows alone that it is well. */
const DOUBTFUL_LEVEL = 0.5;

/** So little of the usual requests is no good level, though no beginning of it was seen. */
const FEW = 0.5;

/** The causes, what spoils most requests first; a `calm` is said only of a good level, where everything asked for was read. */
function wrongTable({ causes, recurring }: CausesFound, heard: Heard, o: Told): AnswerTable {
  const { range } = o;
  const level = answeredLevel(heard.population, range);
  const isRead = o.read.length === o.asked.length;
  const isBad = causes.length === 0 && isBadLevel(level) && !heard.isFiltered;
  const volume = heard.isFiltered ? null : unusualVolume(heard.population, range);
  const isFew = volume !== null && volume < FEW;
  const isDoubtful = isFew || (clientErrorShare(level) >= DOUBTFUL_LEVEL && !heard.isFiltered);
  const isTold = causes.length === 0 && !isBad && isRead && heard.hasLog && level.rows >= LEAST_ROWS;
  const beside = (isBad || isTold) && !heard.isFiltered ? besideWords(heard, isBad) : '';
  const isCalm = isTold && !isDoubtful;
  return {
    headline: `${o.zone.name}: ${headlineOf(causes, heard, o, { level, volume, isBad, isTold, isDoubtful, beside })}`,
    verdict: causes.length > 0 || isBad ? 'wrong' : isCalm ? 'calm' : 'unknown',
    findings: causes.map((cause, at) => causeFinding(cause, at + 1, o)),
    sections: [
      causesSection(
        `what is wrong in ${duration(range.to - range.from)}, what spoils most requests first (UTC)`,
        causes.map((cause, at) => ({ cause, about: o, isSubject: at === 0 })),
        causes.length > 0 ? '' : lookedFor(heard),
      ),
      ...causes.slice(0, TOLD).map((cause) => evidenceSection(cause, o)),
      ...notesSection({ causes, recurring }, heard, level, o),
    ],
    coverage: coverageOf(heard, o, level.rows),
    isWhole:
      isRead && isReadWhole(heard) && heard.isShieldRead !== false && !o.isCut && o.missing.length === 0,
  };
}

/** Samples of a quiet zone can be all that there is. */
function isReadWhole({ population, range, hasLog }: Heard): boolean {
  return hasLog && timeRead(population, range) >= range.to - range.from;
}

type Judged = {
  level: Level;
  isBad: boolean;
  isTold: boolean;
  isDoubtful: boolean;
  volume: number | null;
  /** What fails though it is no cause. */
  beside: string;
};

/** What most errors of a bad level have, else the pages that fail though they are few. */
function besideWords({ sampled, population }: Heard, isBad: boolean): string {
  const most = isBad ? failingMost(sampled, population) : null;
  if (most !== null) return `; ${failingMostWords(most)}`;
  const pages = failingPages(sampled, population);
  return pages === null ? '' : `; but ${failingWords(pages)}`;
}

function headlineOf(
  [first, ...others]: readonly Cause[],
  heard: Heard,
  o: Told,
  { level, volume, isBad, isTold, isDoubtful, beside }: Judged,
): string {
  const { range } = o;
  const span = duration(range.to - range.from);
  if (first)
    return joined([
      causeSentence(first, range.to, o.rules),
      others.length > 0 ? counted(others.length, 'more cause') : '',
    ]);
  if (o.read.length === 0) return `what is wrong in ${span}?`;
  if (isBad)
    return `${levelWords(level)} in ${span}: no good level, and no single cause of ${percent(LEAST_SPOILT)} or more${beside}`;
  if (!heard.hasLog) return 'no CDN log is kept, and no rule of Shield acts more than usual';
  if (logsOf(o.read) === 0) return `not told: none of ${counted(logsOf(o.asked), 'sample')} was read`;
  if (level.rows < LEAST_ROWS) return `too few requests to tell: ${counted(level.rows, 'row')} in ${span}`;
  if (isTold) {
    const levels = joined([levelWords(level), volumeWords(volume)], ', ');
    const of = `nothing stands out from the usual in ${counted(level.rows, 'row')} of ${span}`;
    return isDoubtful
      ? `${levels} as far back as was read: ${of}, but that is no good level`
      : `calm: ${levels}, ${of}${beside}`;
  }
  return `nothing stands out so far: ${count(o.read.length)} of ${counted(o.asked.length, 'request')} read`;
}

function lookedFor({ hasLog, isShieldRead, isFiltered }: Heard): string {
  return joined(
    [
      hasLog
        ? `looked for: ${isFiltered ? '' : '5xx from 1%, fewer requests, '}refusals, not found, redirects, misses and single senders above the usual`
        : '',
      isShieldRead ? 'rules of Shield that act more than usual' : '',
    ],
    ', ',
  );
}

function logsOf(needs: readonly Need[]): number {
  return needs.filter(({ kind }) => kind === 'logs').length;
}

function coverageOf({ isShieldRead, hasLog }: Heard, o: Told, rows: number): string {
  const shield =
    isShieldRead === null
      ? 'Shield not asked'
      : isShieldRead
        ? `Shield read${o.isCut ? ', its largest groups alone' : ''}`
        : 'Shield not read';
  const log = hasLog
    ? `${count(logsOf(o.read))} of ${counted(logsOf(o.asked), 'sample')}, ${counted(rows, 'row')} of the window`
    : 'no CDN log is kept';
  return joined([log, shield, ...o.missing]);
}

/** Requests of all rounds together. */
export const WRONG_BUDGET = 25;

/** Rows of a sample: of 3 % of the requests they have thirty. */
const ROWS = 1000;

/** Rules with the fingerprints of those that they act on, and the rules of the same time a day earlier, or before it. */
function shieldNeeds(
  shieldZoneId: string,
  query: Query,
  range: TimeRange,
  edge: number,
): Record<Side, ShieldNeed> {
  const length = range.to - range.from;
  const day = { from: range.from - 24 * HOUR, to: range.to - 24 * HOUR };
  const before = { from: Math.max(edge, range.from - Math.max(HOUR, length)), to: range.from };
  return {
    now: shieldNeed({ shieldZoneId, range, plan: planGroups(query, ['rule', 'ja4']) }),
    before: shieldNeed({
      shieldZoneId,
      side: 'before',
      range: day.from >= edge ? day : before,
      plan: planGroups(query, ['rule']),
    }),
  };
}
