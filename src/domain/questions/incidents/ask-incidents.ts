import { count, counted, duration, joined, percent } from '../../../text/units.ts';
import type { NameField } from '../../deviation/sampled-rows.ts';
import type { Between } from '../../deviation/stretch.ts';
import type { AnswerFinding, AnswerTable } from '../../inquiry/answer-table.ts';
import { type Besides, type Inquiry, inTurns, type LogNeed, spread } from '../../inquiry/inquiry.ts';
import { namesOf } from '../../inquiry/log-reading.ts';
import { matchesAny } from '../../inquiry/sample-reading.ts';
import { oldestAsked } from '../../log-retention.ts';
import type { Query } from '../../query/query.ts';
import { withZoneIds } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { type Brief, type Made, made, noLogWords, queryOf, unaskable } from '../asked/asked.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import {
  type AskedAbout,
  type CauseLine,
  causeFinding,
  causesSection,
  evidenceSection,
  ledFrom,
} from '../wrong/cause-table.ts';
import { causeSentence, isBadLevel, levelWords } from '../wrong/cause-words.ts';
import { type Cause, SAMPLES_TELLING } from '../wrong/verdict.ts';
import {
  LOOKED_UP,
  planOfHeld,
  planWords,
  type SamplePlan,
  samplePlan,
  ZoneSamples,
} from './zone-samples.ts';

/** `edge`: the oldest row that the log has, Unix ms; null: no other day can be asked for. */
type Question = Besides & { plan: SamplePlan; query: Query; range: TimeRange; edge?: number | null };

/** The fewest rows in memory of which it is told what stood out. */
const ROWS_LEAST = 1000;

export const FEW_ROWS = 'too few rows read to tell what stands out';

export function incidents(o: Brief): Made {
  const { zones, range, held, unlisted = 0, withCauses = false } = o;
  const [zone, ...others] = zones;
  if (held !== undefined && held < ROWS_LEAST * zones.length) return unaskable(FEW_ROWS);
  if (others.length === 0 && !zone.logging) return unaskable(noLogWords(zone));
  const plan =
    held === undefined ? samplePlan(zones, range.to - range.from, unlisted) : planOfHeld(zones, range, held);
  const [first, ...more] = plan.zones;
  if (!first) return unaskable(`none of the ${zones.length} zones keeps a CDN log that can be read`);
  const edge = withCauses ? (o.edge ?? oldestAsked(o.now, 'logs')) : null;
  const inquiry = incidentsInquiry({ plan, query: queryOf(o), range, withCauses, edge });
  const why = held === undefined ? planWords(plan, inquiry.needs.length) : '';
  return made({ ...o, zones: [first, ...more] }, inquiry, why);
}

/**
 * What stood out in a long window, in which of some zones, since when: by samples of each, the newest of one zone first; those of several
 * in an order in which any number of first ones lies evenly over the zones and the time.
 */
export function incidentsInquiry(o: Question): Inquiry {
  const { plan, range } = o;
  const query = { ...o.query, terms: withZoneIds(o.query.terms, plan.zones) };
  const zones = plan.zones.map((zone) => new ZoneSamples(zone, { query, range, plan }));
  const byId = new Map(zones.map((samples) => [samples.zone.id, samples]));
  const causes = o.withCauses ? new CausesBeside(plan.zones, range) : null;
  const turns = (needsOf: (samples: ZoneSamples) => readonly LogNeed[]) =>
    inTurns(zones.map((each) => (zones.length > 1 ? spread(needsOf(each)) : needsOf(each).toReversed())));
  const needs = turns((samples) => samples.needs);
  const { edge = null } = o;
  const daysMost = Math.min(OTHER_DAYS, zones.length * LOOKED_UP);
  let days = 0;
  const otherDays = edge !== null && {
    follow: {
      most: needs.length + daysMost,
      next() {
        const next = [];
        for (const samples of zones) if (days + next.length < daysMost) next.push(...samples.dayBefore(edge));
        days += next.length;
        return next;
      },
    },
  };
  const rows: Inquiry = {
    needs,
    ...otherDays,
    counts: matchesAny(zones),
    add(need, met) {
      if (need.kind === 'logs') byId.get(need.zoneId)?.add(need, met);
    },
    table: () => incidentsTable(zones, o, causes),
    rest: () => turns((samples) => samples.rest()),
  };
  const inquiry = besideRows(rows, causes, () => zonesFailing(zones));
  return {
    ...inquiry,
    add(need, met) {
      inquiry.add(need, met);
      if (need.kind === 'originErrors') byId.get(need.zoneId)?.hear(causes?.errors(need.zoneId) ?? []);
    },
  };
}

/** Those whose origin fails by their samples, the worst first. */
function zonesFailing(zones: readonly ZoneSamples[]): PullZone[] {
  const failing = mattersOf(zones)
    .flatMap((matter) => matter.causes)
    .filter(({ deviation }) => deviation?.harm === 'trouble');
  return [...new Set(failing.map(({ zone }) => zone))];
}

