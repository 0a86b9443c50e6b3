import { joined } from '../../../text/joined.ts';
import { clockMinute, count, counted, duration, isoOf, percent } from '../../../text/units.ts';
import { ORIGIN_TROUBLE } from '../../logs/counted/row-marks.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { CausesBeside } from '../evidence/causes-beside.ts';
import { ledBy, onScreen, rest, sectionOf, within, words } from '../inquiry/answer-section.ts';
import type { AnswerRow, AnswerTable } from '../inquiry/answer-table.ts';
import type { Facts } from '../inquiry/findings.ts';
import { namesOf } from '../inquiry/reading-words.ts';
import type { AccountPlan } from './account-plan.ts';
import { isOfOrigin } from './anomaly-windows.ts';
import { causeOf, kindOf, termOf, valueFacts, valuesSection } from './anomaly-words.ts';
import { countedWords } from './counted-samples.ts';
import { areWhole } from './samples.ts';
import {
  type Between,
  canTell,
  type Matter,
  mattersOf,
  SAMPLES_TELLING,
  type ShareChange,
  type ZoneAnomaly,
  zoneAnomalies,
} from './zone-anomalies.ts';
import type { ZoneSamples } from './zone-samples.ts';

type Asked = { plan: AccountPlan; query: Query; range: TimeRange };

/** Matters of which the values are listed one by one. */
const DETAILED = 6;

/** A hit ratio that moved by less is not told. */
const HIT_MOVED = 0.1;

/** A share of several times the usual one is what an anomaly is about. */
const RISEN = 3;

/** Which zone, since when, worst first. A "nothing" is said of what was read alone, and only of zones with enough requests. */
export function accountTable(
  zones: readonly ZoneSamples[],
  o: Asked,
  causes: CausesBeside | null,
): AnswerTable {
  const matters = mattersOf(zones.flatMap(zoneAnomalies));
  const wanted = zones.reduce((sum, { wanted: own }) => sum + own, 0);
  const read = zones.reduce((sum, { answered }) => sum + answered, 0);
  const unsure = zones.filter((samples) => doubtOf(samples) !== '');
  const isAll = read === wanted && unsure.length === 0 && o.plan.left === 0;
  const span = duration(o.plan.span);
  return {
    headline: headlineOf(matters, { read, wanted, zones, o }),
    verdict: matters.length > 0 ? 'wrong' : isAll ? 'calm' : 'unknown',
    isWhole: isAll && zones.every(({ looked }) => areWhole(looked.read)) && (causes?.isWhole ?? true),
    sections: [
      sectionOf(
        'matters',
        `which zone, since when: what stood out in ${span}, worst first (UTC)`,
        matters.flatMap((matter, at) => linesOf(matter, o, at)),
        {
          columns: [
            onScreen('ZONE', 20, ({ zone }) => zone),
            onScreen('SINCE', 12, ({ since }) => sinceCell(since)),
            onScreen('UNTIL', 12, ({ until, seenAt }) => untilCell(until, seenAt)),
            onScreen('WHAT', 'rest', ({ what }) => what),
          ],
          first: ({ facts }) => facts,
          row: ({ row }) => row,
          note:
            matters.length > 0
              ? 'what goes on comes first, then what is least likely by chance; SINCE and UNTIL lie between two samples; usual: the median of the others'
              : `what is shorter than ${duration(o.plan.step)} can lie between two samples`,
        },
      ),
      ...(causes?.zoneSections(o.query) ?? []),
      ...(unsure.length > 0
        ? [
            sectionOf('doubts', 'of these it cannot be told that nothing stood out', unsure, {
              columns: [rest('zone', 'ZONE', ({ zone }) => zone.name), words('why', 'WHY', 40, doubtOf)],
              also: ({ answered, wanted: samples }) => ({ samplesRead: answered, samples }),
              row: ({ zone }) => ({ tone: 'faint', value: { field: 'zone', value: zone.id } }),
            }),
          ]
        : []),
      ...matters
        .slice(0, DETAILED)
        .flatMap(({ anomalies }) => anomalies)
        .map((each) => valuesSection(each.anomaly, titleOf(each), { query: o.query, zones: [each.zone.id] })),
    ],
    coverage: [
      `${count(read)} of ${count(wanted)} samples of ${counted(zones.length, 'zone')}, one every ${duration(o.plan.step)}`,
      ...unreadWords(zones),
      ...leftWords(o.plan),
      ...countedWords(zones.map((samples) => samples.counted)),
      ...(causes?.coverage(
        (days, all) => `origin errors: ${days} of ${counted(all, 'day of a zone', 'days of zones')} read`,
      ) ?? []),
    ].join('; '),
  };
}