type Asked = Omit<Question, 'withCauses' | 'edge'>;

/** Requests for the day before, by which it is told whether what stands out comes by the day. */
const OTHER_DAYS = 6;

/** Matters of which the evidence is told. */
const DETAILED = 6;

/** In which zone what stood out, since when; a "nothing" is said of what was read alone, and of zones with enough requests. */
function incidentsTable(zones: readonly ZoneSamples[], o: Asked, beside: CausesBeside | null): AnswerTable {
  const { plan, range } = o;
  const isOne = zones.length === 1 && plan.left === 0;
  const matters = mattersOf(zones);
  const isBad = zones.some(({ judged }) => isBadLevel(judged.level));
  const isTold = zones.every(({ isRead, judged }) => isRead && !judged.isThin);
  const isAll = isTold && plan.left === 0 && zones.length > 0;
  const wanted = zones.reduce((sum, { needs }) => sum + needs.length, 0);
  const read = zones.reduce((sum, { answered }) => sum + answered, 0);
  const rows = zones.reduce((sum, { judged }) => sum + judged.level.rows, 0);
  const asked = isOne ? '' : 'which zone, since when: ';
  return {
    headline: headlineOf(matters, { zones, o, read, wanted, isOne }),
    verdict: matters.length > 0 || isBad ? 'wrong' : isAll ? 'calm' : 'unknown',
    isWhole: isAll && zones.every(({ judged }) => !judged.isCut) && (beside?.isWhole ?? true),
    findings: matters.flatMap(({ causes }, at) => causes.map((cause) => findingOf(cause, at + 1, o))),
    sections: [
      causesSection(
        `${asked}what stood out in ${duration(range.to - range.from)}, what goes on first (UTC)`,
        matters.flatMap((matter, at) => linesOf(matter, at === 0, o, isOne)),
        matters.length > 0
          ? 'SINCE and UNTIL lie between two samples'
          : `what is shorter than ${duration(plan.step)} can lie between two samples`,
      ),
      ...matters.slice(0, DETAILED).map(({ causes: [first] }) => {
        const section = evidenceSection(first, aboutOf(first, o));
        return isOne ? section : { ...section, title: `${first.zone.name}: ${section.title}` };
      }),
    ],
    coverage: joined([
      `${count(read)} of ${counted(wanted, 'sample')}${isOne ? '' : ` of ${counted(zones.length, 'zone')}`}, one every ${duration(plan.step)}`,
      counted(rows, 'row'),
      ...unreadWords(zones),
      ...leftWords(plan),
      ...(beside?.coverage() ?? []),
    ]),
  };
}

/** The rules of Shield are not asked for. */
function aboutOf({ zone }: ZoneCause, { query, range }: Asked): AskedAbout {
  return { zone, query, range, rules: null };
}

function findingOf(cause: ZoneCause, matter: number, o: Asked): AnswerFinding {
  const { facts, ...leading } = causeFinding(cause, matter, aboutOf(cause, o));
  return { facts: { cause: matter, zone: cause.zone.name, ...facts }, ...leading };
}

/** A matter of several zones has a line of its own above theirs, which leads into all of them. */
function linesOf(
  { causes, since, until }: Matter,
  isSubject: boolean,
  o: Asked,
  isOne: boolean,
): CauseLine[] {
  const [first] = causes;
  const lineOf = (cause: ZoneCause): CauseLine => ({
    ...{ cause, about: aboutOf(cause, o), isSubject },
    ...(isOne ? {} : { zone: cause.zone.name }),
  });
  if (causes.length === 1) return [lineOf(first)];
  const together = { ...first, since, until };
  const { leads } = ledFrom(together, aboutOf(first, o));
  return [
    {
      ...{ ...lineOf(together), zone: namesOf(causes.map(({ zone }) => zone.name)) },
      leads: leads && { ...leads, zones: causes.map(({ zone }) => zone.id) },
    },
    ...causes.map((cause) => ({ ...lineOf(cause), zone: `  ${cause.zone.name}`, isSubject: false })),
  ];
}

type Heard = { zones: readonly ZoneSamples[]; o: Asked; read: number; wanted: number; isOne: boolean };

function headlineOf([worst, ...others]: readonly Matter[], { zones, o, read, wanted, isOne }: Heard): string {
  const { range } = o;
  const question = isOne
    ? `what stood out in ${duration(range.to - range.from)}?`
    : 'which zone, since when?';
  if (read === 0) return question;
  if (zones.every(({ answered }) => answered < Math.min(SAMPLES_TELLING, wanted)))
    return `${question} too few samples${isOne ? '' : ' of each'} are read to tell what is usual`;
  const part = read < wanted ? `of the ${percent(Math.min(read / wanted, 0.999))} of the samples read: ` : '';
  if (worst) {
    const { causes } = worst;
    const names = namesOf(causes.map(({ zone }) => zone.name));
    const all = causes.length === 1 ? '' : causes.length === 2 ? ', both' : ', all';
    const more = others.length > 0 ? counted(others.length, isOne ? 'more cause' : 'other matter') : '';
    const [first] = causes;
    return joined([
      `${part}${names}${all}: ${causeSentence({ ...first, since: worst.since, until: worst.until }, range.to, null)}`,
      more,
    ]);
  }
  const bad = zones.find(({ judged }) => isBadLevel(judged.level));
  if (bad)
    return `${part}${bad.zone.name}: ${levelWords(bad.judged.level)}: no good level, and no single cause`;
  const thin = zones
    .filter(({ judged, answered }) => answered > 0 && judged.isThin)
    .map(({ zone }) => zone.name);
  const few = thin.length > 0 ? [`too few requests to tell of ${namesOf(thin)}`] : [];
  const of = isOne ? '' : ` of ${counted(zones.length, 'zone')}`;
  const nothing = `nothing stands out from the usual in ${counted(read, 'sample')}${of}`;
  return `${part}${[nothing, ...few, ...unreadWords(zones), ...leftWords(o.plan)].join('; ')}`;
}

function unreadWords(zones: readonly ZoneSamples[]): string[] {
  const names = zones.filter(({ answered }) => answered === 0).map(({ zone }) => zone.name);
  return names.length > 0 ? [`${namesOf(names)} not read`] : [];
}

function leftWords({ zones, left, silent }: SamplePlan): string[] {
  return [
    left > 0 ? `of ${count(zones.length + left)} zones ${count(zones.length)} are asked` : '',
    silent > 0 ? `${counted(silent, 'zone has', 'zones have')} no log to read` : '',
  ].filter((text) => text !== '');
}

/** A cause in one zone. */
type ZoneCause = Cause & { zone: PullZone };

/** What is one thing in one zone or several: it began at the same time as far as can be told, with the same names. */
type Matter = {
  causes: readonly [ZoneCause, ...ZoneCause[]];
  since: Between | null;
  until: Between | null;
};

/** Values that name somebody or something; by the others two different matters can be alike. */
const NAMING: readonly NameField[] = ['page', 'path', 'shape', 'asn', 'ja4', 'ip'];

/** What zones have in common is one matter. What goes on comes first, then what spoils most requests. */
function mattersOf(zones: readonly ZoneSamples[]): Matter[] {
  const all = zones.flatMap(({ zone, judged }) => judged.causes.map((cause) => ({ ...cause, zone })));
  const matters: [ZoneCause, ...ZoneCause[]][] = [];
  for (const each of all.toSorted((a, b) => b.harm - a.harm)) {
    const own = matters.find(
      (matter) => isSame(matter[0], each) && !matter.some(({ zone }) => zone.id === each.zone.id),
    );
    if (own) own.push(each);
    else matters.push([each]);
  }
  const harmOf = ({ causes }: Matter) => causes.reduce((sum, { harm }) => sum + harm, 0);
  const isOn = ({ until }: Matter) => Number(until === null);
  return matters.map(matterOf).toSorted((a, b) => isOn(b) - isOn(a) || harmOf(b) - harmOf(a));
}

/** The begins of all its zones lie between the same two moments, and so do their ends, where all are over. */
function matterOf(causes: Matter['causes']): Matter {
  const begins = causes.flatMap(({ since }) => since ?? []);
  const ends = causes.flatMap(({ until }) => until ?? []);
  return {
    causes,
    since: begins.length < causes.length ? null : around(begins),
    until: ends.length < causes.length ? null : around(ends),
  };
}

function around(times: readonly Between[]): Between {
  const afters = times.flatMap(({ after }) => after ?? []);
  return {
    after: afters.length < times.length ? null : Math.min(...afters),
    before: Math.max(...times.map(({ before }) => before)),
  };
}

/** Their begins may be one moment, and so may their ends, unless both go on; and it is the same that stands out in both. */
function isSame(a: ZoneCause, b: ZoneCause): boolean {
  const isAtOnce =
    mayBeOne(a.since, b.since) && (a.until && b.until ? mayBeOne(a.until, b.until) : a.until === b.until);
  if (!isAtOnce || a.deviation === null || b.deviation === null) return false;
  if (a.deviation.harm !== b.deviation.harm) return false;
  // Zones have other pages, and may have one origin.
  if (a.deviation.harm === 'trouble') return true;
  const [namesA, namesB] = [namingOf(a), namingOf(b)];
  return namesA.size + namesB.size === 0 || !namesA.isDisjointFrom(namesB);
}

function mayBeOne(a: Between | null, b: Between | null): boolean {
  if (a === null || b === null) return a === b;
  const from = ({ after }: Between) => after ?? Number.NEGATIVE_INFINITY;
  return from(a) <= b.before && from(b) <= a.before;
}

function namingOf({ deviation }: ZoneCause): Set<string> {
  const names = (deviation?.names ?? []).filter(({ field }) => NAMING.includes(field));
  return new Set(names.map(({ field, value }) => `${field} ${value}`));
}