type Heard = { read: number; wanted: number; zones: readonly ZoneSamples[]; o: Asked };

function headlineOf(matters: readonly Matter[], { read, wanted, zones, o }: Heard): string {
  const question = 'which zone, since when?';
  if (read === 0) return question;
  if (zones.every(({ answered }) => answered < SAMPLES_TELLING)) {
    return `${question} too few samples of each are read to tell what is usual`;
  }
  const part = read < wanted ? `of the ${percent(Math.min(read / wanted, 0.999))} of the samples read: ` : '';
  const [worst, ...others] = matters;
  const caveats = [...unreadWords(zones), ...leftWords(o.plan)];
  if (worst) {
    const names = namesOf(worst.anomalies.map(({ zone }) => zone.name));
    const all = worst.anomalies.length === 1 ? '' : worst.anomalies.length === 2 ? ', both' : ', all';
    const [first] = worst.anomalies;
    const more = others.length > 0 ? `; ${counted(others.length, 'other matter')}` : '';
    const { since, until, seenAt } = worst;
    const end = until === null ? `still at ${clockMinute(seenAt)}` : `until ${sinceWords(until)}`;
    return `${part}${names}${all} since ${sinceWords(since)}, ${end}: ${whatOf(first)}${more}`;
  }
  const thin = zones.filter(isThin).map(({ zone }) => zone.name);
  const few = thin.length > 0 ? [`too few requests to tell of ${namesOf(thin)}`] : [];
  const nothing = `nothing stands out from the usual in ${counted(read, 'sample')} of ${counted(zones.length, 'zone')}`;
  return `${part}${[nothing, ...few, ...caveats].join('; ')}`;
}

type Line = Pick<ZoneAnomaly, 'since' | 'until' | 'seenAt'> & {
  zone: string;
  what: string;
  row: Omit<AnswerRow, 'cells' | 'of'>;
  facts: Facts;
};

/** A matter of several zones has a row of its own above theirs, which leads into all of them. */
function linesOf(matter: Matter, o: Asked, at: number): Line[] {
  const { anomalies } = matter;
  const isSubject = at === 0;
  const isOne = anomalies.length === 1;
  const lines = anomalies.map(
    (each): Line => ({
      ...each,
      zone: isOne ? each.zone.name : `  ${each.zone.name}`,
      what: whatOf(each),
      row: {
        tone: toneOf(each),
        isSubject: isOne && isSubject,
        ...ledInto([each], o),
        value: { field: 'zone', value: each.zone.id },
      },
      facts: factsOf(at, each, [each]),
    }),
  );
  if (isOne) return lines;
  const together: Line = {
    ...matter,
    zone: namesOf(anomalies.map(({ zone }) => zone.name)),
    what: whatOf(anomalies[0]),
    row: { tone: toneOf(matter), isSubject, ...ledInto(anomalies, o) },
    facts: factsOf(at, matter, anomalies),
  };
  return [together, ...lines];
}

/** A matter by its number, the worst first, and each of its zones by the same. Begin and end lie between two samples. */
function factsOf(
  at: number,
  { since, until, seenAt }: Pick<Line, 'since' | 'until' | 'seenAt'>,
  anomalies: readonly ZoneAnomaly[],
): Facts {
  const [first] = anomalies;
  return {
    matter: at + 1,
    zones: anomalies.map(({ zone }) => zone.name),
    since: betweenFacts(since),
    until: until && betweenFacts(until),
    seenAt: isoOf(seenAt),
    ...(first && anomalies.length === 1
      ? {
          what: kindOf(first.anomaly),
          with: first.anomaly.values.map(valueFacts),
          serverErrors: first.errors,
          stale: first.stale,
          hitRatio: first.hit,
          rateFactor: first.anomaly.rateFactor,
        }
      : {}),
  };
}

function betweenFacts({ after, before }: Between): Facts {
  return { after: isoOf(after), before: isoOf(before) };
}

function toneOf({ until }: Pick<Line, 'until'>): AnswerRow['tone'] {
  return until === null ? 'bad' : 'notable';
}

/** The log of these zones over the anomaly, from the last sample before it, by what made it stand out in all of them. */
function ledInto(anomalies: readonly ZoneAnomaly[], o: Asked): Pick<AnswerRow, 'leads'> {
  const from = Math.min(...anomalies.map(({ since, anomaly }) => since.after ?? anomaly.from));
  const to = Math.max(...anomalies.map(({ anomaly }) => anomaly.to));
  const query = within(o.query, { from, to });
  const [first] = anomalies;
  const term = first ? leadOf(first) : null;
  const isOfAll =
    term &&
    anomalies.every((each) => leadOf(each)?.field === term.field && leadOf(each)?.value === term.value);
  const { leads } = isOfAll ? ledBy('logs', query, term.field, term.value) : {};
  const zones = anomalies.map(({ zone }) => zone.id);
  return { leads: { ...(leads ?? { subject: 'logs', query }), zones } };
}

/** The value that rows of an anomaly are found by; null where it goes by its rate. */
function leadOf({ anomaly, errors }: ZoneAnomaly): { field: string; value: string } | null {
  if (isOfOrigin(anomaly)) {
    return hasRisen(errors) ? { field: 'status', value: '5xx' } : { field: 'cache', value: 'STALE' };
  }
  return anomaly.leader;
}

function whatOf({ anomaly, errors, stale, hit }: ZoneAnomaly): string {
  const { leader, rateFactor } = anomaly;
  // The name of what the figures of an origin say would take the place of the figures.
  const kind = isOfOrigin(anomaly) && hasRisen(errors) ? '' : kindOf(anomaly);
  const named = leader && leader.field !== ORIGIN_TROUBLE ? leader : null;
  const told = [
    kind,
    hasRisen(errors) ? changeWords('5xx', errors) : '',
    hasRisen(stale) ? changeWords('old copies', stale) : '',
    named ? changeWords(termOf(named), { now: named.share, usual: named.usual }) : '',
    hit.now !== null && hit.usual !== null && Math.abs(hit.now - hit.usual) >= HIT_MOVED
      ? `hit ${percent(hit.usual)} -> ${percent(hit.now)}`
      : '',
    rateFactor !== null && rateFactor >= RISEN ? `x${rateFactor.toFixed(1)} as many` : '',
    causeOf({
      values: anomaly.values.filter(({ field, value }) => field !== named?.field || value !== named.value),
    }),
  ];
  return joined(told, ', ');
}

function hasRisen({ now, usual }: ShareChange): boolean {
  return (now ?? 0) >= 0.01 && (now ?? 0) >= RISEN * (usual ?? 0);
}

function changeWords(name: string, { now, usual }: ShareChange): string {
  return usual === null
    ? `${name} ${percent(now)} throughout`
    : `${name} ${percent(now)} against ${percent(usual)}`;
}

function titleOf({ zone, anomaly, since, until, seenAt }: ZoneAnomaly): string {
  return `${zone.name} ${sinceCell(since)} to ${untilCell(until, seenAt)}: ${kindOf(anomaly)}`;
}

function sinceWords({ after, before }: Between): string {
  return after === null ? `before ${later(before)}` : `between ${clockMinute(after)} and ${later(before)}`;
}

function sinceCell({ after, before }: Between): string {
  return after === null ? `before ${later(before)}` : `${clockMinute(after)}-${later(before)}`;
}

function untilCell(until: Between | null, seenAt: number): string {
  return until === null ? `still ${clockMinute(seenAt)}` : sinceCell(until);
}

/** `02:10`: an end of a range is rounded up. */
function later(time: number): string {
  return clockMinute(Math.ceil(time / 60_000) * 60_000);
}

/** Why a "nothing" cannot be said of a zone; empty where it can. */
function doubtOf(samples: ZoneSamples): string {
  const { answered, wanted } = samples;
  if (answered === 0) return 'not read';
  if (answered < wanted) return `${count(answered)} of ${count(wanted)} samples read`;
  const lacking = samples.counted?.lacking ?? 0;
  if (lacking > 0) return `the store lacks ${duration(lacking)}`;
  return isThin(samples) ? 'too few requests to tell' : '';
}

/** Whether in most of its samples nothing could stand out. */
function isThin(samples: ZoneSamples): boolean {
  const { read } = samples.looked;
  return read.length > 0 && read.filter((sample) => canTell(samples, sample)).length * 2 < read.length;
}

function unreadWords(zones: readonly ZoneSamples[]): string[] {
  const names = zones.filter(({ answered }) => answered === 0).map(({ zone }) => zone.name);
  return names.length > 0 ? [`${namesOf(names)} not read`] : [];
}

function leftWords({ zones, left, silent }: AccountPlan): string[] {
  return [
    left > 0 ? `of ${count(zones.length + left)} zones ${count(zones.length)} are asked` : '',
    silent > 0 ? `${counted(silent, 'zone has', 'zones have')} no log to read` : '',
  ].filter((text) => text !== '');
}
